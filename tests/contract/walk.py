"""Every game of the registry, at every player count, with every choice of its options; and walks through them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

from foxrow.core.chance import stream
from foxrow.core.contract import Choice, Game
from foxrow.core.position import Position
from foxrow.core.record import copy
from foxrow.core.registry import games


@dataclass(frozen=True)
class Case:
    """One way to play one game."""

    game: Game
    players: int
    choices: tuple[tuple[str, Choice], ...]

    @property
    def options(self) -> dict[str, Choice]:
        return dict(self.choices)

    @property
    def name(self) -> str:
        extras = [
            f"{key}-{value}".lower()
            for key, value in self.choices
            for option in self.game.options
            if option.key == key and option.default != value
        ]
        return "-".join([str(self.players), *extras])

    def new(self, seed: int | str, *, first: int = 0, round: int = 0, names: list[str] | None = None) -> Position:
        """A deal of the open shuffle."""
        return Position.deal(
            self.game, self.players, seed=seed, first=first, round=round, names=names, options=self.options
        )

    def __str__(self) -> str:
        return f"{self.game.key}-{self.name}"


def cases() -> list[Case]:
    """All of them: a new game, player count or option is tested by being there."""
    found = []
    for game in games().values():
        for players in game.players:
            options = [option for option in game.options if option.players is None or players in option.players]
            for choices in itertools.product(*(option.choices for option in options)):
                named = zip((option.key for option in options), choices, strict=True)
                found.append(Case(game, players, tuple(named)))
    return found


@dataclass(frozen=True)
class Step:
    """A position of a game, and the move that was made there."""

    state: Any
    legal: list[int]
    move: int  # −1: the game is over


def deal(case: Case, seed: int) -> Any:
    """A shuffled deal; the starter follows from the seed too."""
    return lay_out(case, *shuffled(case, seed))


def deals(case: Case) -> int:
    """How many different orders the deck has: where they are few, little can vary."""
    deck = Counter(case.game.rules.deck(case.players, case.options))
    return math.factorial(deck.total()) // math.prod(map(math.factorial, deck.values()))


def shuffled(case: Case, seed: int) -> tuple[list[int], int]:
    """The order of a deck, and who starts."""
    order = list(range(len(case.game.rules.deck(case.players, case.options))))
    random = Random(seed)
    random.shuffle(order)
    return order, random.randrange(case.players)


def lay_out(case: Case, order: list[int], first: int) -> Any:
    rules = case.game.rules
    state = rules.states(1)[0]
    codes = np.array(case.game.option_codes(case.options), np.int32)
    rules.deal(state, np.array(order, np.int32), case.players, first, codes)
    return state


def walk(case: Case, seed: int, *, by_policy: bool | None = None, most: int = 20_000) -> Iterator[Step]:
    """A whole game, position by position. Every second game follows the policy three times out of four."""
    rules = case.game.rules
    random = Random(seed)
    rng = stream(seed)
    follow = bool(seed % 2) if by_policy is None else by_policy
    state = deal(case, seed)
    for _ in range(most):
        seat = int(rules.actor(state))
        if seat < 0:
            yield Step(copy(state), [], -1)
            return
        legal = rules.legal(state)
        if follow and random.random() < 0.75:
            move = int(rules.policy(rules.mask(state, seat), np.array(legal, np.int32), len(legal), rng))
        else:
            move = random.choice(legal)
        yield Step(copy(state), legal, move)
        rules.apply(state, move)
    raise AssertionError(f"{case}, seed {seed}: not over after {most} moves")


@cache
def positions(case: Case, count: int = 40) -> tuple[Step, ...]:
    """Positions from all over some games, beginnings and ends among them."""
    steps = [step for seed in range(6) for step in walk(case, seed)]
    ends = [step for step in steps if step.move < 0][:2]
    chosen = Random(case.players).sample(steps, min(count, len(steps)))
    return (steps[0], *chosen, *ends)


def seers(case: Case) -> range:
    """Everybody who looks: a spectator, and each seat."""
    return range(-1, case.players)


def raw(state: Any) -> bytes:
    """All bytes of a state as they lie in memory (`tobytes` would make a copy field by field)."""
    return bytes(state)
