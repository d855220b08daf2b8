"""Moves that are not legal are refused at every door: compiled code would take them and look anywhere."""

from __future__ import annotations

from typing import Any

import pytest

from foxrow.bots import make
from foxrow.core.contract import Game
from foxrow.core.errors import IllegalMove
from foxrow.core.registry import games
from foxrow.nets.play import Net

each_game = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)


def wrong(game: Game, legal: list[int]) -> list[Any]:
    illegal = next(move for move in range(game.rules.MOVES) if move not in legal)
    return [-1, illegal, game.rules.MOVES, 100_000, 2**70, 1.5, "pass", None, True]


@each_game
def test_a_net_judges_legal_moves_alone(game: Game) -> None:
    net, p = Net.load(game), game.new(players=2, seed=1)
    legal = game.rules.legal(p.state)
    view = p.masked(p.to_act)
    for move in wrong(game, legal):
        with pytest.raises(IllegalMove):
            net.evaluate(view, [*legal, move])
    some = legal[:2]
    assert len(net.evaluate(view, some)[0]) == len(some)
    while not p.over:
        p.play(p.legal()[0])
    with pytest.raises(IllegalMove, match="over"):
        net.evaluate(p.masked(0), [0])


@each_game
@pytest.mark.parametrize("name", ["greedy", "level:2", "net"])
def test_a_bot_chooses_from_legal_moves_alone(game: Game, name: str) -> None:
    p = game.new(players=2, seed=1)
    bot = make(name, game)
    legal = game.rules.legal(p.state)
    for move in wrong(game, legal):
        with pytest.raises(IllegalMove):
            bot.choose(p.masked(p.to_act), [*legal, move])


@each_game
def test_a_position_takes_legal_numbers_alone(game: Game) -> None:
    p = game.new(players=2, seed=1)
    for move in wrong(game, game.rules.legal(p.state)):
        with pytest.raises(IllegalMove):
            p.play_move(move)
    assert p.moves == []
