"""A test that may stop early: is one side better by a margin? Sequential probability ratios over deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result

ERROR = 0.05  # of both kinds
LEAST = 10  # deals before anything is said


@dataclass(frozen=True)
class Verdict:
    """What the deals prove so far."""

    margin: float  # above the fair share
    better: float  # log-likelihood ratio: the first bot has the fair share and the margin, against the fair share
    worse: float  # the same for falling short by the margin
    decided: str | None  # "first", "second" (the others), "neither", or None: play on

    def document(self) -> dict[str, Any]:
        return {
            "margin": self.margin,
            "llr_first_better": round(self.better, 4),
            "llr_second_better": round(self.worse, 4),
            "bound": round(math.log((1 - ERROR) / ERROR), 4),
            "decided": self.decided,
        }


def ratio(n: int, total: float, squares: float, null: float, other: float) -> float:
    """The log-likelihood ratio of two means of n normal values whose spread is the seen one.

    As for the table's intervals, a won and a lost deal are thought in addition: there is never no spread at all.
    """
    mean = (total + 1.0) / (n + 2)
    spread = (squares + 1.0) / (n + 2) - mean**2
    return n * (other - null) * (2 * total / n - null - other) / (2 * spread)


def judge(plan: Plan, deals: Sequence[Sequence[Result]], margin: float) -> Verdict:
    """Go through the deals in their order, and stop at the first that decides."""
    total = squares = 0.0
    verdict = Verdict(margin, 0.0, 0.0, None)
    bound = math.log((1 - ERROR) / ERROR)
    for n, deal in enumerate(deals, 1):
        places = [result.shares[seat] for result in deal for seat, bot in enumerate(result.lineup) if bot == 0]
        value = sum(places) / len(places)
        total += value
        squares += value**2
        better = ratio(n, total, squares, plan.fair, plan.fair + margin)
        worse = ratio(n, total, squares, plan.fair, plan.fair - margin)
        decided = None
        if n >= LEAST:
            if better >= bound:
                decided = "first"
            elif worse >= bound:
                decided = "second"
            elif better <= -bound and worse <= -bound:
                decided = "neither"
        verdict = Verdict(margin, better, worse, decided)
        if decided:
            break
    return verdict
