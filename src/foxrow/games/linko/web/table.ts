/** What lies on a Linko table, read from a view. It shows and previews; what is legal comes from the server alone. */
import type { GameView, Hidden } from "$lib/game.ts";

/** 1 to 13, or the joker. */
export type Card = number | "X";
/** Numbers first, jokers last. */
export type Row = readonly Card[];

export interface LinkoView extends GameView {
  hands: (Card[] | Hidden<Card>)[];
  /** Per seat, oldest row first. */
  stacks: Row[][];
  display: Card[];
  pile: Hidden<Card> | Card[];
  discard: Card[];
  /** Who laid last, or is about to. */
  active: number;
  /** The seat hit, while a hit is being settled. */
  victim: number | null;
  /** Cards the victim still has to draw. */
  draws: number;
}

export const size = (pile: Hidden<Card> | readonly Card[]): number => ("n" in pile ? pile.n : pile.length);

/** Above 13 for jokers alone (L5). */
export function worth(row: Row): number {
  const first = row[0];
  return typeof first === "number" ? first : 14;
}

export const topRow = (view: LinkoView, seat: number): Row | undefined => view.stacks[seat]?.at(-1);
export const laid = (view: LinkoView, seat: number): number =>
  view.stacks[seat]!.reduce((sum, row) => sum + row.length, 0);

/** The hand as a list: all of it where this view may see it, else null. */
export function openHand(view: LinkoView, seat: number): Card[] | null {
  const hand = view.hands[seat]!;
  return Array.isArray(hand) ? hand : null;
}

const byValue = (a: Card, b: Card): number => (a === "X" ? 14 : a) - (b === "X" ? 14 : b);
export const sorted = (cards: readonly Card[]): Card[] => [...cards].sort(byValue);

export interface Group {
  value: Card;
  count: number;
}

export function groups(cards: readonly Card[]): Group[] {
  const out: Group[] = [];
  for (const card of sorted(cards)) {
    const last = out.at(-1);
    if (last?.value === card) last.count++;
    else out.push({ value: card, count: 1 });
  }
  return out;
}

/** A move's text as a row, or null for the other moves. */
export function readRow(move: string): Row | null {
  const parts = move.split(" ");
  if (!parts.every((part) => part === "X" || /^\d+$/.test(part))) return null;
  return parts.map((part) => (part === "X" ? "X" : Number(part)));
}

export const writeRow = (row: Row): string => row.join(" ");

/** For a label that has no room for every card: "6 × 12". */
export const shortRow = (row: Row): string =>
  row.length < 4 ? writeRow(row) : `${row.length} × ${row[0] ?? ""}`;

/** How one opponent's top row stands against a row (L7). */
export type Fate = "hit" | "none" | "count" | "value";

export function fate(row: Row, top: Row | undefined): Fate {
  if (!top) return "none";
  if (top.length !== row.length) return "count";
  return worth(top) < worth(row) ? "hit" : "value";
}

/** Opponents clockwise from a seat's left. */
export function around(players: number, seat: number): number[] {
  return Array.from({ length: players - 1 }, (_, i) => (seat + 1 + i) % players);
}

/** Whom a row would hit as things lie now; nobody when it empties the hand (L13). */
export function wouldHit(view: LinkoView, seat: number, row: Row): number[] {
  if (row.length === size(view.hands[seat]!)) return [];
  return around(view.players, seat).filter((one) => fate(row, topRow(view, one)) === "hit");
}

export type Place = "before" | "now" | "after";

/** Where an opponent stands in the circle of the row just laid: already compared, hit now, still to come. */
export function place(view: LinkoView, seat: number): Place | null {
  if (view.victim === null || seat === view.active) return null;
  const order = around(view.players, view.active);
  const at = order.indexOf(seat);
  const now = order.indexOf(view.victim);
  return at < now ? "before" : at === now ? "now" : "after";
}
