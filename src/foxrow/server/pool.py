"""Bots think in other processes, so that the server's loop never waits for one.

Every host has a queue, and the hosts take turns: a person with forty tables of bots does not slow another's
down.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from typing import Any

from foxrow.server import brains

Work = tuple[str, bytes, dict[str, Any], int, float]  # game, view, options, level, seconds
PATIENCE = 60.0  # seconds after which a worker that gives no answer is replaced; a first start compiles


class Pool:
    def __init__(self, workers: int, most_of_host: int = 4) -> None:
        self._workers = workers
        self._most = most_of_host
        self._executor: ProcessPoolExecutor | None = None
        self._queues: OrderedDict[str, deque[tuple[Work, asyncio.Future[str]]]] = OrderedDict()
        self._busy = 0
        self._busy_of: dict[str, int] = {}
        self.replaced = 0  # executors that broke

    def start(self) -> None:
        if self._workers == 0:
            return
        self._executor = ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=brains.prepare,
        )

    def warm(self, key: str, low: int, high: int) -> None:
        """Let the workers load a game and some levels of its bots now."""
        if self._executor is not None:
            for _ in range(self._workers):
                self._executor.submit(brains.warm, key, low, high)

    def waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    def busy(self) -> int:
        return self._busy

    async def choose(self, host: str, work: Work) -> str:
        """The bot's move. Raises when the worker failed; the caller finds another way."""
        if self._workers == 0:
            return await asyncio.to_thread(brains.choose, *work)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(host, deque()).append((work, answer))
        self._feed()
        return await answer

    def _feed(self) -> None:
        for _ in range(len(self._queues)):
            if self._busy >= self._workers or self._executor is None:
                return
            host, line = self._queues.popitem(last=False)
            while line and line[0][1].done():  # whoever asked has gone
                line.popleft()
            if line and self._busy_of.get(host, 0) < self._most:
                self._send(host, *line.popleft())
            if line:
                self._queues[host] = line

    def _send(self, host: str, work: Work, answer: asyncio.Future[str]) -> None:
        assert self._executor is not None
        loop = asyncio.get_running_loop()
        self._busy += 1
        self._busy_of[host] = self._busy_of.get(host, 0) + 1
        executor = self._executor
        try:
            job: Future[str] = executor.submit(brains.choose, *work)
        except (BrokenExecutor, RuntimeError):
            self._replace(executor)
            self._done(host, answer, None, BrokenExecutor())
            return
        late = loop.call_later(PATIENCE + work[4], lambda: self._replace(executor))

        def told(done: Future[str]) -> None:
            error = done.exception() if not done.cancelled() else BrokenExecutor()
            if isinstance(error, BrokenExecutor):
                self._replace(executor)
            late.cancel()
            self._done(host, answer, None if error else done.result(), error)

        def later(done: Future[str]) -> None:
            call: Callable[[], object] = lambda: told(done)  # noqa: E731
            if not loop.is_closed():
                loop.call_soon_threadsafe(call)

        job.add_done_callback(later)

    def _done(self, host: str, answer: asyncio.Future[str], text: str | None, error: BaseException | None) -> None:
        self._busy -= 1
        self._busy_of[host] -= 1
        if not self._busy_of[host]:
            del self._busy_of[host]
        if not answer.done():
            if text is not None:
                answer.set_result(text)
            else:
                answer.set_exception(error or RuntimeError("no move"))
        self._feed()

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """A worker died or hangs: end its process and start anew."""
        if self._executor is not broken:
            return
        self.replaced += 1
        processes = list((getattr(broken, "_processes", None) or {}).values())
        broken.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        self.start()

    def stop(self) -> None:
        if self._executor is not None:
            processes = list((getattr(self._executor, "_processes", None) or {}).values())
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            self._executor = None
