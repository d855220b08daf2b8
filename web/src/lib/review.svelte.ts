/** A finished match while somebody looks at it: through whose eyes, and at which move of which round. */
import { api } from "./api.ts";
import type { MatchRecord } from "./fair.ts";
import type { GameView, Step } from "./game.ts";
import type { Replay, TableInfo } from "./protocol.ts";
import { ReplayPages, type Seer } from "./replay.ts";
import { promiseOf } from "./table.svelte.ts";

export class Review {
  readonly id: string;
  /** The seat this browser played, known from what it wrote down while the table was shuffling. */
  readonly own: number | null;
  replay = $state.raw<Replay | null>(null);
  record = $state.raw<MatchRecord | null>(null);
  /** Its table; an imported record has none, and its names are in the record. */
  info = $state.raw<TableInfo | null>(null);
  failure = $state.raw<unknown>(null);
  eyes = $state<Seer>("open");
  round = $state(0);
  #pages = $state.raw<ReplayPages | null>(null);
  #at = $state(0);
  /** What is shown did not come of the position before it. */
  #jumped = $state(true);
  #target = 0; // of the last seek: one that waits for its views gives way to a later one
  #asked = 0; // the eyes asked for last: what comes late for others is not looked at

  constructor(id: string, round: number, at: number) {
    this.id = id;
    const seats = Object.keys(promiseOf(id)?.seeds ?? {}).map(Number);
    this.own = seats.length === 1 ? seats[0]! : null;
    this.round = round;
    this.#at = at;
  }

  rounds = $derived(this.replay?.rounds ?? []);
  current = $derived(this.rounds[Math.min(this.round, this.rounds.length - 1)]);
  last = $derived(this.current?.moves.length ?? 0);
  place = $derived(Math.min(this.#at, this.last));
  view = $derived(this.viewAt(this.place) ?? null);
  step = $derived(this.current && this.place > 0 && !this.#jumped ? this.stepAt(this.place - 1) : null);
  game = $derived(this.replay ? String(this.replay.match["game"]) : null);
  /** Their names in the record. */
  players = $derived((this.replay?.match["players"] as (string | null)[] | undefined) ?? []);

  /** Looks through these eyes; the first time, the match is fetched. */
  async open(seer: Seer): Promise<void> {
    const asked = ++this.#asked;
    try {
      const [found, written] = await Promise.all([
        api.replay(this.id, seer),
        this.record ?? api.record(this.id).catch(() => null),
      ]);
      const known = this.info ?? (found.table ? await api.table(this.id).catch(() => null) : null);
      if (asked !== this.#asked) return;
      const views = new ReplayPages(found, (of, from) => api.views(this.id, seer, of, from));
      this.round = Math.min(this.round, found.rounds.length - 1);
      const length = found.rounds[this.round]!.moves.length;
      await views.need(this.round, Math.min(this.#at, length), length);
      if (asked !== this.#asked) return;
      this.info = known;
      this.record = written;
      this.replay = found;
      this.#pages = views;
      this.eyes = seer;
      this.#jumped = true;
    } catch (error) {
      if (asked === this.#asked) this.failure = error;
    }
  }

  viewAt(place: number): GameView | undefined {
    return this.#pages?.at(this.round, place) as unknown as GameView | undefined;
  }
  /** The move that leads from a place to the next. */
  stepAt(place: number): Step {
    return {
      seat: this.current!.seats[place]!,
      move: this.current!.moves[place]!,
      before: this.viewAt(place)!,
      after: this.viewAt(place + 1)!,
    };
  }
  /** Whether the step to a place of this round can be told. */
  has(place: number): boolean {
    return this.#pages?.has(this.round, place) ?? false;
  }
  /** Fetches what the steps to these places of this round need. */
  async fetch(places: readonly number[]): Promise<void> {
    await Promise.all(places.map((place) => this.#pages?.need(this.round, place, place)));
  }

  /**
   * Goes to a place, `smooth` as if the move were made now. Whether it was a step onward that the table shows; null when
   * another place was asked for while this one was on its way. Throws when its views cannot be had.
   */
  async seek(wanted: number, smooth = false): Promise<boolean | null> {
    const next = Math.max(0, Math.min(this.last, wanted));
    const mine = ++this.#target;
    const waits = !this.has(next);
    const coming = this.#pages?.need(this.round, next, this.last);
    if (waits) {
      await coming;
      if (mine !== this.#target) return null;
    } else coming?.catch(() => undefined);
    this.#jumped = !(smooth && next === this.place + 1);
    this.#at = next;
    return !this.#jumped;
  }

  /** To the beginning of another round. */
  turn(round: number): Promise<boolean | null> {
    this.round = round;
    this.#at = 0;
    return this.seek(0);
  }
}
