/** What a LINX table needs once somebody sits down. */
import { definePlay, type SoundName, type Step } from "$lib/game.ts";
import Board from "./Board.svelte";
import { kinds, sorted, type Kind, type LinxView } from "./table.ts";
import { ask, briefWords, lessonWords, moveWords, resultDetail, sortMoves, stepWords, tip } from "./words.ts";
import { t } from "./texts.ts";

const COPIES = 5;
/** X2: the first hands, by turn order. */
const first: Record<number, number[]> = { 2: [3, 4], 3: [2, 2, 3], 4: [2, 2, 3, 3] };

/** Seat after seat, each symbol with its owner before it: so dealing can tell the colours apart. */
function deck(players: number): string[] {
  const tiles: string[] = [];
  for (let seat = 0; seat < players; seat++) {
    for (const kind of kinds) for (let i = 0; i < COPIES; i++) tiles.push(`${seat}${kind}`);
  }
  return tiles;
}

/** Every colour's tiles make a pile of their own, in the order of the deck; the first hands come off its top. */
function dealt(order: readonly string[], view: LinxView): boolean {
  const piles = view.hands.map((_, seat) =>
    order.filter((tile) => Number(tile[0]) === seat).map((tile) => tile[1] as Kind),
  );
  return piles.every((pile, seat) => {
    const turn = (seat - view.first + view.players) % view.players;
    const n = first[view.players]?.[turn] ?? 0;
    const [hand, rest] = [view.hands[seat], view.piles[seat]];
    return (
      Array.isArray(hand) &&
      Array.isArray(rest) &&
      sorted(hand).join("") === sorted(pile.slice(0, n)).join("") &&
      rest.join("") === pile.slice(n).join("")
    );
  });
}

function sound({ move, after }: Step<LinxView>): SoundName {
  if (after?.line) return "win";
  return move === "pass" ? "draw" : move.includes("#") ? "flip" : "tile";
}

function refusal(code: string, view: LinxView): string | null {
  switch (code) {
    case "can_place":
      return t("why_pass");
    case "face_down":
      return t("why_down");
    case "not_adjacent":
      return t("why_touch");
    case "too_far":
      return t("why_room", { n: view.limit });
    default:
      return null;
  }
}

export default definePlay<LinxView>({
  Board,
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
