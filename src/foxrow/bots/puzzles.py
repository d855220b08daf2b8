"""Puzzles: decisions in which one move is far better than all others, and what each of them is worth.

A game may have some in its folder, `puzzles.json`, as `bench/puzzles.py` found them: the deal, the moves that led
there, and the expected share of a win for every legal move. Those that most levels find come first, the smallest tables
before the larger ones, as lessons have them; then the hard ones.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from foxrow.bots.analysis import SHOWN, Verdict
from foxrow.core.contract import Game
from foxrow.core.position import Position

HARD = 0.67  # from here on, `missed` is so much that a puzzle is hard


@dataclass(frozen=True)
class Puzzle:
    game: Game
    players: int
    seed: str
    moves: tuple[str, ...]
    missed: float  # the share of our levels' tries that did not find it
    worth: dict[str, float]  # by move, the best first

    @cached_property
    def id(self) -> str:
        """Its name, whatever its place among the others is."""
        return hashlib.sha256("/".join((self.seed, *self.moves)).encode()).hexdigest()[:8]

    @cached_property
    def position(self) -> Position:
        """With all cards: show `position.view(seat)` alone."""
        return Position.deal(self.game, self.players, seed=self.seed).play(*self.moves)

    @property
    def seat(self) -> int:
        seat = self.position.to_act
        assert seat is not None
        return seat

    def judge(self, text: str) -> Verdict:
        """What a legal move is worth here."""
        rules, state = self.game.rules, self.position.state
        chances = {rules.parse(state, move): chance for move, chance in self.worth.items()}
        made = rules.parse(state, text)
        best, *others = chances
        shown = [best, *others[: SHOWN - 1]]
        if made not in shown:
            shown[-1] = made
        tried = tuple((move, chances[move]) for move in shown)
        return Verdict(made, best, chances[best], chances[made], tried)


def home(game: Game) -> Path:
    """The file of a game's puzzles, which may not be there."""
    return game.folder / "puzzles.json"


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    path = home(game)
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    read = (
        Puzzle(game, one["players"], one["seed"], tuple(one["moves"]), one["missed"], one["worth"]) for one in found
    )
    return tuple(sorted(read, key=lambda one: (one.missed >= HARD, one.missed < HARD and one.players, one.missed)))
