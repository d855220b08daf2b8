"""A search by rollouts of a net, from Python: `foxrow.search.Search` with races where that has trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.record import View
from foxrow.core.rules import Rules
from foxrow.nets.forward import desk
from foxrow.nets.play import Net
from foxrow.search.searcher import TREE as BASE
from foxrow.search.searcher import Growth, Prospect, Search

RACE = "foxrow.nets.race"
FEW = 8  # rollouts that every move should get: where there are not enough, fewer moves are tried


@dataclass(frozen=True)
class Guidance:
    """The knobs of a search by net."""

    cover: float = 0.9999  # moves are tried, the most probable first, until they have so much of the net's policy
    most: int = 12  # or until they are so many
    horizon: int = 0  # decisions after which a value ends a rollout, see `race`; 0: none
    span: int = 0  # decisions before that at which a value is asked for too: the mean of them counts
    temperature: float = 0.0  # of the net's moves in rollouts; 0: its most probable one
    drop: float = 2.5  # standard errors behind the best move at which another is given up
    doubt: float = 1.0  # standard errors by which a move must be better than the net's own choice
    pool: int = 1024  # deals that a critic weighs before the race
    spread: float = 64.0  # of them that shall count at least, see `race.imagine`
    partners: int = 1  # seats that win together
    lanes: int = 32  # rollouts that go on side by side
    stakes: tuple[float, ...] = ()  # as in `search.Settings`; values know nothing of points, and where these add up,
    # rollouts go to the end

    def knobs(self, judge: int) -> NDArray[np.float64]:
        """In the order of `race`."""
        horizon, span = (0, 0) if self.stakes and self.stakes[0] >= 0 else (self.horizon, self.span)
        return np.array([horizon, judge, self.temperature, self.drop, self.partners, span, *self.stakes], np.float64)


@dataclass(frozen=True)
class Comparison:
    """What a race says of one move."""

    best: Prospect
    behind: dict[int, tuple[float, float]]  # by move that was tried: how much less of a win it has than the best one on
    # the same deals, and how many standard errors that is


def template(rules: Rules) -> Any:
    rules.template("foxrow.core.steps")
    return rules.template(RACE, on=BASE)


class NetSearch(Search):
    """One player's search through one round, by a net. The same seed, views and simulations give the same prospects."""

    part = "net"

    def __init__(self, net: Net, *, seed: int = 0, guidance: Guidance | None = None, threads: int = 1) -> None:
        rules = net.game.rules
        super().__init__(rules, seed=seed, threads=threads, keep=False, template=template(rules))
        self.net = net
        self.guidance = guidance or Guidance()
        self._asked: int | None = None  # a move that is tried whatever the net thinks of it
        self._among: Sequence[int] | None = None  # the only moves that are tried

    def compare(
        self, view: View, move: int | None, *, simulations: int, among: Sequence[int] | None = None
    ) -> Comparison:
        """`think`, in which this move, if there is one, is among those that are tried, or these are all that are; and
        how far each is behind the best."""
        self._asked, self._among = move, among
        try:
            prospects = self.think(view, simulations=simulations)
        finally:
            self._asked = self._among = None
        races: Any = self._trees
        moves: list[int] = races[0].board.moves.tolist()
        duels = sum(race.board.duels for race in races)
        best = moves.index(prospects[0].move)
        means = duels[best, :, self._tree.GAIN] / np.maximum(duels[best, :, self._tree.DEALS], 1)
        errors = [float(self._tree.lead(duel)) for duel in duels[best]]
        return Comparison(prospects[0], dict(zip(moves, zip(means.tolist(), errors, strict=True), strict=True)))

    def _use(self) -> None:
        place, rng = self.rules.states(1), np.ones(4, np.int64)
        Race(self._tree, self.rules, place, rng, Guidance(), self.net, [0]).grow(0, None)
        self._tree.lead(np.zeros(3))
        self.net.warm()

    def _begin(
        self, view: Any, rngs: Sequence[NDArray[np.int64]], simulations: int | None, settle: bool
    ) -> Sequence[Growth]:
        moves = self._candidates(view[0], simulations)
        return [Race(self._tree, self.rules, view, rng, self.guidance, self.net, moves) for rng in rngs]

    def _candidates(self, view: Any, simulations: int | None) -> list[int]:
        """The moves that are worth a try, the net's favourite first."""
        if self._among is not None:
            return list(self._among)
        legal = self.rules.legal(view)
        odds, _ = self.net.evaluate(view, legal)
        order = np.argsort(-odds, kind="stable")
        # The net plays rounds: where a match counts, how sure it is of a move says nothing.
        cover = 1.0 if self.guidance.stakes else self.guidance.cover
        enough = int(np.searchsorted(odds[order].cumsum(), cover)) + 1
        most = self.guidance.most
        if simulations is not None:
            most = min(most, max(simulations // (FEW * self.threads), 1))
        moves = [legal[i] for i in order[: min(enough, most)]]
        return moves if self._asked is None or self._asked in moves else [*moves, self._asked]

    def _prospects(self, view: View) -> list[Prospect]:
        races: Any = self._trees
        moves: list[int] = races[0].board.moves.tolist()
        wins = sum(race.board.wins for race in races)
        duels = sum(race.board.duels for race in races)
        visits = duels.diagonal()[0]
        values = wins / np.maximum(visits, 1)
        best = max(range(len(moves)), key=lambda i: (visits[i], values[i], -i))
        if self._tree.lead(duels[best, 0]) < self.guidance.doubt:
            best = 0
        tried = {
            move: Prospect(move, int(n), value, value, None)  # a net expects wins, not points
            for move, n, value in zip(moves, visits.tolist(), values.tolist(), strict=True)
        }
        prospects = [tried.get(move) or Prospect(move, 0, 0.0, 0.0, None) for move in self.rules.legal(view)]
        return sorted(prospects, key=lambda p: (p.move != moves[best], -p.visits, -p.value, p.move))


class Race(Growth):
    """One race, the generator that deals for it, and the desk where its rollouts go on."""

    least = 16

    def __init__(
        self,
        template: Any,
        rules: Rules,
        view: Any,
        rng: NDArray[np.int64],
        guidance: Guidance,
        net: Net,
        moves: Sequence[int],
    ) -> None:
        n, lanes = len(moves), max(guidance.lanes, len(moves))
        self._run = template.run
        judge = template.SEAT
        if net.card.critic:
            judge = template.CRITIC
        elif net.card.secrets == ():
            judge = template.ANYONE
        knobs = guidance.knobs(judge)
        rng = np.ascontiguousarray(rng)
        self._desk = template.Desk(
            rules.states(lanes),
            np.zeros((lanes, 4), np.int64),
            np.zeros(lanes, np.int32),
            np.zeros(lanes, np.float64),
            np.zeros((lanes, rules.FEATURES), np.int8),
            *desk(net.packed, lanes),
            np.zeros(lanes, np.int32),
            np.zeros(lanes, np.int32),
            np.zeros(lanes, np.int32),
            np.zeros((lanes, rules.MAX_LEGAL), np.int32),
            np.zeros(lanes, np.int32),
            np.zeros((lanes, rules.FEATURES + net.unseen), np.int8),
            *desk(net.critic, lanes),
            np.zeros(rules.FEATURES, np.int8),
        )
        weighed = guidance.pool if net.card.critic and n > 1 else 0  # of one move nobody asks how it does
        pool = template.Pool(rules.states(weighed), np.zeros(weighed, np.float64))
        if weighed:
            template.imagine(view, rng, net.critic, net.secrets, self._desk, pool, guidance.spread)
        self._given = (view, rng, knobs, net.packed, net.critic, net.secrets, self._desk, pool)
        self.board = template.Board(
            np.array(moves, np.int32), np.ones(n, np.int32), np.zeros(n, np.float64), np.zeros((n, n, 3), np.float64)
        )

    @property
    def visits(self) -> int:
        return int(self.board.duels[..., 0].diagonal().sum())

    def _add(self, n: int) -> int:
        return int(self._run(*self._given, self.board, n))
