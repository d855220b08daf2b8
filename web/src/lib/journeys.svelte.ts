/** Lets a board's cards travel whenever its view changes: looks before the change, flies when the last part shows it. */
import { untrack } from "svelte";
import type { GameView } from "./game.ts";
import { task } from "./pace.ts";
import { Trip, type Flight } from "./travel.ts";

interface Travelling {
  /** The table: mat and tray. */
  root: () => Element | null | undefined;
  view: () => GameView;
  /** What travels on the way to this view; null: nothing does (joined, jumped). */
  flights: () => readonly Flight[] | null;
  /** The views that the board's parts show, in the order in which they follow. */
  parts: readonly (() => GameView)[];
}

export function journeys({ root, view, flights, parts }: Travelling): void {
  let trip: Trip | null = null;
  $effect.pre(() => {
    void view();
    untrack(() => {
      trip?.cancel();
      const [place, found] = [root(), flights()];
      trip = place && found ? new Trip(place, found) : null;
    });
  });
  for (const part of parts) {
    $effect(() => {
      const shown = part();
      untrack(() => {
        const now = trip;
        if (!now || shown !== view()) return;
        now.veil();
        if (part !== parts.at(-1)) return;
        trip = null;
        void task().then(() => now.fly());
      });
    });
  }
}
