/** Which cards travelled in a step, read from the views around it. */
import type { Flight } from "$lib/travel.ts";
import { numbers, readMove, suitOf, type Card, type LineitView } from "./table.ts";

/**
 * `hand` is the seat whose hand lies open on this screen, if any. Names of places: `m<card>` in the market, `l<seat>-<i>`
 * in a line, `h<card>` in the reader's hand, `hand-<seat>` another hand, `score-<seat>`, `pot-<suit>`, `deck`.
 */
export function flights(
  before: LineitView,
  after: LineitView,
  seat: number,
  move: string,
  hand: number | null,
): Flight[] {
  const out: Flight[] = [];
  const { verb, card } = readMove(move);
  const end = after.lines[seat]!.length - 1;
  if (verb === "take") out.push({ from: `m${card}`, to: `l${seat}-${end}` });
  if (verb === "play") out.push({ from: seat === hand ? `h${card}` : `hand-${seat}`, to: `l${seat}-${end}` });
  if (verb === "keep") {
    if (seat === hand) out.push({ from: `m${card}`, to: `h${card}` });
    else out.push({ from: `m${card}`, to: `hand-${seat}`, away: true });
  }
  if (verb === "close") {
    // Cards gather into the score; the three that closing costs go last and fall away with them.
    before.lines[seat]!.forEach((_, i) =>
      out.push({ from: `l${seat}-${i}`, to: `score-${seat}`, away: true, order: i }),
    );
  }
  // The third card of a colour empties its jackpot into the score.
  if (card !== null && verb !== "keep" && typeof card === "number") {
    const suit = suitOf(card);
    if (before.jackpots[suit].length > 0 && after.jackpots[suit].length === 0)
      out.push({ from: `pot-${suit}`, to: `score-${seat}`, away: true, order: 2 });
  }
  // A new round: what was left goes under the jackpots, new cards come off the deck.
  if (
    verb === "done" &&
    before.phase === "turn" &&
    (after.first !== before.first || after.phase !== "turn")
  ) {
    numbers(before.market).forEach((n, i) =>
      out.push({ from: `m${n}`, to: `pot-${suitOf(n)}`, away: true, order: i }),
    );
    after.market.forEach((one: Card, i) => out.push({ from: "deck", to: `m${one}`, order: i + 2 }));
  }
  return out;
}
