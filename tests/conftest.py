"""A run with several workers compiles the rules of each game once, not once in every worker."""

from __future__ import annotations

import pytest
from filelock import FileLock

from foxrow.core.registry import games


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
            games()[key].rules.compile()
