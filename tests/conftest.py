"""A run with several workers compiles each game once, not once in every worker and every server that they start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from filelock import FileLock

from foxrow.bots import prepare
from foxrow.core.registry import games
from tests.postgres import Cluster, Unavailable

EVERYTHING = ("net", "net+search:1")  # besides the rules and the search: the net, and the search by net


def pytest_sessionstart(session: pytest.Session) -> None:
    """Each worker begins with another game, and waits where another is at it: then the machine code is on disk."""
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is None or config.cache is None:
        return
    folder = config.cache.mkdir("compiling")
    keys = sorted(games())
    first = int(worker["workerid"].removeprefix("gw")) % len(keys)
    for key in (*keys[first:], *keys[:first]):
        with FileLock(folder / f"{key}.lock"):
            prepare(games()[key], EVERYTHING)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL, started once for each worker that needs it."""
    try:
        cluster = Cluster()
    except Unavailable as reason:
        pytest.skip(str(reason))
    yield cluster
    cluster.close()


@pytest.fixture
def database(cluster: Cluster) -> str:
    """The name of an empty database there."""
    return cluster.fresh()
