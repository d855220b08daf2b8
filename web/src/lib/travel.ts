/**
 * Cards travel from where they were to where they lie: transform and opacity only, by the Web Animations API
 * (no style attributes, so the content policy stays strict).
 *
 * A board marks places with `data-at="…"` (a place, a pile, a card in a place). Before the view changes it takes a
 * `snapshot`, after the change (`tick`) it calls `travel` with pairs of where from (old places) and where to (new ones).
 */
export interface Flight {
  /** `data-at` of the element that arrives, in the new DOM. */
  to: string;
  /** `data-at` of the place it comes from, as it was before; its old place when left out. */
  from?: string;
  /** Turns over on the way. */
  flip?: boolean;
  /** Position in the row: starts that many steps later. */
  order?: number;
}

export type Places = Map<string, DOMRect>;

const MOVE = 250;
const STAGGER = 60;
const LIMIT = 600;
const OUT = "cubic-bezier(.2, .8, .2, 1)";

export function reducedMotion(): boolean {
  return document.documentElement.dataset["motion"] === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function snapshot(root: ParentNode): Places {
  const places: Places = new Map();
  for (const element of root.querySelectorAll<HTMLElement>("[data-at]")) {
    places.set(element.dataset["at"]!, element.getBoundingClientRect());
  }
  return places;
}

let running: Animation[] = [];

/** A tap skips what is left of a move's animation. */
export function skip(): void {
  for (const animation of running) animation.finish();
  running = [];
}

/** Resolves when everything has landed. */
export async function travel(root: ParentNode, before: Places, flights: readonly Flight[]): Promise<void> {
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
    const here = element.getBoundingClientRect();
    const dx = origin.left + origin.width / 2 - (here.left + here.width / 2);
    const dy = origin.top + origin.height / 2 - (here.top + here.height / 2);
    const scale = here.width ? origin.width / here.width : 1;
    if (Math.abs(dx) + Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) continue;
    const from = `translate(${dx}px, ${dy}px) scale(${scale})`;
    const turn = flight.flip ? " rotateY(180deg)" : "";
    started.push(
      element.animate(
        [
          { transform: from + turn, easing: OUT, zIndex: 30 },
          { transform: "translate(0, -3px) scale(1.03)", offset: 0.86, easing: "ease-out", zIndex: 30 },
          { transform: "none", zIndex: 30 },
        ],
        { duration: MOVE, delay: (flight.order ?? 0) * stagger, fill: "backwards" },
      ),
    );
  }
  running = [...running.filter((one) => one.playState === "running"), ...started];
  await Promise.allSettled(started.map((animation) => animation.finished));
}

/** Reduced motion: the thing jumps, and is outlined for a moment. */
export function mark(element: HTMLElement): Animation {
  return element.animate([{ outline: "3px solid var(--amber)" }, { outline: "3px solid var(--amber)" }], { duration: 150 });
}

/** The browser lays out a row that lost or gained a neighbour: everything that kept its name slides to its new place. */
export function settle(root: ParentNode, before: Places, except: ReadonlySet<string> = new Set()): Promise<void> {
  if (reducedMotion()) return Promise.resolve();
  const kept: Flight[] = [];
  for (const element of root.querySelectorAll<HTMLElement>("[data-at]")) {
    const name = element.dataset["at"]!;
    if (before.has(name) && !except.has(name)) kept.push({ to: name });
  }
  return travel(root, before, kept);
}
