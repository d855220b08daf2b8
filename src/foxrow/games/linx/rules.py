"""LINX, the rules. The numbers (X1 …) are those of rules.md.

A turn: the active seat places a tile face up on an empty cell next to a tile and draws two, or covers a face-up tile
with one that beats it and draws nothing; who can do neither reveals the hand and draws two. Three of a colour in
line, all face up or all face down, win at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import part, rule
from foxrow.games.linx.grid import CELLS, SIDE, block, cell_at, count, has_line, lowest, near, ring
from foxrow.games.linx.state import (
    COPIES,
    NOBODY,
    OVER,
    PAPER,
    PLACE,
    ROCK,
    SCISSORS,
    SEATS,
    SYMBOLS,
    TILES,
    State,
    allies,
    beaten_by,
    covered,
    face_up,
    limit,
    occupied,
)

# The move space: face up, symbol · 36 + cell; face down, the same after them; pass.
DOWN = SYMBOLS * CELLS
PASS = 2 * DOWN
MOVES = PASS + 1
MAX_LEGAL = DOWN  # an empty cell takes one of three tiles, any other at most one cover

DRAW = 2


@rule
def deal(s: State, order: NDArray[np.int32], players: int, first: int, options: NDArray[np.int32]) -> None:
    """X1, X2: every colour's tiles make a pile of their own, in the order of the deck; the first hands come off it."""
    s.players = players
    s.teams = options[1]
    s.first = first
    s.active = first
    clear(s)
    for i in range(len(order) - 1, -1, -1):  # the bottom tile first
        seat = tile_owner(order[i])
        s.piles[seat, s.stock[seat]] = tile_symbol(order[i])
        s.stock[seat] += 1
    for turn in range(players):
        draw(s, (first + turn) % players, first_hand(players, turn))
    if players == 3:
        lay_unplayed(s, options[0])


@part
def clear(s: State) -> None:
    """An empty table."""
    for symbol in range(SYMBOLS):
        s.faces[symbol] = 0
    s.owners[NOBODY] = 0
    for seat in range(SEATS):
        s.owners[seat] = 0
        s.covers[seat] = 0
        s.held[seat] = 0
        s.stock[seat] = 0
        s.points[seat] = -1
        for symbol in range(SYMBOLS):
            s.hands[seat, symbol] = 0
            s.known[seat, symbol] = 0
            s.missing[seat, symbol] = 0
        for i in range(TILES):
            s.piles[seat, i] = 0
    s.left = 0
    s.top = 0
    s.width = 0
    s.height = 0
    s.reach = 1 << cell_at(0, 0)  # X6: the first tile goes anywhere, so anywhere is called 0,0
    s.passes = 0
    s.winner = -1
    s.stage = PLACE


@part
def tile_owner(index: int) -> int:
    """X1, the canonical deck: seat after seat five rocks, five papers, five scissors."""
    return int(index) // TILES


@part
def tile_symbol(index: int) -> int:
    return int(index) % TILES // COPIES


@part
def first_hand(players: int, turn: int) -> int:
    """X2: who plays later starts with more: 3/4, 2/2/3, 2/2/3/3."""
    if players == 2:
        return 3 + turn
    return 3 if turn >= 2 else 2


@part
def lay_unplayed(s: State, layout: int) -> None:
    """X4: the fourth colour of three players lies around 0,0 and belongs to nobody."""
    if layout == 0:  # a square, every symbol once in each row and column: RPS, PSR, SRP
        for row in range(3):
            for column in range(3):
                put_face_up(s, NOBODY, (row + column) % SYMBOLS, cell_at(column - 1, row - 1))
    else:  # an X
        put_face_up(s, NOBODY, PAPER, cell_at(0, 0))
        for corner in range(-1, 2, 2):
            put_face_up(s, NOBODY, ROCK, cell_at(corner, corner))
            put_face_up(s, NOBODY, SCISSORS, cell_at(corner, -corner))
    s.left = -1
    s.top = -1
    s.width = 3
    s.height = 3
    set_reach(s)


@rule
def actor(s: State) -> int:
    return -1 if s.stage == OVER else int(s.active)


@rule
def phase(s: State) -> int:
    return int(s.stage)


@rule
def legal(s: State, out: NDArray[np.int32]) -> int:
    if s.stage == OVER:
        return 0
    n = 0
    places = open_cells(s)
    bare = ~covered(s)
    for symbol in range(SYMBOLS):
        if s.hands[s.active, symbol] > 0:
            targets = int(s.faces[beaten_by(symbol)]) & bare  # X7: anyone's face-up tile that this one beats
            n = list_moves(symbol * CELLS, places, out, n)
            n = list_moves(DOWN + symbol * CELLS, targets, out, n)
    if n == 0:  # X8: only who cannot place may pass
        out[0] = PASS
        n = 1
    return n


@part
def list_moves(base: int, cells: int, out: NDArray[np.int32], n: int) -> int:
    """Append a move for each cell of a set."""
    while cells != 0:
        out[n] = base + lowest(cells)
        cells &= cells - 1
        n += 1
    return n


@part
def open_cells(s: State) -> int:
    """X6: empty cells next to a tile, within the grid limit (X3); on an empty board 0,0 alone."""
    tiles = occupied(s)
    if tiles == 0:
        return int(s.reach)
    return near(tiles) & ~tiles & int(s.reach)


@rule
def apply(s: State, move: int) -> None:
    if move == PASS:
        pass_turn(s)
    elif move < DOWN:
        place_face_up(s, move // CELLS, move % CELLS)
    else:
        place_face_down(s, (move - DOWN) // CELLS, move % CELLS)


@part
def place_face_up(s: State, symbol: int, cell: int) -> None:
    """X6: and draw two."""
    seat = int(s.active)
    play_tile(s, seat, symbol)
    put_face_up(s, seat, symbol, cell)
    stretch_box(s, cell)
    draw(s, seat, DRAW)
    end_turn(s, has_line(face_up(s, seat)))


@part
def place_face_down(s: State, symbol: int, cell: int) -> None:
    """X7: no draw. The tile below is out of the game for its owner, so nobody but the mover can gain a line."""
    seat = int(s.active)
    play_tile(s, seat, symbol)
    s.covers[seat] |= 1 << cell
    end_turn(s, has_line(int(s.covers[seat])))


@part
def play_tile(s: State, seat: int, symbol: int) -> None:
    """X13: a tile of a known symbol may have been the known one, so one less of it is known."""
    s.hands[seat, symbol] -= 1
    s.held[seat] -= 1
    s.known[seat, symbol] = max(0, int(s.known[seat, symbol]) - 1)
    s.passes = 0


@part
def put_face_up(s: State, owner: int, symbol: int, cell: int) -> None:
    s.faces[symbol] |= 1 << cell
    s.owners[owner] |= 1 << cell


@part
def stretch_box(s: State, cell: int) -> None:
    """X3: a tile next to the box widens it by one; the grid limit draws in from the other side."""
    before = int(s.width) + int(s.height)
    column = (cell % SIDE - int(s.left)) % SIDE  # counted from the box's first column; the one before it is 5
    row = (cell // SIDE - int(s.top)) % SIDE
    if column == SIDE - 1:
        s.left -= 1
        s.width += 1
    elif column >= s.width:
        s.width += 1
    if row == SIDE - 1:
        s.top -= 1
        s.height += 1
    elif row >= s.height:
        s.height += 1
    if int(s.width) + int(s.height) != before:
        set_reach(s)


@part
def set_reach(s: State) -> None:
    most = limit(s)
    s.reach = block(within(int(s.left), int(s.width), most), within(int(s.top), int(s.height), most))


@part
def within(first: int, size: int, most: int) -> int:
    """X3: the columns (or rows) that a new tile may take: up to `most` from the first one on, and the one before it
    as long as the box is smaller than that."""
    if size < most:
        return ring(first - 1, most + 1)
    return ring(first, most)


@part
def draw(s: State, seat: int, n: int) -> None:
    """X6, X8: as many as the pile still has."""
    for _ in range(min(n, int(s.stock[seat]))):
        s.stock[seat] -= 1
        s.hands[seat, s.piles[seat, s.stock[seat]]] += 1
        s.piles[seat, s.stock[seat]] = 0
        s.held[seat] += 1


@part
def pass_turn(s: State) -> None:
    """X8: reveal the hand, draw two. X10: once nobody could place or draw in a whole lap, the round is over."""
    seat = int(s.active)
    for symbol in range(SYMBOLS):
        s.known[seat, symbol] = s.hands[seat, symbol]
    if s.stock[seat] > 0:
        draw(s, seat, DRAW)
        s.passes = 0
    else:
        s.passes += 1
    if s.passes == s.players:
        s.stage = OVER
    else:
        end_turn(s, False)


@part
def end_turn(s: State, line: bool) -> None:
    """X9: a line wins at once. X5: else the next seat clockwise."""
    if line:
        s.winner = s.active
        s.stage = OVER
    else:
        s.active = (int(s.active) + 1) % int(s.players)


@part
def visible(s: State, seat: int) -> int:
    """X10: a seat's tiles on top, face up or face down."""
    return count(face_up(s, seat) | int(s.covers[seat]))


@rule
def scores(s: State, out: NDArray[np.int32]) -> None:
    for seat in range(int(s.players)):
        out[seat] = visible(s, seat)


@rule
def outcome(s: State, out: NDArray[np.int32]) -> None:
    """X9, X10: whoever has a line, else most visible tiles. X12: partners win together."""
    best = int(s.winner)
    if best < 0:
        best = most_visible(s)
    for seat in range(int(s.players)):
        out[seat] = 1 if allies(s, best, seat) else 0


@part
def most_visible(s: State) -> int:
    """X10, X12: ties go to the later in turn order, so go round in that order and let equals take over.

    In teams each seat counts its partner's tiles too: the later team then takes over with its first seat.
    """
    best = -1
    most = -1
    for turn in range(int(s.players)):
        seat = (int(s.first) + turn) % int(s.players)
        tiles = visible(s, seat)
        if s.teams != 0:
            tiles += visible(s, (seat + 2) % SEATS)
        if tiles >= most:
            most = tiles
            best = seat
    return best
