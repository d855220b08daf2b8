"""Nets at the table: the same move from the same view and seed, no peeking, and search where the weights are bad."""

from __future__ import annotations

import dataclasses
import logging
import random
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from foxrow import bots
from foxrow.bots import learned
from foxrow.bots.learned import Guided, Learned
from foxrow.bots.levels import Leveled
from foxrow.core.chance import stream
from foxrow.core.contract import Game
from foxrow.core.level import Level
from foxrow.core.position import Position
from foxrow.core.record import copy
from foxrow.core.registry import games
from foxrow.nets import weights
from foxrow.nets.play import Net, temperature
from foxrow.nets.weights import FILE, MORE, Card, home, save

GAMES = [game for game in games().values() if home(game).exists()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
SPECS = ("net", "net+search:40")
OWN = home(GAMES[0])


def middle(game: Game, players: int, moves: int) -> Position:
    """Some random moves into a round, where there is a choice."""
    position = game.new(players, seed=players + moves)
    lot = random.Random(moves)
    while len(position.moves) < moves or len(game.rules.legal(position.state)) == 1:
        position.play_move(lot.choice(game.rules.legal(position.state)))
        if position.over:
            return middle(game, players, moves - 1)
    return position


@each_game
def test_by_lot_or_the_likeliest_as_the_game_has_it(game: Game) -> None:
    """By lot: likelier moves more often. Else every seed makes the same move."""
    for players in game.players:
        drawn = np.zeros(2)
        lot = temperature(game, players)
        for moves in range(2, 12):
            position = middle(game, players, moves)
            assert position.to_act is not None
            view = position.masked(position.to_act)
            legal = game.rules.legal(view)
            net = learned.net_of(game, players)
            assert net is not None
            odds, _ = net.evaluate(view, legal)
            chosen = [legal.index(bots.make("net", game, seed=seed).choose(view, legal).move) for seed in range(40)]
            if lot > 0:
                drawn += odds[chosen].sum(), 40 * (odds**2).sum()
            else:
                assert set(chosen) == {int(odds.argmax())}
        if lot > 0:
            assert lot == 1.0 and abs(drawn[0] / drawn[1] - 1) < 0.1


@each_game
@pytest.mark.parametrize("spec", ["net", "net+search:10"])  # whole rounds: few simulations, hundreds of searches
def test_a_round_at_every_table_and_again_the_same(game: Game, spec: str) -> None:
    for players in game.players:
        played = []
        for _ in range(2 if players == game.players[0] else 1):
            position = game.new(players, seed=7)
            seats = [bots.make(spec, game, seed=seat) for seat in range(players)]
            for seat, bot in enumerate(seats):
                bot.start(seat, players, position.options)
            while (acting := position.to_act) is not None:
                view = position.masked(acting)
                choice = seats[acting].choose(view, game.rules.legal(view))
                assert choice.reasons[0].move == choice.move
                position.play_move(choice.move)
                for bot in seats:
                    bot.saw(acting, choice.move)
            played.append(position.moves)
        assert all(moves == played[0] for moves in played)


@each_game
@pytest.mark.parametrize("spec", SPECS)
def test_hidden_cards_rearranged_change_nothing(game: Game, spec: str) -> None:
    for players, moves in ((game.players[0], 6), (game.players[-1], 3)):
        position = middle(game, players, moves)
        seat = position.to_act
        assert seat is not None
        view = position.masked(seat)
        chosen = set()
        for seed in range(3):
            truth: Any = copy(view)
            game.rules.fill(truth, stream(seed))
            truth.seer = -2
            seen = game.rules.mask(truth, seat)
            chosen.add(bots.make(spec, game, seed=4).choose(seen, game.rules.legal(seen)))
        assert len(chosen) == 1


@each_game
def test_reasons_of_a_search_by_net(game: Game) -> None:
    view = (position := middle(game, game.players[0], 4)).masked(position.to_act)
    choice = bots.make("net+search:100", game).choose(view, game.rules.legal(view))
    visits = [reason.visits for reason in choice.reasons]
    assert 0 < sum(visits) <= 100 and visits[0] == max(visits)
    assert {reason.move for reason in choice.reasons} == set(game.rules.legal(view))
    assert all(0 <= reason.wins <= 1 for reason in choice.reasons if reason.wins is not None)
    limited = bots.make("net+search:100000", game).choose(view, game.rules.legal(view), bots.Budget(simulations=20))
    assert 0 < sum(reason.visits for reason in limited.reasons) <= 20


@each_game
def test_budgets_and_threads(game: Game) -> None:
    view = (position := middle(game, game.players[0], 4)).masked(position.to_act)
    legal = game.rules.legal(view)
    assert bots.make("net+search:2ms", game).choose(view, legal).move in legal
    two = [bots.make("net+search:60x2", game, seed=3).choose(view, legal) for _ in range(2)]
    assert two[0] == two[1]


def small(path: Path, game: Game, /, **changes: Any) -> None:
    """A file of weights of little sense, with something wrong about it if so wished."""
    rules, rng = game.rules, np.random.default_rng(len(path.name))

    def layer(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        return rng.normal(0, 0.1, (rows, columns)).astype(np.float32), np.zeros(columns, np.float32)

    card = dataclasses.replace(Card(game.key, game.version, game.rules.FEATURES_VERSION, 4, 1), **changes)
    w = card.width
    layers = {"enter": layer(rules.FEATURES, w), "policy": layer(w, rules.MOVES), "value": layer(w, rules.SEATS)}
    save(path, card, layers)


def missing(path: Path, game: Game) -> None:
    path.unlink(missing_ok=True)


def corrupt(path: Path, game: Game) -> None:
    path.write_bytes(b"PK\x03\x04 this was a file once")


def truncated(path: Path, game: Game) -> None:
    path.write_bytes(OWN.read_bytes()[:-5000])


def flipped(path: Path, game: Game) -> None:
    data = bytearray(OWN.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))


def older(path: Path, game: Game) -> None:
    small(path, game, version=game.version - 1)


def foreign(path: Path, game: Game) -> None:
    small(path, game, game="another")


def unknown(path: Path, game: Game) -> None:
    with pytest.MonkeyPatch.context() as later:
        later.setattr(weights, "FORMAT", "foxrow-net/99")
        small(path, game)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of a game's own."""
    for game in games().values():
        monkeypatch.setitem(vars(game), "folder", tmp_path)
    monkeypatch.setattr(learned, "_nets", {})
    return tmp_path


def seen_by(game: Game, players: int, moves: int = 4) -> tuple[Any, list[int]]:
    """What somebody sees in the middle of a round, and may do."""
    view = (position := middle(game, players, moves)).masked(position.to_act)
    return view, game.rules.legal(view)


def searches(spec: str, game: Game, players: int) -> bool:
    """Whether search plays for the net: as it would under its own name."""
    instead = f"search:{learned.INSTEAD}" if spec == "net" else spec.removeprefix("net+")
    view, legal = seen_by(game, players)
    bot = bots.make(spec, game, seed=1)
    assert bot.name == spec
    return bot.choose(view, legal) == bots.make(instead, game, seed=1).choose(view, legal)


def guided_by(file: Path, spec: str, game: Game, players: int) -> bool:
    """Whether the net of this file plays."""
    nets = {players: Net.load(game, file)}
    known = Learned(game, nets, seed=1) if spec == "net" else Guided(game, nets, seed=1, simulations=40)
    bot = bots.make(spec, game, seed=1)
    return all(bot.choose(*seen_by(game, players, n)) == known.choose(*seen_by(game, players, n)) for n in range(3, 9))


@pytest.mark.parametrize("damage", [missing, corrupt, truncated, flipped, older, foreign, unknown])
def test_without_good_weights_search_plays_and_one_message_says_why(
    damage: Any, files: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game = GAMES[0]
    file = files / FILE
    damage(file, game)
    with caplog.at_level(logging.WARNING):
        for players in (game.players[0], game.players[-1]):
            assert all(searches(spec, game, players) for spec in SPECS)
        view, legal = seen_by(game, game.players[0])
        assert bots.make("net+search:5ms", game).choose(view, legal).move in legal
    [said] = [entry.getMessage() for entry in caplog.records]
    assert game.name in said and "search plays instead" in said and str(file) in said


def test_good_weights_that_come_later_are_used(files: Path) -> None:
    game = GAMES[0]
    assert searches("net", game, 2)
    small(files / FILE, game)
    for spec in SPECS:
        assert guided_by(files / FILE, spec, game, 2) and not searches(spec, game, 2)


@pytest.mark.parametrize("spec", SPECS)
def test_a_full_table_may_have_a_net_of_its_own(spec: str, files: Path) -> None:
    """Where it has none, the game's one net plays everywhere. The number of players is known without `start`."""
    game = next(game for game in GAMES if game.players[0] == 2 < game.players[-1])
    small(files / FILE, game)
    assert all(guided_by(files / FILE, spec, game, players) for players in game.players)
    small(files / MORE, game, width=12)  # widths may differ, too
    for players in game.players:
        used, other = (FILE, MORE) if players == 2 else (MORE, FILE)
        assert guided_by(files / used, spec, game, players) and not guided_by(files / other, spec, game, players)
        told = bots.make(spec, game, seed=1)
        told.start(0, game.players[-1], {})  # one bot after the other at several tables
        told.start(0, players, {})
        view, legal = seen_by(game, players)
        assert told.choose(view, legal).move == bots.make(spec, game, seed=1).choose(view, legal).move


def test_a_bad_net_for_full_tables_leaves_the_duel_alone(files: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = next(game for game in GAMES if game.players[0] == 2 < game.players[-1])
    small(files / FILE, game)
    corrupt(files / MORE, game)
    with caplog.at_level(logging.WARNING):
        for spec in SPECS:
            assert guided_by(files / FILE, spec, game, 2) and not searches(spec, game, 2)
            assert all(searches(spec, game, players) for players in game.players[1:])
    [said] = [entry.getMessage() for entry in caplog.records]
    assert "search plays instead" in said and str(files / MORE) in said


@each_game
def test_all_nets_of_a_game_run_the_same_code(game: Game, tmp_path: Path) -> None:
    """What was compiled for one is not compiled again for another: only their sizes differ."""
    small(tmp_path / MORE, game)
    one, other = Net.load(game), Net.load(game, tmp_path / MORE)
    for mine, its in ((one.packed, other.packed), (one.critic, other.critic), (one.secrets, other.secrets)):
        assert numba.typeof(mine) == numba.typeof(its)


def test_a_level_may_think_with_the_net(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A game says so in its levels; without good weights the same level searches."""
    game = GAMES[0]
    by_net, plain = (Level("k", "n", "a.", simulations=20, net=net) for net in (True, False))
    view, legal = seen_by(game, game.players[0])

    def choice(level: Level) -> bots.Choice:
        return Leveled(game, level, seed=2).choose(view, legal)

    assert choice(by_net) == choice(by_net) != choice(plain)
    monkeypatch.setitem(vars(game), "folder", tmp_path)
    assert choice(by_net) == choice(plain)


@pytest.mark.parametrize("spec", ["net:", "net:5", "net+search", "net+search:0", "net+greedy", "net+search:10x0"])
def test_nets_that_there_are_not(spec: str) -> None:
    with pytest.raises(bots.BotError):
        bots.make(spec, GAMES[0])
