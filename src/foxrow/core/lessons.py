"""Lessons: a position, what is asked of whoever learns, and what the others do meanwhile.

A game may have some in its folder, `lessons.json`, in the order in which they are learned. A lesson is a set-up, the
moves that lead to its first decision, and a few steps. Of each step some moves are right, and all of these may be
followed by what the others then do. The words of a lesson belong to whoever shows it; the browser's are in the game's
`web/messages`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.core.position import Position


class NotAsked(FoxrowError):
    """A legal move that a lesson does not ask for here."""


@dataclass(frozen=True)
class Step:
    accepts: tuple[str, ...]  # the moves that are right, the one that is shown first
    then: tuple[str, ...]  # what follows each of them


@dataclass(frozen=True)
class Lesson:
    game: Game
    id: str  # its name, whatever its place among the others is
    players: int
    setup: Mapping[str, Any]
    before: tuple[str, ...]  # moves that lead to the first step
    steps: tuple[Step, ...]

    def begin(self) -> Position:
        """Where the first step is asked."""
        return Position.from_setup(self.game, self.setup, self.players).play(*self.before)

    @property
    def seat(self) -> int:
        """Whose eyes one has."""
        seat = self.begin().to_act
        assert seat is not None
        return seat

    def accepted(self, position: Position, step: int) -> list[str]:
        """The moves that are right in a position after so many steps; none when the lesson is over."""
        right = self.steps[step].accepts if step < len(self.steps) else ()
        return [text for text in right if text in position.legal()]

    def play(self, moves: Sequence[str]) -> Position:
        """The position after these moves of the learner and all that followed them."""
        position = self.begin()
        rules = self.game.rules
        for text, step in zip(moves, self.steps, strict=False):
            made = rules.move_text(position.state, rules.parse(position.state, text))
            if made not in step.accepts:
                raise NotAsked(f"{made} is possible, but this lesson asks for {' or '.join(step.accepts)}")
            position.play(made, *step.then)
        return position


@cache
def lessons(game: Game) -> tuple[Lesson, ...]:
    path = game.folder / "lessons.json"
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return tuple(
        Lesson(
            game,
            one["id"],
            one["players"],
            one["setup"],
            tuple(one.get("before", ())),
            tuple(Step(tuple(step["accepts"]), tuple(step.get("then", ()))) for step in one["steps"]),
        )
        for one in found
    )
