"""Processes on this machine that play batches: how they start, and how they end.

They end when they are told to: between two games (the run's `Halt`), or at once (the crew's own). Ctrl-C goes to all
processes of a terminal; the one that started the others decides what it means, so they do not hear it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from types import TracebackType

from foxrow.arena.halt import Halt
from foxrow.arena.plan import Plan
from foxrow.arena.round import Result
from foxrow.arena.work import Job, dismiss, work
from foxrow.core.errors import FoxrowError

BREAKDOWNS = 5  # processes that may die without a result in between
PATIENCE = 1.0  # seconds for a process to end its programs when all has to end at once

_ear: Connection | None = None  # of the run's halt, in a worker


def local(jobs: Sequence[Job], workers: int, halt: Halt) -> Iterator[tuple[Plan, list[Result]]]:
    """Play batches. A process that dies costs its unfinished ones, which are played again."""
    left = dict(enumerate(jobs))
    deaths = 0
    while left and not halt.called:
        with Crew(workers, halt) as crew:
            going: dict[Future[list[Result]], int] = {}
            try:
                waiting = iter(list(left))
                for number in islice(waiting, 2 * workers):
                    going[crew.submit(*left[number])] = number
                while going:
                    done, _ = wait(going, return_when=FIRST_COMPLETED)
                    for future in done:
                        number = going.pop(future)
                        played = future.result()
                        plan, _ = left.pop(number)
                        deaths = 0
                        if not halt.called:
                            for number in islice(waiting, 1):
                                going[crew.submit(*left[number])] = number
                        yield plan, played
            except BrokenProcessPool:
                deaths += 1
                if deaths >= BREAKDOWNS:
                    raise FoxrowError("the arena's processes die again and again; is there memory enough?") from None


class Crew:
    """A pool of processes. Whoever leaves it in the middle ends them at once."""

    def __init__(self, workers: int, halt: Halt) -> None:
        self._others = set(active_children())
        self._end = Halt()
        self._pool = ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=begin, initargs=(halt.ear, self._end.ear)
        )
        with contextlib.suppress(AttributeError):  # a system without one
            resource_tracker.ensure_running()  # its start would open ears again that `deaf` has closed

    def submit(self, plan: Plan, deals: list[int]) -> Future[list[Result]]:
        with deaf():  # a process may be started for it
            return self._pool.submit(labour, plan, deals)

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._end.call()
            mine = [process for process in active_children() if process not in self._others]
            until = time.monotonic() + PATIENCE
            for process in mine:
                process.join(max(0.0, until - time.monotonic()))
                process.kill()
        self._pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """What starts meanwhile never hears Ctrl-C; one that comes meanwhile is heard here afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# in a worker --------------------------------------------------------------------------------------------


def begin(ear: Connection, end: Connection) -> None:
    """End when told, and when the process that started this one is gone, however that came."""
    global _ear
    _ear = ear
    # No handler instead of a deaf ear: programs from outside start with their ears open.
    signal.signal(signal.SIGINT, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # What a bot has to warn of was said where the plan was checked, once.
    logging.getLogger("foxrow.bots").setLevel(logging.ERROR)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel, end])
        dismiss()
        os._exit(1)

    threading.Thread(target=watch, name="watch", daemon=True).start()


def labour(plan: Plan, deals: list[int]) -> list[Result]:
    assert _ear is not None
    return work(plan, deals, _ear.poll)
