/** Several people on one device: whose hand is open, when the curtain falls, and what is told to who comes. */
import { untrack } from "svelte";
import type { Step } from "./game.ts";

const FEW = 3; // moves that are told, the last ones

export class Hotseat {
  /** The seat whose hand is open; null: the curtain is down. */
  opened = $state<number | null>(null);
  /** The moves that one player has made on end, each from all eyes here. */
  #run = $state.raw<readonly (readonly Step[])[]>([]);

  /** What the last move was to each seat here; none: a new round, or a move was taken back. Once for each move. */
  follow(steps: readonly Step[]): void {
    untrack(() => {
      const goesOn = steps.length > 0 && this.#run[0]?.[0]?.seat === steps[0]!.seat;
      this.#run = steps.length ? [...(goesOn ? this.#run : []), steps] : [];
    });
  }

  /** The seat that is waited for behind the curtain; null: it is up. */
  curtain(mine: readonly number[], toAct: number | null): number | null {
    const wanted = toAct !== null && mine.includes(toAct) ? toAct : this.opened;
    if (wanted === null) return mine[0]!;
    return wanted === this.opened ? null : wanted;
  }

  /** What was done last, as a seat saw it, if somebody else did it. */
  news(seat: number): Step[] {
    if (this.#run[0]?.[0]?.seat === seat) return [];
    return this.#run.slice(-FEW).flatMap((steps) => steps.find(({ after }) => after?.seat === seat) ?? []);
  }

  reset(): void {
    this.opened = null;
    this.#run = [];
  }
}
