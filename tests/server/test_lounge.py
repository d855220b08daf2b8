"""Rooms come and go: what nobody looks at leaves memory, and is there again when somebody comes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.server import calls, lounge
from foxrow.server.preparation import Preparation
from foxrow.server.room import now_ms
from foxrow.server.site import Site
from foxrow.store import SqliteStore
from tests.server.test_tables import KEY, seated
from tests.server.visitor import WIDE, Browser, Closed, running, settings


@pytest.fixture(autouse=True)
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lounge, "SWEEP", 0.02)
    monkeypatch.setattr(lounge, "FORGET", 0.0)


async def left_memory(site: Site, table: str) -> None:
    async with asyncio.timeout(30):
        while table in site.lounge.rooms:
            await asyncio.sleep(0.02)


async def sweeps(count: int = 5) -> None:
    await asyncio.sleep(count * lounge.SWEEP)


def test_an_idle_room_leaves_memory_and_comes_back_as_it_was(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site)
            mover = a if a.my_turn() is not None else b
            await mover.move(mover.view()["legal"][0])
            before = mover.seen
            await sweeps()
            assert a.table_id in site.lounge.rooms  # people are there
            await a.drop()
            await sweeps()
            assert a.table_id in site.lounge.rooms  # one still is
            await b.drop()
            await left_memory(site, a.table_id)
            again = (ann if mover is a else ben).socket(a.table_id)
            await again.hello()
            assert again.entries == mover.entries
            for key in ("seq", "round", "ply", "views", "shuffle"):
                assert again.seen[key] == before[key]
            assert [seat["name"] for seat in again.table["seats"]] == ["Ann", "Ben"]
            assert site.lounge.running == 1
            await again.drop()
            await left_memory(site, a.table_id)
            cards = (await ann.call("GET", "/api/me/tables")).json
            assert a.table_id in str(cards)

    asyncio.run(story())


def test_a_running_clock_keeps_a_room_and_a_far_one_brings_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, b = await seated(site, clock={"kind": "move", "seconds": 600})
            _, _, c, d = await seated(site, clock={"kind": "days", "days": 2})
            for wire in (a, b, c, d):
                await wire.drop()
            await left_memory(site, c.table_id)
            await sweeps()
            assert a.table_id in site.lounge.rooms
            assert c.table_id not in site.lounge.rooms
            monkeypatch.setattr(lounge, "FAR", 3 * 24 * 3600_000)  # as if two days were nearly over
            async with asyncio.timeout(30):
                while c.table_id not in site.lounge.rooms:
                    await asyncio.sleep(0.02)
            await sweeps()
            assert c.table_id in site.lounge.rooms

    asyncio.run(story())


def test_while_the_store_is_away_nobody_is_shown_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server may have it by now. It takes a while until those who look at it are sent away."""
    monkeypatch.setattr(lounge, "BEAT", 0.05)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, b = await seated(site)
            ready = [site.lounge.ready]
            monkeypatch.setattr(SqliteStore, "away", True)
            assert [*ready, site.lounge.ready] == [True, False]
            for wire in (a, b, ann.socket(a.table_id)):
                with pytest.raises(Closed) as closed:
                    await (wire.until(lambda frame: False) if wire.seen else wire.hello())
                assert closed.value.code == 1013
            monkeypatch.setattr(SqliteStore, "away", False)
            again = ann.socket(a.table_id)
            await again.hello()
            await asyncio.sleep(0.2)
            assert (await again.ask(type="ping"))["type"] == "pong"

    asyncio.run(story())


def test_tables_that_nobody_comes_back_to_are_given_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            info = await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            _, _, a, b = await seated(site)
            for wire in (a, b):
                await wire.drop()
        async with running(settings(tmp_path, open_days=0.0, idle_days=0.0)) as site:
            ann.site = site
            async with asyncio.timeout(30):
                while site.store.running():
                    await asyncio.sleep(0.02)
            await left_memory(site, info["id"])
            for table in (info["id"], a.table_id):
                wire = ann.socket(table)
                await wire.hello()
                assert wire.table["result"]["reason"] == "abandoned"
                await wire.drop()

    asyncio.run(story())


def test_tables_out_of_memory_are_given_up_too_and_no_longer_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        few = replace(WIDE, tables_of_person=2)
        async with running(settings(tmp_path, few)) as site:
            ann = Browser(site)
            info = await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            _, _, a, b = await seated(site)
            await a.drop()
            await b.drop()
            await left_memory(site, info["id"])
            await left_memory(site, a.table_id)
            assert site.lounge.running == 2
            await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            refused = await ann.call("POST", "/api/tables", {"game": KEY, "seats": [{"kind": "me"}, {"kind": "open"}]})
            assert refused.json["error"]["code"] == "too_many_tables"
            now = now_ms
            monkeypatch.setattr(lounge, "now_ms", lambda: now() + 8 * 24 * 3600_000)  # a week later
            async with asyncio.timeout(30):
                while site.store.running() != [a.table_id]:
                    await asyncio.sleep(0.02)
            assert site.lounge.running == 1
            monkeypatch.setattr(lounge, "now_ms", lambda: now() + 61 * 24 * 3600_000)  # two months
            async with asyncio.timeout(30):
                while site.store.running():
                    await asyncio.sleep(0.02)
            assert site.lounge.running == 0

    asyncio.run(story())


def test_the_lobby_goes_page_by_page_and_loads_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(calls, "LOBBY_PAGE", 2)
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            made = [(await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}], listed=True))["id"] for _ in range(5)]
            for table in made:
                await left_memory(site, table)
            eve = Browser(site, "10.0.0.9")
            found: list[Any] = []
            more: str | None = ""
            while more is not None:
                page = (await eve.call("GET", f"/api/lobby?before={more}")).json
                found += page["open"]
                more = page["more"]
            assert sorted(card["id"] for card in found) == sorted(made)
            assert found[0]["seats"][0]["name"] == "Ann"
            assert not site.lounge.rooms
            assert (await eve.call("GET", "/api/lobby?before=x")).status == 400

    asyncio.run(story())


def test_many_who_come_at_once_find_one_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site)
            for wire in (a, b):
                await wire.drop()
            await left_memory(site, a.table_id)
            wires = [(ann if i % 2 else ben).socket(a.table_id) for i in range(20)]
            await asyncio.gather(*(wire.hello() for wire in wires))
            room = site.lounge.rooms[a.table_id]
            assert len(room.audience.listeners) == 20
            for wire in wires:
                await wire.drop()

    asyncio.run(story())


def test_the_game_that_somebody_waits_for_is_compiled_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    async def story() -> None:
        gate = asyncio.Event()

        async def slowly(_: Preparation, game: Game) -> None:
            order.append(game.key)
            await gate.wait()

        monkeypatch.setattr(Preparation, "_compile", slowly)
        async with running(settings(tmp_path)) as site:
            while not order:
                await asyncio.sleep(0)
            asking = asyncio.create_task(site.lounge.rules.wait(list(games())[-1]))
            await asyncio.sleep(0)
            assert not site.lounge.ready
            assert site.lounge.rules.share(order[0]) < 1
            gate.set()
            await asking
            assert site.lounge.rules.share(list(games())[-1]) == 1

    asyncio.run(story())
    keys = list(games())
    assert order[:2] == [keys[0], keys[-1]]
