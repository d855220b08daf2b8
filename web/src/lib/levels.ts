/** Bot levels in words. The server names each by a stable key; a key we have no word for is shown by its number. */
import type { GameCard, LevelCard } from "./protocol.ts";
import { t, type Text } from "./texts.ts";

const known: Record<string, Text> = {
  novice: "level_novice",
  beginner: "level_beginner",
  easy: "level_easy",
  medium: "level_medium",
  good: "level_good",
  hard: "level_hard",
  expert: "level_expert",
  master: "level_master",
};

export function levelName(card: GameCard | undefined, level: number | null): string {
  const n = level ?? 1;
  const key = card?.levels.find((one) => one.level === level)?.key;
  const word = key ? known[key] : undefined;
  return word ? t(word, { n }) : t("level_n", { n });
}

/** The level a newcomer meets first: on the easy side, but awake. */
export function usualLevel(levels: readonly LevelCard[]): number {
  return levels[Math.floor(levels.length / 3)]?.level ?? 1;
}
