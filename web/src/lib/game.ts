/**
 * The seam between the shell and a game.
 *
 * A game's folder fills it with `web/index.ts`, whose default export is a `GameCard`: what the home page needs
 * and no more. The rest (`GamePlay`: words, board, tips) is loaded when somebody sits down. The shell names no
 * game; it finds the cards by glob (games.ts) and speaks to them through these types only.
 */
import type { Component, Snippet } from "svelte";
import type { LessonPart } from "./lesson.ts";

/** A list the seat may not see: its length, and the entries everybody knows of. */
export interface Hidden<T> {
  n: number;
  known?: T[];
}

/** What every game's view holds; a game extends it with its own part (notation.md, "View"). */
export interface GameView {
  game: string;
  players: number;
  options: Record<string, unknown>;
  first: number;
  /** Whose eyes: a seat, or null for a spectator and for the open review. */
  seat: number | null;
  phase: string;
  /** Null when the round is over. */
  to_act: number | null;
  /** Notation, sorted; only for the seat to act, else empty. */
  legal: string[];
  /** As if the round ended now. */
  scores: number[];
  over: boolean;
  winners: number[] | null;
}

/** A person or a bot at the table, as boards draw them. */
export interface Player {
  name: string;
  /** 1 to 5: the fox's coat. */
  coat: number;
  /** The level's name when a bot sits here, else null. */
  bot: string | null;
  /** False while this person's connection is away. */
  here: boolean;
}

/** Who sits where, and which of them reads this screen. */
export interface Names {
  players: readonly Player[];
  /** The seat of the person in front of this screen; null for spectators and the open review. */
  you: number | null;
}

/** One move that was made: what a log line, an announcement and an animation start from. */
export interface Step<V extends GameView = GameView> {
  seat: number;
  move: string;
  /** The view before the move; null where it is not at hand (a log read after coming back). */
  before: V | null;
  /** The view right after it; null as above. */
  after: V | null;
}

/** One legal move in words, for the moves panel. `<b>` is the only mark-up allowed in a text. */
export interface MoveWords {
  text: string;
  /** What follows from it, in a few words. */
  detail?: string;
  /** Moves with the same group stand under one heading (a tile with many places to go). */
  group?: string;
  /** The button's short face inside a group ("2, -1"); `text` is then its spoken name. */
  short?: string;
}

/** The one sentence above the hand. */
export interface Ask {
  text: string;
  fox?: "fox" | "fox-wink" | "fox-happy";
}

/** A one-sentence tip, shown once, when it first matters. */
export interface Tip {
  /** Remembered as seen under this name. */
  id: string;
  text: string;
}

/** play: my seat, with a hand. watch: a spectator. review: stepping through a finished game, hands drawn on the mat. */
export type BoardMode = "play" | "watch" | "review";

export interface BoardProps<V extends GameView = GameView> {
  view: V;
  names: Names;
  /** The match so far, by seat, before this round; null where it is not known (a single round in review). */
  totals: readonly number[] | null;
  /** What the match is played to, by the setting's name; null as above. */
  match: Readonly<Record<string, number>> | null;
  /** The seat drawn nearest to the reader. */
  perspective: number;
  mode: BoardMode;
  /** Legal moves of the reader's seat; empty when it is not theirs to act. */
  legal: readonly string[];
  /** False: show, but light nothing and send nothing (a move is on its way, the connection is away). */
  canAct: boolean;
  /** The move on its way to the server, so that the board can already lift its card; null when none. */
  pending: string | null;
  onmove: (move: string) => void;
  /** A move that the reader points at in the list of moves, so that the board can show where it goes; null when none. */
  pointed?: string | null;
  /** Something is chosen on the board, as one of the moves that it may become, so that the list can show these; or nothing. */
  onchoose?: (move: string | null) => void;
  /** Somebody touched what is not possible now: the frame shows and speaks the reason. */
  onwhynot: (reason: string) => void;
  /** What led to this view, for animations; null when the view did not come from one move (joined, jumped). */
  step: Step<V> | null;
  /**
   * Renders the one sentence; a board that knows better (a card is chosen) passes its own, otherwise
   * `GamePlay.ask` speaks. Must be rendered once inside the tray in mode "play".
   */
  ask: Snippet<[Ask?]>;
}

/**
 * The board: in mode "play" two elements side by side, `<main class="mat">` and `<section class="hand-tray">`
 * (kit.css lays them out; the tray holds the sentence, choices and hand); in the other modes the mat alone, and
 * the frame supplies what stands below it. How much room there is, styles and code ask by name (styles/rooms.css). Every
 * control that makes a move carries `data-move="<notation>"`, and every control that is a step towards one (a card to
 * choose first) `data-pick`: tests play whole matches on any board by them.
 */
export type Board<V extends GameView = GameView> = Component<BoardProps<V>>;

/** Extra panel beside the moves on wide screens ("this hit"); it makes no moves. */
export type SidePanel<V extends GameView = GameView> = Component<{
  view: V;
  names: Names;
  step: Step<V> | null;
}>;

/** A game's `web/Picture.svelte`, if it has one: a small picture beside a rule on the rules page, nothing for the rest. */
export type RulePicture = Component<{ rule: string }>;

/** All that is loaded when a table or a review opens. */
export interface GamePlay<V extends GameView = GameView> {
  Board: Board<V>;
  Side?: SidePanel<V>;
  /** One legal move of the seat to act. */
  moveWords(move: string, view: V, names: Names): MoveWords;
  /** A move that was made, in two or three words: for lists of so many that not all of their views are at hand. */
  briefWords(move: string): string;
  /** Orders the legal moves for the panel, most natural first; the default is notation order. */
  sortMoves?(legal: readonly string[], view: V): string[];
  /** One move that was made, as a log line and live announcement: "<b>Noor</b> laid 3." */
  stepWords(step: Step<V>, names: Names): string;
  /** Whose turn it is and what is asked, for this reader. One sentence, also when waiting and when over. */
  ask(view: V, names: Names): Ask;
  /** Why a move was refused, by the server's code; null: the shell's general words are used. */
  refusal?(code: string, view: V, names: Names): string | null;
  /** The tip that matters now and is not in `seen`, if any. */
  tip(view: V, names: Names, seen: ReadonlySet<string>): Tip | null;
  /** A lesson's words: what it is called, why it matters, what each step asks (from 1), and what came of it. */
  lessonWords?(id: string, part: LessonPart, names: Names): string;
  /** How the round ended, in one sentence ("three face down in a row"); null when nothing is to be added. */
  resultDetail(view: V, names: Names): string | null;
  /** What the table's bar says beside the match's state ("deck 16"); null for nothing. */
  barDetail?(view: V): string | null;
  /** The sound of a move (sound.ts names); null for silence. */
  sound?(step: Step<V>): SoundName | null;
  /** The canonical deck in the order that rules.md gives, as texts: the browser's check of the shuffle starts from it. */
  deck(players: number, options: Record<string, unknown>): string[];
  /** Whether a round's first open view (all hands and piles as lists) is what dealing `order` gives. */
  dealt(order: readonly string[], view: V): boolean;
}

export type SoundName =
  "card" | "flip" | "tile" | "draw" | "turn" | "hit" | "jackpot" | "close" | "win" | "no";

/** What the home page shows; the default export of a game's `web/index.ts`. Keep it light. */
export interface GameCard {
  /** The folder's name. */
  key: string;
  /** The game's name as its publisher writes it. */
  name: string;
  /** Drawn name: an `<svg class="word" fill="none" stroke="currentColor">` without a fixed size. */
  Word: Component<Record<string, never>>;
  /** The cover's art: `<svg class="art" viewBox="0 0 400 240" preserveAspectRatio="… slice">`. */
  Cover: Component<Record<string, never>>;
  /** One line under the name. */
  tagline(): string;
  /** A round's usual length. */
  minutes: number;
  /** Player counts, and the one offered first against bots. */
  players: { low: number; high: number; usual: number };
  /** Name of an option and of its choices on the table form, with a note where a ruling needs saying. Without choices it
   * is a switch, which is on or off. */
  optionWords(option: string): { label: string; note?: string; choice?(value: unknown): string };
  /** What the match setting counts ("rounds each player starts"), for the table form and the bar. */
  matchWords: {
    /** The setting's label on the form; null where the match has no setting. */
    setting: string | null;
    /** One choice of it, for so many players: "4 rounds: each starts once". */
    choice(value: number, players: number): string;
  };
  /** Words, board and the rest, kept out of the first load. */
  load(): Promise<GamePlay>;
}

/** Types a game's play.ts at its own view and hands it to the shell, which only ever passes back what the game's server sent. */
export function definePlay<V extends GameView>(play: GamePlay<V>): GamePlay {
  return play as unknown as GamePlay;
}
