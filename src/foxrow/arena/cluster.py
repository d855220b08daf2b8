"""The same run over Ray (extra `cluster`): batches go to whatever machines there are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import islice

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result
from foxrow.arena.work import Job, work
from foxrow.core.errors import FoxrowError


def spread(jobs: Sequence[Job]) -> Generator[tuple[Plan, list[Result]]]:
    """Play the batches on the cluster of RAY_ADDRESS, or on a small one of this machine's cores.

    A worker that is killed costs its unfinished batches: Ray gives them to another one.
    """
    try:
        import ray  # the extra is not always there
    except ImportError:
        raise FoxrowError("--cluster needs Ray: pip install 'foxrow[cluster]'") from None

    mine = not ray.is_initialized()
    if mine:
        ray.init(logging_level="ERROR", log_to_driver=False, include_dashboard=False)
    task = ray.remote(max_retries=10, retry_exceptions=False)(work)
    try:
        cores = int(ray.cluster_resources().get("CPU", 1))
        waiting = iter(jobs)
        going = {task.remote(*job): job[0] for job in islice(waiting, 2 * cores)}
        while going:
            (done,), _ = ray.wait(list(going))
            plan = going.pop(done)
            going |= {task.remote(*job): job[0] for job in islice(waiting, 1)}
            yield plan, ray.get(done)
    except ray.exceptions.RayError as error:
        if isinstance(error, ray.exceptions.RayTaskError):  # the game's own fault, not the cluster's
            raise
        raise FoxrowError(
            f"Ray has stopped ({type(error).__name__}); the games so far are kept, and the same command goes on"
        ) from None
    finally:
        if mine:
            ray.shutdown()
