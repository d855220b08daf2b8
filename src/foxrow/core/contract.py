"""The card a game shows: data only. Nothing here imports NumPy, so listing the games is instant."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from foxrow.core.errors import GameError, quoted

if TYPE_CHECKING:
    from foxrow.core.position import Position
    from foxrow.core.rules import Rules

Choice = bool | str


@dataclass(frozen=True)
class Option:
    """A variant that a table may choose."""

    key: str
    choices: tuple[Choice, ...]
    default: Choice
    note: str  # one sentence for the person who chooses
    players: tuple[int, ...] | None = None  # the player counts where it has a meaning; None: all
    partners: tuple[Choice, ...] = ()  # the choices that make opposite seats partners: one side, no free chat


@dataclass(frozen=True)
class MatchRule:
    """How rounds make a match: `cycles` add up scores, `points` race to a number of won rounds, `single` is one."""

    kind: Literal["cycles", "points", "single"]
    default: int = 1
    low: int = 0
    high: int = 0

    @property
    def setting(self) -> str | None:
        """The key under which a match record holds the setting."""
        return None if self.kind == "single" else self.kind


@dataclass(frozen=True)
class Game:
    """One game: its card, and the door to its rules."""

    key: str
    name: str
    summary: str  # one sentence
    publisher: str  # whom the name belongs to
    players: tuple[int, ...]
    phases: tuple[str, ...]  # what `phase(state)` counts; the last is "over"
    match: MatchRule
    package: str  # where state, rules, view, play and text lie
    options: tuple[Option, ...] = ()
    version: int = 1  # raised by every change of the rules or of the move space

    @cached_property
    def folder(self) -> Path:
        """Where its data lies."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    @cached_property
    def rules(self) -> Rules:
        """The compiled rules; the first use loads Numba."""
        from foxrow.core.rules import Rules

        return Rules(self)

    def new(
        self,
        players: int | None = None,
        *,
        seed: int | str | bytes | None = None,
        first: int = 0,
        names: Iterable[str] | None = None,
        round: int = 0,
        **options: Choice,
    ) -> Position:
        """Deal a round. The same seed deals the same cards; without one, the deal is random."""
        from foxrow.core.position import Position

        return Position.deal(
            self,
            players or self.players[0],
            seed=seed,
            first=first,
            names=names,
            round=round,
            options=options,
        )

    def check_players(self, players: object) -> int:
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            counts = ", ".join(map(str, self.players))
            raise GameError(f"{self.name} is for {counts} players, not {quoted(players)}")
        return players

    def check_options(self, options: Mapping[str, object], players: int) -> dict[str, Choice]:
        """All options that have a meaning at this player count, the defaults filled in."""
        known = {option.key: option for option in self.options}
        for key, value in options.items():
            if key not in known:
                has = f"it has: {', '.join(known)}" if known else "it has none"
                raise GameError(f"{self.name} has no option {quoted(key)} ({has})")
            option = known[key]
            if option.players is not None and players not in option.players:
                counts = " or ".join(map(str, option.players))
                raise GameError(f"the option {quoted(key)} has a meaning with {counts} players only")
            if not any(type(value) is type(choice) and value == choice for choice in option.choices):
                choices = " or ".join(map(quoted, option.choices))
                raise GameError(f"the option {quoted(key)} may be {choices}, not {quoted(value)}")
        return {
            option.key: options.get(option.key, option.default)  # type: ignore[misc]  # checked above
            for option in self.options
            if option.players is None or players in option.players
        }

    def option_codes(self, options: Mapping[str, Choice]) -> list[int]:
        """The index of each option's choice, in the card's order: what `deal` takes."""
        return [option.choices.index(options.get(option.key, option.default)) for option in self.options]
