"""One thing at a time: jobs wait in line, and the next begins when what the last one wrote is on disk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from foxrow.server.logs import log
from foxrow.store.interface import StoreError, Then, Write


class Clerk:
    def __init__(self, submit: Callable[[Sequence[Write], Then], None]) -> None:
        self._submit = submit
        self._line: deque[Callable[[], None]] = deque()
        self._writing = False
        self._pumping = False
        self.closed = False

    @property
    def busy(self) -> bool:
        return bool(self._line) or self._writing

    def enqueue(self, job: Callable[[], None], *, first: bool = False) -> None:
        """Do it as soon as everything before is on disk; `first`: before whatever waits already."""
        if self.closed:
            return
        (self._line.appendleft if first else self._line.append)(job)
        self._pump()

    def write(self, writes: Sequence[Write], then: Then) -> None:
        """By a job: no other begins before `then` has heard of it."""
        self._writing = True

        def written(error: StoreError | None) -> None:
            self._writing = False
            then(error)
            self._pump()

        self._submit(writes, written)

    def close(self) -> None:
        """What waits is not done any more, nor what comes."""
        self.closed = True
        self._line.clear()

    def _pump(self) -> None:
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._line and not self._writing:
                job = self._line.popleft()
                try:
                    job()
                except Exception:  # a fault of ours, and none of those who wait behind it
                    log.error("a job failed", exc_info=True)
        finally:
            self._pumping = False
