"""Nets that play without torch: the games' own weights, and files that say what is wrong with them."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.play import Net
from foxrow.nets.weights import ROOM, Card, Layers, WeightsError, home, load, save

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


@each_game
def test_the_games_own_weights_play(game: Game) -> None:
    if not home(game).exists():  # a game from outside may have none: then it says so
        with pytest.raises(WeightsError, match="no weights"):
            Net.load(game)
        return
    assert sum(file.stat().st_size for file in {home(game, players) for players in game.players}) <= ROOM
    rules = game.rules
    for players in game.players:
        net = Net.load(game, players=players)
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


def made(game: Game, width: int) -> tuple[Card, Layers]:
    """A net of random weights. Some features weigh much more than others, and some were never seen."""
    rules, rng = game.rules, np.random.default_rng(3)

    def layer(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        matrix = rng.normal(0, 0.1, (rows, columns)) * 10 ** rng.uniform(-2, 1, (rows, 1))
        matrix[rng.random(rows) < 0.1] = 0
        return matrix.astype(np.float32), rng.normal(0, 1, columns).astype(np.float32)

    sizes = {"enter": (rules.FEATURES, width), "policy": (width, rules.MOVES), "value": (width, rules.SEATS)}
    card = Card(game.key, game.version, rules.FEATURES_VERSION, width, 1)
    return card, {name: layer(*size) for name, size in sizes.items()}


def write(path: Path, card: Card, arrays: dict[str, np.ndarray]) -> None:
    """A file of any content."""
    about = np.frombuffer(json.dumps(dataclasses.asdict(card)).encode(), np.uint8)
    np.savez(path, allow_pickle=False, **{**arrays, "card": about})


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)


@pytest.mark.parametrize("width", [128, 2048])
def test_a_file_of_weights_fits_its_room_and_says_almost_the_same(tmp_path: Path, width: int) -> None:
    game, file = GAMES[0], tmp_path / "w.npz"
    card, layers = made(game, width)
    save(file, card, layers)
    assert file.stat().st_size < ROOM
    kept = arrays_of(file)
    _, read = load(file, game)
    for name, (matrix, bias) in layers.items():
        again, bias_again = read[name]
        error = np.abs(matrix - again)
        steps = kept[f"{name}.rows"][:, None] * kept[f"{name}.columns"]
        assert (error <= 0.5001 * steps).all()  # half a step each
        seen = matrix.any(1)
        sizes = np.sqrt((matrix**2).mean(1))[seen]
        assert (np.sqrt((error**2).mean(1))[seen] < 0.02 * sizes).all()  # light rows are as true as heavy ones
        assert not again[~seen].any()
        assert np.array_equal(bias, bias_again)


def test_a_file_written_again_says_the_same(tmp_path: Path) -> None:
    """However the weights came: the format is that of today."""
    game, file = GAMES[0], tmp_path / "w.npz"
    card, layers = made(game, 16)
    save(file, dataclasses.replace(card, format="foxrow-net/2"), layers)
    first = load(file, game)
    assert first[0] == card
    save(file, *first)
    for name, (matrix, _) in load(file, game)[1].items():
        assert np.allclose(matrix, first[1][name][0], rtol=0.05, atol=0.02 * np.abs(matrix).max())


def test_older_files_are_read(tmp_path: Path) -> None:
    """Half precision, or one step for each number that comes out."""
    game, file = GAMES[0], tmp_path / "w.npz"
    card, layers = made(game, 16)
    biases = {f"{name}.bias": bias for name, (_, bias) in layers.items()}
    halves = {f"{name}.matrix": matrix.astype(np.float16) for name, (matrix, _) in layers.items()}
    for form in ("foxrow-net/2", "foxrow-net/3"):
        write(file, dataclasses.replace(card, format=form), biases | halves)
        for name, (matrix, _) in load(file, game)[1].items():
            assert np.array_equal(matrix, halves[f"{name}.matrix"].astype(np.float32))
    steps = {f"{name}.step": np.abs(matrix).max(0) / 127 for name, (matrix, _) in layers.items()}
    whole = {f"{name}.matrix": np.rint(m / steps[f"{name}.step"]).astype(np.int8) for name, (m, _) in layers.items()}
    write(file, dataclasses.replace(card, format="foxrow-net/3"), biases | steps | whole)
    for name, (matrix, _) in load(file, game)[1].items():
        assert (np.abs(matrix - layers[name][0]) <= 0.5001 * steps[f"{name}.step"]).all()


def test_bad_steps_are_explained(tmp_path: Path) -> None:
    game, file = GAMES[0], tmp_path / "w.npz"
    card, layers = made(game, 16)
    save(file, card, layers)
    good = arrays_of(file)
    for side in ("policy.rows", "policy.columns"):
        write(file, card, {name: array for name, array in good.items() if name != side})
        with pytest.raises(WeightsError, match=f"is no file of weights: .*{side}"):
            load(file, game)
        for wrong in (good[side][:-1], good[side][:, None], np.float32(1)):
            write(file, card, {**good, side: np.asarray(wrong)})
            with pytest.raises(WeightsError, match="the steps of the layer 'policy'"):
                load(file, game)
        for number in (np.nan, np.inf):
            write(file, card, {**good, side: np.full_like(good[side], number)})
            with pytest.raises(WeightsError, match="'policy' holds numbers that are none"):
                load(file, game)
        write(file, card, {**good, side: np.full(good[side].shape, "x")})
        with pytest.raises(WeightsError, match="is no file of weights"):
            load(file, game)


def test_bad_files_are_explained(tmp_path: Path) -> None:
    game = GAMES[0]
    file = tmp_path / "w.npz"
    with pytest.raises(WeightsError, match="no weights"):
        load(file, game)
    file.write_bytes(b"PK\x03\x04 not a file of weights")
    with pytest.raises(WeightsError, match="is no file of weights"):
        load(file, game)
    card, layers = made(game, 4)
    save(file, dataclasses.replace(card, features=99), layers)
    with pytest.raises(WeightsError, match="features 99"):
        load(file, game)
    save(file, card, {**layers, "policy": layers["value"]})
    with pytest.raises(WeightsError, match="'policy'"):
        load(file, game)
    save(file, card, layers)
    write(file, card, {**arrays_of(file), "value.bias": np.full(game.rules.SEATS, np.nan)})
    with pytest.raises(WeightsError, match="numbers that are none"):
        load(file, game)
    save(file, card, layers)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeightsError, match="is no file of weights"):
        load(file, game)


def test_numbers_that_are_none_are_not_written(tmp_path: Path) -> None:
    """A run that went wrong leaves the last good file as it is."""
    file = tmp_path / "w.npz"
    card, layers = made(GAMES[0], 4)
    save(file, card, layers)
    before = file.read_bytes()
    layers["value"][0][0, 0] = np.nan
    with pytest.raises(WeightsError, match="'value' holds numbers that are none"):
        save(file, card, layers)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "said",
    [
        {"depth": 0},
        {"depth": -3},
        {"depth": 10**9},
        {"width": 16.0},
        {"width": True},
        {"samples": "lots"},
        {"critic": 4},
        {"critic_depth": 1},
        {"secrets": ("a",)},
        {"secrets": ((1, 2),)},
        {"secrets": (-1,)},
        {"secrets": (60_000,)},
    ],
    ids=str,
)
def test_a_card_of_no_net_is_refused(tmp_path: Path, said: dict[str, Any]) -> None:
    """Whatever somebody wrote there: a bot looks for WeightsError alone, and lets search play."""
    game, file = GAMES[0], tmp_path / "w.npz"
    card, layers = made(game, 16)
    save(file, card, layers)
    write(file, dataclasses.replace(card, **said), arrays_of(file))
    with pytest.raises(WeightsError):
        load(file, game)


@pytest.mark.parametrize("size", [1e12, 1e30])
def test_numbers_that_could_overflow_are_refused(tmp_path: Path, size: float) -> None:
    """Each of them is one; what comes of them behind some layers is not."""
    game, file = GAMES[0], tmp_path / "w.npz"
    card, layers = made(game, 16)
    deep = {**layers, "block0": (np.full((16, 16), size, np.float32), np.zeros(16, np.float32))}
    deep["policy"] = (layers["policy"][0] * np.float32(size), layers["policy"][1])
    save(file, dataclasses.replace(card, depth=2), deep)
    with pytest.raises(WeightsError, match="so large"):
        load(file, game)


KILLED = """
import sys
from pathlib import Path
from foxrow.core.registry import game
from foxrow.nets.weights import load, save
net = load(Path(sys.argv[2]), game(sys.argv[1]))
print("ready", flush=True)
while True:
    save(Path(sys.argv[2]), *net)
"""


def test_a_kill_while_a_file_is_written_leaves_the_one_before(tmp_path: Path) -> None:
    game, file = GAMES[0], tmp_path / "w.npz"
    save(file, *made(game, 256))
    for number in range(6):
        child = subprocess.Popen([sys.executable, "-c", KILLED, game.key, str(file)], stdout=subprocess.PIPE)
        assert child.stdout and child.stdout.readline()
        time.sleep(0.05 + 0.03 * number)
        child.kill()
        child.wait()
        child.stdout.close()
        load(file, game)
