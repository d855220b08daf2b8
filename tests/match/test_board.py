"""The cards on a table, and what is shown of them."""

from __future__ import annotations

import random
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest

from foxrow.core.contract import Game
from foxrow.core.position import view_json
from foxrow.core.registry import games
from foxrow.match.board import Board

BENCH = Path(__file__).parents[2] / "bench"


def outside() -> Iterator[Game]:
    """The games that live in `bench/`: open ones, which the package itself has none of."""
    for project in sorted(BENCH.glob("*/pyproject.toml")):
        about = tomllib.loads(project.read_text("utf-8"))["project"]
        sys.path.insert(0, str(project.parent / "src"))
        try:
            for place in about["entry-points"]["foxrow.games"].values():
                module, _, name = place.partition(":")
                yield cast(Game, getattr(import_module(module), name))
        finally:
            sys.path.pop(0)


@pytest.mark.parametrize("game", [*games().values(), *outside()], ids=lambda game: game.key)
def test_every_view_is_that_of_its_own_mask(game: Game) -> None:
    players = game.players[0]
    board = Board(game, players, game.check_options({}, players), bytes(32), 0, 0)
    chance = random.Random(3)
    seats: list[int | None] = [*range(players), None]
    while True:
        order = chance.sample(seats, len(seats))  # whoever is asked for first: no view is made from another's
        for seat in order:
            assert board.view(seat) == view_json(game, board.masked(seat), board.options)
        if board.over:
            break
        board.play(chance.choice(board.view(board.to_act)["legal"]))
        if chance.random() < 0.2:
            last = board.moves[-1]
            board.take_back()
            assert board.view(board.to_act)["legal"]
            board.play(last)


def test_a_game_is_open_when_every_field_of_its_state_is_public() -> None:
    assert [game for game in games().values() if game.rules.open] == []
    assert all(game.rules.open for game in outside())
