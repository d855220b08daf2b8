/** A decision to find the best move in: tried as often as one likes, shown when asked for. */
import type { Verdict } from "./protocol.ts";

export interface Attempt {
  move: string;
  verdict: Verdict;
}

/** Found: the best move or one that is hardly worse. Shown: told, not found. */
export type Outcome = "found" | "shown" | null;

const good = ({ mark }: Verdict) => mark === "" || mark === "!";

export class Exercise {
  readonly #judge: (move: string) => Promise<Verdict | null>;
  #last = $state.raw<Attempt | null>(null);
  #outcome = $state<Outcome>(null);
  #pending = $state<string | null>(null);

  constructor(judge: (move: string) => Promise<Verdict | null>) {
    this.#judge = judge;
  }

  /** The move that was tried last, and what it is worth. */
  get last(): Attempt | null {
    return this.#last;
  }
  get outcome(): Outcome {
    return this.#outcome;
  }
  /** The move whose worth is being asked for. */
  get pending(): string | null {
    return this.#pending;
  }

  /** True: it is found now, and was not before. */
  async try(move: string): Promise<boolean> {
    const verdict = await this.#ask(move);
    if (!verdict) return false;
    this.#last = { move, verdict };
    if (this.#outcome || !good(verdict)) return false;
    this.#outcome = "found";
    return true;
  }

  /** Tells the best move; any other will do to ask for it. True: it is told now, and was not found before. */
  async show(any: string): Promise<boolean> {
    if (this.#outcome) return false;
    const verdict = this.#last?.verdict ?? (await this.#ask(any));
    if (!verdict || this.#outcome) return false;
    this.#last = { move: verdict.best, verdict: { ...verdict, made: verdict.chance, mark: "" } };
    this.#outcome = "shown";
    return true;
  }

  async #ask(move: string): Promise<Verdict | null> {
    if (this.#pending !== null) return null;
    this.#pending = move;
    try {
      return await this.#judge(move);
    } finally {
      this.#pending = null;
    }
  }
}
