"""LINX set-ups: what they accept, what they refuse, and the place that an error names."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from foxrow.core.errors import SetupError
from foxrow.core.position import Position
from foxrow.games.linx import GAME
from foxrow.games.linx.tests.positions import position, tile

GOOD: dict[str, Any] = {
    "board": [tile("0R@0,0"), tile("1P#0,0"), tile("1S@1,0")],
    "hands": [["R", "P"], ["S"]],
    "piles": [["P", "S"], []],
    "first": 0,
    "active": 1,
    "points": [0, 1],
}


def change(**parts: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **parts}


def board(*texts: str, **parts: Any) -> dict[str, Any]:
    """The good set-up with another board; `parts` change the last tile."""
    tiles = [tile(text) for text in texts]
    tiles[-1].update(parts)
    return change(board=tiles)


def read(setup: object, players: int = 2) -> Position:
    return Position.from_setup(GAME, setup, players)


def without(key: str) -> dict[str, Any]:
    return {k: v for k, v in GOOD.items() if k != key}


def test_round_trip() -> None:
    p = read(GOOD)
    assert GAME.rules.text.write_setup(p.state) == GOOD
    assert p.view(0)["points"] == [0, 1]
    assert p.to_act == 1


def test_first_and_points_may_be_left_out() -> None:
    assert read(without("first")).view(0)["first"] == 0
    p = read(without("points"))
    assert "points" not in p.view(0)
    assert GAME.rules.text.write_setup(p.state) == without("points")


def test_every_position_of_a_game_comes_back() -> None:
    for players in GAME.players:
        p = GAME.new(players, seed=players, first=1)
        chance = random.Random(players)
        while not p.over:
            setup = GAME.rules.text.write_setup(p.state)
            twin = Position.from_setup(GAME, setup, players, options=p.options)
            assert GAME.rules.text.write_setup(twin.state) == setup
            assert twin.legal() == p.legal()
            assert twin.scores() == p.scores()
            p.play(chance.choice(p.legal()))


def test_coordinates_are_used_as_written() -> None:
    p = position("0R@100,-7 1S@101,-7", ["R", "R"])
    assert "R@99,-8" in p.legal()
    assert "R#101,-7" in p.legal()
    p.play("R@99,-8")
    assert p.view(0)["board"][0] == tile("0R@99,-8")


def test_tiles_need_not_hang_together() -> None:
    p = position("0R@0,0 1S@3,3", ["P", "R"])
    places = {text[2:] for text in p.legal() if "@" in text}
    assert places == {"1,0", "0,1", "1,1", "2,3", "3,2", "2,2"}


@pytest.mark.parametrize(
    ("setup", "place"),
    [
        ([], "setup"),
        (None, "setup"),
        ({}, "setup"),
        ({**GOOD, "extra": 1}, "setup"),
        *((without(key), "setup") for key in ("board", "hands", "piles", "active")),
        (change(board={}), "board"),
        (change(board=[3]), "board[0]"),
        (change(board=[{"at": [0, 0], "owner": 0, "tile": "R"}]), "board[0]"),
        (change(board=[{**tile("0R@0,0"), "up": True}]), "board[0]"),
        (board("0R@0,0", at="0,0"), "board[0].at"),
        (board("0R@0,0", at=[0]), "board[0].at"),
        (board("0R@0,0", at=[0, 0, 0]), "board[0].at"),
        (board("0R@0,0", at=[0, True]), "board[0].at[1]"),
        (board("0R@0,0", at=[0.0, 0]), "board[0].at[0]"),
        (board("0R@0,0", at=["0", 0]), "board[0].at[0]"),
        (board("0R@0,0", at=[0, 1_000_001]), "board[0].at[1]"),
        (board("0R@0,0", at=[-(10**30), 0]), "board[0].at[0]"),
        (board("0R@0,0", owner=2), "board[0].owner"),
        (board("0R@0,0", owner=-1), "board[0].owner"),
        (board("0R@0,0", owner=True), "board[0].owner"),
        (board("0R@0,0", owner="0"), "board[0].owner"),
        (board("0R@0,0", owner=None), "board[0].owner"),
        (board("0R@0,0", tile="r"), "board[0].tile"),
        (board("0R@0,0", tile="RP"), "board[0].tile"),
        (board("0R@0,0", tile=""), "board[0].tile"),
        (board("0R@0,0", tile=["R"]), "board[0].tile"),
        (board("0R@0,0", down=0), "board[0].down"),
        (board("0R@0,0", down=None), "board[0].down"),
        (board("0R@0,0", "1S@4,0"), "board[1].at"),
        (board("0R@0,0", "1S@1,0", "1S@1,-4"), "board[2].at"),
        (board("0R@0,0", "1S@0,0"), "board[1]"),
        (board("0R@0,0", "1P#0,0", "1S@0,0"), "board[2]"),
        (board("0P#0,0"), "board[0]"),
        (board("1P#0,0", "0R@0,0"), "board[0]"),
        (board("0R@0,0", "1P#1,0"), "board[1]"),
        (board("0R@0,0", "1P#6,0"), "board[1]"),
        (board("0R@0,0", "1P#0,0", "1S#0,0"), "board[2]"),
        (board("0R@0,0", "1S#0,0"), "board[1].tile"),
        (board("0R@0,0", "1R#0,0"), "board[1].tile"),
        (board("0R@0,0", "0R@1,0", "0R@2,0", "1P@0,1", "1P@1,1", "1P@2,1"), "board"),
        (board("0R@0,0", "0R@0,1", "0R@3,0", "0R@3,1", "0P@1,1", "0R@1,2", "0R@3,3"), "board[6].tile"),
        (change(hands=[["R"]]), "hands"),
        (change(hands=[["R"], [], []]), "hands"),
        (change(hands={"0": []}), "hands"),
        (change(hands=["RP", []]), "hands[0]"),
        (change(hands=[["R", "X"], []]), "hands[0][1]"),
        (change(hands=[["R", 0], []]), "hands[0][1]"),
        (change(hands=[["R"] * 5, []]), "hands[0][4]"),
        (change(hands=[["R"], ["P"] * 5]), "hands[1][4]"),
        (change(piles=[["R"] * 4, []]), "piles[0][3]"),
        (change(piles=[{"n": 3}, []]), "piles[0]"),
        (change(piles=[[]]), "piles"),
        (change(active=2), "active"),
        (change(active=-1), "active"),
        (change(active=True), "active"),
        (change(active=None), "active"),
        (change(first=2), "first"),
        (change(first="0"), "first"),
        (change(first=None), "first"),
        (change(points=[0]), "points"),
        (change(points=2), "points"),
        (change(points=[0, -1]), "points[1]"),
        (change(points=[0, 1.0]), "points[1]"),
        (change(points=[0, 100]), "points[1]"),
    ],
)
def test_what_is_wrong_is_named(setup: object, place: str) -> None:
    with pytest.raises(SetupError) as error:
        read(setup)
    assert error.value.place == place
    assert "\n" not in error.value.reason


def test_five_by_five_with_more_players() -> None:
    p = position("0R@0,0 1R@4,4", ["R", "R", "R"])
    assert "R@1,1" in p.legal()
    with pytest.raises(SetupError) as error:
        position("0R@0,0 1R@5,4", ["R", "R", "R"])
    assert error.value.place == "board[1].at"


def test_the_unplayed_colour_belongs_to_three_players() -> None:
    assert position("-R@0,0", ["", "", ""]).view(0)["board"] == [tile("-R@0,0")]
    for hands in (["", ""], ["", "", "", ""]):
        with pytest.raises(SetupError) as error:
            position("-R@0,0", hands)
        assert error.value.place == "board[0].owner"
    with pytest.raises(SetupError) as error:
        position("-R@0,0 -P#0,0", ["", "", ""])
    assert error.value.place == "board[1].owner"
    with pytest.raises(SetupError) as error:
        position(" ".join(f"-R@{x},{y}" for x in range(3) for y in range(2)), ["", "", ""])
    assert error.value.place == "board[5].tile"


@pytest.mark.parametrize(
    "line", ["1R@0,0 1R@1,0 1R@2,0", "1R@0,0 1R@1,1 1R@2,2", "0R@0,0 1P#0,0 0R@0,1 1P#0,1 0S@0,2 1R#0,2"]
)
def test_one_colours_line_is_over(line: str) -> None:
    p = position(line, ["R", "R"])
    assert p.over
    assert p.winners() == [1]
    assert len(p.view(0)["line"]) == 3


def test_partners_lines_are_two_colours_too() -> None:
    with pytest.raises(SetupError) as error:
        position("0R@0,0 0R@1,0 0R@2,0 2P@0,1 2P@1,1 2P@2,1", [""] * 4, options={"teams": True})
    assert error.value.place == "board"


def test_nobodys_line_is_no_line() -> None:
    assert not position("-R@0,0 -R@1,0 -R@2,0", ["R", "R", "R"]).over


def test_a_set_up_in_which_nobody_can_place_still_asks_for_the_passes() -> None:
    p = position("0R@0,0", ["", ""])
    assert p.legal() == ["pass"]
    assert p.play("pass", "pass").winners() == [0]


def test_an_empty_table() -> None:
    p = position("", ["", ""]).play("pass", "pass")
    assert p.winners() == [1]


def test_worst_set_up_fits() -> None:
    """Every cell of the grid taken and covered, every other tile in a hand: nothing is written past its place."""
    beater = {"R": "P", "P": "S", "S": "R"}
    left = [dict.fromkeys("RPS", 5) for _ in range(4)]
    tiles = []
    for x in range(5):
        for y in range(5):
            lid = (x + 2 * y) % 4  # no two neighbours in line are equal
            _, symbol = max((left[lid][over], under) for under, over in beater.items())
            _, owner = max((left[seat][symbol], seat) for seat in range(4))
            left[owner][symbol] -= 1
            left[lid][beater[symbol]] -= 1
            tiles += [f"{owner}{symbol}@{x},{y}", f"{lid}{beater[symbol]}#{x},{y}"]
    hands = ["".join(symbol * n for symbol, n in left[seat].items()) for seat in range(4)]
    p = position(" ".join(tiles), hands)
    assert sum(p.scores()) == 25
    assert sum(map(len, hands)) == 10
    assert p.play(*["pass"] * 4).over
    p = position("", ["R" * 5 + "P" * 5 + "S" * 5] * 4)
    assert p.legal() == ["P@0,0", "R@0,0", "S@0,0"]
    p = position("0R@0,0 0R@3,0 0R@0,3 0R@3,3", ["", "RPS", ""], active=1)
    assert len(p.legal()) == 3 * 32 + 4  # as many moves as there can be
