"""The tree of a search by net: a template, loaded once per game on top of `foxrow.search.tree`.

The same tree over information sets, with a net where that one has a rule of thumb and luck. At every step the net says,
from what the seat to act knows in this deal, which moves are worth a try. Where the tree ends, a critic that sees all
hands of the deal says what every seat may expect, and a rollout by the rule of thumb, which costs next to nothing,
has its part in it: the one knows where games lead, the other does not overlook what happens next.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import below
from foxrow.core.rule import rule
from foxrow.nets.forward import Floats, Packed, forward, judge_moves, judge_seats, share_of

if TYPE_CHECKING:
    from foxrow.core.functions import FEATURES, MAX_LEGAL, MOVES, SEATS, actor, apply, fill, legal, policy
    from foxrow.core.steps import see, survey
    from foxrow.search.tree import DEPTH, GLANCE, ahead, gather, judge, plant, promise, raced, spread
else:  # this game's copy of the template
    _steps = sys.modules[__name__.replace("nets.tree", "core.steps")]
    see, survey = _steps.see, _steps.survey

# The knobs, in this order in a float64 array.
EXPLORE, FLAT, ROLLOUT, RANDOMNESS, PARTNERS, SETTLE, CRITIC = range(7)
STAKES = 7  # and from here on, see `judge`


class Table(NamedTuple):
    """Room for one position that waits for the net."""

    features: NDArray[np.int8]  # [1, feature]
    h: Floats  # see forward.desk
    room: Floats
    wide: NDArray[np.int8]  # [1, feature and secret] what the critic sees
    wide_h: Floats
    wide_room: Floats
    row: NDArray[np.int8]  # [feature]


@rule
def grow_by_net(
    view: Any,
    work: Any,
    nodes: Any,
    used: int,
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
    net: Packed,
    critic: Packed,
    secrets: NDArray[np.int32],
    table: Table,
    simulations: int,
) -> int:
    """Add iterations to a tree of `used` nodes; how many nodes it has then (see `grow`)."""
    out = np.empty(MAX_LEGAL, np.int32)
    odds = np.empty(MAX_LEGAL, np.float64)
    first = np.empty(MAX_LEGAL, np.float64)  # odds at the root: the seat knows its hand, so they are the same always
    known = False
    slot = np.full(MOVES, -1, np.int32)
    path = np.empty(DEPTH, np.int32)
    won = np.zeros(SEATS, np.int32)
    points = np.zeros(SEATS, np.int32)
    share = np.zeros(SEATS, np.float64)
    rolled = np.zeros(SEATS, np.float64)
    gap = np.zeros(SEATS, np.float64)
    players = int(view[0].players)
    partners = int(knobs[PARTNERS])
    randomness = int(knobs[RANDOMNESS])
    s = work[0]
    for done in range(simulations):
        if knobs[SETTLE] > 0.0 and done % GLANCE == 0 and ahead(nodes) > simulations - done:
            break
        work[0] = view[0]
        fill(s, rng)
        depth = 0
        node = 0
        inside = True
        while inside:
            seat = actor(s)
            if seat < 0:
                break
            n = legal(s, out)
            if n == 1:
                odds[0] = 1.0
            elif node == 0 and known:
                odds[:n] = first[:n]
            else:
                frame = see(s, seat, net.columns, table.row, table.features[0])
                forward(net, table.features, 1, table.h, table.room)
                judge_moves(net, table.h[0], out, n, frame, odds)
                if node == 0:
                    first[:n] = odds[:n]
                    known = True
            index, child = pick_by_odds(nodes, node, seat, out, odds, n, slot, rng, knobs)
            move = int(out[index])
            if child < 0:
                inside = False
                if used < len(nodes):
                    child = used
                    used += 1
                    plant(nodes, node, child, move, seat)
            if child >= 0:
                node = child
                path[depth] = node
                depth += 1
                inside = inside and depth < DEPTH
            apply(s, move)
        seat = actor(s)
        part_rolled = 1.0
        if seat >= 0 and knobs[ROLLOUT] < 1.0:
            part_rolled = knobs[ROLLOUT]
            if knobs[CRITIC] > 0.0:
                see(s, seat, net.columns, table.row, table.wide[0, :FEATURES])
                survey(s, secrets, table.row, table.wide[0, FEATURES:])
                forward(critic, table.wide, 1, table.wide_h, table.wide_room)
                judge_seats(critic, table.wide_h[0], seat, players, share)
            else:
                see(s, seat, net.columns, table.row, table.features[0])
                forward(net, table.features, 1, table.h, table.room)
                judge_seats(net, table.h[0], seat, players, share)
            for i in range(players):
                share[i] = share_of(share[i], players, partners)
            raced(share, players, knobs[STAKES:])
        if part_rolled > 0.0:
            seat = actor(s)
            while seat >= 0:
                n = legal(s, out)
                if n == 1:
                    move = int(out[0])
                elif below(rng, 100) < randomness:
                    move = int(out[below(rng, n)])
                else:
                    move = policy(s, out, n, rng)
                apply(s, move)
                seat = actor(s)
            judge(s, won, points, rolled, gap, partners, knobs[STAKES:])
            for i in range(players):
                share[i] = part_rolled * rolled[i] + (1.0 - part_rolled) * share[i]
        nodes[0].visits += 1
        for i in range(depth):
            tried = nodes[path[i]]
            tried.visits += 1
            tried.won += share[tried.seat]
            tried.reward += share[tried.seat]
    return used


@rule
def pick_by_odds(
    nodes: Any,
    node: int,
    seat: int,
    out: NDArray[np.int32],
    odds: NDArray[np.float64],
    n: int,
    slot: NDArray[np.int32],
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
) -> tuple[int, int]:
    """The legal move to follow: its place in `out`, and its node (−1: none yet). As `pick`, with a net's odds."""
    base = spread(nodes, node, seat, slot)
    pull = np.sqrt(float(nodes[node].visits) + 1.0)
    even = knobs[FLAT] / n
    best = -1.0e30
    index = 0
    for i in range(n):
        prior = even + (1.0 - knobs[FLAT]) * odds[i]
        value = promise(nodes, int(slot[int(out[i])]), base, knobs[EXPLORE] * prior, pull)
        if value > best:
            best = value
            index = i
    chosen = int(slot[int(out[index])])
    gather(nodes, node, slot)
    return index, chosen
