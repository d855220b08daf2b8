/** The views of a replay. Those of a long match come in pages, asked for as somebody steps near them. */
import type { Replay, ReplayViews, View } from "./protocol.ts";

/** Who looks: a seat, or everybody's cards lie open. */
export type Seer = number | "open";
export type Page = (round: number, from: number) => Promise<ReplayViews>;

const AHEAD = 60; // positions before the end of what is there at which the next page is asked for

export class ReplayPages {
  readonly #views: (View | undefined)[][];
  readonly #page: Page;
  readonly #asked = new Map<string, Promise<void>>();

  constructor(replay: Replay, page: Page) {
    this.#views = replay.rounds.map((round) => [...round.views]);
    this.#page = page;
  }

  at(round: number, place: number): View | undefined {
    return this.#views[round]?.[place];
  }

  /** The view at a place and the one before it: what a step needs. */
  has(round: number, place: number): boolean {
    return this.at(round, place) !== undefined && this.at(round, Math.max(0, place - 1)) !== undefined;
  }

  /** Fetch what a step to this place needs, and, without waiting for it, what comes soon after. */
  async need(round: number, place: number, last: number): Promise<void> {
    const before = Math.max(0, place - 1);
    while (this.at(round, before) === undefined) await this.#fetch(round, before);
    while (this.at(round, place) === undefined) await this.#fetch(round, place);
    for (let soon = place; soon <= Math.min(last, place + AHEAD); soon++)
      if (this.at(round, soon) === undefined) {
        this.#fetch(round, soon).catch(() => undefined);
        break;
      }
  }

  #fetch(round: number, from: number): Promise<void> {
    const key = `${round}.${from}`;
    const asked =
      this.#asked.get(key) ??
      this.#page(round, from)
        .then((page) => {
          if (!page.views.length) throw new Error("a page without views");
          page.views.forEach((view, i) => (this.#views[round]![page.from + i] = view));
        })
        .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }
}
