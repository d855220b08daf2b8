"""Who somebody is: strange cookies beside ours, people who go while a call of theirs comes in, moves that are numbered
alike on one device, and a table that cannot be opened any more beside others that can."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from foxrow.store.backup import backup
from foxrow.store.interface import Job, StoreBusy
from tests.match.tables import any_game
from tests.server.test_tables import seated
from tests.server.visitor import Browser, Closed, running, settings, settle

KEY = any_game().key
STRANGE = (
    'prefs={"a":1,"b":2}', "foo[bar]=1", "a=b c", "x", "path=/", "expires=x", "k=é", 'a="open', "=y", "@@=1",
    ";;", "foxrow", "foxrow=", "foxrow=not-ours.at-all", "foxrow=ä",
)  # fmt: skip


@pytest.mark.parametrize("strange", STRANGE)
def test_strange_cookies_beside_ours_change_nothing(tmp_path: Path, strange: str) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            ours = ann.cookie
            assert ours is not None
            for both in (f"{strange}; {ours}", f"{ours}; {strange}"):
                ann.cookie = both
                me = (await ann.call("GET", "/api/me")).json
                assert me == {"known": True, "name": "Ann"}
            ann.cookie = strange
            assert (await ann.call("GET", "/api/me")).json["known"] is False

    asyncio.run(story())


def test_two_seats_of_one_device_may_number_their_moves_alike(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            info = await ann.table(KEY, [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Ben"}])
            wire = ann.socket(info["id"])
            await wire.hello()
            await wire.shuffle()
            said = await wire.ask(type="say", seat=0, phrase="hello", ref="m1")
            assert said["type"] != "refused"
            moved: set[int] = set()
            while len(moved) < 2:
                seat = wire.my_turn()
                assert seat is not None
                ref = "m1" if seat not in moved else f"more {wire.seen['ply']}"
                ply = wire.seen["ply"]
                frame = {"type": "move", "seat": seat, "round": wire.seen["round"], "ply": ply, "ref": ref}
                frame["text"] = wire.view(seat)["legal"][0]
                assert (await wire.ask(**frame))["type"] == "update"
                assert wire.seen["ply"] == ply + 1
                again = await wire.ask(**frame)
                assert again["type"] == "done" and wire.seen["ply"] == ply + 1
                moved.add(seat)

    asyncio.run(story())


def test_who_has_deleted_their_data_is_nobody_in_what_still_comes_in(tmp_path: Path) -> None:
    """A socket that has not yet said hello, and a call whose body is still on its way."""

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            info = await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}])
            early = ann.socket(info["id"])
            await asyncio.sleep(0.05)
            ours = ann.cookie

            stalled = Browser(site)
            stalled.cookie = ours
            gate = asyncio.Event()
            original = site.__call__

            async def slow(scope: Any, receive: Any, send: Any) -> None:
                async def late() -> Any:
                    await gate.wait()
                    return await receive()

                await original(scope, late, send)

            stalled.site = slow  # type: ignore[assignment]
            put = asyncio.create_task(stalled.call("PUT", "/api/me", {"name": "Still Ann"}))
            await asyncio.sleep(0.05)
            assert (await ann.call("DELETE", "/api/me")).status == 204
            gate.set()
            await put
            assert stalled.cookie != ours  # a new person, if any
            again = Browser(site)
            again.cookie = ours
            assert (await again.call("GET", "/api/me")).json["known"] is False
            try:
                welcome = await early.hello()
            except Closed:
                return
            assert welcome["you"]["seats"] == []
            assert (await early.ask(type="remove", seat=0))["type"] == "refused"

    asyncio.run(story())


def test_a_new_name_is_no_way_to_talk_while_a_round_is_played(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site)
            for text in ("I hold a joker", "and a king"):
                assert (await ann.call("PUT", "/api/me", {"name": text})).json["name"] == text
            await settle(a, b)
            assert "hold" not in "".join(b.frames) and "king" not in "".join(b.frames)
            eve = ben.socket(a.table_id)
            await eve.hello()
            assert "king" not in "".join(eve.frames)
            while a.status == "playing":
                for wire in (a, b):
                    seat = wire.my_turn()
                    if seat is not None and wire.view(seat)["legal"]:
                        await wire.move(wire.view(seat)["legal"][0])
                await asyncio.sleep(0.001)
                await settle(a, b)
            await asyncio.sleep(0.05)
            await settle(a, b)
            assert '"and a king"' in "".join(b.frames) and "hold" not in "".join(b.frames)

    asyncio.run(story())


def test_a_seat_that_was_not_taken_after_all_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            await ben.call("PUT", "/api/me", {"name": "Ben"})
            table = (await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}]))["id"]
            a, b = ann.socket(table), ben.socket(table)
            await a.hello()
            await b.hello()

            def full(jobs: Sequence[Job]) -> None:
                for _, then in jobs:
                    asyncio.get_running_loop().call_soon(then, StoreBusy("test"))

            with monkeypatch.context() as patch:
                patch.setattr(site.store, "submit_all", full)
                assert (await b.ask(type="sit", seat=1))["type"] == "refused"
            await ann.call("PUT", "/api/me", {"name": "Anne"})
            assert (await a.until(lambda got: got["type"] == "names"))["names"] == ["Anne", None]
            seated = await b.ask(type="sit", seat=1)
            assert [seat["name"] for seat in seated["table"]["seats"]] == ["Anne", "Ben"]

    asyncio.run(story())


def test_a_table_that_cannot_be_opened_any_more_is_lost_alone(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        async with running(setting) as site:
            ann = Browser(site)
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            tables = [await ann.table(KEY, [{"kind": "me"}, {"kind": "open"}], listed=True) for _ in range(3)]
            broken, unknown, whole = (table["id"] for table in tables)
            cookie = ann.cookie
        with closing(sqlite3.connect(setting.database)) as database:
            read = "SELECT body FROM events WHERE table_id = ? AND seq = 1"
            write = "UPDATE events SET body = ? WHERE table_id = ? AND seq = 1"
            created = json.loads(database.execute(read, (unknown,)).fetchone()[0])
            created["game"] = "no-such-game"
            database.execute(write, (json.dumps(created).encode(), unknown))
            created = json.loads(database.execute(read, (broken,)).fetchone()[0])
            created["secret"] = 5
            database.execute(write, (json.dumps(created).encode(), broken))
            database.commit()
        async with running(setting) as site:
            ann = Browser(site)
            ann.cookie = cookie
            for path in ("/api/lobby", "/api/me/tables"):
                answer = await ann.call("GET", path)
                assert answer.status == 200
                cards = [card for cards in answer.json.values() if isinstance(cards, list) for card in cards]
                assert [card["id"] for card in cards] == [whole]
            for lost in (broken, unknown):
                with pytest.raises(Closed) as closed:
                    await ann.socket(lost).hello()
                assert closed.value.code == 4004
            await ann.socket(whole).hello()
            assert (await ann.call("DELETE", "/api/me")).status == 204

    asyncio.run(story())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no modes of files")
def test_nobody_else_may_read_the_database_and_its_copies(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        async with running(setting) as site:
            await Browser(site).table(KEY, [{"kind": "me"}, {"kind": "open"}])
            backup(Path(setting.database), tmp_path / "copy.db")
            for path in tmp_path.glob("*.db*"):
                if not path.name.endswith(".lock"):
                    assert stat.S_IMODE(path.stat().st_mode) == 0o600, path

    asyncio.run(story())
