/** Every face once, as an image: sixty cards on the table stay light. Made before the first table opens (play.ts). */
import { flushSync, mount, unmount } from "svelte";
import { print, stamp } from "$lib/art/stamp.ts";
import Faces from "./Faces.svelte";
import type { Card } from "./table.ts";

/** In CSS pixels: the largest that a card is drawn, in the hand on a wide screen. */
const WIDTH = 80;
let pictures = $state.raw<ReadonlyMap<string, string>>(new Map());

export function drawFaces(): void {
  const place = document.createElement("div");
  place.dataset["game"] = "linko";
  place.hidden = true;
  document.body.append(place);
  const drawn = mount(Faces, { target: place });
  flushSync();
  const faces = [...place.querySelectorAll<SVGElement>("[data-face]")];
  const made = faces.map((face) => [face.dataset["face"]!, stamp(face, "0 0 60 88", place)] as const);
  void unmount(drawn);
  place.remove();
  pictures = new Map(made);
  void Promise.all(made.map(async ([name, url]) => [name, await print(url, WIDTH)] as const)).then(
    (printed) => (pictures = new Map(printed)),
    () => undefined, // the drawings stay
  );
}

/** `under`: of a card that lies under another, the corner numeral alone. */
export function picture(value: Card, under: boolean): string {
  return pictures.get(`${under ? "u" : "c"}${value}`)!;
}
