"""The tree of an information-set Monte Carlo search: a template, loaded once per game with its rules as globals.

Every iteration deals the unseen cards anew (`fill`), so the tree holds moves, never cards. A move that this deal does
not allow is left out; one that it allows counts as seen, and a move is explored by how often it was seen, not by how
often its parent was visited. Each seat maximises its own reward; partners have the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import below
from foxrow.core.rule import rule

if TYPE_CHECKING:
    from foxrow.core.functions import MAX_LEGAL, MOVES, SEATS, actor, apply, fill, legal, outcome, policy, scores

# A node is a move from its parent. Node 0 is the root.
NODE = np.dtype(
    [
        ("reward", np.float64),  # sum of what the mover got
        ("won", np.float64),  # sum of the mover's shares of a win
        ("gap", np.float64),  # sum of the mover's points ahead of the best rival
        ("move", np.int32),
        ("seat", np.int32),  # the mover
        ("child", np.int32),  # the newest child, −1 for none
        ("next", np.int32),  # the next older child of the same parent, −1 for none
        ("visits", np.int32),
        ("seen", np.int32),  # how often a deal allowed the move where its parent was visited
    ],
    align=True,
)
DEPTH = 512  # moves that a path may have; below that the rollout goes on

# The knobs of a search, in this order in a float64 array.
EXPLORE, TRUST, RANDOMNESS, HORIZON, MARGIN, PARTNERS, SETTLE = range(7)
STAKES = 7  # and from here on what the round counts for in a match, see `judge`
GLANCE = 32  # iterations between two looks whether the choice is settled
MANY = 1000.0  # visits from which on a node explores more and trusts less: errors must be found out some time
GROWTH = 0.45  # by how much, for each time that its visits grow by a factor of e


@rule
def grow(
    view: Any,
    work: Any,
    nodes: Any,
    used: int,
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
    simulations: int,
) -> int:
    """Add iterations to a tree of `used` nodes; how many nodes it has then. A full tree learns, but grows no more.

    `view` is one state with holes, `work` room for one state, `nodes` the room for all nodes. Where `SETTLE` is set,
    the iterations end when those that are left can no longer change which move is visited most.
    """
    out = np.empty(MAX_LEGAL, np.int32)
    slot = np.full(MOVES, -1, np.int32)  # [move] the child for it, while one node is looked at
    path = np.empty(DEPTH, np.int32)
    won = np.zeros(SEATS, np.int32)
    points = np.zeros(SEATS, np.int32)
    share = np.zeros(SEATS, np.float64)
    gap = np.zeros(SEATS, np.float64)
    randomness = int(knobs[RANDOMNESS])
    horizon = int(knobs[HORIZON]) if knobs[HORIZON] > 0.0 else 1_000_000
    settle = knobs[SETTLE] > 0.0
    trusted = knobs[TRUST] > 0.0
    s = work[0]
    for done in range(simulations):
        if settle and done % GLANCE == 0 and ahead(nodes) > simulations - done:
            break
        work[0] = view[0]
        fill(s, rng)
        depth = 0  # of the path inside the tree
        beyond = 0  # moves of the rollout
        node = 0
        inside = True
        while True:  # one loop for tree and rollout: each rule is compiled into it once
            seat = actor(s)
            if seat < 0 or beyond > horizon:
                break
            n = legal(s, out)
            if n == 1 or (inside and not trusted):
                move = int(out[0])
            elif not inside and below(rng, 100) < randomness:
                move = int(out[below(rng, n)])
            else:
                move = policy(s, out, n, rng)
            if inside:
                index, child = pick(nodes, node, seat, move, out, n, slot, rng, knobs)
                move = int(out[index])
                if child < 0:  # a move that was never tried here: the tree grows by this one
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
            beyond += 0 if inside else 1
            apply(s, move)
        judge(s, won, points, share, gap, int(knobs[PARTNERS]), knobs[STAKES:])
        nodes[0].visits += 1
        for i in range(depth):
            tried = nodes[path[i]]
            by = tried.seat
            lead = gap[by]
            tried.visits += 1
            tried.won += share[by]
            tried.gap += lead
            tried.reward += (1.0 - knobs[MARGIN]) * share[by] + knobs[MARGIN] * (0.5 + 0.5 * lead / (abs(lead) + 10.0))
    return used


@rule
def plant(nodes: Any, parent: int, child: int, move: int, seat: int) -> None:
    """A new node among the children of its parent."""
    new = nodes[child]
    new.reward = 0.0
    new.won = 0.0
    new.gap = 0.0
    new.move = move
    new.seat = seat
    new.child = -1
    new.next = nodes[parent].child
    new.visits = 0
    new.seen = 1
    nodes[parent].child = child


@rule
def pick(
    nodes: Any,
    node: int,
    seat: int,
    thumb: int,
    out: NDArray[np.int32],
    n: int,
    slot: NDArray[np.int32],
    rng: NDArray[np.int64],
    knobs: NDArray[np.float64],
) -> tuple[int, int]:
    """The legal move to follow: its place in `out`, and its node (−1: none yet).

    The prior gives `thumb`, the rule of thumb's move, `TRUST` of the weight and all moves alike the rest; a move
    without a visit is worth what its parent is worth so far.
    """
    trust = knobs[TRUST]
    base = spread(nodes, node, seat, slot)
    visited = float(nodes[node].visits)
    explore = knobs[EXPLORE]
    if visited > MANY:
        growth = 1.0 + GROWTH * np.log(visited / MANY)
        explore *= growth
        trust /= growth
    pull = np.sqrt(visited + 1.0)
    rest = (1.0 - trust) / n
    best = -1.0e30
    index = 0
    ties = 1
    for i in range(n):
        move = int(out[i])
        prior = rest + trust if move == thumb else rest
        value = promise(nodes, int(slot[move]), base, explore * prior, pull)
        if value > best:
            best = value
            index = i
            ties = 1
        elif value == best:  # equals by lot
            ties += 1
            if below(rng, ties) == 0:
                index = i
    chosen = int(slot[int(out[index])])
    gather(nodes, node, slot)
    return index, chosen


@rule
def spread(nodes: Any, node: int, seat: int, slot: NDArray[np.int32]) -> float:
    """Lay out a seat's moves from a node: their nodes by move, in `slot`. What they are worth together so far."""
    visits = 0
    reward = 0.0
    at = int(nodes[node].child)
    while at >= 0:
        child = nodes[at]
        if child.seat == seat:
            slot[child.move] = at
            visits += child.visits
            reward += child.reward
        at = int(child.next)
    return reward / visits if visits > 0 else 0.5


@rule
def promise(nodes: Any, at: int, base: float, lure: float, pull: float) -> float:
    """What a move is worth so far, and the more the less it was tried. Its node is `at`; it counts as seen."""
    if at < 0:
        return base + lure * pull
    child = nodes[at]
    child.seen += 1
    count = float(child.visits)
    value = child.reward / count if count > 0.0 else base
    return float(value + lure * np.sqrt(float(child.seen)) / (1.0 + count))


@rule
def gather(nodes: Any, node: int, slot: NDArray[np.int32]) -> None:
    """Take up what `spread` laid out."""
    at = int(nodes[node].child)
    while at >= 0:
        slot[nodes[at].move] = -1
        at = int(nodes[at].next)


@rule
def raced(share: NDArray[np.float64], players: int, stakes: NDArray[np.float64]) -> None:
    """Shares of a round's win become what they are worth in the match. Where it is a race, `stakes` has −1 first and
    then, for every seat that may win the round, what that is worth to each. A net expects something of every seat by
    itself, so that its shares may add up to more or less than one: their proportions count."""
    if len(stakes) == 0 or stakes[0] >= 0.0:
        return
    total = 0.0
    for seat in range(players):
        total += share[seat]
    if total <= 0.0:
        return
    worth = np.zeros(SEATS, np.float64)
    for winner in range(players):
        for seat in range(players):
            worth[seat] += share[winner] / total * stakes[1 + winner * players + seat]
    for seat in range(players):
        share[seat] = worth[seat]


@rule
def judge(
    s: Any,
    won: NDArray[np.int32],
    points: NDArray[np.int32],
    share: NDArray[np.float64],
    gap: NDArray[np.float64],
    partners: int,
    stakes: NDArray[np.float64],
) -> None:
    """Each seat's share of the win, and its points ahead of the best rival (behind: negative).

    Short of the end, whoever has most points counts as the winner. Where points add up over a match, `stakes` has first
    how many may be made good or lost in the rounds to come (0: this is the last), then every seat's from the rounds
    before: it is the match that is won then, and while it goes on everybody has a share, by how far they are ahead.
    Where won rounds race, see `raced`.
    """
    players = int(s.players)
    adds = len(stakes) > 0 and stakes[0] >= 0.0
    scores(s, points)
    if adds:
        for seat in range(players):
            points[seat] += int(np.floor(stakes[1 + seat] + 0.5))
    if actor(s) < 0 and not adds:
        for seat in range(players):
            won[seat] = 0
        outcome(s, won)
    else:
        best = int(points[0])
        for seat in range(1, players):
            best = max(best, int(points[seat]))
        for seat in range(players):
            won[seat] = 1 if points[seat] == best else 0
    winners = 0
    for seat in range(players):
        winners += won[seat]
    for seat in range(players):
        share[seat] = min(1.0, won[seat] * float(partners) / winners) if winners > 0 else 0.0
        rival = -1_000_000
        for other in range(players):
            if won[other] != won[seat]:
                rival = max(rival, int(points[other]))
        gap[seat] = float(int(points[seat]) - rival) if rival > -1_000_000 else 0.0
    raced(share, players, stakes)
    if adds and stakes[0] > 0.0:
        best = int(points[0])
        for seat in range(1, players):
            best = max(best, int(points[seat]))
        total = 0.0
        for seat in range(players):
            share[seat] = np.exp((int(points[seat]) - best) / stakes[0])
            total += share[seat]
        for seat in range(players):
            share[seat] /= total


@rule
def ahead(nodes: Any) -> int:
    """How many visits the root's most visited move has more than the next."""
    first = 0
    second = 0
    at = int(nodes[0].child)
    while at >= 0:
        visits = int(nodes[at].visits)
        if visits > first:
            first, second = visits, first
        else:
            second = max(second, visits)
        at = int(nodes[at].next)
    return first - second


@rule
def fan(nodes: Any, seat: int, moves: NDArray[np.int32], sums: NDArray[np.float64]) -> int:
    """Write a seat's moves from the root with their visits, rewards, wins and gaps; how many they are."""
    n = 0
    at = int(nodes[0].child)
    while at >= 0 and n < len(moves):
        child = nodes[at]
        if child.seat == seat:
            moves[n] = child.move
            sums[n, 0] = child.visits
            sums[n, 1] = child.reward
            sums[n, 2] = child.won
            sums[n, 3] = child.gap
            n += 1
        at = int(child.next)
    return n


@rule
def step(nodes: Any, node: int, move: int, seat: int) -> int:
    """The child of a node for a move, −1 when there is none."""
    at = int(nodes[node].child)
    while at >= 0:
        if nodes[at].move == move and nodes[at].seat == seat:
            return at
        at = int(nodes[at].next)
    return -1


@rule
def transplant(nodes: Any, root: int, fresh: Any) -> int:
    """Copy what grows below `root` to the start of `fresh`; how many nodes that are. What does not fit is left out.

    `fresh` is filled breadth first, so the copied nodes themselves are the queue.
    """
    fresh[0] = nodes[root]
    fresh[0].next = -1
    used = 1
    at = 0
    while at < used:
        old = int(fresh[at].child)  # still an index into `nodes`
        fresh[at].child = -1
        while old >= 0 and used < len(fresh):
            fresh[used] = nodes[old]
            fresh[used].next = fresh[at].child
            fresh[at].child = used
            used += 1
            old = int(nodes[old].next)
        at += 1
    return used
