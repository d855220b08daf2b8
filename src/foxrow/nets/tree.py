"""The tree of a search that a net guides: a template, loaded once per game on top of `foxrow.search.tree`.

As there, every iteration deals the unseen cards anew, and a move counts as seen when the deal allows it. Here the net's
policy says which moves to try first, and its values of the seats stand for the rest of the round, together with one
rollout. A deal that allows a move which a node has never heard of ends the iteration there: the net is asked about that
position, and its new moves are added.

Positions are asked about in batches. Until the answer comes, their paths count as visits without a reward (a virtual
loss), so that the batch spreads out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import below
from foxrow.core.rule import part, rule
from foxrow.nets.forward import Floats, Packed, forward, judge_moves, judge_seats

if TYPE_CHECKING:
    from foxrow.core.functions import MAX_LEGAL, MOVES, SEATS, actor, apply, features, fill, legal, policy
    from foxrow.search.tree import GLANCE, ahead, judge

# A node is a move from its parent. Node 0 is the root.
NODE = np.dtype(
    [
        ("reward", np.float64),  # sum of what the mover got
        ("odds", np.float32),  # sum of the net's probabilities of this move, over the positions asked about
        ("worth", np.float32),  # what the seat to act after it may expect by the net, −1 while nobody asked
        ("asked", np.int32),  # positions that `odds` is a sum of
        ("move", np.int32),
        ("seat", np.int32),  # the mover
        ("child", np.int32),  # the newest child, −1 for none
        ("next", np.int32),  # the next older child of the same parent, −1 for none
        ("visits", np.int32),
        ("seen", np.int32),  # how often a deal allowed the move where its parent was visited
    ],
    align=True,
)
DEPTH = 256  # moves that a path may have
BATCH = 16  # positions that the net is asked about at once, at most

# The knobs of a search, in this order in a float64 array.
EXPLORE, OPEN, TRUST, RANDOMNESS, DOUBT, PARTNERS, WIDTH, SETTLE = range(8)


class Desk(NamedTuple):
    """Room for the positions that wait for the net."""

    features: NDArray[np.int8]  # [position, feature]
    h: Floats  # see forward.desk
    room: Floats
    paths: NDArray[np.int32]  # [position, depth] nodes
    depths: NDArray[np.int32]  # [position]
    legals: NDArray[np.int32]  # [position, move]
    counts: NDArray[np.int32]  # [position] legal moves
    seats: NDArray[np.int32]  # [position] to act
    rolled: NDArray[np.float64]  # [position, seat] shares of the win at the end of a rollout


@rule
def grow(
    view: Any,
    work: Any,
    nodes: Any,
    used: int,
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
    net: Packed,
    desk: Desk,
    simulations: int,
) -> int:
    """Add iterations to a tree of `used` nodes; how many nodes it has then. A full tree learns, but grows no more."""
    out = np.empty(MAX_LEGAL, np.int32)
    slot = np.full(MOVES, -1, np.int32)  # [move] the child for it, while one node is looked at
    odds = np.empty(MAX_LEGAL, np.float64)
    won = np.zeros(SEATS, np.int32)
    points = np.zeros(SEATS, np.int32)
    share = np.zeros(SEATS, np.float64)
    gap = np.zeros(SEATS, np.float64)
    partners = int(knobs[PARTNERS])
    trust = knobs[TRUST]
    width = min(len(desk.depths), max(1, int(knobs[WIDTH])))
    waiting = 0
    s = work[0]
    for iteration in range(simulations):
        if knobs[SETTLE] > 0.0 and iteration % GLANCE == 0 and waiting == 0 and ahead(nodes) > simulations - iteration:
            break
        work[0] = view[0]
        fill(s, rng)
        path = desk.paths[waiting]
        depth = 0
        node = 0
        inside = True
        while True:  # one loop for tree and rollout: each rule is compiled into it once
            seat = actor(s)
            if seat < 0:
                break
            n = legal(s, out)
            if inside:
                index, child = pick(nodes, node, seat, out, n, slot, rng, knobs)
                if n == 1 and child < 0 and used < len(nodes):  # no choice: nothing to ask
                    child = used
                    used += 1
                    plant(nodes, node, child, int(out[0]), seat, 1.0)
                if child < 0 or depth == DEPTH:
                    inside = False
                    features(s, seat, desk.features[waiting])
                    desk.seats[waiting] = seat
                    desk.counts[waiting] = n
                    for i in range(n):
                        desk.legals[waiting, i] = out[i]
                    if trust >= 1.0:
                        break
                else:
                    node = child
                    path[depth] = node
                    depth += 1
                    nodes[node].visits += 1
                    apply(s, int(out[index]))
                    continue
            move = policy(s, out, n, rng)
            if below(rng, 100) < knobs[RANDOMNESS]:
                move = int(out[below(rng, n)])
            apply(s, move)
        nodes[0].visits += 1
        if inside or trust < 1.0:
            judge(s, won, points, share, gap, partners)
        if inside:  # the round is over: there is nothing to ask
            for i in range(depth):
                nodes[path[i]].reward += share[nodes[path[i]].seat]
        else:
            desk.depths[waiting] = depth
            if trust < 1.0:
                for i in range(SEATS):
                    desk.rolled[waiting, i] = share[i]
            waiting += 1
        if waiting == width or iteration == simulations - 1 or (waiting > 0 and nodes[0].child < 0):
            forward(net, desk.features, waiting, desk.h, desk.room)
            players = int(s.players)
            for k in range(waiting):
                seat = int(desk.seats[k])
                judge_seats(net, desk.h[k], seat, players, share)
                for i in range(players):
                    fair = min(1.0, max(0.0, partners * (share[i] * (players - 1) + 1.0) / players))
                    share[i] = trust * fair + (1.0 - trust) * desk.rolled[k, i] if trust < 1.0 else fair
                depth = int(desk.depths[k])
                for i in range(depth):
                    nodes[desk.paths[k, i]].reward += share[nodes[desk.paths[k, i]].seat]
                node = int(desk.paths[k, depth - 1]) if depth > 0 else 0
                nodes[node].worth = share[seat]
                judge_moves(net, desk.h[k], desk.legals[k], int(desk.counts[k]), odds)
                used = spread(nodes, used, node, seat, desk.legals[k], int(desk.counts[k]), odds, slot)
            waiting = 0
    return used


@rule
def fan(nodes: Any, seat: int, moves: NDArray[np.int32], sums: NDArray[np.float64]) -> int:
    """Write a seat's moves from the root with their visits and rewards; how many they are."""
    n = 0
    at = int(nodes[0].child)
    while at >= 0 and n < len(moves):
        child = nodes[at]
        if child.seat == seat:
            moves[n] = child.move
            sums[n, 0] = child.visits
            sums[n, 1] = child.reward
            sums[n, 2] = child.reward
            sums[n, 3] = 0.0
            n += 1
        at = int(child.next)
    return n


@part
def plant(nodes: Any, parent: int, child: int, move: int, seat: int, odds: float) -> None:
    """A new node among the children of its parent."""
    new = nodes[child]
    new.reward = 0.0
    new.odds = odds
    new.worth = -1.0
    new.asked = 1
    new.move = move
    new.seat = seat
    new.child = -1
    new.next = nodes[parent].child
    new.visits = 0
    new.seen = 0
    nodes[parent].child = child


@part
def spread(
    nodes: Any,
    used: int,
    node: int,
    seat: int,
    moves: NDArray[np.int32],
    n: int,
    odds: NDArray[np.float64],
    slot: NDArray[np.int32],
) -> int:
    """Write the net's opinion of a position's moves into the children of its node; how many nodes there are then."""
    open_slots(nodes, node, seat, slot)
    for i in range(n):
        at = int(slot[moves[i]])
        if at >= 0:
            nodes[at].odds += odds[i]
            nodes[at].asked += 1
        elif used < len(nodes):
            plant(nodes, node, used, int(moves[i]), seat, odds[i])
            used += 1
    close_slots(nodes, node, slot)
    return used


@part
def open_slots(nodes: Any, node: int, seat: int, slot: NDArray[np.int32]) -> None:
    at = int(nodes[node].child)
    while at >= 0:
        if nodes[at].seat == seat:
            slot[nodes[at].move] = at
        at = int(nodes[at].next)


@part
def close_slots(nodes: Any, node: int, slot: NDArray[np.int32]) -> None:
    at = int(nodes[node].child)
    while at >= 0:
        slot[nodes[at].move] = -1
        at = int(nodes[at].next)


@part
def pick(
    nodes: Any,
    node: int,
    seat: int,
    out: NDArray[np.int32],
    n: int,
    slot: NDArray[np.int32],
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
) -> tuple[int, int]:
    """The legal move to follow: its place in `out`, and its node; −1 when a legal move has none yet.

    The prior is the net's mean probability where the move was legal, over the moves legal now; a share `OPEN` of it
    is spread evenly. A move without a visit is worth `DOUBT` less than what its parent is worth so far.
    """
    open_slots(nodes, node, seat, slot)
    whole = 0.0
    visits = 0
    reward = 0.0
    missing = False
    for i in range(n):
        at = int(slot[out[i]])
        if at < 0:
            missing = True
        else:
            child = nodes[at]
            child.seen += 1
            whole += child.odds / child.asked
            visits += child.visits
            reward += child.reward
    best = -1.0e30
    index = 0
    chosen = -1
    if not missing:
        base = reward / visits if visits > 0 else float(nodes[node].worth)
        base = max(0.0, base - knobs[DOUBT]) if base >= 0.0 else 0.5
        ties = 1
        for i in range(n):
            at = int(slot[out[i]])
            child = nodes[at]
            prior = (1.0 - knobs[OPEN]) * child.odds / (child.asked * whole) + knobs[OPEN] / n
            count = float(child.visits)
            value = child.reward / count if count > 0.0 else base
            value += knobs[EXPLORE] * prior * np.sqrt(float(child.seen)) / (1.0 + count)
            if value > best:
                best = value
                index = i
                chosen = at
                ties = 1
            elif value == best:  # equals by lot
                ties += 1
                if below(rng, ties) == 0:
                    index = i
                    chosen = at
    close_slots(nodes, node, slot)
    return index, chosen
