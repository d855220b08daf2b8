"""The thread that writes, whichever the database: it takes all submissions that wait and commits them as one group."""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from foxrow.store.interface import Deliver, Job, StoreError, StoreUnsure, Then, Write

GROUP = 2000  # about so many submissions at most in one transaction


class Clash(Exception):
    """Something in a group does not fit what is there; nothing of the group has been written."""


class Doubt(Exception):
    """The database went away before it said whether the group was written. The outcome comes when it is known; if that
    will never be, it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.outcome: Future[StoreError | None] = Future()


class Writer(ABC):
    """The half of a store that writes."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Sequence[Job] | None] = queue.SimpleQueue()
        self._deliver: Deliver = _at_once
        self.groups = 0  # transactions so far
        self.jobs = 0  # submissions so far
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)

    @abstractmethod
    def _write_all(self, writes: list[Write]) -> None:
        """All of it or nothing, on disk when this comes back; otherwise Clash, StoreError or Doubt."""

    def _between(self) -> None:  # noqa: B027  # not every database has something to do then
        """Between two groups."""

    def submit(self, writes: Sequence[Write], then: Then) -> None:
        self._queue.put([(writes, then)])

    def submit_all(self, jobs: Sequence[Job]) -> None:
        self._queue.put(jobs)

    def write(self, *writes: Write) -> None:
        done = threading.Event()
        failed: list[StoreError] = []

        def then(error: StoreError | None) -> None:
            if error is not None:
                failed.append(error)
            done.set()

        then.at_once = True  # type: ignore[attr-defined]  # the waiting thread may be the one that delivers
        self.submit(writes, then)
        done.wait()
        if failed:
            raise failed[0]

    def deliver_by(self, deliver: Deliver) -> None:
        self._deliver = deliver

    @property
    def away(self) -> bool:
        return False

    def when_over(self, tell: Callable[[str], None]) -> None:  # noqa: B027  # a file is ours as long as we have it
        pass

    def _finish(self) -> None:
        """Write everything that was submitted, then let the thread end."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        stop = False
        while not stop:
            group: list[Job] = []
            jobs = self._queue.get()
            while jobs is not None:
                group += jobs
                if len(group) >= GROUP:
                    break
                try:
                    jobs = self._queue.get_nowait()
                except queue.Empty:
                    break
            else:
                stop = True
            if group:
                self._tell(self._commit(group))
            self._between()

    def _commit(self, group: list[Job]) -> list[tuple[Then, StoreError | None]]:
        """What is to be told of a group, or of its parts if they had to go one by one."""
        self.groups += 1
        self.jobs += len(group)
        try:
            self._write_all([write for writes, _ in group for write in writes])
        except Clash as clash:
            if len(group) == 1:
                return [(group[0][1], StoreError(str(clash)))]
            # One of them does not fit; the others shall not suffer.
            return [told for job in group for told in self._commit([job])]
        except Doubt as doubt:
            doubt.outcome.add_done_callback(lambda outcome: self._settled(group, outcome))
            return []
        except StoreError as error:
            return [(then, error) for _, then in group]
        return [(then, None) for _, then in group]

    def _settled(self, group: list[Job], outcome: Future[StoreError | None]) -> None:
        """Tell a group that was in doubt. If nobody will ever know, only threads that wait are told so: nobody else may
        hear that it was written, or that it was not."""
        if not outcome.cancelled():
            self._tell([(then, outcome.result()) for _, then in group])
            return
        unsure = StoreUnsure("the database went away, and whether this was written is not known")
        _at_once([(then, unsure) for _, then in group if hasattr(then, "at_once")])

    def _tell(self, told: list[tuple[Then, StoreError | None]]) -> None:
        now = [(then, error) for then, error in told if hasattr(then, "at_once")]
        later = [(then, error) for then, error in told if not hasattr(then, "at_once")]
        _at_once(now)
        if later:
            self._deliver(later)


def _at_once(told: list[tuple[Then, StoreError | None]]) -> None:
    for then, error in told:
        then(error)
