"""What can go wrong, in words a player understands. An error is one line; nothing else may reach a person."""

from __future__ import annotations

import json

QUOTED = 40  # letters of what somebody wrote that an error repeats


class FoxrowError(Exception):
    """The root of all errors that a person's input can cause."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GameError(FoxrowError):
    """An unknown game, a player count it does not have, an option without a meaning there."""


class MoveError(FoxrowError):
    """A move that cannot be made. `code` is for programs (and translations), `reason` for people."""

    kind = "move"
    text: object = None  # the move as it was given, where it came from a record
    number: int | None = None  # which move of a record, counted from 1
    round: int | None = None  # which round of a match record, counted from 0

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code

    def __str__(self) -> str:
        place = "" if self.number is None else f"move {self.number}: "
        return f"{'' if self.round is None else f'round {self.round}, '}{place}{self.reason}"


class ParseError(MoveError):
    """The text is not a move in this game's notation."""

    kind = "parse"


class IllegalMove(MoveError):
    """The text is a move, but the rules do not allow it here."""

    kind = "illegal"


class AmbiguousMove(MoveError):
    """The text could mean more than one legal move."""

    kind = "ambiguous"


class PlaceError(FoxrowError):
    """Something is wrong at a place of a document: `hands[0][2]`."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place


class SetupError(PlaceError):
    """A set-up that is no position of the game."""


class RecordError(PlaceError):
    """A record that is no record: not JSON, unknown game, missing or wrong keys."""


def quoted(value: object) -> str:
    """A value as the JSON has it that it came from, cut short."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):  # it came from a program
        text = repr(value)
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
