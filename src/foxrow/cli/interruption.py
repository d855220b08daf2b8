"""Ctrl-C in a long run: the first asks it to end, the second ends it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

WORDS = "Finishing the games in hand; Ctrl-C again stops at once."


class Interruption:
    """While it lasts, the first Ctrl-C only asks, the second is a KeyboardInterrupt, and what comes then does nothing.

    `ask` and `say` run in the middle of whatever is going on, so they must not use what they may have interrupted.
    """

    def __init__(self, ask: Callable[[], None], say: Callable[[str], None]) -> None:
        self._ask = ask
        self._say = say
        self.times = 0

    def __enter__(self) -> Interruption:
        self._before: Any = signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(self, *what: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        self.times += 1
        if self.times == 1:
            self._say(WORDS)
            self._ask()
        elif self.times == 2:
            raise KeyboardInterrupt
