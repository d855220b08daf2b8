/** How far a match is, and who stands where in it. */
import type { Wins } from "./analysis.ts";
import { api } from "./api.ts";
import type { GameCard, Names } from "./game.ts";
import { num } from "./i18n.svelte.ts";
import { label } from "./people.ts";
import type { GameCard as ServerCard, TableInfo } from "./protocol.ts";
import { t } from "./texts.ts";

/** Whether a match with this goal ends with its first round. */
const one = (kind: string | undefined, goal: number) => goal === (kind === "cycles" ? 0 : 1);

/** Whether one round is the whole match: then there is nothing to count. */
export function single(info: TableInfo): boolean {
  const [kind, goal] = Object.entries(info.match)[0] ?? [];
  return info.rounds.length < 2 && (goal === undefined || one(kind, goal));
}

/** Whether opposite seats win together, by the options of a match. */
export function paired(
  card: ServerCard | undefined,
  options: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return (
    card?.options.some(({ key, partners, default: usual }) =>
      partners.includes((options?.[key] ?? usual) as string | boolean),
    ) ?? false
  );
}

/** The same for who has not heard of the games yet. */
export async function partners(
  game: string | undefined,
  options: Readonly<Record<string, unknown>> | undefined,
): Promise<boolean> {
  const { games } = await api.games();
  return paired(
    games.find(({ key }) => key === game),
    options,
  );
}

/** What chances are of, in the game's own terms: where a match is one round, the game is won. */
export const prize = (game: GameCard | undefined, wins: Wins): Wins | "game" =>
  wins === "round" && game?.matchWords.setting === null ? "game" : wins;

/** Each player with their points in the match, most points first; of equals the reader. */
export function standing(names: Names, totals: readonly number[]): string[] {
  const reader = (seat: number) => Number(seat === names.you);
  return totals
    .map((points, seat) => ({ points, seat }))
    .sort((a, b) => b.points - a.points || reader(b.seat) - reader(a.seat))
    .map(({ points, seat }) => `${label(names, seat)} ${num(points)}`);
}

/** The same in a few letters, the reader first: "2 : 1" of two players; of more the reader and the best of the others. */
function standingShort(names: Names, totals: readonly number[]): string {
  const you = names.you ?? 0;
  if (totals.length === 2) return `${num(totals[you]!)} : ${num(totals[1 - you]!)}`;
  const all = standing(names, totals);
  const own = names.you === null ? all[0]! : `${label(names, you)} ${num(totals[you]!)}`;
  return `${own}, ${all.find((other) => other !== own)}`;
}

/** "Round 2 of 4", "Round 3 · first to 2 points", "a single round". */
export function roundWords(info: TableInfo, game: GameCard, n: number): string {
  const [kind, goal] = Object.entries(info.match)[0] ?? [];
  if (goal === undefined) return t("bar_round", { n });
  if (one(kind, goal)) return game.matchWords.choice(goal, info.seats.length);
  if (kind === "cycles") return t("bar_round_of", { n, of: goal * info.seats.length });
  return `${t("bar_round", { n })} · ${game.matchWords.choice(goal, info.seats.length)}`;
}

/** What the table's bar says of the match: "Round 2 of 4", "Round 3", "1 : 1", or "Round 3", "You 5, Noor 8". */
export function barWords(info: TableInfo, game: GameCard, names: Names): string[] {
  if (info.status === "open") return [t("bar_open")];
  if (single(info)) {
    if (info.status === "over") return [t("bar_over_single")];
    return game.matchWords.setting === null ? [] : [roundWords(info, game, 1)];
  }
  const rounds = info.rounds.length + (info.status === "playing" || info.status === "shuffling" ? 1 : 0);
  const far = info.status === "over" ? t("bar_over", { n: rounds }) : roundWords(info, game, rounds);
  return info.rounds.length ? [far, standingShort(names, info.totals)] : [far];
}
