import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chances,
  collect,
  costliest,
  improvable,
  played,
  winsOf,
  type Verdicts,
} from "../src/lib/analysis.ts";
import { Failure } from "../src/lib/api.ts";
import type { Analysis, Verdict } from "../src/lib/protocol.ts";

const verdict = (chance: number, made: number, mark: Verdict["mark"] = "", accuracy = 100): Verdict => ({
  chance,
  made,
  mark,
  accuracy,
  best: "best",
  tried: [],
  wins: "round",
});
const round = { moves: ["a", "b", "c", "d", "e"], seats: [0, 1, 0, 0, 1] };
const verdicts: Verdicts = [
  verdict(0.5, 0.5),
  null,
  verdict(0.6, 0.3, "??", 25),
  verdict(0.5, 0.5, "!"),
  verdict(0.8, 0.75, "?!", 80),
];

test("how a seat played: over its decisions alone", () => {
  assert.deepEqual(played(round.seats, verdicts, 0), { mistakes: 1, slips: 0, accuracy: 75 });
  assert.deepEqual(played(round.seats, verdicts, 1), { mistakes: 0, slips: 1, accuracy: 80 });
  assert.deepEqual(played(round.seats, [null, null], 1), { mistakes: 0, slips: 0, accuracy: null });
});

test("decisions that can be made better: a seat's own, or all", () => {
  const found = (seat: number | null) =>
    improvable(round, verdicts, seat).map(({ move, made }) => [move, made]);
  assert.deepEqual(found(0), [[3, "c"]]);
  assert.deepEqual(found(1), [[5, "e"]]);
  assert.deepEqual(found(null), [
    [3, "c"],
    [5, "e"],
  ]);
});

test("the costliest moves, the worst first, nothing below a slip", () => {
  const found = costliest(round.seats, verdicts, null);
  assert.deepEqual(
    found.map(({ move, mark }) => [move, mark]),
    [
      [3, "??"],
      [5, "?!"],
    ],
  );
  assert.ok(Math.abs(found[0]!.loss - 0.3) < 1e-9);
  assert.equal(costliest(round.seats, verdicts, null, 1).length, 1);
  assert.deepEqual(costliest(round.seats, [verdict(0.5, 0.47)], null), []);
});

test("the costliest moves of a seat come before all others", () => {
  const found = (seat: number, most = 3) =>
    costliest(round.seats, verdicts, seat, most).map(({ move, own }) => [move, own]);
  assert.deepEqual(found(1), [
    [5, true],
    [3, false],
  ]);
  assert.deepEqual(found(1, 1), [[5, true]]);
  assert.deepEqual(found(0, 1), [[3, true]]);
});

test("chances: what the last decision left, shared out at the end, as far as there are verdicts", () => {
  assert.deepEqual(chances(round, verdicts.slice(0, 3), 2, [1]), [
    [50, 50, 50, 30],
    [50, 50, 50, 70],
  ]);
  assert.deepEqual(
    chances(round, verdicts, 2, [1]).map((line) => line.at(-1)),
    [0, 100],
  );
  assert.deepEqual(
    chances(round, verdicts, 2, null).map((line) => line.at(-1)),
    [25, 75],
  );
  const three = chances(round, verdicts, 3, [0, 2]);
  assert.deepEqual(three[0]!.slice(1, -1), [50, 50, 30, 50]);
  assert.deepEqual(three[2]!.map(Math.round).slice(1, -1), [25, 25, 35, 25]); // two share alike what is left
  const more = chances(round, [verdict(0.4, 0.4), verdict(1, 1), verdict(0, 0)], 3, null);
  assert.deepEqual(
    more.map((line) => line.map(Math.round)),
    [
      [40, 40, 0, 0], // as the first decision tells
      [30, 30, 100, 100],
      [30, 30, 0, 0],
    ],
  );
  const all = chances(round, [verdict(1, 1), verdict(0.5, 0.5)], 3, null);
  assert.deepEqual(
    all.map((line) => line.at(-1)),
    [50, 50, 0], // who had all has what is left
  );
  assert.deepEqual(
    three.map((line) => line.at(-1)),
    [50, 0, 50],
  );
});

test("chances add up to a hundred, whatever comes after each other", () => {
  const long = {
    moves: Array<string>(300).fill("a"),
    seats: Array.from({ length: 300 }, (_, i) => (i * 7) % 3),
  };
  const swings = long.seats.map((_, i) => verdict(1, [0.999, 0.02, 0.97, 0, 0.5][i % 5]!));
  const lines = chances(long, swings, 3, null);
  lines[0]!.forEach((_, at) => {
    const sum = lines.reduce((all, line) => all + line[at]!, 0);
    assert.ok(Math.abs(sum - 100) < 1e-9, `${sum} at ${at}`);
    assert.ok(lines.every((line) => line[at]! >= 0 && line[at]! <= 100));
  });
});

test("lines of the match leave out who is only told of the round", () => {
  const three = { moves: ["a", "b", "c"], seats: [0, 1, 2] };
  const match = (chance: number): Verdict => ({ ...verdict(chance, chance), wins: "match" });
  const mixed: Verdicts = [match(0.6), verdict(0.9, 0.1), match(0.5)];
  assert.equal(winsOf(mixed), "match");
  assert.equal(winsOf(verdicts), "round");
  assert.deepEqual(chances(three, mixed, 3, null), [
    [60, 60, 60, 50],
    [0, 0, 0, 0],
    [40, 40, 40, 50],
  ]);
  const alone: Verdicts = [match(0.94), verdict(0.9, 0.1), verdict(0.5, 0.5)];
  assert.deepEqual(
    chances(three, alone, 3, [0]).map((line) => line.at(-1)),
    [100, 0, 0],
  );
});

test("partners have one chance, and the others the rest", () => {
  const pairs = { moves: ["a", "b", "c"], seats: [0, 1, 2] };
  const [mine, theirs] = [verdict(0.6, 0.6), verdict(0.7, 0.7)];
  assert.deepEqual(chances(pairs, [mine, theirs], 4, null, true), [
    [60, 60, 30],
    [40, 40, 70],
    [60, 60, 30],
    [40, 40, 70],
  ]);
  assert.deepEqual(
    chances(pairs, [mine, theirs, null], 4, [1, 3], true).map((line) => line.at(-1)),
    [0, 100, 0, 100],
  );
});

test("verdicts come page by page, again after a wait, on from what is known, and stop when told", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked: number[] = [];
  const pages: (() => Analysis)[] = [];
  const page = (from: number, n: number): Analysis => ({
    round: 0,
    from,
    verdicts: Array<null>(n).fill(null),
  });
  const fail = (code: string, data = {}) => {
    throw new Failure(code, data);
  };
  const ask = async (from: number) => {
    asked.push(from);
    return pages.shift()!();
  };
  const news: [number, boolean][] = [];
  const note = (found: Verdicts, waiting: boolean) => void news.push([found.length, waiting]);
  const turns = async () => {
    for (let i = 0; i < 9; i++) await Promise.resolve();
  };

  pages.push(
    () => page(1, 2),
    () => fail("busy"),
    () => fail("too_many", { wait: 300 }),
    () => page(3, 2),
  );
  const whole = collect(ask, 5, [null], new AbortController().signal, note);
  await turns();
  assert.deepEqual(asked, [1, 3]);
  t.mock.timers.tick(1999);
  await turns();
  assert.equal(asked.length, 2);
  t.mock.timers.tick(1);
  await turns();
  t.mock.timers.tick(300);
  await whole;
  assert.deepEqual(asked, [1, 3, 3, 3]);
  assert.deepEqual(news, [
    [3, false],
    [3, true],
    [3, true],
    [5, false],
  ]);

  pages.push(() => fail("unknown_table"));
  await assert.rejects(collect(ask, 5, [], new AbortController().signal, note), Failure);
  pages.push(() => page(0, 0));
  await assert.rejects(collect(ask, 5, [], new AbortController().signal, note));

  const stop = new AbortController();
  news.length = 0;
  pages.push(() => fail("busy"));
  const stopped = collect(ask, 5, [], stop.signal, note);
  await turns();
  stop.abort();
  await stopped; // without the wait
  assert.deepEqual(news, [[0, true]]);
});
