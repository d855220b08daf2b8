"""Line-it, frames: the numbers as they lie ahead of the seer's own line, so that a net learns each pattern once.

Whether 33 fits between 18 and 36 is the same question as whether 50 fits between 35 and 53, and a falling line is a
rising one in a mirror. So a net counts every number from the end of its own line, in the direction that the line has:
the next one is the first there, those that the line has passed come last. The colours take turns along the numbers,
so they move with them. Nothing is lost: the room that is left ahead is among the features.

A frame is a number: the end of the line, 0 to 99 (100 lies as 0 does), and 100 more where the line falls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import rule
from foxrow.games.lineit.state import COLOURS, NUMBERS, View

FRAMES = 2 * NUMBERS


@rule
def frame(v: View, seat: int) -> int:
    """The frame that a seat looks from. A line of one number looks to where it has more room."""
    last, way = int(v.last[seat]), int(v.way[seat])
    if v.numbers[seat] == 0:
        last = 0
    elif way == 0 and 2 * last > NUMBERS:
        way = -1
    return last % NUMBERS + (NUMBERS if way < 0 else 0)


def numbers_in(frame: int) -> NDArray[np.int64]:
    """[number − 1] where each number is in a frame."""
    ahead = np.arange(1, NUMBERS + 1) - frame % NUMBERS
    return ((-ahead if falls(frame) else ahead) - 1) % NUMBERS


def colours_in(frame: int) -> NDArray[np.int64]:
    """[colour] what each colour is called in a frame: that of the first number ahead is the first."""
    return numbers_in(frame)[:COLOURS] % COLOURS


def falls(frame: int) -> bool:
    return frame >= NUMBERS
