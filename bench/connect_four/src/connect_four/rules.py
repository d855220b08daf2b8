"""Connect Four, the rules. A move is a column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from connect_four.state import COLUMNS, DROP, OVER, PITCH, ROWS, State, occupied
from foxrow.core.rule import part, rule

MOVES = COLUMNS
MAX_LEGAL = COLUMNS

BOTTOM = sum(1 << (column * PITCH) for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)


@rule
def deal(s: State, order: NDArray[np.int32], players: int, first: int, options: NDArray[np.int32]) -> None:
    s.discs[0] = 0
    s.discs[1] = 0
    s.players = players
    s.first = first
    s.active = first
    s.winner = -1
    s.stage = DROP


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
    tops = ~(occupied(s) >> (ROWS - 1))
    n = 0
    for column in range(COLUMNS - 1):  # written first, counted if it is free: no branch to mispredict
        out[n] = column
        n += (tops >> (column * PITCH)) & 1
    if (tops >> ((COLUMNS - 1) * PITCH)) & 1:
        out[n] = COLUMNS - 1
        n += 1
    return n


@rule
def apply(s: State, move: int) -> None:
    seat = int(s.active)
    taken = occupied(s)
    bottom = 1 << (int(move) * PITCH)
    mine = int(s.discs[seat]) | ((taken + bottom) & (((1 << ROWS) - 1) * bottom))  # the column's lowest empty cell
    s.discs[seat] = mine
    if has_four(mine):
        s.winner = seat
        s.stage = OVER
    elif (taken | mine) == FULL:
        s.stage = OVER
    s.active = 1 - seat


@part
def has_four(discs: int) -> bool:
    up = discs & (discs >> 1)
    across = discs & (discs >> PITCH)
    falling = discs & (discs >> (PITCH - 1))
    rising = discs & (discs >> (PITCH + 1))
    return (
        (up & (up >> 2))
        | (across & (across >> (2 * PITCH)))
        | (falling & (falling >> (2 * (PITCH - 1))))
        | (rising & (rising >> (2 * (PITCH + 1))))
    ) != 0


@rule
def scores(s: State, out: NDArray[np.int32]) -> None:
    for seat in range(2):
        out[seat] = 1 if s.winner == seat else 0


@rule
def outcome(s: State, out: NDArray[np.int32]) -> None:
    """A full board without four is a draw: both win a half."""
    for seat in range(2):
        out[seat] = 1 if s.winner < 0 or s.winner == seat else 0
