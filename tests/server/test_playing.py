"""Whole games at one table, of every game there is: people, bots, a spectator, rematch."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from foxrow.core.registry import games
from foxrow.core.stakes import Stakes
from foxrow.match import fairness
from foxrow.server import brains
from tests.server.visitor import Browser, Wire, running, settings, shuffle_all

GAMES = list(games())


async def play_out(*wires: Wire, moves: int = 2000, seed: int = 1) -> None:
    """Everybody plays any legal move until the match is over."""
    chance = random.Random(seed)
    for _ in range(moves):
        for wire in wires:
            while not wire._out.empty():
                await wire.next()
        if all(wire.status == "over" for wire in wires):
            return
        acting = next((wire for wire in wires if wire.my_turn() is not None), None)
        if acting is not None:
            seat = acting.my_turn()
            answer = await acting.move(chance.choice(acting.view(seat)["legal"]))
            assert answer["type"] == "update", answer
            continue
        for wire in wires:
            if wire.status == "pause" and wire.seen["you"]["seats"]:
                await wire.ask(type="ready", seat=wire.seen["you"]["seats"][0])
        if any(wire.my_turn() is not None for wire in wires):
            continue  # the round began while somebody waited for an answer
        waiting = [asyncio.create_task(wire.next(20)) for wire in wires if wire.status != "over"]
        if not waiting:
            return
        told, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        for task in told:
            task.result()  # or nobody was told anything
    raise AssertionError("the match did not end")


@pytest.mark.parametrize("game", GAMES)
def test_two_people_a_bot_where_there_is_room_and_a_spectator_play_a_match(game: str, tmp_path: Path) -> None:
    async def story() -> None:
        counts = games()[game].players
        bots = [{"kind": "bot", "level": 3}] if 3 in counts else []
        async with running(settings(tmp_path)) as site:
            ann, ben, eve = Browser(site), Browser(site, "10.0.0.2"), Browser(site, "10.0.0.3")
            await ann.call("PUT", "/api/me", {"name": "Ann"})
            info = await ann.table(game, [{"kind": "me"}, {"kind": "open"}, *bots], listed=True)
            assert info["status"] == "open"
            assert [card["id"] for card in (await eve.call("GET", "/api/lobby")).json["open"]] == [info["id"]]
            a, e = ann.socket(info["id"]), eve.socket(info["id"])
            await a.hello()
            await e.hello()
            await ben.call("PUT", "/api/me", {"name": "Ben"})
            joined = await ben.call("POST", f"/api/tables/{info['id']}/join", {})
            assert joined.status == 200
            assert [seat["name"] for seat in joined.json["seats"]][:2] == ["Ann", "Ben"]
            b = ben.socket(info["id"])
            await b.hello()
            await a.until(lambda frame: a.status == "shuffling")
            await shuffle_all(a, b)
            await play_out(a, b, e)
            result = a.table["result"]
            assert result["reason"] == "finished"
            assert result["winners"]
            assert a.entries == b.entries == e.entries
            assert (await eve.call("GET", "/api/lobby")).json == {"open": [], "playing": [], "more": None}
            record = (await eve.call("GET", f"/api/tables/{info['id']}/record")).json
            assert fairness.faults(record) == []
            assert fairness.taking_part(record) == [0, 1]
            assert record["fair"]["seats"][0]["seed"] == a.seeds[0].hex()
            for query in ("open=1", "seat=0", "seat=none"):
                replay = (await eve.call("GET", f"/api/tables/{info['id']}/replay?{query}")).json
                assert [len(r["views"]) - len(r["moves"]) for r in replay["rounds"]] == [1] * len(record["rounds"])
            finished = (await eve.call("GET", f"/api/finished?game={game}&player=Ben")).json["tables"]
            assert [card["id"] for card in finished] == [info["id"]]
            # The rematch: both agree, the starter moves on.
            first = record["rounds"][0]["first"]
            await a.ask(type="rematch", seat=0)
            await b.ask(type="rematch", seat=1)
            await a.until(lambda frame: a.table["next"] is not None)
            again = ann.socket(a.table["next"])
            await again.hello()
            assert [seat["name"] for seat in again.table["seats"]][:2] == ["Ann", "Ben"]
            other = ben.socket(a.table["next"])
            await other.hello()
            await shuffle_all(again, other)
            dealt = next(entry for entry in again.entries if entry["kind"] == "dealt")
            assert dealt["first"] == (first + 1) % len(again.table["seats"])

    asyncio.run(story())


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_is_told_what_its_round_counts_for(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where points add up: everybody's so far and how many rounds are left. Elsewhere, and in a single one, nothing."""
    told: list[Stakes | None] = []
    choose = brains.choose

    def heard(key: str, view: bytes, options: Any, level: int, seconds: float, stakes: Stakes | None = None) -> str:
        told.append(stakes)
        return choose(key, view, options, brains.THUMB, seconds)

    monkeypatch.setattr(brains, "choose", heard)
    rule = games()[game].match

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            for match in sorted({rule.low, rule.default}):
                told.clear()
                wanted = {} if rule.setting is None else {"match": match}
                info = await ann.table(game, [{"kind": "me"}, {"kind": "bot", "level": 3}], **wanted)
                wire = ann.socket(info["id"])
                await wire.hello()
                await shuffle_all(wire)
                await play_out(wire)
                points = [entry["totals"] for entry in wire.entries if entry["kind"] == "round_ended"]
                if rule.kind == "cycles" and match > 0:
                    assert len(points) == 2
                    assert set(told) == {Stakes((0, 0), 1), Stakes(tuple(points[0]), 0)}
                else:
                    assert set(told) == {None}

    asyncio.run(story())
