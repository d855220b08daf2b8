"""Line-it's set-ups: what they accept, what they refuse, and the place that an error names."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from foxrow.core.errors import SetupError
from foxrow.core.position import Position
from foxrow.games.lineit.tests.positions import COLOURS, LINEIT, Card, position, setup_of

GOOD: dict[str, Any] = {
    "deck": [5, "+3", 17],
    "market": [40, 41],
    "lines": [["+4", 3, 9], []],
    "hands": [[12], []],
    "scores": [0, 0],
    "jackpots": {"heart": [1], "diamond": [], "leaf": [], "star": []},
    "first": 0,
    "active": 1,
    "taken": False,
    "played": False,
}


def change(**parts: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **parts}


def pots(**parts: Any) -> dict[str, Any]:
    return change(jackpots={**GOOD["jackpots"], **parts})


def read(setup: object, players: int = 2) -> Position:
    return Position.from_setup(LINEIT, setup, players)


@pytest.mark.parametrize(
    "setup",
    [
        GOOD,
        change(scores=[12, -7], active=0, taken=True, played=True),
        change(lines=[[9, "+4", 3], [99, 98, 97]], hands=[["+5", "+5"], ["+3"]]),
        pots(heart=[13, 1, 97], star=[8, 4]),
        change(deck=[], market=[41]),
        change(first=1, active=0, market=[100]),
    ],
)
def test_round_trip(setup: dict[str, Any]) -> None:
    p = read(setup)
    assert setup_of(p) == setup
    assert bytes(read(setup_of(p)).state) == bytes(p.state)


def test_round_trip_keeps_every_byte_in_the_middle_of_a_game() -> None:
    p = LINEIT.new(3, seed=2)
    while p.phase == "turn":
        assert bytes(read(setup_of(p), 3).state) == bytes(p.state)
        p.play(p.legal()[len(p.moves) % len(p.legal())])
    with pytest.raises(SetupError):
        setup_of(p)


@pytest.mark.parametrize(
    ("setup", "place"),
    [
        ([], "setup"),
        (None, "setup"),
        ({}, "setup"),
        ({**GOOD, "extra": 1}, "setup"),
        ({key: value for key, value in GOOD.items() if key != "taken"}, "setup"),
        (change(deck=[5, 0]), "deck[1]"),
        (change(deck=[5, 101]), "deck[1]"),
        (change(deck=[5, "17"]), "deck[1]"),
        (change(deck=[5, "+6"]), "deck[1]"),
        (change(deck=[5, 17.0]), "deck[1]"),
        (change(deck=[5, True]), "deck[1]"),
        (change(deck=[5, None]), "deck[1]"),
        (change(deck=[5, [17]]), "deck[1]"),
        (change(deck=[5, 17, 5]), "deck[2]"),
        (change(deck=["+3", "+3", "+3"]), "deck[2]"),
        (change(deck={"n": 3}), "deck"),
        (change(deck="5"), "deck"),
        (change(market=[40, 5]), "market[1]"),
        (change(market=[]), "market"),
        (change(market=[40], active=0), "market"),
        (change(market=[], active=0, taken=True), "market"),
        (change(market=[], first=1, active=1), "market"),
        (change(market=[40, 41, 42, 43, 44]), "market[4]"),
        (change(lines=[[]]), "lines"),
        (change(lines=[[], [], []]), "lines"),
        (change(lines=[{}, []]), "lines[0]"),
        (change(lines=[[3, 9, 7], []]), "lines[0][2]"),
        (change(lines=[[9, 3, 7], []]), "lines[0][2]"),
        (change(lines=[[9, 3, 3], []]), "lines[0][2]"),
        (change(lines=[["+4", 9, "+5"], []]), "lines[0][2]"),
        (change(lines=[[], ["+3", 1]]), "jackpots.heart[0]"),
        (change(hands=[[12, 13, 14], []]), "hands[0][2]"),
        (change(hands=[[12], [12]]), "hands[1][0]"),
        (change(hands=[[12], [40]]), "hands[1][0]"),
        (change(hands=[[12], 3]), "hands[1]"),
        (change(hands=[{"n": 1}, []]), "hands[0]"),
        (change(scores=[0]), "scores"),
        (change(scores=[0, 0.5]), "scores[1]"),
        (change(scores=[0, True]), "scores[1]"),
        (change(scores=[0, "1"]), "scores[1]"),
        (change(scores=[0, 10**30]), "scores[1]"),
        (change(scores=[-1000, 0]), "scores[0]"),
        (change(jackpots=[]), "jackpots"),
        (change(jackpots={"heart": []}), "jackpots"),
        (pots(club=[]), "jackpots"),
        (pots(heart=1), "jackpots.heart"),
        (pots(heart=[2]), "jackpots.heart[0]"),
        (pots(leaf=["+3"]), "jackpots.leaf[0]"),
        (pots(star=[4, 8, 4]), "jackpots.star[2]"),
        (change(first=2), "first"),
        (change(first=None), "first"),
        (change(active=2), "active"),
        (change(active=-1), "active"),
        (change(active=True), "active"),
        (change(active="0"), "active"),
        (change(taken=1), "taken"),
        (change(taken=None), "taken"),
        (change(played="yes"), "played"),
    ],
)
def test_what_is_wrong_is_named(setup: object, place: str) -> None:
    with pytest.raises(SetupError) as error:
        read(setup)
    assert error.value.place == place
    assert "\n" not in error.value.reason


@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("active", range(5))
@pytest.mark.parametrize("taken", [False, True])
def test_a_market_for_the_turns_left_is_enough_and_one_less_is_not(first: int, active: int, taken: bool) -> None:
    """`first` has the token, and the seats from there to the one before `active` have had their turn."""
    turns = 5 - (active - first) % 5 - taken
    p = position(list(range(1, turns + 1)), players=5, first=first, active=active, taken=taken)
    while p.phase == "turn":
        p.play("done" if "done" in p.legal() else p.legal()[-1])
    assert p.to_act == (first + 1) % 5
    if turns:
        with pytest.raises(SetupError, match="still take a card"):
            position(list(range(1, turns)), players=5, first=first, active=active, taken=taken)


def test_cards_that_are_not_named_are_out_of_the_game() -> None:
    p = read(GOOD)
    assert p.view()["deck"] == {"n": 3}
    p.play("take 40", "done")
    assert p.phase == "final"  # three cards fill no market of two players
    jackpots = p.view()["jackpots"]
    assert jackpots == {"heart": [1, 41, 5, 17], "diamond": [], "leaf": [], "star": []}


def test_worst_set_ups_fit() -> None:
    """The longest line, the fullest jackpots and the biggest deck: nothing is written past its place."""
    numbers: list[Card] = list(range(1, 101))
    p = position([100], lines=[[*numbers[:-1], "+5"], []], first=1, active=0, scores=[999, -999])
    assert p.scores() == [999 + 96 - 5, -999]
    p.play("take 100", "done", "done", "done", "done", "done")
    assert p.scores() == [999 + 97 - 5, -999]
    p = position(["+3", "+3"], jackpots={c: numbers[i::4] for i, c in enumerate(COLOURS)})
    p.play("keep +3", "done", "keep +3", "done")
    assert sum(map(len, p.view()["jackpots"].values())) == 100
    p = position([], taken=True, active=1, deck=[*numbers, *("+3", "+3", "+4", "+4", "+5", "+5")])
    assert p.view()["deck"] == {"n": 106}
    assert p.play("done").view()["market"] == [1, 2, 3, 4]
