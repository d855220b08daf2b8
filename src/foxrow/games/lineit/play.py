"""Line-it, a good rule of thumb: what the greedy bot plays, and the rollouts of a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import rule
from foxrow.games.lineit.state import View


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    return int(legal[below(rng, n)])
