"""Puzzles over HTTP: what the seat sees and no more, a verdict for a move, and clear words for everything else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

import pytest

from foxrow.bots.puzzles import puzzles
from foxrow.core.contract import Game
from foxrow.core.registry import games
from tests.server.visitor import Browser, running, settings

GAMES = [game for game in games().values() if puzzles(game)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_puzzle_is_a_view_and_its_moves_have_their_worth(game: Game, tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            cards = (await ann.call("GET", "/api/games")).json["games"]
            there = next(card for card in cards if card["key"] == game.key)["puzzles"]
            assert there == [puzzle.id for puzzle in puzzles(game)] and len(set(there)) == len(there)
            for number in (1, len(there)):
                puzzle = puzzles(game)[number - 1]
                path = f"/api/puzzle?game={game.key}&number={number}"
                shown = (await ann.call("GET", path)).json
                assert (shown["number"], shown["id"], shown["seat"]) == (number, puzzle.id, puzzle.seat)
                assert shown["view"] == puzzle.position.view(puzzle.seat)  # as it sees, nothing of the deal
                assert set(shown) == {"game", "number", "id", "missed", "seat", "view"}
                best, *others = puzzle.worth
                for move in (best, others[0], others[-1]):
                    verdict = (
                        await ann.call("GET", f"/api/puzzle/verdict?game={game.key}&number={number}&move={quote(move)}")
                    ).json
                    assert (verdict["best"], verdict["made"]) == (best, puzzle.worth[move])
                    assert (verdict["mark"] == "!") == (move == best)
                    after = (
                        await ann.call("GET", f"/api/puzzle/after?game={game.key}&number={number}&move={quote(move)}")
                    ).json
                    seen = puzzle.position.copy().play(move).view(puzzle.seat)
                    assert after == {"seat": puzzle.seat, "move": move, "view": seen}
                assert puzzle.position.view(puzzle.seat) == shown["view"]  # nothing has happened to the puzzle itself

    asyncio.run(story())


def test_what_there_is_not_is_said(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            key = GAMES[0].key
            for query, code in (
                ("", "unknown_game"),
                ("game=nothing&number=1", "unknown_game"),
                (f"game={key}", "unknown_puzzle"),
                (f"game={key}&number=999999", "unknown_puzzle"),
                (f"game={key}&number=-1", "malformed"),
            ):
                for path in ("puzzle", "puzzle/verdict", "puzzle/after"):
                    answer = await ann.call("GET", f"/api/{path}?{query}")
                    assert answer.json["error"]["code"] == code, (path, query)
            for move in ("", "%20", "%F0%9F%A6%8A", "9" * 4000, "pass%00"):
                for path in ("puzzle/verdict", "puzzle/after"):
                    answer = await ann.call("GET", f"/api/{path}?game={key}&number=1&move={move}")
                    assert answer.json["error"]["code"] in ("parse", "illegal", "ambiguous"), move
            assert (await ann.call("POST", "/api/puzzle", {})).status == 405

    asyncio.run(story())
