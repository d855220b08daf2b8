"""Connect Four, what a seat sees: the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from connect_four.state import COLUMNS, PITCH, ROWS, View
from foxrow.core.chance import Rng
from foxrow.core.rule import rule

CELLS = COLUMNS * ROWS
FEATURES_VERSION = 1
FEATURE_FIELDS: tuple[tuple[str, int, str], ...] = (
    ("own", CELLS, "1 for each disc of the seer, column by column from below"),
    ("other", CELLS, "1 for each disc of the opponent"),
)
FEATURES = 2 * CELLS


@rule
def fill(v: View, rng: Rng) -> None:
    """Nothing is hidden."""


@rule
def features(v: View, seat: int, out: NDArray[np.int8]) -> None:
    own = int(v.discs[seat])
    other = int(v.discs[1 - seat])
    for column in range(COLUMNS):
        for row in range(ROWS):
            out[column * ROWS + row] = (own >> (column * PITCH + row)) & 1
            out[CELLS + column * ROWS + row] = (other >> (column * PITCH + row)) & 1
