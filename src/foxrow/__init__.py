"""Foxrow: play, study and research tabletop games.

Every game is one card in a catalogue, every round a position, every move a text.

>>> import foxrow
>>> game = foxrow.list_games()[0]
>>> p = game.new(players=2, seed=7)
>>> p.players, p.to_act, p.over
(2, 0, False)
>>> p.legal() == sorted(p.legal())
True
>>> p = p.play(p.legal()[0])
>>> len(p.moves)
1

What a seat may see is one call away, and nothing else leaves a position by itself:

>>> view = p.view(seat=1)
>>> view["seat"], view["game"] == game.key
(1, True)

A round can be written down and loaded again:

>>> again = foxrow.load(p.record())
>>> again.moves == p.moves and again.scores() == p.scores()
True

Moves that cannot be made are explained, and nothing has happened:

>>> p.play("upside down")  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
foxrow.core.errors.ParseError: ...

Importing this package loads neither NumPy nor Numba; the first position does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from os import PathLike

    from foxrow.core.batch import Batch, BatchError, SlotError, Step, batch
    from foxrow.core.contract import Game, MatchRule, Option
    from foxrow.core.errors import (
        AmbiguousMove,
        FoxrowError,
        GameError,
        IllegalMove,
        MoveError,
        ParseError,
        PlaceError,
        RecordError,
        SetupError,
    )
    from foxrow.core.position import Position
    from foxrow.match.record import Match

__version__ = "0.1.0"

__all__ = [
    "AmbiguousMove",
    "Batch",
    "BatchError",
    "FoxrowError",
    "Game",
    "GameError",
    "IllegalMove",
    "Match",
    "MatchRule",
    "MoveError",
    "Option",
    "ParseError",
    "PlaceError",
    "Position",
    "RecordError",
    "SetupError",
    "SlotError",
    "Step",
    "__version__",
    "batch",
    "game",
    "list_games",
    "load",
]

_HOMES = {
    "foxrow.core.batch": ("Batch", "BatchError", "SlotError", "Step", "batch"),
    "foxrow.core.contract": ("Game", "MatchRule", "Option"),
    "foxrow.core.errors": (
        "AmbiguousMove",
        "FoxrowError",
        "GameError",
        "IllegalMove",
        "MoveError",
        "ParseError",
        "PlaceError",
        "RecordError",
        "SetupError",
    ),
    "foxrow.core.position": ("Position",),
    "foxrow.match.record": ("Match",),
}


if not TYPE_CHECKING:  # else every name would seem to be there

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first asked for."""
        for home, names in _HOMES.items():
            if name in names:
                from importlib import import_module

                value = globals()[name] = getattr(import_module(home), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def game(key: str) -> Game:
    """The game with this key; `list_games` says which there are.

    >>> import foxrow
    >>> key = foxrow.list_games()[0].key
    >>> foxrow.game(key).key == key
    True
    >>> foxrow.game("tic-tac-toe")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    foxrow.core.errors.GameError: there is no game "tic-tac-toe"; there are: ...
    """
    from foxrow.core import registry

    return registry.game(key)


def list_games() -> list[Game]:
    """All games, by name: those that come with Foxrow, and those of other installed packages.

    >>> import foxrow
    >>> all(game.players and game.summary for game in foxrow.list_games())
    True
    """
    from foxrow.core import registry

    return list(registry.games().values())


def load(source: dict[str, Any] | str | bytes | PathLike[str]) -> Position | Match:
    """A round or a match from its record: a dict, JSON text, or the path of a file.

    A round comes back as a `Position` with all its moves made (`undo` and `at` go back to any of them), a match
    as a `Match` with a position for each round. A record that is wrong raises RecordError or SetupError with the
    place, or MoveError with the number of the move.

    >>> import foxrow, json
    >>> p = foxrow.list_games()[0].new(players=2, seed=7)
    >>> text = json.dumps(p.play(p.legal()[0]).record())
    >>> foxrow.load(text).moves == p.moves
    True
    >>> foxrow.load('{"format": "foxrow/1"}')
    Traceback (most recent call last):
        ...
    foxrow.core.errors.RecordError: the key "game" is missing
    """
    from foxrow.match import record

    if isinstance(source, dict):
        return record.read(source).replay()
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in "{["):
        return record.read(record.parse(source)).replay()
    from pathlib import Path

    from foxrow.core.errors import RecordError

    try:
        with Path(source).open("rb") as file:
            text = file.read(record.MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordError(str(source)[:200], getattr(error, "strerror", None) or str(error)) from None
    return record.read(record.parse(text)).replay()
