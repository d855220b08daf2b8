"""Nets that play without torch: the games' own weights, and files that say what is wrong with them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.play import Net
from foxrow.nets.weights import Card, WeightsError, home, load, save

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


@each_game
def test_the_games_own_weights_play(game: Game) -> None:
    if not home(game).exists():  # a game from outside may have none: then it says so
        with pytest.raises(WeightsError, match="no weights"):
            Net.load(game)
        return
    assert home(game).stat().st_size <= 4 * 2**20
    net = Net.load(game)
    rules = game.rules
    for players in game.players:
        position = game.new(players=players, seed=3)
        seat = position.to_act
        assert seat is not None
        legal = rules.legal(position.state)
        odds, worth = net.evaluate(position.masked(seat), legal)
        assert odds.shape == (len(legal),) and odds.sum() == pytest.approx(1, abs=1e-4)
        assert worth.shape == (players,)
        same, _ = net.evaluate(position.state, legal)  # the truth tells it nothing more
        assert np.array_equal(odds, same)
        assert net.choose(position.masked(seat), legal) == legal[int(odds.argmax())]
        drawn = [net.choose(position.masked(seat), legal, np.random.default_rng(7), 1.0) for _ in range(2)]
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("width", [128, 2048])
def test_a_file_of_weights_fits_its_room_and_says_almost_the_same(tmp_path: Path, width: int) -> None:
    """In half precision, and where that would be too much, in steps of a byte."""
    game = next(game for game in GAMES if home(game).exists())
    rules, rng, file = game.rules, np.random.default_rng(3), tmp_path / "w.npz"

    def layer(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        return rng.normal(0, 0.1, (rows, columns)).astype(np.float32), rng.normal(0, 1, columns).astype(np.float32)

    sizes = {"enter": (rules.FEATURES, width), "policy": (width, rules.MOVES), "value": (width, rules.SEATS)}
    layers = {name: layer(*size) for name, size in sizes.items()}
    save(file, Card(game.key, game.version, rules.FEATURES_VERSION, width, 1), layers)
    assert file.stat().st_size < 4_000_000
    _, read = load(file, game)
    for name, (matrix, bias) in layers.items():
        again, bias_again = read[name]
        assert np.allclose(matrix, again, atol=0.0003 if width == 128 else 0.0025)
        assert np.array_equal(bias, bias_again)


def test_bad_files_are_explained(tmp_path: Path) -> None:
    game = GAMES[0]
    file = tmp_path / "w.npz"
    with pytest.raises(WeightsError, match="no weights"):
        load(file, game)
    file.write_bytes(b"PK\x03\x04 not a file of weights")
    with pytest.raises(WeightsError, match="is no file of weights"):
        load(file, game)
    rules = game.rules
    card = Card(game.key, game.version, game.rules.FEATURES_VERSION, 4, 1)

    def layer(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((rows, columns), np.float32), np.zeros(columns, np.float32)

    layers = {"enter": layer(rules.FEATURES, 4), "policy": layer(4, rules.MOVES), "value": layer(4, rules.SEATS)}
    save(file, dataclasses.replace(card, features=99), layers)
    with pytest.raises(WeightsError, match="features 99"):
        load(file, game)
    save(file, card, {**layers, "policy": layer(4, 3)})
    with pytest.raises(WeightsError, match="'policy'"):
        load(file, game)
    broken = layer(4, rules.SEATS)
    broken[0][0, 0] = np.nan
    save(file, card, {**layers, "value": broken})
    with pytest.raises(WeightsError, match="numbers that are none"):
        load(file, game)
    save(file, card, layers)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeightsError, match="is no file of weights"):
        load(file, game)
