/** Sitting down: one call makes the table, and the page changes to it. */
import { api } from "./api.ts";
import { tell } from "./announce.svelte.ts";
import { failureWords } from "./failures.ts";
import type { CreateTable } from "./protocol.ts";
import { watchPreparing } from "./preparing.svelte.ts";
import { go } from "./router.svelte.ts";

export async function start(wanted: CreateTable): Promise<void> {
  try {
    const made = api.create(wanted);
    void watchPreparing(wanted.game, made);
    const table = await made;
    go(`t/${table.id}`);
  } catch (error) {
    tell(failureWords(error), "no");
  }
}

/** Against bots: my seat first, the rest at one level. */
export function playNow(game: string, players: number, level: number): Promise<void> {
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot" as const, level }));
  return start({ game, seats: [{ kind: "me" }, ...bots] });
}
