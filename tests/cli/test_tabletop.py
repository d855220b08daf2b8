"""The table in the terminal, driven as a person would: keys, clicks, rules, hint, undo, small screens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Label, OptionList, RichLog, Static

from foxrow.bots import Analyst, make
from foxrow.cli.tabletop import Page, Tabletop
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.match.record import Match
from foxrow.match.rounds import setting
from foxrow.search.searcher import warm

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
Steps = Callable[[Tabletop, Pilot[None]], Awaitable[None]]


def drive(game: Game, steps: Steps, *, players: int | None = None, size: tuple[int, int] = (110, 40)) -> None:
    """Open a table and do these steps at it."""
    warm(game.rules)
    analyst = Analyst(game, rollouts=40)
    analyst.warm()
    count = players or game.players[0]
    names = ["Ann", *(f"Bot {i}" for i in range(1, count))]
    match = Match(game, names, game.check_options({}, count), setting(game, None), "07" * 32)
    opponents = [None, *(make("greedy", game, seed=i) for i in range(1, count))]

    async def go() -> None:
        app = Tabletop(match, opponents, delay=0.0, analyst=analyst)
        async with app.run_test(size=size) as pilot:
            await steps(app, pilot)

    asyncio.run(go())


async def my_turn(app: Tabletop, pilot: Pilot[None]) -> bool:
    """Wait until it is Ann's move or the round is over; whether there is a move."""
    for _ in range(2000):
        position = app.position
        if position is not None and (position.over or position.to_act == app.seat):
            await pilot.pause()
            return not position.over
        await pilot.pause(0.01)
    raise AssertionError("the bots never end")


def options(app: Tabletop) -> list[str]:
    moves = app.query_one("#moves", OptionList)
    return [str(moves.get_option_at_index(i).prompt) for i in range(moves.option_count)]


def text(widget: Any) -> str:
    return str(widget.render() if isinstance(widget, Label | Static) else widget.lines)


@each_game
def test_a_round_by_enter_alone(game: Game) -> None:
    async def steps(app: Tabletop, pilot: Pilot[None]) -> None:
        while await my_turn(app, pilot):
            await pilot.press("enter")
        say = app.query_one("#say", Label)
        assert "The round goes to" in text(say)
        assert say.region.right <= app.size.width
        assert len(app.query_one("#log", RichLog).lines) > 5
        if not app.match.over:
            await pilot.press("ctrl+n")
            await my_turn(app, pilot)
            assert len(app.match.rounds) == 2

    drive(game, steps)


@each_game
def test_typing_narrows_the_list_and_enter_makes_the_move(game: Game) -> None:
    async def steps(app: Tabletop, pilot: Pilot[None]) -> None:
        assert await my_turn(app, pilot)
        assert app.position is not None
        legal = app.position.legal()
        assert sorted(options(app)) == legal
        wanted = legal[-1]
        app.query_one("#typed", Input).value = wanted
        await pilot.pause()
        assert wanted in options(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.match.rounds[-1].moves[0] == wanted or wanted in app.match.rounds[-1].moves

    drive(game, steps)


@each_game
def test_a_click_makes_a_move(game: Game) -> None:
    async def steps(app: Tabletop, pilot: Pilot[None]) -> None:
        assert await my_turn(app, pilot)
        before = len(app.match.rounds[-1].moves)
        await pilot.click("#moves", offset=(3, 0))
        await pilot.pause()
        assert len(app.match.rounds[-1].moves) > before

    drive(game, steps)


@each_game
def test_nonsense_is_explained(game: Game) -> None:
    async def steps(app: Tabletop, pilot: Pilot[None]) -> None:
        assert await my_turn(app, pilot)
        before = len(app.match.rounds[-1].moves)
        await pilot.press(*"zzz", "enter")
        await pilot.pause()
        assert len(app.match.rounds[-1].moves) == before
        assert "still your move" in text(app.query_one("#say", Label))

    drive(game, steps)


@each_game
def test_hint_undo_and_rules(game: Game) -> None:
    async def steps(app: Tabletop, pilot: Pilot[None]) -> None:
        assert await my_turn(app, pilot)
        await pilot.press("ctrl+t")
        for _ in range(500):
            await pilot.pause(0.01)
            if "weigh" in text(app.query_one("#hint", Static)):
                break
        best = text(app.query_one("#hint", Static)).splitlines()[1]
        assert "wins" in best
        moves = app.query_one("#moves", OptionList)
        assert moves.highlighted is not None
        assert best.split("wins")[0].strip() == str(moves.get_option_at_index(moves.highlighted).prompt)
        await pilot.press("ctrl+z")
        await pilot.pause()
        before = list(app.match.rounds[-1].moves)
        await pilot.press("enter")
        if await my_turn(app, pilot):
            await pilot.press("ctrl+z")
            await pilot.pause()
            position = app.match.rounds[-1]
            assert position.to_act == app.seat
            assert position.moves[: len(before)] == before
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, Page)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, Page)

    drive(game, steps)


@each_game
@pytest.mark.parametrize("size", [(40, 14), (80, 24), (200, 60)])
def test_any_size_of_screen(game: Game, size: tuple[int, int]) -> None:
    async def steps(app: Tabletop, pilot: Pilot[None]) -> None:
        assert await my_turn(app, pilot)
        moves = app.query_one("#moves", OptionList).region
        assert moves.height > 0
        assert moves.bottom <= size[1]
        assert app.query_one("#typed", Input).region.height == 1
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert app.query_one("#moves", OptionList).region.bottom <= 20

    drive(game, steps, players=game.players[-1], size=size)
