/** What was done in this browser, by name: numbers change when others are added. */
import { recall, remember } from "./memory.ts";

class Progress {
  readonly #key: string;
  #known = $state.raw<ReadonlySet<string>>(new Set());

  constructor(key: string) {
    this.#key = key;
    this.#known = new Set(this.#read());
  }

  #read(): string[] {
    return (recall(this.#key) ?? "").split(",").filter(Boolean);
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  add(name: string): void {
    this.#known = new Set([...this.#known, ...this.#read(), name]); // another window may have done some meanwhile
    remember(this.#key, [...this.#known].join(","));
  }

  /** How many of them are done. */
  count(all: readonly string[]): number {
    return all.filter((name) => this.has(name)).length;
  }

  /** The number of the next one that is not done yet, from the first again after the last; where all are, simply the next. */
  following(all: readonly string[], number: number): number {
    const order = all.map((_, i) => ((number + i) % all.length) + 1).filter((next) => next !== number);
    return order.find((next) => !this.has(all[next - 1]!)) ?? order[0] ?? number;
  }
}

export const solved = new Progress("puzzles");
export const learned = new Progress("lessons");

/** A lesson's name among those of all games. */
export const lessonName = (game: string, id: string): string => `${game}/${id}`;
