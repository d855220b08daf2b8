"""A race between a few moves, run by a net: a template, loaded once per game on top of `foxrow.search.tree`.

Every rollout makes one of the moves and then lets the net play for all seats, each from its own features. The unseen
cards are dealt anew from what the seat knows, and all moves are tried on the same deals with the same luck: what two of
them differ by is the moves' doing, and shows in far fewer rollouts than each one's worth does. A move that is clearly
behind drops out, and the others have the rest of the rollouts.

Not all deals are as likely: what the others have done says something about their hands. A critic that has learned to
tell true deals from possible ones weighs a pool of them, from which the race draws its own (`imagine`).

After a number of decisions a value may stand for the rest of a rollout. Within one deal all cards are known, so a
critic that sees all hands is asked: most of what luck would add is not in its answer. Where nothing is secret the net's
own value knows as much; and where there is neither, the net is asked when the seat itself is to decide again: whoever
does not see its cards cannot tell what its move was worth.

Rollouts go on side by side, a decision at a time, so that the net is asked about many positions at once.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import word
from foxrow.core.rule import part, rule
from foxrow.nets.forward import Floats, Packed, forward, judge_deal, judge_moves, judge_seats, share_of

if TYPE_CHECKING:
    from foxrow.core.functions import FEATURES, MAX_LEGAL, SEATS, actor, apply, fill, legal
    from foxrow.core.steps import see, survey
    from foxrow.search.tree import judge, raced
else:  # this game's copy of the template
    _steps = sys.modules[__name__.replace("nets.race", "core.steps")]
    see, survey = _steps.see, _steps.survey

# The knobs of a race, in this order in a float64 array.
HORIZON, JUDGE, TEMPERATURE, DROP, PARTNERS, SPAN = range(6)
STAKES = 6  # and from here on, see `judge`
SEAT, ANYONE, CRITIC = range(3)  # of JUDGE: the net at the seat's own decisions, at any, or its critic
PATIENCE = 12  # deals before a move may drop out
DEALS, GAIN, SQUARES = range(3)  # of a duel


class Desk(NamedTuple):
    """Room for the rollouts that go on, one a lane, and for their positions that wait for the net."""

    states: Any  # [lane]
    rngs: NDArray[np.int64]  # [lane, 4]
    moves: NDArray[np.int32]  # [lane] the next move, −1 when the rollout is over
    results: NDArray[np.float64]  # [lane] the seat's share of the win
    features: NDArray[np.int8]  # [position, feature]
    h: Floats  # see forward.desk
    room: Floats
    lanes: NDArray[np.int32]  # [position]
    seats: NDArray[np.int32]  # [position] to act
    frames: NDArray[np.int32]  # [position] that it is seen in
    legals: NDArray[np.int32]  # [position, move]
    counts: NDArray[np.int32]  # [position] legal moves
    wide: NDArray[np.int8]  # [position, feature and secret] what the critic sees
    wide_h: Floats
    wide_room: Floats
    row: NDArray[np.int8]  # [feature]


class Pool(NamedTuple):
    """Deals to draw from; where there are none, every deal is made when it is needed."""

    states: Any  # [deal]
    odds: NDArray[np.float64]  # [deal] their probabilities, added up


class Board(NamedTuple):
    """How the race stands."""

    moves: NDArray[np.int32]  # [runner] the net's favourite first
    running: NDArray[np.int32]  # [runner] 0 when it has dropped out
    wins: NDArray[np.float64]  # [runner] sum of its results
    duels: NDArray[np.float64]  # [runner, runner, 3] deals that both had, the first one's gain there, and its squares


@rule
def imagine(
    view: Any,
    rng: NDArray[np.int64],
    critic: Packed,
    secrets: NDArray[np.int32],
    desk: Desk,
    pool: Pool,
    spread: float,
) -> None:
    """Fill a pool with deals that agree with the view. `spread` is how many of them shall count at least, as if all
    these were as likely as each other: where the critic is surer than that, its odds are flattened."""
    home = int(view[0].seer)
    lanes = len(desk.moves)
    logs = np.empty(len(pool.states), np.float64)
    for first in range(0, len(logs), lanes):
        n = min(lanes, len(logs) - first)
        for k in range(n):
            pool.states[first + k] = view[0]
            s = pool.states[first + k]
            fill(s, rng)
            if k == 0:
                see(s, home, critic.columns, desk.row, desk.wide[0, :FEATURES])
            else:
                desk.wide[k, :FEATURES] = desk.wide[0, :FEATURES]
            survey(s, secrets, desk.row, desk.wide[k, FEATURES:])
        forward(critic, desk.wide, n, desk.wide_h, desk.wide_room)
        for k in range(n):
            logs[first + k] = judge_deal(critic, desk.wide_h[k])
    most = -1.0e30
    for i in range(len(logs)):
        most = max(most, logs[i])
    low, high = 0.0, 1.0
    power = 1.0
    for _ in range(12):
        total = 0.0
        squares = 0.0
        for i in range(len(logs)):
            weight = np.exp(power * (logs[i] - most))
            total += weight
            squares += weight * weight
            pool.odds[i] = total
        if total * total / squares >= spread:
            low = power
            if power == 1.0:
                break
        else:
            high = power
        power = 0.5 * (low + high)
    for i in range(len(logs)):
        pool.odds[i] /= total


@part
def dealt(pool: Pool, luck: float) -> int:
    """The deal of the pool that a number from 0 to 1 stands for."""
    low, high = 0, len(pool.odds) - 1
    while low < high:
        middle = (low + high) // 2
        if pool.odds[middle] > luck:
            high = middle
        else:
            low = middle + 1
    return low


@rule
def run(
    view: Any,
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
    net: Packed,
    critic: Packed,
    secrets: NDArray[np.int32],
    desk: Desk,
    pool: Pool,
    board: Board,
    rollouts: int,
) -> int:
    """Add rollouts to a race, as many as there are full deals in the number given; how many. A decided race is over."""
    home = int(view[0].seer)
    players = int(view[0].players)
    partners = int(knobs[PARTNERS])
    horizon = int(knobs[HORIZON]) if knobs[HORIZON] > 0.0 else 1_000_000
    span = int(knobs[SPAN]) if knobs[JUDGE] != SEAT else 0
    out = np.empty(MAX_LEGAL, np.int32)
    odds = np.empty(MAX_LEGAL, np.float64)
    won = np.zeros(SEATS, np.int32)
    points = np.zeros(SEATS, np.int32)
    share = np.zeros(SEATS, np.float64)
    gap = np.zeros(SEATS, np.float64)
    made = 0
    while True:
        runners = 0
        deals = 0.0
        for i in range(len(board.moves)):
            runners += board.running[i]
            deals = max(deals, board.duels[i, i, DEALS])
        fresh = min(rollouts - made, len(desk.moves)) // runners
        if fresh == 0 or (runners == 1 and deals > 0.0):
            return made
        lanes = fresh * runners
        for first in range(0, lanes, runners):
            for i in range(4):
                desk.rngs[first, i] = word(rng)
            if len(pool.odds) > 0:
                desk.states[first] = pool.states[dealt(pool, word(desk.rngs[first]) / 4294967296.0)]
            else:
                desk.states[first] = view[0]
                fill(desk.states[first], desk.rngs[first])
            lane = first
            for i in range(len(board.moves)):
                if board.running[i]:
                    desk.moves[lane] = board.moves[i]
                    desk.results[lane] = 0.0
                    if lane > first:
                        desk.states[lane] = desk.states[first]
                        desk.rngs[lane] = desk.rngs[first]
                    lane += 1
        decisions = 0
        waiting = lanes
        while waiting > 0:
            waiting = 0
            for lane in range(lanes):
                s = desk.states[lane]
                n = 1
                while desk.moves[lane] >= 0 and n == 1:  # where there is no choice there is nothing to ask
                    apply(s, int(desk.moves[lane]))
                    seat = actor(s)
                    if seat < 0:
                        judge(s, won, points, share, gap, partners, knobs[STAKES:])
                        asked = max(decisions - (horizon - span), 0) if knobs[JUDGE] != SEAT else 0
                        desk.results[lane] += share[home] * (1.0 - asked / (span + 1))
                        desk.moves[lane] = -1
                    else:
                        n = legal(s, out)
                        desk.moves[lane] = out[0]
                        if n > 1:
                            desk.frames[waiting] = see(s, seat, net.columns, desk.row, desk.features[waiting])
                            desk.lanes[waiting] = lane
                            desk.seats[waiting] = seat
                            desk.counts[waiting] = n
                            desk.legals[waiting, :n] = out[:n]
                            waiting += 1
            last = decisions >= horizon
            asking = decisions >= horizon - span
            if asking and knobs[JUDGE] == CRITIC:
                for k in range(waiting):
                    desk.wide[k, :FEATURES] = desk.features[k]
                    survey(desk.states[desk.lanes[k]], secrets, desk.row, desk.wide[k, FEATURES:])
                forward(critic, desk.wide, waiting, desk.wide_h, desk.wide_room)
                for k in range(waiting):
                    lane = int(desk.lanes[k])
                    judge_seats(critic, desk.wide_h[k], int(desk.seats[k]), players, share)
                    desk.results[lane] += expected(share, home, players, partners, knobs[STAKES:]) / (span + 1)
                if last:
                    break
            forward(net, desk.features, waiting, desk.h, desk.room)
            for k in range(waiting):
                lane = int(desk.lanes[k])
                judge_moves(net, desk.h[k], desk.legals[k], int(desk.counts[k]), int(desk.frames[k]), odds)
                index = draw(odds, int(desk.counts[k]), knobs[TEMPERATURE], desk.rngs[lane])
                desk.moves[lane] = desk.legals[k, index]
                if asking and (knobs[JUDGE] == ANYONE or (knobs[JUDGE] == SEAT and desk.seats[k] == home)):
                    judge_seats(net, desk.h[k], int(desk.seats[k]), players, share)
                    desk.results[lane] += expected(share, home, players, partners, knobs[STAKES:]) / (span + 1)
                    if last:
                        desk.moves[lane] = -1
            decisions += 1
        for first in range(0, lanes, runners):
            enter(board, desk.results[first : first + runners])
        drop_out(board, knobs[DROP])
        made += lanes


@part
def expected(share: NDArray[np.float64], home: int, players: int, partners: int, stakes: NDArray[np.float64]) -> float:
    """What a seat may hope for, by what a net expects of every seat."""
    for seat in range(players):
        share[seat] = share_of(share[seat], players, partners)
    raced(share, players, stakes)
    return float(share[home])


@part
def draw(odds: NDArray[np.float64], n: int, temperature: float, rng: NDArray[np.int64]) -> int:
    """The index of a move: the most probable one, or with a temperature one by lot. It takes one word of luck."""
    luck = word(rng) / 4294967296.0
    best = 0
    for i in range(1, n):
        if odds[i] > odds[best]:
            best = i
    if temperature <= 0.0:
        return best
    total = 0.0
    for i in range(n):
        odds[i] = (odds[i] / odds[best]) ** (1.0 / temperature) if i != best else 1.0
        total += odds[i]
    luck *= total
    for i in range(n):
        luck -= odds[i]
        if luck < 0.0:
            return i
    return best


@part
def enter(board: Board, results: NDArray[np.float64]) -> None:
    """Write down what the runners made of one deal."""
    a = 0
    for i in range(len(board.moves)):
        if board.running[i]:
            board.wins[i] += results[a]
            b = 0
            for j in range(len(board.moves)):
                if board.running[j]:
                    gain = results[a] - results[b]
                    board.duels[i, j, DEALS] += 1.0
                    board.duels[i, j, GAIN] += gain
                    board.duels[i, j, SQUARES] += gain * gain
                    b += 1
            a += 1


@part
def drop_out(board: Board, errors: float) -> None:
    """Whoever is so many standard errors behind the leader is out. All who run have had the same deals."""
    leader = -1
    for i in range(len(board.moves)):
        if board.running[i] and (leader < 0 or board.duels[i, leader, GAIN] > 0.0):
            leader = i
    for i in range(len(board.moves)):
        if board.running[i] and board.duels[i, i, DEALS] >= PATIENCE and lead(board.duels[leader, i]) > errors:
            board.running[i] = 0


@rule
def lead(duel: NDArray[np.float64]) -> float:
    """By how many standard errors the first of a duel is ahead; 0 where no deal told them apart.

    A few equal deals have no spread and prove little: a part of the squares is added to it that fades with the deals.
    """
    if duel[DEALS] == 0.0 or duel[SQUARES] == 0.0:
        return 0.0
    mean = duel[GAIN] / duel[DEALS]
    spread = max(duel[SQUARES] / duel[DEALS] - mean * mean, 0.0) + duel[SQUARES] / duel[DEALS] ** 2
    return float(mean * np.sqrt(duel[DEALS] / spread))
