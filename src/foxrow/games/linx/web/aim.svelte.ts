/** What the reader is about to do: a tile, then a cell; or a cell, then a tile; or the tile dragged onto the cell. */
import { key, kinds, spots, type At, type Kind, type LinxView } from "./table.ts";

interface Aiming {
  view: LinxView;
  legal: readonly string[];
  /** The reader may move now. */
  acting: boolean;
}

export class Aim {
  kind = $state<Kind | null>(null);
  spot = $state.raw<At | null>(null);
  /** The cell under the pointer, or with the focus. */
  touched = $state.raw<At | null>(null);
  readonly #now: () => Aiming;

  constructor(now: () => Aiming) {
    this.#now = now;
  }

  readonly all = $derived.by(() => spots(this.#now().view.board));
  readonly #can = $derived.by(() => {
    const { acting, legal } = this.#now();
    return new Set(acting ? legal : []);
  });

  get acting(): boolean {
    return this.#now().acting;
  }
  /** Nothing can be placed: the only move is to pass. */
  get passing(): boolean {
    return this.can("pass");
  }
  can(move: string): boolean {
    return this.#can.has(move);
  }
  move(kind: Kind, at: At): string {
    return `${kind}${this.all.has(key(at)) ? "#" : "@"}${key(at)}`;
  }
  fits(kind: Kind, at: At): boolean {
    return this.can(this.move(kind, at));
  }
  isSpot(at: At): boolean {
    return this.spot !== null && key(this.spot) === key(at);
  }
  any(at: At): boolean {
    return kinds.some((kind) => this.fits(kind, at));
  }
  /** Legal here: with the chosen tile, or with any while none is chosen. */
  lit(at: At): boolean {
    if (!this.acting) return false;
    return this.kind ? this.fits(this.kind, at) : this.spot ? this.isSpot(at) : this.any(at);
  }
}
