"""Finished games step by step, for clients without an engine."""

from __future__ import annotations

from typing import Any

from foxrow.core.errors import FoxrowError, MoveError, PlaceError, SetupError
from foxrow.core.position import Position
from foxrow.match import record
from foxrow.match.refusal import Refusal

MOST_VIEWS = 6000  # of one replay; a long match of many rounds has some 3,000


def read(data: dict[str, Any]) -> record.RoundRecord | record.MatchRecord:
    """A record from outside; Refusal names the place that is wrong."""
    try:
        return record.read(data)
    except PlaceError as wrong:
        raise Refusal("bad_record", place=wrong.place) from None
    except FoxrowError:
        raise Refusal("bad_record", place="") from None


def replay(data: dict[str, Any], seat: int | None, open: bool) -> dict[str, Any]:
    """The body of a Replay, every move checked on the way."""
    known = read(data)
    rounds = list(known.rounds) if isinstance(known, record.MatchRecord) else [known]
    if seat is not None and not 0 <= seat < len(known.names):
        raise Refusal("bad_seats", seat=seat)
    if sum(len(part.moves) + 1 for part in rounds) > MOST_VIEWS:
        raise Refusal("too_large")
    shown = [_round(part, number, seat, open) for number, part in enumerate(rounds)]
    return {"match": data, "seat": None if open else seat, "open": open, "rounds": shown}


def _round(part: record.RoundRecord, number: int, seat: int | None, open: bool) -> dict[str, Any]:
    place = f"rounds[{number}].moves"
    try:
        position = part.start()
        views, seats = [_view(position, seat, open)], []
        for ply, text in enumerate(part.moves):
            mover = position.to_act
            try:
                position.play(text)
            except MoveError as wrong:
                raise Refusal("bad_record", place=f"{place}[{ply}]", kind=wrong.kind, code=wrong.code) from None
            seats.append(mover)
            views.append(_view(position, seat, open))
    except PlaceError as wrong:
        raise Refusal("bad_record", place=wrong.place) from None
    except FoxrowError:
        raise Refusal("bad_record", place=place) from None
    return {"first": part.first, "moves": position.moves, "seats": seats, "views": views}


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
