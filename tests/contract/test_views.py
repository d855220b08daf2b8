"""Any game: what a seat sees is enough to play, and no more than the truth would tell the same function."""

from __future__ import annotations

import json
from importlib import import_module

import numpy as np
import pytest

from foxrow.core.chance import stream
from foxrow.core.errors import SetupError
from foxrow.core.position import view_json
from foxrow.core.record import copy
from tests.contract.walk import Case, positions, raw, seers


def test_acting_seat_sees_what_it_needs(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        if step.move < 0:
            continue
        seat = int(rules.actor(step.state))
        view = rules.mask(step.state, seat)
        assert rules.actor(view) == seat
        assert rules.phase(view) == rules.phase(step.state)
        assert rules.legal(view) == step.legal
        texts = [rules.move_text(view, move) for move in step.legal]
        assert texts == [rules.move_text(step.state, move) for move in step.legal]


def test_policy_is_the_same_on_truth_and_view(case: Case) -> None:
    rules = case.game.rules
    for number, step in enumerate(positions(case)):
        if step.move < 0:
            continue
        legal = np.array(step.legal, np.int32)
        rngs = stream(number), stream(number)
        view = rules.mask(step.state, int(rules.actor(step.state)))
        chosen = rules.policy(step.state, legal, len(legal), rngs[0])
        assert chosen == rules.policy(view, legal, len(legal), rngs[1])
        assert chosen in step.legal
        assert (rngs[0] == rngs[1]).all()


def test_policy_does_not_touch_the_view(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        if step.move >= 0:
            view = rules.mask(step.state, int(rules.actor(step.state)))
            before = raw(view)
            legal = np.array(step.legal, np.int32)
            rules.policy(view, legal, len(legal), stream(1))
            assert raw(view) == before


def test_features_are_the_same_on_truth_and_view(case: Case) -> None:
    rules = case.game.rules
    fields = import_fields(case)
    assert sum(size for _, size, _ in fields) == rules.FEATURES
    for step in positions(case):
        for seat in range(case.players):
            seen = rules.features(rules.mask(step.state, seat), seat)
            assert (seen == rules.features(step.state, seat)).all()
            dirty = np.full(rules.FEATURES, 99, np.int8)  # `features` writes every number
            rules._globals["features"](step.state, seat, dirty)
            assert (seen == dirty).all()


def test_a_frame_follows_from_the_view_and_only_changes_places(case: Case) -> None:
    rules = case.game.rules
    frames = rules.frames
    sizes = rules.FEATURES, rules.MOVES, rules.SECRETS
    assert [table.shape for table in frames] == [(rules.FRAMES, size) for size in sizes]
    met = set()
    for step in positions(case):
        if step.move < 0:
            continue
        seat = int(rules.actor(step.state))
        frame = rules.frame(step.state, seat)
        assert 0 <= frame < rules.FRAMES
        view = rules.mask(step.state, seat)
        assert rules.frame(view, seat) == frame
        rules.fill(view, stream(frame))
        assert rules.frame(view, seat) == frame
        met.add(frame)
    for frame in met:
        for table, size in zip(frames, sizes, strict=True):
            assert sorted(table[frame].tolist()) == list(range(size))


def test_secrets_are_not_in_the_view(case: Case) -> None:
    """Where a game says what a seat cannot know: it is a row of its own length, and other deals have other ones."""
    rules = case.game.rules
    if not rules.SECRETS:
        return
    assert rules.SECRETS <= rules.FEATURES
    differ = 0
    for number, step in enumerate(positions(case)):
        if step.move >= 0:
            seat = int(rules.actor(step.state))
            other = rules.mask(step.state, seat)
            rules.fill(other, stream(number))
            differ += bool((rules.secrets(other, seat) != rules.secrets(step.state, seat)).any())
    assert differ > 0


def import_fields(case: Case) -> tuple[tuple[str, int, str], ...]:
    fields: tuple[tuple[str, int, str], ...] = import_module(f"{case.game.package}.view").FEATURE_FIELDS
    return fields


def test_scores_and_phase_are_the_same_for_everybody(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        for seer in seers(case):
            view = rules.mask(step.state, seer)
            assert rules.actor(view) == rules.actor(step.state)
            assert rules.phase(view) == rules.phase(step.state)
            assert rules.scores(view) == rules.scores(step.state)
            assert rules.winners(view) == rules.winners(step.state)


def test_view_json_has_the_common_keys(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        to_act = int(rules.actor(step.state))
        texts = sorted(rules.move_text(step.state, move) for move in step.legal)
        for seer in seers(case):
            view = view_json(case.game, rules.mask(step.state, seer), case.options)
            assert json.loads(json.dumps(view)) == view
            assert view["game"] == case.game.key
            assert view["players"] == case.players
            assert view["options"] == case.options
            assert view["first"] == int(step.state.first)
            assert view["seat"] == (None if seer < 0 else seer)
            assert view["phase"] == case.game.phases[rules.phase(step.state)]
            assert view["to_act"] == (None if to_act < 0 else to_act)
            assert view["legal"] == (texts if seer == to_act else [])
            assert view["scores"] == rules.scores(step.state)
            assert view["over"] == (step.move < 0)
            assert view["winners"] == rules.winners(step.state)


def test_view_json_is_the_set_up_with_holes(case: Case) -> None:
    """notation.md: every key of the set-up is in the view, and what is not hidden is the same there."""
    rules = case.game.rules
    met = 0
    for step in positions(case):
        try:
            setup = rules.text.write_setup(step.state)
        except SetupError:
            continue
        for seer in seers(case):
            view = view_json(case.game, rules.mask(step.state, seer), case.options)
            for key, value in setup.items():
                if key != "scores":  # the view counts open lines, a set-up leaves them out
                    assert fits(value, view[key]), (key, value, view[key])
                    met += 1
    assert met


def fits(truth: object, seen: object) -> bool:
    """Whether a value of a view is the truth, or says how many there are and some of them."""
    if isinstance(seen, dict) and "n" in seen and isinstance(truth, list):
        left = list(truth)
        for card in seen.get("known", []):
            if card not in left:
                return False
            left.remove(card)
        return bool(seen["n"] == len(truth))
    if isinstance(truth, list) and isinstance(seen, list):
        return len(truth) == len(seen) and all(map(fits, truth, seen))
    return truth == seen


def test_table_as_text_for_everybody(case: Case) -> None:
    names = [f"Name{seat}" for seat in range(case.players)]
    rules = case.game.rules
    for step in positions(case, 12):
        for state in (step.state, *(rules.mask(step.state, seer) for seer in seers(case))):
            text = rules.text.table(state, names)
            assert all(name in text for name in names)
            sentence = text.rpartition("\n\n")[2]  # a terminal asks with it, above the moves
            assert sentence.endswith((".", "?"))
            assert "\n" not in sentence


def test_a_view_cannot_be_masked_for_another(case: Case) -> None:
    rules = case.game.rules
    view = rules.mask(positions(case)[0].state, 0)
    assert raw(rules.mask(view, 0)) == raw(view)
    with pytest.raises(ValueError, match="truth"):
        rules.mask(view, 1)
    with pytest.raises(ValueError, match="view"):
        rules.fill(copy(positions(case)[0].state), stream(1))
