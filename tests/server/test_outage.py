"""The server is away, or its disk takes nothing: nobody's clock runs meanwhile, and nobody loses by it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from foxrow.server import lounge, room
from foxrow.server.preparation import Preparation
from foxrow.store.interface import StoreFull
from foxrow.store.sqlite import SqliteStore
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


class Disk:
    """The store's, which can be full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        real = SqliteStore._write_all

        def write(store: SqliteStore, writes: Any) -> None:
            if self.full:
                raise StoreFull("no room")
            real(store, writes)

        monkeypatch.setattr(SqliteStore, "_write_all", write)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.mark.parametrize("at_zero", ["lose", "bot"])
def test_who_cannot_move_because_the_disk_is_full_loses_no_time(
    tmp_path: Path, clock: Clock, disk: Disk, at_zero: str
) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, b = await seated(site, clock={"kind": "move", "seconds": 60, "at_zero": at_zero})
            mover = a if a.my_turn() is not None else b
            text = mover.view()["legal"][0]
            disk.full = True
            for _ in range(3):
                answer = await mover.move(text)
                assert (answer["type"], answer.get("code")) == ("refused", "no_space")
                clock.ahead += HOUR
                site.lounge.rooms[a.table_id]._tick()
            disk.full = False
            assert (await mover.move(text))["type"] == "update"
            kinds = [entry["kind"] for entry in mover.entries]
            assert kinds[-2:] == ["restarted", "moved"]
            assert "time_up" not in kinds
            clock.ahead += 61_000  # and from now on it runs as ever
            site.lounge.rooms[a.table_id]._tick()
            await mover.until(lambda frame: any(e["kind"] == "time_up" for e in frame.get("entries", [])))

    asyncio.run(story())


def test_clocks_stand_while_nothing_can_be_written_also_where_nobody_has_tried(
    tmp_path: Path, clock: Clock, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a database that is away nobody hears by a move: all sockets are closed meanwhile."""
    monkeypatch.setattr(lounge, "BEAT", 0.05)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, _ = await seated(site, clock=LOSING)
            disk.full = True
            await asyncio.sleep(0.2)
            clock.ahead += HOUR
            disk.full = False
            await a.until(lambda frame: any(e["kind"] == "restarted" for e in frame.get("entries", [])))
            assert a.status == "playing"
            assert sum(a.seen["clock"]["left"]) > 2 * 590_000

    asyncio.run(story())
