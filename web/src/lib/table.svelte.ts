/**
 * A table as this browser knows it: what the frames said, in reactive state, and what one may ask of it.
 * It takes part in the fair shuffle by itself, and keeps each move's view so that boards can animate and logs can speak.
 */
import type { GameView, Step } from "./game.ts";
import { setClocks } from "./clocks.svelte.ts";
import { keep } from "./keep.ts";
import { later, soon } from "./pace.ts";
import { hex, sha256, unhex } from "./sha256.ts";
import { TableSocket, type Connection } from "./socket.ts";
import type {
  AnyEntry,
  AnyFrame,
  Clock,
  Moved,
  Presence,
  Refused,
  ReplayViews,
  Said,
  SeatInfo,
  Shuffle,
  TableInfo,
  Update,
  View,
  Welcome,
  You,
} from "./protocol.ts";

/** One thing the log shows: a move with its views where we saw it happen, or another event; of who left, who it was. */
export type LogLine =
  | { kind: "step"; seq: number; round: number; ply: number; step: Step; by: Moved["by"] }
  | { kind: "event"; seq: number; entry: AnyEntry; who?: SeatInfo | undefined };

export interface ShufflePromise {
  server: string;
  seeds: Record<string, string>;
}

interface Hooks {
  step?: (step: Step, line: LogLine) => void;
  /** Something besides a move, while we look on; of who left, who it was. */
  event?: (entry: AnyEntry, who: SeatInfo | undefined) => void;
  said?: (said: Said) => void;
  /** What a seat, or a spectator, saw of a round, a page of it. */
  views?: (eyes: number | "none", round: number, from: number) => Promise<ReplayViews>;
  /** Whether the server answers that it knows no such table. */
  unknown?: () => Promise<boolean>;
}

/** Lines of a long log that are put into words again. */
export const SHOWN = 120;

const seedKey = (table: string) => `foxrow:seed:${table}`;

/** What this browser promised and was promised while the table was shuffling; kept for the check afterwards. */
export function promiseOf(table: string): ShufflePromise | null {
  try {
    const text = localStorage.getItem(seedKey(table)) ?? sessionStorage.getItem(seedKey(table));
    return text ? (JSON.parse(text) as ShufflePromise) : null;
  } catch {
    return null;
  }
}

function keepPromise(table: string, promise: ShufflePromise): void {
  for (const store of [() => sessionStorage, () => localStorage]) {
    try {
      store().setItem(seedKey(table), JSON.stringify(promise));
    } catch {
      /* a private window: the reveal may fail after a reload, and the table goes on without this seed */
    }
  }
}

function randomSeed(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

export class Table {
  readonly id: string;
  connection = $state<Connection>("connecting");
  /** The close code that ended it for good; null while all is well. */
  ended = $state<number | null>(null);
  info = $state.raw<TableInfo | null>(null);
  you = $state.raw<You>({ seats: [], host: false, muted: [] });
  views = $state.raw<readonly View[]>([]);
  round = $state(0);
  ply = $state(0);
  presence = $state.raw<Presence>({ online: [], watching: 0, ready: [] });
  shuffle = $state.raw<Shuffle | null>(null);
  said = $state.raw<readonly Said[]>([]);
  log = $state.raw<readonly LogLine[]>([]);
  /** What led to the views on screen, by seat as in `views`; empty when they did not come from one move. */
  steps = $state.raw<readonly Step[]>([]);
  /** The move on its way. */
  pending = $state.raw<{ seat: number; move: string } | null>(null);

  #socket: TableSocket;
  #seq = 0;
  #onstep: (step: Step, line: LogLine) => void;
  #onevent: (entry: AnyEntry, who: SeatInfo | undefined) => void;
  #onsaid: (said: Said) => void;
  #onviews: Hooks["views"] | null;
  #isunknown: Hooks["unknown"] | null;
  /** Who left while this page was here, by the `seq` of that: the seat's next person or bot has taken their name's place. */
  #gone = new Map<number, SeatInfo>();
  #committed = new Set<number>();
  #revealed = new Set<number>();
  /** What the log has not taken yet. */
  #news: (() => void)[] = [];
  /** Server time minus ours. */
  #skew = 0;

  constructor(id: string, hooks: Hooks = {}) {
    this.id = id;
    this.#onviews = hooks.views ?? null;
    this.#isunknown = hooks.unknown ?? null;
    this.#onstep = hooks.step ?? (() => {});
    this.#onevent = hooks.event ?? (() => {});
    this.#onsaid = hooks.said ?? (() => {});
    const url = new URL(`api/tables/${encodeURIComponent(id)}/socket`, document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new TableSocket(url.href, {
      frame: (frame) => this.#take(frame),
      state: (state) => {
        this.connection = state;
        if (state === "lost" && !this.info) void this.#seek();
      },
      ended: (code) => (this.ended = code),
      since: () => this.#seq,
    });
  }

  /** A browser does not say how a handshake was answered: a cut link looks as if the line were. */
  async #seek(): Promise<void> {
    if (!(await this.#isunknown?.())) return;
    this.#socket.close();
    this.ended = 4004;
  }

  open(): void {
    this.#socket.open();
  }

  close(): void {
    this.#socket.close();
    setClocks([]);
  }

  hurry(): void {
    this.#socket.hurry();
  }

  doubt(): void {
    this.#socket.doubt();
  }

  /** A new socket, because who we are has changed (the first seat brings the cookie). */
  reopen(): void {
    this.#socket.reopen();
  }

  /** The view for one of my seats, or the spectators' one. */
  viewFor(seat: number | null): View | null {
    return this.views.find((view) => view.seat === seat) ?? this.views[0] ?? null;
  }

  stepFor(seat: number | null): Step | null {
    const at = this.views.findIndex((view) => view.seat === seat);
    return this.steps[Math.max(0, at)] ?? null;
  }

  /** Resolves when the move is on disk; rejects with the refusal. */
  async move(seat: number, text: string): Promise<void> {
    if (this.pending) return;
    this.pending = { seat, move: text };
    const [round, ply] = [this.round, this.ply];
    try {
      // What was touched answers first: a quick server's view would have to draw that, too, before it finds where all lay.
      await new Promise((drawn) => soon(drawn));
      await this.#socket.ask({ type: "move", seat, round, ply, text });
    } finally {
      // With the sentence: the view has just been taken in, and this would draw the board once more.
      soon(() => (this.pending = null));
    }
  }

  readonly ask = (request: Parameters<TableSocket["ask"]>[0]): Promise<void> => this.#socket.ask(request);

  #take(frame: AnyFrame): void {
    switch (frame.type) {
      case "welcome":
        return this.#welcome(frame);
      case "update":
        return this.#update(frame);
      case "presence":
        this.presence = keep(this.presence, frame.presence);
        return;
      case "said":
        this.said = [...this.said.slice(-49), frame.said];
        this.#onsaid(frame.said);
        return;
      case "you":
        this.you = frame.you;
        return;
      case "names":
        if (this.info) {
          const seats = this.info.seats.map((seat, i) => ({ ...seat, name: frame.names[i] ?? null }));
          this.info = { ...this.info, seats };
        }
        return;
      case "done":
      case "refused":
      case "pong":
        return;
    }
  }

  #welcome(frame: Welcome): void {
    this.#skew = frame.now - Date.now();
    const shorter = frame.since < this.#seq;
    const jumped = frame.seq !== this.#seq || this.views.length === 0;
    this.#seq = frame.seq;
    this.#remember(frame.entries);
    this.info = keep(this.info, frame.table);
    this.you = keep(this.you, frame.you);
    this.round = frame.round;
    this.ply = frame.ply;
    this.presence = keep(this.presence, frame.presence);
    this.said = frame.said;
    if (jumped) {
      this.views = frame.views;
      this.steps = [];
    }
    this.#note(() => {
      if (shorter) this.log = this.log.filter((line) => line.seq <= frame.since);
      this.#append(frame.entries, []);
      this.#recall().catch(() => undefined); // then it says less, as before
    });
    this.#clock(frame.clock);
    this.#takeShuffle(frame.shuffle);
  }

  /** Moves that were made before this page came have no views yet, and without them a log cannot say what they did. */
  async #recall(): Promise<void> {
    if (!this.#onviews) return;
    const eyes = this.you.seats[0] ?? "none";
    const missing = this.log
      .slice(-SHOWN)
      .filter((line) => line.kind === "step" && !line.step.before)
      .map((line) => line as Extract<LogLine, { kind: "step" }>);
    for (const round of [...new Set(missing.map((line) => line.round))].reverse()) {
      const plies = missing.filter((line) => line.round === round).map((line) => line.ply);
      const [first, last] = [Math.min(...plies), Math.max(...plies)];
      const views: View[] = [];
      while (views.length < last - first + 2) {
        const page = await this.#onviews(eyes, round, first + views.length);
        if (!page.views.length) return;
        views.push(...page.views);
      }
      this.log = this.log.map((line) => {
        if (line.kind !== "step" || line.round !== round || line.step.before) return line;
        const [before, after] = [views[line.ply - first], views[line.ply - first + 1]];
        if (!before || !after || before.to_act !== line.step.seat) return line;
        return { ...line, step: { ...line.step, before, after } as unknown as Step };
      });
    }
  }

  #update(frame: Update): void {
    const before = this.views;
    const round = this.round;
    this.#seq = Math.max(this.#seq, frame.seq);
    this.#remember(frame.entries);
    if (frame.table) this.info = keep(this.info, frame.table);
    if (frame.you) this.you = keep(this.you, frame.you);
    if (frame.round !== undefined) this.round = frame.round;
    if (frame.ply !== undefined) this.ply = frame.ply;
    // Who wanted this round has not asked for the next one.
    if (frame.entries.some((entry) => entry.kind === "dealt"))
      this.presence = { ...this.presence, ready: [] };
    const moved = frame.entries.filter((entry) => entry.kind === "moved");
    let steps: Step[] = [];
    if (frame.views) {
      const one = moved[0];
      const views = frame.views.map((after, i) => keep(before[i], after));
      if (moved.length === 1 && one && one.round === round && before.length === views.length) {
        steps = views.map((after, i) => ({
          seat: one.seat,
          move: one.text,
          before: before[i] as unknown as GameView,
          after: after as unknown as GameView,
        }));
      }
      this.steps = steps;
      this.views = views;
    }
    if (frame.clock !== undefined) this.#clock(frame.clock);
    // The board first; what is said and written about it after it stands.
    if (frame.entries.length)
      this.#note(() => {
        this.#append(frame.entries, steps);
        for (const entry of frame.entries)
          if (entry.kind !== "moved") this.#onevent(entry, this.#gone.get(entry.seq));
      });
    if (frame.shuffle !== undefined) this.#takeShuffle(frame.shuffle);
  }

  /** By which entry they sat down who sit there, as far as this screen has it. */
  seated(seat: number): number | null {
    const last = this.log.findLast(
      (line) => line.kind === "event" && line.entry.kind === "seated" && line.entry.seat === seat,
    );
    return last?.seq ?? null;
  }

  #remember(entries: readonly AnyEntry[]): void {
    for (const entry of entries) {
      const seat =
        entry.kind === "left" || entry.kind === "removed" ? this.info?.seats[entry.seat] : undefined;
      if (seat?.kind === "person") this.#gone.set(entry.seq, seat);
    }
  }

  /** Where moves come quicker than frames, the log takes all that have come at once and does not fall behind. */
  #note(news: () => void): void {
    this.#news.push(news);
    if (this.#news.length === 1)
      later(() => {
        for (const take of this.#news.splice(0)) take();
      });
  }

  #append(entries: readonly AnyEntry[], steps: readonly Step[]): void {
    if (entries.length === 0) return;
    let lines = [...this.log];
    const known = new Set(lines.map((line) => line.seq));
    for (const entry of entries) {
      if (known.has(entry.seq)) continue;
      if (entry.kind === "taken_back") {
        lines = lines.filter(
          (line) => line.kind !== "step" || line.round !== entry.round || line.ply < entry.ply,
        );
        lines.push({ kind: "event", seq: entry.seq, entry });
      } else if (entry.kind === "moved") {
        const step = steps[0] ?? { seat: entry.seat, move: entry.text, before: null, after: null };
        const line: LogLine = {
          kind: "step",
          seq: entry.seq,
          round: entry.round,
          ply: entry.ply,
          step,
          by: entry.by,
        };
        lines.push(line);
        if (steps[0]) this.#onstep(steps[0], line);
      } else {
        lines.push({ kind: "event", seq: entry.seq, entry, who: this.#gone.get(entry.seq) });
      }
    }
    this.log = lines;
  }

  #clock(clock: Clock | null): void {
    if (!clock) {
      setClocks([]);
      return;
    }
    const passed = Math.max(0, Date.now() + this.#skew - clock.at);
    const now = performance.now();
    setClocks(
      clock.left.map((left, seat) =>
        left === null
          ? null
          : { left: seat === clock.running ? left - passed : left, at: now, runs: seat === clock.running },
      ),
    );
  }

  /** Silently: promise a seed for each of my seats, and reveal it when all have promised. */
  #takeShuffle(shuffle: Shuffle | null): void {
    this.shuffle = shuffle;
    if (!shuffle || shuffle.step === "done") return;
    const mine = this.you.seats.filter((seat) => shuffle.waiting.includes(seat));
    const promise = promiseOf(this.id) ?? { server: shuffle.server, seeds: {} };
    for (const seat of mine) {
      if (shuffle.step === "commit" && !this.#committed.has(seat)) {
        this.#committed.add(seat);
        const seed = promise.seeds[seat] ?? randomSeed();
        promise.seeds[seat] = seed;
        keepPromise(this.id, promise);
        this.#quietly({ type: "commit", seat, commit: hex(sha256(unhex(seed))) });
      } else if (shuffle.step === "reveal" && !this.#revealed.has(seat) && promise.seeds[seat]) {
        this.#revealed.add(seat);
        this.#quietly({ type: "reveal", seat, seed: promise.seeds[seat] });
      }
    }
  }

  /** A refused step of the shuffle costs nothing: the table goes on without this seat's part. */
  #quietly(request: Parameters<TableSocket["ask"]>[0]): void {
    this.#socket.ask(request).catch((_: Refused) => {});
  }
}
