"""Levels for people: the same search, with less thought and with the mistakes that people make.

A weak level is short-sighted, forgets what it has seen, overlooks moves and misjudges those it sees; it does not throw
dice over its moves.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foxrow.bots.learned import Guided, nets_of
from foxrow.bots.protocol import Bot, Budget, Choice, Reason
from foxrow.bots.searching import Searching, game_settings
from foxrow.core.chance import stream
from foxrow.core.contract import Choice as Value
from foxrow.core.contract import Game
from foxrow.core.level import Level
from foxrow.core.record import View, copy
from foxrow.core.stakes import Stakes
from foxrow.search.searcher import fingerprint

NEAR = 0.6  # weight of the points for those who do not see the end: to be ahead now is all they can aim at
DOUBT = 2.0  # imagined average games that a move's own games must outweigh


# The levels of a game that names none of its own.
PLAIN = (
    Level(
        "gentle", "Gentle", "Misses most of the better moves.", simulations=8, naive=100, overlooks=70, misjudges=0.5
    ),
    Level("easy", "Easy", "Misses half of what it could do.", simulations=20, overlooks=50, misjudges=0.3),
    Level("casual", "Casual", "Plays like a guest who knows the rules.", simulations=40, overlooks=30, misjudges=0.15),
    Level("steady", "Steady", "Overlooks a good move now and then.", simulations=60, overlooks=15, misjudges=0.07),
    Level("solid", "Solid", "Overlooks nothing, and does not think long.", simulations=100),
    Level("strong", "Strong", "Weighs its moves.", simulations=250),
    Level("expert", "Expert", "Weighs hundreds of games before a move.", simulations=800),
    Level("master", "Master", "Weighs thousands of games before a move.", simulations=3000),
)


def levels(game: Game) -> tuple[Level, ...]:
    """The game's levels, weakest first; level 1 is the first."""
    found: tuple[Level, ...] = getattr(importlib.import_module(f"{game.package}.play"), "LEVELS", PLAIN)
    return found


class Leveled(Bot):
    """A bot of one level."""

    def __init__(self, game: Game, level: Level, *, seed: int = 0, name: str | None = None) -> None:
        self.name = name or level.name
        self.level = level
        self._rules = game.rules
        self._seed = seed
        settings = game_settings(game)
        if level.overlooks or level.misjudges:  # then it is not the most visited move that counts, but all of them
            settings = replace(settings, settle=False)
        if level.naive is not None:
            settings = replace(settings, randomness=level.naive)
        if level.horizon is not None:
            settings = replace(settings, horizon=level.horizon, margin=NEAR)
        self._margin = settings.margin
        self._match = False  # whether the round counts for one
        self._search: Searching | None = None
        if level.net:
            self._search = Guided(game, nets_of(game), seed=seed, settings=settings, name=self.name)
        elif level.simulations:
            self._search = Searching(game, seed=seed, settings=settings, name=self.name)

    def plays_for(self, stakes: Stakes | None) -> None:
        self._match = stakes is not None
        if self._search is not None:
            self._search.plays_for(stakes)

    def start(self, seat: int, players: int, options: Mapping[str, Value]) -> None:
        if self._search is not None:
            self._search.start(seat, players, options)

    def saw(self, seat: int, move: int) -> None:
        if self._search is not None:
            self._search.saw(seat, move)

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], (Reason(legal[0], note="the only move"),))
        self._rules.check(view, legal)
        lot = random.Random(self._seed ^ fingerprint(view))
        seen = forgetful(view, self.level.forgets, lot) if self.level.forgets else view
        obvious = int(self._rules.policy(seen, np.array(legal, np.int32), len(legal), stream(lot.getrandbits(63))))
        if self._search is None:
            return Choice(obvious, (Reason(obvious, note="rule of thumb"),))
        noticed = {move for move in legal if lot.random() * 100 >= self.level.overlooks} or {obvious}
        considered = self._search.choose(seen, legal, self._limit(view, budget)).reasons
        reasons = tuple(reason for reason in considered if reason.move in noticed)
        return Choice(self._best(reasons, lot), reasons)

    def _limit(self, view: View, given: Budget | None) -> Budget:
        """How long it thinks: as its level does at such a table, or less if that is all there is."""
        table: Any = view
        given, own = given or Budget(), self.level.thought(int(table.players), match=self._match)
        return replace(given, simulations=own if given.simulations is None else min(own, given.simulations))

    def _best(self, reasons: Sequence[Reason], lot: random.Random) -> int:
        """The move that seems best: the most visited, or with errors of judgement the one that seems worth most."""
        if not self.level.misjudges:
            return reasons[0].move
        visits = sum(reason.visits for reason in reasons)
        mean = sum(reason.visits * self._worth(reason) for reason in reasons) / max(1, visits)

        def seems(reason: Reason) -> float:
            worth = (reason.visits * self._worth(reason) + DOUBT * mean) / (reason.visits + DOUBT)
            return worth + lot.gauss(0.0, self.level.misjudges)

        return max(reasons, key=seems).move

    def _worth(self, reason: Reason) -> float:
        """The win first, the points second, as the search weighs them."""
        wins, margin = reason.wins or 0.0, reason.margin or 0.0
        return (1 - self._margin) * wins + self._margin * (0.5 + 0.5 * margin / (abs(margin) + 10.0))


def forgetful(view: View, percent: int, lot: random.Random) -> View:
    """The view of somebody who has not kept track of all cards that went into other hands face up.

    By the contract such cards are counted in a public field `known`, [seat, kind]; a game without it has nothing to
    forget.
    """
    array: Any = copy(view)
    if "known" not in array.dtype.names:
        return view
    known = array["known"]
    for seat in range(known.shape[0]):
        if seat != array.seer:
            for kind in range(known.shape[1]):
                known[seat, kind] = sum(lot.random() * 100 >= percent for _ in range(int(known[seat, kind])))
    forgotten: View = array
    return forgotten
