import assert from "node:assert/strict";
import { test } from "node:test";
import type { LevelCard, SeatInfo, TableInfo } from "../src/lib/protocol.ts";
import { stronger } from "../src/lib/rematch.ts";

const levels: LevelCard[] = [1, 2, 3].map((level) => ({ level, key: `level ${level}` }));
const me = { kind: "person", name: "Ann", level: null } as SeatInfo;
const bot = (level: number) => ({ kind: "bot", name: null, level }) as SeatInfo;
const over = (...seats: SeatInfo[]): TableInfo => ({
  id: "00000000",
  game: "some",
  options: { odd: true },
  match: { goal: 2 },
  clock: { kind: "move", seconds: 30, increment: 0, days: 3, at_zero: "bot" },
  listed: false,
  chat: false,
  leave: "bot",
  status: "over",
  seats,
  round: 0,
  first: 1,
  rounds: [{ first: 1, scores: [1, 0], winners: [0], moves: 9 }],
  totals: [1, 0],
  result: null,
  takeback: null,
  agreed: [],
  next: null,
  previous: null,
  created: 0,
});

test("the same match with every bot a level stronger; the next one starts", () => {
  const wanted = stronger(over(bot(1), me, bot(3)), [1], levels);
  assert.deepEqual(wanted?.seats, [{ kind: "bot", level: 2 }, { kind: "me" }, { kind: "bot", level: 3 }]);
  assert.deepEqual(
    [wanted.game, wanted.options, wanted.match, wanted.clock?.seconds, wanted.first],
    ["some", { odd: true }, 2, 30, 2],
  );
});

test("people on one device keep their names", () => {
  const wanted = stronger(over(me, { ...me, name: "Noor" }, bot(2)), [0, 1], levels);
  assert.deepEqual(wanted?.seats.slice(0, 2), [
    { kind: "me", name: "Ann" },
    { kind: "me", name: "Noor" },
  ]);
});

test("nobody is stronger than the strongest, and no people are", () => {
  assert.equal(stronger(over(me, bot(3)), [0], levels), null);
  assert.equal(stronger(over(me, me, bot(1)), [0], levels), null);
  assert.equal(stronger(over(me, me), [0, 1], levels), null);
  assert.equal(stronger(over(bot(1), bot(1)), [], levels), null);
  assert.equal(stronger(over(me, bot(1)), [0], []), null); // the levels are not known yet
});
