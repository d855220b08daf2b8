"""A search from Python: it owns the trees, the clock and the threads, and asks the compiled template to grow them."""

from __future__ import annotations

import hashlib
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import stream, streams
from foxrow.core.record import TRUTH, View
from foxrow.core.rule import PURE
from foxrow.core.rules import Rules, Tell

TREE = "foxrow.search.tree"
MOST_NODES = 1 << 19  # of one tree: 29 MB
CHUNK_MS = 4.0  # how long the compiled code runs between two looks at the clock
TWINS = 3  # deals that must all lead to the view before a tree is kept
DEALS = 24  # deals tried for that


@dataclass(frozen=True)
class Settings:
    """The knobs of a search, in the order of `tree`."""

    explore: float = 0.5  # how much a rarely tried move is favoured
    trust: float = 0.2  # share of the prior that the rule of thumb's move gets
    randomness: int = 10  # of 100 rollout moves, so many are made at random
    horizon: int = 0  # moves that a rollout looks ahead; 0: to the end of the round
    margin: float = 0.1  # weight of the points against the win
    partners: int = 1  # seats that win together
    settle: bool = False  # stop when the simulations that are left cannot change the choice
    stakes: tuple[float, ...] = ()  # what the round counts for in a match, see `tree.judge` and `tree.raced`; none: it
    # is played for itself

    def knobs(self) -> NDArray[np.float64]:
        return np.array(
            [
                self.explore,
                self.trust,
                self.randomness,
                self.horizon,
                self.margin,
                self.partners,
                self.settle,
                *self.stakes,
            ],
            np.float64,
        )


@dataclass(frozen=True)
class Prospect:
    """What a search thinks of one move."""

    move: int
    visits: int
    value: float  # what the search maximises, from 0 to 1: the win first, the margin second
    wins: float  # expected share of a win
    margin: float | None  # expected points ahead of the best rival; None where nobody counted points


def fingerprint(view: View) -> int:
    """A number that depends on all that the view shows, and on nothing else (every byte of a record is a field's)."""
    record: Any = view
    return int.from_bytes(hashlib.blake2b(bytearray(record), digest_size=8).digest(), "big")


def warm(rules: Rules, tell: Tell | None = None) -> None:
    """Compile the rules and the search of a game, or load them from the cache folder."""
    Search(rules).warm(tell)


class Search:
    """One player's search through one round. The same seed, views and simulations give the same prospects.

    With `threads` > 1 as many trees grow side by side, each with its part of the simulations, and are added up.
    """

    part = "search"  # what is compiled besides the rules, as `warm` tells it

    def __init__(
        self,
        rules: Rules,
        *,
        seed: int = 0,
        settings: Settings | None = None,
        threads: int = 1,
        most_nodes: int = MOST_NODES,
        keep: bool = True,
        template: Any = None,
    ) -> None:
        self.rules = rules
        self.seed = seed
        self.settings = settings or Settings()
        self.threads = threads
        self.keep = keep
        self.simulations = 0  # made by the last `think`
        self.kept = 0  # visits that the last `think` began with
        self._most_nodes = most_nodes
        self._tree: Any = template or rules.template(TREE)
        self._trees: Sequence[Any] = ()
        self._view: Any = None  # what the trees grew from
        self._seen: list[tuple[int, int]] = []  # (seat, move) since then
        self._pool: ThreadPoolExecutor | None = None

    def saw(self, seat: int, move: int) -> None:
        """Somebody made a move. Told all moves, the search keeps the part of its tree that they lead to."""
        if self.keep and self._trees:
            self._seen.append((seat, move))

    def think(self, view: View, *, simulations: int | None = None, ms: float | None = None) -> list[Prospect]:
        """All legal moves, the best first. At least one of the two budgets; with both, the first to run out."""
        if view.seer == TRUTH:
            raise ValueError("a search takes a view: it must not know the truth")
        if simulations is None and ms is None:
            raise ValueError("a search needs a budget")
        if self.rules.actor(view) != view.seer:
            raise ValueError("the view's seat is not the one to act")
        self.warm()  # before the clock starts
        began = time.perf_counter()
        view_array = self.rules.states(1)
        view_array[0] = view
        # One call of the compiled code sees the end of the budget only if it is spent in one call, on one tree.
        settle = ms is None and self.threads == 1
        seed = self.seed ^ fingerprint(view)
        rngs = [stream(seed)] if self.threads == 1 else list(streams(seed, self.threads))
        self._trees = self._begin(view_array, rngs, simulations, settle)
        self.kept = sum(tree.visits for tree in self._trees)
        self._view = view_array
        self._seen = []
        self.simulations = self._grow(simulations, ms, began)
        return self._prospects(view)

    def warm(self, tell: Tell | None = None) -> None:
        """Compile the rules and this search, or load them from the cache folder: once in a process."""
        if PURE or self._tree.__dict__.get("__warm__"):
            return
        self.rules.compile(tell)
        if tell:
            tell(self.part, 0, 1)
        self._use()
        self._tree.__dict__["__warm__"] = True
        if tell:
            tell("", 1, 1)

    def _use(self) -> None:
        """Call once whatever is compiled, to no effect."""
        tree, states = self._tree, self.rules.states(1)
        nodes = room_for(tree, 2)
        tree.grow(states, states, nodes, 1, stream(0), Settings().knobs(), 0)
        tree.step(nodes, 0, 0, 0)
        tree.fan(nodes, 0, np.zeros(1, np.int32), np.zeros((1, 4)))
        tree.transplant(nodes, 0, room_for(tree, 2))

    def _begin(
        self, view: Any, rngs: Sequence[NDArray[np.int64]], simulations: int | None, settle: bool
    ) -> Sequence[Any]:
        """A tree for each generator."""
        room = self._most_nodes if simulations is None else min(self._most_nodes, simulations + 1)
        knobs = replace(self.settings, settle=self.settings.settle and settle).knobs()
        old = self._kept(view[0])
        return [
            Tree(self._tree, self.rules, view, rng, knobs, room, old[i] if old else None) for i, rng in enumerate(rngs)
        ]

    def _grow(self, simulations: int | None, ms: float | None, began: float) -> int:
        """Spend the budget on all trees; how many simulations that were."""
        shares = [
            None if simulations is None else simulations // self.threads + (i < simulations % self.threads)
            for i in range(self.threads)
        ]
        until = None if ms is None else began + ms / 1000
        if self.threads == 1:
            return int(self._trees[0].grow(shares[0], until))
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="search")
        return sum(self._pool.map(lambda tree, share: tree.grow(share, until), self._trees, shares))

    def _prospects(self, view: View) -> list[Prospect]:
        sums = {move: [0.0, 0.0, 0.0, 0.0] for move in self.rules.legal(view)}
        moves = np.empty(len(sums), np.int32)
        numbers = np.empty((len(sums), 4), np.float64)
        for tree in self._trees:
            n = self._tree.fan(tree.nodes, int(view.seer), moves, numbers)
            for move, row in zip(moves[:n].tolist(), numbers[:n].tolist(), strict=True):
                if move in sums:
                    sums[move] = [old + new for old, new in zip(sums[move], row, strict=True)]
        prospects = [self._prospect(move, *parts) for move, parts in sums.items()]
        return sorted(prospects, key=lambda p: (-p.visits, -p.value, p.move))

    def _prospect(self, move: int, visits: float, value: float, won: float, gap: float) -> Prospect:
        """From sums over all visits."""
        n = visits or 1.0
        return Prospect(move, int(visits), value / n, won / n, gap / n)

    def _kept(self, view: View) -> list[tuple[Any, int]] | None:
        """Per tree its nodes and the node where the view stands now, if the old trees still hold.

        They do when nothing unseen came to light since: then every deal of the old view in which the seen moves are
        legal leads to the new view. A few such deals are tried.
        """
        if not (self.keep and self._trees and self._seen and len(self._trees) == self.threads):
            return None
        roots: list[tuple[Any, int]] = []
        for tree in self._trees:
            node = 0
            for seat, move in self._seen:
                node = self._tree.step(tree.nodes, node, move, seat)
                if node < 0:
                    return None
            roots.append((tree.nodes, node))
        rng = stream(self.seed + 1)
        mark = fingerprint(view)
        work = self.rules.states(1)
        twins = 0
        for _ in range(DEALS):
            work[0] = self._view[0]
            state: Any = work[0]
            self.rules.fill(state, rng)
            if not self._replay(state):
                continue
            if fingerprint(self.rules.mask(state, int(view.seer))) != mark:
                return None
            twins += 1
            if twins == TWINS:
                return roots
        return None

    def _replay(self, state: Any) -> bool:
        for seat, move in self._seen:
            if self.rules.actor(state) != seat or move not in self.rules.legal(state):
                return False
            self.rules.apply(state, move)
        return True


class Growth(ABC):
    """What simulations are added to, until a budget is spent."""

    least = 4  # simulations between two looks at the clock

    @property
    @abstractmethod
    def visits(self) -> int:
        """The simulations that are in it."""

    @abstractmethod
    def _add(self, n: int) -> int:
        """Add up to n simulations; how many. None, when they could change nothing any more."""

    def grow(self, simulations: int | None, until: float | None) -> int:
        if until is None:
            return self._add(simulations or 0)
        done, chunk = 0, 16
        while simulations is None or done < simulations:
            before = time.perf_counter()
            if done and before >= until:
                break
            made = self._add(chunk if simulations is None else min(chunk, simulations - done))
            if made == 0:
                break
            done += made
            rate = made / max(1e-6, (time.perf_counter() - before) * 1000)
            left = max(0.5, (until - time.perf_counter()) * 1000)
            chunk = max(self.least, int(rate * min(CHUNK_MS, left)))
        return done


class Tree(Growth):
    """One tree: its nodes, and the generator that deals for it."""

    def __init__(
        self,
        template: Any,
        rules: Rules,
        view: Any,
        rng: NDArray[np.int64],
        knobs: NDArray[np.float64],
        room: int,
        old: tuple[Any, int] | None = None,
    ) -> None:
        self._run = template.grow
        self._place = view, rules.states(1)
        self._given: tuple[Any, ...] = np.ascontiguousarray(rng), knobs
        if old is None:
            self.nodes = room_for(template, room)
            self.used = 1
        else:  # what was learned below the old node stays; there is room for as much again
            nodes, root = old
            self.nodes = room_for(template, min(MOST_NODES, room + int(nodes[root].visits)))
            self.used = int(template.transplant(nodes, root, self.nodes))

    @property
    def visits(self) -> int:
        return int(self.nodes["visits"][0])

    def _add(self, n: int) -> int:
        known = self.visits
        self.used = int(self._run(*self._place, self.nodes, self.used, *self._given, n))
        return self.visits - known


def room_for(template: Any, n: int) -> Any:
    """Room for n nodes, the root planted. The pages are the system's to give when they are used."""
    nodes = np.recarray(n, dtype=template.NODE)
    root: Any = nodes[:1]
    root.view(np.uint8)[...] = 0
    root.child = -1
    root.next = -1
    return nodes
