"""Life at a table over the wire: hot-seat, devices, chat and mute, the host's rights, clocks, restarts, records."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from foxrow.core.registry import games
from foxrow.server import room as room_module
from tests.match.tables import any_game
from tests.server.test_playing import play_out
from tests.server.visitor import Browser, Closed, Wire, running, settings, settle, shuffle_all

KEY = any_game().key
ME_AND_OPEN = [{"kind": "me"}, {"kind": "open"}]


async def seated(site: Any, **more: Any) -> tuple[Browser, Browser, Wire, Wire]:
    ann, ben = Browser(site), Browser(site, "10.0.0.2")
    await ann.call("PUT", "/api/me", {"name": "Ann"})
    await ben.call("PUT", "/api/me", {"name": "Ben"})
    info = await ann.table(KEY, ME_AND_OPEN, **more)
    await ben.call("POST", f"/api/tables/{info['id']}/join", {})
    a, b = ann.socket(info["id"]), ben.socket(info["id"])
    await a.hello()
    await b.hello()
    await shuffle_all(a, b)
    await settle(a, b)
    return ann, ben, a, b


def test_several_people_on_one_device(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            seats = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Ben"}]
            info = await ann.table(KEY, seats)
            assert [seat["name"] for seat in info["seats"]] == ["Ann", "Ben"]
            wire = ann.socket(info["id"])
            await wire.hello()
            assert wire.seen["you"]["seats"] == [0, 1]
            await wire.shuffle()
            assert [view["seat"] for view in wire.seen["views"]] == [0, 1]
            acting = wire.view(0)["to_act"]
            assert wire.view(acting)["legal"]
            assert wire.view(1 - acting)["legal"] == []
            await play_out(wire)
            assert wire.status == "over"

    asyncio.run(story())


def test_a_second_device_by_code_is_the_same_person(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, b = await seated(site)
            code = (await ann.call("POST", "/api/me/devices")).json["code"]
            phone = Browser(site, "10.0.0.7")
            assert (await phone.call("POST", "/api/me/claim", {"code": "wrong" + code})).status == 404
            assert (await phone.call("POST", "/api/me/claim", {"code": code})).json == {"known": True, "name": "Ann"}
            thief = Browser(site, "10.0.0.8")
            assert (await thief.call("POST", "/api/me/claim", {"code": code})).status == 404
            second = phone.socket(a.table_id)
            await second.hello()
            assert second.seen["you"]["seats"] == [0]
            wire = second if second.my_turn() is not None else b
            await wire.move(wire.view()["legal"][0])
            await settle(a, b, second)
            assert a.seen["views"] == second.seen["views"]

    asyncio.run(story())


def test_coming_back_by_link_brings_only_what_was_missed(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, b = await seated(site)
            await a.drop()
            await b.until(lambda frame: frame["type"] == "presence" and frame["presence"]["online"] == [False, True])
            known = a.seen["seq"]
            back = ann.socket(a.table_id)
            back.entries = list(a.entries)
            welcome = await back.hello(since=known)
            assert welcome["entries"] == []
            assert welcome["since"] == known
            fresh = ann.socket(a.table_id)
            assert len((await fresh.hello(since=0))["entries"]) == known
            odd = ann.socket(a.table_id)  # a client that knows more than the log: after a restore
            assert (await odd.hello(since=10_000))["since"] == 0

    asyncio.run(story())


def test_phrases_chat_and_mute(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site)
            assert (await a.ask(type="say", seat=0, phrase="hello"))["type"] == "done"
            said = await b.until(lambda frame: frame["type"] == "said")
            assert (said["said"]["phrase"], said["said"]["name"]) == ("hello", "Ann")
            assert (await a.ask(type="say", seat=0, phrase="rude_words"))["code"] == "unknown_phrase"
            assert (await b.ask(type="chat", seat=1, text="hi"))["code"] == "no_chat"
            assert (await b.ask(type="set_chat", on=True))["code"] == "not_host"
            assert (await a.ask(type="set_chat", on=True))["type"] == "update"
            assert (await b.ask(type="chat", seat=1, text="  hi \n there "))["type"] == "done"
            heard = await a.until(lambda frame: frame["type"] == "said" and frame["said"]["text"])
            assert heard["said"]["text"] == "hi there"
            assert (await a.ask(type="mute", seat=1))["type"] == "done"
            await settle(a, b)
            count = len(a.frames)
            await b.ask(type="chat", seat=1, text="can you hear me")
            await settle(a, b)
            assert len(a.frames) == count
            other = await ann.table(KEY, ME_AND_OPEN)
            await ben.call("POST", f"/api/tables/{other['id']}/join", {})
            a2, b2 = ann.socket(other["id"]), ben.socket(other["id"])
            await a2.hello()
            await b2.hello()
            await b2.ask(type="say", seat=1, phrase="wow")
            assert (await a.ask(type="mute", seat=1, on=False))["type"] == "done"
            assert (await a2.until(lambda frame: frame["type"] == "you"))["you"]["muted"] == []
            assert (await a.ask(type="mute", seat=1))["type"] == "done"
            assert (await a2.until(lambda frame: frame["type"] == "you"))["you"]["muted"] == [1]  # at every table
            assert not any('"said"' in frame and "wow" in frame for frame in a2.frames)
            again = ann.socket(a.table_id)
            welcome = await again.hello()
            assert [line["seat"] for line in welcome["said"]] == [0]
            assert welcome["you"]["muted"] == [1]
            # What is said is outside the log.
            assert b"hear me" not in b"".join(site.store.log(a.table_id))
            # Said twice with the same ref, it is said once.
            first = await b.ask(type="chat", seat=1, text="once", ref="same")
            second = await b.ask(type="chat", seat=1, text="once", ref="same")
            assert first["type"] == second["type"] == "done"
            assert sum(line.text == "once" for line in site.store.said(a.table_id, 50)) == 1
            del ben

    asyncio.run(story())


def test_listed_tables_have_no_free_chat(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, b = await seated(site, listed=True)
            assert (await a.ask(type="set_chat", on=True))["code"] == "no_chat"
            assert (await b.ask(type="chat", seat=1, text="hi"))["code"] == "no_chat"

    asyncio.run(story())


def test_partners_say_nothing_while_a_round_is_played(tmp_path: Path) -> None:
    together = [
        (game, option.key, choice)
        for game in games().values()
        for option in game.options
        for choice in option.partners
        if option.players is None or 4 in option.players
    ]

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            assert together
            for game, key, choice in together:
                ann = Browser(site)
                seats = [{"kind": "me"}, {"kind": "bot", "level": 1}] * 2
                table = (await ann.table(game.key, seats, options={key: choice}, first=0))["id"]
                a = ann.socket(table)
                await a.hello()
                assert (await a.ask(type="say", seat=0, phrase="hello"))["type"] == "done"
                await a.shuffle()
                assert (await a.ask(type="say", seat=0, phrase="wow"))["code"] == "no_talk"
                assert (await a.ask(type="say", seat=1, phrase="wow"))["code"] == "not_your_seat"
                assert [line.phrase for line in site.store.said(table, 50)] == ["hello"]

    asyncio.run(story())


def test_the_host_removes_and_blocks(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            info = await ann.table(KEY, ME_AND_OPEN)
            a = ann.socket(info["id"])
            await a.hello()
            await ben.call("POST", f"/api/tables/{info['id']}/join", {})
            b = ben.socket(info["id"])
            await b.hello()
            await a.ask(type="remove", seat=1, block=True)
            with pytest.raises(Closed, match="4008"):
                await b.until(lambda frame: False)
            assert (await ben.call("POST", f"/api/tables/{info['id']}/join", {})).status == 403
            again = ben.socket(info["id"])
            again.send(type="hello")
            with pytest.raises(Closed, match="4008"):
                await again.next()
            assert (await a.ask(type="set_seat", seat=1, who="bot", level=2))["type"] == "update"
            assert a.status == "shuffling"

    asyncio.run(story())


def test_leaving_hands_the_seat_to_a_bot_and_the_game_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site)
            await b.ask(type="leave", seat=1)
            assert b.seen["you"]["seats"] == []
            assert b.view()["seat"] is None  # from now on a spectator
            await play_out(a)
            assert a.table["result"]["reason"] == "finished"
            assert (await ben.call("GET", "/api/me/tables")).json["tables"] == []
            del ann

    asyncio.run(story())


def test_deleting_my_data_leaves_games_without_my_name(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben, a, b = await seated(site, chat=True)
            await b.ask(type="chat", seat=1, text="my address is secret")
            assert (await ben.call("DELETE", "/api/me")).status == 204
            await settle(a)
            assert a.table["seats"][1]["kind"] == "bot"
            # The socket that is still open is nobody's any more.
            told = await b.until(lambda frame: frame["type"] == "you")
            assert told["you"] == {"seats": [], "host": False, "muted": []}
            assert (await b.ask(type="sit", seat=1))["code"] == "no_person"
            assert (await b.ask(type="say", seat=1, phrase="hello"))["code"] == "not_your_seat"
            await play_out(a)
            record = (await ann.call("GET", f"/api/tables/{a.table_id}/record")).raw
            assert b"Ben" not in record
            fresh = ann.socket(a.table_id)
            await fresh.hello()
            assert "Ben" not in fresh.frames[0]
            assert "secret" not in fresh.frames[0]
            assert (await ben.call("GET", "/api/me")).json == {"known": False, "name": None}

    asyncio.run(story())


def test_clocks_are_shown_and_at_zero_a_bot_moves(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, b = await seated(site, clock={"kind": "move", "seconds": 5})
            clock = a.seen["clock"]
            assert clock["running"] == a.view()["to_act"]
            assert 0 < clock["left"][0] <= 5000
            real = room_module.now_ms
            try:
                room_module.now_ms = lambda: real() + 6000
                site.lounge.rooms[a.table_id]._tick()
                await a.until(lambda frame: any(e["kind"] == "time_up" for e in frame.get("entries", [])))
                moved = await a.until(lambda frame: any(e["kind"] == "moved" for e in frame.get("entries", [])))
                assert moved["entries"][0]["by"] == "clock"
            finally:
                room_module.now_ms = real
            del b

    asyncio.run(story())


def test_a_restart_finds_everything_again(tmp_path: Path) -> None:
    async def story() -> None:
        setting = settings(tmp_path)
        async with running(setting) as site:
            ann, ben, a, b = await seated(site, clock={"kind": "game", "seconds": 600})
            wire = a if a.my_turn() is not None else b
            await wire.move(wire.view()["legal"][0])
            await settle(a, b)
            before = (a.seen["views"], a.seen["seq"])
            cookies = (ann.cookie, ben.cookie)
        async with running(setting) as site:
            ann = Browser(site)
            ann.cookie = cookies[0]
            tables = (await ann.call("GET", "/api/me/tables")).json["tables"]
            assert [card["id"] for card in tables] == [a.table_id]
            back = ann.socket(a.table_id)
            back.entries, back.seen = list(a.entries), dict(a.seen)
            await back.hello()
            assert back.seen["views"] == before[0]
            assert back.table["seats"][0]["name"] == "Ann"
            assert [entry["kind"] for entry in back.entries[before[1] :]] == ["restarted"]

    asyncio.run(story())


def test_records_go_out_and_come_in(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            for key, game in games().items():
                position = game.new(players=game.players[0], seed=5)
                for _ in range(6):
                    position.play(position.legal()[0])
                record = position.record()
                kept = await ann.call("POST", "/api/records", {"record": record})
                assert kept.status == 201, (key, kept.raw)
                out = (await ann.call("GET", f"/api/tables/{kept.json['id']}/record")).json
                assert out == json.loads(json.dumps(record))
                replay = (await ann.call("GET", f"/api/tables/{kept.json['id']}/replay?open=1")).json
                assert len(replay["rounds"][0]["views"]) == 7
                assert replay["open"] is True
                seen = (await ann.call("POST", "/api/replay?seat=1", {"record": record})).json
                assert {view["seat"] for view in seen["rounds"][0]["views"]} == {1}
                broken = {**record, "moves": [*record["moves"], "rubbish"]}
                refused = await ann.call("POST", "/api/records", {"record": broken})
                assert refused.json["error"]["data"]["place"] == "rounds[0].moves[6]"
            for bad in ({}, {"format": "x"}, {"format": "foxrow/1", "game": 5}):
                assert (await ann.call("POST", "/api/replay", {"record": bad})).json["error"]["code"] == "bad_record"

    asyncio.run(story())


def test_the_list_of_finished_games_goes_page_by_page(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            made = set()
            for _ in range(5):
                info = await ann.table(KEY, [{"kind": "me"}, {"kind": "me"}], listed=True)
                wire = ann.socket(info["id"])
                await wire.hello()
                await wire.shuffle()
                await wire.ask(type="leave", seat=0)
                await wire.ask(type="leave", seat=1)
                made.add(info["id"])
            await ann.call("PUT", "/api/me", {"name": "Ann"})  # on disk after everything before it
            found: list[str] = []
            more: str | None = ""
            while more is not None:
                page = (await ann.call("GET", f"/api/finished?limit=2&before={more}")).json
                found += [table["id"] for table in page["tables"]]
                more = page["more"]
            assert sorted(found) == sorted(made)
            for wrong in ("x", "1.", "-1", "1.%20", "9" * 20):
                assert (await ann.call("GET", f"/api/finished?before={wrong}")).json["error"]["data"] == {
                    "place": "before"
                }
            assert (await ann.call("GET", "/api/finished?before=1")).json["tables"] == []

    asyncio.run(story())


def test_everything_under_a_sub_path(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, root="/games/foxrow")) as site:
            ann = Browser(site)
            for prefix in ("", "/games/foxrow"):  # a proxy may take the root off, or not
                made = await ann.call("POST", f"{prefix}/api/tables", {"game": KEY, "seats": ME_AND_OPEN})
                assert made.status == 201
                assert "Path=/games/foxrow/;" in made.headers.get("set-cookie", "Path=/games/foxrow/;")
                page = await ann.call("GET", f"{prefix}/t/{made.json['id']}")
                if site.pages.built:
                    assert b'<base href="/games/foxrow/" />' in page.raw
                else:
                    assert page.status == 503

    asyncio.run(story())


def test_operators_see_how_it_goes(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, b = await seated(site)
            wire = a if a.my_turn() is not None else b
            await wire.move(wire.view()["legal"][0])
            ann = Browser(site)
            text = (await ann.call("GET", "/metrics")).raw.decode()
            assert 'foxrow_moves_total{by="person"} 1' in text
            assert "foxrow_sockets 2" in text
            assert (await ann.call("GET", "/health")).status == 200
            assert (await ann.call("GET", "/ready")).status == 200
            site.drain()
            assert (await ann.call("GET", "/ready")).status == 503
            refused = await ann.call("POST", "/api/tables", {"game": KEY, "seats": ME_AND_OPEN})
            assert (refused.status, refused.json["error"]["code"]) == (503, "draining")
            await settle(a, b)
            wire = a if a.my_turn() is not None else b
            assert (await wire.move(wire.view()["legal"][0]))["type"] == "update"  # who plays, plays on

    asyncio.run(story())


def test_chat_keeps_its_words_and_loses_what_nobody_sees(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _, _, a, _ = await seated(site, chat=True)
            family, persian = (
                "\U0001f468\u200d\U0001f469\u200d\U0001f467",
                "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            )
            said = {
                f"hi {family} there": f"hi {family} there",
                family: family,
                f"{persian} ok": f"{persian} ok",
                "turned\u202e round\x07 \n now": "turned round now",
            }
            for n, text in enumerate(said):
                assert (await a.ask(type="chat", seat=0, text=text, ref=f"c{n}"))["type"] == "done"
            assert [line.text for line in site.store.said(a.table_id, 50)] == list(said.values())
            for nothing in ("\u200d", "\u202e \x07", " "):
                assert (await a.ask(type="chat", seat=0, text=nothing))["type"] == "refused"

    asyncio.run(story())
