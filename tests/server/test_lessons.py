"""Lessons over HTTP: the learner's view and no more, what the others do, and clear words for everything else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from foxrow.core.contract import Game
from foxrow.core.lessons import lessons
from foxrow.core.registry import games
from tests.server.visitor import Browser, running, settings

GAMES = [game for game in games().values() if lessons(game)]


def path(key: str, number: int, moves: list[str]) -> str:
    return f"/api/lesson?game={key}&number={number}&moves={quote(';'.join(moves))}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_lesson_goes_step_by_step(game: Game, tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            cards = (await ann.call("GET", "/api/games")).json["games"]
            there = next(card for card in cards if card["key"] == game.key)["lessons"]
            assert there == [lesson.id for lesson in lessons(game)]
            for number, lesson in enumerate(lessons(game), 1):
                moves: list[str] = []
                before: dict[str, Any] = {}
                while True:
                    now = (await ann.call("GET", path(game.key, number, moves))).json
                    position = lesson.play(moves)
                    assert (now["id"], now["number"], now["seat"]) == (lesson.id, number, lesson.seat)
                    assert (now["step"], now["steps"]) == (len(moves), len(lesson.steps))
                    assert now["view"] == position.view(lesson.seat)  # as the learner sees it, nothing more
                    made = [one["move"] for one in now["happened"]]
                    if moves:
                        assert made[0] == moves[-1] and now["happened"][0]["seat"] == lesson.seat
                        assert now["happened"][-1]["view"] == now["view"]
                        assert made == position.moves[len(position.moves) - len(made) :]
                        for one in now["happened"]:
                            assert one["view"]["seat"] == lesson.seat
                        assert before["accepts"]
                    else:
                        assert made == []
                    if now["step"] == now["steps"]:
                        assert now["accepts"] == []
                        break
                    moves.append(now["accepts"][0])
                    before = now
                over = await ann.call("GET", path(game.key, number, [*moves, moves[-1]]))
                assert (over.status, over.json["error"]["code"]) == (409, "over")

    asyncio.run(story())


def test_what_is_not_asked_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with running(settings(tmp_path)) as site:
            ann = Browser(site)
            for game in GAMES:
                lesson = lessons(game)[1]
                other = next(move for move in lesson.begin().legal() if move not in lesson.steps[0].accepts)
                refused = await ann.call("GET", path(game.key, 2, [other]))
                assert (refused.status, refused.json["error"]["code"]) == (422, "not_asked")
            key = GAMES[0].key
            for query, code in (
                ("", "unknown_game"),
                ("game=nothing&number=1", "unknown_game"),
                (f"game={key}", "unknown_lesson"),
                (f"game={key}&number=999", "unknown_lesson"),
                (f"game={key}&number=-1", "malformed"),
                (f"game={key}&number=2&moves=;;;;;", "over"),
                (f"game={key}&number=1&moves=%F0%9F%A6%8A", "parse"),
                (f"game={key}&number=1&moves={'9' * 4000}", "parse"),
                (f"game={key}&number=1&moves={';' * 4000}", "over"),
            ):
                answer = await ann.call("GET", f"/api/lesson?{query}")
                assert answer.json["error"]["code"] == code, query
            assert (await ann.call("POST", "/api/lesson", {})).status == 405

    asyncio.run(story())
