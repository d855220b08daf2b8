/** Linko in words: rows, moves, the log, the one sentence, tips. */
import type { Ask, MoveWords, Names, Step, Tip } from "$lib/game.ts";
import { list } from "$lib/i18n.svelte.ts";
import { lessonKey, neighbours, type LessonPart } from "$lib/lesson.ts";
import { fate, openHand, readRow, size, topRow, worth, wouldHit, writeRow } from "./table.ts";
import type { Card, LinkoView, Row } from "./table.ts";
import { t, type Text } from "./texts.ts";

export const cardWords = (card: Card): string => (card === "X" ? t("joker") : String(card));

/** "two 9s": jokers among numbers count as the number. */
export function rowWords(row: Row): string {
  const n = row.length;
  return worth(row) > 13 ? t("row_jokers", { n }) : t("row", { n, v: worth(row) });
}

export const nameOf = (names: Names, seat: number): string => names.players[seat]?.name ?? "";
const who = (names: Names, seat: number): "you" | "other" => (seat === names.you ? "you" : "other");

/** What laying a row would do, in a few words. */
export function effectWords(view: LinkoView, seat: number, row: Row, names: Names): string {
  if (row.length === size(view.hands[seat]!)) return t("detail_last");
  const hit = wouldHit(view, seat, row);
  return hit.length
    ? t("detail_hits", { who: list(hit.map((one) => nameOf(names, one))) })
    : t("detail_none");
}

/** The row that is being settled now, on the victim's stack. */
function hitRow(view: LinkoView): Row {
  return (view.victim === null ? undefined : topRow(view, view.victim)) ?? [];
}

export function moveWords(move: string, view: LinkoView, names: Names): MoveWords {
  const row = readRow(move);
  if (row)
    return {
      text: t("move_lay", { row: writeRow(row) }),
      detail: effectWords(view, view.active, row, names),
    };
  const hit = hitRow(view);
  const words = rowWords(hit);
  const n = hit.length;
  const name = view.victim === null ? "" : nameOf(names, view.victim);
  switch (move) {
    case "take":
      return { text: t("move_take", { name, row: words }), detail: t("detail_draws", { name, n }) };
    case "leave":
      return { text: t("move_leave", { name, row: words }), detail: t("detail_leave", { name, n }) };
    case "ignore":
      return { text: t("move_ignore"), detail: t("detail_ignore") };
    case "back":
      return { text: t("move_back", { row: words }), detail: t("detail_back") };
    case "discard":
      return { text: t("move_discard", { row: words }), detail: t("detail_discard", { n }) };
    case "pile":
      return { text: t("move_pile"), detail: t("detail_pile", { n: size(view.pile) }) };
    default:
      return { text: t("move_show", { card: cardWords(readCard(move.slice(5))) }) };
  }
}

/** A row is read by its cards alone. */
export function briefWords(move: string): string {
  if (readRow(move)) return move;
  const [verb, card] = move.split(" ") as [string, string?];
  return t(`brief_${verb}` as Text, { card: card === undefined ? "" : cardWords(readCard(card)) });
}

const readCard = (text: string): Card => (text === "X" ? "X" : Number(text));

/** Long rows first within a value, jokers after numbers: the order of the hand, then the order of wishes. */
export function sortMoves(legal: readonly string[]): string[] {
  const key = (move: string): number => {
    const row = readRow(move);
    if (row) return worth(row) * 1000 - row.length * 10 + row.filter((card) => card === "X").length;
    return ["take", "leave", "ignore", "back", "discard", "pile"].indexOf(move) >= 0
      ? ["take", "leave", "ignore", "back", "discard", "pile"].indexOf(move)
      : 100 + (move === "show X" ? 14 : Number(move.slice(5)));
  };
  return [...legal].sort((a, b) => key(a) - key(b));
}

/** The card that came into a hand this view can see. */
function drawn(step: Step<LinkoView>): string {
  const before = step.before && openHand(step.before, step.seat);
  const after = step.after && openHand(step.after, step.seat);
  if (!before || !after) return "";
  const rest = [...before];
  for (const card of after) {
    const at = rest.indexOf(card);
    if (at < 0) return cardWords(card);
    rest.splice(at, 1);
  }
  return "";
}

export function stepWords(step: Step<LinkoView>, names: Names): string {
  const { seat, move, before, after } = step;
  const base = { who: who(names, seat), name: nameOf(names, seat) };
  const row = readRow(move);
  if (row) {
    const said = t("log_lay", { ...base, row: writeRow(row) });
    if (!after) return said;
    if (after.over) return `${said} ${t("log_empty")}`;
    if (after.victim === null) return `${said} ${t("log_none")}`;
    return `${said} ${hitSaid(after, names)}`;
  }
  const victim = before?.victim ?? null;
  const hit = before ? writeRow(hitRow(before)) : "";
  const other = victim === null ? "" : nameOf(names, victim);
  const whom = victim === null ? "other" : who(names, victim);
  // A settled hit may lead to the next one.
  const next =
    after && before && after.victim !== null && after.victim !== before.victim && after.phase === "attacker"
      ? ` ${hitSaid(after, names)}`
      : "";
  switch (move) {
    case "take":
      return t("log_take", { ...base, row: hit, other, whom });
    case "leave":
      return t("log_leave", { ...base, row: hit, other, whom });
    case "ignore":
      return t("log_ignore", base) + next;
    case "back":
      return t("log_back", { ...base, row: hit }) + next;
    case "discard":
      return t("log_discard", { ...base, row: hit });
    case "pile":
      return t("log_pile", { ...base, card: drawn(step) }) + next;
    default:
      return t("log_show", { ...base, card: cardWords(readCard(move.slice(5))) }) + next;
  }
}

function hitSaid(view: LinkoView, names: Names): string {
  const victim = view.victim!;
  const row = hitRow(view);
  return t("log_hit", {
    who: who(names, victim),
    name: nameOf(names, victim),
    row: writeRow(row),
    n: row.length,
  });
}

export function ask(view: LinkoView, names: Names): Ask {
  if (view.over) return over(view, names);
  const seat = view.to_act!;
  const you = seat === names.you;
  const name = nameOf(names, seat);
  const hit = hitRow(view);
  const row = rowWords(hit);
  const n = hit.length;
  switch (view.phase) {
    case "lay":
      return { text: you ? t("ask_lay") : t("ask_lay_wait", { name }) };
    case "attacker": {
      const laid = topRow(view, view.active) ?? [];
      const mine = rowWords(laid);
      const other = nameOf(names, view.victim!);
      if (you)
        return { text: t("ask_attack_you", { mine, m: laid.length, name: other, row, n }), fox: "fox-wink" };
      if (view.victim === names.you) return { text: t("ask_attack_me", { name, mine, m: laid.length, row }) };
      return { text: t("ask_attack_wait", { name, mine, m: laid.length, other, row }) };
    }
    case "victim":
      if (you) return { text: t("ask_victim_you", { name: nameOf(names, view.active), row, n }) };
      return { text: t("ask_victim_wait", { name, row }) };
    default:
      return {
        text: you
          ? t("ask_draw_you", { name: nameOf(names, view.active), n: view.draws })
          : t("ask_draw_wait", { name, n: view.draws }),
      };
  }
}

function over(view: LinkoView, names: Names): Ask {
  const winners = view.winners ?? [];
  const score = view.scores[winners[0] ?? 0] ?? 0;
  if (winners.length === 1 && winners[0] === names.you)
    return { text: t("ask_over_you", { score }), fox: "fox-happy" };
  const joint = list(winners.map((seat) => (seat === names.you ? t("you") : nameOf(names, seat))));
  return { text: t("ask_over", { who: joint, n: winners.length, score }) };
}

export function resultDetail(view: LinkoView, names: Names): string | null {
  if (!view.over) return null;
  const empty = view.hands.findIndex((hand) => size(hand) === 0);
  const ended =
    empty >= 0 ? t("result_hand", { who: who(names, empty), name: nameOf(names, empty) }) : t("result_pile");
  // Who ended it did not win: then it is said what counts.
  return view.winners?.includes(empty) ? ended : `${ended} ${t("result_count")}`;
}

export const lessonWords = (id: string, part: LessonPart, names: Names): string =>
  t(`lesson_${lessonKey(id, part)}` as Text, neighbours(names));

/** Each tip once, when it first matters; the first that applies wins. */
export function tip(view: LinkoView, names: Names, seen: ReadonlySet<string>): Tip | null {
  const { you } = names;
  if (you === null || view.over) return null;
  const mine = view.to_act === you;
  const hand = openHand(view, you) ?? [];
  const rivals = view.stacks.some((rows, seat) => seat !== you && rows.length > 0);
  const nearly = view.hands.some((one) => size(one) <= 5);
  const tips: [string, boolean, () => string][] = [
    ["linko.goal", true, () => t("tip_goal")],
    ["linko.lay", mine && view.phase === "lay", () => t("tip_lay")],
    ["linko.hit", (mine && rivals) || (view.phase === "attacker" && view.victim === you), () => t("tip_hit")],
    ["linko.victim", mine && view.phase === "victim", () => t("tip_victim")],
    ["linko.draw", mine && view.phase === "draw", () => t("tip_draw")],
    ["linko.joker", mine && view.phase === "lay" && hand.includes("X"), () => t("tip_joker")],
    ["linko.end", mine && view.phase === "lay" && nearly, () => t("tip_end")],
  ];
  const found = tips.find(([id, now]) => now && !seen.has(id));
  return found ? { id: found[0], text: found[2]() } : null;
}

/** How an opponent stands against a row, in a chip's few words. */
export function safeWords(row: Row, top: Row | undefined): string {
  switch (fate(row, top)) {
    case "none":
      return t("chip_empty");
    case "count":
      return t("chip_count", { n: top!.length });
    case "value":
      return t("chip_value");
    default:
      return t("chip_would");
  }
}
