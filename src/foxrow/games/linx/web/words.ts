/** LINX in words: moves, the log, the one sentence, tips. */
import type { Ask, MoveWords, Names, Step, Tip } from "$lib/game.ts";
import { list, num } from "$lib/i18n.svelte.ts";
import { lessonKey, neighbours, type LessonPart } from "$lib/lesson.ts";
import { beaten, completes, key, kinds, readMove, rivals, size, spots, threats } from "./table.ts";
import type { At, Kind, LinxView, Move, Spot, Tile } from "./table.ts";
import { t, type Text } from "./texts.ts";

export const nameOf = (names: Names, seat: number | null): string =>
  seat === null ? t("neutral") : seat === names.you ? t("you") : (names.players[seat]?.name ?? "");
const who = (names: Names, seat: number): "you" | "other" => (seat === names.you ? "you" : "other");
const place = (at: At) => ({ x: num(at[0]), y: num(at[1]) });

/** "Mira’s paper", as the object of a sentence. */
export function whatWords(tile: Tile, names: Names): string {
  const whose = tile.owner === null ? "none" : who(names, tile.owner);
  return t("what", { k: tile.tile, whose, name: tile.owner === null ? "" : nameOf(names, tile.owner) });
}

/** What the words of fifty moves ask of one view: found once for all of them. */
interface Scene {
  all: ReadonlyMap<string, Spot>;
  /** Where a rival of the seat to act could win, and who. */
  chances: ReadonlyMap<string, number>;
}
const scenes = new WeakMap<LinxView, Scene>();
function sceneOf(view: LinxView): Scene {
  const known = scenes.get(view);
  if (known) return known;
  const chances = new Map<string, number>();
  for (const rival of view.to_act === null ? [] : rivals(view, view.to_act))
    for (const at of threats(view, rival)) if (!chances.has(key(at))) chances.set(key(at), rival);
  const scene = { all: spots(view.board), chances };
  scenes.set(view, scene);
  return scene;
}

/** What follows from a move: a win, or the end of somebody's chance. */
function detail(move: Move, view: LinxView, names: Names): string | undefined {
  const { all, chances } = sceneOf(view);
  if (view.to_act === null) return undefined;
  if (completes(all, move.at, view.to_act, move.down)) return t("detail_wins");
  const rival = chances.get(key(move.at));
  return rival === undefined ? undefined : t("detail_blocks", { name: nameOf(names, rival) });
}

/** The seat to act has no tile to show when it passes. */
const handless = (view: LinxView): boolean => view.to_act !== null && size(view.hands[view.to_act]!) === 0;

export function moveWords(text: string, view: LinxView, names: Names): MoveWords {
  const move = readMove(text);
  if (!move) return { text: t(handless(view) ? "move_pass_empty" : "move_pass") };
  const { all } = sceneOf(view);
  const more = detail(move, view, names);
  const group = t("kind_title", { k: move.kind });
  const words: MoveWords = move.down
    ? {
        text: t("move_cover", { what: whatWords(all.get(key(move.at))!.top, names), ...place(move.at) }),
        group,
      }
    : {
        text: t("move_place", { the: t("the", { k: move.kind }), ...place(move.at) }),
        group,
        short: t("at", place(move.at)),
      };
  return more ? { ...words, detail: more } : words;
}

export function briefWords(text: string): string {
  const move = readMove(text);
  if (!move) return t("brief_pass");
  if (move.down) return t("brief_cover", { k: move.kind, ...place(move.at) });
  return t("brief_place", { kind: t("kind_title", { k: move.kind }), ...place(move.at) });
}

/** By symbol as in the hand, covers first, then row by row. */
export function sortMoves(legal: readonly string[]): string[] {
  const rank = (text: string): number[] => {
    const move = readMove(text);
    return move ? [kinds.indexOf(move.kind), move.down ? 0 : 1, move.at[1], move.at[0]] : [9];
  };
  return [...legal].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return left[i]! - (right[i] ?? 0);
    return 0;
  });
}

function drew(step: Step<LinxView>, spent: number): number {
  if (!step.before || !step.after) return 0;
  return size(step.after.hands[step.seat]!) - size(step.before.hands[step.seat]!) + spent;
}

export function stepWords(step: Step<LinxView>, names: Names): string {
  const base = { who: who(names, step.seat), name: nameOf(names, step.seat) };
  const move = readMove(step.move);
  if (!move) return t("log_pass", { ...base, n: drew(step, 0) });
  const kind = t("kind", { k: move.kind });
  const win = step.after?.line ? ` ${t("log_win")}` : "";
  if (!move.down) return t("log_place", { ...base, kind, ...place(move.at), n: drew(step, 1) }) + win;
  const covered = step.before && spots(step.before.board).get(key(move.at))?.top;
  if (!covered) return t("log_cover_plain", { ...base, kind, ...place(move.at) }) + win;
  return t("log_cover", { ...base, what: whatWords(covered, names), kind, ...place(move.at) }) + win;
}

/** What the chosen tile can do. */
export function askTile(kind: Kind, view: LinxView, legal: readonly string[], names: Names): Ask {
  const moves = legal.map(readMove).filter((move) => move?.kind === kind) as Move[];
  const covers = moves.filter((move) => move.down);
  const all = spots(view.board);
  const what = covers[0] ? whatWords(all.get(key(covers[0].at))!.top, names) : "";
  const values = { the: t("the", { k: kind }), n: covers.length, what };
  if (moves.length === 0) return { text: t("ask_none", { kind: t("kind_title", { k: kind }) }) };
  return { text: t(covers.length === moves.length ? "ask_cover" : "ask_place", values) };
}

export const askCell = (): Ask => ({ text: t("ask_cell") });

export function ask(view: LinxView, names: Names): Ask {
  if (view.over) {
    const winners = view.winners ?? [];
    if (names.you !== null && winners.includes(names.you))
      return { text: t("ask_over_you"), fox: "fox-happy" };
    return {
      text: t("ask_over", { who: list(winners.map((seat) => nameOf(names, seat))), n: winners.length }),
    };
  }
  const seat = view.to_act!;
  if (seat !== names.you) return { text: t("ask_wait", { name: nameOf(names, seat) }) };
  if (view.legal.includes("pass"))
    return {
      text: t(handless(view) ? "ask_pass_empty" : "ask_pass", { n: Math.min(2, size(view.piles[seat]!)) }),
    };
  return { text: t("ask_choose") };
}

export function resultDetail(view: LinxView): string | null {
  if (!view.over) return null;
  if (!view.line) return t("result_most");
  const first = spots(view.board).get(key(view.line[0]!));
  return t(first?.top.down ? "result_down" : "result_up");
}

export const lessonWords = (id: string, part: LessonPart, names: Names): string =>
  t(`lesson_${lessonKey(id, part)}` as Text, neighbours(names));

/** Each tip once, when it first matters; the first that applies wins. */
export function tip(view: LinxView, names: Names, seen: ReadonlySet<string>): Tip | null {
  const { you } = names;
  if (you === null || view.over || view.to_act !== you) return null;
  const own = view.board.filter((tile) => tile.owner === you).length;
  const tips: [string, boolean, () => string][] = [
    ["linx.line", true, () => t("tip_line")],
    ["linx.pass", view.legal.includes("pass"), () => t("tip_pass")],
    ["linx.place", true, () => t("tip_place", { n: view.limit })],
    ["linx.threat", rivals(view, you).some((one) => threats(view, one).length > 0), () => t("tip_threat")],
    ["linx.cover", view.legal.some((move) => move.includes("#")), () => t("tip_cover")],
    ["linx.draw", own > 1, () => t("tip_draw")],
  ];
  const found = tips.find(([id, now]) => now && !seen.has(id));
  return found ? { id: found[0], text: found[2]() } : null;
}

/** Why this tile may not go there. */
export function whyNot(kind: Kind, at: At, view: LinxView, touching: boolean, room: boolean): string {
  const spot = spots(view.board).get(key(at));
  if (spot?.top.down) return t("why_down");
  if (spot) return beaten[kind] === spot.top.tile ? t("why_nowhere") : t("why_beats", { k: kind });
  if (view.board.length === 0) return t("why_first");
  if (!room) return t("why_room", { n: view.limit });
  return touching ? t("why_nowhere") : t("why_touch");
}
