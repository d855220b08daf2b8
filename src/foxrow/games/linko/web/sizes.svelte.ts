/** How much room there is, and how large cards are drawn in it. */
import { MediaQuery } from "svelte/reactivity";

interface CardSizes {
  /** Card width, step between rows and between cards of a row, in px. */
  seat: readonly [number, number, number];
  middle: number;
  mine: readonly [number, number, number];
  /**
   * Card width, step between cards of one group, and what is left free between two groups; where a hand often needs two
   * lines, the card width in these: the hand has their height then, whatever it holds.
   */
  hand: readonly [card: number, step: number, gap: number, pair?: number];
}

export class Room {
  readonly #wide = new MediaQuery("(--beside)");
  readonly #broad = new MediaQuery("(--broad)");
  readonly #tight = new MediaQuery("(--tight)");
  readonly #upright = new MediaQuery("(--upright)");
  readonly #large = new MediaQuery("(--large)");
  readonly #high = new MediaQuery("min-height: 1100px");
  readonly #low = new MediaQuery("max-height: 740px");
  readonly #roomy = new MediaQuery("min-width: 600px");
  readonly #narrow = new MediaQuery("max-width: 380px");
  readonly #tiny = new MediaQuery("max-width: 350px");

  get wide(): boolean {
    return this.#wide.current;
  }
  /** The rows stand beside the names, and the window is none of the widest. */
  get tight(): boolean {
    return this.#tight.current;
  }
  /** A tablet held upright: whole words and rows fit the chips. */
  wordy(players: number): boolean {
    return this.#large.current && (players < 5 || this.#high.current);
  }
  /** Wide enough for whole words on chips. */
  get roomy(): boolean {
    return this.#roomy.current;
  }
  avatars(players: number): boolean {
    return this.wide || this.#upright.current || (players < 5 && !this.#low.current);
  }

  /** `still`: a review, whose graph takes height from the table. */
  cards(players: number, still: boolean): CardSizes {
    const low = this.#low.current;
    if (this.#broad.current) return { seat: [58, 34, 31], middle: 66, mine: [66, 36, 35], hand: [78, 42, 6] };
    if (this.wide)
      return low
        ? { seat: [40, 24, 19], middle: 40, mine: [40, 20, 21], hand: [54, 22, 6] }
        : { seat: [48, 28, 23], middle: 52, mine: [56, 30, 29], hand: [62, 26, 6] };
    if (this.#large.current && (!still || this.#high.current)) {
      const seat = ([84, 84, 70, 66, 58] as const)[players - 1] ?? 58;
      return { seat: [seat, seat * 0.6, seat * 0.52], middle: 72, mine: [80, 46, 42], hand: [84, 44, 6] };
    }
    if (this.#upright.current)
      return { seat: [50, 31, 26], middle: still ? 50 : 56, mine: [60, 34, 32], hand: [66, 28, 6] };
    if (this.roomy && !low) return { seat: [50, 32, 26], middle: 60, mine: [62, 34, 33], hand: [66, 26, 0] };
    // Fewer opponents, wider columns, larger cards.
    const card = ([46, 46, 40, 35, 30] as const)[players - 1] ?? 30;
    if (low || this.#narrow.current) {
      const small = Math.min(players < 4 ? 36 : 30, card);
      const middle = this.#tiny.current ? 38 : 44; // seven of them side by side, and a strip
      return { seat: [small, small * 0.6, small * 0.47], middle, mine: [36, 17, 19], hand: [54, 12, 0, 32] };
    }
    return { seat: [card, card * 0.63, card * 0.49], middle: 44, mine: [48, 28, 25], hand: [60, 15, 0, 38] };
  }
}
