/** What a round's moves were worth: fetched page by page, then told as marks, figures and lines. */
import { Failure } from "./api.ts";
import type { Analysis, ReplayRound, Verdict } from "./protocol.ts";

/** About each move of a round, as far as they are known; null where there was nothing to decide. */
export type Verdicts = readonly (Verdict | null)[];

/** What chances are of: to win the round, or the match that it is a part of. */
export type Wins = Verdict["wins"];

const BUSY = 2000; // ms until a server that is busy is asked again

export const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });

/** How long to wait before the same is asked again; null: it failed for good. */
export function patience(error: unknown): number | null {
  if (!(error instanceof Failure)) return null;
  if (error.code === "busy") return BUSY;
  return error.code === "too_many" ? Number(error.data["wait"] ?? BUSY) : null;
}

/** Asks on until all moves have a verdict; ends without a word when it is stopped. */
export async function collect(
  ask: (from: number) => Promise<Analysis>,
  moves: number,
  known: Verdicts,
  signal: AbortSignal,
  onnews: (verdicts: Verdicts, waiting: boolean) => void,
): Promise<void> {
  let found = known;
  while (found.length < moves && !signal.aborted) {
    try {
      const page = await ask(found.length);
      if (signal.aborted) return;
      if (!page.verdicts.length) throw new Error("a page without verdicts");
      found = [...found, ...page.verdicts];
      onnews(found, false);
    } catch (error) {
      if (signal.aborted) return;
      const wait = patience(error);
      if (wait === null) throw error;
      onnews(found, true);
      await sleep(wait, signal);
    }
  }
}

/** What a mark says: the name of its words. */
export const kinds = { "": "none", "!": "fine", "?!": "slip", "?": "mistake", "??": "blunder" } as const;

const isMistake = ({ mark }: Verdict) => mark === "?" || mark === "??";
const isSlip = ({ mark }: Verdict) => mark === "?!";

export interface Played {
  mistakes: number;
  slips: number;
  /** In percent; null: there was nothing to decide. */
  accuracy: number | null;
}

export function played(seats: readonly number[], verdicts: Verdicts, seat: number): Played {
  const mine = verdicts.filter((verdict, i): verdict is Verdict => verdict !== null && seats[i] === seat);
  const sum = mine.reduce((all, { accuracy }) => all + accuracy, 0);
  return {
    mistakes: mine.filter(isMistake).length,
    slips: mine.filter(isSlip).length,
    accuracy: mine.length ? sum / mine.length : null,
  };
}

export interface Costly {
  /** Its number in the round, the first move is 1. */
  move: number;
  /** Made by the seat that asks. */
  own: boolean;
  mark: Verdict["mark"];
  /** Of the chance to win, 0 to 1. */
  loss: number;
}

/** The moves that gave away most: a seat's own ones first (null: nobody's), then the worst; of equal ones the earlier.
 * Slips at least. */
export function costliest(
  seats: readonly number[],
  verdicts: Verdicts,
  seat: number | null,
  most = 3,
): Costly[] {
  return verdicts
    .flatMap((verdict, i) =>
      verdict && (isMistake(verdict) || isSlip(verdict))
        ? [
            {
              move: i + 1,
              own: seats[i] === seat,
              mark: verdict.mark,
              loss: verdict.chance - verdict.made,
            },
          ]
        : [],
    )
    .sort((a, b) => Number(b.own) - Number(a.own) || b.loss - a.loss || a.move - b.move)
    .slice(0, most);
}

export interface Decided {
  /** Its number in the round, the first move is 1. */
  move: number;
  seat: number;
  /** The move that was made. */
  made: string;
  verdict: Verdict;
}

/** The decisions of a seat (null: of everybody) in which a better move was to be found, in their order. */
export function improvable(
  { moves, seats }: Pick<ReplayRound, "moves" | "seats">,
  verdicts: Verdicts,
  seat: number | null,
): Decided[] {
  return verdicts.flatMap((verdict, i) =>
    verdict && (isMistake(verdict) || isSlip(verdict)) && (seat === null || seats[i] === seat)
      ? [{ move: i + 1, seat: seats[i]!, made: moves[i]!, verdict }]
      : [],
  );
}

/** What the chances of a round are of: of the match, where it is open to anybody. */
export const winsOf = (verdicts: Verdicts): Wins =>
  verdicts.some((verdict) => verdict?.wins === "match") ? "match" : "round";

/**
 * Each seat's chance to win in percent, by position, as far as there are verdicts. Who decides has what the decision
 * left, and the others share the rest in the proportions that they had. Before the first move all stands as before the
 * first decision. Partners (opposite seats) have one chance. The end is what it is, where it is known.
 * Where some verdicts are of the match, the lines are; whoever is only told of the round has no chance in it any more.
 */
export function chances(
  { moves, seats }: Pick<ReplayRound, "moves" | "seats">,
  verdicts: Verdicts,
  players: number,
  winners: readonly number[] | null,
  partners = false,
): number[][] {
  const sides = partners ? 2 : players;
  const side = (seat: number) => seat % sides;
  const won = new Set(winners?.map(side));
  const wins = winsOf(verdicts);
  const out = new Set(
    verdicts.flatMap((verdict, i) => (verdict && verdict.wins !== wins ? [side(seats[i]!)] : [])),
  );
  let now = Array.from({ length: sides }, (_, one) => (out.has(one) ? 0 : 100 / (sides - out.size)));
  const decided = (seat: number, chance: number) => {
    const decides = side(seat);
    const own = 100 * chance;
    const left = 100 - own;
    const before = now.reduce((sum, one, i) => (i === decides ? sum : sum + one), 0);
    now = now.map((one, i) => {
      if (i === decides) return own;
      if (before > 0) return (left * one) / before;
      return out.has(i) ? 0 : left / (sides - 1 - out.size);
    });
  };
  const first = verdicts.findIndex((verdict) => verdict?.wins === wins);
  if (first >= 0) decided(seats[first]!, verdicts[first]!.chance);
  const lines = Array.from({ length: players }, (_, seat) => [now[side(seat)]!]);
  verdicts.forEach((verdict, i) => {
    if (verdict?.wins === wins) decided(seats[i]!, verdict.made);
    if (won.size && i === moves.length - 1) now = now.map((_, one) => (won.has(one) ? 100 / won.size : 0));
    lines.forEach((line, seat) => line.push(now[side(seat)]!));
  });
  return lines;
}
