/** What the reader has picked to lay: so many of one value, so many jokers. */
import type { Card, Row } from "./table.ts";

export class Pick {
  #value = $state<number | null>(null);
  #count = $state(0);
  #jokers = $state(0);
  readonly #hand: () => readonly Card[];

  constructor(hand: () => readonly Card[]) {
    this.#hand = hand;
  }

  readonly row: Row | null = $derived.by(() => {
    const cards: Card[] = [
      ...Array<Card>(this.#count).fill(this.#value ?? "X"),
      ...Array<Card>(this.#jokers).fill("X"),
    ];
    return cards.length ? cards : null;
  });
  readonly counts = $derived(
    new Map<Card, number>([
      ...(this.#value !== null && this.#count > 0 ? [[this.#value, this.#count] as const] : []),
      ...(this.#jokers > 0 ? [["X", this.#jokers] as const] : []),
    ]),
  );
  /** How many there are of the chosen value, and whether all of them are picked. */
  readonly most = $derived.by(() => this.#held(this.#value ?? "X"));
  readonly whole = $derived.by(() => (this.#value === null ? this.#jokers : this.#count) === this.most);

  #held(card: Card): number {
    return this.#hand().filter((one) => one === card).length;
  }

  /** One more of it; after the last one none. */
  tap(card: Card): void {
    if (card === "X") this.#jokers = (this.#jokers + 1) % (this.#held("X") + 1);
    else if (card !== this.#value) {
      this.#value = card;
      this.#count = 1;
    } else {
      this.#count = (this.#count + 1) % (this.#held(card) + 1);
      if (this.#count === 0) this.#value = null;
    }
  }

  all(): void {
    if (this.#value === null) this.#jokers = this.most;
    else this.#count = this.most;
  }

  clear(): void {
    this.#value = null;
    this.#count = this.#jokers = 0;
  }
}
