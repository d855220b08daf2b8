"""Any game: a move has one text, the text means that move, and nonsense is refused in words."""

from __future__ import annotations

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foxrow.core.errors import IllegalMove, MoveError, ParseError
from tests.contract.walk import Case, positions, walk

# Pieces of the notations that exist, and of what people type instead.
PIECES = st.one_of(
    st.sampled_from([*"0123456789XxRrPpSs@#,+- \t", "10", "13", "100", "101", "X X", "٣", "²", "①", "−1", "\0"]),
    st.sampled_from(["take", "leave", "keep", "play", "show", "pass", "close", "done", "pile", "back", "discard"]),
    st.text(alphabet=string.printable, max_size=4),
    st.characters(),
)
TEXTS = st.lists(PIECES, max_size=8).map("".join) | st.lists(PIECES, max_size=8).map(" ".join)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.binary() | st.lists(st.integers(), max_size=2)


def test_text_means_the_move(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        texts = [rules.move_text(step.state, move) for move in step.legal]
        assert len(set(texts)) == len(texts)
        for move, text in zip(step.legal, texts, strict=True):
            assert rules.parse(step.state, text) == move
            assert text == " ".join(text.split())


def test_input_is_forgiving_in_case_and_spaces(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        for move in step.legal[:20]:
            text = rules.move_text(step.state, move)
            for typed in (text.upper(), text.lower(), f"  {text}\t", text.replace(" ", "   "), text.title()):
                assert rules.parse(step.state, typed) == move, typed


def test_letters_that_only_look_alike_are_none(case: Case) -> None:
    rules = case.game.rules
    for step in positions(case):
        for move in step.legal[:20]:
            text = rules.move_text(step.state, move)
            for typed in (text.replace("k", "\u212a"), text.replace("s", "\u017f"), text.replace("1", "\uff11")):
                if typed != text:
                    with pytest.raises(ParseError):
                        rules.parse(step.state, typed)


def test_text_stays_the_same_for_a_round(case: Case) -> None:
    """The referee makes the texts of a round once."""
    rules = case.game.rules
    for seed in range(8):
        texts: dict[int, str] = {}
        for step in walk(case, seed):
            for move in step.legal:
                text = rules.move_text(step.state, move)
                assert texts.setdefault(move, text) == text


def test_every_move_of_the_space_is_legal_or_explained(case: Case) -> None:
    """Whatever parses and is not legal has a code and a sentence."""
    rules = case.game.rules
    for step in positions(case, 12):
        if step.move < 0:
            continue
        for move in range(rules.MOVES):
            if move not in step.legal:
                code, sentence = rules.text.why_not(step.state, move)
                assert code.isidentifier()
                assert code == code.lower()
                assert len(sentence.split()) > 2
                assert "\n" not in sentence


def test_a_move_after_the_end_is_illegal(case: Case) -> None:
    rules = case.game.rules
    steps = list(walk(case, 4))
    text = rules.move_text(steps[0].state, steps[0].move)
    with pytest.raises(IllegalMove, match="over"):
        rules.parse(steps[-1].state, text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nonsense_is_a_move_error(case: Case, data: st.DataObject) -> None:
    rules = case.game.rules
    step = data.draw(st.sampled_from(positions(case)))
    text = data.draw(TEXTS | VALUES)
    try:
        move = rules.parse(step.state, text)
    except MoveError as error:
        refused = error
    else:
        assert move in step.legal
        return
    assert refused.kind in ("parse", "illegal", "ambiguous")
    assert "\n" not in refused.reason
    assert len(refused.reason) < 300
