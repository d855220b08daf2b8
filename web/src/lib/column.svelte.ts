/** What the column beside a table shows. It outlives the column: a curtain or a result takes its place for a while. */
import type { GameView, Step } from "./game.ts";
import { later } from "./pace.ts";
import { Stages } from "./stages.svelte.ts";

interface Shown {
  view: GameView;
  step: Step | null;
  legal: readonly string[];
}

export class Column {
  shown = $state.raw<Shown | null>(null);
  /** The first time, its panels come one by one. */
  panels = $state.raw<Stages | null>(null);

  /** It follows the board a frame later: the list of moves takes as long to draw as the table. */
  follow(now: Shown | null): () => void {
    return later(() => {
      this.shown = now;
      if (now) this.panels ??= new Stages(3);
    });
  }
}
