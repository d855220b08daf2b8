"""LINX, a good rule of thumb: what the greedy bot plays, and the rollouts of a search.

Win if you can. Else weigh each placement: whether somebody else can win next, how many lines of your own it leaves one
tile short, the draw, the symbols you keep. Threats are sets of cells, found for all cells at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import rule
from foxrow.games.linx.grid import CELLS, SIDE, WAYS, block, completing, lowest, near, ring, step
from foxrow.games.linx.rules import DOWN, open_cells, within
from foxrow.games.linx.state import (
    PAPER,
    ROCK,
    SCISSORS,
    SYMBOLS,
    View,
    allies,
    beaten_by,
    covered,
    face_up,
    limit,
    occupied,
    remaining,
)

DANGER = 3
ONE = 12
TWO = 40
MORE = 60
DRAW_FEW = 8
DRAW = 4
VARY = 3
OWN = 6
FOE = 0
CROWD = 0
DENY = 0
RISK = 0
COVER = 0
ALIVE = 0
ALIVE_UP = 0
LATER = 1


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    if n == 1:
        return int(legal[0])
    seat = int(v.active)
    win = winning_move(v, seat)
    if win >= 0:
        return win
    feared = feared_cells(v, seat)
    bare = ~covered(v)
    tops = occupied(v) & bare
    places = open_cells(v)
    threatened = feared & (tops | places)
    now = danger(v, seat, places, tops, 0, 0) if threatened else 0
    mine = face_up(v, seat)
    free = int(v.reach) & ~occupied(v)
    box = block(ring(int(v.left), int(v.width)), ring(int(v.top), int(v.height)))
    one = 0
    two = 0
    three = 0
    for way in range(WAYS):
        after = step(mine, way ^ 1)
        third = step(free, way ^ 1)
        near_third = third & (step(mine, way) | step(after, way ^ 1))
        far_third = step(third, way ^ 1) & after
        three |= two & near_third
        two |= one & near_third
        one |= near_third
        three |= two & far_third
        two |= one & far_third
        one |= far_third
    around = near(mine)
    deny = 0
    deny2 = 0
    if DENY:
        foe = (seat + 1) % int(v.players)
        theirs = face_up(v, foe)
        for way in range(WAYS):
            after = step(theirs, way ^ 1)
            third = step(free, way ^ 1)
            near_third = third & (step(theirs, way) | step(after, way ^ 1))
            far_third = step(third, way ^ 1) & after
            deny2 |= deny & near_third
            deny |= near_third
            deny2 |= deny & far_third
            deny |= far_third
    alive = 0
    alive2 = 0
    lids = int(v.covers[seat])
    if ALIVE and lids != 0:
        for way in range(WAYS):
            after = step(lids, way ^ 1)
            third = step(tops | free, way ^ 1)
            near_third = third & (step(lids, way) | step(after, way ^ 1))
            far_third = step(third, way ^ 1) & after
            alive2 |= alive & near_third
            alive |= near_third
            alive2 |= alive & far_third
            alive |= far_third
    lid_one = 0
    lid_two = 0
    if lids != 0:
        targets = coverable(v, seat) & tops
        for way in range(WAYS):
            after = step(lids, way ^ 1)
            third = step(targets, way ^ 1)
            near_third = third & (step(lids, way) | step(after, way ^ 1))
            far_third = step(third, way ^ 1) & after
            lid_two |= lid_one & near_third
            lid_one |= near_third
            lid_two |= lid_one & far_third
            lid_one |= far_third
    draw = 0
    if v.stock[seat] > 0:
        draw = DRAW_FEW if v.held[seat] <= 3 else DRAW
    best = -1_000_000
    choice = int(legal[0])
    for i in range(n):
        move = int(legal[i])
        cell = move % CELLS
        tile = 1 << cell
        symbol = move % DOWN // CELLS
        worth = VARY * int(v.hands[seat, symbol])
        if move < DOWN:
            threats = ((one >> cell) & 1) + ((two >> cell) & 1) + ((three >> cell) & 1)
            worth += threat_worth(threats) + draw
            if feared & tile or (now > 0 and not box & tile):
                after = places & ~tile & reach_after(v, cell)
                worth -= danger(v, seat, after, tops, tile, symbol)
            else:
                worth -= now
            if ALIVE_UP:
                worth += ALIVE_UP * (((around >> cell) & 1))
            if DENY:
                worth += DENY * (((deny >> cell) & 1) + ((deny2 >> cell) & 1))
            if RISK:
                worth -= RISK * int(remaining(v, (seat + 1) % int(v.players), (symbol + 1) % 3))
        else:
            threats = ((lid_one >> cell) & 1) + ((lid_two >> cell) & 1)
            worth += threat_worth(threats) + COVER + ALIVE * (((alive >> cell) & 1) + ((alive2 >> cell) & 1))
            if mine & tile:
                worth -= OWN
            elif not int(v.owners[4]) & tile:
                if not (v.teams != 0 and int(v.owners[(seat + 2) % 4]) & tile):
                    worth += FOE
            if now > 0:
                worth -= danger(v, seat, places, tops & ~tile, 0, 0)
        worth = worth * 8 + below(rng, 8)  # equals are chosen by lot
        if worth > best:
            best = worth
            choice = move
    return choice


@rule
def winning_move(v: View, seat: int) -> int:
    """A move that makes a line (X9), −1 if there is none."""
    bare = ~covered(v)
    ends = completing(int(v.owners[seat]) & bare) & open_cells(v)
    lids = completing(int(v.covers[seat])) & bare
    for symbol in range(SYMBOLS):
        if v.hands[seat, symbol] > 0:
            if ends != 0:
                return symbol * CELLS + lowest(ends)
            targets = lids & int(v.faces[beaten_by(symbol)])
            if targets != 0:
                return DOWN + symbol * CELLS + lowest(targets)
    return -1


@rule
def coverable(v: View, seat: int) -> int:
    cells = 0
    for symbol in range(SYMBOLS):
        if v.hands[seat, symbol] > 0:
            cells |= int(v.faces[beaten_by(symbol)])
    return cells


@rule
def feared_cells(v: View, seat: int) -> int:
    """Cells where an opponent lacks one tile for a line."""
    bare = ~covered(v)
    cells = 0
    for other in range(int(v.players)):
        if not allies(v, seat, other):
            cells |= completing(int(v.owners[other]) & bare) | completing(int(v.covers[other]))
    return cells


@rule
def threat_worth(n: int) -> int:
    """Each cell where a line is one tile short must be answered; two are hard to answer at once."""
    if n == 0:
        return 0
    if n == 1:
        return ONE
    if n == 2:
        return TWO
    return MORE


@rule
def danger(v: View, seat: int, places: int, tops: int, tile: int, symbol: int) -> int:
    """How likely the others win before the next turn, weighed: whoever comes later may be stopped by someone else."""
    total = 0
    for turn in range(1, int(v.players)):
        other = (seat + turn) % int(v.players)
        if v.held[other] > 0 and not allies(v, seat, other):
            chance = 0
            if completing(int(v.owners[other]) & tops) & places:
                chance = 100
            else:
                lids = completing(int(v.covers[other])) & (tops | tile)
                if lids != 0:
                    for kind in range(SYMBOLS):
                        if lids & (int(v.faces[beaten_by(kind)]) | (tile if beaten_by(kind) == symbol else 0)):
                            chance += holds(v, other, kind)
            total += min(chance, 100) * DANGER // (turn + LATER)
    return total


@rule
def holds(v: View, seat: int, symbol: int) -> int:
    """The chance in percent that a hand holds a symbol, as far as everybody can tell."""
    if v.known[seat, symbol] > 0:
        return 100
    unknown = int(v.held[seat])
    for kind in range(SYMBOLS):
        unknown -= int(v.known[seat, kind])
    pool = unknown + int(v.stock[seat])
    others = pool - remaining(v, seat, symbol)
    without = 100
    for i in range(unknown):
        without = without * max(0, others - i) // (pool - i)
    return 100 - without


@rule
def reach_after(v: View, cell: int) -> int:
    """The cells within the grid limit (X3) once a tile lies on an open cell."""
    column = (cell % SIDE - int(v.left)) % SIDE
    row = (cell // SIDE - int(v.top)) % SIDE
    most = limit(v)
    return block(
        within_after(int(v.left), int(v.width), most, column), within_after(int(v.top), int(v.height), most, row)
    )


@rule
def within_after(first: int, size: int, most: int, at: int) -> int:
    if at == SIDE - 1:
        return within(first - 1, size + 1, most)
    if at >= size:
        return within(first, size + 1, most)
    return within(first, size, most)
