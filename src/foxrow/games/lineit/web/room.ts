/** How much room the table has, and how large its cards are drawn in it; the parts' styles ask the same (rooms.css). */
import { MediaQuery } from "svelte/reactivity";
import type { BoardMode } from "$lib/game.ts";

export const wide = new MediaQuery("(--wide)");
export const tablet = new MediaQuery("(--tablet)");
const lying = new MediaQuery("(--lying)");
const low = new MediaQuery("(--low)");
const short = new MediaQuery("(--short)");
const phone = new MediaQuery("(max-width: 599px)");
export const thin = new MediaQuery("(--thin)");
const large = new MediaQuery("(--large)");
const high = new MediaQuery("(min-height: 1100px)");
/** Where a review, too, has room for large cards: the graph stands below the table. */
const tall = new MediaQuery("(min-height: 1001px)");

/** Whether two other players share a line of the screen. */
export const halves = (players: number): boolean =>
  !wide.current && (players > (large.current ? 4 : 3) || lying.current);

/** Whether the market's cards stand too close for words under them. */
export const signs = (players: number): boolean => phone.current && players > 3;

interface Sizes {
  /** Width of a card in the nearest line, of the place after its last card, and of a card in the hand, in px. */
  line: number;
  slot: number;
  hand: number;
  /** Between two cards of another line. */
  chip: number;
}

export function sizes(mode: BoardMode): Sizes {
  const roomy = mode === "play" || tall.current;
  if (wide.current) return { line: roomy ? 82 : 60, slot: 72, hand: 70, chip: 42 };
  if (short.current) return { line: 36, slot: 44, hand: 44, chip: 28 };
  if (low.current) return { line: 44, slot: 46, hand: 44, chip: 30 };
  if (large.current) {
    const line = mode === "play" ? (high.current ? 88 : 76) : high.current ? 76 : 56;
    return { line, slot: 64, hand: 70, chip: 40 };
  }
  if (tablet.current) return { line: roomy ? 60 : 52, slot: 56, hand: 60, chip: 34 };
  return mode === "play"
    ? { line: 50, slot: 46, hand: 50, chip: 34 }
    : { line: 44, slot: 46, hand: 44, chip: 30 };
}
