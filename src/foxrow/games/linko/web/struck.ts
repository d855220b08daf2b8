/** Whom the row just laid has hit so far. A view does not tell: a row that was hit is gone from its stack. */
import type { Step } from "$lib/game.ts";
import { fate, place, topRow, type Fate, type LinkoView } from "./table.ts";

export interface Struck {
  seats: ReadonlySet<number>;
  /** Everything since the row was laid has been seen. */
  whole: boolean;
}

const NOTHING: Struck = { seats: new Set(), whole: false };
/** Views stay the same objects from step to step, forwards and back. */
const seen = new WeakMap<LinkoView, Struck>();

/** Learns of it from a step that leads to this view, and remembers it. */
export function struck(view: LinkoView, step: Step<LinkoView> | null = null): Struck {
  const known = seen.get(view);
  if (known?.whole) return known;
  const before = step?.after === view ? step.before : null;
  const past = !before ? NOTHING : before.phase === "lay" ? { ...NOTHING, whole: true } : struck(before);
  const now = view.victim === null ? [] : [view.victim];
  const found = { seats: new Set([...(known?.seats ?? []), ...past.seats, ...now]), whole: past.whole };
  seen.set(view, found);
  return found;
}

/** How somebody stands against the row just laid; "settled" where it is over and nobody here saw how. */
export function fateOf(
  view: LinkoView,
  seat: number,
  step: Step<LinkoView> | null = null,
): Fate | "was" | "settled" {
  const now = fate(topRow(view, view.active) ?? [], topRow(view, seat));
  if (place(view, seat) !== "before") return now;
  const { seats, whole } = struck(view, step);
  return seats.has(seat) || now === "hit" ? "was" : whole ? now : "settled";
}
