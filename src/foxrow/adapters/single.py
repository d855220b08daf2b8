"""One game as the adapters play it: a state, who acts, what it pays. Slot 0 of a batch with the same seed, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.batch import Variant
from foxrow.core.chance import streams
from foxrow.core.contract import Game
from foxrow.core.registry import game as game_by_key


def name_of(game: Game) -> str:
    """The versioned name of an environment: a change of rules or features makes another."""
    return f"{game.key}-v{version_of(game)}"


def openspiel_name(game: Game) -> str:
    """The same as OpenSpiel wants it."""
    return f"foxrow_{game.key}_v{version_of(game)}"


def version_of(game: Game) -> int:
    """Counts the changes of both."""
    return game.version + game.rules.FEATURES_VERSION - 1


class Round:
    """The rules around one state. Copies share the rules, so copying one is cheap."""

    def __init__(self, key: str, players: int | None, options: dict[str, Any]) -> None:
        self.game = game_by_key(key)
        count = self.game.check_players(players if players is not None else self.game.players[0])
        self.variant = Variant(count, self.game.check_options(options, count))
        self.rules = self.game.rules
        self.players = count
        self._steps: Any = self.rules.template("foxrow.core.steps")
        self._codes = np.array([*self.game.option_codes(self.variant.options), 0], np.int32)
        self._cards = len(self.rules.deck(count, self.variant.options))

    def __deepcopy__(self, memo: dict[int, Any]) -> Round:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Round, (self.game.key, self.players, self.variant.options)

    def blank(self) -> Any:
        """Room for one state, as an array of one."""
        return self.rules.states(1)

    def deal(self, states: Any, seed: int, first: int = -1) -> None:
        order = np.zeros(self.rules.CARDS, np.int32)
        self._steps.fresh(states[0], streams(seed, 1)[0], order, self._cards, self.players, first, self._codes)

    def rewards(self, state: Any) -> list[float]:
        """Of a round that is over: 1 for winning alone, ties share, the sum is 0."""
        winners = self.rules.winners(state) or []
        share = self.players / len(winners)
        return [((share if seat in winners else 0.0) - 1) / (self.players - 1) for seat in range(self.players)]

    def mask(self, state: Any) -> NDArray[np.int8]:
        """The legal moves of the seat to act as 0 and 1."""
        flags = np.zeros(self.rules.MOVES, np.int8)
        if self.rules.actor(state) >= 0:
            flags[self.rules.legal(state)] = 1
        return flags

    def table(self, state: Any, seat: int) -> str:
        """What a seat sees (−1: a spectator), as text."""
        names = [f"seat {i}" for i in range(self.players)]
        text: str = self.rules.text.table(self.rules.mask(state, seat), names)
        return text
