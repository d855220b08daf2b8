"""The bot that searches as long as its budget lasts."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foxrow.bots.protocol import Bot, Budget, Choice, Reason
from foxrow.core.contract import Choice as Value
from foxrow.core.contract import Game
from foxrow.core.record import View
from foxrow.core.stakes import Stakes, race
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


def outcomes(stakes: Stakes) -> list[tuple[float, ...]]:
    """In a race: by who wins this round, the chance of each to win the match."""
    seats = range(len(stakes.ahead))
    return [race([won + (seat == winner) for seat, won in enumerate(stakes.ahead)], stakes.goal) for winner in seats]


def spread(game: Game) -> float:
    """How far apart two players end a round, as a standard deviation in points; 0 where a game does not say."""
    return float(getattr(importlib.import_module(f"{game.package}.play"), "SPREAD", 0.0))


def curve(game: Game, rounds: int) -> float:
    """The scale of the logistic curve over a lead that comes nearest to what so many rounds add to it."""
    return math.sqrt(3 * rounds) / math.pi * spread(game)


def standing(game: Game, stakes: Stakes) -> tuple[float, ...]:
    """The chance of each to win the match before this round is played, by nothing but how it stands; where points add
    up, against the best of the others."""
    if stakes.goal:
        return race(stakes.ahead, stakes.goal)
    scale = curve(game, stakes.left + 1)
    leads = [own - max(stakes.ahead[:seat] + stakes.ahead[seat + 1 :]) for seat, own in enumerate(stakes.ahead)]
    return tuple(0.5 + 0.5 * math.tanh(0.5 * lead / scale) for lead in leads)


NEAR = 2  # rounds to come: with no more of them, what a round counts for in the match is told as it is


def weighed(game: Game, stakes: Stakes | None, *, plainly: bool = False) -> tuple[float, ...]:
    """Stakes as a search takes them.

    Where won rounds race (`tree.raced`): the chance of each to win the match after every winner of this round. A search
    goes by what a seat prefers, and is tuned to whole wins: unless they are wanted plainly, chances are stretched, for
    every seat, from 0 for the worst to 1 for the best.

    Where points add up (`tree.judge`): the scale of the logistic curve that comes nearest to what the
    rounds to come will add, then the points. Before many rounds a point changes so little that no search could tell its
    moves apart: there the curve is as steep as before `NEAR` of them, with leads that count for so much less. Where a
    game does not say how far its points spread, a round is played for itself."""
    if stakes is not None and stakes.goal:
        worth = np.array(outcomes(stakes))
        if not plainly:
            low, high = worth.min(0), worth.max(0)
            worth = (worth - low) / np.where(high > low, high - low, 1.0)
            if (worth == np.eye(len(worth))).all():  # to win is all that counts, as in any round
                return ()
        return (-1.0, *worth.ravel().tolist())
    if stakes is None or spread(game) == 0.0:
        return ()
    near = min(stakes.left, NEAR)
    shrunk = math.sqrt(near / stakes.left) if stakes.left else 1.0
    return (curve(game, near), *(points * shrunk for points in stakes.ahead))


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
        self._told: Stakes | None = None
        self._stakes: tuple[float, ...] = ()
        self._search = self._new_search(1)

    def _new_search(self, seats: int) -> Search:
        """A horizon is so many moves at two players: as many rounds ahead take more moves at a bigger table."""
        horizon = self._settings.horizon * self._players // 2
        settings = replace(self._settings, partners=seats, horizon=horizon, stakes=self._stakes)
        return Search(self._game.rules, seed=self._seed, settings=settings, threads=self._threads)

    def plays_for(self, stakes: Stakes | None) -> None:
        self._told = stakes

    def start(self, seat: int, players: int, options: Mapping[str, Value]) -> None:
        self._players = players
        here = self._told if self._told and len(self._told.ahead) == players else None  # else it is another table's
        self._stakes = weighed(self._game, here)
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
