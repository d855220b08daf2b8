"""Connect Four, a rule of thumb: win, else stop a win, else any column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from connect_four.rules import has_four
from connect_four.state import PITCH, ROWS, View, occupied
from foxrow.core.chance import Rng, below
from foxrow.core.rule import rule


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    taken = occupied(v)
    block = -1
    for i in range(n):
        bottom = 1 << (int(legal[i]) * PITCH)
        cell = (taken + bottom) & (((1 << ROWS) - 1) * bottom)
        if has_four(int(v.discs[v.active]) | cell):
            return int(legal[i])
        if has_four(int(v.discs[1 - int(v.active)]) | cell):
            block = int(legal[i])
    return block if block >= 0 else int(legal[below(rng, n)])
