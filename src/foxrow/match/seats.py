"""Who sits where, and who wins together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from foxrow.core.contract import Game


@dataclass
class Seat:
    person: str | None = None
    level: int | None = None  # a bot's
    out: bool = False  # has lost on time; a bot plays on for it
    seated: int = 0  # the number of the event by which they sat down
    dealt: bool = False  # cards were dealt to a person here, who may have left since

    @property
    def kind(self) -> Literal["open", "person", "bot"]:
        if self.person is not None:
            return "person"
        return "open" if self.level is None else "bot"

    @property
    def by_bot(self) -> bool:
        """Nobody thinks here: a bot's seat, or one that is out."""
        return self.level is not None or self.out


@dataclass(frozen=True)
class Wish:
    """Who shall sit at a seat of a new table: a person, a bot's level, or neither (open)."""

    person: str | None = None
    level: int | None = None


def others(seats: Sequence[Seat], person: str | None) -> set[str]:
    """The other persons who play."""
    return {seat.person for seat in seats if seat.person is not None and not seat.out} - {person}


def partners(game: Game, options: Mapping[str, Any]) -> bool:
    """Whether opposite seats play together, by an option that says so on the game's card."""
    return any(options.get(option.key) in option.partners for option in game.options)


def side(game: Game, options: Mapping[str, Any], seat: int) -> int:
    """Seats with the same number win together."""
    return seat % 2 if partners(game, options) else seat
