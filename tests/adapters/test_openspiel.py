"""OpenSpiel's simulation tests, its search and one of its learners on our games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, tabular_qlearner

from foxrow.adapters import openspiel
from foxrow.core.batch import all_variants
from foxrow.core.registry import games

VARIANTS = [(game.key, kind) for game in games().values() for kind in all_variants(game)]
each_game = pytest.mark.parametrize("key", list(games()))


@pytest.mark.parametrize(
    ("key", "kind"), VARIANTS, ids=lambda x: x if isinstance(x, str) else f"{x.players} {x.options}"
)
def test_random_simulation(key: str, kind: Any) -> None:
    game = openspiel.load(key, players=kind.players, seed=1, **kind.options)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


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
def test_its_information_set_search_plays(key: str) -> None:
    game = openspiel.load(key, seed=2)
    lot = np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=1.4,
        max_simulations=4,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=lot),
        random_state=lot,
    )
    state = dealt(game)
    for _ in range(2):
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


def dealt(game: Any) -> Any:
    state = game.new_initial_state()
    assert state.is_chance_node() and state.chance_outcomes() == [(0, 1.0)]
    state.apply_action(0)
    return state
