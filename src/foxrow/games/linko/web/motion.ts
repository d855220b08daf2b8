/** Which cards travelled in a step, read from the views around it. */
import type { Flight } from "$lib/travel.ts";
import { openHand, readRow, type Card, type LinkoView } from "./table.ts";

const count = (cards: readonly Card[], card: Card): number => cards.filter((one) => one === card).length;

/** Cards that a list gained: value and which copy of it. */
function gained(before: readonly Card[], after: readonly Card[]): { card: Card; copy: number }[] {
  const out: { card: Card; copy: number }[] = [];
  for (const card of new Set(after)) {
    for (let copy = count(before, card); copy < count(after, card); copy++) out.push({ card, copy });
  }
  return out;
}

/**
 * `hand` is the seat whose hand lies open on this screen, if any. Names of places: `s<seat>-<row>-<card>` on a stack,
 * `h<value>-<copy>` in the hand, `d<value>-<copy>` in the display, `seat-<n>`, `pile`, `out`.
 */
export function flights(
  before: LinkoView,
  after: LinkoView,
  seat: number,
  move: string,
  hand: number | null,
): Flight[] {
  const out: Flight[] = [];
  const row = readRow(move);
  if (row) {
    const top = after.stacks[seat]!.length - 1;
    const cards = seat === hand ? (openHand(before, seat) ?? []) : [];
    const used = new Map<Card, number>();
    row.forEach((card, i) => {
      const nth = (used.get(card) ?? 0) + 1;
      used.set(card, nth);
      const from = seat === hand ? `h${card}-${count(cards, card) - nth}` : `seat-${seat}`;
      out.push({ to: `s${seat}-${top}-${i}`, from, order: i });
    });
    return out;
  }
  const victim = before.victim;
  if (victim === null) return out;
  const stack = before.stacks[victim]!;
  const at = stack.length - 1;
  const lost = stack[at] ?? [];
  const taker = move === "take" ? seat : move === "back" ? victim : null;
  if (taker !== null) {
    const new_ = taker === hand ? gained(openHand(before, taker) ?? [], openHand(after, taker) ?? []) : [];
    lost.forEach((card, i) => {
      const from = `s${victim}-${at}-${i}`;
      if (taker !== hand) return void out.push({ from, to: `seat-${taker}`, away: true, order: i });
      const found = new_.findIndex((one) => one.card === card);
      const [one] = found < 0 ? [] : new_.splice(found, 1);
      if (one) out.push({ from, to: `h${one.card}-${one.copy}`, order: i });
    });
  } else if (move === "discard") {
    lost.forEach((_, i) => out.push({ from: `s${victim}-${at}-${i}`, to: "out", away: true, order: i }));
  } else if (move === "pile" || move.startsWith("show ")) {
    const shown: Card | null = move === "pile" ? null : move === "show X" ? "X" : Number(move.slice(5));
    const from = shown === null ? "pile" : `d${shown}-${count(before.display, shown) - 1}`;
    const [drawn] = seat === hand ? gained(openHand(before, seat) ?? [], openHand(after, seat) ?? []) : [];
    if (drawn) out.push({ from, to: `h${drawn.card}-${drawn.copy}`, flip: shown === null });
    else out.push({ from, to: `seat-${seat}`, away: true });
    const left = [...before.display];
    if (shown !== null) left.splice(left.indexOf(shown), 1);
    gained(left, after.display).forEach(({ card, copy }, i) =>
      out.push({ from: "pile", to: `d${card}-${copy}`, flip: true, order: i + 1 }),
    );
  }
  return out;
}
