"""The bot that searches as long as its budget lasts."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foxrow.bots.protocol import Bot, Budget, Choice, Reason
from foxrow.core.contract import Choice as Value
from foxrow.core.contract import Game
from foxrow.core.record import View
from foxrow.core.stakes import Stakes
from foxrow.search.searcher import Prospect, Search, Settings


def partners(game: Game, options: Mapping[str, Value]) -> int:
    """How many seats win together: 2 where an option makes partners."""
    return 2 if any(options.get(option.key) in option.partners for option in game.options) else 1


def reason(prospect: Prospect) -> Reason:
    if prospect.visits == 0:
        return Reason(prospect.move)
    return Reason(prospect.move, prospect.visits, prospect.wins, prospect.margin)


def least(own: float | None, given: float | None) -> float | None:
    """The tighter of two limits."""
    return min((limit for limit in (own, given) if limit is not None), default=None)


NEAR = 2  # rounds


def weighed(game: Game, stakes: Stakes | None) -> tuple[float, ...]:
    """Stakes as a search takes them (`tree.judge`): the scale of the logistic curve that comes nearest to what the
    rounds to come will add, then the points. Before many rounds a point changes so little that no search could tell its
    moves apart: there the curve is as steep as before `NEAR` of them, with leads that count for so much less. Where a
    game does not say how far its points spread, a round is played for itself."""
    spread = float(getattr(importlib.import_module(f"{game.package}.play"), "SPREAD", 0.0))
    if stakes is None or spread == 0.0:
        return ()
    near = min(stakes.left, NEAR)
    shrunk = math.sqrt(near / stakes.left) if stakes.left else 1.0
    return (math.sqrt(3 * near) / math.pi * spread, *(points * shrunk for points in stakes.ahead))


class Searching(Bot):
    """Monte Carlo tree search with a budget of simulations, of milliseconds, or both."""

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        simulations: int | None = None,
        ms: float | None = None,
        threads: int = 1,
        settings: Settings | None = None,
        name: str | None = None,
    ) -> None:
        self.name = name or (f"search:{simulations}" if simulations else f"search:{ms:g}ms")
        self._game = game
        self._seed = seed
        self._budget = Budget(simulations, ms)
        self._threads = threads
        self._settings = settings or game_settings(game)
        self._players = 2
        self._stakes: tuple[float, ...] = ()
        self._search = self._new_search(1)

    def _new_search(self, seats: int) -> Search:
        """A horizon is so many moves at two players: as many rounds ahead take more moves at a bigger table."""
        horizon = self._settings.horizon * self._players // 2
        settings = replace(self._settings, partners=seats, horizon=horizon, stakes=self._stakes)
        return Search(self._game.rules, seed=self._seed, settings=settings, threads=self._threads)

    def plays_for(self, stakes: Stakes | None) -> None:
        self._stakes = weighed(self._game, stakes)

    def start(self, seat: int, players: int, options: Mapping[str, Value]) -> None:
        self._players = players
        if self._stakes and len(self._stakes) != 1 + players:  # of another table
            self._stakes = ()
        self._search = self._new_search(partners(self._game, options))

    def saw(self, seat: int, move: int) -> None:
        self._search.saw(seat, move)

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        given = budget or Budget()
        simulations = least(self._budget.simulations, given.simulations)
        ms = least(self._budget.ms, given.ms)
        if len(legal) == 1:
            return Choice(legal[0], (Reason(legal[0], note="the only move"),))
        state: Any = view
        if int(state.players) != self._players:  # asked in the middle of a round, and nobody said where
            self.start(int(state.seer), int(state.players), {})
        prospects = self._search.think(view, simulations=None if simulations is None else int(simulations), ms=ms)
        return Choice(prospects[0].move, tuple(map(reason, prospects)))


def game_settings(game: Game) -> Settings:
    """The settings that suit a game: those of its `play.SEARCH`, else the usual ones. A settled choice is made."""
    play = importlib.import_module(f"{game.package}.play")
    return Settings(**{"settle": True, **getattr(play, "SEARCH", {})})
