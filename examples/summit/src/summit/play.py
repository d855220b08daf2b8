"""Summit, a rule of thumb: as little as it needs for sure tricks, the best to try, else the worst."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng
from foxrow.core.rule import rule
from summit.state import View, ahead, height, lying


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    leader = ahead(v)
    bar = height(v, int(v.table[leader]) - 1) if leader >= 0 else 0
    last = lying(v) == v.players - 1
    worst = best = enough = -1
    for i in range(n):
        card = int(legal[i])
        if worst < 0 or height(v, card) < height(v, worst):
            worst = card
        if best < 0 or height(v, card) > height(v, best):
            best = card
        if height(v, card) > bar and (enough < 0 or height(v, card) < height(v, enough)):
            enough = card
    if enough < 0:
        return worst
    return enough if last else best
