/** What a Line-it table needs once somebody sits down. */
import { definePlay, type SoundName, type Step } from "$lib/game.ts";
import Board from "./Board.svelte";
import Side from "./Side.svelte";
import { deckSize, type LineitView } from "./table.ts";
import {
  ask,
  briefWords,
  lessonWords,
  moveWords,
  paid,
  refusal,
  resultDetail,
  sortMoves,
  stepWords,
  tip,
} from "./words.ts";
import { t } from "./texts.ts";

function deck(): string[] {
  return [...Array.from({ length: 100 }, (_, i) => String(i + 1)), "+3", "+3", "+4", "+4", "+5", "+5"];
}

/** T2: the first market comes off the top, the rest stays the deck. */
function dealt(order: readonly string[], view: LineitView): boolean {
  const market = view.players + 2;
  return (
    view.market.map(String).join(" ") === order.slice(0, market).join(" ") &&
    Array.isArray(view.deck) &&
    view.deck.map(String).join(" ") === order.slice(market).join(" ")
  );
}

/** T2, T10: a market for each round, for as long as the deck can fill one. */
function barDetail(view: LineitView): string {
  if (view.phase === "final") return t("final_title");
  const [market, left] = [view.players + 2, deckSize(view)];
  const n = (deck().length - left) / market;
  return t("bar_round", { n: Math.round(n), of: Math.floor(n + left / market), deck: left });
}

function sound(step: Step<LineitView>): SoundName | null {
  if (paid(step)) return "jackpot";
  if (step.move === "close") return "close";
  return step.move === "done" ? null : "card";
}

export default definePlay<LineitView>({
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
  barDetail,
  sound,
  deck,
  dealt,
});
