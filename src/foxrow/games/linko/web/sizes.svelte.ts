/** How much room there is, and how large cards are drawn in it. */
import { MediaQuery } from "svelte/reactivity";

interface CardSizes {
  /** Card width, step between rows and between cards of a row, in px. */
  seat: readonly [number, number, number];
  middle: number;
  mine: readonly [number, number, number];
  /** Card width, and step between cards of one group. */
  hand: readonly [number, number];
}

export class Room {
  readonly #wide = new MediaQuery("min-width: 1100px");
  /** Beside the side column, and above each other, there is room for large cards. */
  readonly #broad = new MediaQuery("(min-width: 1200px) and (min-height: 780px)");
  readonly #tight = new MediaQuery("(min-width: 1200px) and (max-width: 1420px) and (min-height: 780px)");
  readonly #low = new MediaQuery("max-height: 740px");
  readonly #roomy = new MediaQuery("min-width: 600px");
  readonly #narrow = new MediaQuery("max-width: 380px");
  readonly #slim = new MediaQuery("max-width: 350px");

  get wide(): boolean {
    return this.#wide.current;
  }
  /** The rows stand beside the names, and the window is none of the widest. */
  get tight(): boolean {
    return this.#tight.current;
  }
  /** Wide enough for whole words on chips. */
  get roomy(): boolean {
    return this.#roomy.current;
  }
  avatars(players: number): boolean {
    return this.#broad.current || (players < (this.wide ? 4 : 5) && !this.#low.current);
  }

  cards(players: number): CardSizes {
    const low = this.#low.current;
    if (this.wide && !this.#broad.current)
      return low
        ? { seat: [36, 22, 17], middle: 40, mine: [40, 20, 21], hand: [54, 22] }
        : { seat: [44, 28, 21], middle: 44, mine: [54, 30, 28], hand: [62, 26] };
    if (this.wide) return { seat: [58, 34, 31], middle: 66, mine: [66, 36, 35], hand: [78, 42] };
    if (this.roomy && !low) return { seat: [50, 32, 26], middle: 60, mine: [62, 34, 33], hand: [66, 26] };
    // Fewer opponents, wider columns, larger cards.
    const card = ([46, 46, 40, 35, 30] as const)[players - 1] ?? 30;
    if (low || this.#narrow.current) {
      const small = Math.min(players < 4 ? 36 : 30, card);
      const middle = this.#slim.current ? 38 : 44; // seven of them side by side, and a strip
      return { seat: [small, small * 0.6, small * 0.47], middle, mine: [36, 17, 19], hand: [44, 12] };
    }
    return { seat: [card, card * 0.63, card * 0.49], middle: 44, mine: [48, 28, 25], hand: [50, 15] };
  }
}
