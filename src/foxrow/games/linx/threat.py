"""LINX, threats: who could win next, and what each placement changes about it.

Sets of cells are numbers, so threats are found for all cells at once. The rule of thumb weighs its moves by them, and
the features show them to a net.
"""

from __future__ import annotations

from foxrow.core.rule import part
from foxrow.games.linx.grid import CELLS, SIDE, block, completing, lowest, pairing, ring
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
OWN = 8  # a tile of the own side that is covered
FOE = 16  # an opponent's tile that is covered, where everyone fights everyone: visible tiles often decide there


@part
def dangers(v: View, seat: int) -> tuple[int, int, int, int, int]:
    """What the others could win with now: the ends of their lines, of their face-down ones, how bad both are, and the
    tiles of which one must go to stop them. `risk` tells what a move leaves of it."""
    tops = occupied(v) & ~covered(v)
    places = open_cells(v)
    ends = feared_ends(v, seat) & places
    lid_ends = feared_lids(v, seat)
    up = danger_up(v, seat, tops, places) if ends != 0 else 0
    down = danger_down(v, seat, tops, 0, 0) if lid_ends & tops != 0 else 0
    props = threatening_tiles(v, seat, places) if ends != 0 else 0
    return ends, lid_ends, up, down, props


@part
def risk(v: View, seat: int, move: int, found: tuple[int, int, int, int, int]) -> int:
    """How likely the others win before the seat's next turn if it makes this move; 400 and more: they will."""
    ends, lid_ends, up, down, props = found
    cell = move % CELLS
    if move < DOWN:
        total = down
        if ends != 0:
            total += danger_after_placing(v, seat, cell, ends, up)
        if (lid_ends >> cell) & 1:
            total += danger_down(v, seat, 0, 1 << cell, move // CELLS)
        return total
    if (props >> cell) & 1:
        up = danger_up(v, seat, occupied(v) & ~covered(v) & ~(1 << cell), open_cells(v))
    if (lid_ends >> cell) & 1:
        down = danger_down(v, seat, occupied(v) & ~covered(v) & ~(1 << cell), 0, 0)
    return up + down


@part
def stops(v: View, other: int, places: int) -> int:
    """Where any tile, on an open cell or as a cover, leaves this seat no face-up line in its next turn; none where it
    has none now."""
    tiles = face_up(v, other)
    ends = completing(tiles) & places
    if ends == 0:
        return 0
    found = ends if ends & (ends - 1) == 0 else 0
    beyond = places & ~block(ring(int(v.left), int(v.width)), ring(int(v.top), int(v.height)))
    while beyond != 0:  # a tile that widens the box draws in the grid limit
        cell = lowest(beyond)
        if ends & ~(1 << cell) & reach_after(v, cell) == 0:
            found |= 1 << cell
        beyond &= beyond - 1
    while tiles != 0:
        tile = tiles & -tiles
        if completing(face_up(v, other) & ~tile) & places == 0:
            found |= tile
        tiles &= tiles - 1
    return found


@part
def pairs(v: View, seat: int) -> tuple[int, int, int, int, int]:
    """Where a tile of this seat would make a pair that one more tile completes: face up, face up at two places at
    least, face down, face down at two, and face down some day."""
    mine = face_up(v, seat)
    free = int(v.reach) & ~occupied(v)
    lids = int(v.covers[seat])
    hope = 0
    down_one = 0
    down_two = 0
    if lids != 0:
        tops = occupied(v) & ~covered(v)
        targets = tops & coverable(v, seat)
        hope, _ = pairing(lids, tops | free)
        down_one, down_two = pairing(lids, targets)
    up_one, up_two = pairing(mine, free)
    return up_one, up_two, down_one, down_two, hope


@part
def gain(v: View, seat: int, move: int, found: tuple[int, int, int, int, int]) -> int:
    """What a placement adds to the seat's own chances of a line."""
    up_one, up_two, down_one, down_two, hope = found
    cell = move % CELLS
    if move < DOWN:
        return worth_at(cell, up_one, up_two)
    return worth_at(cell, down_one, down_two) + HOPE * ((hope >> cell) & 1) + cover_worth(v, seat, cell)


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
def worth_at(cell: int, ones: int, twos: int) -> int:
    if (twos >> cell) & 1:
        return TWO
    return ONE if (ones >> cell) & 1 else 0


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
    return drawn(unknown, unknown + int(v.stock[seat]), remaining(v, seat, symbol))


@part
def drawn(hand: int, pool: int, copies: int) -> int:
    """The chance in percent that a hand drawn from a pool has at least one of the copies in it."""
    without = 100
    for i in range(hand):
        without = without * max(0, pool - copies - i) // (pool - i)
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
