"""PettingZoo's own tests on every game and player count."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import foxrow
from foxrow.adapters import pettingzoo
from foxrow.core.batch import all_variants
from foxrow.core.errors import GameError
from foxrow.core.registry import games

VARIANTS = [(game.key, kind) for game in games().values() for kind in all_variants(game)]
each_variant = pytest.mark.parametrize(
    ("key", "kind"), VARIANTS, ids=lambda x: x if isinstance(x, str) else f"{x.players} {x.options}"
)


@each_variant
def test_api_and_seeds(key: str, kind: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about observations that are dictionaries, which masks need
        api_test(pettingzoo.env(key, players=kind.players, **kind.options), num_cycles=60)
        seed_test(lambda: pettingzoo.env(key, players=kind.players, **kind.options), num_cycles=30)


@pytest.mark.parametrize("key", list(games()))
def test_a_round_is_slot_0_of_a_batch(key: str) -> None:
    env = pettingzoo.raw_env(key)
    slot = foxrow.batch(key, 1, seed=11)
    env.reset(seed=11)
    step = slot.reset()
    while not any(env.terminations.values()):
        seat = int(step.actors[0])
        assert env.agent_selection == f"seat_{seat}"
        seen = env.observe(env.agent_selection)
        assert np.array_equal(seen["observation"], step.observations[0])
        assert np.array_equal(seen["action_mask"], step.masks[0])
        move = slot.random_moves()
        env.step(int(move[0]))
        step = slot.step(move)
    assert step.done[0]
    paid = [env.rewards[agent] for agent in env.possible_agents]
    assert paid == pytest.approx(step.rewards[0][: len(paid)].tolist())


@pytest.mark.parametrize("key", list(games()))
def test_a_seed_may_be_one_of_numpy(key: str) -> None:
    env = pettingzoo.env(key)
    seen = []
    for seed in (3, np.int64(3), np.uint8(3), np.uint64(3)):
        env.reset(seed=seed)
        seen.append(env.observe(env.agent_selection)["observation"].tolist())
    assert seen == [seen[0]] * len(seen)


def test_names_are_versioned_and_mistakes_are_explained() -> None:
    for key, game in games().items():
        env = pettingzoo.env(key, render_mode="ansi")
        assert env.metadata["name"] == f"{key}-v{game.version + game.rules.FEATURES_VERSION - 1}"
        env.reset(seed=1)
        assert env.render()
        with pytest.raises(GameError):
            pettingzoo.env(key, players=77)
        with pytest.raises(ValueError, match="a render mode is 'ansi' or 'human'"):
            pettingzoo.env(key, render_mode="rgb_array")


def test_an_illegal_move_loses() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pettingzoo.env(next(iter(games())))
        env.reset(seed=1)
        loser = env.agent_selection
        env.step(int(np.flatnonzero(env.observe(loser)["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert env.rewards[loser] == -1
