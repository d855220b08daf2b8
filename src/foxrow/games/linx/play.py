"""LINX, a good rule of thumb: what the greedy bot plays, and the rollouts of a search.

Win if you can. Else weigh each placement: whether somebody can win before your next turn, how many lines of yours it
leaves one tile short, the draw, the symbols you keep. Threats are sets of cells, found for all cells at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.level import Level
from foxrow.core.rule import part, rule
from foxrow.games.linx.grid import CELLS, SIDE, block, completing, lowest, pairing
from foxrow.games.linx.rules import DOWN, open_cells, within
from foxrow.games.linx.state import (
    SYMBOLS,
    View,
    allies,
    beaten_by,
    beater_of,
    covered,
    face_up,
    limit,
    occupied,
    remaining,
)

# What things are worth; found by playing many games against slightly different players.
ONE = 12  # a line one tile short
TWO = 40  # one tile short at two places: hard to stop
HOPE = 3  # a face-down pair whose third cell may still be covered some day
DRAW = 8  # two tiles for a short hand
SHORT = 3  # tiles in a short hand
VARY = 8  # each tile of the symbol in hand: to play the common ones keeps all three
OWN = 8  # a tile of the own side that is covered
FOE = 16  # an opponent's tile that is covered, where everyone fights everyone: visible tiles often decide there


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    if n == 1:
        return int(legal[0])
    seat = int(v.active)
    win = winning_move(v, seat)
    if win >= 0:
        return win
    # What the others could win with, and what could be done about it.
    tops = occupied(v) & ~covered(v)
    places = open_cells(v)
    ends = feared_ends(v, seat) & places
    lid_ends = feared_lids(v, seat)
    up_danger = danger_up(v, seat, tops, places) if ends != 0 else 0
    down_danger = danger_down(v, seat, tops, 0, 0) if lid_ends & tops != 0 else 0
    props = threatening_tiles(v, seat, places) if ends != 0 else 0
    # Where a tile of this seat would make a pair that one more tile completes.
    mine = face_up(v, seat)
    free = int(v.reach) & ~occupied(v)
    up_one = pairing(mine, free, 1)
    up_two = pairing(mine, free, 2)
    lids = int(v.covers[seat])
    hope = 0
    down_one = 0
    down_two = 0
    if lids != 0:
        targets = tops & coverable(v, seat)
        hope = pairing(lids, tops | free, 1)
        down_one = pairing(lids, targets, 1)
        down_two = pairing(lids, targets, 2)
    draw = DRAW if v.stock[seat] > 0 and v.held[seat] <= SHORT else 0
    best = -1_000_000
    choice = int(legal[0])
    for i in range(n):
        move = int(legal[i])
        cell = move % CELLS
        symbol = move % DOWN // CELLS
        worth = VARY * int(v.hands[seat, symbol])
        if move < DOWN:
            worth += draw + worth_at(cell, up_one, up_two, ONE, TWO)
            if ends != 0:
                worth -= danger_after_placing(v, seat, cell, ends, up_danger)
            worth -= down_danger
            if (lid_ends >> cell) & 1:
                worth -= danger_down(v, seat, 0, 1 << cell, symbol)
        else:
            worth += worth_at(cell, down_one, down_two, ONE, TWO) + HOPE * ((hope >> cell) & 1)
            worth += cover_worth(v, seat, cell)
            if (props >> cell) & 1:
                worth -= danger_up(v, seat, tops & ~(1 << cell), places)
            else:
                worth -= up_danger
            if (lid_ends >> cell) & 1:
                worth -= danger_down(v, seat, tops & ~(1 << cell), 0, 0)
            else:
                worth -= down_danger
        worth = worth * 8 + below(rng, 8)  # equals are chosen by lot
        if worth > best:
            best = worth
            choice = move
    return choice


@part
def winning_move(v: View, seat: int) -> int:
    """A move that makes a line (X9), −1 if there is none."""
    ends = completing(face_up(v, seat)) & open_cells(v)
    lids = completing(int(v.covers[seat])) & ~covered(v)
    for symbol in range(SYMBOLS):
        if v.hands[seat, symbol] > 0:
            if ends != 0:
                return symbol * CELLS + lowest(ends)
            targets = lids & int(v.faces[beaten_by(symbol)])
            if targets != 0:
                return DOWN + symbol * CELLS + lowest(targets)
    return -1


@part
def feared_ends(v: View, seat: int) -> int:
    """Where an opponent lacks one face-up tile for a line."""
    cells = 0
    for other in range(int(v.players)):
        if v.held[other] > 0 and not allies(v, seat, other):
            cells |= completing(face_up(v, other))
    return cells


@part
def feared_lids(v: View, seat: int) -> int:
    """Where an opponent lacks one face-down tile for a line."""
    cells = 0
    for other in range(int(v.players)):
        if v.held[other] > 0 and not allies(v, seat, other):
            cells |= completing(int(v.covers[other]))
    return cells


@part
def threatening_tiles(v: View, seat: int, places: int) -> int:
    """The face-up tiles of opponents who could complete a line with one more: to cover the right one stops them."""
    cells = 0
    for other in range(int(v.players)):
        if not allies(v, seat, other):
            theirs = face_up(v, other)
            if completing(theirs) & places:
                cells |= theirs
    return cells


@part
def coverable(v: View, seat: int) -> int:
    """Cells whose face-up tile the hand can beat."""
    cells = 0
    for symbol in range(SYMBOLS):
        if v.hands[seat, symbol] > 0:
            cells |= int(v.faces[beaten_by(symbol)])
    return cells


@part
def worth_at(cell: int, ones: int, twos: int, one: int, two: int) -> int:
    if (twos >> cell) & 1:
        return two
    return one if (ones >> cell) & 1 else 0


@part
def cover_worth(v: View, seat: int, cell: int) -> int:
    """What it is worth that a tile disappears."""
    for owner in range(int(v.players)):
        if (int(v.owners[owner]) >> cell) & 1:
            if allies(v, seat, owner):
                return -OWN
            return FOE if v.players == 4 and v.teams == 0 else 0
    return 0


@part
def danger_after_placing(v: View, seat: int, cell: int, ends: int, now: int) -> int:
    """A face-up tile takes one feared end away, or some as it draws in the grid limit."""
    left = ends & ~(1 << cell)
    if (cell % SIDE - int(v.left)) % SIDE >= v.width or (cell // SIDE - int(v.top)) % SIDE >= v.height:
        left &= reach_after(v, cell)
    if left == ends:
        return now
    if left == 0:
        return 0
    return danger_up(v, seat, ~covered(v), left)


@part
def danger_up(v: View, seat: int, tops: int, places: int) -> int:
    """Whether others win with a face-up tile, if these tiles are on top and these cells open. Whoever comes later may
    be stopped by someone else."""
    total = 0
    for turn in range(1, int(v.players)):
        other = (seat + turn) % int(v.players)
        if v.held[other] > 0 and not allies(v, seat, other):
            if completing(int(v.owners[other]) & tops) & places:
                total += 800 // (turn + 1)
    return total


@part
def danger_down(v: View, seat: int, tops: int, tile: int, symbol: int) -> int:
    """How likely others win with a cover, if these tiles are on top, or a new one of a symbol."""
    total = 0
    for turn in range(1, int(v.players)):
        other = (seat + turn) % int(v.players)
        if v.held[other] > 0 and not allies(v, seat, other):
            chance = 0
            lids = completing(int(v.covers[other]))
            for kind in range(SYMBOLS):
                if lids & tops & int(v.faces[kind]) or (lids & tile and kind == symbol):
                    chance += holds(v, other, beater_of(kind))
            total += min(chance, 100) * 8 // (turn + 1)
    return total


@part
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


@part
def reach_after(v: View, cell: int) -> int:
    """The cells within the grid limit (X3) once a tile lies on an open cell."""
    columns = within_after(int(v.left), int(v.width), limit(v), cell % SIDE)
    rows = within_after(int(v.top), int(v.height), limit(v), cell // SIDE)
    return block(columns, rows)


@part
def within_after(first: int, size: int, most: int, at: int) -> int:
    at = (at - first) % SIDE
    if at == SIDE - 1:
        return within(first - 1, size + 1, most)
    return within(first, max(size, at + 1), most)


GUIDANCE = {"horizon": 12, "cover": 1.0}  # of the net's rollouts; then its critic decides


# Levels for people. With two players each wins about two games of three against the one before it (docs/strength.md).

LEVELS = (
    Level(
        "gentle",
        "Gentle",
        "Looks at its next tile only and misses most lines, its own and yours.",
        simulations=8,
        horizon=1,
        naive=100,
        forgets=100,
        overlooks=70,
        misjudges=0.5,
    ),
    Level(
        "easy",
        "Easy",
        "Sees a few tiles ahead and forgets most hands that were shown.",
        simulations=40,
        horizon=5,
        naive=40,
        forgets=90,
        overlooks=28,
        misjudges=0.07,
    ),
    Level(
        "casual",
        "Casual",
        "Plays like a guest who knows the rules well: it sees most lines, not all.",
        simulations=66,
        naive=28,
        forgets=85,
        overlooks=20,
        misjudges=0.064,
    ),
    Level(
        "steady",
        "Steady",
        "Guards against your lines, but overlooks a good tile now and then.",
        simulations=92,
        forgets=68,
        overlooks=10,
        misjudges=0.051,
    ),
    Level(
        "solid",
        "Solid",
        "Plans covers ahead and seldom misses a threat.",
        simulations=122,
        forgets=50,
        overlooks=7,
        misjudges=0.0405,
    ),
    Level(
        "strong",
        "Strong",
        "Makes two threats at once when you let it.",
        simulations=200,
        forgets=20,
        overlooks=4,
        misjudges=0.028,
    ),
    Level(
        "expert",
        "Expert",
        "Remembers every hand that was shown and weighs hundreds of rounds before a tile.",
        simulations=300,
    ),
    Level(
        "master",
        "Master",
        "Weighs thousands of rounds before a tile; beat it and tell your friends.",
        simulations=3000,
    ),
)
