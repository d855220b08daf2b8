/**
 * Cards travel from where they were to where they lie: transform and opacity only, by the Web Animations API
 * (no style attributes, so the content policy stays strict).
 *
 * A board marks places with `data-at="…"` (a pile, a seat, a card in a place). Before the view changes it takes a
 * `snapshot`, after the change (`tick`) it calls `travel` with where from (old places) and where to (new ones).
 * What flies is a copy on a layer above the whole table, so that neither the tray nor a neighbour cuts it; the real
 * thing stays hidden until the copy has landed.
 */
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
  copy: HTMLElement;
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

export function snapshot(root: ParentNode): Places {
  const places: Places = new Map();
  for (const element of root.querySelectorAll<HTMLElement>("[data-at]")) {
    const rect = element.getBoundingClientRect();
    if (rect.width)
      places.set(element.dataset["at"]!, { rect, copy: element.cloneNode(true) as HTMLElement });
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

/** Resolves when everything has landed. */
export async function travel(root: Element, before: Places, flights: readonly Flight[]): Promise<void> {
  const still = reducedMotion();
  const steps = Math.max(1, ...flights.map((flight) => (flight.order ?? 0) + 1));
  const stagger = Math.min(STAGGER, (LIMIT - MOVE) / steps);
  const started: Animation[] = [];
  for (const flight of flights) {
    const element = root.querySelector<HTMLElement>(`[data-at="${CSS.escape(flight.to)}"]`);
    if (!element) continue;
    if (still) {
      started.push(mark(element));
      continue;
    }
    const origin = before.get(flight.from ?? flight.to);
    if (!origin) continue;
    const target = element.getBoundingClientRect();
    // A traveller that goes away keeps its own size and shrinks into the place; one that arrives grows from its origin.
    const size = flight.away ? origin.rect : target;
    const centre = (rect: DOMRect) => ({ x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 });
    const seat = new DOMRect(
      centre(target).x - size.width / 2,
      centre(target).y - size.height / 2,
      size.width,
      size.height,
    );
    const dx = centre(origin.rect).x - centre(seat).x;
    const dy = centre(origin.rect).y - centre(seat).y;
    const scale = flight.away ? 1 : origin.rect.width / seat.width;
    if (Math.abs(dx) + Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) continue;
    const delay = (flight.order ?? 0) * stagger;
    const timing: KeyframeAnimationOptions = { duration: MOVE, delay, fill: "both" };
    const fly = (copy: HTMLElement, first: string, middle: string, last: string, fade: boolean) => {
      layer(root).append(lay(copy, seat));
      const animation = copy.animate(
        [
          { transform: `translate(${dx}px, ${dy}px) scale(${scale}) ${first}`, opacity: 1, easing: OUT },
          {
            transform: `translate(0, -3px) scale(1.04) ${middle}`,
            opacity: 1,
            offset: 0.86,
            easing: "ease-out",
          },
          { transform: `translate(0, 0) scale(${fade ? 0.5 : 1}) ${last}`, opacity: fade ? 0 : 1 },
        ],
        timing,
      );
      animation.finished.then(
        () => copy.remove(),
        () => copy.remove(),
      );
      started.push(animation);
      return animation;
    };
    if (flight.away) {
      fly(origin.copy.cloneNode(true) as HTMLElement, "scaleX(1)", "scaleX(1)", "scaleX(1)", true);
      continue;
    }
    const arriving = element.cloneNode(true) as HTMLElement;
    if (flight.flip) {
      const back = fly(
        origin.copy.cloneNode(true) as HTMLElement,
        "scaleX(1)",
        "scaleX(-1)",
        "scaleX(-1)",
        false,
      );
      const face = fly(arriving, "scaleX(-1)", "scaleX(1)", "scaleX(1)", false);
      // The side that faces away is not shown: by eye the turn is half done after a fifth of the way.
      for (const [animation, from, to] of [
        [back, 1, 0],
        [face, 0, 1],
      ] as const) {
        const side = (animation.effect as KeyframeEffect).target as HTMLElement;
        side.animate(
          [
            { opacity: from, easing: "step-end" },
            { opacity: to, offset: 0.2, easing: "step-end" },
            { opacity: to },
          ],
          timing,
        );
      }
    } else fly(arriving, "scaleX(1)", "scaleX(1)", "scaleX(1)", false);
    started.push(element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + MOVE }));
  }
  running = [...running.filter((one) => one.playState === "running"), ...started];
  await Promise.allSettled(started.map((animation) => animation.finished));
}

/** Reduced motion: the thing jumps, and is outlined for a moment. */
export function mark(element: HTMLElement): Animation {
  return element.animate([{ outline: "3px solid var(--amber)" }, { outline: "3px solid var(--amber)" }], {
    duration: 150,
  });
}

/** The browser lays out a row that lost or gained a neighbour: everything that kept its name slides to its new place. */
export function settle(root: Element, before: Places, except: ReadonlySet<string> = new Set()): void {
  if (reducedMotion()) return;
  for (const element of root.querySelectorAll<HTMLElement>("[data-at]")) {
    const name = element.dataset["at"]!;
    const origin = before.get(name)?.rect;
    if (!origin || except.has(name)) continue;
    const here = element.getBoundingClientRect();
    const dx = origin.left - here.left;
    const dy = origin.top - here.top;
    if (Math.abs(dx) + Math.abs(dy) < 1) continue;
    running.push(
      element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
        duration: MOVE,
        easing: OUT,
      }),
    );
  }
}
