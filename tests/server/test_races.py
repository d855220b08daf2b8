"""Two things at once: people who are being forgotten while something of theirs is on its way, tables made together; and
what could go on for ever."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foxrow.match.refusal import Refusal
from foxrow.server import brains
from foxrow.server.lounge import FORGET
from foxrow.server.messages import JoinTable
from foxrow.server.site import Site
from foxrow.store.interface import ForgetPerson, StoreBusy, Write
from foxrow.store.sqlite import SqliteStore
from tests.match.tables import any_game
from tests.server.test_again import finished
from tests.server.test_hints import two_ways
from tests.server.test_tables import seated
from tests.server.visitor import WIDE, Browser, Closed, running, settings, settle

KEY = any_game().key
OPEN = [{"kind": "me"}, {"kind": "open"}]


def while_forgetting(site: Site, act: Any) -> None:
    """Do something when it is decided that a person is forgotten, and not yet on the disk."""
    real = site.lounge.put

    async def put(*writes: Write) -> None:
        if not any(isinstance(write, ForgetPerson) for write in writes):
            await real(*writes)
            return
        forgetting = asyncio.create_task(real(*writes))
        await asyncio.sleep(0)
        await act()
        await forgetting

    site.lounge.put = put  # type: ignore[method-assign]


def test_a_thought_about_what_was_taken_back_is_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot has made up its mind while the take-back is on its way to the disk, and another move waits behind it: the
    turn looks the same as the one that the bot thought about."""
    gates = [threading.Event(), threading.Event()]
    thoughts: list[bytes] = []
    disk = threading.Event()
    disk.set()
    choose, commit = brains.choose, SqliteStore._commit

    def thinking(key: str, packed: bytes, *more: Any) -> str:
        thoughts.append(packed)
        if len(thoughts) <= len(gates):
            gates[len(thoughts) - 1].wait(20)
        return choose(key, packed, *more)

    def slow(store: SqliteStore, group: Any) -> Any:
        disk.wait(20)
        return commit(store, group)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            wire, first, other = await two_ways(Browser(site), lambda turn: turn == 1)
            monkeypatch.setattr(brains, "choose", thinking)
            monkeypatch.setattr(SqliteStore, "_commit", slow)
            place = {"seat": 0, "round": wire.seen["round"], "ply": wire.seen["ply"]}
            await wire.move(first)
            await asyncio.sleep(0.1)
            disk.clear()
            wire.send(type="takeback", seat=0, ref="back")
            wire.send(type="move", text=other, ref="again", **place)
            await asyncio.sleep(0.1)
            gates[0].set()
            await asyncio.sleep(0.1)
            disk.set()
            await wire.until(lambda frame: frame.get("ref") == "again")
            with pytest.raises(TimeoutError):
                await wire.until(lambda frame: wire.seen["ply"] > place["ply"] + 1, seconds=0.5)
            gates[1].set()
            await wire.until(lambda frame: wire.seen["ply"] > place["ply"] + 1)
            assert thoughts[0] != thoughts[1]

    asyncio.run(story())


def test_a_store_that_cannot_be_read_holds_up_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            await ben.call("PUT", "/api/me", {"name": "Ben"})
            table = (await ann.table(KEY, OPEN))["id"]
            wire = ben.socket(table)
            await wire.hello()
            real = site.store.tables_of

            def busy(*_: Any) -> Any:
                raise StoreBusy("locked")

            site.store.tables_of = busy  # type: ignore[method-assign,assignment]
            refused = await asyncio.wait_for(ben.call("POST", f"/api/tables/{table}/join", {"seat": 1}), 5)
            assert (refused.status, refused.json["error"]["code"]) == (503, "busy")
            assert (await wire.ask(type="sit", seat=1))["code"] == "busy"
            site.store.tables_of = real  # type: ignore[method-assign]
            assert (await wire.ask(type="sit", seat=1))["type"] == "update"

    asyncio.run(story())


def test_nothing_that_comes_meanwhile_brings_a_forgotten_person_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, eve = Browser(site), Browser(site, "10.0.0.2")
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            (person,) = site.lounge.people._names
            open_table = await eve.table(KEY, [{"kind": "open"}, {"kind": "me"}])
            tried: list[str] = []

            async def act() -> None:
                with pytest.raises(Refusal, match="no_person"):
                    await site.lounge.rename(person, "Ann again")
                room = await site.lounge.find(open_table["id"])
                assert room is not None
                with pytest.raises(Refusal, match="no_person"):
                    room.requests.sit(person, 0, None, 0)
                tried.append("all")

            while_forgetting(site, act)
            cookie = ann.cookie
            assert (await ann.call("DELETE", "/api/me")).status == 204
            assert tried == ["all"]
            ann.cookie = cookie
            assert (await ann.call("GET", "/api/me")).json["known"] is False
            assert site.store.person(person) == (False, None)

    asyncio.run(story())


def test_a_table_that_is_read_meanwhile_does_not_keep_the_name(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        async with running(setting) as site:
            ann, ben, a, _ = await finished(site)
            cookies = ann.cookie, ben.cookie
        async with running(setting) as site:
            read, gone = threading.Event(), threading.Event()
            seats = site.store.seats

            def slowly(table: str) -> Any:
                found = seats(table)
                read.set()
                assert gone.wait(30)
                return found

            site.store.seats = slowly  # type: ignore[method-assign]
            loading = asyncio.create_task(site.lounge.find(a.table_id))
            while not read.is_set():
                await asyncio.sleep(0.01)

            async def act() -> None:
                gone.set()

            while_forgetting(site, act)
            me = Browser(site)
            me.cookie = cookies[0]
            await me.call("DELETE", "/api/me")
            room = await loading
            assert room is not None
            assert room.audience.names == [None, "Ben"]

    asyncio.run(story())


def test_tables_made_together_are_counted_together(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, tables_of_person=5))) as site:
            ann = Browser(site)
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            asked = [ann.call("POST", "/api/tables", {"game": KEY, "seats": OPEN}) for _ in range(20)]
            answers = await asyncio.gather(*asked)
            assert sorted(answer.status for answer in answers) == [201] * 5 + [429] * 15
            assert not site.lounge._making

    asyncio.run(story())


def test_a_log_has_an_end_and_the_game_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, events=30))) as site:
            _, _, a, b = await seated(site)
            answer: dict[str, Any] = {}
            for turn in range(40):
                answer = await a.ask(type="set_chat", on=turn % 2 == 0)
                if answer["type"] == "refused":
                    break
            assert (answer["code"], answer["data"]) == ("too_many", {"most": 30})
            assert len(site.store.log(a.table_id)) == 30
            mover = a if a.my_turn() is not None else b
            assert (await mover.move(mover.view()["legal"][0]))["type"] == "update"
            assert (await b.ask(type="leave", seat=1))["type"] == "update"

    asyncio.run(story())


def test_minds_that_change_about_a_rematch_come_to_an_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, _ = await finished(site)
            site.lounge.settings = replace(site.lounge.settings, limits=replace(WIDE, events=1))
            assert (await a.ask(type="rematch", seat=0))["type"] == "update"  # a yes is what brings it on
            answer = await a.ask(type="rematch", seat=0, yes=False)
            assert (answer["type"], answer.get("code")) == ("refused", "too_many")

    asyncio.run(story())


def test_sockets_that_come_and_go_are_calls(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, calls=1e-6, calls_burst=4))) as site:
            ann = Browser(site)
            info = await ann.table(KEY, OPEN)
            for _ in range(3):
                wire = ann.socket(info["id"])
                await wire.hello()
                await wire.drop()
            more = ann.socket(info["id"])
            with pytest.raises(Closed):
                await more.hello()
            assert more.refused == 429
            await Browser(site, "10.0.0.2").socket(info["id"]).hello()

    asyncio.run(story())


def test_a_room_that_cannot_follow_its_log_is_made_anew_from_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, b = await seated(site)
            room = site.lounge.rooms[a.table_id]
            mover = a if a.my_turn() is not None else b
            real = room.table.apply

            def wrong(event: Any) -> None:
                room.table.apply = real  # type: ignore[method-assign]
                raise ValueError("a fault of ours")

            room.table.apply = wrong  # type: ignore[method-assign]
            before = len(site.store.log(a.table_id))
            with pytest.raises(Closed, match="1012"):
                await mover.move(mover.view()["legal"][0])
            with pytest.raises(Closed, match="1012"):
                await (a if mover is b else b).until(lambda frame: False)
            assert len(site.store.log(a.table_id)) == before + 1  # it was on disk, and it counts
            back = ann.socket(a.table_id)
            back.entries, back.seen = list(a.entries), dict(a.seen)
            await back.hello()
            assert back.entries[before]["kind"] == "moved"
            assert site.lounge.rooms[a.table_id] is not room
            assert (await back.ask(type="say", seat=0, phrase="hello"))["type"] == "done"

    asyncio.run(story())


def test_a_room_whose_log_has_gone_on_without_it_is_made_anew_from_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            table = (await ann.table(KEY, [*OPEN, {"kind": "open"}][: max(any_game().players)]))["id"]
            old = site.lounge.rooms.pop(table)  # it left memory while somebody had it in hand
            site.lounge.locate(old)
            await ben.call("PUT", "/api/me", {"name": "Ben"})
            wire = ben.socket(table)
            await wire.hello()
            await old.join(next(iter(site.lounge.people._names)), JoinTable(seat=1))
            with pytest.raises(Closed, match="1012"):
                await wire.ask(type="sit", seat=1)
            async with asyncio.timeout(20):
                while table not in site.lounge.rooms:
                    await asyncio.sleep(0.01)
            again = ben.socket(table)
            await again.hello()
            assert again.table["seats"][1]["kind"] == "person"
            assert (await again.ask(type="sit", seat=1))["code"] != "busy"

    asyncio.run(story())


def test_who_has_found_a_room_keeps_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            table = (await ann.table(KEY, OPEN))["id"]
            site.lounge.rooms[table].touched -= 10 * FORGET
            before = time.monotonic()
            room = await site.lounge.find(table)
            assert room is not None
            assert room.touched >= before

    asyncio.run(story())


def test_nobody_lengthens_a_log_past_its_end_and_the_host_can_still_begin(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, events=30))) as site:
            ann, eve = Browser(site), Browser(site, "10.0.0.2")
            table = (await ann.table(KEY, OPEN))["id"]
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            host, wire = ann.socket(table), eve.socket(table)
            await host.hello()
            await wire.hello()
            await host.ask(type="set_chat", on=True)
            while (await eve.call("POST", f"/api/tables/{table}/join", {"seat": 1})).status == 200:
                if len(site.store.log(table)) < 30:
                    await wire.ask(type="leave", seat=1)
                else:
                    break
            assert (await host.ask(type="remove", seat=1, block=True))["type"] == "update"
            assert len(site.store.log(table)) <= 32
            join = await Browser(site, "10.0.0.3").call("POST", f"/api/tables/{table}/join", {"seat": 1})
            assert join.json["error"] == {"code": "too_many", "data": {"most": 30}}
            assert (await host.ask(type="set_seat", seat=1, who="bot", level=1))["type"] == "update"
            await host.shuffle()
            assert host.status == "playing"

    asyncio.run(story())


def test_who_is_removed_is_who_was_meant(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, eve, ben = Browser(site), Browser(site, "10.0.0.2"), Browser(site, "10.0.0.3")
            table = (await ann.table(KEY, OPEN))["id"]
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            host, wire = ann.socket(table), eve.socket(table)
            await host.hello()
            await wire.hello()
            await wire.ask(type="sit", seat=1)
            await settle(host)
            whom = {"seat": 1, "block": True, "seated": host.entries[-1]["seq"]}
            assert host.entries[-1]["kind"] == "seated"
            await wire.ask(type="leave", seat=1)
            await ben.call("POST", f"/api/tables/{table}/join", {"seat": 1})
            assert (await host.ask(type="remove", **whom))["code"] == "stale"
            await settle(host)
            whom["seated"] = host.entries[-1]["seq"]
            assert (await host.ask(type="remove", **whom))["type"] == "update"
            assert (await eve.call("POST", f"/api/tables/{table}/join", {"seat": 1})).status == 200

    asyncio.run(story())


def test_one_person_sits_down_so_often(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, sits=3))) as site:
            ann, eve = Browser(site), Browser(site, "10.0.0.2")
            table = (await ann.table(KEY, OPEN))["id"]
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            wire = eve.socket(table)
            await wire.hello()
            for _ in range(3):
                assert (await wire.ask(type="sit", seat=1))["type"] == "update"
                assert (await wire.ask(type="leave", seat=1))["type"] == "update"
            again = await wire.ask(type="sit", seat=1)
            assert (again["code"], again["data"]) == ("too_many", {"most": 3})
            assert (await Browser(site).call("POST", f"/api/tables/{table}/join", {"seat": 1})).status == 200

    asyncio.run(story())


@pytest.mark.parametrize("what", ["a seat", "a table"])
def test_what_was_on_its_way_leaves_no_seat_to_who_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    disk = threading.Event()
    disk.set()
    commit = SqliteStore._commit

    def slow(store: SqliteStore, group: Any) -> Any:
        disk.wait(20)
        return commit(store, group)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, eve = Browser(site), Browser(site, "10.0.0.2")
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            table = (await ann.table(KEY, OPEN))["id"]
            monkeypatch.setattr(SqliteStore, "_commit", slow)
            disk.clear()
            if what == "a seat":
                asked = eve.call("POST", f"/api/tables/{table}/join", {"seat": 1})
            else:
                asked = eve.call("POST", "/api/tables", {"game": KEY, "seats": OPEN})
            cookie = {"cookie": str(eve.cookie)}
            asking = asyncio.create_task(asked)
            await asyncio.sleep(0.1)
            going = asyncio.create_task(eve.call("DELETE", "/api/me", headers=cookie))
            await asyncio.sleep(0.1)
            disk.set()
            found = (await asking).json["id"]
            assert (await going).status == 204
            room = site.lounge.rooms[found]
            persons = [seat.person for seat in room.table.seats if seat.person is not None]
            assert all(site.lounge.people.known(person) for person in persons)
            assert [person for _, person, _ in site.store.seats(found)] == persons

    asyncio.run(story())
