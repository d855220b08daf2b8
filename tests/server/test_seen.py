"""What somebody has seen of a match that goes on: the same as when it happened, for whoever saw it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from foxrow.core.registry import games
from tests.server.visitor import Browser, Json, running, settings, shuffle_all

GAMES = list(games())


@pytest.mark.parametrize("game", GAMES)
def test_what_was_seen_can_be_seen_again_by_the_same_eyes_alone(game: str, tmp_path: Path) -> None:
    async def story() -> None:
        chance = random.Random(5)
        async with running(settings(tmp_path)) as site:
            ann, ben, eve = Browser(site), Browser(site, "10.0.0.2"), Browser(site, "10.0.0.3")
            table = (await ann.table(game, [{"kind": "me"}, {"kind": "open"}]))["id"]
            path = f"/api/tables/{table}/views?round=0&from=0"
            assert (await ann.call("GET", f"{path}&seat=0")).json["error"]["code"] == "never_dealt"
            await ben.call("POST", f"/api/tables/{table}/join", {"seat": 1, "name": "Ben"})
            wires = [browser.socket(table) for browser in (ann, ben, eve)]
            for wire in wires:
                await wire.hello()
            await shuffle_all(*wires[:2])
            seen: list[list[Json]] = [[], [], []]
            for ply in range(24):
                for wire, views in zip(wires, seen, strict=True):
                    while wire.seen.get("ply") != ply or wire.status != "playing":
                        await wire.next()
                    views.append(wire.seen["views"][0])
                acting = next((wire for wire in wires if wire.my_turn() is not None), None)
                assert acting is not None
                legal = acting.view(acting.my_turn())["legal"]
                await acting.move(chance.choice(legal))
                if acting.status != "playing" or acting.seen["views"][0]["over"]:
                    break
            for browser, seat, views in zip((ann, ben, eve), ("0", "1", "none"), seen, strict=True):
                found = await browser.call("GET", f"{path}&seat={seat}")
                assert found.status == 200, found.raw
                assert found.json["views"][: len(views)] == views
                later = await browser.call("GET", f"/api/tables/{table}/views?round=0&from=3&seat={seat}")
                assert later.json["views"][: len(views) - 3] == views[3:]
            for browser, seat in ((ann, "1"), (ben, "0"), (eve, "0"), (eve, "1"), (ann, "9")):
                assert (await browser.call("GET", f"{path}&seat={seat}")).status == 403
            # Asking for open cards changes nothing.
            assert (await eve.call("GET", f"{path}&seat=none&open=1")).json["views"][: len(seen[2])] == seen[2]
            for wrong in ("round=7&from=0", "round=0&from=9999"):
                asked = await eve.call("GET", f"/api/tables/{table}/views?seat=none&{wrong}")
                assert asked.json["error"]["code"] == "bad_page"

    asyncio.run(story())
