"""Once is once: requests that are sent again after a cut or a restart, rematches after a crash, rounds that begin
though somebody has gone, names that wait for the end of a round."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from foxrow.match import events as ev
from foxrow.server.site import Site
from foxrow.store import SqliteStore
from foxrow.store.interface import Append
from tests.match.tables import any_game
from tests.server.test_playing import play_out
from tests.server.test_tables import seated
from tests.server.visitor import WIDE, Browser, Wire, running, settings, settle

KEY = any_game().key


async def again(site: Site, cookie: str | None, table: str) -> Wire:
    """The same browser, at a server that has just started."""
    browser = Browser(site)
    browser.cookie = cookie
    wire = browser.socket(table)
    await wire.hello()
    return wire


def test_what_was_asked_before_a_restart_happens_once(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        frames: list[dict[str, Any]] = []
        async with running(setting) as site:
            ann, ben, a, b = await seated(site, chat=True)
            mover = a if a.my_turn() is not None else b
            seat = mover.my_turn()
            other = a if mover is b else b
            frames += [
                {"type": "say", "seat": seat, "phrase": "hello", "ref": "1"},
                {"type": "chat", "seat": seat, "text": "hi", "ref": "1"},
                {"type": "set_chat", "on": False, "ref": "2"},
            ]
            for frame in frames[:2]:
                assert (await mover.ask(**frame))["type"] == "done"
            assert (await a.ask(**frames[2]))["type"] == "update"
            assert (await a.ask(type="set_chat", on=True))["type"] == "update"
            before = site.store.log(a.table_id)
            cookies = {0: ann.cookie, 1: ben.cookie}
            # Within one life of the server it was so before: on another socket of the same person.
            twin = (ann if mover is a else ben).socket(a.table_id)
            await twin.hello()
            assert (await twin.ask(**frames[0]))["type"] == "done"
            del other
        async with running(setting) as site:
            wire = await again(site, cookies[seat or 0], a.table_id)
            for frame in frames[:2]:
                assert (await wire.ask(**frame))["type"] == "done"
            host = await again(site, cookies[0], a.table_id)
            assert (await host.ask(**frames[2]))["type"] == "done"
            assert host.table["chat"] is True
            assert [line.phrase or line.text for line in site.store.said(a.table_id, 50)] == ["hello", "hi"]
            assert site.store.log(a.table_id)[: len(before)] == before
            # What is asked anew is done anew.
            assert (await wire.ask(**{**frames[0], "ref": "9"}))["type"] == "done"
            assert len(site.store.said(a.table_id, 50)) == 3

    asyncio.run(story())


def test_a_seat_is_taken_once_and_a_move_taken_back_once(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        sit: dict[str, Any] = {"type": "sit", "seat": 1, "ref": "s"}
        async with running(setting) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            info = await ann.table(any_game(3).key, [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
            await ben.call("PUT", "/api/me", {"name": "Ben"})
            b = ben.socket(info["id"])
            await b.hello()
            assert (await b.ask(**sit))["type"] == "update"
            alone = await ann.table(KEY, [{"kind": "me", "name": "A"}, {"kind": "me", "name": "B"}])
            wire = ann.socket(alone["id"])
            await wire.hello()
            await wire.shuffle()
            movers: list[int] = []
            while len(movers) < 2 or movers[-1] != movers[-2]:  # two moves in a row, to have one more to take back
                seat = wire.my_turn()
                assert seat is not None
                movers.append(seat)
                await wire.move(wire.view(seat)["legal"][0], seat)
                if len(movers) > 40:
                    break
            back: dict[str, Any] = {"type": "takeback", "seat": movers[-1], "ref": "t"}
            answer = await wire.ask(**back)
            ply = wire.seen["ply"]
            cookies = ann.cookie, ben.cookie
        async with running(setting) as site:
            b = await again(site, cookies[1], info["id"])
            assert (await b.ask(**sit))["type"] == "done"
            assert b.seen["you"]["seats"] == [1]
            wire = await again(site, cookies[0], alone["id"])
            if answer["type"] == "update":
                assert (await wire.ask(**back))["type"] == "done"
            assert wire.seen["ply"] == ply

    asyncio.run(story())


async def finished(site: Site) -> tuple[Browser, Browser, Wire, Wire]:
    ann, ben, a, b = await seated(site, match=any_game().match.low)
    await play_out(a, b)
    return ann, ben, a, b


def test_a_crash_between_the_last_yes_and_the_next_table(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        async with running(setting) as site:
            ann, ben, a, b = await finished(site)
            assert (await a.ask(type="rematch", seat=0))["type"] == "update"
            await settle(a, b)
            cookies, seq = (ann.cookie, ben.cookie), a.seen["seq"]
        store = SqliteStore(setting.database)  # the last yes reached the disk, and that was all
        yes = ev.RematchAnswered(at=1, seat=1, yes=True)
        store.write(Append(a.table_id, seq + 1, [ev.encode(yes)]))
        store.close()
        made = []
        for _ in range(2):
            async with running(setting) as site:
                wires = await asyncio.gather(*(again(site, cookie, a.table_id) for cookie in cookies))
                for wire in wires:
                    if wire.table["next"] is None:
                        await wire.until(lambda frame: frame.get("table", {}).get("next"))
                made += [wire.table["next"] for wire in wires]
                assert site.store.running() == [made[0]]
                following = [await again(site, cookie, made[0]) for cookie in cookies]
                assert [wire.seen["you"]["seats"] for wire in following] == [[0], [1]]
                assert [seat["name"] for seat in following[0].table["seats"]] == ["Ann", "Ben"]
        assert len(set(made)) == 1

    asyncio.run(story())


def test_a_rematch_does_not_wait_for_who_deleted_their_data(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, _, b = await finished(site)
            assert (await b.ask(type="rematch", seat=1))["type"] == "update"
            assert not b.table["next"]
            await ann.call("DELETE", "/api/me")
            await b.until(lambda frame: frame.get("table", {}).get("next"))
            following = ben.socket(b.table["next"])
            await following.hello()
            assert [seat["kind"] for seat in following.table["seats"]] == ["bot", "person"]
            assert following.seen["you"] == {"seats": [1], "host": True, "muted": []}

    asyncio.run(story())


def test_a_rematch_is_a_table_like_any_other(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, tables_of_person=2))) as site:
            ann, _, a, b = await finished(site)
            for _ in range(2):
                await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            refused = await a.ask(type="rematch", seat=0)
            assert (refused["code"], refused["data"]) == ("too_many_tables", {"most": 2})
            assert (await b.ask(type="rematch", seat=1))["type"] == "update"
            site.lounge.draining = True
            assert (await a.ask(type="rematch", seat=0))["code"] == "draining"
            site.lounge.draining = False
            site.lounge.settings = replace(site.lounge.settings, limits=replace(WIDE, tables=2))
            assert (await a.ask(type="rematch", seat=0))["code"] == "too_many_tables"
            site.lounge.settings = replace(site.lounge.settings, limits=WIDE)
            assert (await a.ask(type="rematch", seat=0))["type"] == "update"
            await b.until(lambda frame: frame.get("table", {}).get("next"))

    asyncio.run(story())


def test_a_rematch_that_all_agreed_to_waits_until_there_may_be_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, replace(WIDE, tables_of_person=2))) as site:
            ann, _, a, b = await finished(site)
            assert (await a.ask(type="rematch", seat=0))["type"] == "update"
            for _ in range(2):
                await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            assert (await b.ask(type="rematch", seat=1))["type"] == "update"
            await settle(a, b)
            assert b.table["next"] is None
            site.lounge.settings = replace(site.lounge.settings, limits=WIDE)
            for yes in (False, True):
                assert (await a.ask(type="rematch", seat=0, yes=yes))["type"] == "update"
            await b.until(lambda frame: frame.get("table", {}).get("next"))

    asyncio.run(story())


async def to_the_pause(*wires: Wire) -> None:
    while any(wire.status != "pause" for wire in wires):
        for wire in wires:
            seat = wire.my_turn()
            if seat is not None:
                await wire.move(wire.view(seat)["legal"][0])
            await settle(*wires)
        await asyncio.sleep(0)


def several_rounds() -> dict[str, Any]:
    game = any_game()
    return {"match": max(1, game.match.low)}


def test_the_last_one_who_was_not_ready_leaves_and_the_round_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, round_pause=3600.0)) as site:
            _, _, a, b = await seated(site, **several_rounds())
            await to_the_pause(a, b)
            await a.ask(type="ready", seat=0)
            await b.ask(type="leave", seat=1)
            await a.until(lambda frame: any(entry["kind"] == "dealt" for entry in frame.get("entries", [])))
            assert a.status == "playing"

    asyncio.run(story())


def test_the_pause_is_not_made_longer_by_what_happens_in_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, round_pause=3600.0)) as site:
            _, _, a, b = await seated(site, **several_rounds())
            await to_the_pause(a, b)
            room = site.lounge.rooms[a.table_id]
            ends = room._pause_ends
            assert ends is not None and room._timer is not None
            await asyncio.sleep(0.02)
            for on in (True, False):
                await a.ask(type="set_chat", on=on)
            assert room._pause_ends == ends
            assert room._timer.when() < ends + 0.01

    asyncio.run(story())


def test_a_name_that_waits_for_the_end_of_the_round_waits_over_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        async with running(setting) as site:
            ann, ben, a, b = await seated(site)
            await ann.call("PUT", "/api/me", {"name": "I hold a joker"})
            cookies = ann.cookie, ben.cookie
        async with running(setting) as site:
            b = await again(site, cookies[1], a.table_id)
            assert "joker" not in "".join(b.frames)
            assert b.table["seats"][0]["name"] == "Ann"
            a = await again(site, cookies[0], a.table_id)
            await play_out(a, b)
            await settle(a, b)
            assert "I hold a joker" in "".join(b.frames)
            site.store.write()  # after all that waits
            assert site.store.held_names(a.table_id) == {}
            fresh = await again(site, cookies[1], a.table_id)
            assert fresh.table["seats"][0]["name"] == "I hold a joker"
            other = await fresh.browser.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            opened = await again(site, cookies[0], other["id"])
            await opened.ask(type="sit", seat=1)
            await Browser.call(opened.browser, "PUT", "/api/me", {"name": "Anne"})
            assert site.store.held_names(other["id"]) in ({}, {1: "I hold a joker"})
            assert site.lounge.rooms[other["id"]].audience.names[1] == "Anne"  # no round is played there

    asyncio.run(story())


def test_a_table_is_made_a_seat_taken_and_a_record_kept_once_by_a_call_that_is_sent_again(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (any_game().players[-1] - 1)]
        wish = {"game": KEY, "seats": seats, "ref": "a" * 16}
        join = {"ref": "b" * 16}
        async with running(setting) as site:
            # Nobody yet, and the answers with the cookies are lost: one after the other, and both under way at once.
            made = await asyncio.gather(*(Browser(site).call("POST", "/api/tables", wish) for _ in range(3)))
            again = Browser(site)
            made.append(await again.call("POST", "/api/tables", wish))
            assert [answer.status for answer in made] == [201] * 4
            table = made[0].json["id"]
            assert {answer.json["id"] for answer in made} == {table}
            assert len(site.store.running()) == 1
            browsers = [Browser(site, "10.0.0.2") for _ in range(3)]
            for browser in browsers:
                answer = await browser.call("POST", f"/api/tables/{table}/join", join)
                assert [seat["kind"] for seat in answer.json["seats"]].count("person") == 2
            ben = browsers[-1].cookie
            # Another wish is another table and another seat, and another's call is another's, whatever its `ref`.
            other = await again.call("POST", "/api/tables", {**wish, "ref": "c" * 16})
            assert other.json["id"] != table
            eve = Browser(site, "10.0.0.9")
            assert (await eve.call("POST", "/api/tables", wish)).json["id"] not in (table, other.json["id"])
            assert (await eve.call("POST", f"/api/tables/{table}/join", join)).status == 200
            count = len(site.store.running())
            ann = again.cookie
        async with running(setting) as site:
            browser = Browser(site)
            browser.cookie = ann
            assert (await browser.call("POST", "/api/tables", wish)).json["id"] == table
            browser.cookie = ben
            answer = await browser.call("POST", f"/api/tables/{table}/join", join)
            assert [seat["kind"] for seat in answer.json["seats"]].count("person") == 3
            assert len(site.store.running()) == count
            record = {
                "format": "foxrow/1",
                "game": KEY,
                "players": ["A"] * any_game().players[0],
                "deal": {"seed": "00" * 32, "round": 0},
                "moves": [],
            }
            kept = [await browser.call("POST", "/api/records", {"record": record, "ref": "d" * 16}) for _ in range(2)]
            assert kept[0].status == kept[1].status == 201
            assert kept[0].json == kept[1].json
            # Who has deleted their data is somebody else by the same call.
            await browser.call("DELETE", "/api/me")
            fresh = await browser.call("POST", "/api/records", {"record": record, "ref": "d" * 16})
            assert fresh.json != kept[0].json

    asyncio.run(story())
