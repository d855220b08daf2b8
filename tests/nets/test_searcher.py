"""The search by net, for every game with weights: the arithmetic is right, and the tree stays in its room."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.forward import LANES, desk, forward, judge_moves, judge_seats, pack
from foxrow.nets.play import Net
from foxrow.nets.searcher import Guidance, NetSearch
from foxrow.nets.weights import Layers, home

GAMES = [game for game in games().values() if home(game).exists()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


@pytest.mark.parametrize("width", [4, 32, 40])
@pytest.mark.parametrize("depth", [1, 3])
def test_the_compiled_layers_are_the_layers(width: int, depth: int) -> None:
    """Against plain matrices, as the file has them, for every number of positions in a batch."""
    lot = np.random.default_rng(width + depth)
    features, moves, seats = 70, 11, 5

    def layer(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        return lot.normal(0, 0.2, (rows, columns)).astype(np.float32), lot.normal(0, 1, columns).astype(np.float32)

    layers: Layers = {"enter": layer(features, width)}
    layers |= {f"block{i}": layer(width, width) for i in range(depth - 1)}
    layers |= {"policy": layer(width, moves), "value": layer(width, seats)}
    seen = lot.integers(-3, 4, (9, features)).astype(np.int8) * (lot.random((9, features)) < 0.3)
    h = np.maximum(seen.astype(np.float64) @ layers["enter"][0] + layers["enter"][1], 0)
    for i in range(depth - 1):
        matrix, bias = layers[f"block{i}"]
        h = h + np.maximum(h @ matrix + bias, 0)
    logits, values = (h @ layers[name][0] + layers[name][1] for name in ("policy", "value"))
    net = pack(layers, depth)
    legal = np.array([7, 2, 10], np.int32)
    for n in range(1, 2 * LANES + 2):
        said, room = desk(net, n)
        forward(net, seen.astype(np.int8), n, said, room)
        for k in range(n):
            odds, worth = np.empty(3), np.empty(4)
            judge_moves(net, said[k], legal, 3, odds)
            expected = np.exp(logits[k, legal] - logits[k, legal].max())
            assert np.allclose(odds, expected / expected.sum(), atol=1e-4)
            judge_seats(net, said[k], 3, 4, worth)
            assert np.allclose(worth, values[k, [1, 2, 3, 0]], atol=1e-3)


@each_game
def test_a_full_tree_goes_on_learning_in_its_room(game: Game) -> None:
    room = game.rules.MAX_LEGAL + 1
    position = game.new(game.players[0], seed=2)
    while len(game.rules.legal(position.state)) == 1:
        position.play_move(game.rules.legal(position.state)[0])
    search = NetSearch(Net.load(game), seed=1, most_nodes=room)
    prospects = search.think(position.masked(position.to_act), simulations=600)
    assert sum(p.visits for p in prospects) == 599
    assert search._trees[0].used <= room


@each_game
def test_the_truth_is_refused_and_settings_matter(game: Game) -> None:
    position = game.new(game.players[-1], seed=1)
    net = Net.load(game)
    with pytest.raises(ValueError, match="truth"):
        NetSearch(net).think(position.state, simulations=10)
    view = position.masked(position.to_act)
    alone = NetSearch(net, guidance=Guidance(trust=1.0)).think(view, simulations=120)
    assert alone == NetSearch(net, guidance=Guidance(trust=1.0)).think(view, simulations=120)
    assert alone != NetSearch(net, guidance=Guidance(trust=0.0)).think(view, simulations=120)


def test_a_second_process_compiles_nothing() -> None:
    if os.environ.get("FOXROW_PURE", "") not in ("", "0"):
        return
    code = (
        "from foxrow.core.registry import game\n"
        "from foxrow.nets import forward\n"
        "from foxrow.nets.play import Net\n"
        "from foxrow.nets.searcher import template, warm\n"
        f"net = Net.load(game({GAMES[0].key!r}))\n"
        "warm(net.game.rules, net)\n"
        "tree = template(net.game.rules)\n"
        "functions = (tree.grow, tree.step, tree.transplant)\n"
        "print(sum(sum(f.stats.cache_misses.values()) for f in functions))\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True) for _ in range(2)
    ]
    assert runs[1].stdout.strip() == "0"
