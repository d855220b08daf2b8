"""What a table's log holds: one event for each thing that happened, append-only, the only truth about a
table.

People are random ids here; their names live elsewhere, so that forgetting a person needs no change of a log.
`Created.secret` and the order of the cards never leave the server before the end: clients get entries of the
server's own types, made one by one from these.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from foxrow.core.contract import Choice
from foxrow.match.clock import ClockRule


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    at: int  # ms since 1970
    request: str | None = None  # a short hash of whose request caused it, by which a repetition is recognised


class Created(Event, frozen=True, kw_only=True, tag="created"):
    game: str
    version: int  # of the game's rules
    players: int
    options: dict[str, Choice]
    match: dict[str, int]  # as in a match record
    clock: ClockRule
    host: str  # person
    secret: str  # the server's seed, 64 hex digits
    listed: bool = False
    chat: bool = False
    leave: Literal["bot", "end"] = "bot"
    first: int | None = None  # None: drawn from the deal's seed
    previous: str | None = None  # the table of which this is the rematch
    blocked: list[str] = []  # persons, carried over from there


class Seated(Event, frozen=True, kw_only=True, tag="seated"):
    seat: int
    person: str | None = None
    level: int | None = None  # a bot's; neither: the seat is open


class Left(Event, frozen=True, kw_only=True, tag="left"):
    seat: int


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    seat: int
    person: str
    blocked: bool = False


class Committed(Event, frozen=True, kw_only=True, tag="committed"):
    seat: int
    commit: str


class CommitsClosed(Event, frozen=True, kw_only=True, tag="commits_closed"):
    missing: list[int] = []  # human seats without a commit


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    seat: int
    seed: str


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    round: int
    first: int
    missing: list[int] = []  # human seats that are not in the seed


class Moved(Event, frozen=True, kw_only=True, tag="moved"):
    seat: int
    text: str
    by: Literal["person", "bot", "clock"] = "person"
    ref: str | None = None


class TakebackAsked(Event, frozen=True, kw_only=True, tag="takeback_asked"):
    seat: int


class TakebackAnswered(Event, frozen=True, kw_only=True, tag="takeback_answered"):
    seat: int
    yes: bool


class TakenBack(Event, frozen=True, kw_only=True, tag="taken_back"):
    seat: int


class TimeUp(Event, frozen=True, kw_only=True, tag="time_up"):
    seat: int
    then: Literal["bot", "lose"]


class RoundEnded(Event, frozen=True, kw_only=True, tag="round_ended"):
    scores: list[int]
    winners: list[int]
    totals: list[int]


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    reason: Literal["finished", "forfeit", "abandoned"]
    winners: list[int]
    totals: list[int]


class RematchAnswered(Event, frozen=True, kw_only=True, tag="rematch_answered"):
    seat: int
    yes: bool


class Continued(Event, frozen=True, kw_only=True, tag="continued"):
    table: str


class ChatSwitched(Event, frozen=True, kw_only=True, tag="chat_switched"):
    on: bool


class Restarted(Event, frozen=True, kw_only=True, tag="restarted"):
    away: int  # ms during which no clock ran


AnyEvent = (
    Created
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

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEvent).decode
