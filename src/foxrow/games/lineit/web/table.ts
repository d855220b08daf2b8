/** What lies on a Line-it table, read from a view. It shows and previews; what is legal comes from the server alone. */
import type { GameView, Hidden } from "$lib/game.ts";

export type Suit = "heart" | "diamond" | "leaf" | "star";
export const suits: readonly Suit[] = ["heart", "diamond", "leaf", "star"];
/** A number from 1 to 100, or a bet: "+3", "+4", "+5". */
export type Card = number | `+${number}`;

export interface LineitView extends GameView {
  deck: Hidden<Card> | Card[];
  market: Card[];
  lines: Card[][];
  hands: Card[][];
  jackpots: Record<Suit, number[]>;
  /** Who holds the first-player token. */
  first: number;
  active: number;
  taken: boolean;
  played: boolean;
  /** 1 or 2 in the final phase, else 0. */
  lap: number;
  /** What each open line would score if it were closed now. */
  line_scores: number[];
}

export const HAND = 2;
/** Numbers that closing costs (T7). */
export const COST = 3;

export const suitOf = (n: number): Suit => suits[(n - 1) % 4]!;
export const isBet = (card: Card): card is `+${number}` => typeof card === "string";
export const figure = (bet: `+${number}`): number => Number(bet.slice(1));
export const numbers = (line: readonly Card[]): number[] =>
  line.filter((card): card is number => typeof card === "number");
export const deckSize = (view: LineitView): number => ("n" in view.deck ? view.deck.n : view.deck.length);
/** Points in the score pile, open lines left out. */
export const points = (view: LineitView, seat: number): number =>
  view.scores[seat]! - view.line_scores[seat]!;

/** Nothing lies in a seat's line because it has been closed. After one that brought nothing, a view does not tell. */
export const closed = (view: LineitView, seat: number): boolean =>
  view.lines[seat]!.length === 0 && (view.over || points(view, seat) !== 0);

export type Way = "up" | "down" | "free";
/** The highest of a line that goes up, the lowest of one that goes down: no number comes after it. */
export const isEnd = (n: number, going: Way): boolean =>
  n === (going === "up" ? 100 : going === "down" ? 1 : 0);

export function way(line: readonly Card[]): Way {
  const [a, b] = numbers(line);
  return a === undefined || b === undefined ? "free" : b > a ? "up" : "down";
}

/** The numbers a line holds of a suit. */
export const have = (line: readonly Card[], suit: Suit): number =>
  numbers(line).filter((n) => suitOf(n) === suit).length;

/** What closing a line brings: its cards, and its bet. */
export interface Worth {
  cards: number;
  bet: number | null;
  made: boolean;
  /** Numbers laid after the bet. */
  after: number;
}

export function worth(line: readonly Card[]): Worth {
  const at = line.findIndex(isBet);
  const bet = at < 0 ? null : figure(line[at] as `+${number}`);
  const after = at < 0 ? 0 : numbers(line.slice(at + 1)).length;
  return { cards: Math.max(0, numbers(line).length - COST), bet, made: bet !== null && after >= bet, after };
}

/** What a jackpot would pay if this card came into the line; 0 for nothing. */
export function jackpot(view: LineitView, seat: number, card: Card): number {
  if (isBet(card) || have(view.lines[seat]!, suitOf(card)) !== 2) return 0;
  return view.jackpots[suitOf(card)].length;
}

/** Why a card does not fit a line, or null when it does. */
export type Misfit = { kind: "under" | "over"; n: number } | { kind: "bet" };
export function misfit(line: readonly Card[], card: Card): Misfit | null {
  if (isBet(card)) return line.some(isBet) ? { kind: "bet" } : null;
  const last = numbers(line).at(-1);
  const going = way(line);
  if (last === undefined || going === "free") return null;
  if (going === "up") return card > last ? null : { kind: "under", n: last };
  return card < last ? null : { kind: "over", n: last };
}

/** Cards by name: two equal bets need two names. */
export const named = (prefix: string, cards: readonly Card[]): { card: Card; at: string }[] =>
  cards.map((card, i) => ({
    card,
    at: cards.indexOf(card) === i ? `${prefix}${card}` : `${prefix}${card}-${i}`,
  }));

export interface Move {
  verb: "take" | "keep" | "play" | "close" | "done";
  card: Card | null;
}
export function readMove(text: string): Move {
  const [verb, card] = text.split(" ") as [Move["verb"], string | undefined];
  return { verb, card: card === undefined ? null : card.startsWith("+") ? (card as Card) : Number(card) };
}

/** The others in turn order after a seat. */
export function after(players: number, seat: number): number[] {
  return Array.from({ length: players - 1 }, (_, i) => (seat + 1 + i) % players);
}
