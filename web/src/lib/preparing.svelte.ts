/**
 * On its first start the server compiles each game's rules, which takes a while; who waits for a table meanwhile is told
 * how far it is.
 */
import { api } from "./api.ts";

/** What is in the cache is loaded by then, and nobody needs to hear of it. */
const PATIENCE = 700;
const AGAIN = 1000;

let state = $state.raw<{ game: string; share: number } | null>(null);

export const preparing = {
  /** The game that is being waited for, and the share of it that is there; null: nobody waits. */
  get now() {
    return state;
  },
};

/** Watches until the promise is settled. `game`: what is waited for, if that is known; else what is being compiled. */
export async function watchPreparing(game: string | null, until: Promise<unknown>): Promise<void> {
  let done = false;
  const end = () => {
    done = true;
    state = null;
  };
  until.then(end, end);
  let pause = PATIENCE;
  let ahead: string | null = null;
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = AGAIN;
    if (done) return;
    const cards = await api.prepared().catch(() => null);
    if (done) return;
    const cold = cards?.games.filter((card) => card.prepared < 1) ?? [];
    const busy = cold.toSorted((a, b) => b.prepared - a.prepared)[0];
    const found = game === null ? busy : cold.find((one) => one.key === game);
    // The game that is being compiled when somebody asks for another is finished first: half of the way.
    if (found?.prepared === 0 && busy?.prepared) ahead ??= busy.key;
    const before = ahead === null ? 0 : (cold.find((one) => one.key === ahead)?.prepared ?? 1);
    const share = found ? (ahead === null ? found.prepared : (before + found.prepared) / 2) : 1;
    state = found ? { game: found.key, share } : null;
  }
}
