import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { api, Failure } from "../src/lib/api.ts";
import { checkFair, dealSeed, type FairProof } from "../src/lib/fair.ts";
import { keep } from "../src/lib/keep.ts";
import { moments, wins } from "../src/lib/moments.ts";
import { blocks, inline, parts } from "../src/lib/markdown.ts";
import { argumentsOf, format, joined, number, parse } from "../src/lib/message.ts";
import { qr } from "../src/lib/qr.ts";
import { ascii, hex, hmac, sha256, unhex } from "../src/lib/sha256.ts";
import { shuffledOrder } from "../src/lib/shuffle.ts";
import { TableSocket, type Connection } from "../src/lib/socket.ts";
import type { AnyFrame, Replay, View } from "../src/lib/protocol.ts";
import { ReplayPages } from "../src/lib/replay.ts";

test("sha256 and hmac agree with Node's own, at every length around a block", () => {
  for (let n = 0; n < 200; n++) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 7 + n) & 255);
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    const key = bytes.slice(0, n % 90);
    assert.equal(hex(hmac(key, bytes)), createHmac("sha256", key).update(bytes).digest("hex"));
  }
});

test("the shuffle is a permutation that seed and round decide", () => {
  const seed = unhex("00".repeat(31) + "01");
  const order = shuffledOrder(seed, 0, 109);
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    Array.from({ length: 109 }, (_, i) => i),
  );
  assert.notDeepEqual(order, shuffledOrder(seed, 1, 109));
});

test("a proof holds, and each tampering is found", () => {
  const seed = (n: number) => hex(sha256(ascii(String(n))));
  const pair = (n: number) => ({ seed: seed(n), commit: hex(sha256(unhex(seed(n)))) });
  const proof: FairProof = { server: pair(0), seats: [pair(1), null] };
  const record = { game: "x", players: ["a", "b"], options: {}, seed: dealSeed(proof), rounds: [] };
  const promise = { server: proof.server.commit, seeds: { "0": seed(1) } };
  assert.ok(checkFair(record, proof, promise).every((check) => check.ok));
  const bad = (change: (proof: FairProof) => void, what: string) => {
    const copy = structuredClone(proof);
    change(copy);
    assert.ok(
      checkFair(record, copy, promise).some((check) => !check.ok && check.what === what),
      what,
    );
  };
  bad((p) => (p.server.seed = seed(5)), "server");
  bad((p) => (p.seats[0] = pair(7)), "own");
  bad((p) => (p.seats[1] = pair(7)), "seed");
  bad((p) => (p.seats[0]!.commit = seed(9)), "seat");
});

test("plurals, numbers and lists are those of the browser's own rules", () => {
  const form = "{n, plural, one {one} other {other}}";
  const whole = [...Array.from({ length: 300 }, (_, n) => n - 20), 1000, 1001, 9999, 10000, 123456, -10000];
  for (const locale of ["en", "fr", "it", "de"]) {
    const rules = new Intl.PluralRules(locale);
    const digits = new Intl.NumberFormat(locale, { useGrouping: "min2" as never });
    for (const n of whole) {
      assert.equal(format(form, locale, { n }), rules.select(n), `${locale} ${n}`);
      assert.equal(number(locale, n), digits.format(n).replace(/^-/, "−"), `${locale} ${n}`);
    }
    // British English has no comma before the last name, nor have the other three.
    const list = new Intl.ListFormat(locale === "en" ? "en-GB" : locale, { type: "conjunction" });
    for (const names of [[], ["Noor"], ["Noor", "Ilse"], ["Noor", "Ilse", "Teo"]])
      assert.equal(joined(locale, names), list.format(names), `${locale} ${names.length}`);
  }
});

test("messages: plurals, selects, nesting, errors", () => {
  const text = "{n, plural, =0 {none} one {# card for {who}} other {# cards for {who}}}";
  assert.equal(format(text, "en", { n: 0, who: "Ann" }), "none");
  assert.equal(format(text, "en", { n: 1, who: "Ann" }), "1 card for Ann");
  assert.equal(format(text, "fr", { n: 1200, who: "Ann" }), "1200 cards for Ann");
  assert.equal(format("{x, select, a {A} other {B}} {n}", "en", { x: "q", n: -3 }), "B −3");
  assert.equal(format("{n, plural, one {jour} other {jours}}", "fr", { n: 0 }), "jour");
  assert.deepEqual([...argumentsOf(text)].sort(), [
    ["n", true],
    ["who", true],
  ]);
  assert.throws(() => parse("{n, plural, one {x}}"));
  assert.throws(() => parse("a } b"));
});

test("markdown: blocks and inline, and HTML stays text", () => {
  const tree = blocks(
    "# A *b*\n\ntext **bold** `code`\nmore\n\n- one\n  two\n- three\n\n| a | b |\n|---|---|\n| 1 | <b>2</b> |\n",
  );
  assert.deepEqual(
    tree.map((block) => block.kind),
    ["heading", "paragraph", "list", "table"],
  );
  assert.deepEqual(inline("<script>"), [{ kind: "text", text: "<script>" }]);
});

test("markdown: what stands below a line across is folded", () => {
  const { open, folded } = parts("# A\n\none - two\n\n---\n\n## B\n\ntext\n");
  const kinds = (tree: readonly { kind: string }[]) => tree.map(({ kind }) => kind);
  assert.deepEqual(kinds(open), ["heading", "paragraph"]);
  assert.deepEqual(kinds(folded), ["heading", "paragraph"]);
  assert.deepEqual(parts("# A\n\ntext\n").folded, []);
});

test("markdown: signs keep to what they belong to, except in code", () => {
  const [said, code] = inline("« 16 ± 5 » : ± 3, le ± ! `a : b`");
  assert.equal(said!.text.replaceAll("\u00a0", "~"), "«~16~±~5~»~: ± 3, le ±~! ");
  assert.equal(code!.text, "a : b");
});

test("a code has its finder patterns, timing and a size that fits", () => {
  const grid = qr("https://example.org/t/AbCdEfGhIjKlMnOpQrStUvWx");
  assert.equal((grid.length - 17) % 4, 0);
  assert.deepEqual(grid[0]!.slice(0, 8), [true, true, true, true, true, true, true, false]);
  for (let i = 8; i < grid.length - 8; i++) assert.equal(grid[6]![i], i % 2 === 0);
  assert.throws(() => qr("x".repeat(500)));
});

class FakeSocket {
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    FakeSocket.made.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen!();
  }
  says(frame: object) {
    this.onmessage!({ data: JSON.stringify(frame) });
  }
  drops(code: number) {
    this.readyState = 3;
    this.onclose!({ code });
  }
}

test("the socket says hello with since, resends with the same ref after a cut, and stops when told", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.made = [];
  let seq = 0;
  const states: Connection[] = [];
  const ended: number[] = [];
  const socket = new TableSocket(
    "ws://x",
    {
      frame: (frame: AnyFrame) => {
        if ("seq" in frame) seq = frame.seq;
      },
      state: (state) => states.push(state),
      ended: (code) => ended.push(code),
      since: () => seq,
    },
    () => new FakeSocket() as unknown as WebSocket,
  );
  socket.open();
  const first = FakeSocket.made[0]!;
  first.opens();
  assert.deepEqual(first.sent[0], { type: "hello", protocol: 1, since: 0 });
  const move = socket.ask({ type: "move", seat: 0, round: 0, ply: 0, text: "7" });
  assert.equal(first.sent.length, 1, "nothing before the welcome");
  first.says({ type: "welcome", seq: 4 });
  const ref = first.sent[1]!["ref"];
  first.drops(1006);
  t.mock.timers.tick(500);
  const second = FakeSocket.made[1]!;
  second.opens();
  assert.equal(second.sent[0]!["since"], 4);
  second.says({ type: "welcome", seq: 4 });
  assert.equal(second.sent[1]!["ref"], ref);
  second.says({ type: "update", seq: 5, ref, entries: [] });
  await move;
  const refused = socket.ask({ type: "ready", seat: 0 });
  second.says({ type: "refused", ref: second.sent[2]!["ref"], code: "not_playing", data: {} });
  await assert.rejects(refused, { code: "not_playing" });
  second.drops(4004);
  assert.deepEqual(ended, [4004]);
  assert.equal(states.at(-1), "closed");
  t.mock.timers.tick(60000);
  assert.equal(FakeSocket.made.length, 2, "no further try");
});

test("a socket that is doubted asks at once, and is given up if nothing answers", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.made = [];
  const states: Connection[] = [];
  const socket = new TableSocket(
    "ws://x",
    { frame: () => {}, state: (state) => states.push(state), ended: () => {}, since: () => 0 },
    () => new FakeSocket() as unknown as WebSocket,
  );
  socket.open();
  const line = FakeSocket.made[0]!;
  line.opens();
  line.says({ type: "welcome", seq: 1 });
  socket.doubt();
  t.mock.timers.tick(1);
  assert.deepEqual(line.sent.at(-1), { type: "ping" });
  line.says({ type: "pong" });
  t.mock.timers.tick(5000);
  assert.equal(states.at(-1), "open");
  socket.doubt();
  t.mock.timers.tick(1);
  t.mock.timers.tick(5000);
  assert.equal(states.at(-1), "lost");
  socket.close();
});

test("the shuffle gives the test vectors of notation, made by another implementation", () => {
  const file = new URL("../../tests/core/shuffle-vectors.json", import.meta.url);
  const vectors = JSON.parse(readFileSync(file, "utf8")) as {
    seed: string;
    round: number;
    n: number;
    order: number[];
  }[];
  assert.ok(vectors.length > 0);
  for (const one of vectors) assert.deepEqual(shuffledOrder(unhex(one.seed), one.round, one.n), one.order);
});

test("a new view keeps the old one's parts where they are equal, and is right everywhere else", () => {
  const old = { a: [1, 2, { x: 1 }], b: { n: 3 }, c: "s", gone: 1 };
  const next = { a: [1, 2, { x: 1 }], b: { n: 4 }, c: "s", more: null };
  const kept = keep(old, next);
  assert.deepEqual(kept, next);
  assert.equal(kept.a, old.a);
  assert.equal(keep(old, structuredClone(old)), old);
  for (const [before, after] of [
    [[1, 2], [1]],
    [[1], [1, 2]],
    [{ 0: 1 }, [1]],
    [[1], { 0: 1 }],
    [null, { a: 1 }],
    [{ a: 1 }, null],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
  ])
    assert.deepEqual(keep(before, after), after);
});

test("the views of a long replay come in pages, each asked for once, and ahead of who steps there", async () => {
  const view = (n: number) => ({ scores: [n] }) as unknown as View;
  const last = 500;
  const replay = { rounds: [{ views: [view(0)] }, { views: [0, 1, 2].map(view) }] } as unknown as Replay;
  const asked: string[] = [];
  let fails = false;
  const pages = new ReplayPages(replay, async (round, from) => {
    asked.push(`${round}.${from}`);
    if (fails) throw new Error("offline");
    const views = Array.from({ length: Math.min(100, last + 1 - from) }, (_, i) => view(from + i));
    return { round, from, views };
  });
  const settled = () => new Promise((done) => setTimeout(done));
  assert.ok(pages.has(1, 2) && !pages.has(1, 3));
  await Promise.all([pages.need(1, 3, last), pages.need(1, 3, last)]);
  await settled();
  assert.deepEqual(asked, ["1.3"]);
  for (let place = 3; place <= last; place++) {
    await pages.need(1, place, last);
    assert.deepEqual(pages.at(1, place), view(place));
    await settled();
  }
  assert.deepEqual(asked, ["1.3", "1.103", "1.203", "1.303", "1.403"]);
  await pages.need(0, 250, last); // by a link into the middle: the view before it too
  assert.ok(pages.has(0, 250) && !pages.has(0, 100));
  fails = true;
  await assert.rejects(pages.need(0, 100, last));
  fails = false;
  await pages.need(0, 100, last);
  assert.ok(pages.has(0, 100));
});

test("a call that makes something and got no answer is sent again as the same wish", async () => {
  const sent: { ref?: string }[] = [];
  let lost = 1;
  Object.assign(globalThis, {
    document: { baseURI: "http://foxrow.test/" },
    fetch: (_: URL, { body }: { body: string }) => {
      sent.push(JSON.parse(body) as { ref?: string });
      if (lost-- > 0) return Promise.reject(new TypeError("no network"));
      return Promise.resolve(Response.json({ id: "t" }));
    },
  });
  await api.create({ game: "x", seats: [] });
  assert.equal(sent.length, 2);
  assert.match(sent[0]!.ref!, /^[0-9a-f]{32}$/);
  assert.deepEqual(sent[0], sent[1]);
  await api.create({ game: "x", seats: [] });
  assert.notEqual(sent[2]!.ref, sent[1]!.ref);
  globalThis.fetch = () => Promise.resolve(Response.json({ error: { code: "seat_taken" } }, { status: 409 }));
  await assert.rejects(api.join("t", {}), (error) => error instanceof Failure && error.code === "seat_taken");
});

test("the moves that decided a match: by what they brought their player against the best other", () => {
  const round = (seats: number[], scores: number[][]) => ({
    first: 0,
    moves: seats.map(String),
    seats,
    scores,
    views: [],
  });
  const first = round(
    [0, 1, 2, 0],
    [
      [0, 0, 0],
      [5, 0, 0], // the first draws five ahead
      [5, 1, 0],
      [5, 1, 7], // the third was five behind and is two ahead
      [5, 1, 7], // nothing happens
    ],
  );
  const second = round(
    [1],
    [
      [0, 0, 0],
      [0, -7, 0],
    ],
  );
  assert.deepEqual(moments([first, second]), [
    { round: 0, move: 1, seat: 0, gain: 5 },
    { round: 0, move: 3, seat: 2, gain: 7 },
    { round: 1, move: 1, seat: 1, gain: -7 },
  ]);
  assert.deepEqual(
    moments([first, second], 1).map(({ round: at }) => at),
    [1], // of equal ones the later
  );
  assert.deepEqual(moments([round([], [[0, 0]])]), []);
});

test("where rounds are counted, their winning moves are the moments, a partner's too", () => {
  const round = (seats: number[]): Replay["rounds"][number] => ({
    first: 0,
    moves: seats.map(String),
    seats,
    scores: [],
    views: [],
  });
  const won = (...winners: number[]) => ({ first: 0, scores: [0, 0, 0, 0], winners, moves: 3 });
  const rounds = [round([0, 1, 2]), round([1, 2]), round([]), round([3, 0])];
  assert.deepEqual(wins(rounds, [won(0, 2), won(1, 3), won(1, 3), won(0, 2)]), [
    { round: 0, move: 3, seat: 2, gain: null },
    { round: 3, move: 2, seat: 0, gain: null },
  ]);
  assert.deepEqual(
    wins(rounds, [won(2), won(2), won(), won(0)], 2).map(({ round: at }) => at),
    [1, 3], // the last ones
  );
});
