"""LINX, what a report tells apart: kinds of moves, and how a round ends."""

from __future__ import annotations

from foxrow.games.linx.grid import CELLS, has_line
from foxrow.games.linx.rules import DOWN, PASS
from foxrow.games.linx.state import State


def move_kind(s: State, move: int) -> str:
    if move == PASS:
        return "pass"
    if move < DOWN:
        return "face up"
    own = int(s.owners[int(s.active)]) >> move % CELLS & 1
    return "face down on an own tile" if own else "face down on another's tile"


def ending(s: State) -> str:
    """X9, X10: a line of one or of the other kind, or nobody can place."""
    if s.winner < 0:
        return "nobody can place"
    return "line face down" if has_line(int(s.covers[int(s.winner)])) else "line face up"
