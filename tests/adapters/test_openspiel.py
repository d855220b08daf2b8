"""OpenSpiel's simulation tests, its search and one of its learners on our games."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, tabular_qlearner

from foxrow.adapters import openspiel
from foxrow.core.batch import all_variants
from foxrow.core.errors import GameError, IllegalMove
from foxrow.core.registry import games

VARIANTS = [(game.key, kind) for game in games().values() for kind in all_variants(game)]
each_game = pytest.mark.parametrize("key", list(games()))


@pytest.mark.parametrize(
    ("key", "kind"), VARIANTS, ids=lambda x: x if isinstance(x, str) else f"{x.players} {x.options}"
)
def test_random_simulation(key: str, kind: Any) -> None:
    game = openspiel.load(key, players=kind.players, seed=1, **kind.options)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@each_game
def test_shapes_names_and_strings(key: str) -> None:
    card = games()[key]
    game = openspiel.load(key, seed=4)
    assert game.get_type().short_name == f"foxrow_{key}_v{card.version + card.rules.FEATURES_VERSION - 1}"
    assert game.observation_tensor_shape() == game.information_state_tensor_shape() == [card.rules.FEATURES]
    state = dealt(game)
    seat = state.current_player()
    assert state.observation_tensor(seat) == card.rules.features(state.record, seat).tolist()
    assert state.observation_string(seat) and state.information_state_string(seat)
    assert len({state.information_state_string(s) for s in range(game.num_players())}) == game.num_players()
    assert [state.action_to_string(seat, move) for move in state.legal_actions()]


@each_game
def test_resampling_keeps_what_a_seat_knows_and_varies(key: str) -> None:
    game = openspiel.load(key, seed=4)
    lot = np.random.default_rng(1)
    state = dealt(game)
    for _ in range(10):
        state.apply_action(int(lot.choice(state.legal_actions())))
    seat = state.current_player()
    others = [state.resample_from_infostate(seat, lot.random) for _ in range(6)]
    for other in others:
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.legal_actions() == state.legal_actions()
    assert len({str(other) for other in others}) > 1


@each_game
def test_strings_tell_first_decisions_apart(key: str) -> None:
    told: dict[str, Any] = {}
    for number in range(150):
        state = dealt(openspiel.load(key, seed=4), number)
        seat = state.current_player()
        seen = state.observation_string(seat), state.legal_actions(), state.observation_tensor(seat)
        assert told.setdefault(state.information_state_string(seat), seen) == seen
    assert len(told) > 2


@each_game
def test_observations_tell_apart_what_a_seat_sees(key: str) -> None:
    """Ways of two moves that lead to the same table but for what no table shows: that a card was played, say."""
    states, told = [dealt(openspiel.load(key, seed=4))], dict[str, bytes]()
    for _ in range(2):
        states = [state.child(move) for state in states for move in state.legal_actions()]
        for state in states:
            for seat in range(state.num_players()):
                view = _view(key, state, seat)
                assert told.setdefault(state.observation_string(seat), view) == view


@each_game
def test_a_string_is_all_that_a_seat_has_seen(key: str) -> None:
    """Deals alike for a seat are played on with the same lots: its strings part when what it sees does, for good."""
    start = dealt(openspiel.load(key, seed=4))
    seat, lot = start.current_player(), np.random.default_rng(1)
    paths: dict[str, Any] = {}
    for trial in range(24):
        state, path = start.resample_from_infostate(seat, lot.random), []
        for share in np.random.default_rng(trial % 3).random(16):
            path.append((tuple(state.history()[4:]), _view(key, state, seat)))
            assert paths.setdefault(state.information_state_string(seat), tuple(path)) == tuple(path)
            if state.is_terminal():
                break
            legal = state.legal_actions()
            state.apply_action(legal[int(share * len(legal))])
    assert len(set(paths.values())) == len(paths) > 50  # and the same path has no two strings


@each_game
@pytest.mark.parametrize("moves", [0, 12])
def test_resampling_tells_nothing_of_true_cards(key: str, moves: int) -> None:
    state, lot = dealt(openspiel.load(key, seed=4)), np.random.default_rng(1)
    for _ in range(moves):
        state.apply_action(int(lot.choice(state.legal_actions())))
    seat = state.current_player()
    others = [state.resample_from_infostate(seat, lot.random) for _ in range(40)]
    for player in range(state.num_players()):
        # the strings of another seat are those of the cards that it was given, all alike where these are
        pairs = {(told.information_state_string(player), _view(key, told, player)) for told in others}
        assert len({string for string, _ in pairs}) == len({view for _, view in pairs}) == len(pairs)
        # and once nothing but the deal is to be remembered, those of a true deal
        string, view = state.information_state_string(player), _view(key, state, player)
        if player == seat or moves == 0:
            assert all((string == told) == (view == seen) for told, seen in pairs)
    # nor does it make a difference which of the deals that are alike for the seat is the true one
    for truth in others:
        again = truth.resample_from_infostate(seat, lambda: 0.25)
        first = others[0].resample_from_infostate(seat, lambda: 0.25)
        assert str(again) == str(first)
        for player in range(state.num_players()):
            assert again.information_state_string(player) == first.information_state_string(player)


@each_game
@pytest.mark.parametrize("observations", [False, True])
def test_its_information_set_search_plays(key: str, observations: bool) -> None:
    game = openspiel.load(key, seed=2)
    lot = np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=1.4,
        max_simulations=50,  # enough to meet an information state again with other hidden cards
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=lot),
        random_state=lot,
        use_observation_string=observations,
    )
    state = dealt(game)
    for _ in range(3):
        move = bot.step(state)
        assert move in state.legal_actions()
        state.apply_action(move)


@each_game
def test_its_tabular_learner_learns(key: str) -> None:
    env = rl_environment.Environment(openspiel.load(key, seed=2), include_full_state=False)
    moves = env.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(seat, moves) for seat in range(env.num_players)]
    for _ in range(2):
        step = env.reset()
        while not step.last():
            chosen = agents[step.observations["current_player"]].step(step)
            step = env.step([chosen.action])
        for agent in agents:
            agent.step(step)
    assert any(agent._q_values for agent in agents)


@each_game
def test_it_is_found_by_its_name(key: str) -> None:
    card = games()[key]
    name = openspiel.load(key).get_type().short_name
    assert name in pyspiel.registered_names()
    assert pyspiel.load_game(name).num_players() == card.players[0]
    for kind in all_variants(card):
        options: dict[str, Any] = kind.options
        words = ",".join(f"{k}={v}" for k, v in {"players": kind.players, "seed": 4, **options}.items())
        game = pyspiel.load_game(f"{name}({words})")
        assert game.num_players() == kind.players
        assert game.around.variant == kind
        assert str(dealt(game)) == str(dealt(openspiel.load(key, kind.players, seed=4, **options)))
    with pytest.raises(GameError):
        pyspiel.load_game(f"{name}(players=77)")


@each_game
def test_states_go_through_text_and_copies(key: str) -> None:
    game = openspiel.load(key, seed=4)
    state = dealt(game)
    state.apply_action(state.legal_actions()[0])
    other = state.resample_from_infostate(state.current_player(), np.random.default_rng(1).random)
    for one in (state, other):
        for again in (
            pickle.loads(pickle.dumps(one)),
            copy.deepcopy(one),
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, one))[1],
        ):
            assert str(again) == str(one) and again.history() == one.history()
            assert again.legal_actions() == one.legal_actions()
            for seat in range(game.num_players()):
                assert again.information_state_string(seat) == one.information_state_string(seat)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


@each_game
def test_deals_are_told_apart_and_people_can_read_them(key: str) -> None:
    game = openspiel.load(key)
    one, other = dealt(game, 1), dealt(game, 2)
    assert one.history() != other.history() and str(one) != str(other)
    assert str(dealt(game, 1)) == str(one) != str(dealt(openspiel.load(key, seed=5), 1))
    table = games()[key].rules.text.table(one.record, ["seat 0", "seat 1"])
    assert table in str(one) and max(map(len, str(one).splitlines())) < 200


@each_game
def test_few_deals_are_those_of_one_node(key: str) -> None:
    game = openspiel.load(key, seed=2, deals=3)
    found = set()
    for outcome, chance in game.new_initial_state().chance_outcomes():
        assert chance == 1 / 3
        state = game.new_initial_state().child(outcome)
        assert not state.is_chance_node() and state.history() == [outcome]
        found.add(str(state))
    assert len(found) == 3
    for wrong in (-1, 1.5, True):
        with pytest.raises(ValueError, match="deals is a whole number"):
            openspiel.load(key, deals=wrong)  # type: ignore[arg-type]


@each_game
def test_what_is_not_legal_is_refused(key: str) -> None:
    state = openspiel.load(key, seed=4).new_initial_state()
    for outcome in (-2, 256, 100_000):
        with pytest.raises(ValueError, match="outcome of chance"):
            state.apply_action(outcome)
    state = dealt(openspiel.load(key, seed=4))
    before = str(state)
    illegal = next(move for move in range(10_000) if move not in state.legal_actions())
    for move in (-2, illegal, 100_000):
        with pytest.raises(IllegalMove):
            state.apply_action(move)
        with pytest.raises(pyspiel.SpielError, match="illegal action"):
            state.apply_action_with_legality_check(move)
    assert str(state) == before and len(state.history()) == 4
    state.apply_action_with_legality_check(state.legal_actions()[0])
    lot = np.random.default_rng(1)
    while not state.is_terminal():
        state.apply_action(int(lot.choice(state.legal_actions())))
    with pytest.raises(IllegalMove, match="over"):
        state.apply_action(0)


def dealt(game: Any, number: int = 0) -> Any:
    state = game.new_initial_state()
    for outcome in number.to_bytes(4, "big"):
        assert state.is_chance_node() and state.chance_outcomes() == [(byte, 1 / 256) for byte in range(256)]
        state.apply_action(outcome)
    return state


def _view(key: str, state: Any, seat: int) -> bytes:
    return np.asarray(games()[key].rules.mask(state.record, seat)).tobytes()
