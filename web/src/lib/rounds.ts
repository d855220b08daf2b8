/** How far a match is: "Round 2 of 4", "Round 3 · first to 2 points", "a single round". */
import type { GameCard } from "./game.ts";
import type { TableInfo } from "./protocol.ts";
import { t } from "./texts.ts";

export function roundWords(info: TableInfo, game: GameCard, n: number): string {
  const [kind, goal] = Object.entries(info.match)[0] ?? [];
  if (goal === undefined) return t("bar_round", { n });
  if (goal === (kind === "cycles" ? 0 : 1)) return game.matchWords.choice(goal);
  if (kind === "cycles") return t("bar_round_of", { n, of: goal * info.seats.length });
  return `${t("bar_round", { n })} · ${game.matchWords.choice(goal)}`;
}
