/** What the reader may do now, and the market card chosen that could go both ways: into the line, or into the hand. */
import type { Card } from "./table.ts";

interface Now {
  legal: readonly string[];
  /** The reader may move now. */
  acting: boolean;
}

export class Turn {
  chosen = $state<Card | null>(null);
  readonly #now: () => Now;

  constructor(now: () => Now) {
    this.#now = now;
  }

  readonly #can = $derived.by(() => {
    const { acting, legal } = this.#now();
    return new Set(acting ? legal : []);
  });

  get acting(): boolean {
    return this.#now().acting;
  }
  can(move: string): boolean {
    return this.#can.has(move);
  }
  /** There is no other move. */
  only(move: string): boolean {
    return this.#can.size === 1 && this.can(move);
  }
  takes(card: Card): boolean {
    return this.can(`take ${card}`);
  }
  keeps(card: Card): boolean {
    return this.can(`keep ${card}`);
  }
  both(card: Card): boolean {
    return this.takes(card) && this.keeps(card);
  }
}
