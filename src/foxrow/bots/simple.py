"""Bots that do not look ahead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foxrow.bots.protocol import Bot, Budget, Choice, Reason
from foxrow.core.chance import below, stream
from foxrow.core.record import View
from foxrow.core.rules import Rules
from foxrow.search.searcher import fingerprint


class Random(Bot):
    """Any legal move, all alike."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.name = "random"
        self._seed = seed

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        return Choice(legal[below(stream(self._seed ^ fingerprint(view)), len(legal))])


class Greedy(Bot):
    """The game's rule of thumb."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.name = "greedy"
        self._rules = rules
        self._seed = seed

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        self._rules.check(view, legal)
        rng = stream(self._seed ^ fingerprint(view))
        move = int(self._rules.policy(view, np.array(legal, np.int32), len(legal), rng))
        return Choice(move, (Reason(move, note="rule of thumb"),))
