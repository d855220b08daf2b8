"""The rules are compiled before a server test begins: a first compilation would outlast the shuffle's patience."""

from __future__ import annotations

import pytest

from foxrow.core.registry import games


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    for game in games().values():
        game.rules.compile()
