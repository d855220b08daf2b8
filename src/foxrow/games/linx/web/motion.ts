/** Which tiles travelled in a step, read from the views around it. */
import type { Flight } from "$lib/travel.ts";
import { key, kinds, openHand, readMove, size, type LinxView } from "./table.ts";

/**
 * `hand` is the seat whose hand lies open on this screen, if any. Names of places: `t<x>,<y>` on the board,
 * `h<symbol>-<copy>` in the hand, `seat-<n>`, `pile` (the reader's).
 */
export function flights(
  before: LinxView,
  after: LinxView,
  seat: number,
  move: string,
  hand: number | null,
): Flight[] {
  const out: Flight[] = [];
  const [was, is] = [openHand(before, seat) ?? [], openHand(after, seat) ?? []];
  const placed = readMove(move);
  if (placed) {
    const copies = was.filter((one) => one === placed.kind).length;
    const from = seat === hand ? `h${placed.kind}-${copies - 1}` : `seat-${seat}`;
    // A covering tile is shown first and turns over while it drops.
    out.push({ to: `t${key(placed.at)}`, from, flip: placed.down && seat === hand });
  }
  if (seat === hand && size(after.piles[seat]!) < size(before.piles[seat]!)) {
    for (const kind of kinds) {
      const had = was.filter((one) => one === kind).length - (placed?.kind === kind ? 1 : 0);
      const has = is.filter((one) => one === kind).length;
      for (let copy = had; copy < has; copy++)
        out.push({ to: `h${kind}-${copy}`, from: "pile", order: out.length });
    }
  }
  return out;
}
