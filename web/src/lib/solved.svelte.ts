/** Which puzzles were solved in this browser: by name, since their numbers change when others are added. */
import { recall, remember } from "./memory.ts";
import type { Puzzle } from "./protocol.ts";

const KEY = "puzzles";
const read = (): string[] => (recall(KEY) ?? "").split(",").filter(Boolean);

let known = $state.raw<ReadonlySet<string>>(new Set(read()));

export const solved = (): ReadonlySet<string> => known;

export function solve(id: string): void {
  known = new Set([...known, ...read(), id]); // another window may have solved some meanwhile
  remember(KEY, [...known].join(","));
}

/** The number of the next one that is not solved yet, from the first again after the last; where all are, simply the next. */
export function following(all: readonly string[], number: number): number {
  const order = all.map((_, i) => ((number + i) % all.length) + 1).filter((next) => next !== number);
  return order.find((next) => !known.has(all[next - 1]!)) ?? order[0] ?? number;
}

/** By how many of our bots miss it. */
export const hardness = ({ missed }: Pick<Puzzle, "missed">): string =>
  missed < 0.34 ? "easy" : missed < 0.67 ? "medium" : "hard";
