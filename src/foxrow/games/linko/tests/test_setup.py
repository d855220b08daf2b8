"""Linko's set-ups: what they accept, what they refuse, and the place that an error names."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from foxrow.core.errors import SetupError
from foxrow.core.position import Position
from foxrow.core.registry import game

LINKO = game("linko")
GOOD: dict[str, Any] = {
    "hands": [[7, 7, "X"], [13]],
    "stacks": [[[7], [6, 6, 6, "X"]], []],
    "display": [1, 2],
    "pile": [3, 4],
    "discard": [],
    "active": 0,
}


def change(**parts: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **parts}


def read(setup: object) -> Position:
    return Position.from_setup(LINKO, setup, 2)


def test_round_trip() -> None:
    p = read(GOOD)
    assert LINKO.rules.text.write_setup(p.state) == GOOD
    assert p.view(0)["hands"] == [[7, 7, "X"], {"n": 1, "known": []}]


@pytest.mark.parametrize(
    ("setup", "place"),
    [
        ([], "setup"),
        (None, "setup"),
        ({}, "setup"),
        ({**GOOD, "extra": 1}, "setup"),
        (change(hands=[[7]]), "hands"),
        (change(hands=[[7], [7], [7]]), "hands"),
        (change(hands="77"), "hands"),
        (change(hands=[[7, 14], [13]]), "hands[0][1]"),
        (change(hands=[[7, True], [13]]), "hands[0][1]"),
        (change(hands=[[7, 7.0], [13]]), "hands[0][1]"),
        (change(hands=[[7, "x"], [13]]), "hands[0][1]"),
        (change(hands=[[7, None], [13]]), "hands[0][1]"),
        (change(hands=[[7] * 9, [13]]), "hands[0][8]"),
        (change(hands=[[7] * 8, [13]]), "stacks[0][0][0]"),
        (change(hands=[["X"] * 6, [13]]), "hands[0][5]"),
        (change(stacks=[[[7, 8]], []]), "stacks[0][0]"),
        (change(stacks=[[[]], []]), "stacks[0][0]"),
        (change(stacks=[[7], []]), "stacks[0][0]"),
        (change(stacks=[[]]), "stacks"),
        (change(display=[1, 2, 3, 4, 5, 6, 8]), "display[6]"),
        (change(pile={"n": 3}), "pile"),
        (change(discard=[0]), "discard[0]"),
        (change(active=2), "active"),
        (change(active=-1), "active"),
        (change(active=True), "active"),
        (change(active="0"), "active"),
    ],
)
def test_what_is_wrong_is_named(setup: object, place: str) -> None:
    with pytest.raises(SetupError) as error:
        read(setup)
    assert error.value.place == place
    assert "\n" not in error.value.reason


def test_decided_setups_are_over() -> None:
    assert read(change(hands=[[], [13]])).over  # L13
    assert read(change(display=[], pile=[])).over  # L14
    assert not read(change(pile=[])).over
    assert not read(change(display=[])).over


def test_worst_set_up_fits() -> None:
    """109 rows on one stack but for what the rules need elsewhere: nothing is written past its place."""
    deck = [n for n in range(1, 14) for _ in range(8)] + ["X"] * 5
    rows = [[card] for card in deck[:-3]]
    p = read(change(hands=[["X", "X"], ["X"]], stacks=[rows, []], display=[], pile=[]))
    assert p.over
    p = read(change(hands=[["X", "X"], [1]], stacks=[rows[2:], []], display=[1], pile=["X"]))
    p.play("X X" if p.to_act == 0 else "1")
    assert p.over and p.scores()[0] == 106
