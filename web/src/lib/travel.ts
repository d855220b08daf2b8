/**
 * Cards travel from where they were to where they lie: transform and opacity only, by the Web Animations API
 * (no style attributes, so the content policy stays strict).
 *
 * A board marks places with `data-at="…"` (a pile, a seat, a card in a place). A `Trip` is made before the view changes
 * and looks where everything lies; after the change it lets its flights fly: where from (old places), where to (new
 * ones). What lies in a marked place goes with it: a row slides as one, not card by card.
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

interface Target {
  element: HTMLElement;
  rect: DOMRect;
}
interface Place {
  rect: DOMRect;
  /** Only of what flies as it was before: leaving, or turning over. */
  copy: HTMLElement | null;
}
type Places = Map<string, Place>;

const MOVE = 250;
const STAGGER = 60;
const LIMIT = 600;
const OUT = "cubic-bezier(.2, .8, .2, 1)";

function reducedMotion(): boolean {
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
function snapshot(root: ParentNode, flights: readonly Flight[]): Places {
  const places: Places = new Map();
  const copied = new Set(flights.filter((one) => one.away || one.flip).map((one) => one.from ?? one.to));
  for (const [name, element] of marked(root, flights)) {
    const rect = element.getBoundingClientRect();
    const copy = copied.has(name) ? (element.cloneNode(true) as HTMLElement) : null;
    if (rect.width) places.set(name, { rect, copy });
  }
  return places;
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
  style.opacity = "";
  style.left = `${rect.left}px`;
  style.top = `${rect.top}px`;
  style.width = `${rect.width}px`;
  style.height = `${rect.height}px`;
  return copy;
}

const centre = (rect: DOMRect) => ({ x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 });

export class Trip {
  readonly #root: Element;
  readonly #flights: readonly Flight[];
  readonly #before: Places;
  readonly #still = reducedMotion();
  /** Not to be seen: their copies are still on the way. Plain style: an animation would make each a layer. */
  readonly #veiled = new Set<HTMLElement>();

  constructor(root: Element, flights: readonly Flight[]) {
    this.#root = root;
    this.#flights = flights;
    this.#before = snapshot(root, flights);
  }

  /** Hides what has arrived by now, until its copy has landed; a board that comes in parts calls it after each. */
  veil(): void {
    if (this.#still) return;
    for (const { to, away } of this.#flights) {
      const element = away ? null : this.#root.querySelector<HTMLElement>(`[data-at="${CSS.escape(to)}"]`);
      if (!element) continue;
      element.style.opacity = "0";
      this.#veiled.add(element);
    }
  }

  /** It does not take place: the next move is here already. */
  cancel(): void {
    for (const element of [...this.#veiled]) this.#unveil(element);
  }

  #unveil(element: HTMLElement): void {
    if (this.#veiled.delete(element)) element.style.opacity = "";
  }

  /**
   * Lets the flights fly; what kept its name slides to its new place. Everything is measured before anything is
   * touched, so that the browser lays out once. Resolves when all has landed.
   */
  async fly(): Promise<void> {
    const here = new Map<string, Target>();
    for (const [name, element] of marked(this.#root, this.#flights)) {
      here.set(name, { element, rect: element.getBoundingClientRect() });
    }
    const started = this.#still ? this.#marks(here) : [...this.#slides(here), ...this.#send(here)];
    await Promise.allSettled(started.map((animation) => animation.finished));
    this.cancel();
  }

  #marks(here: ReadonlyMap<string, Target>): Animation[] {
    return this.#flights.flatMap(({ to }) => {
      const found = here.get(to);
      return found ? [mark(found.element)] : [];
    });
  }

  #slides(here: ReadonlyMap<string, Target>): Animation[] {
    const going = new Set(this.#flights.filter((flight) => !flight.away).map((flight) => flight.to));
    const out: Animation[] = [];
    for (const [name, { element, rect }] of here) {
      const origin = this.#before.get(name)?.rect;
      if (!origin || going.has(name)) continue;
      const [dx, dy] = [origin.left - rect.left, origin.top - rect.top];
      if (Math.abs(dx) + Math.abs(dy) < 1) continue;
      out.push(
        element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
          duration: MOVE,
          easing: OUT,
        }),
      );
    }
    return out;
  }

  #send(here: ReadonlyMap<string, Target>): Animation[] {
    const steps = Math.max(1, ...this.#flights.map((flight) => (flight.order ?? 0) + 1));
    const stagger = Math.min(STAGGER, (LIMIT - MOVE) / steps);
    return this.#flights.flatMap((flight) => {
      const target = here.get(flight.to);
      const origin = this.#before.get(flight.from ?? flight.to);
      const sent = target && origin ? fly(this.#root, flight, origin, target, stagger) : [];
      const element = target?.element;
      if (element && !flight.away) {
        if (sent.length === 0) this.#unveil(element);
        else {
          const landed = () => this.#unveil(element);
          Promise.allSettled(sent.map((animation) => animation.finished)).then(landed, landed);
        }
      }
      return sent;
    });
  }
}

function fly(root: Element, flight: Flight, origin: Place, target: Target, stagger: number): Animation[] {
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
  return out;
}

/** Reduced motion: the thing jumps, and is outlined for a moment. */
export function mark(element: HTMLElement): Animation {
  return element.animate([{ outline: "3px solid var(--amber)" }, { outline: "3px solid var(--amber)" }], {
    duration: 150,
  });
}
