/** The server over HTTP. Every failure is a `Failure` with a code; "offline" when no answer came at all. */
import type {
  Analysis,
  CreateTable,
  DeviceCode,
  Games,
  Happened,
  Hint,
  Imported,
  JoinTable,
  Lesson,
  Lobby,
  Me,
  Puzzle,
  Replay,
  ReplayViews,
  TableInfo,
  TableList,
  Tallies,
  Verdict,
} from "./protocol.ts";
import type { MatchRecord } from "./fair.ts";
import { hex } from "./sha256.ts";

export class Failure extends Error {
  readonly code: string;
  readonly data: Record<string, unknown>;
  constructor(code: string, data: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal: AbortSignal | null = null,
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(new URL(`api/${path}`, document.baseURI), {
      method,
      signal,
      ...(method === "GET"
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}) }),
    });
  } catch {
    throw new Failure("offline");
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const error = (answer as { error?: { code?: string; data?: Record<string, unknown> } } | null)?.error;
    throw new Failure(error?.code ?? "server", error?.data ?? {});
  }
  return answer as T;
}

/** Pauses (ms) before a call that got no answer is sent again. */
const AGAIN = [400, 1200, 3000];

/** A call that makes something. It may have happened although no answer came: sent again with the same `ref`, it happens once. */
async function once<T>(path: string, body: object): Promise<T> {
  const ref = hex(crypto.getRandomValues(new Uint8Array(16)));
  for (const pause of AGAIN) {
    try {
      return await call<T>("POST", path, { ...body, ref });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "offline") throw error;
      await new Promise((go) => setTimeout(go, pause));
    }
  }
  return call<T>("POST", path, { ...body, ref });
}

const get = <T>(path: string) => call<T>("GET", path);
const query = (values: Record<string, string | undefined>) => {
  const kept = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return kept.length ? `?${new URLSearchParams(kept)}` : "";
};

const looking = (eyes: number | "none" | "open") => (eyes === "open" ? "open=1" : `seat=${eyes}`);

let cards: Promise<Games> | null = null;

export const api = {
  /** Asked once; a failure is forgotten, so that the next ask tries again. */
  games(): Promise<Games> {
    cards ??= get<Games>("games").catch((error: unknown) => {
      cards = null;
      throw error;
    });
    return cards;
  },
  /** The same, as it is now: how far each game is. */
  prepared: () => get<Games>("games"),
  me: () => get<Me>("me"),
  rename: (name: string) => call<Me>("PUT", "me", { name }),
  forget: () => call<void>("DELETE", "me"),
  deviceCode: () => call<DeviceCode>("POST", "me/devices"),
  claim: (code: string) => call<Me>("POST", "me/claim", { code }),
  mine: () => get<TableList>("me/tables"),
  tally: () => get<Tallies>("me/tally"),
  lobby: (before?: string) => get<Lobby>(`lobby${query({ before })}`),
  create: (wanted: CreateTable) => once<TableInfo>("tables", wanted),
  table: (id: string) => get<TableInfo>(`tables/${encodeURIComponent(id)}`),
  join: (id: string, wanted: JoinTable) => once<TableInfo>(`tables/${encodeURIComponent(id)}/join`, wanted),
  record: (id: string) => get<MatchRecord>(`tables/${encodeURIComponent(id)}/record`),
  replay: (id: string, eyes: number | "none" | "open") =>
    get<Replay>(`tables/${encodeURIComponent(id)}/replay?${looking(eyes)}`),
  /** A page of views of one round, for a match that is too long to come whole. */
  views: (id: string, eyes: number | "none" | "open", round: number, from: number) =>
    get<ReplayViews>(
      `tables/${encodeURIComponent(id)}/replay/views?${looking(eyes)}&round=${round}&from=${from}`,
    ),
  /** What the moves of one round were worth, as many as the server gets through in about a second. */
  analysis: (id: string, round: number, from: number, signal: AbortSignal) =>
    call<Analysis>(
      "GET",
      `tables/${encodeURIComponent(id)}/analysis?round=${round}&from=${from}`,
      undefined,
      signal,
    ),
  /** What another move would have been worth, in the place of one that was made. */
  worth: (id: string, round: number, from: number, move: string) =>
    get<Analysis>(
      `tables/${encodeURIComponent(id)}/analysis?round=${round}&from=${from}&move=${encodeURIComponent(move)}`,
    ),
  /** By number, from 1, after the learner's moves. */
  lesson: (game: string, number: number, moves: readonly string[]) =>
    get<Lesson>(`lesson${query({ game, number: String(number), moves: moves.join(";") || undefined })}`),
  /** By number, from 1. */
  puzzle: (game: string, number: number) => get<Puzzle>(`puzzle${query({ game, number: String(number) })}`),
  /** What the seat sees once a move is made. */
  puzzleAfter: (game: string, number: number, move: string) =>
    get<Happened>(`puzzle/after${query({ game, number: String(number), move })}`),
  puzzleVerdict: (game: string, number: number, move: string) =>
    get<Verdict>(`puzzle/verdict${query({ game, number: String(number), move })}`),
  /** What a seat of mine, or a spectator, has seen of a round, also of one that is being played. */
  seen: (id: string, eyes: number | "none", round: number, from: number) =>
    get<ReplayViews>(`tables/${encodeURIComponent(id)}/views?${looking(eyes)}&round=${round}&from=${from}`),
  /** What the engine would do in the place of a seat of mine, whose turn it is. */
  hint: (id: string, seat: number) => get<Hint>(`tables/${encodeURIComponent(id)}/hint?seat=${seat}`),
  finished: (filter: {
    game?: string | undefined;
    player?: string | undefined;
    before?: string | undefined;
  }) => get<TableList>(`finished${query(filter)}`),
  keep: (record: Record<string, unknown>) => once<Imported>("records", { record }),
};
