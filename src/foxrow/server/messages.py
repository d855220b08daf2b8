"""Every HTTP body and every socket frame, as types.

Decoding validates; the JSON schema of these types is the OpenAPI document, and `web/src/lib/protocol.ts` and
the reference part of `docs/protocol.md` are written from them (`python -m foxrow.server.typescript`).
The server never sends prose: codes, numbers, names that people gave themselves, and moves in notation.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Encoder

PROTOCOL = 1

encode = Encoder().encode  # how everything goes out


def place(wrong: Exception) -> str:
    """Where a message is wrong, without quoting it."""
    found = re.search(r"at `\$\.?([^`]*)`", str(wrong))
    return found[1] if found else ""


# ---- small shared types -------------------------------------------------------------------------------

Key = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,31}$", description="a snake_case key")]
TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,40}$", description="unguessable; who has it may look")]
SeatNo = Annotated[int, Meta(ge=0, le=15, description="seats are counted from 0")]
Level = Annotated[int, Meta(ge=1, le=99, description="a bot level of GameCard.levels")]
Name = Annotated[str, Meta(min_length=1, max_length=96, description="a nickname: 1 to 24 letters that can be read")]
Ref = Annotated[
    str, Meta(min_length=1, max_length=64, description="chosen by the client; repeating it repeats nothing")
]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes in hex")]
CallRef = Annotated[
    str,
    Meta(
        min_length=16,
        max_length=64,
        description="drawn at random by the client for this wish; the same call with the same `ref` happens once",
    ),
]
MoveText = Annotated[str, Meta(min_length=1, max_length=200, description="a move in notation")]
Millis = Annotated[int, Meta(description="milliseconds; points in time since 1970, UTC")]
Choice = bool | str

SeatKind = Literal["open", "person", "bot"]
TableStatus = Literal["open", "shuffling", "playing", "pause", "over"]
OverReason = Literal["finished", "forfeit", "abandoned"]
MoveBy = Literal["person", "bot", "clock"]


class View(Struct, kw_only=True):
    """What a seat (or a spectator: seat null) may see; the game adds its own keys (docs/guide, notation)."""

    game: str
    players: int
    options: dict[str, Choice]
    seat: int | None
    phase: str
    to_act: int | None
    legal: Annotated[list[str], Meta(description="sorted; only for the seat to act, else empty")]
    scores: Annotated[list[int], Meta(description="as if the round ended now")]
    over: bool
    winners: list[int] | None


class ClockSetting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """none; move: `seconds` for each move; game: `seconds` for all moves of a round plus `increment` after
    each; days: `days` for each move. At zero a bot makes that move, or the seat loses."""

    kind: Literal["none", "move", "game", "days"] = "none"
    seconds: Annotated[int, Meta(ge=5, le=6 * 3600)] = 60
    increment: Annotated[int, Meta(ge=0, le=600, description="seconds")] = 0
    days: Annotated[int, Meta(ge=1, le=30)] = 3
    at_zero: Literal["bot", "lose"] = "bot"


class Clock(Struct, kw_only=True):
    """`left[seat]` was right at `at`; since then only `running` counts down. Null: this seat is not timed."""

    running: int | None
    left: list[int | None]
    at: Millis


# ---- the games ----------------------------------------------------------------------------------------


class OptionCard(Struct, kw_only=True):
    key: str
    choices: list[Choice]
    default: Choice
    players: Annotated[list[int] | None, Meta(description="player counts where it has a meaning; null: all")]
    partners: Annotated[list[Choice], Meta(description="choices that make opposite seats partners")]
    note: Annotated[str, Meta(description="the card's English note; clients have their own words by key")]


class MatchCard(Struct, kw_only=True):
    kind: Annotated[str, Meta(description="cycles, points or single")]
    setting: Annotated[str | None, Meta(description="the key in a match's settings; null: no setting")]
    default: int
    low: int
    high: int


class LevelCard(Struct, kw_only=True):
    level: Level
    key: Annotated[str, Meta(description="stable name of the level, e.g. for its words in a client")]


class GameCard(Struct, kw_only=True):
    key: str
    name: str
    summary: str
    publisher: Annotated[str, Meta(description="whom the name belongs to")]
    players: list[int]
    options: list[OptionCard]
    phases: list[str]
    match: MatchCard
    levels: list[LevelCard]
    prepared: Annotated[
        float, Meta(description="share of its rules that are compiled; below 1 on a first start, and a new table waits")
    ]
    lessons: Annotated[list[str], Meta(description="their names, the first first; a number says which, from 1")]
    puzzles: Annotated[list[str], Meta(description="their names, the hard ones last; a number says which, from 1")]


class Games(Struct, kw_only=True):
    games: list[GameCard]
    phrases: Annotated[list[str], Meta(description="codes of the quick phrases")]
    version: str


# ---- people -------------------------------------------------------------------------------------------


class Me(Struct, kw_only=True):
    """Who this browser is. Made by the first call that needs it, kept in a signed HttpOnly cookie."""

    known: Annotated[bool, Meta(description="false: nobody yet; watching is all that needs no person")]
    name: Annotated[str | None, Meta(description="null until chosen")]


class NameChange(Struct, kw_only=True, forbid_unknown_fields=True):
    name: Name


class DeviceCode(Struct, kw_only=True):
    """Give it to another device within its life to be the same person there; it works once."""

    code: str
    expires: Millis


class DeviceClaim(Struct, kw_only=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=8, max_length=64)]


# ---- tables over HTTP ---------------------------------------------------------------------------------


class SeatRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """`me`: the creator; again for each further person on this device (hot-seat), told apart by `name`."""

    kind: Literal["me", "bot", "open"]
    level: Level | None = None
    name: Name | None = None


class CreateTable(Struct, kw_only=True, forbid_unknown_fields=True):
    game: Key
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=16, description="one per player, seat 0 first")]
    options: dict[str, Choice] = {}
    match: Annotated[int | None, Meta(description="the match's setting (MatchCard); null: its default")] = None
    clock: ClockSetting = ClockSetting()
    listed: Annotated[bool, Meta(description="in the lobby for all; else only who has the link")] = False
    chat: Annotated[bool, Meta(description="free chat; refused on listed tables and where partners play")] = False
    leave: Annotated[Literal["bot", "end"], Meta(description="what happens when someone leaves a running game")] = "bot"
    first: Annotated[SeatNo | None, Meta(description="who starts the first round; null: drawn at random")] = None
    ref: CallRef | None = None


class JoinTable(Struct, kw_only=True, forbid_unknown_fields=True):
    seat: Annotated[SeatNo | None, Meta(description="null: any open seat")] = None
    name: Annotated[Name | None, Meta(description="a name for this seat alone (hot-seat)")] = None
    ref: CallRef | None = None


class SeatInfo(Struct, kw_only=True):
    kind: SeatKind
    name: Annotated[str | None, Meta(description="null: open seat, bot, no name yet, or a person who left no data")]
    level: Level | None
    host: bool
    out: Annotated[bool, Meta(description="has lost on time; a bot plays on if the others do")]


class Result(Struct, kw_only=True):
    reason: OverReason
    winners: list[int]
    totals: list[int]


class RoundResult(Struct, kw_only=True):
    first: int
    scores: list[int]
    winners: list[int]
    moves: Annotated[int, Meta(description="how many")]


class TableInfo(Struct, kw_only=True):
    """All that everyone at the table may know besides the cards; sent whole whenever it changes."""

    id: TableId
    game: str
    options: dict[str, Choice]
    match: dict[str, int]
    clock: ClockSetting
    listed: bool
    chat: bool
    leave: Literal["bot", "end"]
    status: Annotated[TableStatus, Meta(description="pause: between two rounds, until all are ready")]
    seats: list[SeatInfo]
    round: Annotated[int, Meta(description="from 0; of `first` and of the current cards")]
    first: int | None
    rounds: Annotated[list[RoundResult], Meta(description="the finished ones")]
    totals: list[int]
    result: Result | None
    takeback: Annotated[SeatNo | None, Meta(description="the seat that asks for one; null: none is asked")]
    agreed: Annotated[list[int], Meta(description="seats that agreed to the takeback, or to the rematch when over")]
    next: Annotated[TableId | None, Meta(description="the rematch's table")]
    previous: TableId | None
    created: Millis


class TableCard(Struct, kw_only=True):
    """A line in a list of tables."""

    id: TableId
    game: str
    options: dict[str, Choice]
    match: dict[str, int]
    clock: ClockSetting
    status: TableStatus
    seats: list[SeatInfo]
    yours: Annotated[list[int], Meta(description="your seats")]
    to_act: int | None
    result: Result | None
    created: Millis
    ended: Millis | None


class Lobby(Struct, kw_only=True):
    open: Annotated[list[TableCard], Meta(description="listed, with a free seat")]
    playing: Annotated[list[TableCard], Meta(description="listed, to watch")]
    more: Annotated[str | None, Meta(description="give it as `before` for the next page; null: the end")]


class TableList(Struct, kw_only=True):
    tables: list[TableCard]
    more: Annotated[str | None, Meta(description="give it as `before` for the next page; null: the end")]


class Tally(Struct, kw_only=True):
    """Finished games of mine, of one kind. What I left is not among them."""

    game: str
    level: Annotated[
        int | None,
        Meta(description="of the strongest bot among the others; null: people were among them, also if they left"),
    ]
    played: int
    won: Annotated[int, Meta(description="alone, or with a partner")]
    shared: Annotated[int, Meta(description="won together with somebody else")]


class Tallies(Struct, kw_only=True):
    tallies: list[Tally]


class Replay(Struct, kw_only=True):
    """A finished match, step by step, for clients without an engine: `views[i]` is before move i. Of a long match
    not all views are here: `replay/views` gives the others, page by page."""

    match: Annotated[dict[str, Any], Meta(description="the match record (notation), with names where they are known")]
    seat: Annotated[int | None, Meta(description="whose eyes; null with `open` false: a spectator's")]
    open: Annotated[bool, Meta(description="all hands shown")]
    table: Annotated[
        bool, Meta(description="whether it was played at a table here; of an imported record nothing more is known")
    ]
    winners: Annotated[
        list[int] | None, Meta(description="of the match, by its record alone; null: it goes on after what is here")
    ]
    rounds: list[ReplayRound]


class ReplayRound(Struct, kw_only=True):
    first: int
    moves: list[str]
    seats: Annotated[list[int], Meta(description="who made each move")]
    scores: Annotated[list[list[int]], Meta(description="per position and seat: one more than moves")]
    views: Annotated[
        list[View], Meta(description="of the first positions, one at least; all together: one more than moves")
    ]


class ReplayViews(Struct, kw_only=True, rename={"start": "from"}):
    """A page of the views of one round."""

    round: int
    start: Annotated[int, Meta(description="the move before which the first of these views is")]
    views: list[View]


class Tried(Struct, kw_only=True):
    move: str
    chance: float


Wins = Annotated[Literal["round", "match"], Meta(description="what the chances are of: to win the round, or the match")]


class Verdict(Struct, kw_only=True):
    """What a move was worth, as far as its player could know. Chances are expected shares of a win, 0 to 1."""

    chance: Annotated[float, Meta(description="with the best move")]
    made: Annotated[float, Meta(description="with the one that was made; less only where it is worse beyond doubt")]
    mark: Annotated[
        Literal["", "!", "?!", "?", "??"],
        Meta(description="the only good move, a slip, a mistake, a blunder; or nothing to say"),
    ]
    accuracy: Annotated[float, Meta(description="0 to 100; of a player, the mean of their decisions")]
    best: Annotated[str, Meta(description="the best move (notation)")]
    tried: Annotated[list[Tried], Meta(description="moves that were compared, the best first")]
    wins: Wins


class Analysis(Struct, kw_only=True, rename={"start": "from"}):
    """Verdicts on moves of one round, one after the other: as many as took about a second, the rest by asking on."""

    round: int
    start: Annotated[int, Meta(description="the move that the first verdict is about")]
    verdicts: Annotated[list[Verdict | None], Meta(description="null: it was the only legal move")]


class Hint(Struct, kw_only=True):
    """What the engine would do with the seat's view, as far as that tells. Chances are expected shares of a win."""

    round: int
    ply: Annotated[int, Meta(description="the moves before it")]
    wins: Wins
    tried: Annotated[
        list[Tried], Meta(description="moves worth a thought, the best first; none where there is only one")
    ]


class Puzzle(Struct, kw_only=True):
    """A decision of some round between bots, as the seat sees it that is to act."""

    game: str
    id: Annotated[str, Meta(description="its name, which stays when others are added")]
    number: Annotated[int, Meta(description="from 1; the hard ones come last, small tables before large ones")]
    missed: Annotated[float, Meta(description="by which share of our bots' tries, 0 to 1")]
    seat: int
    view: View


class Happened(Struct, kw_only=True):
    """A move in a lesson or a puzzle, and what the seat that learns sees after it."""

    seat: int
    move: str
    view: View


class Lesson(Struct, kw_only=True):
    """A position from which one learns something, after what the learner has done there so far."""

    game: str
    id: Annotated[str, Meta(description="its name, which stays when others are added")]
    number: Annotated[int, Meta(description="from 1, in the order in which they are learned")]
    seat: Annotated[int, Meta(description="the learner's")]
    step: Annotated[int, Meta(description="how many steps are done")]
    steps: Annotated[int, Meta(description="how many there are; when all are done, so is the lesson")]
    accepts: Annotated[list[str], Meta(description="the moves that are right now, the one to show first")]
    happened: Annotated[list[Happened], Meta(description="the learner's last move, and what followed it")]
    view: Annotated[View, Meta(description="as the learner sees it now")]


class ImportRecord(Struct, kw_only=True, forbid_unknown_fields=True):
    record: Annotated[dict[str, Any], Meta(description="a record or a match (notation)")]
    ref: CallRef | None = None


class Imported(Struct, kw_only=True):
    id: TableId


class ErrorBody(Struct, kw_only=True):
    code: str
    data: dict[str, Any] = {}


class Error(Struct, kw_only=True):
    """The body of every HTTP answer from 400 up."""

    error: ErrorBody


# ---- the log: one entry for each thing that happened, numbered by `seq` without gaps ------------------


class Entry(Struct, kw_only=True, tag_field="kind"):
    seq: int
    at: Millis


class Opened(Entry, tag="opened"):
    """The table exists; `commit` is SHA-256 of the server's secret seed."""

    commit: Hex32


class Seated(Entry, tag="seated"):
    """The seat changed hands; names are in TableInfo."""

    seat: int
    who: SeatKind
    level: Level | None


class Left(Entry, tag="left"):
    seat: int


class Removed(Entry, tag="removed"):
    """By the host."""

    seat: int
    blocked: bool


class Committed(Entry, tag="committed"):
    """The seat's client bound itself to a seed, seen only later."""

    seat: int
    commit: Hex32


class CommitsClosed(Entry, tag="commits_closed"):
    """From now on clients reveal. `missing`: human seats that bound themselves to nothing in time."""

    missing: list[int]


class Revealed(Entry, tag="revealed"):
    seat: int
    seed: Hex32


class Dealt(Entry, tag="dealt"):
    """A round begins. `missing`: human seats that took no part in the shuffle (too late)."""

    round: int
    first: int
    missing: list[int]


class Moved(Entry, tag="moved"):
    """`ply` counts the moves of the round before this one."""

    round: int
    ply: int
    seat: int
    text: str
    by: MoveBy


class TakebackAsked(Entry, tag="takeback_asked"):
    seat: int


class TakebackAnswered(Entry, tag="takeback_answered"):
    seat: int
    yes: bool


class TakenBack(Entry, tag="taken_back"):
    """Back to the position with `ply` moves."""

    round: int
    ply: int
    seat: int


class TimeUp(Entry, tag="time_up"):
    seat: int
    then: Literal["bot", "lose"]


class RoundEnded(Entry, tag="round_ended"):
    round: int
    scores: list[int]
    winners: list[int]
    totals: list[int]


class Ended(Entry, tag="ended"):
    reason: OverReason
    winners: list[int]
    totals: list[int]


class RematchAnswered(Entry, tag="rematch_answered"):
    seat: int
    yes: bool


class Continued(Entry, tag="continued"):
    """The rematch is at this table."""

    table: TableId


class ChatSwitched(Entry, tag="chat_switched"):
    on: bool


class Restarted(Entry, tag="restarted"):
    """The server was away for `away` ms; no clock ran meanwhile."""

    away: int


AnyEntry = (
    Opened
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
    | Restarted
)

# ---- socket, client to server -------------------------------------------------------------------------


class Request(Struct, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A frame from the client. With a `ref` it is answered: by an update or done with it, or by refused."""

    ref: Ref | None = None


class Hello(Request, tag="hello"):
    """The first frame. `since`: the last `seq` seen, to get only what came after."""

    protocol: int = PROTOCOL
    since: Annotated[int, Meta(ge=0)] = 0


class Move(Request, tag="move"):
    """`round` and `ply`: the position it is meant for; at another one it is refused as stale. A repeated
    `ref` of the same seat is answered again and not played again."""

    ref: Ref
    seat: SeatNo
    round: Annotated[int, Meta(ge=0)]
    ply: Annotated[int, Meta(ge=0)]
    text: MoveText


class Takeback(Request, tag="takeback"):
    """Ask to take back this seat's last move; done at once when no other person is at the table."""

    seat: SeatNo


class TakebackAnswer(Request, tag="takeback_answer"):
    seat: SeatNo
    yes: bool


class Ready(Request, tag="ready"):
    """On with the next round (else it begins by itself after a while)."""

    seat: SeatNo


class Rematch(Request, tag="rematch"):
    seat: SeatNo
    yes: bool = True


class Sit(Request, tag="sit"):
    """Take an open seat; also a further one on this device, with its own name (hot-seat)."""

    seat: SeatNo
    name: Name | None = None


class Leave(Request, tag="leave"):
    """Before the deal the seat is open again; in a running game the table's `leave` setting decides."""

    seat: SeatNo


class SetSeat(Request, tag="set_seat"):
    """The host, before the deal: a bot for an open seat, or a bot's seat opened again."""

    seat: SeatNo
    who: Literal["bot", "open"]
    level: Level | None = None


class Remove(Request, tag="remove"):
    """The host sends a person away, and with `block` for good; then as if they had left."""

    seat: SeatNo
    block: bool = False
    seated: Annotated[
        int | None,
        Meta(description="`seq` of the entry by which they sat down; `stale` if somebody else sits there now"),
    ] = None


class Say(Request, tag="say"):
    """A quick phrase by its code."""

    seat: SeatNo
    phrase: Key


class Chat(Request, tag="chat"):
    seat: SeatNo
    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Mute(Request, tag="mute"):
    """Hear nothing more from the person at this seat."""

    seat: SeatNo
    on: bool = True


class SetChat(Request, tag="set_chat"):
    """The host switches free chat, on private tables only."""

    on: bool


class Commit(Request, tag="commit"):
    """When `status` is shuffling: SHA-256 of 32 random bytes, kept secret until all have committed."""

    seat: SeatNo
    commit: Hex32


class Reveal(Request, tag="reveal"):
    """When every human seat has committed: the bytes."""

    seat: SeatNo
    seed: Hex32


class Ping(Request, tag="ping"):
    pass


AnyRequest = (
    Hello
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
    | Ping
)

# ---- socket, server to client -------------------------------------------------------------------------


class Frame(Struct, kw_only=True, tag_field="type"):
    """A frame from the server."""


class You(Struct, kw_only=True):
    seats: Annotated[list[int], Meta(description="yours; empty: you watch")]
    host: bool
    muted: Annotated[list[int], Meta(description="seats you hear nothing from")]


class Presence(Struct, kw_only=True):
    online: Annotated[list[bool], Meta(description="per seat; a bot is always there")]
    watching: Annotated[int, Meta(description="spectators")]
    ready: Annotated[list[int], Meta(description="seats that want the next round")]


class Said(Struct, kw_only=True):
    """A phrase or a line of free chat (one of the two)."""

    at: Millis
    seat: int
    name: str | None
    phrase: str | None = None
    text: str | None = None


class Shuffle(Struct, kw_only=True):
    """How far the fair shuffle is. Null where a seat has not (or need not) yet. Reveals are accepted once all
    human seats have committed; whoever is not done by `until` is left out."""

    server: Annotated[Hex32, Meta(description="SHA-256 of the server's seed, fixed when the table was made")]
    commits: list[str | None]
    seeds: list[str | None]
    step: Literal["commit", "reveal", "done"]
    waiting: Annotated[list[int], Meta(description="human seats that the step waits for")]
    until: Millis | None


class Welcome(Frame, tag="welcome"):
    """The answer to hello: everything. `entries` are those after `since`; when `since` is lower than what was
    asked for, drop every entry above it first."""

    protocol: int
    now: Millis
    seq: int
    since: int
    table: TableInfo
    you: You
    round: int
    ply: int
    views: Annotated[
        list[View], Meta(description="one for each of your seats, or one spectator's; none before the deal")
    ]
    clock: Clock | None
    shuffle: Shuffle | None
    presence: Presence
    entries: list[AnyEntry]
    said: Annotated[list[Said], Meta(description="the last ones")]


class Update(Frame, tag="update"):
    """Something happened; `seq` is the last entry's. Keys that are not there have not changed."""

    seq: int
    entries: list[AnyEntry]
    ref: Annotated[str | UnsetType, Meta(description="your request that did it")] = UNSET
    round: int | UnsetType = UNSET
    ply: int | UnsetType = UNSET
    views: list[View] | UnsetType = UNSET
    clock: Clock | UnsetType | None = UNSET
    table: TableInfo | UnsetType = UNSET
    you: You | UnsetType = UNSET
    shuffle: Shuffle | UnsetType | None = UNSET


class Done(Frame, tag="done"):
    """The request is done (perhaps long ago: a repeated move); what it changed is in updates up to `seq`."""

    ref: str
    seq: int


class Refused(Frame, tag="refused"):
    """Nothing changed. `code` says why (listed in docs/protocol.md; a game's own codes are its rules')."""

    ref: str | None
    code: str
    data: dict[str, Any] = {}


class PresenceFrame(Frame, tag="presence"):
    presence: Presence


class SaidFrame(Frame, tag="said"):
    said: Said


class YouFrame(Frame, tag="you"):
    you: You


class Names(Frame, tag="names"):
    """Somebody at the table changed their name."""

    names: list[str | None]


class Pong(Frame, tag="pong"):
    ref: str | None
    now: Millis


AnyFrame = Welcome | Update | Done | Refused | PresenceFrame | SaidFrame | YouFrame | Names | Pong
