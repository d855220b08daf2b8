/** Bot levels in words. The server names each by a stable key; a key we have no word for is shown by its number. */
import type { GameCard, LevelCard } from "./protocol.ts";
import { t, type Text } from "./texts.ts";

const known: Record<string, Text> = {
  random: "level_random",
  careless: "level_careless",
  greedy: "level_greedy",
  easy: "level_careless",
  medium: "level_greedy",
  hard: "level_hard",
  expert: "level_expert",
  master: "level_master",
};

export function levelName(card: GameCard | undefined, level: number | null): string {
  const key = card?.levels.find((one) => one.level === level)?.key;
  const word = key ? known[key] : undefined;
  return word ? t(word) : t("level_n", { n: level ?? 1 });
}

/** The level a newcomer meets first: about the middle. */
export function usualLevel(levels: readonly LevelCard[]): number {
  return levels[Math.floor((levels.length - 1) / 2)]?.level ?? 1;
}
