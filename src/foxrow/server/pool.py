"""Bots think in other processes, so that the server's loop never waits for one.

Who waits for a worker takes turns (`turns`): tables that nobody looks at slow nobody's bots down by more than the move
that is being thought about, and those of one address by one move more. On a first start searches are compiled in a
process of their own, and bots go by the rule of thumb until then.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, NamedTuple

from foxrow.server import brains
from foxrow.server.turns import Place, Turns

THREADS = 4
PATIENCE = 60.0  # seconds after which a worker that gives no answer is replaced; a first start compiles


class Work(NamedTuple):
    """What a worker is asked to do: one of `brains`, for a game."""

    key: str
    task: Callable[..., Any]  # takes the key and the arguments
    arguments: tuple[Any, ...]
    seconds: float = 0.0  # that it may take
    cold: tuple[Any, ...] | None = None  # the arguments as long as the game's search is not compiled


class Errand:
    """Work that somebody waits for. Where it is for may change meanwhile."""

    def __init__(self, place: Place, work: Work) -> None:
        self.place = place
        self.work = work
        self.answer: asyncio.Future[Any]


class Pool:
    def __init__(self, workers: int, most_of_host: int = 4) -> None:
        self._workers = workers
        self._most = most_of_host
        self._executor: ProcessPoolExecutor | None = None
        self._warmer: ProcessPoolExecutor | None = None
        self._threads = ThreadPoolExecutor(THREADS, "bots")  # in place of workers, where there are none
        self._cold: set[str] = set()  # games whose search is not compiled yet
        self._turns: Turns[Errand] = Turns()
        self._busy = 0
        self._busy_of: dict[str, int] = {}
        self.replaced = 0  # executors that broke

    def start(self) -> None:
        if self._workers > 0:
            self._executor = self._processes(self._workers)

    @staticmethod
    def _processes(count: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=brains.prepare)

    def warm(self, key: str) -> None:
        """Let the workers load a game and the rule of thumb of its bots."""
        if self._executor is not None:
            self._cold.add(key)
            for _ in range(self._workers):
                self._executor.submit(brains.warm, key, False)

    async def warm_searches(self, keys: Sequence[str]) -> None:
        """Compile the searches of games, one after the other; what is compiled is on disk for the workers then."""
        if self._executor is None:
            return
        self._warmer = self._processes(1)
        try:
            for key in keys:
                with contextlib.suppress(BrokenExecutor):  # then the workers compile it at the first move
                    await asyncio.wrap_future(self._warmer.submit(brains.warm, key, True))
                self._cold.discard(key)
        finally:
            self._cold.clear()
            end(self._warmer)
            self._warmer = None

    def cold(self, key: str) -> bool:
        """Whether the game's search is still being compiled."""
        return key in self._cold

    def waiting(self) -> int:
        return len(self._turns)

    def busy(self) -> int:
        return self._busy

    async def ask(self, errand: Errand) -> Any:
        """A worker's answer. Raises when it failed; the caller finds another way."""
        if self._workers == 0:  # in threads that nothing else waits for
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, errand.work.task, errand.work.key, *errand.work.arguments)
        try:
            return await self._queued(errand)
        except BrokenExecutor:  # a worker died, and perhaps not by this work
            return await self._queued(errand)

    def move(self, errand: Errand, place: Place) -> None:
        """Somebody has come or gone where this bot plays."""
        errand.place = place
        self._turns.move(errand, place)

    async def _queued(self, errand: Errand) -> Any:
        errand.answer = asyncio.get_running_loop().create_future()
        self._turns.add(errand, errand.place)
        self._feed()
        try:
            return await errand.answer
        finally:
            self._turns.remove(errand)

    def _feed(self) -> None:
        while self._busy < self._workers and self._executor is not None:
            found = self._turns.next(lambda host: self._busy_of.get(host, 0) < self._most)
            if found is None:
                return
            if not found[0].answer.done():  # else whoever asked has gone this very moment
                self._send(*found)

    def _send(self, errand: Errand, host: str) -> None:
        assert self._executor is not None
        answer = errand.answer
        loop = asyncio.get_running_loop()
        self._busy += 1
        self._busy_of[host] = self._busy_of.get(host, 0) + 1
        executor = self._executor
        key, task, arguments, seconds, cold = errand.work
        if cold is not None and key in self._cold:
            arguments = cold
        try:
            job: Future[Any] = executor.submit(task, key, *arguments)
        except (BrokenExecutor, RuntimeError):
            self._replace(executor)
            self._done(host, answer, None, BrokenExecutor())
            return

        def hangs() -> None:
            if not answer.done():
                answer.set_exception(TimeoutError("a bot gave no answer"))
            self._replace(executor)

        late = loop.call_later(PATIENCE + seconds, hangs)

        def told(done: Future[Any]) -> None:
            error = done.exception() if not done.cancelled() else BrokenExecutor()
            if isinstance(error, BrokenExecutor):
                self._replace(executor)
            late.cancel()
            self._done(host, answer, None if error else done.result(), error)

        def later(done: Future[Any]) -> None:
            call: Callable[[], object] = lambda: told(done)  # noqa: E731
            if not loop.is_closed():
                loop.call_soon_threadsafe(call)

        job.add_done_callback(later)

    def _done(self, host: str, answer: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
        self._busy -= 1
        self._busy_of[host] -= 1
        if not self._busy_of[host]:
            del self._busy_of[host]
        if not answer.done():
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)
        self._feed()

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """A worker died or hangs: end its process and start anew."""
        if self._executor is not broken:
            return
        self.replaced += 1
        end(broken)
        self.start()

    def stop(self) -> None:
        for executor in (self._executor, self._warmer):
            if executor is not None:
                end(executor)
        self._executor = None
        self._threads.shutdown(wait=False, cancel_futures=True)


def end(executor: ProcessPoolExecutor) -> None:
    """At once: a worker that thinks or hangs is not waited for."""
    processes = list((getattr(executor, "_processes", None) or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
