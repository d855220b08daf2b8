"""What concerns one person asks the rooms where they are, and no other."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from foxrow.server import lounge
from foxrow.server.audience import Audience
from foxrow.server.room import Room
from foxrow.server.site import Site
from tests.server.test_lounge import left_memory
from tests.server.test_tables import KEY, ME_AND_OPEN, seated
from tests.server.visitor import Browser, Closed, running, settings, settle


def check(site: Site) -> None:
    """What is noted is what a walk through all rooms finds."""
    noted, rooms = site.lounge.whereabouts, set(site.lounge.rooms.values())
    persons = {person for room in rooms for person in room.persons}
    assert set(noted._rooms) == persons
    for person in persons:
        assert set(noted.of(person)) == {room for room in rooms if person in room.persons}
    assert noted._persons == {room: room.persons for room in rooms if room.persons}


def test_muting_and_a_new_name_ask_only_the_rooms_where_the_person_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def counted(kind: Any, name: str) -> None:
        real = getattr(kind, name)

        def call(self: object, *given: Any) -> None:
            asked.append(self)
            real(self, *given)

        monkeypatch.setattr(kind, name, call)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            for number in range(20):
                await Browser(site, f"10.1.0.{number}").table(KEY, ME_AND_OPEN)
            ann, _, a, _ = await seated(site)
            other = (await ann.table(KEY, ME_AND_OPEN))["id"]
            watched = (await Browser(site).table(KEY, ME_AND_OPEN))["id"]
            await ann.socket(watched).hello()
            counted(Audience, "mute")
            counted(Room, "rename")
            here = {site.lounge.rooms[table] for table in (a.table_id, other, watched)}
            assert (await a.ask(type="mute", seat=1, on=True))["type"] == "done"
            assert len(asked) == 3
            assert set(asked) == {room.audience for room in here}
            asked.clear()
            assert (await ann.call("PUT", "/api/me", {"name": "Anna"})).status == 200
            assert len(asked) == 3
            assert set(asked) == here

    asyncio.run(story())


def test_who_comes_and_goes_is_noted(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site)
            check(site)
            eve = Browser(site, "10.0.0.6")
            info = await eve.table(KEY, ME_AND_OPEN)
            e = eve.socket(a.table_id)
            await e.hello()
            check(site)
            (person,) = site.lounge.rooms[info["id"]].persons
            assert {room.table.id for room in site.lounge.whereabouts.of(person)} == {a.table_id, info["id"]}
            await b.ask(type="leave", seat=1)
            await settle(a, e)
            check(site)
            await ben.call("POST", f"/api/tables/{info['id']}/join", {})
            check(site)
            await eve.call("DELETE", "/api/me")  # and the socket stays, as nobody's
            check(site)
            await e.drop()
            check(site)
            room = site.lounge.rooms[a.table_id]
            room._fail()
            for wire in (a, b):
                with pytest.raises(Closed, match="1012"):
                    await wire.until(lambda frame: False)
            await ann.socket(a.table_id).hello()
            assert site.lounge.rooms[a.table_id] is not room
            check(site)

    asyncio.run(story())


def test_a_room_that_leaves_memory_is_noted_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lounge, "SWEEP", 0.02)
    monkeypatch.setattr(lounge, "FORGET", 0.0)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, b = await seated(site)
            for wire in (a, b):
                await wire.drop()
            await left_memory(site, a.table_id)
            check(site)
            assert not site.lounge.whereabouts._rooms

    asyncio.run(story())
