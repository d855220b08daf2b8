"""LINX, the record. Symbols are 0 rock, 1 paper, 2 scissors; sets of cells are numbers (see `grid`).

A cell holds at most two tiles: a face-up one, and on it a face-down one that beats it (X7). So the face-down tile's
symbol follows from the tile below, and the board is three families of cell sets: which symbol lies face up, whose it
is, and who has covered it.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from foxrow.core.record import Record, hidden, owner, public, record
from foxrow.core.record import View as AnyView
from foxrow.core.rule import part
from foxrow.games.linx.grid import count

SEATS = 4
NOBODY = SEATS  # the owner of the unplayed colour's tiles (X4)
SYMBOLS = 3
COPIES = 5  # of each symbol in a colour
TILES = SYMBOLS * COPIES  # of a colour (X1)
CARDS = SEATS * TILES

ROCK, PAPER, SCISSORS = range(SYMBOLS)
PLACE, OVER = range(2)  # phases, as the card names them


@record
class State(Record):
    """One round. The box is the smallest rectangle around all tiles."""

    faces: Annotated[NDArray[np.int64], public, (SYMBOLS,)]  # [symbol] cells with this face-up tile, covered or not
    owners: Annotated[NDArray[np.int64], public, (SEATS + 1,)]  # [seat or NOBODY] cells with their face-up tile
    covers: Annotated[NDArray[np.int64], public, (SEATS,)]  # [seat] cells with their face-down tile
    reach: Annotated[int, public, np.int64]  # cells that a tile may take without breaking the grid limit (X3)
    left: Annotated[int, public, np.int32]  # first column of the box, as people count; 0 on an empty board
    top: Annotated[int, public, np.int32]  # first row of the box
    width: Annotated[int, public, np.int8]  # columns of the box; 0 on an empty board
    height: Annotated[int, public, np.int8]  # rows of the box
    hands: Annotated[NDArray[np.int8], owner, (SEATS, SYMBOLS)]  # [seat, symbol] tiles held
    known: Annotated[NDArray[np.int8], public, (SEATS, SYMBOLS)]  # [seat, symbol] of them, known to all (X13)
    held: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] size of the hand
    piles: Annotated[NDArray[np.int8], hidden, (SEATS, TILES)]  # [seat, i] symbols, bottom tile first; 0 above `stock`
    stock: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] tiles in the pile
    missing: Annotated[NDArray[np.int8], public, (SEATS, SYMBOLS)]  # [seat, symbol] tiles a set-up left out
    points: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] rounds won, if a set-up says so; else −1
    players: Annotated[int, public, np.int8]
    teams: Annotated[int, public, np.int8]  # 1: seats 0 and 2 against 1 and 3 (X12)
    first: Annotated[int, public, np.int8]  # seat that started
    active: Annotated[int, public, np.int8]  # seat whose turn it is; when over, whose it was
    passes: Annotated[int, public, np.int8]  # passes in a row that drew no tile (X10)
    winner: Annotated[int, public, np.int8]  # seat that has a line (X9), −1 while nobody has
    stage: Annotated[int, public, np.int8]  # phase


class View(State, AnyView):
    """What a seat sees of it."""


@part
def beaten_by(symbol: int) -> int:
    """Rock beats scissors, paper beats rock, scissors beat paper (X7)."""
    return (symbol + 2) % SYMBOLS


@part
def beater_of(symbol: int) -> int:
    return (symbol + 1) % SYMBOLS


@part
def limit(s: State) -> int:
    """X3: the columns, and the rows, that the tiles may take."""
    return 4 if s.players == 2 else 5


@part
def occupied(s: State) -> int:
    return int(s.faces[ROCK]) | int(s.faces[PAPER]) | int(s.faces[SCISSORS])


@part
def covered(s: State) -> int:
    """Cells with a face-down tile on top: out of reach for good (X7)."""
    return int(s.covers[0]) | int(s.covers[1]) | int(s.covers[2]) | int(s.covers[3])


@part
def face_up(s: State, seat: int) -> int:
    """A seat's face-up tiles that lie on top. A covered tile counts for nobody (X9)."""
    return int(s.owners[seat]) & ~covered(s)


@part
def remaining(s: State, seat: int, symbol: int) -> int:
    """X13: a seat's tiles of a symbol that are still to come, in hand or pile; everybody can count them."""
    on_board = count(int(s.owners[seat]) & int(s.faces[symbol]))
    on_board += count(int(s.covers[seat]) & int(s.faces[beaten_by(symbol)]))
    return COPIES - int(s.missing[seat, symbol]) - on_board


@part
def allies(s: State, seat: int, other: int) -> bool:
    """X12: whether a win of one seat is a win of the other."""
    return seat == other or (s.teams != 0 and (seat + other) % 2 == 0)
