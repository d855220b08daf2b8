"""The same run over Ray (extra `cluster`): batches go to whatever machines there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result
from foxrow.core.errors import FoxrowError


def spread(plan: Plan, todo: Sequence[list[int]]) -> Iterator[list[Result]]:
    """Play the batches on the cluster of RAY_ADDRESS, or on a small one of this machine's cores.

    A worker that is killed costs its unfinished batches: Ray gives them to another one.
    """
    try:
        import ray  # the extra is not always there
    except ImportError:
        raise FoxrowError("--cluster needs Ray: pip install 'foxrow[cluster]'") from None
    from foxrow.arena.run import work

    mine = not ray.is_initialized()
    if mine:
        ray.init(logging_level="ERROR", log_to_driver=False, include_dashboard=False)
    task = ray.remote(max_retries=10, retry_exceptions=False)(work)
    try:
        cores = int(ray.cluster_resources().get("CPU", 1))
        waiting = iter(todo)
        going = [task.remote(plan, batch) for _, batch in zip(range(2 * cores), waiting, strict=False)]
        while going:
            done, going = ray.wait(going)
            for batch in waiting:
                going.append(task.remote(plan, batch))
                break
            yield from ray.get(done)
    finally:
        if mine:
            ray.shutdown()
