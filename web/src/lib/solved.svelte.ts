/** Which puzzles were solved in this browser, by game. */
import { SvelteMap } from "svelte/reactivity";
import { recall, remember } from "./memory.ts";
import type { Puzzle } from "./protocol.ts";

const known = new SvelteMap<string, ReadonlySet<number>>();

const read = (game: string): ReadonlySet<number> =>
  new Set(
    (recall(`puzzles.${game}`) ?? "")
      .split(",")
      .map(Number)
      .filter((n) => Number.isInteger(n) && n > 0),
  );

export const solved = (game: string): ReadonlySet<number> => known.get(game) ?? read(game);

export function solve(game: string, number: number): void {
  const all = new Set(solved(game)).add(number);
  known.set(game, all);
  remember(`puzzles.${game}`, [...all].sort((a, b) => a - b).join(","));
}

/** The one after this that is not solved yet, from the first again after the last; where all are, simply the next. */
export function following(game: string, number: number, of: number): number {
  const done = solved(game);
  for (let on = 0; on < of; on++) {
    const next = ((number + on) % of) + 1;
    if (!done.has(next) && next !== number) return next;
  }
  return (number % of) + 1;
}

/** By how many of our bots miss it. */
export const hardness = ({ missed }: Pick<Puzzle, "missed">): string =>
  missed < 0.34 ? "easy" : missed < 0.67 ? "medium" : "hard";
