"""Any game: a fill agrees with what the seat sees, reads nothing else, and is not always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from foxrow.core.chance import stream
from foxrow.core.record import TRUTH, Visibility, copy
from tests.contract.walk import Case, positions, raw, seers, walk

Worlds = Callable[[Any, int, Random, int], Iterator[Any]]


def filled(case: Case, view: Any, seed: int) -> Any:
    state = copy(view)
    case.game.rules.fill(state, stream(seed))
    return state


def as_truth(state: Any) -> Any:
    truth = copy(state)
    truth.seer = TRUTH
    return truth


def test_a_fill_looks_like_the_view(case: Case) -> None:
    rules = case.game.rules
    for number, step in enumerate(positions(case)):
        for seer in seers(case):
            view: Any = rules.mask(step.state, seer)
            state = filled(case, view, number)
            assert state.seer == seer
            assert raw(rules.mask(as_truth(state), seer)) == raw(view)


def test_a_fill_leaves_no_hole(case: Case) -> None:
    """Whatever was hidden holds a card now, or nothing: no seat's field is −1 unless the truth's would be."""
    rules = case.game.rules
    visibility: dict[str, Visibility] = rules.State.visibility  # type: ignore[attr-defined]
    for number, step in enumerate(positions(case)):
        for seer in seers(case):
            state = filled(case, rules.mask(step.state, seer), number)
            for name, seen in visibility.items():
                if seen is not Visibility.PUBLIC and not (step.state[name] < 0).any():
                    assert (state[name] >= 0).all(), name


def test_a_fill_can_be_played_on(case: Case) -> None:
    """To the end, and the number of moves stays in bounds: the filled state is a state like any other."""
    rules = case.game.rules
    random = Random(1)
    for number, step in enumerate(positions(case, 16)):
        for seer in seers(case):
            state = as_truth(filled(case, rules.mask(step.state, seer), number))
            assert rules.actor(state) == rules.actor(step.state)
            for _ in range(60):
                if rules.actor(state) < 0:
                    break
                rules.apply(state, random.choice(rules.legal(state)))


def test_same_stream_same_fill(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case, 16):
        for seer in seers(case):
            view = rules.mask(step.state, seer)
            assert raw(filled(case, view, 5)) == raw(filled(case, view, 5))


def test_a_fill_never_reads_holes(case: Case) -> None:
    """What lies in the holes, be it the truth or rubbish, makes no difference."""
    rules = case.game.rules
    visibility: dict[str, Visibility] = rules.State.visibility  # type: ignore[attr-defined]
    for number, step in enumerate(positions(case, 24)):
        for seer in seers(case):
            view: Any = rules.mask(step.state, seer)
            rubbish = copy(view)
            truth = copy(step.state)
            truth.seer = seer
            noise = np.random.default_rng(number)
            for name, seen in visibility.items():
                if seen is not Visibility.PUBLIC:
                    field = rubbish[name]
                    junk = noise.integers(-5, 120, field.shape).astype(field.dtype)
                    if seen is Visibility.OWNER and seer >= 0:
                        junk[seer] = field[seer]
                    rubbish[name] = junk
            expected = raw(filled(case, view, number))
            assert raw(filled(case, rubbish, number)) == expected
            assert raw(filled(case, truth, number)) == expected


def test_fills_vary(case: Case) -> None:
    """At the beginning of a game nothing is settled: fills find the worlds that the rules allow, or many of them."""
    rules = case.game.rules
    other_worlds: Worlds = import_module(f"{case.game.package}.tests.secrets").other_worlds
    for seed in range(3):
        start = next(walk(case, seed)).state
        for seer in seers(case):
            view = rules.mask(start, seer)
            worlds = {raw(world) for world in other_worlds(start, seer, Random(seed), 60)} | {raw(start)}
            assert len({raw(filled(case, view, n)) for n in range(40)}) > len(worlds) // 2
