/** Line-it in words: moves, the log, the one sentence, reasons, tips. */
import type { Ask, MoveWords, Names, Step, Tip } from "$lib/game.ts";
import { list, num } from "$lib/i18n.svelte.ts";
import { lessonKey, neighbours, type LessonPart } from "$lib/lesson.ts";
import {
  figure,
  HAND,
  have,
  isBet,
  isEnd,
  jackpot,
  misfit,
  numbers,
  points,
  readMove,
  suitOf,
  suits,
  way,
  worth,
} from "./table.ts";
import type { Card, LineitView, Move, Suit } from "./table.ts";
import { t, type Text } from "./texts.ts";

export const nameOf = (names: Names, seat: number): string => names.players[seat]?.name ?? "";
const who = (names: Names, seat: number): "you" | "other" => (seat === names.you ? "you" : "other");
export const suitWords = (suit: Suit): string => t("suit", { suit });
export const cardWords = (card: Card): string =>
  isBet(card) ? t("bet", { n: figure(card) }) : t("card", { n: card, suit: suitWords(suitOf(card)) });

const either = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? "") : t("or", { a: parts.slice(0, -1).join(", "), b: parts.at(-1)! });
const cardsOf = (legal: readonly string[], verb: Move["verb"]): Card[] =>
  legal.map(readMove).flatMap((move) => (move.verb === verb && move.card !== null ? [move.card] : []));

/** What laying a card into the line brings. */
function layDetail(view: LineitView, seat: number, card: Card): string | undefined {
  if (isBet(card)) return t("detail_bet", { n: figure(card) });
  const wins = jackpot(view, seat, card);
  if (wins) return t("detail_jackpot", { suit: suitWords(suitOf(card)), n: wins });
  const going = way([...view.lines[seat]!, card]);
  if (isEnd(card, going)) return t("detail_none");
  if (going === "free") return undefined;
  const next = going === "up" ? card + 1 : card - 1;
  return t(isEnd(next, going) ? "detail_last" : going === "up" ? "detail_up" : "detail_down", { n: next });
}

export function closeWords(view: LineitView, seat: number): string {
  const { cards, bet, made } = worth(view.lines[seat]!);
  return t("detail_close", {
    n: cards,
    bet: bet === null ? "none" : made ? "made" : "lost",
    figure: bet ?? 0,
  });
}

export function moveWords(text: string, view: LineitView): MoveWords {
  const { verb, card } = readMove(text);
  const seat = view.to_act ?? view.active;
  if (card === null) {
    if (verb === "close") return { text: t("move_close"), detail: closeWords(view, seat) };
    return { text: t(view.phase === "final" ? "move_pass" : "move_done") };
  }
  const said = {
    text: t(verb === "take" ? "move_take" : verb === "keep" ? "move_keep" : "move_play", {
      card: cardWords(card),
    }),
  };
  const detail = verb === "keep" ? undefined : layDetail(view, seat, card);
  return detail ? { ...said, detail } : said;
}

export function briefWords(text: string): string {
  const { verb, card } = readMove(text);
  return t(`brief_${verb}`, { card: card ?? "" });
}

export function sortMoves(legal: readonly string[]): string[] {
  const order = ["take", "keep", "play", "close", "done"];
  return [...legal].sort((a, b) => {
    const [left, right] = [readMove(a), readMove(b)];
    return order.indexOf(left.verb) - order.indexOf(right.verb) || value(left.card) - value(right.card);
  });
}
const value = (card: Card | null): number => (card === null ? 0 : isBet(card) ? 100 + figure(card) : card);

/** The jackpot that a step paid, if any. */
export function paid(step: Step<LineitView>): { suit: Suit; n: number } | null {
  const { before, after, seat } = step;
  const { verb, card } = readMove(step.move);
  if (!before || !after || card === null || isBet(card) || verb === "keep") return null;
  const n = jackpot(before, seat, card);
  return n ? { suit: suitOf(card), n } : null;
}

/** The last card or pass closes every line: what each of them brought. */
function closings({ seat, move, before, after }: Step<LineitView>, names: Names): string {
  if (!before || !after?.over) return "";
  const { card } = readMove(move);
  const each = before.lines.map((line, at) => {
    const { cards, bet, made } = worth(at === seat && card !== null ? [...line, card] : line);
    const n = cards + (bet === null ? 0 : made ? bet : -bet);
    return `${at === names.you ? t("you") : nameOf(names, at)} ${n > 0 ? "+" : ""}${num(n)}`;
  });
  return ` ${t("log_closed", { list: list(each) })}`;
}

export function stepWords(step: Step<LineitView>, names: Names): string {
  return whatHappened(step, names) + closings(step, names);
}

function whatHappened(step: Step<LineitView>, names: Names): string {
  const { seat, before, after } = step;
  const base = { who: who(names, seat), name: nameOf(names, seat) };
  const { verb, card } = readMove(step.move);
  const won = paid(step);
  const bonus = won ? ` ${t("log_jackpot", { suit: suitWords(won.suit), n: won.n })}` : "";
  const turned =
    before && after && before.phase === "turn"
      ? after.phase === "final"
        ? ` ${t("log_final")}`
        : after.first !== before.first && !after.over
          ? ` ${t("log_round")}`
          : ""
      : "";
  if (card !== null) {
    return (
      t(verb === "take" ? "log_take" : verb === "keep" ? "log_keep" : "log_play", {
        ...base,
        card: cardWords(card),
      }) + bonus
    );
  }
  if (verb === "done") return t(before?.phase === "final" ? "log_pass" : "log_done", base) + turned;
  return before ? t("log_close", { ...base, n: before.line_scores[seat]! }) : t("log_close_plain", base);
}

/** "play 88 or close": what else the turn allows; closing for nothing is not suggested. */
function also(legal: readonly string[], close: boolean): string {
  const plays = cardsOf(legal, "play");
  const parts = plays.length ? [t("also_play", { cards: either(plays.map(String)) })] : [];
  if (close && legal.includes("close")) parts.push(t("also_close"));
  return parts.length < 2 ? (parts[0] ?? "") : t("or_else", { a: parts[0]!, b: parts[1]! });
}

export function ask(view: LineitView, names: Names): Ask {
  if (view.over) return over(view, names);
  const seat = view.to_act!;
  const name = nameOf(names, seat);
  if (seat !== names.you) {
    return {
      text: t(view.phase === "final" ? "ask_wait_final" : view.taken ? "ask_wait_taken" : "ask_wait", {
        name,
      }),
    };
  }
  const { legal } = view;
  if (view.phase === "final") {
    const fits = legal.some((move) => move.startsWith("play"));
    const none = view.hands[seat]!.length === 0 ? "ask_final_empty" : "ask_final_none";
    return { text: t(fits ? "ask_final" : none, { lap: view.lap }) };
  }
  const more = also(legal, view.line_scores[seat]! > 0);
  if (view.taken)
    return more
      ? { text: t("ask_after", { also: more }) }
      : { text: t(legal.length > 1 ? "ask_end" : "ask_done") };
  const takes = cardsOf(legal, "take");
  const keeps = cardsOf(legal, "keep");
  if (takes.length && keeps.length) return { text: t("ask_take_keep") };
  if (keeps.length) return { text: t("ask_keep", { also: more || "none" }) };
  if (takes.length === 0) return { text: t("ask_stuck", { also: also(legal, true) }) };
  const cards = either(takes.map((card) => `<b>${card}</b>`));
  return { text: more ? t("ask_take_more", { cards, also: more }) : t("ask_take", { cards }) };
}

function over(view: LineitView, names: Names): Ask {
  const winners = view.winners ?? [];
  const score = view.scores[winners[0] ?? 0] ?? 0;
  if (winners.length === 1 && winners[0] === names.you)
    return { text: t("ask_over_you", { score }), fox: "fox-happy" };
  const joint = list(winners.map((seat) => (seat === names.you ? t("you") : nameOf(names, seat))));
  return { text: t("ask_over", { who: joint, n: winners.length, score }) };
}

/** Why these cards cannot go into the line; null when there is no reason. All of them have the same one. */
export function misfitWords(line: readonly Card[], ...cards: readonly [Card, ...Card[]]): string | null {
  const why = misfit(line, cards[0]);
  if (!why) return null;
  if (why.kind === "bet") return t("why_bet");
  const which = { card: list(cards.map(String)), n_cards: cards.length };
  return t(why.kind === "under" ? "why_up" : "why_down", { ...which, n: why.n });
}

/** The server's codes in our words. */
export function refusal(code: string): string | null {
  switch (code) {
    case "hand_full":
      return t("why_full");
    case "already_taken":
      return t("why_taken");
    case "already_played":
      return t("why_played");
    case "must_take":
      return t("why_take_first");
    case "no_line":
      return t("why_no_line");
    case "no_closing":
    case "other_phase":
      return t("why_final");
    case "second_bet":
      return t("why_bet");
    default:
      return null;
  }
}

/** Everything that stands in the reader's way now, for the side panel. */
export function obstacles(view: LineitView, names: Names): string[] {
  const { you } = names;
  if (you === null || view.to_act !== you || view.over || view.phase !== "turn") return [];
  const line = view.lines[you]!;
  const out: string[] = [];
  if (!view.taken) {
    const full = view.hands[you]!.length >= HAND;
    if (full) out.push(t("why_full"));
    const alike = (kind: string) => view.market.filter((card) => misfit(line, card)?.kind === kind);
    for (const [first, ...more] of ["under", "over", "bet"].map(alike)) {
      const why = first === undefined ? null : misfitWords(line, first, ...more);
      if (why) out.push(why);
    }
  } else if (view.played && view.hands[you]!.length > 0) out.push(t("why_played"));
  return out;
}

export const resultDetail = (view: LineitView): string | null => (view.over ? t("result_cards") : null);

export const lessonWords = (id: string, part: LessonPart, names: Names): string =>
  t(`lesson_${lessonKey(id, part)}` as Text, neighbours(names));

/** Each tip once, when it first matters; the first that applies wins. */
export function tip(view: LineitView, names: Names, seen: ReadonlySet<string>): Tip | null {
  const { you } = names;
  if (you === null || view.over || view.to_act !== you) return null;
  const line = view.lines[you]!;
  // With two players the last of a round is the first of the next one.
  const again = view.players === 2 && view.first === you && !view.taken && !view.played && line.length > 0;
  const bets = view.market.some(isBet) || view.hands[you]!.some(isBet);
  const tips: [string, boolean, () => string][] = [
    ["lineit.final", view.phase === "final", () => t("tip_final")],
    ["lineit.goal", true, () => t("tip_goal")],
    ["lineit.take", view.phase === "turn" && !view.taken, () => t("tip_take")],
    ["lineit.again", again, () => t("tip_again")],
    ["lineit.way", numbers(line).length === 1, () => t("tip_way")],
    ["lineit.bet", bets, () => t("tip_bet")],
    [
      "lineit.jackpot",
      suits.some((suit) => have(line, suit) > 0 && view.jackpots[suit].length > 0),
      () => t("tip_jackpot"),
    ],
    ["lineit.play", view.legal.some((move) => move.startsWith("play")), () => t("tip_play")],
    ["lineit.close", numbers(line).length > 3, () => t("tip_close")],
  ];
  const found = tips.find(([id, now]) => now && !seen.has(id));
  return found ? { id: found[0], text: found[2]() } : null;
}

export { points };
