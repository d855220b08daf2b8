"""The deals that a seat may be in: a template, loaded once per game.

A view leaves many deals possible, and they are not as likely as each other: what the others have done says something
about what they hold. Two things tell it.

- A critic that has learned to tell true deals from possible ones weighs those that agree with a view (`imagine`).
- Whoever remembers an earlier view and the moves since makes these again (`recall`). A deal of the earlier view in
  which they could not be made, or that does not lead to what is seen now, is out; of the others, those are likelier in
  which a net in the others' places would have made their moves, too.

Either way a pool of deals comes out, which a search draws from by their odds.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import word
from foxrow.core.rule import part, rule
from foxrow.nets.forward import Floats, Packed, forward, judge_deal, judge_moves

if TYPE_CHECKING:
    from foxrow.core.functions import FEATURES, MAX_LEGAL, actor, apply, features, fill, legal
    from foxrow.core.steps import allowed, see, survey
else:  # this game's copy of the template
    _steps = sys.modules[__name__.replace("nets.deals", "core.steps")]
    allowed, see, survey = _steps.allowed, _steps.see, _steps.survey

PROBE = 8  # of so many tries, after the first part it is looked whether enough will come out


class Pool(NamedTuple):
    """Deals to draw from; where there are none, every deal is made when it is needed."""

    states: Any  # [deal]
    odds: NDArray[np.float64]  # [deal] their probabilities, added up


class Trail(NamedTuple):
    """What is remembered."""

    old: Any  # [1] a view of some time ago
    seats: NDArray[np.int32]  # [move] who made each move since then
    moves: NDArray[np.int32]
    now: NDArray[np.int8]  # [feature] what the seat sees after them


class Room(NamedTuple):
    """Room for positions that wait for a net, a few at a time."""

    features: NDArray[np.int8]  # [position, feature]
    h: Floats  # see forward.desk
    room: Floats
    lanes: NDArray[np.int32]  # [position] the deal
    frames: NDArray[np.int32]  # [position] that it is seen in
    legals: NDArray[np.int32]  # [position, move]
    counts: NDArray[np.int32]  # [position] legal moves
    wide: NDArray[np.int8]  # [position, feature and secret] what the critic sees
    wide_h: Floats
    wide_room: Floats
    row: NDArray[np.int8]  # [feature]
    work: Any  # [1] a state


@rule
def imagine(
    view: Any,
    rng: NDArray[np.int64],
    critic: Packed,
    secrets: NDArray[np.int32],
    room: Room,
    pool: Pool,
    spread: float,
) -> None:
    """Fill a pool with deals that agree with the view, and weigh them."""
    if len(pool.states) == 0:
        return
    for i in range(len(pool.states)):
        pool.states[i] = view[0]
        fill(pool.states[i], rng)
    logs = np.empty(len(pool.states), np.float64)
    weigh(pool.states, len(logs), int(view[0].seer), critic, secrets, room, logs)
    even_out(logs, len(logs), spread, pool.odds)


@rule
def recall(
    trail: Trail,
    rng: NDArray[np.int64],
    net: Packed,
    critic: Packed,
    secrets: NDArray[np.int32],
    room: Room,
    begun: Any,
    pool: Pool,
    tries: int,
    lapse: float,
    spread: float,
) -> bool:
    """Fill a pool with deals that the trail leads to; false where too few of so many tries did.

    All that came through are weighed by the critic as they were at the beginning of the trail; as many as the pool
    holds are drawn by that, and weighed by how likely a net makes the others' moves there. `lapse` of the time anybody
    makes any move. `begun` is room for the deals at the beginning.
    """
    home = int(trail.old[0].seer)
    out = np.empty(MAX_LEGAL, np.int32)
    enough = len(pool.states) // 4
    found = 0
    for done in range(tries):
        if found == len(begun) or (done == tries // PROBE and found * PROBE < enough):
            break
        begun[found] = trail.old[0]
        fill(begun[found], rng)
        room.work[0] = begun[found]
        if leads(room.work[0], trail, home, room.row, out):
            found += 1
    if found == 0 or found < enough:
        return False
    logs = np.empty(max(found, len(pool.states)), np.float64)
    odds = np.empty(found, np.float64)
    weigh(begun, found, home, critic, secrets, room, logs)
    even_out(logs, found, float(enough), odds)
    start = word(rng) / 4294967296.0
    at = 0
    many = len(pool.states)
    for i in range(many):
        while at < found - 1 and odds[at] * many <= i + start:
            at += 1
        pool.states[i] = begun[at]
    chances = np.empty(MAX_LEGAL, np.float64)
    size = len(room.lanes)
    for first in range(0, many, size):
        last = min(first + size, many)
        for i in range(first, last):
            logs[i] = 0.0
        for k in range(len(trail.moves)):
            waiting = 0
            for i in range(first, last):
                if trail.seats[k] != home:
                    s = pool.states[i]
                    n = legal(s, out)
                    if n > 1:
                        room.frames[waiting] = see(
                            s, int(trail.seats[k]), net.columns, room.row, room.features[waiting]
                        )
                        room.lanes[waiting] = i
                        room.counts[waiting] = n
                        room.legals[waiting, :n] = out[:n]
                        waiting += 1
            if waiting > 0:
                forward(net, room.features, waiting, room.h, room.room)
            for w in range(waiting):
                n = int(room.counts[w])
                judge_moves(net, room.h[w], room.legals[w], n, int(room.frames[w]), chances)
                for j in range(n):
                    if room.legals[w, j] == trail.moves[k]:
                        logs[room.lanes[w]] += np.log((1.0 - lapse) * chances[j] + lapse / n)
            for i in range(first, last):
                apply(pool.states[i], int(trail.moves[k]))
    even_out(logs, many, spread, pool.odds)
    return True


@rule
def leads(s: Any, trail: Trail, home: int, row: NDArray[np.int8], out: NDArray[np.int32]) -> bool:
    """Whether a deal leads to what is seen now: the moves can be made, and show what they have shown."""
    for k in range(len(trail.moves)):
        if actor(s) != trail.seats[k] or not allowed(s, int(trail.moves[k]), out):
            return False
        apply(s, int(trail.moves[k]))
    if actor(s) != home:
        return False
    features(s, home, row)
    for i in range(FEATURES):
        if row[i] != trail.now[i]:
            return False
    return True


@rule
def weigh(
    states: Any,
    many: int,
    home: int,
    critic: Packed,
    secrets: NDArray[np.int32],
    room: Room,
    logs: NDArray[np.float64],
) -> None:
    """What a critic says of deals that one seat, which is to act, cannot tell apart."""
    for first in range(0, many, len(room.lanes)):
        n = min(len(room.lanes), many - first)
        for k in range(n):
            s = states[first + k]
            if k == 0:
                see(s, home, critic.columns, room.row, room.wide[0, :FEATURES])
            else:
                room.wide[k, :FEATURES] = room.wide[0, :FEATURES]
            survey(s, secrets, room.row, room.wide[k, FEATURES:])
        forward(critic, room.wide, n, room.wide_h, room.wide_room)
        for k in range(n):
            logs[first + k] = judge_deal(critic, room.wide_h[k])


@part
def even_out(logs: NDArray[np.float64], many: int, spread: float, odds: NDArray[np.float64]) -> None:
    """Probabilities, added up. `spread` is how many deals shall count at least, as if all these were as likely as each
    other: where it is surer than that, the odds are flattened."""
    most = -1.0e30
    for i in range(many):
        most = max(most, logs[i])
    low, high = 0.0, 1.0
    power = 1.0
    total = 1.0
    for _ in range(12):
        total = 0.0
        squares = 0.0
        for i in range(many):
            weight = np.exp(power * (logs[i] - most))
            total += weight
            squares += weight * weight
            odds[i] = total
        if total * total / squares >= spread:
            low = power
            if power == 1.0:
                break
        else:
            high = power
        power = 0.5 * (low + high)
    for i in range(many):
        odds[i] /= total


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
