"""Playing a plan: here, on all cores, or on a cluster. The results depend on the plan alone, not on who played what."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process

from foxrow.arena.plan import Plan
from foxrow.arena.results import Results
from foxrow.arena.round import Players, Result, play_deal
from foxrow.arena.sprt import Verdict, judge
from foxrow.bots.factory import prepare
from foxrow.core.errors import FoxrowError

Tell = Callable[[Results, Verdict | None], None]
Job = tuple[Plan, list[int]]  # some deals of a plan
BREAKDOWNS = 5  # processes that may die without a result in between

_mine: tuple[Plan, Players] | None = None  # this process's bots


def batches(deals: Sequence[int], workers: int) -> Iterator[list[int]]:
    """Small enough that a kill costs little and all workers end together, big enough that handing out costs nothing."""
    size = max(1, min(16, len(deals) // (workers * 16)))
    for i in range(0, len(deals), size):
        yield list(deals[i : i + size])


def work(plan: Plan, deals: Sequence[int]) -> list[Result]:
    """Play some deals in this process."""
    global _mine
    if _mine is None or _mine[0] != plan:
        if _mine is not None:
            _mine[1].close()
        prepare(plan.card, plan.bots)
        _mine = (plan, Players(plan))
    return [result for deal in deals for result in play_deal(plan, _mine[1], deal)]


def follow() -> None:
    """In a worker: end when the process that started it is gone, however that came. A pool does not see to that."""
    # What a bot has to warn of was said where the plan was checked, once.
    logging.getLogger("foxrow.bots").setLevel(logging.ERROR)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        dismiss()
        os._exit(1)

    threading.Thread(target=watch, name="follow", daemon=True).start()


def dismiss() -> None:
    """End this process's programs from outside."""
    global _mine
    if _mine is not None:
        _mine[1].close()
        _mine = None


def run(
    results: Results,
    *,
    workers: int | None = None,
    tell: Tell | None = None,
    sprt: float | None = None,
    cluster: bool = False,
) -> Verdict | None:
    """Play what is missing. `tell` hears after every batch; with `sprt`, the run ends when a margin is decided."""
    plan = results.plan
    workers = workers or os.cpu_count() or 1
    verdict = judge(plan, results.leading(), sprt) if sprt is not None else None
    if verdict is not None and verdict.decided:
        return verdict
    todo = [(plan, batch) for batch in batches(results.missing(), workers)]
    if not todo:
        return verdict
    if cluster:
        from foxrow.arena.cluster import spread

        source = spread(todo)
    else:
        source = play(todo, workers)
    try:
        for _, batch in source:
            results.add(batch)
            if sprt is not None:
                verdict = judge(plan, results.leading(), sprt)
            if tell:
                tell(results, verdict)
            if verdict is not None and verdict.decided:
                break
    finally:
        source.close()
        dismiss()
    return verdict


def play(jobs: Sequence[Job], workers: int) -> Generator[tuple[Plan, list[Result]]]:
    """Play batches here, in one process or in several."""
    if workers == 1 or len(jobs) == 1:
        for plan, batch in jobs:
            yield plan, work(plan, batch)
    else:
        yield from local(jobs, min(workers, len(jobs)))


def local(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Plan, list[Result]]]:
    """Processes on this machine. One that dies costs its unfinished batches, which are played again."""
    left = dict(enumerate(jobs))
    deaths = 0
    while left:
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=follow)
        going: dict[Future[list[Result]], int] = {}
        try:
            waiting = iter(list(left))
            for number in islice(waiting, 2 * workers):
                going[pool.submit(work, *left[number])] = number
            while going:
                done, _ = wait(going, return_when=FIRST_COMPLETED)
                for future in done:
                    played = future.result()
                    plan, _ = left.pop(going.pop(future))
                    deaths = 0
                    for number in islice(waiting, 1):
                        going[pool.submit(work, *left[number])] = number
                    yield plan, played
        except BrokenProcessPool:
            deaths += 1
            if deaths >= BREAKDOWNS:
                raise FoxrowError("the arena's processes die again and again; is there memory enough?") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
