"""For a game that says nothing of it: one frame, in which nothing turns, and secrets to be found among features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import rule

FRAMES = 1
SECRETS = 0


@rule
def frame(v: Any, seat: int) -> int:
    return 0


@rule
def secret(v: Any, seat: int, out: NDArray[np.int8]) -> None:
    pass
