"""Playing a plan: here, on all cores, or on a cluster. The results depend on the plan alone, not on who played what."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence

from foxrow.arena.cluster import spread
from foxrow.arena.crew import local
from foxrow.arena.halt import Halt
from foxrow.arena.plan import Plan
from foxrow.arena.results import Results
from foxrow.arena.round import Result
from foxrow.arena.sprt import Verdict, judge
from foxrow.arena.work import Job, dismiss, work

Tell = Callable[[Results, Verdict | None], None]


def batches(deals: Sequence[int], workers: int) -> Iterator[list[int]]:
    """Small enough that a kill costs little and all workers end together, big enough that handing out costs nothing."""
    size = max(1, min(16, len(deals) // (workers * 16)))
    for i in range(0, len(deals), size):
        yield list(deals[i : i + size])


def run(
    results: Results,
    *,
    workers: int | None = None,
    tell: Tell | None = None,
    sprt: float | None = None,
    cluster: bool = False,
    halt: Halt | None = None,
) -> Verdict | None:
    """Play what is missing. `tell` hears after every batch; with `sprt`, the run ends when a margin is decided. Once
    `halt` is called, the games in hand are finished and kept, and no other begins."""
    plan = results.plan
    halt = halt or Halt()
    workers = workers or os.cpu_count() or 1
    verdict = judge(plan, results.leading(), sprt) if sprt is not None else None
    if verdict is not None and verdict.decided:
        return verdict
    todo = [(plan, batch) for batch in batches(results.missing(), workers)]
    if not todo:
        return verdict
    if cluster:
        source = spread(todo)
    else:
        source = play(todo, workers, halt)
    try:
        for _, batch in source:
            results.add(batch)
            if sprt is not None:
                verdict = judge(plan, results.leading(), sprt)
            if tell:
                tell(results, verdict)
            if (verdict is not None and verdict.decided) or (cluster and halt.called):
                break
    finally:
        source.close()
        dismiss()
    return verdict


def play(jobs: Sequence[Job], workers: int, halt: Halt) -> Generator[tuple[Plan, list[Result]]]:
    """Play batches here, in one process or in several, until all are played or it is halted."""
    if workers == 1 or len(jobs) == 1:
        for plan, batch in jobs:
            if halt.called:
                return
            yield plan, work(plan, batch, lambda: halt.called)
    else:
        yield from local(jobs, min(workers, len(jobs)), halt)
