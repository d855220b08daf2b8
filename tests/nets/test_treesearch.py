"""The search by tree and net: what it finds by the rules alone, that it repeats itself, and never sees the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foxrow.core.contract import Game
from foxrow.nets.play import Net
from foxrow.nets.treesearch import Growing, TreeSearch
from foxrow.search.searcher import Prospect
from tests.nets.test_searcher import GAMES, decided, each_game, plain, wins_at_once


@each_game
def test_a_move_that_wins_at_once_is_found(game: Game) -> None:
    """By a net that knows nothing, so by the rules; its tree visits such a move most and calls it a win."""
    position = decided(game)
    view = position.masked(position.to_act)
    growing = Growing(explore=0.7, rollout=1.0)
    prospects = TreeSearch(plain(game), growing=growing).think(view, simulations=40 * len(game.rules.legal(view)))
    assert wins_at_once(game, position, prospects[0].move)
    for prospect in prospects:
        if wins_at_once(game, position, prospect.move) and prospect.visits:
            assert prospect.wins == 1.0
    assert all(0.0 <= prospect.wins <= 1.0 and prospect.margin is None for prospect in prospects)


@each_game
def test_the_truth_is_refused_and_settings_matter(game: Game) -> None:
    position = game.new(game.players[-1], seed=1)
    net = Net.load(game)
    with pytest.raises(ValueError, match="truth"):
        TreeSearch(net).think(position.state, simulations=10)
    view = position.masked(position.to_act)

    def think(**knobs: Any) -> list[Prospect]:
        return TreeSearch(net, growing=Growing(**knobs)).think(view, simulations=60)

    assert think() == think()
    assert think(rollout=0.0) != think(rollout=1.0)
    assert sum(prospect.visits for prospect in think(rollout=0.0)) <= 60


@each_game
def test_a_value_alone_stands_for_the_rest(game: Game) -> None:
    """A net that expects nothing for anybody: without rollouts every move that goes on is worth a fair share."""
    players = game.players[-1]
    position = game.new(players, seed=3)
    view = position.masked(position.to_act)
    prospects = TreeSearch(plain(game), growing=Growing(rollout=0.0)).think(view, simulations=30)
    tried = [prospect for prospect in prospects if prospect.visits]
    assert tried and all(np.isclose(prospect.wins, 1 / players) for prospect in tried)


def test_threads_share_the_simulations() -> None:
    game = GAMES[0]
    position = game.new(game.players[0], seed=5)
    view = position.masked(position.to_act)
    search = TreeSearch(Net.load(game), threads=2)
    prospects = search.think(view, simulations=41)
    assert search.simulations == sum(prospect.visits for prospect in prospects) == 41
