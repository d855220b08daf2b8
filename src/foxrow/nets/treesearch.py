"""A search by tree and net, from Python: `foxrow.search.Search` with a net in its trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rules import Rules
from foxrow.nets.forward import desk
from foxrow.nets.play import Net
from foxrow.search.searcher import TREE as BASE
from foxrow.search.searcher import Growth, Prospect, Search, Tree

TREE = "foxrow.nets.tree"


@dataclass(frozen=True)
class Growing:
    """The knobs of a tree by net, in the order of `tree`."""

    explore: float = 1.0  # how much a rarely tried move is favoured
    flat: float = 0.1  # share of the prior that all moves have alike; the net's odds have the rest
    rollout: float = 0.5  # weight of a rollout by the rule of thumb against the critic's value
    randomness: int = 10  # of 100 moves of a rollout, so many are made at random
    partners: int = 1  # seats that win together
    stakes: tuple[float, ...] = ()  # as in `search.Settings`; a critic knows nothing of points, and where these add
    # up, rollouts alone count

    def knobs(self, settle: bool, critic: bool) -> NDArray[np.float64]:
        rollout = 1.0 if self.stakes and self.stakes[0] >= 0 else self.rollout
        return np.array(
            [self.explore, self.flat, rollout, self.randomness, self.partners, settle, critic, *self.stakes], np.float64
        )


def template(rules: Rules) -> Any:
    rules.template("foxrow.core.steps")
    return rules.template(TREE, on=BASE)


class TreeSearch(Search):
    """One player's search through one round, by a net. The same seed, views and simulations give the same prospects."""

    part = "net"

    def __init__(self, net: Net, *, seed: int = 0, growing: Growing | None = None, threads: int = 1) -> None:
        rules = net.game.rules
        super().__init__(rules, seed=seed, threads=threads, keep=False, template=template(rules))
        self.net = net
        self.growing = growing or Growing()

    def _use(self) -> None:
        super()._use()
        place, rng, knobs = self.rules.states(1), np.ones(4, np.int64), Growing().knobs(True, True)
        NetTree(self._tree, self.rules, place, rng, knobs, 2, self.net).grow(0, None)
        self.net.warm()

    def _begin(
        self, view: Any, rngs: Sequence[NDArray[np.int64]], simulations: int | None, settle: bool
    ) -> Sequence[Growth]:
        room = self._most_nodes if simulations is None else min(self._most_nodes, simulations + 1)
        knobs = self.growing.knobs(settle, self.net.card.critic > 0)
        return [NetTree(self._tree, self.rules, view, rng, knobs, room, self.net) for rng in rngs]

    def _prospect(self, move: int, visits: float, value: float, won: float, gap: float) -> Prospect:
        """A net expects wins, not points."""
        return Prospect(move, int(visits), value / (visits or 1.0), won / (visits or 1.0), None)


class NetTree(Tree):
    """A tree, and the room where the net thinks."""

    def __init__(
        self,
        template: Any,
        rules: Rules,
        view: Any,
        rng: NDArray[np.int64],
        knobs: NDArray[np.float64],
        room: int,
        net: Net,
    ) -> None:
        super().__init__(template, rules, view, rng, knobs, room)
        self._run = template.grow_by_net
        table = template.Table(
            np.zeros((1, rules.FEATURES), np.int8),
            *desk(net.packed, 1),
            np.zeros((1, rules.FEATURES + net.unseen), np.int8),
            *desk(net.critic, 1),
            np.zeros(rules.FEATURES, np.int8),
        )
        self._given += net.packed, net.critic, net.secrets, table
