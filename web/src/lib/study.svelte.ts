/** The analysis of a match while somebody looks at it: one round at a time, each kept once it is there. */
import { collect, type Verdicts } from "./analysis.ts";
import type { Analysis } from "./protocol.ts";

type Ask = (round: number, from: number, signal: AbortSignal) => Promise<Analysis>;

const none: Verdicts = [];

export class Study {
  readonly #ask: Ask;
  #rounds = $state.raw<Readonly<Record<number, Verdicts>>>({});
  #running = $state.raw<AbortController | null>(null);
  #waiting = $state(false);
  #failure = $state.raw<unknown>(null);

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  of(round: number): Verdicts {
    return this.#rounds[round] ?? none;
  }
  get running(): boolean {
    return this.#running !== null;
  }
  /** The server has no time for it now; it is asked again by itself. */
  get waiting(): boolean {
    return this.#waiting;
  }
  get failure(): unknown {
    return this.#failure;
  }

  /** Looks at a round until all of it has verdicts (true), or until it is stopped or fails (false). */
  async look(round: number, moves: number): Promise<boolean> {
    this.stop();
    this.#failure = null;
    if (this.of(round).length >= moves) return false;
    const stop = new AbortController();
    this.#running = stop;
    try {
      await collect(
        (from) => this.#ask(round, from, stop.signal),
        moves,
        this.of(round),
        stop.signal,
        (verdicts, waiting) => {
          this.#rounds = { ...this.#rounds, [round]: verdicts };
          this.#waiting = waiting;
        },
      );
      return !stop.signal.aborted;
    } catch (error) {
      this.#failure = error;
      return false;
    } finally {
      if (this.#running === stop) this.stop();
    }
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#waiting = false;
  }
}
