"""What strangers try: other people's seats, forged tokens, guessed links, other sites, rubbish, floods."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import string
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foxrow.server.identity import LIFE, Signer
from foxrow.server.settings import Limits
from tests.match.tables import any_game
from tests.server.visitor import WIDE, Browser, Closed, Wire, running, settings, shuffle_all

ME_AND_OPEN = [{"kind": "me"}, {"kind": "open"}]
KEY = any_game().key


async def a_game(site: Any) -> tuple[Browser, Browser, Wire, Wire]:
    ann, ben = Browser(site), Browser(site, "10.0.0.2")
    info = await ann.table(KEY, ME_AND_OPEN, first=0)
    await ben.call("POST", f"/api/tables/{info['id']}/join", {})
    a, b = ann.socket(info["id"]), ben.socket(info["id"])
    await a.hello()
    await b.hello()
    await shuffle_all(a, b)
    return ann, ben, a, b


def test_nobody_acts_for_another_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _ann, _, a, b = await a_game(site)
            eve = Browser(site, "10.0.0.9")
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            spy = eve.socket(a.table_id)
            await spy.hello()
            nobody = Browser(site, "10.0.0.8").socket(a.table_id)
            await nobody.hello()
            assert spy.view()["seat"] is None
            assert spy.view()["legal"] == []
            text = a.view(0)["legal"][0]
            for wire in (spy, nobody, b):
                tries: list[dict[str, Any]] = [
                    {"type": "move", "seat": 0, "round": 0, "ply": 0, "text": text},
                    {"type": "takeback", "seat": 0},
                    {"type": "takeback_answer", "seat": 0, "yes": True},
                    {"type": "leave", "seat": 0},
                    {"type": "say", "seat": 0, "phrase": "hello"},
                    {"type": "chat", "seat": 0, "text": "hi"},
                    {"type": "commit", "seat": 0, "commit": "0" * 64},
                    {"type": "reveal", "seat": 0, "seed": "0" * 64},
                    {"type": "ready", "seat": 0},
                    {"type": "rematch", "seat": 0},
                ]
                for frame in tries:
                    answer = await wire.ask(**frame)
                    assert (answer["type"], answer["code"]) == ("refused", "not_your_seat"), frame
                hosting: list[dict[str, Any]] = [
                    {"type": "remove", "seat": 0},
                    {"type": "set_seat", "seat": 1, "who": "open"},
                    {"type": "set_chat", "on": True},
                ]
                for frame in hosting:
                    assert (await wire.ask(**frame))["code"] == "not_host"
                assert (await wire.ask(type="sit", seat=0))["type"] == "refused"
            assert a.seen["seq"] == len(site.store.log(a.table_id))

    asyncio.run(story())


def test_forged_broken_and_old_tokens_are_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, _ = await a_game(site)
            good = (ann.cookie or "").removeprefix("foxrow=")
            person, made, signature = good.split(".")
            other = Signer(b"x" * 32).token(person)
            forged = [
                "", "x", good[:-1], good + "x", f"{person}.{made}.{'A' * 43}", other, f"{'B' * 22}.{made}.{signature}",
                f"{person}.{int(made) + 1:010d}.{signature}", site.signer.token(person, 1_000_000_000),
                site.signer.token("C" * 22), "é" * 50, "a" * 5000, good.swapcase(),
            ]  # fmt: skip
            for token in forged:
                eve = Browser(site, "10.0.0.9")
                eve.cookie = f"foxrow={token}"
                assert (await eve.call("GET", "/api/me")).json == {"known": False, "name": None}
                wire = eve.socket(a.table_id)
                welcome = await wire.hello()
                assert welcome["you"]["seats"] == []
                await wire.drop()
            assert site.signer.person(good) == person
            assert site.signer.person(good, int(made) + LIFE + 1) is None

    asyncio.run(story())


def test_a_deleted_persons_token_is_dead(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, _ = await a_game(site)
            cookie = ann.cookie
            assert (await ann.call("DELETE", "/api/me")).status == 204
            assert ann.cookie is None
            ann.cookie = cookie
            assert (await ann.call("GET", "/api/me")).json["known"] is False
            wire = ann.socket(a.table_id)
            assert (await wire.hello())["you"]["seats"] == []

    asyncio.run(story())


def test_other_sites_cannot_speak_for_a_visitor(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, origins=("https://friend.example",))) as site:
            ann, _, a, _ = await a_game(site)
            for origin in ("https://evil.example", "null", "http://foxrow.test.evil.example", "file://", "http://[bad"):
                wire = ann.socket(a.table_id, {"origin": origin})
                with pytest.raises(Closed):
                    await wire.next()
                assert not wire.accepted
                assert wire.refused == 403
                made = await ann.call(
                    "POST", "/api/tables", {"game": KEY, "seats": ME_AND_OPEN}, headers={"origin": origin}
                )
                assert made.status == 403
            sly = await ann.call("DELETE", "/api/me", headers={"sec-fetch-site": "cross-site"})
            assert sly.status == 403
            for origin in ("http://foxrow.test", "https://foxrow.test", "https://friend.example"):
                wire = ann.socket(a.table_id, {"origin": origin})
                await wire.hello()
            form = await ann.call(
                "POST",
                "/api/tables",
                {"game": KEY, "seats": ME_AND_OPEN},
                headers={"content-type": "text/plain", "origin": "http://foxrow.test"},
            )
            assert form.status == 415

    asyncio.run(story())


def test_links_cannot_be_guessed(tmp_path: Path) -> None:
    async def story() -> None:
        limits = Limits(misses=0.01, misses_burst=10)
        async with running(settings(tmp_path, limits)) as site:
            eve = Browser(site, "10.0.0.9")
            answers = [(await eve.call("GET", f"/api/tables/{'guess' + str(n):0>22}")).status for n in range(30)]
            assert answers[:10] == [404] * 10
            assert set(answers[10:]) == {429}
            wire = eve.socket("g" * 22)
            wire.send(type="hello")
            with pytest.raises(Closed) as closed:
                await wire.next()
            assert closed.value.code == 4002
            # Somebody else is not held up by it.
            assert (await Browser(site, "10.0.0.7").call("GET", f"/api/tables/{'x' * 22}")).status == 404

    asyncio.run(story())


def test_ids_have_128_random_bits() -> None:
    from foxrow.server.identity import new_id

    made = {new_id() for _ in range(1000)}
    assert len(made) == 1000
    assert all(len(one) == 22 for one in made)


def test_private_tables_are_in_no_list(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            info = await ann.table(KEY, ME_AND_OPEN)
            eve = Browser(site, "10.0.0.9")
            for path in ("/api/lobby", "/api/finished", "/api/me/tables"):
                assert info["id"] not in (await eve.call("GET", path)).raw.decode()
            assert info["id"] in (await ann.call("GET", "/api/me/tables")).raw.decode()
            assert info["id"] not in (await eve.call("GET", "/metrics")).raw.decode()

    asyncio.run(story())


def test_records_and_replays_wait_for_the_end(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, _, a, _ = await a_game(site)
            for path in ("record", "replay", "replay?open=1", "replay?seat=1"):
                answer = await ann.call("GET", f"/api/tables/{a.table_id}/{path}")
                assert answer.status == 409
                assert answer.json["error"]["code"] == "not_over"
            room = site.lounge.rooms[a.table_id]
            secret, seed = room.table.setting.secret, (room.table.draw.deal or b"").hex()
            for frame in a.frames:
                assert secret not in frame
                assert seed not in frame
                assert '"secret"' not in frame

    asyncio.run(story())


def mutated(chance: random.Random, good: list[str]) -> str:
    """A frame that is nearly right, or not at all."""
    kind = chance.randrange(6)
    if kind == 0:
        return "".join(chance.choices(string.printable, k=chance.randrange(200)))
    if kind == 1:
        return json.dumps(chance.choice([None, 1, [], "x", {}, {"type": None}, {"type": "move"}, [[[[]]]], True]))
    text = chance.choice(good)
    if kind == 2:
        at = chance.randrange(len(text))
        return text[:at] + chance.choice(string.printable) + text[at + chance.randrange(3) :]
    data = json.loads(text)
    key = chance.choice(list(data))
    odd: list[Any] = [
        None,
        -1,
        10**30,
        1.5,
        "",
        "x" * 300,
        [],
        {},
        True,
        "\u0000",
        "\ud800",
        2**63,
        "'; DROP TABLE events; --",
    ]
    if kind == 3:
        data[key] = chance.choice(odd)
    elif kind == 4:
        del data[key]
    else:
        data[chance.choice(["extra", "seat", "type", "person", "__proto__"])] = chance.choice(odd)
    return json.dumps(data)


def test_a_hundred_thousand_malformed_frames_change_nothing(tmp_path: Path) -> None:
    """Fewer by default, to keep the suite quick; the decoder alone gets all of them."""
    import msgspec

    from foxrow.server import messages as ms
    from foxrow.server.socket import decode

    chance = random.Random(5)
    good = [
        json.dumps({"type": "move", "ref": "r", "seat": 1, "round": 0, "ply": 0, "text": "7"}),
        json.dumps({"type": "sit", "seat": 0, "name": "Eve"}),
        json.dumps({"type": "commit", "seat": 0, "commit": "0" * 64}),
        json.dumps({"type": "chat", "seat": 0, "text": "hello"}),
        json.dumps({"type": "set_seat", "seat": 0, "who": "bot", "level": 3}),
        json.dumps({"type": "remove", "seat": 0, "block": True}),
        json.dumps({"type": "hello", "since": 0}),
    ]
    for _ in range(100_000):
        try:
            request = decode(mutated(chance, good))
        except (msgspec.ValidationError, msgspec.DecodeError, UnicodeError):
            continue
        assert isinstance(request, ms.Request)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            _ann, _ben, a, _b = await a_game(site)
            eve = Browser(site, "10.0.0.9")
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            before = site.store.log(a.table_id)
            for _ in range(60):
                wire = eve.socket(a.table_id)
                wire.send(type="hello")
                for _ in range(50):
                    wire.send_raw(mutated(chance, good))
                try:
                    while True:
                        await wire.next(0.05)
                except (Closed, TimeoutError):
                    await wire.drop()
            assert site.store.log(a.table_id) == before
            # The others play on as if nothing had happened.
            answer = await a.move(a.view(0)["legal"][0])
            assert answer["type"] == "update"

    asyncio.run(story())


def test_nobody_shuts_a_table_by_looking_on(tmp_path: Path) -> None:
    async def story() -> None:
        limits = replace(WIDE, spectators=4, spectators_of_address=3)
        async with running(settings(tmp_path, limits)) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            seats = [{"kind": "bot", "level": 1}, {"kind": "open"}]
            table = (await ann.table(KEY, seats))["id"]  # the host looks on
            await ben.call("PUT", "/api/me", {"name": "Ben"})

            async def comes(browser: Browser) -> bool:
                wire = browser.socket(table)
                with contextlib.suppress(Closed):
                    await wire.hello()
                return wire.closed is None

            eve = [await comes(Browser(site, "6.6.6.6")) for _ in range(5)]
            assert eve == [True] * 3 + [False] * 2
            assert [await comes(Browser(site, f"10.0.1.{n}")) for n in range(2)] == [True, False]
            assert await comes(ben)  # there is a seat for him
            assert await comes(ann)
            await ben.call("POST", f"/api/tables/{table}/join", {"seat": 1})
            cat = Browser(site, "10.0.0.3")
            await cat.call("PUT", "/api/me", {"name": "Cat"})
            assert not await comes(cat)
            assert await comes(ben)
            assert await comes(ann)

    asyncio.run(story())


def test_sockets_that_do_not_behave_are_closed(tmp_path: Path) -> None:
    async def story() -> None:
        limits = Limits(hello=0.05, spectators=2, sockets_of_person=3, requests=1, requests_burst=5, backlog=20_000)
        async with running(settings(tmp_path, limits)) as site:
            ann = Browser(site)
            info = await ann.table(KEY, ME_AND_OPEN)
            table = info["id"]

            async def closed(browser: Browser, *frames: str, where: str = table) -> int:
                wire = browser.socket(where)
                for frame in frames:
                    wire.send_raw(frame)
                with pytest.raises(Closed) as caught:
                    await wire.until(lambda got: False, 5)
                return caught.value.code

            hello = json.dumps({"type": "hello"})
            assert await closed(ann) == 4000
            assert await closed(ann, json.dumps({"type": "ping"})) == 4000
            assert await closed(ann, "rubbish") == 4005
            assert await closed(ann, json.dumps({"type": "hello", "protocol": 99})) == 4006
            assert await closed(ann, hello, where="no-such-table-at-all") == 4004
            assert await closed(ann, hello, *["rubbish"] * 30) == 4005
            watching = [Browser(site, f"10.1.0.{n}").socket(table) for n in range(2)]
            for wire in watching:
                await wire.hello()
            assert await closed(Browser(site, "10.1.0.9"), hello) == 4007
            mine = [ann.socket(table) for _ in range(3)]
            for wire in mine:
                await wire.hello()
            more = ann.socket(table)
            with pytest.raises(Closed):
                await more.hello()
            assert more.refused == 429
            # Too many requests are refused, with the time to wait.
            for n in range(8):
                mine[0].send(type="set_chat", on=True, ref=f"x{n}")
            answers = [await mine[0].until(lambda got: got["type"] in ("refused", "update")) for _ in range(8)]
            assert "too_many" in [answer.get("code") for answer in answers]

    asyncio.run(story())


def test_who_does_not_read_is_dropped_and_the_others_play_on(tmp_path: Path) -> None:
    from foxrow.server.socket import Socket

    async def story() -> None:
        async with running(settings(tmp_path, Limits(backlog=10_000))) as site:
            _ann, _, a, b = await a_game(site)
            stuck = asyncio.Event()
            room = site.lounge.rooms[a.table_id]
            slow = Socket(None, "10.0.0.9", 10_000)

            async def never(message: Any) -> None:
                if message["type"] == "websocket.send":
                    await stuck.wait()

            task = asyncio.create_task(slow.drain(never))
            room.attach(slow, 0)
            for _ in range(40):
                wire = a if a.my_turn() is not None else b
                if wire.my_turn() is None:
                    break
                await wire.move(wire.view()["legal"][0])
                await asyncio.sleep(0)
                for other in (a, b):
                    while not other._out.empty():
                        await other.next()
            assert slow._close == 4001
            assert not slow._out
            stuck.set()
            await task

    asyncio.run(story())


def test_bodies_are_limited_and_checked(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            assert (await ann.call("POST", "/api/tables", raw=b"x" * 100_000)).status == 413
            huge = json.dumps({"record": {"x": "y" * 2_000_000}}).encode()
            assert (await ann.call("POST", "/api/records", raw=huge)).status == 413
            lying = await ann.call("POST", "/api/tables", raw=b"{" * 70_000, headers={"content-length": "5"})
            assert lying.status == 413
            for raw in (
                b"",
                b"{",
                b"[]",
                b"null",
                b"\xff\xfe",
                b'{"game": 1}',
                b"[" * 50_000,
                b'{"game":"x","seats":[]}',
            ):
                answer = await ann.call("POST", "/api/tables", raw=raw)
                assert answer.status == 400, raw
                assert answer.json["error"]["code"] == "malformed"
            for body, code in (
                ({"game": "nothing", "seats": ME_AND_OPEN}, "unknown_game"),
                ({"game": KEY, "seats": [{"kind": "me"}]}, "bad_players"),
                ({"game": KEY, "seats": ME_AND_OPEN, "options": {"x": True}}, "bad_option"),
                ({"game": KEY, "seats": ME_AND_OPEN, "match": 9999}, "bad_match"),
                ({"game": KEY, "seats": [{"kind": "me"}, {"kind": "bot", "level": 77}]}, "bad_level"),
                ({"game": KEY, "seats": [{"kind": "me"}, {"kind": "open", "level": 1}]}, "bad_seats"),
                ({"game": KEY, "seats": [{"kind": "me", "name": "\u202eevil"}, {"kind": "open"}]}, "bad_name"),
                ({"game": KEY, "seats": ME_AND_OPEN, "listed": True, "chat": True}, "no_chat"),
                ({"game": KEY, "seats": ME_AND_OPEN, "first": 5}, "bad_seats"),
            ):
                answer = await ann.call("POST", "/api/tables", body)
                assert answer.status == 422, body
                assert answer.json["error"]["code"] == code
            assert site.store.running() == []
            for name in ("", " ", "x" * 25, "a\u0000b", "\u200b"):
                assert (await ann.call("PUT", "/api/me", {"name": name})).status in (400, 422)

    asyncio.run(story())


def test_floods_are_held_back_per_address(tmp_path: Path) -> None:
    async def story() -> None:
        limits = Limits(calls=1, calls_burst=20, new_tables=0.01, new_tables_burst=3)
        async with running(settings(tmp_path, limits)) as site:
            eve, ann = Browser(site, "10.0.0.9"), Browser(site)
            made = [(await eve.call("POST", "/api/tables", {"game": KEY, "seats": ME_AND_OPEN})) for _ in range(6)]
            assert [answer.status for answer in made] == [201] * 3 + [429] * 3
            assert int(made[-1].headers["retry-after"]) > 0
            answers = [(await eve.call("GET", "/api/games")).status for _ in range(40)]
            assert 429 in answers
            assert (await ann.call("GET", "/api/games")).status == 200

    asyncio.run(story())


def test_sockets_replays_and_words_have_a_measure(tmp_path: Path) -> None:
    async def story() -> None:
        few = Limits(sockets_of_address=2, replays=1e-6, replays_burst=2, says=1e-6, says_burst=2, bots_of_person=3)
        async with running(settings(tmp_path, few)) as site:
            assert site.lounge.bots._most == 3  # what that means: tests/server/test_pool.py
            ann, eve = Browser(site), Browser(site, "10.0.0.9")
            table = (await ann.table(KEY, ME_AND_OPEN))["id"]
            wires = [ann.socket(table) for _ in range(2)]
            for wire in wires:
                await wire.hello()
            third = Browser(site).socket(table)
            with pytest.raises(Closed):
                await third.until(lambda got: False, 5)
            assert third.refused == 429
            await eve.socket(table).hello()
            said = [await wires[0].ask(type="say", seat=0, phrase="hello") for _ in range(3)]
            assert [answer.get("code") for answer in said] == [None, None, "too_many"]
            record = {
                "format": "foxrow/1",
                "game": KEY,
                "players": ["A", "B"],
                "deal": {"seed": "00" * 32},
                "moves": [],
            }
            looks = [(await ann.call("POST", "/api/replay?seat=0", {"record": record})).status for _ in range(3)]
            assert looks == [200, 200, 429]
            assert (await eve.call("POST", "/api/replay?seat=0", {"record": record})).status == 200

    asyncio.run(story())


def test_a_person_has_so_many_tables(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, Limits(tables_of_person=2, tables=3))) as site:
            ann = Browser(site)
            tables = [await ann.table(KEY, ME_AND_OPEN) for _ in range(2)]
            more = await ann.call("POST", "/api/tables", {"game": KEY, "seats": ME_AND_OPEN})
            assert more.json["error"]["code"] == "too_many_tables"
            ben = Browser(site, "10.0.0.2")
            other = await ben.table(KEY, ME_AND_OPEN)
            assert (await ann.call("POST", f"/api/tables/{other['id']}/join", {})).status == 429
            wire = ann.socket(tables[0]["id"])
            await wire.hello()
            await wire.ask(type="leave", seat=0)
            # And so many in all.
            full = await Browser(site, "10.0.0.3").call("POST", "/api/tables", {"game": KEY, "seats": ME_AND_OPEN})
            assert full.json["error"] == {"code": "too_many_tables", "data": {"most": 3}}

    asyncio.run(story())


def test_headers_keep_pages_to_themselves(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            for path in ("/", "/api/games", "/t/abc", "/nothing.js"):
                headers = (await ann.call("GET", path)).headers
                policy = headers["content-security-policy"]
                assert "default-src 'self'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "script-src 'self';" in policy
                assert "unsafe" not in policy
                assert headers["x-content-type-options"] == "nosniff"
                assert headers["referrer-policy"] == "same-origin"
                assert "server" not in headers
            made = await ann.call("PUT", "/api/me", {"name": "Ann"})
            cookie = made.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert "Path=/;" in cookie

    asyncio.run(story())
