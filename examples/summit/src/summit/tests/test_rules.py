"""Summit, rule by rule."""

from __future__ import annotations

from typing import Any

import foxrow

START = {
    "hands": [[1, 5, 9, 12], [2, 6, 7, 11]],
    "table": [None, None],
    "gone": [],
    "rest": [3, 4, 8, 10],
    "tricks": [0, 0],
    "active": 0,
}


def start(**options: Any) -> Any:
    names = ["Ada", "Ben"]
    return foxrow.load(
        {"format": "foxrow/1", "game": "summit", "players": names, "options": options, "setup": START, "moves": []}
    )


def test_s3_any_card_of_the_hand() -> None:
    assert set(start().legal()) == {"1", "5", "9", "12"}


def test_s4_the_highest_takes_the_trick_and_leads() -> None:
    position = start().play("9").play("11")
    assert position.scores() == [0, 1]
    assert position.to_act == 1


def test_s5_in_the_valley_the_lowest() -> None:
    assert start(valley=True).play("9").play("11").scores() == [1, 0]


def test_s6_most_tricks_win_and_equals_share() -> None:
    position = start()
    for card in ("12", "2", "9", "11", "7", "5", "6", "1"):
        position.play(card)
    assert position.over
    assert position.scores() == [1, 3]
    assert position.winners() == [1]
    shared = start()
    for card in ("12", "2", "9", "6", "1", "11", "7", "5"):
        shared.play(card)
    assert shared.winners() == [0, 1]
