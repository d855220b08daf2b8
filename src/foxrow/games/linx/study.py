"""LINX, what a report tells apart: kinds of moves, and how a round ends."""

from __future__ import annotations

from foxrow.core.rule import rule
from foxrow.games.linx.grid import CELLS, completing, has_line
from foxrow.games.linx.rules import DOWN, PASS, open_cells
from foxrow.games.linx.state import State, allies, covered, face_up, occupied


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


def questions(s: State, move: int) -> list[tuple[str, str]]:
    """What a player asks before this move, and what the move answers."""
    if move == PASS:
        return []
    seat, cell = int(s.active), move % CELLS
    down = move >= DOWN
    tiles = sum(int(cells) for cells in s.owners).bit_count()
    answer = "face down" if down else "face up"
    found = [("the reply to the first tile" if tiles == 1 else "face up or face down", answer)] if tiles else []
    if down:
        own = int(s.owners[seat]) >> cell & 1
        found.append(("whose tile to cover", "an own one" if own else "another's"))
    threat = threats(s)
    if threat:
        found.append(("a rival is one tile short of a line", "into it" if threat >> cell & 1 else "elsewhere"))
    if not down:
        found.append(("face up: which symbol", "one left of it" if symbol_held(s, move) == 1 else "several of it"))
    return found


def symbol_held(s: State, move: int) -> int:
    """How many tiles of the placed symbol the mover holds."""
    return int(s.hands[int(s.active), move // CELLS])


@rule
def threats(s: State) -> int:
    """The cells where a rival's next tile would make a line; none if the active seat has such a cell itself."""
    seat = int(s.active)
    places = open_cells(s)
    targets = occupied(s) & ~covered(s)
    found = 0
    for other in range(int(s.players)):
        cells = (completing(face_up(s, other)) & places) | (completing(int(s.covers[other])) & targets)
        if other == seat and cells != 0:
            return 0
        if not allies(s, seat, other):
            found |= cells
    return found
