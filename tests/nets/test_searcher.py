"""The search by net, for every game with weights: the arithmetic is right, and so are the rollouts."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foxrow.core.batch import DREAMS, Batch, all_variants
from foxrow.core.chance import streams
from foxrow.core.contract import Game
from foxrow.core.position import Position
from foxrow.core.record import copy
from foxrow.core.registry import games
from foxrow.core.rules import Frames
from foxrow.nets.forward import LANES, desk, forward, judge_moves, judge_seats, pack
from foxrow.nets.play import Net
from foxrow.nets.searcher import Guidance, NetSearch, Race, template
from foxrow.nets.secrets import in_frames, secret_size, secrets
from foxrow.nets.weights import Card, Layers, home, save
from foxrow.search.searcher import Prospect

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
    turned = lot.permutation(moves)
    names = np.stack([np.arange(moves), turned]).astype(np.int16)
    there = Frames(np.arange(features, dtype=np.int16)[None], names, np.zeros((2, 0), np.int16))
    net = pack(layers, depth, there)
    legal = np.array([7, 2, 10], np.int32)
    for n in range(1, 2 * LANES + 2):
        said, room = desk(net, n)
        forward(net, seen.astype(np.int8), n, said, room)
        for k in range(n):
            odds, worth = np.empty(3), np.empty(4)
            for frame in range(2):
                called = names[frame, legal]
                judge_moves(net, said[k], legal, 3, frame, odds)
                expected = np.exp(logits[k, called] - logits[k, called].max())
                assert np.allclose(odds, expected / expected.sum(), atol=1e-4)
            judge_seats(net, said[k], 3, 4, worth)
            assert np.allclose(worth, values[k, [1, 2, 3, 0]], atol=1e-3)


def unknown(game: Game, state: Any, columns: np.ndarray) -> np.ndarray:
    """What a survey finds, in other words."""
    rules = game.rules
    seat, players = rules.actor(state), int(state.players)
    there = columns[rules.frame(state, seat)]
    if rules.SECRETS:
        return np.asarray(rules.secrets(state, seat)[there])
    return np.concatenate([rules.features(state, (seat + k) % players)[there] for k in range(1, players)])


def plain(game: Game) -> Net:
    """A net that knows nothing: all moves are alike to it, and all seats."""
    rules = game.rules

    def layer(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((rows, columns), np.float32), np.zeros(columns, np.float32)

    card = Card(game.key, game.version, game.rules.FEATURES_VERSION, 16, 1)
    layers = {"enter": layer(rules.FEATURES, 16), "policy": layer(16, rules.MOVES), "value": layer(16, rules.SEATS)}
    return Net(game, card, layers)


def wins_at_once(game: Game, position: Position, move: int) -> bool:
    """Whether a move ends the round, and its mover wins alone."""
    state: Any = copy(position.state)
    game.rules.apply(state, move)
    return game.rules.winners(state) == [position.to_act]


def decided(game: Game) -> Position:
    """A position of random play in which one move wins at once and another does not."""
    for seed in range(1000):
        position = game.new(game.players[0], seed=seed)
        lot = random.Random(seed)
        while not position.over:
            legal = game.rules.legal(position.state)
            if 0 < sum(wins_at_once(game, position, move) for move in legal) < len(legal):
                return position
            position.play_move(lot.choice(legal))
    raise AssertionError("no such position")


@each_game
def test_a_move_that_wins_at_once_is_worth_a_win(game: Game) -> None:
    """By the rules, not by the search. A net that knows nothing does not point to it."""
    position = decided(game)
    view = position.masked(position.to_act)
    wide = Guidance(cover=1.0, most=game.rules.MAX_LEGAL, doubt=0.0, drop=9.0)
    prospects = NetSearch(plain(game), guidance=wide).think(view, simulations=40 * len(game.rules.legal(view)))
    for prospect in prospects:
        if wins_at_once(game, position, prospect.move):
            assert prospect.wins == 1.0
    assert prospects[0].wins == 1.0
    assert all(0.0 <= prospect.wins <= 1.0 and prospect.visits > 0 for prospect in prospects)


@each_game
def test_rollouts_end_where_the_horizon_is(game: Game) -> None:
    """A net that knows nothing expects the fair share of every position that it is asked about."""
    for players in game.players:
        position = game.new(players, seed=1)
        while len(game.rules.legal(position.state)) == 1:
            position.play_move(game.rules.legal(position.state)[0])
        near = NetSearch(plain(game), guidance=Guidance(horizon=1)).think(
            position.masked(position.to_act), simulations=64
        )
        assert all(prospect.wins == pytest.approx(1 / players) for prospect in near if prospect.visits)
        pairs = NetSearch(plain(game), guidance=Guidance(horizon=1, partners=2))
        both = pairs.think(position.masked(position.to_act), simulations=64)
        assert all(prospect.wins == pytest.approx(2 / players) for prospect in both if prospect.visits)


@each_game
def test_a_win_counts_whole_however_late_a_net_without_a_critic_is_asked(game: Game) -> None:
    """It is asked when its seat is to act again, and a round may end before that."""
    players = game.players[-1]
    search = NetSearch(plain(game), guidance=Guidance(horizon=1))
    position, lot = game.new(players, seed=1), random.Random(1)
    while not position.over:
        position.play_move(lot.choice(game.rules.legal(position.state)))
    for _ in range(min(4 * players, len(position.moves))):
        position.undo()
        if len(game.rules.legal(position.state)) > 1:
            found = search.think(position.masked(position.to_act), simulations=64)
            assert all(-1e-9 <= prospect.wins <= 1 + 1e-9 for prospect in found if prospect.visits)


@each_game
def test_a_critic_judges_whoever_is_to_act(game: Game, tmp_path: Path) -> None:
    """One that always expects 0.2 more for the seat to act; the net itself knows nothing. It survives its file."""
    rules = game.rules
    secret = secrets(game, all_variants(game))
    blind = plain(game)
    rows = rules.FEATURES + secret_size(game, secret)
    more = np.array([0.2] + [-0.2] * (rules.SEATS - 1), np.float32)
    layers = {
        "enter": (np.zeros((rules.FEATURES, 16), np.float32), np.zeros(16, np.float32)),
        "policy": (np.zeros((16, rules.MOVES), np.float32), np.zeros(rules.MOVES, np.float32)),
        "value": (np.zeros((16, rules.SEATS), np.float32), np.zeros(rules.SEATS, np.float32)),
        "critic.enter": (np.zeros((rows, 8), np.float32), np.zeros(8, np.float32)),
        "critic.value": (np.zeros((8, rules.SEATS), np.float32), more),
        "critic.deal": (np.zeros((8, 1), np.float32), np.zeros(1, np.float32)),
    }
    card = replace(blind.card, critic=8, critic_depth=1, secrets=tuple(int(column) for column in secret))
    save(tmp_path / "net.npz", card, layers)
    net = Net.load(game, tmp_path / "net.npz")
    assert net.card == card
    position = game.new(2, seed=1)
    while len(rules.legal(position.state)) == 1:
        position.play_move(rules.legal(position.state)[0])
    view = position.masked(position.to_act)
    for horizon in (1, 2, 3):
        found = NetSearch(net, guidance=Guidance(horizon=horizon)).think(view, simulations=64)
        tried = [prospect.wins for prospect in found if prospect.visits]
        assert all(0.4 - 1e-6 <= wins <= 0.6 + 1e-6 for wins in tried) and any(wins != 0.5 for wins in tried)


@each_game
def test_a_critic_says_which_deals_are_likely(game: Game) -> None:
    """One that takes a deal for the likelier the higher its first secret is: such deals are drawn more often, by
    so much as it says, as long as enough others count."""
    rules = game.rules
    secret = secrets(game, all_variants(game))
    position = game.new(2, seed=1)
    while len(rules.legal(position.state)) == 1:
        position.play_move(rules.legal(position.state)[0])
    home = rules.actor(position.state)
    view = rules.states(1)
    view[0] = position.masked(home)
    if not len(secret):  # then there is nothing to weigh, and a search with the game's own net weighs nothing
        runner = Race(template(rules), rules, view, streams(6, 1)[0], Guidance(), Net.load(game), [0, 1])
        assert len(runner._given[-1].odds) == 0
        return
    rng = streams(5, 1)[0]
    drawn = rules.states(400)
    for i in range(len(drawn)):
        drawn[i] = view[0]
        rules.fill(drawn[i], rng)
    there = in_frames(game, secret)
    others = np.stack([unknown(game, s, there) for s in drawn])
    column = int(np.argmax(others.astype(np.float64).std(0)))
    rows = rules.FEATURES + secret_size(game, secret)
    enter = np.zeros((rows, 8), np.float32)
    enter[rules.FEATURES + column, 0] = 1.0
    deal = np.zeros((8, 1), np.float32)
    blind = plain(game)
    card = replace(blind.card, critic=8, critic_depth=1, secrets=tuple(int(column) for column in secret))
    race = template(rules)

    def mean(likelier: float, spread: float) -> float:
        deal[0] = likelier
        layers = {
            "enter": (np.zeros((rules.FEATURES, 16), np.float32), np.zeros(16, np.float32)),
            "policy": (np.zeros((16, rules.MOVES), np.float32), np.zeros(rules.MOVES, np.float32)),
            "value": (np.zeros((16, rules.SEATS), np.float32), np.zeros(rules.SEATS, np.float32)),
            "critic.enter": (enter, np.full(8, 100.0, np.float32)),
            "critic.value": (np.zeros((8, rules.SEATS), np.float32), np.zeros(rules.SEATS, np.float32)),
            "critic.deal": (deal, np.zeros(1, np.float32)),
        }
        runner = Race(
            race, rules, view, streams(6, 1)[0], Guidance(pool=2000, spread=spread), Net(game, card, layers), [0, 1]
        )
        pool = runner._given[-1]
        odds = np.diff(pool.odds, prepend=0.0)
        assert (odds > 0).all() and pool.odds[-1] == pytest.approx(1.0)
        assert 1 / (odds**2).sum() >= 0.99 * spread
        drawn = np.bincount([race.dealt(pool, (i + 0.5) / 9973) for i in range(9973)], minlength=2000) / 9973
        assert np.abs(drawn - odds).max() < 2e-4
        values = np.array([unknown(game, s, there)[column] for s in pool.states], np.float64)
        return float((odds * values).sum())

    usual = mean(0.0, 1.0)
    assert usual == pytest.approx(float(others[:, column].mean()), abs=0.3 * float(others[:, column].std()) + 0.05)
    assert mean(0.05, 1.0) > usual > mean(-0.05, 1.0)
    assert usual < mean(5.0, 1500.0) < mean(5.0, 1.0)


@each_game
def test_to_suppose_is_to_fill_a_view(game: Game) -> None:
    """What the seat to act cannot know is not read from the truth: filling the truth is filling the view."""
    rules = game.rules
    batch = Batch(game, 40, all_variants(game), seed=4)
    batch.wander(17)
    columns = in_frames(game, secrets(game, all_variants(game)))
    found = np.zeros((40, secret_size(game, columns[0])), np.int8)
    rngs = streams(batch.seed ^ DREAMS, 40)
    before = batch.states.tobytes()
    batch.suppose(columns, found)
    assert batch.states.tobytes() == before
    for slot in range(40):
        view = rules.mask(batch.states[slot], rules.actor(batch.states[slot]))
        rules.fill(view, rngs[slot])
        expected = unknown(game, view, columns)
        assert np.array_equal(found[slot, : len(expected)], expected)


@each_game
def test_secrets_are_what_a_seat_cannot_know(game: Game) -> None:
    """None of them is told by the seat's own view: features of others are the same there, but for these columns."""
    rules = game.rules
    public = np.ones(rules.FEATURES, np.bool_)
    if not rules.SECRETS:
        public[secrets(game, all_variants(game))] = False
    rng = streams(9, 1)[0]
    position = game.new(game.players[-1], seed=9)
    lot = random.Random(9)
    for _ in range(60):
        if position.over:
            break
        seat = game.rules.actor(position.state)
        other = (seat + 1) % game.players[-1]
        view = position.masked(seat)
        rules.fill(view, rng)
        if np.array_equal(rules.secrets(view, seat), rules.secrets(position.state, seat)):
            assert np.array_equal(rules.features(view, other)[public], rules.features(position.state, other)[public])
        position.play_move(lot.choice(rules.legal(position.state)))


@each_game
def test_the_budget_is_shared_by_the_moves_that_are_tried(game: Game) -> None:
    position = game.new(game.players[0], seed=2)
    while len(game.rules.legal(position.state)) < 3:
        position.play_move(game.rules.legal(position.state)[0])
    view = position.masked(position.to_act)
    legal = game.rules.legal(view)
    net = plain(game)
    for most, simulations in ((2, 100), (3, 100), (3, 16), (3, 1)):
        search = NetSearch(net, guidance=Guidance(cover=1.0, most=most, horizon=2))
        prospects = search.think(view, simulations=simulations)
        visits = [prospect.visits for prospect in prospects if prospect.visits]
        assert {prospect.move for prospect in prospects} == set(legal)
        assert len(visits) == max(1, min(most, simulations // 8))
        assert sum(visits) == search.simulations == simulations // len(visits) * len(visits)
        assert len(set(visits)) == 1  # nothing tells them apart, so none drops out
        assert prospects[0].move == search._trees[0].board.moves[0]  # and the net's favourite is chosen


@each_game
def test_the_truth_is_refused_and_settings_matter(game: Game) -> None:
    position = game.new(game.players[-1], seed=1)
    net = Net.load(game)
    with pytest.raises(ValueError, match="truth"):
        NetSearch(net).think(position.state, simulations=10)
    view = position.masked(position.to_act)

    def think(**knobs: Any) -> list[Prospect]:
        wide = Guidance(cover=1.0, drop=9.0, **({"horizon": 6} | knobs))
        return NetSearch(net, guidance=wide).think(view, simulations=120)

    assert think() == think()
    assert think() != think(temperature=1.0)
    assert think(temperature=1.0) == think(temperature=1.0)
    assert think() != think(horizon=2)
    assert think() != think(span=3)


def test_how_far_one_move_is_ahead() -> None:
    lead = template(GAMES[0].rules).lead
    assert lead(np.array([0.0, 0.0, 0.0])) == 0.0  # they never met
    assert lead(np.array([30.0, 0.0, 0.0])) == 0.0  # and nothing told them apart
    assert lead(np.array([100.0, 50.0, 50.0])) == pytest.approx(10.0, rel=0.05)  # mean 0.5, spread 0.5
    assert lead(np.array([100.0, -50.0, 50.0])) == pytest.approx(-10.0, rel=0.05)
    assert 0 < lead(np.array([2.0, 2.0, 2.0])) < 3  # two equal deals are no proof


def test_a_second_process_compiles_nothing() -> None:
    if os.environ.get("FOXROW_PURE", "") not in ("", "0"):
        return
    code = (
        "from foxrow.core.registry import game\n"
        "from foxrow.nets import forward\n"
        "from foxrow.nets.play import Net\n"
        "from foxrow.nets.searcher import NetSearch, template\n"
        f"net = Net.load(game({GAMES[0].key!r}))\n"
        "NetSearch(net).warm()\n"
        "race = template(net.game.rules)\n"
        "functions = (race.run, race.lead, race.judge)\n"
        "print(sum(sum(f.stats.cache_misses.values()) for f in functions))\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True) for _ in range(2)
    ]
    assert runs[1].stdout.strip() == "0"
