/** A hint: asked for once about what lies on the table, and gone with it. */
import { patience, sleep, type Wins } from "./analysis.ts";
import type { Hint, Tried } from "./protocol.ts";

const none: readonly Tried[] = [];

export class Advice {
  readonly #ask: (seat: number) => Promise<Hint>;
  #about: unknown = null;
  #tried = $state.raw<readonly Tried[]>(none);
  #wins = $state<Wins>("round");
  #asking = $state.raw<AbortController | null>(null);

  constructor(ask: (seat: number) => Promise<Hint>) {
    this.#ask = ask;
  }

  /** The moves that are advised now, the best first; empty unless somebody has asked. */
  get tried(): readonly Tried[] {
    return this.#tried;
  }
  /** What their chances are of. */
  get wins(): Wins {
    return this.#wins;
  }
  /** The server thinks about it. */
  get busy(): boolean {
    return this.#asking !== null;
  }

  /** This is on the table now: what was asked or said of anything else is over. */
  about(view: unknown): void {
    if (this.#about === view) return;
    this.#about = view;
    this.forget();
  }

  forget(): void {
    this.#tried = none;
    this.#asking?.abort();
    this.#asking = null;
  }

  /** What is advised to a seat after so many moves, asked until the server has time for it; empty when the table has
   * gone on meanwhile. */
  async ask(seat: number, ply: number): Promise<readonly Tried[]> {
    if (this.#asking || this.#tried.length) return this.#tried;
    const asking = new AbortController();
    this.#asking = asking;
    try {
      while (!asking.signal.aborted) {
        try {
          const found = await this.#ask(seat);
          if (asking.signal.aborted || found.ply !== ply) return none;
          this.#wins = found.wins;
          return (this.#tried = found.tried);
        } catch (error) {
          if (asking.signal.aborted) return none;
          const wait = patience(error);
          if (wait === null) throw error;
          await sleep(wait, asking.signal);
        }
      }
      return none;
    } finally {
      if (this.#asking === asking) this.#asking = null;
    }
  }
}
