"""The server is away, or its disk takes nothing: nobody's clock runs meanwhile, and nobody loses by it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from foxrow.server import lounge, room
from foxrow.server.preparation import Preparation
from tests.server.test_tables import seated
from tests.server.visitor import Browser, running, settings

HOUR = 3600_000
LOSING = {"kind": "game", "seconds": 600, "at_zero": "lose"}


class Clock:
    """The server's, which can be put forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0
        real = room.now_ms
        for module in (room, lounge):
            monkeypatch.setattr(module, "now_ms", lambda: real() + self.ahead)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.mark.parametrize("starts", [1, 2])
def test_an_outage_is_nobodys_time_however_often_the_server_starts(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, starts: int
) -> None:
    async def never(_: Preparation) -> None:
        await asyncio.Event().wait()

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, _ = await seated(site, clock=LOSING)
        clock.ahead += 2 * HOUR
        with monkeypatch.context() as early:  # it ends before it has come to this table
            early.setattr(Preparation, "wait_for_all", never)
            for _ in range(starts - 1):
                async with running(settings(tmp_path)):
                    await asyncio.sleep(0.05)
                clock.ahead += 5000
        async with running(settings(tmp_path)) as site:
            back = Browser(site)
            back.cookie = ann.cookie
            wire = back.socket(a.table_id)
            await wire.hello(since=0)
            assert wire.status == "playing"
            assert sum(wire.seen["clock"]["left"]) > 2 * 590_000

    asyncio.run(story())
