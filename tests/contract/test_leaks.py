"""Leaks, in two worlds: change exactly what a seat may not know, and nothing that it gets may change by a byte.

What is secret comes from each game's `tests/secrets.py`, which is written from the rules, not from the fields'
declarations; so a wrong declaration is found. The last tests make every declaration wrong in turn, to see just that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

from foxrow.core.chance import stream
from foxrow.core.position import view_json
from foxrow.core.record import Visibility, copy, public
from foxrow.core.registry import games
from tests.contract.walk import Case, cases, lay_out, positions, raw, seers, shuffled, walk

Worlds = Callable[[Any, int, Random, int], Iterator[Any]]
Witness = Callable[[Any, int, Any, str], object]


def seen(case: Case, truth: Any, seer: int) -> list[bytes]:
    """Everything that leaves the truth for a seat (−1: a spectator)."""
    rules = case.game.rules
    view: Any = rules.mask(truth, seer)
    filled = copy(view)
    rules._globals["fill"](filled, stream(7))
    everything = [
        raw(view),
        json.dumps(view_json(case.game, view, case.options)).encode(),
        rules.text.table(view, [f"N{seat}" for seat in range(case.players)]).encode(),
        raw(filled),
    ]
    if seer >= 0:
        everything.append(rules.features(view, seer).tobytes())
        if rules.actor(view) == seer:
            legal = np.array(rules.legal(view), np.int32)
            everything += [legal.tobytes(), bytes([rules.policy(view, legal, len(legal), stream(7)) % 251])]
    return everything


def leaks(case: Case, count: int = 3, most: int = 40) -> tuple[int, int]:
    """How many other worlds look different to a seat, and how many there are."""
    other_worlds: Worlds = import_module(f"{case.game.package}.tests.secrets").other_worlds
    random = Random(1)
    different = worlds = 0
    for step in positions(case, most):
        for seer in seers(case):
            before = seen(case, step.state, seer)
            for world in other_worlds(step.state, seer, random, count):
                if raw(world) != raw(step.state):
                    worlds += 1
                    different += seen(case, world, seer) != before
    return different, worlds


def test_no_secret_leaks(case: Case) -> None:
    different, worlds = leaks(case)
    tried = 3 * len(positions(case, 40)) * len(seers(case))
    assert worlds > min(100, tried // 3), "the secrets of the game were hardly changed"
    assert different == 0


def test_games_that_look_the_same_stay_the_same(case: Case) -> None:
    """Two deals that differ in two cards, and the same moves.

    As long as a seat has been shown the same in both, it gets the same: what the program remembers for it (the known
    cards of a hand) holds nothing that it was not shown.
    """
    rules = case.game.rules
    witnessed: Witness = import_module(f"{case.game.package}.tests.secrets").witnessed
    random = Random(2)
    compared = 0
    for seed in (1, 2, 4):
        order, first = shuffled(case, seed)
        steps = list(walk(case, seed))
        for _ in range(6):
            swapped = list(order)
            i, j = random.sample(range(len(order)), 2)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            twin = lay_out(case, swapped, first)
            alike = set(seers(case))
            before, other_before, move = steps[0].state, copy(twin), ""
            for step in steps:
                alike = {
                    seer
                    for seer in alike
                    if witnessed(step.state, seer, before, move) == witnessed(twin, seer, other_before, move)
                }
                for seer in alike:
                    view, other = rules.mask(step.state, seer), rules.mask(twin, seer)
                    assert raw(view) == raw(other), (seed, i, j, seer)
                compared += len(alike) * (raw(step.state) != raw(twin))
                if not alike or step.move < 0 or step.move not in rules.legal(twin):
                    break
                move = rules.move_text(step.state, step.move)
                before, other_before = step.state, copy(twin)
                rules.apply(twin, step.move)
    assert compared > 50


def test_holders_see_their_own_secrets(case: Case) -> None:
    """The other way round: where a game has hands, a seat does see its own. A view that hides all proves nothing."""
    rules = case.game.rules
    for name, visibility in rules.State.visibility.items():  # type: ignore[attr-defined]
        if visibility is Visibility.OWNER:
            for step in positions(case, 10):
                for seat in range(case.players):
                    view: Any = rules.mask(step.state, seat)
                    assert (view[name][seat] == step.state[name][seat]).all()


def secret_fields() -> list[tuple[Case, str]]:
    """Each field that hides something, with one case of its game."""
    first = {case.game.key: case for case in reversed(cases())}
    return [
        (first[key], name)
        for key, game in games().items()
        for name, visibility in game.rules.State.visibility.items()  # type: ignore[attr-defined]
        if visibility is not Visibility.PUBLIC
    ]


@pytest.mark.parametrize(("case", "field"), secret_fields(), ids=str)
def test_declaring_a_secret_public_is_found(case: Case, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(case.game.rules.State.visibility, field, public)  # type: ignore[attr-defined]
    different, _ = leaks(case, count=1, most=10)
    assert different > 0


def test_every_game_has_a_secret() -> None:
    assert {case.game.key for case, _ in secret_fields()} == set(games())
