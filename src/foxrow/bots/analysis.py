"""What a move was worth that somebody made, to a player who could know no more than they did; and what to do now.

The move and those that a net thinks of are played on, side by side on the same deals that agree with the player's view,
with the net in all seats (`nets.race`). Where a game has no net, a search looks at all moves. Both are estimates, so a
move counts as worse only where that is beyond doubt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from foxrow.bots.learned import at_table, game_guidance, net_of
from foxrow.bots.searching import NEAR, game_settings, partners, spread, standing, weighed
from foxrow.core.chance import stream
from foxrow.core.contract import Choice as Value
from foxrow.core.contract import Game
from foxrow.core.record import View, copy
from foxrow.core.rules import Tell
from foxrow.core.stakes import Stakes
from foxrow.nets.play import Net
from foxrow.nets.searcher import Guidance, NetSearch
from foxrow.search.searcher import Prospect, Search

ROLLOUTS = 400  # of a net, for all moves together
SIMULATIONS = 2000  # of a search, where there is no net
SURE = 3.0  # standard errors
SHOWN = 5  # moves that a verdict names
OPEN = 0.05  # chance to win or to lose a match that is still worth to be fought over
Mark = Literal["", "!", "?!", "?", "??"]
Wins = Literal["round", "match"]
MARKS: tuple[tuple[float, Mark], ...] = (
    (0.20, "??"),
    (0.10, "?"),
    (0.05, "?!"),
)  # of a move that gives so much away: a blunder, a mistake, a slip
FINE = 0.10  # by which the best move is better than all others where it takes something to find it


@dataclass(frozen=True)
class Verdict:
    """Chances are expected shares of a win, 0 to 1: of the round, or of the match (`wins`)."""

    move: int  # that was made
    best: int
    chance: float  # with the best move
    made: float  # with the one that was made; the same, unless that is worse beyond doubt
    tried: tuple[tuple[int, float], ...]  # the moves that were compared, with their chances, the best first
    obvious: bool = False  # the rule of thumb would have made the same move
    wins: Wins = "round"

    @property
    def loss(self) -> float:
        return self.chance - self.made

    @property
    def mark(self) -> Mark:
        """As chess players write it: ?? a blunder, ? a mistake, ?! a slip, ! the only good move, where it is not one
        that everybody makes; else nothing."""
        others = [chance for move, chance in self.tried if move != self.best]
        if self.move == self.best and not self.obvious and others and max(others) <= self.chance - FINE:
            return "!"
        return next((mark for loss, mark in MARKS if self.loss >= loss), "")

    @property
    def accuracy(self) -> float:
        """Of 100, what is left after the loss, by the curve that chess servers use: large losses count less than in
        proportion."""
        return min(max(103.1668 * math.exp(-4.354 * self.loss) - 3.1669, 0.0), 100.0)


class _Table(NamedTuple):
    """What a search must know of where it is asked."""

    players: int
    together: int  # seats that win together
    stakes: tuple[float, ...]
    wins: Wins


class Analyst:
    """Where a round is one of a match, `stakes` says what it counts for; towards its end chances are to win the match
    (`wins`). The same seed, view and move give the same verdict."""

    def __init__(self, game: Game, *, seed: int = 0, rollouts: int = ROLLOUTS, simulations: int = SIMULATIONS) -> None:
        self.game = game
        self._seed = seed
        self._rollouts, self._simulations = rollouts, simulations

    def warm(self, tell: Tell | None = None) -> None:
        """Compile what it needs, or load it from the cache folder."""
        net = net_of(self.game, self.game.players[0])
        (NetSearch(net) if net else Search(self.game.rules)).warm(tell)

    def wins(self, stakes: Stakes | None, seat: int) -> Wins:
        """What a seat's chances are of, in a round that counts for so much. Before many rounds, or in a race before
        somebody needs one more, no move decides a match; nor does one of somebody who has as good as lost or won it.
        All moves would seem equally good: there it is the round."""
        if stakes is None or not (stakes.goal or spread(self.game)):
            return "round"
        near = max(stakes.ahead) + 1 >= stakes.goal if stakes.goal else stakes.left <= NEAR
        return "match" if near and OPEN <= standing(self.game, stakes)[seat] <= 1 - OPEN else "round"

    def judge(
        self, view: View, move: int, options: Mapping[str, Value], stakes: Stakes | None = None
    ) -> Verdict | None:
        """Of a legal move with this view of the seat to act; None where it was the only one."""
        self.game.rules.check(view, [move])
        return self._look(view, move, options, stakes)

    def advise(self, view: View, options: Mapping[str, Value], stakes: Stakes | None = None) -> Verdict | None:
        """The same before a move is made: a verdict on the best one that it finds."""
        return self._look(view, None, options, stakes)

    def instead(
        self, view: View, made: int, move: int, options: Mapping[str, Value], stakes: Stakes | None = None
    ) -> Verdict | None:
        """Of another move in the place of the one that was made: how far it is behind the one that `judge` calls best,
        by a race of these two alone. To be told right away, so what it seems counts, not only what is beyond doubt."""
        self.game.rules.check(view, [made, move])
        known = self._look(view, made, options, stakes)
        if known is None or move == known.best:
            return known and replace(known, move=move, made=known.chance)
        state: Any = view
        net = net_of(self.game, int(state.players))
        if net is None:
            return self._look(view, move, options, stakes)
        race = self._race(net, self._table(view, options, stakes))
        behind = race.compare(view, None, simulations=self._rollouts, among=(known.best, move)).behind
        chance = min(max(known.chance - max(behind[move][0] - behind[known.best][0], 0.0), 0.0), known.chance)
        others = [one for one in known.tried if one[0] not in (known.best, move)][: SHOWN - 2]
        tried = sorted([*others, (move, chance)], key=lambda one: -one[1])
        return replace(known, move=move, made=chance, tried=((known.best, known.chance), *tried))

    def _table(self, view: View, options: Mapping[str, Value], stakes: Stakes | None) -> _Table:
        state: Any = view
        wins = self.wins(stakes, int(state.seer))
        counts = weighed(self.game, stakes, plainly=True) if wins == "match" else ()
        return _Table(int(state.players), partners(self.game, options), counts, wins)

    def _look(
        self, view: View, move: int | None, options: Mapping[str, Value], stakes: Stakes | None
    ) -> Verdict | None:
        rules = self.game.rules
        legal = rules.legal(view)
        if len(legal) == 1:
            return None
        habit = int(rules.policy(copy(view), np.array(legal, np.int32), len(legal), stream(self._seed)))
        table = self._table(view, options, stakes)
        net = net_of(self.game, table.players)
        found = self._raced(net, view, move, table) if net else self._searched(view, move, table)
        return replace(found, obvious=habit == found.move, wins=table.wins)

    def _raced(self, net: Net, view: View, move: int | None, table: _Table) -> Verdict:
        found = self._race(net, table).compare(view, move, simulations=self._rollouts)
        best, behind = found.best.move, found.behind
        doubtful = [one for one, less in behind.items() if less[0] >= MARKS[-1][0] and less[1] < SURE]
        if move is not None and move != best:  # of the others nothing hangs on it
            doubtful = [one for one in doubtful if one == move]
        if doubtful:
            behind = behind | self._again(net, view, best, doubtful, table)
        return _verdict(move, best, found.best.wins, behind)

    def _again(
        self, net: Net, view: View, best: int, doubtful: Sequence[int], table: _Table
    ) -> dict[int, tuple[float, float]]:
        """How far some moves are behind, on deals of their own: among many a move has few, and is given up before what
        it loses is beyond doubt. It would count as equally good."""
        race = self._race(net, table, again=1, drop=SURE + 1)
        rollouts = self._rollouts * min(len(doubtful), SHOWN)
        behind = race.compare(view, None, simulations=rollouts, among=(best, *doubtful)).behind
        return {one: behind[one] if behind[best][0] <= 0 else (0.0, 0.0) for one in doubtful}

    def _race(self, net: Net, table: _Table, *, again: int = 0, drop: float | None = None) -> NetSearch:
        guidance = game_guidance(self.game)
        if not isinstance(guidance, Guidance):  # a tree looks at few moves closely, and here one is given
            guidance = Guidance()
        guidance = replace(at_table(guidance, table.players, table.together), stakes=table.stakes)
        if drop is not None:
            guidance = replace(guidance, drop=drop)
        return NetSearch(net, seed=self._seed + again, guidance=guidance)

    def _searched(self, view: View, move: int | None, table: _Table) -> Verdict:
        base = game_settings(self.game)
        horizon = base.horizon * table.players // 2
        settings = replace(base, partners=table.together, horizon=horizon, stakes=table.stakes)
        search = Search(self.game.rules, seed=self._seed, settings=settings)
        best, *others = search.think(view, simulations=self._simulations)
        behind = {one.move: _behind(best, one) for one in others if one.visits or one.move == move}
        return _verdict(move, best.move, best.wins, {best.move: (0.0, 0.0)} | behind)


def _verdict(made: int | None, best: int, chance: float, behind: Mapping[int, tuple[float, float]]) -> Verdict:
    """By how far each move is behind, and how many standard errors that is. Only what is certain of it counts: the one
    that is called best was not chosen by chance alone, but partly."""
    move = best if made is None else made
    # A move that was given up early is behind on few deals, and the best one's chance is of all: it may seem too much.
    chances = {one: max(chance - _certain(*less), 0.0) for one, less in behind.items()}
    order = sorted((one for one in chances if one not in (best, move)), key=lambda one: -chances[one])
    shown = [best, *order[: SHOWN - 2]] + ([move] if move != best else order[SHOWN - 2 : SHOWN - 1])
    shown.sort(key=lambda one: (one != best, -chances[one]))
    return Verdict(move, best, chance, chances[move], tuple((one, chances[one]) for one in shown))


def _certain(less: float, errors: float) -> float:
    """A standard error less than what it seems; nothing where that may be chance."""
    return less * (1 - 1 / errors) if less > 0 and errors >= SURE else 0.0


def _behind(best: Prospect, other: Prospect) -> tuple[float, float]:
    """As a race has it, of visits of their own."""
    visits = best.visits + other.visits
    share = (best.wins * best.visits + other.wins * other.visits) / visits
    error = math.sqrt(max(share * (1 - share), 0.05) * (1 / best.visits + 1 / max(other.visits, 1)))
    return best.wins - other.wins, (best.wins - other.wins) / error
