/** What a Linko table needs once somebody sits down. */
import { definePlay, type SoundName, type Step } from "$lib/game.ts";
import Board from "./Board.svelte";
import Side from "./Side.svelte";
import { size, sorted, type Card, type LinkoView } from "./table.ts";
import { ask, briefWords, lessonWords, moveWords, resultDetail, sortMoves, stepWords, tip } from "./words.ts";
import { t } from "./texts.ts";

export { readFaces } from "./faces.ts";

const HAND = 13;
const DISPLAY = 6;

function deck(): string[] {
  const cards: string[] = [];
  for (let value = 1; value <= 13; value++) for (let i = 0; i < 8; i++) cards.push(String(value));
  return [...cards, "X", "X", "X", "X", "X"];
}

/** L2: thirteen to each seat in turn, then the display, then the pile, top card first. */
function dealt(order: readonly string[], view: LinkoView): boolean {
  const cards: Card[] = order.map((text) => (text === "X" ? "X" : Number(text)));
  const same = (given: unknown, want: Card[]) =>
    Array.isArray(given) && sorted(given as Card[]).join(" ") === sorted(want).join(" ");
  const hands = view.hands.every((hand, seat) => same(hand, cards.slice(seat * HAND, (seat + 1) * HAND)));
  const at = view.players * HAND;
  const pile = Array.isArray(view.pile) && view.pile.join(" ") === cards.slice(at + DISPLAY).join(" ");
  return hands && same(view.display, cards.slice(at, at + DISPLAY)) && pile;
}

function sound({ move, before, after }: Step<LinkoView>): SoundName {
  if (after?.phase === "attacker" && after.victim !== before?.victim) return "hit";
  if (move === "pile") return "flip";
  if (move.startsWith("show")) return "draw";
  return "card";
}

function refusal(code: string, view: LinkoView): string | null {
  if (code === "pile_empty") return t("why_pile_empty");
  if (code === "other_phase")
    return size(view.hands[view.seat ?? 0] ?? []) && view.phase === "lay" ? t("why_draw") : t("why_wait");
  return null;
}

export default definePlay<LinkoView>({
  Board,
  Side,
  moveWords,
  briefWords,
  sortMoves,
  stepWords,
  ask,
  refusal,
  tip,
  lessonWords,
  resultDetail,
  sound,
  deck,
  dealt,
});
