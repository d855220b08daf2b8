"""How somebody has played: every finished game counts once, for the one who played it, against whom it was."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.server.messages import Tally
from foxrow.server.tally import tally
from foxrow.store.interface import TableRow
from tests.server.test_playing import play_out
from tests.server.visitor import Browser, running, settings, shuffle_all

ME: dict[str, Any] = {"kind": "person", "level": None, "out": False}


def bot(level: int) -> dict[str, Any]:
    return {"kind": "bot", "level": level, "out": False}


def row(game: Game, seats: Sequence[dict[str, Any]], winners: list[int], **more: Any) -> TableRow:
    result = {"reason": more.pop("reason", "finished"), "winners": winners, "totals": [0] * len(seats)}
    lines = {"options": {}, "match": {}, "seats": list(seats), "result": result, **more}
    return TableRow("t", game.key, "over", False, "ann", 1, 2, msgspec.json.encode(lines))


def test_games_are_counted_by_whom_they_were_against() -> None:
    first, second, *_ = games().values()
    found = tally(
        [
            (row(first, [ME, bot(3)], [0]), [0]),
            (row(first, [bot(3), ME], [0]), [1]),
            (row(first, [ME, bot(3)], [0, 1]), [0]),
            (row(first, [ME, bot(1), bot(7)], [0]), [0]),  # against the strongest
            (row(first, [ME, bot(1), ME], [2]), [0]),  # people were among them
            (row(second, [ME, ME], [0], reason="forfeit"), [0]),
            (row(second, [ME, bot(4) | {"dealt": True}], [0]), [0]),  # a bot sat down where somebody left
            (row(second, [ME, ME], [], reason="abandoned"), [0]),  # nobody played that to an end
            (row(second, [ME, ME], [0]), [0, 1]),  # one device for both
        ]
    )
    assert found == [
        Tally(game=first.key, level=3, played=3, won=1, shared=1),
        Tally(game=first.key, level=7, played=1, won=1, shared=0),
        Tally(game=first.key, level=None, played=1, won=0, shared=0),
        Tally(game=second.key, level=None, played=2, won=2, shared=0),
    ]


def test_partners_win_together_and_are_no_opponents() -> None:
    for game in games().values():
        for option in game.options:
            for choice in option.partners:
                for partner in (bot(7), ME):
                    rows = [(row(game, [ME, bot(2), partner, bot(1)], [0, 2], options={option.key: choice}), [0])]
                    assert tally(rows) == [Tally(game=game.key, level=2, played=1, won=1, shared=0)]


def test_a_game_that_is_gone_counts_no_more() -> None:
    gone = TableRow("t", "gone", "over", False, "ann", 1, 2, row(next(iter(games().values())), [ME, bot(1)], [0]).card)
    assert tally([(gone, [0])]) == []


def test_what_was_played_is_told_to_who_played_it_alone(tmp_path: Path) -> None:
    game = next(game for game in games().values() if game.match.kind == "single")

    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann, eve = Browser(site), Browser(site, "10.0.0.3")
            assert (await ann.call("GET", "/api/me/tally")).json == {"tallies": []}
            won = 0
            for n in range(2):
                info = await ann.table(game.key, [{"kind": "me"}, {"kind": "bot", "level": 2}])
                wire = ann.socket(info["id"])
                await wire.hello()
                await shuffle_all(wire)
                if n == 0:
                    assert (await ann.call("GET", "/api/me/tally")).json == {"tallies": []}  # it goes on
                await play_out(wire, seed=n)
                won += (await ann.call("GET", f"/api/tables/{info['id']}")).json["result"]["winners"] == [0]
            async with asyncio.timeout(20):  # the index follows the log
                while sum(one["played"] for one in (await ann.call("GET", "/api/me/tally")).json["tallies"]) < 2:
                    await asyncio.sleep(0.05)
            found = (await ann.call("GET", "/api/me/tally")).json["tallies"]
            assert [(one["game"], one["level"], one["played"], one["won"]) for one in found] == [(game.key, 2, 2, won)]
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            assert (await eve.call("GET", "/api/me/tally")).json == {"tallies": []}
            await ann.call("DELETE", "/api/me")
            assert (await ann.call("GET", "/api/me/tally")).json == {"tallies": []}

    asyncio.run(story())
