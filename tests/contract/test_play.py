"""Any game: it can be played to its end, and the same seed deals the same game."""

from __future__ import annotations

import json

import numpy as np
import pytest

from foxrow.core.record import copy
from foxrow.core.registry import games
from tests.contract.walk import Case, deals, positions, raw, walk


def test_legal_moves_are_distinct_and_in_the_move_space(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        if step.move >= 0:
            assert 1 <= len(step.legal) <= rules.MAX_LEGAL
        assert len(set(step.legal)) == len(step.legal)
        assert all(0 <= move < rules.MOVES for move in step.legal)


def test_a_state_is_not_touched_by_questions(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        state = copy(step.state)
        rules.actor(state), rules.phase(state), rules.legal(state), rules.scores(state), rules.winners(state)
        for seat in range(case.players):
            rules.features(state, seat)
        assert raw(state) == raw(step.state)


def test_phases_actors_and_winners_go_together(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        over = step.move < 0
        assert (rules.actor(step.state) < 0) == over
        assert (case.game.phases[rules.phase(step.state)] == "over") == over
        winners = rules.winners(step.state)
        assert (winners is not None) == over
        if winners is not None:
            assert winners
            assert set(winners) <= set(range(case.players))
        assert len(rules.scores(step.state)) == case.players


def test_same_seed_same_game(case: Case) -> None:
    one = case.new(11, first=case.players - 1)
    two = case.new(11, first=case.players - 1)
    assert raw(one.state) == raw(two.state)
    assert one.to_act == case.players - 1
    few = deals(case) < 1_000_000  # then some seeds share a deal
    others = {raw(case.new(seed, first=case.players - 1).state) for seed in range(12, 60 if few else 13)}
    assert others - {raw(one.state)} or deals(case) == 1
    rounds = {raw(case.new(11, round=k).state) for k in range(100 if few else 4)}
    assert len(rounds) >= min(4, deals(case))


def test_same_walk_same_states(case: Case) -> None:
    one = [raw(step.state) for step in walk(case, 3)]
    assert one == [raw(step.state) for step in walk(case, 3)]


def test_a_dealt_state_forgets_the_game_before(case: Case) -> None:
    """Kernels deal into states that have played before."""
    rules = case.game.rules
    order = np.array(range(len(rules.deck(case.players, case.options))), np.int32)[::-1].copy()
    codes = np.array(case.game.option_codes(case.options), np.int32)
    fresh = rules.states(1)[0]
    rules.deal(fresh, order, case.players, 0, codes)
    for step in positions(case):
        used = copy(step.state)
        rules.deal(used, order, case.players, 0, codes)
        assert raw(used) == raw(fresh)


def test_position_plays_undoes_and_records(case: Case) -> None:
    import foxrow

    p = case.new(5, names=[f"N{seat}" for seat in range(case.players)])
    starts = p.copy()
    while not p.over and len(p.moves) < 60:
        p.play(p.legal()[len(p.moves) % len(p.legal())])
    record = json.loads(json.dumps(p.record()))
    again = foxrow.load(record)
    assert isinstance(again, foxrow.Position)
    assert raw(again.state) == raw(p.state)
    assert again.record() == p.record()
    assert raw(p.at(0).state) == raw(starts.state)
    assert raw(p.copy().undo(len(p.moves)).state) == raw(starts.state)
    assert isinstance(str(p), str)
    assert case.game.name in repr(p)


@pytest.mark.parametrize("game", games().values(), ids=lambda game: str(game.key))
def test_the_state_is_small(game: object) -> None:
    from foxrow.core.contract import Game

    assert isinstance(game, Game)
    assert game.rules.State.dtype.itemsize <= 2048
