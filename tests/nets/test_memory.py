"""What a player remembers: the deals that it takes for likely agree with all it saw, and are as likely as it says."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from foxrow.core.chance import streams
from foxrow.core.contract import Game
from foxrow.core.position import Position
from foxrow.nets.memory import Imagining, Memory
from foxrow.nets.play import Net
from foxrow.nets.weights import home, load
from foxrow.search.searcher import fingerprint
from tests.nets.test_searcher import GAMES

SECRETIVE = [game for game in GAMES if load(home(game), game)[0].critic]
each_game = pytest.mark.parametrize("game", SECRETIVE, ids=lambda game: game.key)
SMALL = Imagining(pool=256, drawn=256, spread=1.0, turns=2, lapse=0.1)


@dataclass
class Told:
    """A round as one seat is told of it: its views at its turns, and the moves since each."""

    position: Position
    seat: int
    views: list[tuple[Any, int]]  # and how many moves there were
    moves: list[tuple[int, int]]

    def tell(self, memory: Memory) -> None:
        for i in range(len(self.moves) + 1):
            for view, known in self.views:
                if known == i:
                    memory.note(view)
            if i < len(self.moves):
                memory.saw(*self.moves[i])

    @property
    def view(self) -> Any:
        return one(self.position)


def one(position: Position) -> Any:
    array = position.game.rules.states(1)
    assert position.to_act is not None
    array[0] = position.masked(position.to_act)
    return array


def round_of(game: Game, players: int, seed: int, turns: int) -> Told:
    """By the net and a little luck, until a seat has had so many turns with a choice and has another."""
    net, lot = Net.load(game), random.Random(seed)
    while True:
        position = game.new(players, seed=lot.random().hex())
        told = Told(position, lot.randrange(players), [], [])
        while not position.over:
            seat = position.to_act
            assert seat is not None
            view = one(position)
            legal = game.rules.legal(view[0])
            if seat == told.seat and len(legal) > 1:
                if len(told.views) == turns:
                    return told
                told.views.append((view, len(told.moves)))
            move = lot.choice(legal) if lot.random() < 0.2 else net.choose(view[0], legal)
            told.moves.append((seat, move))
            position.play_move(move)


@each_game
def test_recalled_deals_are_what_the_seat_sees(game: Game) -> None:
    rules = game.rules
    recalled = 0
    for players in (game.players[0], game.players[-1]):
        for seed in range(6):
            told = round_of(game, players, seed, 2)
            memory = Memory(Net.load(game), SMALL)
            told.tell(memory)
            found = memory._recall(told.view, streams(seed, 1)[0])
            if found is None:
                continue
            recalled += 1
            seen = fingerprint(told.view[0])
            hands = set()
            for state in found.states:
                assert fingerprint(rules.mask(state, told.seat)) == seen
                hands.add(state.tobytes())
            assert len(hands) > 20  # not one deal again and again
            odds = np.diff(found.odds, prepend=0.0)
            assert (odds >= 0).all() and found.odds[-1] == pytest.approx(1.0)
    assert recalled >= 4


@each_game
def test_a_deal_is_as_likely_as_the_moves_made_in_it(game: Game) -> None:
    """By hand: the net's odds of every move of the others, one after the other. The critic has no say here."""
    rules = game.rules
    card, layers = load(home(game), game)
    matrix, bias = layers["critic.deal"]
    net = Net(game, card, layers | {"critic.deal": (np.zeros_like(matrix), np.zeros_like(bias))})
    lapse = 0.1
    for seed in range(40):
        told = round_of(game, game.players[0], seed, 2)
        memory = Memory(net, SMALL)
        told.tell(memory)
        deals = memory._deals
        old, known = told.views[0]
        since = np.array(told.moves[known:], np.int32).T.copy()
        trail = deals.Trail(old, *since, rules.features(told.view[0], told.seat))
        begun, pool = rules.states(48), deals.Pool(rules.states(48), np.zeros(48))
        if not deals.recall(trail, streams(seed, 1)[0], *memory._by(), begun, pool, 20000, lapse, 1.0):
            continue
        expected = np.zeros(48)
        for i in range(48):
            state: Any = rules.states(1)
            state[0] = begun[i]
            for seat, move in told.moves[known:]:
                legal = rules.legal(state[0])
                if seat != told.seat and len(legal) > 1:
                    odds, _ = net.evaluate(state[0], legal)
                    expected[i] += np.log((1 - lapse) * odds[legal.index(move)] + lapse / len(legal))
                rules.apply(state[0], move)
            assert state.tobytes() == pool.states[i : i + 1].tobytes()
        if np.ptp(expected) > 0.5:  # the moves do tell something
            weights = np.exp(expected - expected.max())
            assert np.allclose(np.diff(pool.odds, prepend=0.0), weights / weights.sum(), atol=2e-3)
            return
    raise AssertionError("no moves that tell anything")


@each_game
def test_what_does_not_lead_here_is_not_believed(game: Game) -> None:
    """Told moves of another round, or none, or in a hurry, it goes by what it sees."""
    told, other = (round_of(game, game.players[0], seed, 2) for seed in (1, 2))
    net = Net.load(game)

    def looked(memory: Memory, hurry: bool = False) -> bytes:
        pool = memory.deals(told.view, streams(3, 1)[0], hurry)
        assert {fingerprint(game.rules.mask(s, told.seat)) for s in pool.states} == {fingerprint(told.view[0])}
        return bytes(pool.odds.tobytes())

    nobody = looked(Memory(net, SMALL))
    true = Memory(net, SMALL)
    told.tell(true)
    assert looked(true, hurry=True) == nobody
    assert looked(true) != nobody
    wrong = Memory(net, SMALL)
    for view, _ in told.views:
        wrong.note(view)
    for seat, move in other.moves[:3]:
        wrong.saw((seat + 1) % game.players[0], move)
    assert len(looked(wrong)) == len(nobody)


def test_some_games_have_secrets() -> None:
    assert SECRETIVE
