"""Any game: a position at the start of a turn goes through JSON and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

from foxrow.core.errors import SetupError
from tests.contract.walk import Case, Step, positions, walk

RUBBISH: list[Any] = [None, True, -1, 10**30, 1.5, "", "QQ", [], {}, [[[]]], {"n": 3}]


def writable(case: Case, steps: list[Step]) -> list[tuple[Step, dict[str, Any]]]:
    """The positions that a set-up can express, with it."""
    found = []
    for step in steps:
        try:
            found.append((step, case.game.rules.text.write_setup(step.state)))
        except SetupError:
            continue
    return found


def test_set_up_to_json_and_back(case: Case) -> None:
    rules = case.game.rules
    steps = [*walk(case, 1), *walk(case, 2)]
    found = writable(case, steps)
    assert len(found) > min(5, len(steps) // 10), "hardly a position can be written as a set-up"
    for step, setup in found:
        data = json.loads(json.dumps(setup))
        assert data == setup
        again = rules.text.read_setup(data, case.players, case.options)
        assert rules.text.write_setup(again) == setup
        assert rules.actor(again) == rules.actor(step.state)
        assert rules.phase(again) == rules.phase(step.state)
        assert rules.scores(again) == rules.scores(step.state)
        texts = sorted(rules.move_text(step.state, move) for move in step.legal)
        assert sorted(rules.move_text(again, move) for move in rules.legal(again)) == texts


def test_a_set_up_plays_on_like_the_game(case: Case) -> None:
    """The same moves from the set-up lead to the same tables, to the end of the turn and beyond."""
    rules = case.game.rules
    steps = list(walk(case, 6))
    for start in range(0, len(steps), max(1, len(steps) // 8)):
        for at in range(start, len(steps)):  # the next position that a set-up can express
            if found := writable(case, [steps[at]]):
                break
        else:
            break
        again = rules.text.read_setup(json.loads(json.dumps(found[0][1])), case.players, case.options)
        for step in steps[at : at + 25]:
            assert rules.scores(again) == rules.scores(step.state)
            assert rules.actor(again) == rules.actor(step.state)
            legal = {rules.move_text(again, move): move for move in rules.legal(again)}
            assert sorted(legal) == sorted(rules.move_text(step.state, move) for move in step.legal)
            if step.move >= 0:
                rules.apply(again, legal[rules.move_text(step.state, step.move)])


def test_no_card_comes_from_nowhere(case: Case) -> None:
    """The set-up holds the deck, less what the rules took out of the game for good: that never comes back."""
    cards: Callable[[dict[str, Any]], list[str]] = import_module(f"{case.game.package}.tests.secrets").cards
    deck = Counter(case.game.rules.deck(case.players, case.options))
    for seed in (1, 2, 3):
        before = deck
        for _, setup in writable(case, list(walk(case, seed))):
            now = Counter(cards(setup))
            assert now <= before
            before = now


def test_bad_set_ups_name_the_place(case: Case) -> None:
    """Break a good set-up at every place: whatever comes of it, it is a SetupError or a position."""
    rules = case.game.rules
    for _, setup in writable(case, [step for step in positions(case, 8) if step.move >= 0])[:3]:
        text = json.dumps(setup)
        for path in places(setup):
            for bad in RUBBISH:
                broken = json.loads(text)
                holder = broken
                for part in path[:-1]:
                    holder = holder[part]
                holder[path[-1]] = bad
                error = refusal(case, broken)
                if error is None:
                    rules.legal(rules.text.read_setup(broken, case.players, case.options))
                else:
                    assert error.place
                    assert "\n" not in str(error)


def test_set_ups_with_missing_or_unknown_keys(case: Case) -> None:
    _, setup = writable(case, list(positions(case)))[0]
    for key in setup:
        error = refusal(case, {k: v for k, v in setup.items() if k != key})
        assert error is None or key in str(error)
    unknown = refusal(case, {**setup, "surprise": 1})
    assert unknown is not None
    assert "surprise" in str(unknown)
    for nonsense in (None, [], "hands", 3, [setup]):
        assert refusal(case, nonsense) is not None


def refusal(case: Case, setup: object) -> SetupError | None:
    """Why a set-up is no position, if it is none."""
    try:
        case.game.rules.text.read_setup(setup, case.players, case.options)
    except SetupError as error:
        return error
    return None


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a document, one or two of each list."""
    found = []
    if isinstance(data, dict):
        for key, value in data.items():
            found += [(*path, key), *places(value, (*path, key))]
    elif isinstance(data, list):
        for i, value in list(enumerate(data))[:2]:
            found += [(*path, i), *places(value, (*path, i))]
    return found
