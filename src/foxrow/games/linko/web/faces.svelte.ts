/** Every face once, as an image: sixty cards on the table stay light. Made before the first table opens (index.ts). */
import { flushSync, mount, unmount } from "svelte";
import { print, stamp } from "$lib/art/stamp.ts";
import { idle, task } from "$lib/pace.ts";
import Faces from "./Faces.svelte";
import type { Card } from "./table.ts";

/** In CSS pixels: the largest that a card is drawn, in the hand on a wide screen. */
const WIDTH = 80;
const values: Card[] = [...Array.from({ length: 13 }, (_, i) => i + 1), "X"];
let pictures = $state.raw<ReadonlyMap<string, string>>(new Map());

/** One value after the other, so that the page answers meanwhile. */
export async function drawFaces(): Promise<void> {
  if (pictures.size) return;
  const place = document.createElement("div");
  place.dataset["game"] = "linko";
  place.hidden = true;
  document.body.append(place);
  const made = new Map<string, string>();
  const read: HTMLImageElement[] = [];
  for (const value of values) {
    const drawn = mount(Faces, { target: place, props: { value } });
    flushSync();
    for (const face of place.querySelectorAll<SVGElement>("[data-face]")) {
      const url = stamp(face, "0 0 60 88", place);
      made.set(face.dataset["face"]!, url);
      // Read now, each in its own time: a hand of new pictures would be read all at once.
      const image = new Image();
      image.src = url;
      read.push(image);
    }
    void unmount(drawn);
    await task();
  }
  place.remove();
  pictures = made;
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
      pictures = new Map(pictures).set(name, printed);
    }
  } catch {
    /* the drawings stay */
  }
}

/** `under`: of a card that lies under another, the corner numeral alone. */
export function picture(value: Card, under: boolean): string {
  return pictures.get(`${under ? "u" : "c"}${value}`)!;
}
