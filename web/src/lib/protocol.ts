// Written by `python -m foxrow.server.typescript` from src/foxrow/server/messages.py: do not edit.
// Numbers of milliseconds that name a point in time count from 1970, UTC.

export const PROTOCOL = 1;

/** What a seat (or a spectator: seat null) may see; the game adds its own keys (docs/guide, notation). */
export interface View {
  game: string;
  players: number;
  options: Record<string, boolean | string>;
  seat: number | null;
  phase: string;
  to_act: number | null;
  /** sorted; only for the seat to act, else empty */
  legal: string[];
  /** as if the round ended now */
  scores: number[];
  over: boolean;
  winners: number[] | null;
  [key: string]: unknown;
}

/** none; move: `seconds` for each move; game: `seconds` for all moves of a round plus `increment` after each; days: `days` for each move. At zero a bot makes that move, or the seat loses. */
export interface ClockSetting {
  kind?: "days" | "game" | "move" | "none";
  seconds?: number;
  /** seconds */
  increment?: number;
  days?: number;
  at_zero?: "bot" | "lose";
}

/** `left[seat]` was right at `at`; since then only `running` counts down. Null: this seat is not timed. */
export interface Clock {
  running: number | null;
  left: (number | null)[];
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface OptionCard {
  key: string;
  choices: (boolean | string)[];
  default: boolean | string;
  /** player counts where it has a meaning; null: all */
  players: number[] | null;
  /** choices that make opposite seats partners */
  partners: (boolean | string)[];
  /** the card's English note; clients have their own words by key */
  note: string;
}

export interface MatchCard {
  /** cycles, points or single */
  kind: string;
  /** the key in a match's settings; null: no setting */
  setting: string | null;
  default: number;
  low: number;
  high: number;
}

export interface LevelCard {
  /** a bot level of GameCard.levels */
  level: number;
  /** stable name of the level, e.g. for its words in a client */
  key: string;
}

export interface GameCard {
  key: string;
  name: string;
  summary: string;
  /** whom the name belongs to */
  publisher: string;
  players: number[];
  options: OptionCard[];
  phases: string[];
  match: MatchCard;
  levels: LevelCard[];
  /** share of its rules that are compiled; below 1 on a first start, and a new table waits */
  prepared: number;
  /** their names, the first first; a number says which, from 1 */
  lessons: string[];
  /** their names, the hard ones last; a number says which, from 1 */
  puzzles: string[];
}

export interface Games {
  games: GameCard[];
  /** codes of the quick phrases */
  phrases: string[];
  version: string;
}

/** Who this browser is. Made by the first call that needs it, kept in a signed HttpOnly cookie. */
export interface Me {
  /** false: nobody yet; watching is all that needs no person */
  known: boolean;
  /** null until chosen */
  name: string | null;
}

export interface NameChange {
  /** a nickname: 1 to 24 letters that can be read */
  name: string;
}

/** Give it to another device within its life to be the same person there; it works once. */
export interface DeviceCode {
  code: string;
  /** milliseconds; points in time since 1970, UTC */
  expires: number;
}

export interface DeviceClaim {
  code: string;
}

/** `me`: the creator; again for each further person on this device (hot-seat), told apart by `name`. */
export interface SeatRequest {
  kind: "bot" | "me" | "open";
  level?: number | null;
  name?: string | null;
}

export interface CreateTable {
  /** a snake_case key */
  game: string;
  /** one per player, seat 0 first */
  seats: SeatRequest[];
  options?: Record<string, boolean | string>;
  /** the match's setting (MatchCard); null: its default */
  match?: number | null;
  clock?: ClockSetting;
  /** in the lobby for all; else only who has the link */
  listed?: boolean;
  /** free chat; refused on listed tables and where partners play */
  chat?: boolean;
  /** what happens when someone leaves a running game */
  leave?: "bot" | "end";
  /** who starts the first round; null: drawn at random */
  first?: number | null;
  ref?: string | null;
}

export interface JoinTable {
  /** null: any open seat */
  seat?: number | null;
  /** a name for this seat alone (hot-seat) */
  name?: string | null;
  ref?: string | null;
}

export interface SeatInfo {
  kind: "bot" | "open" | "person";
  /** null: open seat, bot, no name yet, or a person who left no data */
  name: string | null;
  level: number | null;
  host: boolean;
  /** has lost on time; a bot plays on if the others do */
  out: boolean;
}

export interface Result {
  reason: "abandoned" | "finished" | "forfeit";
  winners: number[];
  totals: number[];
}

export interface RoundResult {
  first: number;
  scores: number[];
  winners: number[];
  /** how many */
  moves: number;
}

/** All that everyone at the table may know besides the cards; sent whole whenever it changes. */
export interface TableInfo {
  /** unguessable; who has it may look */
  id: string;
  game: string;
  options: Record<string, boolean | string>;
  match: Record<string, number>;
  clock: ClockSetting;
  listed: boolean;
  chat: boolean;
  leave: "bot" | "end";
  /** pause: between two rounds, until all are ready */
  status: "open" | "over" | "pause" | "playing" | "shuffling";
  seats: SeatInfo[];
  /** from 0; of `first` and of the current cards */
  round: number;
  first: number | null;
  /** the finished ones */
  rounds: RoundResult[];
  totals: number[];
  result: Result | null;
  /** the seat that asks for one; null: none is asked */
  takeback: number | null;
  /** seats that agreed to the takeback, or to the rematch when over */
  agreed: number[];
  /** the rematch's table */
  next: string | null;
  previous: string | null;
  /** milliseconds; points in time since 1970, UTC */
  created: number;
}

/** A line in a list of tables. */
export interface TableCard {
  /** unguessable; who has it may look */
  id: string;
  game: string;
  options: Record<string, boolean | string>;
  match: Record<string, number>;
  clock: ClockSetting;
  status: "open" | "over" | "pause" | "playing" | "shuffling";
  seats: SeatInfo[];
  /** your seats */
  yours: number[];
  to_act: number | null;
  result: Result | null;
  /** milliseconds; points in time since 1970, UTC */
  created: number;
  ended: number | null;
}

export interface Lobby {
  /** listed, with a free seat */
  open: TableCard[];
  /** listed, to watch */
  playing: TableCard[];
  /** give it as `before` for the next page; null: the end */
  more: string | null;
}

export interface TableList {
  tables: TableCard[];
  /** give it as `before` for the next page; null: the end */
  more: string | null;
}

/** Finished games of mine, of one kind. What I left is not among them. */
export interface Tally {
  game: string;
  /** of the strongest bot among the others; null: people were among them, also if they left */
  level: number | null;
  played: number;
  /** alone, or with a partner */
  won: number;
  /** won together with somebody else */
  shared: number;
}

export interface Tallies {
  tallies: Tally[];
}

/** A finished match, step by step, for clients without an engine: `views[i]` is before move i. Of a long match not all views are here: `replay/views` gives the others, page by page. */
export interface Replay {
  /** the match record (notation), with names where they are known */
  match: Record<string, unknown>;
  /** whose eyes; null with `open` false: a spectator's */
  seat: number | null;
  /** all hands shown */
  open: boolean;
  /** whether it was played at a table here; of an imported record nothing more is known */
  table: boolean;
  /** of the match, by its record alone; null: it goes on after what is here */
  winners: number[] | null;
  rounds: ReplayRound[];
}

export interface ReplayRound {
  first: number;
  moves: string[];
  /** who made each move */
  seats: number[];
  /** per position and seat: one more than moves */
  scores: number[][];
  /** of the first positions, one at least; all together: one more than moves */
  views: View[];
}

/** A page of the views of one round. */
export interface ReplayViews {
  round: number;
  /** the move before which the first of these views is */
  from: number;
  views: View[];
}

export interface Tried {
  move: string;
  chance: number;
}

/** What a move was worth, as far as its player could know. Chances are expected shares of a win, 0 to 1. */
export interface Verdict {
  /** with the best move */
  chance: number;
  /** with the one that was made; less only where it is worse beyond doubt */
  made: number;
  /** the only good move, a slip, a mistake, a blunder; or nothing to say */
  mark: "" | "!" | "?" | "?!" | "??";
  /** 0 to 100; of a player, the mean of their decisions */
  accuracy: number;
  /** the best move (notation) */
  best: string;
  /** moves that were compared, the best first */
  tried: Tried[];
  /** what the chances are of: to win the round, or the match */
  wins: "match" | "round";
}

/** Verdicts on moves of one round, one after the other: as many as took about a second, the rest by asking on. */
export interface Analysis {
  round: number;
  /** the move that the first verdict is about */
  from: number;
  /** null: it was the only legal move */
  verdicts: (Verdict | null)[];
}

/** What the engine would do with the seat's view, as far as that tells. Chances are expected shares of a win. */
export interface Hint {
  round: number;
  /** the moves before it */
  ply: number;
  /** what the chances are of: to win the round, or the match */
  wins: "match" | "round";
  /** moves worth a thought, the best first; none where there is only one */
  tried: Tried[];
}

/** A decision of some round between bots, as the seat sees it that is to act. */
export interface Puzzle {
  game: string;
  /** its name, which stays when others are added */
  id: string;
  /** from 1; the hard ones come last, small tables before large ones */
  number: number;
  /** by which share of our bots' tries, 0 to 1 */
  missed: number;
  seat: number;
  view: View;
}

/** A move in a lesson or a puzzle, and what the seat that learns sees after it. */
export interface Happened {
  seat: number;
  move: string;
  view: View;
}

/** A position from which one learns something, after what the learner has done there so far. */
export interface Lesson {
  game: string;
  /** its name, which stays when others are added */
  id: string;
  /** from 1, in the order in which they are learned */
  number: number;
  /** the learner's */
  seat: number;
  /** how many steps are done */
  step: number;
  /** how many there are; when all are done, so is the lesson */
  steps: number;
  /** the moves that are right now, the one to show first */
  accepts: string[];
  /** the learner's last move, and what followed it */
  happened: Happened[];
  /** as the learner sees it now */
  view: View;
}

export interface ImportRecord {
  /** a record or a match (notation) */
  record: Record<string, unknown>;
  ref?: string | null;
}

export interface Imported {
  /** unguessable; who has it may look */
  id: string;
}

export interface ErrorBody {
  code: string;
  data: Record<string, unknown>;
}

/** The body of every HTTP answer from 400 up. */
export interface Error {
  error: ErrorBody;
}

/** The table exists; `commit` is SHA-256 of the server's secret seed. */
export interface Opened {
  kind: "opened";
  /** 32 bytes in hex */
  commit: string;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** The seat changed hands; names are in TableInfo. */
export interface Seated {
  kind: "seated";
  seat: number;
  who: "bot" | "open" | "person";
  level: number | null;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface Left {
  kind: "left";
  seat: number;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** By the host. */
export interface Removed {
  kind: "removed";
  seat: number;
  blocked: boolean;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** The seat's client bound itself to a seed, seen only later. */
export interface Committed {
  kind: "committed";
  seat: number;
  /** 32 bytes in hex */
  commit: string;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** From now on clients reveal. `missing`: human seats that bound themselves to nothing in time. */
export interface CommitsClosed {
  kind: "commits_closed";
  missing: number[];
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface Revealed {
  kind: "revealed";
  seat: number;
  /** 32 bytes in hex */
  seed: string;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** A round begins. `missing`: human seats that took no part in the shuffle (too late). */
export interface Dealt {
  kind: "dealt";
  round: number;
  first: number;
  missing: number[];
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** `ply` counts the moves of the round before this one. */
export interface Moved {
  kind: "moved";
  round: number;
  ply: number;
  seat: number;
  text: string;
  by: "bot" | "clock" | "person";
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface TakebackAsked {
  kind: "takeback_asked";
  seat: number;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface TakebackAnswered {
  kind: "takeback_answered";
  seat: number;
  yes: boolean;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** Back to the position with `ply` moves. */
export interface TakenBack {
  kind: "taken_back";
  round: number;
  ply: number;
  seat: number;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface TimeUp {
  kind: "time_up";
  seat: number;
  then: "bot" | "lose";
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface RoundEnded {
  kind: "round_ended";
  round: number;
  scores: number[];
  winners: number[];
  totals: number[];
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface Ended {
  kind: "ended";
  reason: "abandoned" | "finished" | "forfeit";
  winners: number[];
  totals: number[];
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface RematchAnswered {
  kind: "rematch_answered";
  seat: number;
  yes: boolean;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** The rematch is at this table. */
export interface Continued {
  kind: "continued";
  /** unguessable; who has it may look */
  table: string;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

export interface ChatSwitched {
  kind: "chat_switched";
  on: boolean;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** The server was away for `away` ms; no clock ran meanwhile. */
export interface Restarted {
  kind: "restarted";
  away: number;
  seq: number;
  /** milliseconds; points in time since 1970, UTC */
  at: number;
}

/** The first frame. `since`: the last `seq` seen, to get only what came after. */
export interface Hello {
  type: "hello";
  protocol?: number;
  since?: number;
  ref?: string | null;
}

/** `round` and `ply`: the position it is meant for; at another one it is refused as stale. A repeated `ref` of the same seat is answered again and not played again. */
export interface Move {
  type: "move";
  /** chosen by the client; repeating it repeats nothing */
  ref: string;
  /** seats are counted from 0 */
  seat: number;
  round: number;
  ply: number;
  /** a move in notation */
  text: string;
}

/** Ask to take back this seat's last move; done at once when no other person is at the table. */
export interface Takeback {
  type: "takeback";
  /** seats are counted from 0 */
  seat: number;
  ref?: string | null;
}

export interface TakebackAnswer {
  type: "takeback_answer";
  /** seats are counted from 0 */
  seat: number;
  yes: boolean;
  ref?: string | null;
}

/** On with the next round (else it begins by itself after a while). */
export interface Ready {
  type: "ready";
  /** seats are counted from 0 */
  seat: number;
  ref?: string | null;
}

export interface Rematch {
  type: "rematch";
  /** seats are counted from 0 */
  seat: number;
  yes?: boolean;
  ref?: string | null;
}

/** Take an open seat; also a further one on this device, with its own name (hot-seat). */
export interface Sit {
  type: "sit";
  /** seats are counted from 0 */
  seat: number;
  name?: string | null;
  ref?: string | null;
}

/** Before the deal the seat is open again; in a running game the table's `leave` setting decides. */
export interface Leave {
  type: "leave";
  /** seats are counted from 0 */
  seat: number;
  ref?: string | null;
}

/** The host, before the deal: a bot for an open seat, or a bot's seat opened again. */
export interface SetSeat {
  type: "set_seat";
  /** seats are counted from 0 */
  seat: number;
  who: "bot" | "open";
  level?: number | null;
  ref?: string | null;
}

/** The host sends a person away, and with `block` for good; then as if they had left. */
export interface Remove {
  type: "remove";
  /** seats are counted from 0 */
  seat: number;
  block?: boolean;
  /** `seq` of the entry by which they sat down; `stale` if somebody else sits there now */
  seated?: number | null;
  ref?: string | null;
}

/** A quick phrase by its code. */
export interface Say {
  type: "say";
  /** seats are counted from 0 */
  seat: number;
  /** a snake_case key */
  phrase: string;
  ref?: string | null;
}

export interface Chat {
  type: "chat";
  /** seats are counted from 0 */
  seat: number;
  text: string;
  ref?: string | null;
}

/** Hear nothing more from the person at this seat. */
export interface Mute {
  type: "mute";
  /** seats are counted from 0 */
  seat: number;
  on?: boolean;
  ref?: string | null;
}

/** The host switches free chat, on private tables only. */
export interface SetChat {
  type: "set_chat";
  on: boolean;
  ref?: string | null;
}

/** When `status` is shuffling: SHA-256 of 32 random bytes, kept secret until all have committed. */
export interface Commit {
  type: "commit";
  /** seats are counted from 0 */
  seat: number;
  /** 32 bytes in hex */
  commit: string;
  ref?: string | null;
}

/** When every human seat has committed: the bytes. */
export interface Reveal {
  type: "reveal";
  /** seats are counted from 0 */
  seat: number;
  /** 32 bytes in hex */
  seed: string;
  ref?: string | null;
}

export interface Ping {
  type: "ping";
  ref?: string | null;
}

export interface You {
  /** yours; empty: you watch */
  seats: number[];
  host: boolean;
  /** seats you hear nothing from */
  muted: number[];
}

export interface Presence {
  /** per seat; a bot is always there */
  online: boolean[];
  /** spectators */
  watching: number;
  /** seats that want the next round */
  ready: number[];
}

/** A phrase or a line of free chat (one of the two). */
export interface Said {
  /** milliseconds; points in time since 1970, UTC */
  at: number;
  seat: number;
  name: string | null;
  phrase: string | null;
  text: string | null;
}

/** How far the fair shuffle is. Null where a seat has not (or need not) yet. Reveals are accepted once all human seats have committed; whoever is not done by `until` is left out. */
export interface Shuffle {
  /** SHA-256 of the server's seed, fixed when the table was made */
  server: string;
  commits: (string | null)[];
  seeds: (string | null)[];
  step: "commit" | "done" | "reveal";
  /** human seats that the step waits for */
  waiting: number[];
  until: number | null;
}

/** The answer to hello: everything. `entries` are those after `since`; when `since` is lower than what was asked for, drop every entry above it first. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  /** milliseconds; points in time since 1970, UTC */
  now: number;
  seq: number;
  since: number;
  table: TableInfo;
  you: You;
  round: number;
  ply: number;
  /** one for each of your seats, or one spectator's; none before the deal */
  views: View[];
  clock: Clock | null;
  shuffle: Shuffle | null;
  presence: Presence;
  entries: AnyEntry[];
  /** the last ones */
  said: Said[];
}

/** Something happened; `seq` is the last entry's. Keys that are not there have not changed. */
export interface Update {
  type: "update";
  seq: number;
  entries: AnyEntry[];
  /** your request that did it */
  ref?: string;
  round?: number;
  ply?: number;
  views?: View[];
  clock?: Clock | null;
  table?: TableInfo;
  you?: You;
  shuffle?: Shuffle | null;
}

/** The request is done (perhaps long ago: a repeated move); what it changed is in updates up to `seq`. */
export interface Done {
  type: "done";
  ref: string;
  seq: number;
}

/** Nothing changed. `code` says why (listed in docs/protocol.md; a game's own codes are its rules'). */
export interface Refused {
  type: "refused";
  ref: string | null;
  code: string;
  data: Record<string, unknown>;
}

export interface PresenceFrame {
  type: "presence";
  presence: Presence;
}

export interface SaidFrame {
  type: "said";
  said: Said;
}

export interface YouFrame {
  type: "you";
  you: You;
}

/** Somebody at the table changed their name. */
export interface Names {
  type: "names";
  names: (string | null)[];
}

export interface Pong {
  type: "pong";
  ref: string | null;
  /** milliseconds; points in time since 1970, UTC */
  now: number;
}

export type AnyEntry =
  | Opened
  | Seated
  | Left
  | Removed
  | Committed
  | CommitsClosed
  | Revealed
  | Dealt
  | Moved
  | TakebackAsked
  | TakebackAnswered
  | TakenBack
  | TimeUp
  | RoundEnded
  | Ended
  | RematchAnswered
  | Continued
  | ChatSwitched
  | Restarted;

export type AnyRequest =
  | Hello
  | Move
  | Takeback
  | TakebackAnswer
  | Ready
  | Rematch
  | Sit
  | Leave
  | SetSeat
  | Remove
  | Say
  | Chat
  | Mute
  | SetChat
  | Commit
  | Reveal
  | Ping;

export type AnyFrame =
  | Welcome
  | Update
  | Done
  | Refused
  | PresenceFrame
  | SaidFrame
  | YouFrame
  | Names
  | Pong;
