"""What the rules say of a position, in one call: a template, loaded once per game with its rules as globals.

Calling compiled code from Python costs more than most rules do, so everything that is said of a position comes from
one call, and the state comes in an array (half a microsecond; as a record it would be four).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import rule

if TYPE_CHECKING:
    from foxrow.core.functions import SEATS, actor, apply, legal, outcome, phase, scores


@rule
def look(states: Any, out: NDArray[np.int32], facts: NDArray[np.int32]) -> int:
    """What there is to say of states[0]: its legal moves into `out` (how many is returned), and `facts`.

    These are the seat to act, the phase, a score for each of SEATS seats, then a 1 for each that has won. A view has
    legal moves for the seat that sees it alone: the others' cards are holes.
    """
    s = states[0]
    seat = actor(s)
    facts[:] = 0
    facts[0] = seat
    facts[1] = phase(s)
    scores(s, facts[2 : 2 + SEATS])
    if seat < 0:
        outcome(s, facts[2 + SEATS :])
        return 0
    if s.seer != -2 and s.seer != seat:
        return 0
    return legal(s, out)


@rule
def step(states: Any, move: int, out: NDArray[np.int32], facts: NDArray[np.int32]) -> int:
    """Make a move, then look."""
    apply(states[0], move)
    return look(states, out, facts)
