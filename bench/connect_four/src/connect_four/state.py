"""Connect Four, the record: each seat's discs as one number.

Cell (column, row) is bit column · 7 + row, rows counted from below; the seventh bit of a column is always empty, so a
line never runs from one column into the next.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from foxrow.core.record import Record, public, record
from foxrow.core.record import View as AnyView
from foxrow.core.rule import part

SEATS = 2
COLUMNS = 7
ROWS = 6
PITCH = ROWS + 1
CARDS = 1  # nothing is shuffled; a deck has at least a card

DROP, OVER = range(2)


@record
class State(Record):
    discs: Annotated[NDArray[np.int64], public, (SEATS,)]  # [seat] cells that hold a disc of theirs
    players: Annotated[int, public, np.int8]
    first: Annotated[int, public, np.int8]  # seat that started
    active: Annotated[int, public, np.int8]  # seat whose turn it is
    winner: Annotated[int, public, np.int8]  # seat with four in a line, −1 while nobody has
    stage: Annotated[int, public, np.int8]  # phase


class View(State, AnyView):
    """What a seat sees of it: everything."""


@part
def occupied(s: State) -> int:
    return int(s.discs[0]) | int(s.discs[1])
