"""What is copied or sent to another process is the same there, and its own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import foxrow
from foxrow.core.batch import Batch
from foxrow.core.errors import GameError

GAMES = foxrow.list_games()
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
each_way = pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["copy", "deepcopy", "pickle"]
)
Again = Callable[[Any], Any]


def played(game: foxrow.Game, moves: int = 6) -> foxrow.Position:
    p = game.new(players=2, seed=7, names=("Ann", "Bob"))
    for _ in range(moves):
        p.play(p.legal()[-1])
    return p


@each_game
@each_way
def test_a_game_stays_itself(game: foxrow.Game, again: Again) -> None:
    assert game.rules  # loaded
    assert again(game) is game
    assert again({"of": [game]})["of"][0] is game


@each_game
@each_way
def test_a_position_goes_on_alone(game: foxrow.Game, again: Again) -> None:
    p = played(game)
    twin = again(p)
    assert twin == p and twin is not p
    assert twin.record() == p.record() and twin.names == ("Ann", "Bob") and twin.game is game
    before = p.state.tobytes()
    game.rules.apply(twin.state, game.rules.legal(twin.state)[0])
    assert p.state.tobytes() == before
    twin = again(p)
    twin.play(twin.legal()[0])
    assert len(p.moves) == 6 and twin != p
    assert twin.undo(7).moves == [] and p.at(0) == twin
    game.rules.apply(twin.state, game.rules.legal(twin.state)[0])
    assert p.at(0) != twin


@each_game
@each_way
def test_a_position_of_a_set_up(game: foxrow.Game, again: Again) -> None:
    setup = game.rules.text.write_setup(played(game).state)
    p = foxrow.load(
        {"format": "foxrow/1", "game": game.key, "players": ["A", "B"], "options": {}, "setup": setup, "moves": []}
    )
    assert isinstance(p, foxrow.Position)
    p.play(p.legal()[0])
    assert again(p) == p and again(p).record() == p.record()


@each_game
def test_what_makes_positions_equal(game: foxrow.Game) -> None:
    p = played(game)
    assert p == played(game)
    assert p != game.new(players=2, seed=7)
    assert game.new(players=2, seed=7) != game.new(players=2, seed=8)
    assert p != "a position"
    with pytest.raises(TypeError, match="unhashable"):
        hash(p)


def test_a_position_of_other_rules_is_refused() -> None:
    parts = played(GAMES[0]).__getstate__()
    parts["states"] += b"\0"
    with pytest.raises(GameError, match="another version"):
        foxrow.Position.__new__(foxrow.Position).__setstate__(parts)


@pytest.mark.parametrize("way", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_another_process_has_the_same(way: str) -> None:
    positions = [played(game) for game in GAMES]
    with ProcessPoolExecutor(1, mp_context=get_context(way)) as pool:
        assert list(pool.map(foxrow.Position.legal, positions)) == [p.legal() for p in positions]
        assert list(pool.map(foxrow.Position.copy, positions)) == positions


@each_game
@each_way
def test_a_batch_goes_on_alone(game: foxrow.Game, again: Again) -> None:
    env = foxrow.batch(game, 300, players=list(game.players), seed=3, threads=2)
    assert isinstance(env, Batch)
    env.wander(40)
    twin = again(env)
    assert repr(twin) == repr(env)
    for _ in range(60):
        one, other = env.random_step(), twin.random_step()
        for mine, its in zip(one, other, strict=True):
            assert np.array_equal(mine, its)
    seen = one.observations.copy()
    twin.wander(5)
    assert np.array_equal(env.observations, seen)
    assert np.array_equal(env.reset().observations, twin.reset().observations)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["deepcopy", "pickle"])
def test_an_environment_goes_on_alone(again: Again) -> None:
    from foxrow.adapters import pettingzoo

    env = pettingzoo.env(GAMES[0].key, players=3)
    env.reset(seed=5)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    twin = again(env)
    mask = env.last()[0]["action_mask"]
    twin.step(int(np.flatnonzero(mask)[0]))
    assert np.array_equal(env.last()[0]["action_mask"], mask)
    env.step(int(np.flatnonzero(mask)[0]))
    assert env.agent_selection == twin.agent_selection
    assert np.array_equal(env.last()[0]["observation"], twin.last()[0]["observation"])
