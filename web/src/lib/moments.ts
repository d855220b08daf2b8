/** The moves that decided a match. Where points add up: those after which their player was furthest further ahead, or
 * behind, than before. Where rounds are counted: those that won one. */
import type { Replay, RoundResult } from "./protocol.ts";

export interface Moment {
  round: number;
  /** Its number in the round, the first move is 1. */
  move: number;
  seat: number;
  /** What it brought its player against the best of the others, in points; null: it won the round. */
  gain: number | null;
}

/** The last moves of the last rounds, where their player, alone or with a partner, won by them. */
export function wins(rounds: Replay["rounds"], results: readonly RoundResult[], most = 3): Moment[] {
  return rounds
    .flatMap(({ seats }, round): Moment[] => {
      const seat = seats.at(-1);
      if (seat === undefined || !results[round]?.winners.includes(seat)) return [];
      return [{ round, move: seats.length, seat, gain: null }];
    })
    .slice(-most);
}

/** In the order in which they happened. Of equal ones the later: a match is decided towards its end. */
export function moments(rounds: Replay["rounds"], most = 3): Moment[] {
  const found = rounds.flatMap(({ seats, scores }, round) =>
    seats.map((seat, i): Moment => {
      const gain = lead(scores[i + 1]!, seat) - lead(scores[i]!, seat);
      return { round, move: i + 1, seat, gain };
    }),
  );
  const size = (moment: Moment) => Math.abs(moment.gain ?? 0);
  const later = (a: Moment, b: Moment) => b.round - a.round || b.move - a.move;
  return found
    .filter(size)
    .sort((a, b) => size(b) - size(a) || later(a, b))
    .slice(0, most)
    .sort((a, b) => later(b, a));
}

function lead(scores: readonly number[], seat: number): number {
  return scores[seat]! - Math.max(...scores.filter((_, other) => other !== seat));
}
