/** How much room the table has; the parts' styles ask the same. Its height is what runs out: five lines above each other. */
import { MediaQuery } from "svelte/reactivity";

/** The desktop's arrangement. */
export const wide = new MediaQuery("(min-width: 1100px) and (min-height: 780px)");
/** Where a review, too, has room for large cards: the graph stands below the table. */
export const tall = new MediaQuery("(min-height: 1001px)");
/** Small cards, no labels: a small phone, and every window that is wide but not high. */
export const low = new MediaQuery(
  "(max-height: 740px), (min-width: 600px) and (max-width: 1099px) and (max-height: 899px), (min-width: 1100px) and (max-height: 779px)",
);
/** More than a phone is wide. */
export const roomy = new MediaQuery("(min-width: 600px)");
/** A phone on its side. */
export const flat = new MediaQuery("(max-width: 1099px) and (max-height: 480px)");
