/** Bot levels in words. Each game names its own by stable keys; a key we have no word for is shown by its number. */
import type { GameCard, LevelCard } from "./protocol.ts";
import { t, type Text } from "./texts.ts";

const known: Record<string, Text> = {
  gentle: "level_gentle",
  easy: "level_easy",
  casual: "level_casual",
  steady: "level_steady",
  solid: "level_solid",
  strong: "level_strong",
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
