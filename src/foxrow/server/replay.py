"""Finished games step by step, for clients without an engine."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from foxrow.core.contract import Choice
from foxrow.core.errors import FoxrowError, MoveError, PlaceError, SetupError
from foxrow.core.position import Position
from foxrow.core.record import View
from foxrow.core.stakes import Stakes
from foxrow.match import record
from foxrow.match.referee import Referee
from foxrow.match.refusal import Refusal

FIRST_PAGE = 1000  # views that come with a replay; a short match is whole with them
PAGE = 200  # views of any further page
REPLAYS = asyncio.Semaphore(2)  # at once: each takes some 50 ms of a core

encode = msgspec.json.Encoder().encode


class Checked(NamedTuple):
    rounds: list[dict[str, Any]]  # what the referee says of each
    played: list[list[str]]  # the moves of each
    winners: list[int] | None  # of all; None while it goes on
    record: dict[str, Any]  # as the notation writes it: what was understood, and nothing of what was forgiven


def check(data: dict[str, Any], *, trace: bool = False) -> Checked:
    """What `foxrow referee` says of a record from outside; whatever the referee refuses is refused here, and so is a
    match without a round: there is nothing to look at."""
    judge = Referee(trace=trace)
    with _places():
        answer = judge.judged(data)
    rounds = answer.get("rounds", [answer])
    if not rounds:
        raise Refusal("bad_record", place="rounds")
    return Checked(rounds, judge.played, answer["winners"], _written(data, judge.played))


def _written(data: dict[str, Any], played: list[list[str]]) -> dict[str, Any]:
    """A record with its moves as the notation writes them; nothing else in it can be said in two ways of any length."""
    if "rounds" not in data:
        return {**data, "moves": played[0]}
    return {**data, "rounds": [{**part, "moves": moves} for part, moves in zip(data["rounds"], played, strict=True)]}


def read(data: dict[str, Any]) -> record.RoundRecord | record.MatchRecord:
    """A record from outside, as far as can be told without its game's rules."""
    with _places():
        return record.read(data)


def replay(data: dict[str, Any], seat: int | None, open: bool, table: bool) -> bytes:
    """A Replay as JSON. It is made of pieces, each small: whoever encodes a whole match at once keeps the interpreter
    to themselves meanwhile, in whatever thread they do it."""
    answers, played, winners, written = check(data, trace=True)
    parts = _rounds(data, seat)
    left = FIRST_PAGE
    rounds: list[dict[str, Any]] = []
    for part, answer, moves in zip(parts, answers, played, strict=True):
        wanted = max(1, min(left, len(moves) + 1))  # of every round the deal, at least
        left -= wanted
        rounds.append(
            {
                "first": part.first,
                "moves": moves,
                "seats": [entry["to_act"] for entry in answer["trace"]],
                "scores": [entry["scores"] for entry in (*answer["trace"], answer)],
                "views": _views(part, 0, wanted, seat, open),
            }
        )
    eyes = {"seat": None if open else seat, "open": open}
    return encode({"match": written, **eyes, "table": table, "winners": winners, "rounds": rounds})


def views(data: dict[str, Any], seat: int | None, open: bool, round: int, start: int) -> bytes:
    """A page of a round's views as JSON, from the position before move `start`."""
    part = _part(_rounds(data, seat), round, start)
    shown = _views(part, start, PAGE, seat, open)
    return encode({"round": round, "from": start, "views": shown})


class Decision(NamedTuple):
    """Somebody had the choice."""

    view: View  # what they saw
    made: str  # the move
    instead: str | None = None  # another one that is asked about


class Decisions(NamedTuple):
    key: str  # of the game
    options: dict[str, Choice]
    decisions: list[Decision | None]  # None: there was one legal move


def stakes(data: dict[str, Any], round: int) -> Stakes | None:
    """What a round counted for. All rounds before it are replayed for that."""
    known = read(data)
    _part(_parts(known), round, 0)
    with _places():
        return known.stakes(round) if isinstance(known, record.MatchRecord) else None


def decisions(data: dict[str, Any], round: int, start: int, most: int, instead: str | None = None) -> Decisions:
    """Those of a round, from move `start` on; or the one there, as if this move had been made instead."""
    part = _part(_rounds(data, None), round, start)
    if instead is not None:
        return Decisions(part.game.key, dict(part.options), [_other(part, start, instead)])
    found: list[Decision | None] = []
    with _places():
        position = part.replay(start)
        for text in part.moves[start : start + most]:
            seat = position.to_act
            free = seat is not None and len(position.legal()) > 1
            found.append(Decision(position.masked(seat), text) if free else None)
            position.play(text)
    return Decisions(part.game.key, dict(part.options), found)


def _other(part: record.RoundRecord, start: int, text: str) -> Decision | None:
    if start == len(part.moves):  # none was made here, whether or not the round is over
        raise Refusal("bad_page", place="from")
    with _places():
        position = part.replay(start)
    try:
        move = part.game.rules.parse(position.state, text)
    except MoveError as wrong:
        raise Refusal(wrong.kind, code=wrong.code) from None
    canonical = part.game.rules.move_text(position.state, move)
    made = part.moves[start]
    return Decision(position.masked(position.to_act), made, canonical) if len(position.legal()) > 1 else None


def _part(parts: list[record.RoundRecord], round: int, start: int) -> record.RoundRecord:
    """The round that a page is of, if it has the move `start`, or ends before it."""
    if not 0 <= round < len(parts):
        raise Refusal("bad_page", place="round")
    if not 0 <= start <= len(parts[round].moves):
        raise Refusal("bad_page", place="from")
    return parts[round]


def _rounds(data: dict[str, Any], seat: int | None) -> list[record.RoundRecord]:
    known = read(data)
    if seat is not None and not 0 <= seat < len(known.names):
        raise Refusal("bad_seats", seat=seat)
    return _parts(known)


def _parts(known: record.RoundRecord | record.MatchRecord) -> list[record.RoundRecord]:
    return list(known.rounds) if isinstance(known, record.MatchRecord) else [known]


def _views(part: record.RoundRecord, start: int, most: int, seat: int | None, open: bool) -> list[msgspec.Raw]:
    with _places():
        position = part.replay(start)
        shown = [msgspec.Raw(encode(_view(position, seat, open)))]
        for text in part.moves[start : start + most - 1]:
            position.play(text)
            shown.append(msgspec.Raw(encode(_view(position, seat, open))))
    return shown


@contextlib.contextmanager
def _places() -> Iterator[None]:
    """What is wrong with a record, as a Refusal that names the place."""
    try:
        yield
    except MoveError as wrong:
        place = f"rounds[{wrong.round or 0}].moves[{(wrong.number or 1) - 1}]"
        raise Refusal("bad_record", place=place, kind=wrong.kind, code=wrong.code) from None
    except PlaceError as wrong:
        raise Refusal("bad_record", place=wrong.place) from None
    except FoxrowError:
        raise Refusal("bad_record", place="") from None


def _view(position: Position, seat: int | None, open: bool) -> dict[str, Any]:
    return _open(position) if open else position.view(seat)


def _open(position: Position) -> dict[str, Any]:
    """A spectator's view with every hand laid open, and, where a set-up can be written, every pile too."""
    view = position.view(None)
    for seat in range(position.players):
        for key, own in position.view(seat).items():
            shown = view[key]
            if isinstance(shown, list) and len(shown) == position.players and _hidden(shown[seat]):
                shown[seat] = own[seat]
    try:
        whole = position.game.rules.text.write_setup(position.state)
    except SetupError:  # in the middle of a hit, in the last phase: the piles stay face down
        return view
    for key, value in whole.items():
        if _hidden(view.get(key)):
            view[key] = value
    return view


def _hidden(value: object) -> bool:
    if isinstance(value, list):
        return any(_hidden(one) for one in value)
    return isinstance(value, dict) and set(value) <= {"n", "known"}
