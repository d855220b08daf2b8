"""Hints: for who plays against bots alone, from nothing but the seat's view, and at its own turn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from foxrow.bots import Analyst
from foxrow.core.registry import games
from foxrow.core.stakes import Stakes
from foxrow.server import brains
from tests.server.visitor import Answer, Browser, Wire, running, settings, shuffle_all

GAMES = list(games())
BOT = {"kind": "bot", "level": 1}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brains, "Analyst", partial(Analyst, rollouts=24, simulations=40))


async def seated(browser: Browser, game: str, seats: list[Any]) -> Wire:
    """At a table that has just been dealt, with my turn and something to choose."""
    wire = browser.socket((await browser.table(game, seats))["id"])
    await wire.hello()
    await shuffle_all(wire)
    while True:
        turn = wire.my_turn()
        if turn is None:
            await wire.next()
        elif len(wire.view(turn)["legal"]) > 1:
            return wire
        else:
            await wire.move(wire.view(turn)["legal"][0])


async def two_ways(browser: Browser, next_turn: Callable[[int | None], bool]) -> tuple[Wire, str, str]:
    """A table of any game and two first moves of mine, each of which may be taken back, after which it is this seat's
    turn."""
    for _ in range(20):
        for game in GAMES:
            wire = await seated(browser, game, [{"kind": "me"}, BOT])
            board = browser.site.lounge.rooms[wire.table_id].table.board
            assert board is not None
            found = []
            for move in wire.view(0)["legal"]:
                board.play(move)
                if next_turn(board.to_act) and not board.card_left_pile():
                    found.append(move)
                board.take_back()
            if len(found) > 1:
                return wire, found[0], found[1]
    raise AssertionError("no game has two such moves")


async def hint(browser: Browser, table: str, seat: object = 0) -> Answer:
    return await browser.call("GET", f"/api/tables/{table}/hint?seat={seat}")


def code(answer: Answer) -> str:
    found: str = answer.json["error"]["code"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_names_moves_from_the_view_of_the_seat(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    counts: list[Stakes | None] = []
    advise = brains.advise

    def watched(key: str, packed: bytes, options: dict[str, Any], stakes: Stakes | None) -> Any:
        seen.append(packed)
        counts.append(stakes)
        return advise(key, packed, options, stakes)

    monkeypatch.setattr(brains, "advise", watched)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            wire = await seated(ann, game, [{"kind": "me"}, BOT])
            legal = wire.view(0)["legal"]
            found = await hint(ann, wire.table_id)
            assert found.status == 200, found.raw
            assert (found.json["round"], found.json["ply"]) == (wire.seen["round"], wire.seen["ply"])
            tried = found.json["tried"]
            assert tried and {one["move"] for one in tried} <= set(legal)
            chances = [one["chance"] for one in tried]
            assert max(chances) == chances[0] and all(0 <= chance <= 1 for chance in chances)
            board = site.lounge.rooms[wire.table_id].table.board
            assert board is not None
            assert seen == [brains.pack(board.masked(0))]
            assert counts == [site.lounge.rooms[wire.table_id].table.stakes]
            assert found.json["wins"] == Analyst(games()[game]).wins(counts[0], 0)
            assert (await hint(ann, wire.table_id)).json == found.json  # the same every time
            before = wire.seen["seq"]
            assert (await wire.move(tried[0]["move"]))["type"] == "update"
            assert wire.seen["seq"] > before
            assert not any("hint" in frame for frame in wire.frames)  # it left nothing at the table

    asyncio.run(story())


def test_who_may_not_have_one(tmp_path: Path) -> None:
    game = GAMES[0]

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, ben = Browser(site), Browser(site, "10.0.0.2")
            wire = await seated(ann, game, [{"kind": "me"}, BOT])
            for stranger in (ben, Browser(site, "10.0.0.3")):
                assert (await hint(stranger, wire.table_id)).status == 403
            for seat, wanted in ((1, "not_your_seat"), (99, "not_your_seat"), ("x", "malformed"), (-1, "malformed")):
                assert code(await hint(ann, wire.table_id, seat)) == wanted
            assert (await hint(ann, "nowhere")).status == 404

            open_one = await ann.table(game, [{"kind": "me"}, {"kind": "open"}])
            assert code(await hint(ann, open_one["id"])) == "not_playing"
            await ben.call("POST", f"/api/tables/{open_one['id']}/join", {"seat": 1, "name": "Ben"})
            a, b = ann.socket(open_one["id"]), ben.socket(open_one["id"])
            await a.hello()
            await b.hello()
            await shuffle_all(a, b)
            for browser, seat in ((ann, 0), (ben, 1)):
                refused = await hint(browser, open_one["id"], seat)
                assert (refused.status, code(refused)) == (403, "hint_others")
            await b.ask(type="leave", seat=1)  # a bot plays on: now she is alone
            while a.my_turn() is None:
                await a.next()
            assert (await hint(ann, open_one["id"])).status == 200
            assert (await hint(ben, open_one["id"], 1)).status == 403

    asyncio.run(story())


def test_two_people_on_one_device_are_not_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            wire = await seated(ann, GAMES[0], [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Ben"}])
            for seat in range(2):
                assert code(await hint(ann, wire.table_id, seat)) == "hint_others"

    asyncio.run(story())


def test_a_hint_about_what_was_taken_back_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After another move the table has as many moves as before, and is another one."""
    gate = threading.Event()
    advise = brains.advise

    def held(*given: Any) -> Any:
        gate.wait(20)
        return advise(*given)

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            wire, first, other = await two_ways(ann, lambda turn: turn == 0)
            await wire.move(first)
            monkeypatch.setattr(brains, "advise", held)
            asked = asyncio.create_task(hint(ann, wire.table_id))
            await asyncio.sleep(0.1)
            assert (await wire.ask(type="takeback", seat=0))["type"] == "update"
            await wire.move(other)
            gate.set()
            late = await asked
            assert (late.status, code(late)) == (409, "stale")
            assert (await hint(ann, wire.table_id)).status == 200

    asyncio.run(story())


def test_hints_wait_their_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks while the search is compiled comes again; what fails says so; an address may ask for two at once."""
    game = GAMES[0]

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            table = (await seated(ann, game, [{"kind": "me"}, BOT])).table_id
            site.lounge.bots._cold.add(game)
            assert (await hint(ann, table)).status == 503
            site.lounge.bots._cold.clear()

            def broken(*_: Any) -> None:
                raise ValueError("no advice")

            monkeypatch.setattr(brains, "advise", broken)
            assert code(await hint(ann, table)) == "failed"

            def slow(*_: Any) -> list[Any]:
                time.sleep(0.3)
                return []

            monkeypatch.setattr(brains, "advise", slow)
            asked = await asyncio.gather(*(hint(ann, table) for _ in range(3)))
            assert sorted(answer.status for answer in asked) == [200, 200, 429]
            monkeypatch.setattr("foxrow.server.analysis.PATIENCE", 0.05)
            assert code(await hint(ann, table)) == "busy"

    asyncio.run(story())
