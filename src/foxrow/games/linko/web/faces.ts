/**
 * Every face lies in one picture (Faces.svelte, made into faces.webp; faces.css finds them in it): sixty cards on the
 * table stay light, and a card more is one element with a name. A drawing for each would be thousands of nodes, and an
 * image for each a small document of its own, which takes long when it is first painted.
 */
import "./faces.css";
import sheet from "./faces.webp";
import type { Card } from "./table.ts";

/** Kept, so that the browser keeps it, too. */
let image: HTMLImageElement | null = null;

/** Before the first table opens: so no card is ever empty. */
export async function readFaces(): Promise<void> {
  if (image) return;
  image = new Image();
  image.src = sheet;
  await image.decode().catch(() => undefined);
}

/**
 * The classes of a card's face. `under`: of a card that lies under another, the corner numeral alone. `dim`: of a row that
 * is not the top row; only of cards that lie under another, and of jokers.
 */
export function face(value: Card, under: boolean, dim = false): string {
  return `faced face-${value}${under ? " face-under" : ""}${dim && (under || value === "X") ? " face-dim" : ""}`;
}
