"""What a player remembers of a round, and the deals that it takes for likely by that."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rules import Rules
from foxrow.nets.forward import desk
from foxrow.nets.play import Net

DEALS = "foxrow.nets.deals"
LANES = 32  # positions that a net is asked about at a time
TRIES = 4  # for each deal that could be weighed


@dataclass(frozen=True)
class Imagining:
    """The knobs of what is taken for likely."""

    pool: int = 1024  # deals that are weighed by a critic
    drawn: int = 1024  # of them, those that are weighed by the others' moves
    spread: float = 64.0  # of them, those that shall count at least (see `deals.even_out`)
    turns: int = 3  # own turns that are remembered
    lapse: float = 0.05  # share of moves that anybody makes for no reason


def template(rules: Rules) -> Any:
    rules.template("foxrow.core.steps")
    return rules.template(DEALS)


class Memory:
    """The views that a seat had at its last turns, and all moves since. Told no moves, it knows the view alone."""

    def __init__(self, net: Net, knobs: Imagining) -> None:
        self.net, self.knobs = net, knobs
        self._deals = template(net.game.rules)
        self._moves: list[tuple[int, int]] = []  # (seat, move), in a round
        self._views: deque[tuple[Any, int]] = deque(maxlen=knobs.turns)  # and how many moves there were
        self._room: Any = None

    def saw(self, seat: int, move: int) -> None:
        """Somebody made a move."""
        if self.knobs.turns:
            self._moves.append((seat, move))

    def note(self, view: Any) -> None:
        """The seat has had a turn, and this is what it saw: a view, as an array of one."""
        self._views.append((view, len(self._moves)))

    def deals(self, view: Any, rng: NDArray[np.int64], hurry: bool = False) -> Any:
        """A pool of likely deals for a view; an empty one where there are no secrets. In a hurry nothing is recalled:
        that may take a few tenths of a second."""
        if not self.net.card.critic:
            return self.nothing
        pool = None if hurry else self._recall(view, rng)
        if pool is None:
            pool = self._pool(self.knobs.pool)
            self._deals.imagine(view, rng, *self._by()[1:], pool, self.knobs.spread)
        return pool

    @property
    def nothing(self) -> Any:
        """No pool: every deal is made when it is needed."""
        return self._pool(0)

    def warm(self) -> None:
        """Compile what looks back, or load it from the cache folder."""
        view, rng = self.net.game.rules.states(1), np.ones(4, np.int64)
        pool = self.nothing
        trail = self._deals.Trail(view, *np.zeros((2, 0), np.int32), np.zeros(self.net.game.rules.FEATURES, np.int8))
        self._deals.imagine(view, rng, *self._by()[1:], pool, 1.0)
        self._deals.recall(trail, rng, *self._by(), pool.states, pool, 0, 0.5, 1.0)

    def _recall(self, view: Any, rng: NDArray[np.int64]) -> Any:
        """Deals by the furthest view from which enough of them lead here."""
        knobs = self.knobs
        rules = self.net.game.rules
        pool, begun = self._pool(knobs.drawn), rules.states(knobs.pool)
        now = rules.features(view[0], int(view[0].seer))
        for old, known in self._views:
            if known < len(self._moves):
                since = np.array(self._moves[known:], np.int32).T.copy()
                trail = self._deals.Trail(old, *since, now)
                tries = TRIES * knobs.pool
                if self._deals.recall(trail, rng, *self._by(), begun, pool, tries, knobs.lapse, knobs.spread):
                    return pool
        return None

    def _by(self) -> tuple[Any, ...]:
        """Who is asked, and where."""
        return self.net.packed, self.net.critic, self.net.secrets, self._desk()

    def _pool(self, many: int) -> Any:
        return self._deals.Pool(self.net.game.rules.states(many), np.zeros(many, np.float64))

    def _desk(self) -> Any:
        if self._room is None:
            rules, net = self.net.game.rules, self.net
            self._room = self._deals.Room(
                np.zeros((LANES, rules.FEATURES), np.int8),
                *desk(net.packed, LANES),
                np.zeros(LANES, np.int32),
                np.zeros(LANES, np.int32),
                np.zeros((LANES, rules.MAX_LEGAL), np.int32),
                np.zeros(LANES, np.int32),
                np.zeros((LANES, rules.FEATURES + net.unseen), np.int8),
                *desk(net.critic, LANES),
                np.zeros(rules.FEATURES, np.int8),
                rules.states(1),
            )
        return self._room
