/** Every game whose web folder lies beside the shell, by key. */
import type { GameCard } from "./game.ts";

const found = import.meta.glob<GameCard>("../../../src/foxrow/games/*/web/index.ts", {
  eager: true,
  import: "default",
});

export const games: readonly GameCard[] = Object.values(found).sort(
  (a, b) => a.minutes - b.minutes || a.key.localeCompare(b.key),
);

export function gameCard(key: string): GameCard | undefined {
  return games.find((game) => game.key === key);
}
