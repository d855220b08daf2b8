/**
 * Cards travel from where they were to where they lie: transform and opacity only, by the Web Animations API
 * (no style attributes, so the content policy stays strict).
 *
 * A board marks places with `data-at="…"` (a pile, a seat, a card in a place). Before the view changes it takes a
 * `snapshot`, after the change it calls `travel` with the same flights: where from (old places), where to (new ones).
 * What lies in a marked place goes with it: a row slides as one, not card by card.
 * What flies is a copy on a layer above the whole table, so that neither the tray nor a neighbour cuts it; the real
 * thing stays hidden until the copy has landed.
 */
import { task } from "./pace.ts";

export interface Flight {
  /** `data-at` in the new DOM: the thing that arrives; with `away`, the place where the traveller is gone. */
  to: string;
  /** `data-at` of the place it comes from, as it was before; its own old place when left out. */
  from?: string;
  /** What lay at `from` leaves the table's open part (a card into somebody's hand): it flies to `to` and is gone. */
  away?: boolean;
  /** Starts as what lay at `from` (a card's back) and turns over on the way. */
  flip?: boolean;
  /** Position in the row: starts that many steps later. */
  order?: number;
}

interface Place {
  rect: DOMRect;
  /** Only of what flies as it was before: leaving, or turning over. */
  copy: HTMLElement | null;
}
export type Places = Map<string, Place>;

const MOVE = 250;
const STAGGER = 60;
const LIMIT = 600;
const OUT = "cubic-bezier(.2, .8, .2, 1)";

export function reducedMotion(): boolean {
  return (
    document.documentElement.dataset["motion"] === "off" ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

/**
 * The places that count for these flights, by name: what lies in another marked place (a card in a row) goes where that
 * goes, and is looked at only if it flies itself.
 */
function marked(root: ParentNode, flights: readonly Flight[]): Map<string, HTMLElement> {
  const named = new Set(flights.flatMap((flight) => [flight.to, flight.from ?? flight.to]));
  const found = new Map<string, HTMLElement>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-at]")) {
    const name = element.dataset["at"]!;
    if (named.has(name) || !element.parentElement!.hasAttribute("data-at")) found.set(name, element);
  }
  return found;
}

/** Where everything lies before the view changes, and copies of what these flights carry away. */
export function snapshot(root: ParentNode, flights: readonly Flight[] = []): Places {
  const places: Places = new Map();
  const copied = new Set(flights.filter((one) => one.away || one.flip).map((one) => one.from ?? one.to));
  for (const [name, element] of marked(root, flights)) {
    const rect = element.getBoundingClientRect();
    const copy = copied.has(name) ? (element.cloneNode(true) as HTMLElement) : null;
    if (rect.width) places.set(name, { rect, copy });
  }
  return places;
}

let running: Animation[] = [];

/** A tap skips what is left of a move's animation. */
export function skip(): void {
  for (const animation of running) animation.finish();
  running = [];
}

/** Copies fly above everything, inside the game's colours. */
function layer(root: Element): HTMLElement {
  const home = root.closest<HTMLElement>("[data-game]") ?? document.body;
  const found = home.querySelector<HTMLElement>(":scope > .flights");
  if (found) return found;
  const made = document.createElement("div");
  made.className = "flights";
  made.setAttribute("aria-hidden", "true");
  home.append(made);
  return made;
}

function lay(copy: HTMLElement, rect: DOMRect): HTMLElement {
  for (const name of ["data-at", "data-move", "id"]) copy.removeAttribute(name);
  copy.inert = true;
  copy.classList.add("flying");
  const { style } = copy;
  style.left = `${rect.left}px`;
  style.top = `${rect.top}px`;
  style.width = `${rect.width}px`;
  style.height = `${rect.height}px`;
  return copy;
}

const centre = (rect: DOMRect) => ({ x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 });

/**
 * Lets the flights fly; what kept its name slides to its new place. Everything is measured before anything is
 * touched, so that the browser lays out once, and in a task of its own: until then what arrives is hidden.
 * Resolves when all has landed.
 */
export async function travel(root: Element, before: Places, flights: readonly Flight[]): Promise<void> {
  const started: Animation[] = [];
  const going = new Map(flights.filter((flight) => !flight.away).map((flight) => [flight.to, flight]));
  const there = marked(root, flights);
  const covers = reducedMotion() ? [] : [...going.keys()].flatMap((name) => hide(there.get(name)) ?? []);
  await task();
  // Looked for once more: a board may lay some of it in a task of its own.
  const here = new Map<string, { element: HTMLElement; rect: DOMRect }>();
  for (const [name, element] of marked(root, flights)) {
    here.set(name, { element, rect: element.getBoundingClientRect() });
  }
  if (reducedMotion()) {
    for (const { to } of flights) {
      const found = here.get(to);
      if (found) started.push(mark(found.element));
    }
  } else {
    for (const [name, { element, rect }] of here) {
      const origin = before.get(name)?.rect;
      if (!origin || going.has(name)) continue;
      const [dx, dy] = [origin.left - rect.left, origin.top - rect.top];
      if (Math.abs(dx) + Math.abs(dy) < 1) continue;
      started.push(
        element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
          duration: MOVE,
          easing: OUT,
        }),
      );
    }
    const steps = Math.max(1, ...flights.map((flight) => (flight.order ?? 0) + 1));
    const stagger = Math.min(STAGGER, (LIMIT - MOVE) / steps);
    for (const flight of flights) {
      const target = here.get(flight.to);
      const origin = before.get(flight.from ?? flight.to);
      if (target && origin) started.push(...fly(root, flight, origin, target, stagger));
    }
  }
  for (const cover of covers) cover.cancel();
  running = [...running.filter((one) => one.playState === "running"), ...started];
  await Promise.allSettled(started.map((animation) => animation.finished));
}

function fly(
  root: Element,
  flight: Flight,
  origin: Place,
  target: { element: HTMLElement; rect: DOMRect },
  stagger: number,
): Animation[] {
  const { element, rect } = target;
  // A traveller that goes away keeps its own size and shrinks into the place; one that arrives grows from its origin.
  const size = flight.away ? origin.rect : rect;
  const seat = new DOMRect(
    centre(rect).x - size.width / 2,
    centre(rect).y - size.height / 2,
    size.width,
    size.height,
  );
  const dx = centre(origin.rect).x - centre(seat).x;
  const dy = centre(origin.rect).y - centre(seat).y;
  // The smaller side counts: a card out of a seat's wide head is not drawn as wide as the head.
  const scale = flight.away ? 1 : Math.min(origin.rect.width / seat.width, origin.rect.height / seat.height);
  if (Math.abs(dx) + Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) return [];
  const delay = (flight.order ?? 0) * stagger;
  const timing: KeyframeAnimationOptions = { duration: MOVE, delay, fill: "both" };
  const out: Animation[] = [];
  const send = (copy: HTMLElement, first: number, last: number, fade: boolean): void => {
    layer(root).append(lay(copy, seat));
    const animation = copy.animate(
      [
        {
          transform: `translate(${dx}px, ${dy}px) scale(${scale}) scaleX(${first})`,
          opacity: 1,
          easing: OUT,
        },
        {
          transform: `translate(0, -3px) scale(1.04) scaleX(${last})`,
          opacity: 1,
          offset: 0.86,
          easing: "ease-out",
        },
        { transform: `translate(0, 0) scale(${fade ? 0.5 : 1}) scaleX(${last})`, opacity: fade ? 0 : 1 },
      ],
      timing,
    );
    const gone = () => copy.remove();
    animation.finished.then(gone, gone);
    out.push(animation);
  };
  if (flight.away) {
    if (origin.copy) send(origin.copy, 1, 1, true);
    return out;
  }
  const arriving = element.cloneNode(true) as HTMLElement;
  if (flight.flip && origin.copy) {
    const back = origin.copy.cloneNode(true) as HTMLElement;
    send(back, 1, -1, false);
    send(arriving, -1, 1, false);
    // The side that faces away is not shown: by eye the turn is half done after a fifth of the way.
    for (const [side, from, to] of [
      [back, 1, 0],
      [arriving, 0, 1],
    ] as const) {
      side.animate(
        [
          { opacity: from, easing: "step-end" },
          { opacity: to, offset: 0.2, easing: "step-end" },
          { opacity: to },
        ],
        timing,
      );
    }
  } else send(arriving, 1, 1, false);
  out.push(element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + MOVE }));
  return out;
}

/** Not to be seen for a moment: its copy is still on its way. */
function hide(element: HTMLElement | undefined): Animation | undefined {
  return element?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: LIMIT });
}

/** Reduced motion: the thing jumps, and is outlined for a moment. */
export function mark(element: HTMLElement): Animation {
  return element.animate([{ outline: "3px solid var(--amber)" }, { outline: "3px solid var(--amber)" }], {
    duration: 150,
  });
}
