"""What a round counts for in its match: where points add up over rounds, or where rounds are won in a race."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Stakes:
    ahead: tuple[int, ...]  # every seat's points, or won rounds, from before
    left: int = 0  # rounds after this one, where points add up
    goal: int = 0  # won rounds that win the match, where it is a race; 0: points add up


def race(ahead: Sequence[int], goal: int) -> tuple[float, ...]:
    """The chance of each to reach the goal first, where everybody wins a round as often as anybody else."""
    needs = [max(goal - won, 0) for won in ahead]
    order = sorted(range(len(needs)), key=lambda i: needs[i])
    odds = _odds(tuple(needs[i] for i in order))
    return tuple(odds[order.index(i)] for i in range(len(needs)))


@cache
def _odds(needs: tuple[int, ...]) -> tuple[float, ...]:
    """Of won rounds that everybody lacks, the fewest first: who sits where does not matter, so few are different."""
    if needs[0] == 0:
        there = needs.count(0)
        return tuple(float(need == 0) / there for need in needs)
    total = [0.0] * len(needs)
    for winner in range(len(needs)):
        after = [need - (i == winner) for i, need in enumerate(needs)]
        order = sorted(range(len(needs)), key=lambda i: after[i])
        for place, chance in enumerate(_odds(tuple(after[i] for i in order))):
            total[order[place]] += chance / len(needs)
    return tuple(total)
