"""A search that a net guides, from Python: `foxrow.search.Search` with another tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import PURE
from foxrow.core.rules import Rules, Tell
from foxrow.nets.forward import Packed, desk
from foxrow.nets.play import Net
from foxrow.search.searcher import TREE as BASE
from foxrow.search.searcher import Prospect, Search, Tree, room_for
from foxrow.search.searcher import warm as warm_search

TREE = "foxrow.nets.tree"
MOST_NODES = 1 << 19  # of one tree: 25 MB
USUAL = 24  # legal moves of a position, generously: room for the nodes that a simulation adds


@dataclass(frozen=True)
class Guidance:
    """The knobs of a search by net; `tree` has them in that order."""

    explore: float = 0.25  # how much a rarely tried move is favoured
    open: float = 0.25  # share of the prior that all moves get alike
    trust: float = 0.5  # of a position's worth, the net's share; a rollout has the rest
    randomness: int = 10  # of 100 rollout moves, so many are made at random
    doubt: float = 0.05  # how much less than its parent an untried move is worth
    partners: int = 1  # seats that win together
    batch: int = 8  # positions that the net is asked about at once
    settle: bool = False  # stop when the simulations that are left cannot change the choice

    def knobs(self) -> NDArray[np.float64]:
        numbers = (self.explore, self.open, self.trust, self.randomness, self.doubt, self.partners, self.batch)
        return np.array([*numbers, self.settle], np.float64)


def template(rules: Rules) -> Any:
    return rules.template(TREE, on=BASE)


def warm(rules: Rules, net: Net, tell: Tell | None = None) -> None:
    """Compile the search by net of a game, or load it from the cache folder."""
    tree = template(rules)
    if PURE or tree.__dict__.get("__warm__"):
        return
    warm_search(rules, tell)
    if tell:
        tell("net", 0, 1)
    states = rules.states(1)
    grown = GuidedTree(tree, rules, states, np.ones(4, np.int64), Guidance(), net.packed, 2, None)
    grown.grow(0, None)
    tree.step(grown.nodes, 0, 0, 0)
    tree.fan(grown.nodes, 0, np.zeros(1, np.int32), np.zeros((1, 4)))
    tree.transplant(grown.nodes, 0, room_for(tree, 2))
    tree.__dict__["__warm__"] = True
    if tell:
        tell("", 1, 1)


class NetSearch(Search):
    """One player's search through one round, by a net. The same seed, views and simulations give the same prospects."""

    def __init__(
        self,
        net: Net,
        *,
        seed: int = 0,
        guidance: Guidance | None = None,
        threads: int = 1,
        most_nodes: int = MOST_NODES,
        keep: bool = True,
    ) -> None:
        rules = net.game.rules
        super().__init__(rules, seed=seed, threads=threads, most_nodes=most_nodes, keep=keep, template=template(rules))
        self.net = net
        self.guidance = guidance or Guidance()

    def _warm(self) -> None:
        warm(self.rules, self.net)

    def _room(self, simulations: int | None) -> int:
        if simulations is None:
            return self._most_nodes
        return max(self.rules.MAX_LEGAL + 1, min(self._most_nodes, (simulations + 1) * USUAL))

    def _prospect(self, move: int, visits: float, value: float, won: float, gap: float) -> Prospect:
        n = visits or 1.0
        return Prospect(move, int(visits), value / n, won / n, None)  # a net expects wins, not points

    def _new_tree(
        self, view: Any, rng: NDArray[np.int64], room: int, old: tuple[Any, int] | None, settle: bool
    ) -> Tree:
        guidance = replace(self.guidance, settle=self.guidance.settle and settle)
        return GuidedTree(self._tree, self.rules, view, rng, guidance, self.net.packed, room, old)


class GuidedTree(Tree):
    """One tree, and the desk where positions wait for the net."""

    def __init__(
        self,
        template: Any,
        rules: Rules,
        view: Any,
        rng: NDArray[np.int64],
        guidance: Guidance,
        net: Packed,
        room: int,
        old: tuple[Any, int] | None,
    ) -> None:
        super().__init__(template, rules, view, rng, guidance.knobs(), room, old)
        n = template.BATCH
        self._net = net
        self._desk = template.Desk(
            np.zeros((n, rules.FEATURES), np.int8),
            *desk(net, n),
            np.zeros((n, template.DEPTH), np.int32),
            np.zeros(n, np.int32),
            np.zeros((n, rules.MAX_LEGAL), np.int32),
            np.zeros(n, np.int32),
            np.zeros(n, np.int32),
            np.zeros((n, rules.SEATS), np.float64),
        )

    def _add(self, n: int) -> None:
        self.used = int(
            self._template.grow(
                self._view, self._work, self.nodes, self.used, self._rng, self._knobs, self._net, self._desk, n
            )
        )
