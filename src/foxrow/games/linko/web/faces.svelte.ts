/** Every face once, as an image: sixty cards on the table stay light. Made before the first table opens (index.ts). */
import { flushSync, mount, unmount } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import { print, stamp } from "$lib/art/stamp.ts";
import { idle, task } from "$lib/pace.ts";
import Faces from "./Faces.svelte";
import type { Card } from "./table.ts";

/** In CSS pixels: the largest that a card is drawn, in the hand on a wide screen. */
const WIDTH = 80;
const values: Card[] = [...Array.from({ length: 13 }, (_, i) => i + 1), "X"];
/** A veil over the whole card: a filter on each of sixty cards would be sixty layers to compose at every move. */
const END = encodeURIComponent("</svg>");
const VEIL = encodeURIComponent('<rect width="60" height="88" rx="8" fill="#6b6475" opacity=".14"/></svg>');
const pictures = new SvelteMap<string, string>();

/** One face after the other, so that the page answers meanwhile. */
export async function drawFaces(): Promise<void> {
  if (pictures.size) return;
  // The colours are read in the page, the drawings are made outside it: nothing is laid out for them.
  const place = document.createElement("div");
  place.dataset["game"] = "linko";
  place.hidden = true;
  document.body.append(place);
  const bench = document.createElement("div");
  const made = new Map<string, string>();
  const read: HTMLImageElement[] = [];
  for (const value of values) {
    const drawn = mount(Faces, { target: bench, props: { value } });
    flushSync();
    for (const face of bench.querySelectorAll<SVGElement>("[data-face]")) {
      const name = face.dataset["face"]!;
      const url = stamp(face, "0 0 60 88", place);
      made.set(name, url);
      if (name[0] === "u" || value === "X") made.set(`d${name}`, url.replace(END, VEIL));
      await task();
    }
    void unmount(drawn);
  }
  place.remove();
  for (const [name, url] of made) {
    // Read now, each in its own time: a hand of new pictures would be read all at once.
    const image = new Image();
    image.src = url;
    read.push(image);
    pictures.set(name, url);
    await task();
  }
  void printFaces(made).then(() => (read.length = 0));
}

/**
 * Pixels take longer to make than drawings, and the drawings do meanwhile. One takes the other's place as soon as it is
 * there: all at once would be one long task.
 */
async function printFaces(drawn: ReadonlyMap<string, string>): Promise<void> {
  try {
    for (const [name, url] of drawn) {
      await idle();
      const printed = await print(url, WIDTH);
      await idle();
      pictures.set(name, printed);
    }
  } catch {
    /* the drawings stay */
  }
}

/**
 * `under`: of a card that lies under another, the corner numeral alone. `dim`: of a row that is not the top row; only
 * of cards that lie under another, and of jokers.
 */
export function picture(value: Card, under: boolean, dim = false): string {
  return pictures.get(`${dim ? "d" : ""}${under ? "u" : "c"}${value}`)!;
}
