/** Sitting down: one call makes the table, and the page changes to it. */
import { api } from "./api.ts";
import { tell } from "./announce.svelte.ts";
import { failureWords } from "./failures.ts";
import type { GameCard } from "./game.ts";
import type { CreateTable } from "./protocol.ts";
import { watchPreparing } from "./preparing.svelte.ts";
import { go, route } from "./router.svelte.ts";
import { settings } from "./settings.svelte.ts";

let starting = false;

/** One at a time, and whoever has gone elsewhere meanwhile stays there: the table is among their own. */
export async function start(wanted: CreateTable): Promise<void> {
  if (starting) return;
  starting = true;
  const from = route.path;
  try {
    const made = api.create(wanted);
    void watchPreparing(wanted.game, made);
    const table = await made;
    if (route.path === from) go(`t/${table.id}`);
  } catch (error) {
    tell(failureWords(error), "no");
  } finally {
    starting = false;
  }
}

/** Against bots: my seat first, the rest at one level. */
export function playNow(game: string, players: number, level: number): Promise<void> {
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot" as const, level }));
  return start({ game, seats: [{ kind: "me" }, ...bots] });
}

const levels = async (game: GameCard) =>
  (await api.games()).games.find((one) => one.key === game.key)?.levels ?? [];

const unanswered = (error: unknown): null => (tell(failureWords(error), "no"), null);

/** A table of the strongest bots, to look on. */
export async function watchBots(game: GameCard): Promise<void> {
  const strongest = (await levels(game).catch(unanswered))?.at(-1);
  if (strongest)
    await start({
      game: game.key,
      seats: Array(game.players.usual).fill({ kind: "bot", level: strongest.level }),
    });
}

/** The first game: the fewest players, the gentlest bot, tips on from the start. */
export async function firstGame(game: GameCard): Promise<void> {
  settings.tips = true;
  const gentlest = (await levels(game).catch(unanswered))?.[0];
  if (gentlest) await playNow(game.key, game.players.low, gentlest.level);
}
