/**
 * Every face once, as a picture behind a class: sixty cards on the table stay light, and a card more is one element
 * with a name, not a drawing and not an image that is asked for. Made before the first table opens (index.ts).
 */
import { flushSync, mount, unmount } from "svelte";
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

/** Faces by name, and the style sheet that puts them behind their classes. */
interface Batch {
  sheet: CSSStyleSheet;
  urls: Map<string, string>;
  /** Read before the sheet asks for them: then they are there at once. */
  images: HTMLImageElement[];
}
/** When a sheet changes, the cards with its classes are drawn again: a part of them is no long task. */
const BATCH = 8;
let batches: Batch[] | null = null;

async function show(batch: Batch): Promise<void> {
  batch.images = [];
  for (const url of batch.urls.values()) {
    const image = new Image();
    image.src = url;
    batch.images.push(image);
    await task();
  }
  await Promise.allSettled(batch.images.map((image) => image.decode()));
  const rules = [...batch.urls].map(([name, url]) => `.face-${name}{background-image:url("${url}")}`);
  await task();
  batch.sheet.replaceSync(rules.join("\n"));
}

/** One face after the other, so that the page answers meanwhile. */
export async function drawFaces(): Promise<void> {
  if (batches) return;
  batches = [];
  // The colours are read in the page, the drawings are made outside it: nothing is laid out for them.
  const place = document.createElement("div");
  place.dataset["game"] = "linko";
  place.hidden = true;
  document.body.append(place);
  const bench = document.createElement("div");
  const made: [string, string][] = [];
  for (const value of values) {
    const drawn = mount(Faces, { target: bench, props: { value } });
    flushSync();
    for (const face of bench.querySelectorAll<SVGElement>("[data-face]")) {
      const name = face.dataset["face"]!;
      const url = stamp(face, "0 0 60 88", place);
      made.push([name, url]);
      if (name[0] === "u" || value === "X") made.push([`d${name}`, url.replace(END, VEIL)]);
      await task();
    }
    void unmount(drawn);
  }
  place.remove();
  for (let at = 0; at < made.length; at += BATCH) {
    const sheet = new CSSStyleSheet();
    batches.push({ sheet, urls: new Map(made.slice(at, at + BATCH)), images: [] });
  }
  for (const batch of batches) await show(batch);
  document.adoptedStyleSheets.push(...batches.map((batch) => batch.sheet));
  void printFaces(batches);
}

/** Pixels take longer to make than drawings, and the drawings do meanwhile. */
async function printFaces(drawn: readonly Batch[]): Promise<void> {
  try {
    for (const batch of drawn) {
      for (const [name, url] of batch.urls) {
        await idle();
        batch.urls.set(name, await print(url, WIDTH));
      }
      await idle();
      await show(batch);
    }
  } catch {
    /* the drawings stay */
  }
}

/**
 * The classes of a card's face. `under`: of a card that lies under another, the corner numeral alone. `dim`: of a row that
 * is not the top row; only of cards that lie under another, and of jokers.
 */
export function face(value: Card, under: boolean, dim = false): string {
  return `faced face-${dim ? "d" : ""}${under ? "u" : "c"}${value}`;
}
