/** How far a match is: "Round 2 of 4", "Round 3 · first to 2 points". */
import type { GameCard } from "./game.ts";
import type { TableInfo } from "./protocol.ts";
import { t } from "./texts.ts";

export function roundWords(info: TableInfo, game: GameCard, n: number): string {
  const cycles = info.match["cycles"];
  if (cycles) return t("bar_round_of", { n, of: cycles * info.seats.length });
  const goal = Object.values(info.match)[0];
  return goal === undefined
    ? t("bar_round", { n })
    : `${t("bar_round", { n })} · ${game.matchWords.choice(goal)}`;
}
