"""LINX, rule by rule. Each test is named by the number of its rule in rules.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from foxrow.core.errors import GameError, IllegalMove, ParseError
from foxrow.core.position import Position
from foxrow.core.shuffle import shuffled
from foxrow.games.linx import GAME
from foxrow.games.linx.tests.positions import position, tile

TEAMS: dict[str, bool | str] = {"teams": True}


def write(p: Position) -> dict[str, Any]:
    setup: dict[str, Any] = GAME.rules.text.write_setup(p.state)
    return setup


def cells(p: Position, kind: str) -> set[str]:
    """Where a tile may go, face up (@) or face down (#)."""
    return {text.split(kind)[1] for text in p.legal() if kind in text}


def refused(p: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as error:
        p.play(text)
    return error.value.code


# X1 to X5: the table before the first move ------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_X1_fifteen_tiles_a_colour_in_canonical_order(players: int) -> None:
    assert GAME.rules.deck(players, {}) == tuple("RRRRRPPPPPSSSSS" * players)
    setup = write(GAME.new(players, seed=1))
    for hand, pile in zip(setup["hands"], setup["piles"], strict=True):
        assert Counter(hand + pile) == {"R": 5, "P": 5, "S": 5}


@pytest.mark.parametrize("first", [0, 2])
def test_X1_each_pile_is_the_colour_in_the_order_of_the_shuffle(first: int) -> None:
    order = shuffled(bytes(32), 0, 45)
    setup = write(GAME.new(3, seed=bytes(32), first=first))
    for seat in range(3):
        tiles = ["RPS"[i % 15 // 5] for i in order if i // 15 == seat]
        held = len(setup["hands"][seat])
        assert Counter(setup["hands"][seat]) == Counter(tiles[:held])
        assert setup["piles"][seat] == tiles[held:]


@pytest.mark.parametrize(("players", "sizes"), [(2, [3, 4]), (3, [2, 2, 3]), (4, [2, 2, 3, 3])])
def test_X2_first_hands_by_turn_order(players: int, sizes: list[int]) -> None:
    for first in range(players):
        hands = write(GAME.new(players, seed=3, first=first))["hands"]
        assert [len(hands[(first + turn) % players]) for turn in range(players)] == sizes


@pytest.mark.parametrize(("players", "limit"), [(2, 4), (3, 5), (4, 5)])
def test_X3_the_box_may_be_four_or_five_wide(players: int, limit: int) -> None:
    hands = ["R"] * players
    row = " ".join(f"{x % 2}R@{x},0" for x in range(limit - 1))
    p = position(row, hands)
    assert {"-1,0", f"{limit - 1},0", "0,1", "0,-1"} <= cells(p, "@")
    assert f"{limit - 1},0" not in cells(p.play("R@-1,0"), "@")  # the grid floats: grown here, it is full there
    assert {"-1,1", f"{limit - 2},1"} <= cells(p, "@")
    assert refused(p, f"R@{limit - 1},0") == "too_far"
    assert refused(p, "R@-2,0") == "too_far"
    assert refused(p, "R@0,9") == "too_far"
    assert refused(p, "R@0,3") == "not_adjacent"


def test_X3_rows_are_limited_like_columns() -> None:
    column = "0R@0,0 1R@0,1 0R@0,2 1R@0,3"
    p = position(column, ["R", "R"])
    assert cells(p, "@") == {f"{x},{y}" for x in (-1, 1) for y in range(4)}


def test_X3_a_diagonal_step_may_break_the_limit() -> None:
    p = position("0R@0,0 1R@1,1 0R@2,2 1R@3,3", ["R", "R"])
    inside = {f"{x},{y}" for x in range(4) for y in range(4) if abs(x - y) in (1, 2)}
    assert cells(p, "@") == inside


def test_X4_square() -> None:
    board = GAME.new(3, seed=1).view(0)["board"]
    rows = {tuple(t["at"]): t["tile"] for t in board}
    assert ["".join(rows[x, y] for x in (-1, 0, 1)) for y in (-1, 0, 1)] == ["RPS", "PSR", "SRP"]
    assert all(t["owner"] is None and not t["down"] for t in board)


def test_X4_corners() -> None:
    board = GAME.new(3, seed=1, layout="corners").view(0)["board"]
    assert {tuple(t["at"]): t["tile"] for t in board} == {
        (-1, -1): "R",
        (1, 1): "R",
        (1, -1): "S",
        (-1, 1): "S",
        (0, 0): "P",
    }
    assert all(t["owner"] is None and not t["down"] for t in board)


def test_X4_no_tiles_at_the_start_with_two_or_four() -> None:
    assert GAME.new(2, seed=1).view(0)["board"] == []
    assert GAME.new(4, seed=1).view(0)["board"] == []


def test_X4_nobodys_tiles_are_covered_and_built_upon() -> None:
    p = position("-R@-1,-1 -S@1,-1 -P@0,0 -S@-1,1 -R@1,1", ["S", "R", "P"])
    assert cells(p, "#") == {"0,0"}
    assert {"2,2", "-2,-2", "0,-1"} <= cells(p, "@")
    assert p.play("S#0,0").scores() == [1, 0, 0]


def test_X4_the_layout_is_an_option_of_three_players() -> None:
    for players in (2, 4):
        with pytest.raises(GameError, match="layout"):
            GAME.new(players, layout="square")
    for players in (2, 3):
        with pytest.raises(GameError, match="teams"):
            GAME.new(players, teams=True)
    with pytest.raises(GameError, match="may be"):
        GAME.new(3, layout="cross")


def test_X5_clockwise_from_the_first_player() -> None:
    p = GAME.new(4, seed=5, first=2)
    order = []
    for _ in range(5):
        order.append(p.to_act)
        p.play(p.legal()[0])
    assert order == [2, 3, 0, 1, 2]


# X6 to X8: a turn -------------------------------------------------------------------------------------


def test_X6_the_first_tile_goes_to_0_0() -> None:
    p = position("", ["RRS", "P"])
    assert p.legal() == ["R@0,0", "S@0,0"]
    assert refused(p, "R@1,0") == "not_origin"
    assert refused(p, "R@7,7") == "not_origin"
    p.play("R@0,0")
    assert cells(p, "@") == {f"{x},{y}" for x in (-1, 0, 1) for y in (-1, 0, 1)} - {"0,0"}


def test_X6_next_to_a_tile_straight_or_diagonally() -> None:
    p = position("0R@0,0 1R@2,0", ["R", ""])
    assert cells(p, "@") == {f"{x},{y}" for x in range(-1, 4) for y in (-1, 0, 1)} - {"0,0", "2,0"}
    assert refused(p, "R@2,2") == "not_adjacent"
    assert refused(p, "R@2,0") == "occupied"
    assert refused(p, "P@1,0") == "not_in_hand"


def test_X6_next_to_a_face_down_tile_too() -> None:
    p = position("0R@0,0 1P#0,0", ["R", ""])
    assert len(cells(p, "@")) == 8


@pytest.mark.parametrize(("pile", "hand", "left"), [("SPR", "RPS", 1), ("SP", "RPS", 0), ("S", "RS", 0), ("", "R", 0)])
def test_X6_then_draw_two_or_what_is_left(pile: str, hand: str, left: int) -> None:
    p = position("0R@0,0", ["RR", "R"], [pile, "R"]).play("R@1,0")
    setup = write(p)
    assert setup["hands"][0] == list(hand)
    assert setup["piles"][0] == list(pile[len(pile) - left :])
    assert setup["piles"][1] == ["R"]


@pytest.mark.parametrize(("mine", "beats"), [("R", "S"), ("S", "P"), ("P", "R")])
def test_X7_covers_what_it_beats(mine: str, beats: str) -> None:
    p = position("1R@0,0 1P@1,0 1S@0,1", [mine, ""])
    place = {"R": "0,0", "P": "1,0", "S": "0,1"}
    assert cells(p, "#") == {place[beats]}
    for other in set("RPS") - {beats}:
        assert refused(p, f"{mine}#{place[other]}") == "not_beaten"


def test_X7_anyones_tile_and_no_draw() -> None:
    p = position("0S@0,0 1S@1,0 2S@0,1 -S@1,1", ["R", "R", "R"], ["PP", "", ""])
    assert cells(p, "#") == {"0,0", "1,0", "0,1", "1,1"}
    setup = write(p.play("R#0,0"))
    assert (setup["hands"][0], setup["piles"][0]) == ([], ["P", "P"])
    assert setup["board"][:2] == [tile("0S@0,0"), tile("0R#0,0")]


def test_X7_a_face_down_tile_is_never_covered() -> None:
    p = position("0S@0,0 1R#0,0", ["P", "R"])
    assert refused(p, "P#0,0") == "face_down"
    assert cells(p, "#") == set()


def test_X7_nothing_to_cover() -> None:
    p = position("0S@0,0", ["R", "R"])
    assert refused(p, "R#1,0") == "nothing_to_cover"
    assert refused(p, "R#100,-3") == "nothing_to_cover"


def full_grid() -> str:
    """All sixteen cells of two players hold rocks and scissors, and nobody has a line: scissors can go nowhere."""
    owners = "0011110000111100"
    tiles = {"0": iter("RRRRRSSS"), "1": iter("SSSRRRRR")}
    return " ".join(f"{owner}{next(tiles[owner])}@{i % 4},{i // 4}" for i, owner in enumerate(owners))


def test_X8_pass_only_if_nothing_can_be_placed() -> None:
    assert refused(position("0R@0,0", ["R", "R"]), "pass") == "can_place"
    assert refused(position(full_grid(), ["SP", "S"]), "pass") == "can_place"  # paper covers rock
    p = position(full_grid(), ["S", "S"])
    assert p.legal() == ["pass"]
    assert refused(p, "S@4,0") == "too_far"
    assert refused(p, "S#0,0") == "not_beaten"


def test_X8_with_an_empty_hand() -> None:
    p = position("0R@0,0", ["", "S"], ["PSP", ""])
    assert p.legal() == ["pass"]
    assert refused(p, "P@1,0") == "not_in_hand"
    p.play("pass")
    assert p.view(1)["hands"][0] == {"n": 2, "known": []}
    assert p.view(0)["hands"][0] == ["P", "S"]
    assert p.view(0)["piles"] == [{"n": 1}, {"n": 0}]


def test_X8_a_shown_hand_is_known_and_the_drawn_tiles_are_not() -> None:
    p = position(full_grid(), ["SS", "S"], ["PPP", "P"]).play("pass")
    assert p.view(1)["hands"][0] == {"n": 4, "known": ["S", "S"]}
    assert p.view(None)["hands"][0] == {"n": 4, "known": ["S", "S"]}
    assert p.view(0)["hands"][0] == ["P", "P", "S", "S"]
    assert p.play("pass").view(0)["hands"][1] == {"n": 2, "known": ["S"]}


# X9: a line -------------------------------------------------------------------------------------------

WAYS = [(1, 0), (0, 1), (1, 1), (1, -1)]


@pytest.mark.parametrize(("right", "down"), WAYS)
@pytest.mark.parametrize("last", [0, 1, 2])
def test_X9_three_face_up_in_line(right: int, down: int, last: int) -> None:
    line = [(right * i, down * i) for i in range(3)]
    x, y = line.pop(last)
    board = " ".join(f"0{'RP'[i]}@{a},{b}" for i, (a, b) in enumerate(line))
    p = position(board + (" 1S@1,0" if (x, y) != (1, 0) and (1, 0) not in line else " 1S@1,1"), ["S", "R"])
    p.play(f"S@{x},{y}")
    assert p.over and p.phase == "over" and p.to_act is None and p.legal() == []
    assert p.winners() == [0]
    assert sorted(p.view(None)["line"]) == sorted([[x, y], *([a, b] for a, b in line)])
    assert refused(p, "R@0,-1") == "over"


@pytest.mark.parametrize(("right", "down"), WAYS)
def test_X9_three_face_down_in_line_over_anyones_tiles(right: int, down: int) -> None:
    at = [f"{right * i},{down * i}" for i in range(3)]
    p = position(f"1S@{at[0]} 0R#{at[0]} 0R@{at[1]} 0P#{at[1]} 1P@{at[2]}", ["S", "R"])
    assert p.play(f"S#{at[2]}").winners() == [0]


def test_X9_mixed_three_do_not_win() -> None:
    p = position("0R@0,0 0P@1,0 1S@2,0", ["R", "R"])
    assert not p.play("R#2,0").over
    p = position("0R@0,0 1S@1,0 0R#1,0", ["R", "R"])
    assert not p.play("R@2,0").over


def test_X9_a_gap_is_no_line() -> None:
    p = position("0R@0,0 0R@1,0 1S@2,0", ["P", "R"])
    assert not p.play("P@3,0").over


def test_X9_a_line_across_the_edges_of_the_cell_numbers() -> None:
    """Wherever the grid floats, a line is a line, and far sides of the box are not adjacent."""
    for x in range(-8, 8):
        p = position(f"0R@{x},3 0R@{x + 1},4 1S@{x + 1},3", ["P", "R"])
        assert p.play(f"P@{x + 2},5").winners() == [0]
        p = position(f"0R@{x},0 1R@{x + 1},0 1S@{x + 2},0 0S@{x + 3},0", ["P", "R", "S"])
        assert not p.play(f"P@{x + 4},0").over


def test_X9_a_covered_tile_counts_for_nobody() -> None:
    p = position("0R@0,0 0R@1,0 1P#1,0", ["S", "R"])
    p.play("S@2,0")
    assert not p.over
    assert p.scores() == [2, 1]


def test_X9_covering_your_own_tile() -> None:
    p = position("0S@0,0 0R#0,0 1S@1,0 0R#1,0 0S@2,0", ["R", "R"])
    assert p.play("R#2,0").winners() == [0]


def test_X9_a_line_of_two_colours_is_none() -> None:
    p = position("0R@0,0 1R@1,0", ["P", "R"])
    assert not p.play("P@2,0").over


def test_X9_nobodys_line_wins_for_nobody() -> None:
    p = GAME.new(3, seed=1)
    assert not p.over
    p.play(p.legal()[0])
    assert not p.over


def test_X9_two_lines_at_once() -> None:
    p = position("0R@0,0 0R@1,0 0P@2,1 0P@2,2 1S@1,1", ["S", "R"]).play("S@2,0")
    assert p.winners() == [0]
    assert len(p.view(0)["line"]) == 3


def test_X9_the_last_tile_drawn_does_not_matter_after_a_win() -> None:
    p = position("0R@0,0 0R@1,0", ["S", "R"], ["RP", ""]).play("S@2,0")
    assert p.over


# X10: nobody can place ----------------------------------------------------------------------------------


def test_X10_as_many_passes_without_a_draw_as_players() -> None:
    p = position(full_grid(), ["S", "S"])
    assert p.play("pass").view(0)["passes"] == 1
    assert not p.over
    assert p.play("pass").over
    assert p.view(0)["passes"] == 2
    assert p.view(0)["line"] is None
    assert p.scores() == [8, 8]
    assert p.winners() == [1]


def test_X10_a_pass_that_draws_starts_the_count_again() -> None:
    p = position(full_grid(), ["S", "S"], ["", "S"]).play("pass")
    assert p.view(0)["passes"] == 1
    assert p.play("pass").view(0)["passes"] == 0
    p.play("pass")
    assert not p.over
    assert p.play("pass").over


def test_X10_a_placement_starts_the_count_again() -> None:
    p = position(full_grid(), ["S", "P"]).play("pass", "P#0,0")
    assert p.view(0)["passes"] == 0
    p.play("pass")
    assert not p.over
    assert p.play("pass").over


def test_X10_most_visible_tiles_face_up_or_face_down() -> None:
    p = position("0R@0,0 0R@1,1 1R@1,0 1P#1,1", ["", ""]).play("pass", "pass")
    assert p.scores() == [1, 2]
    assert p.winners() == [1]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_X10_ties_go_to_the_later_in_turn_order(first: int) -> None:
    p = position("0R@0,0 1R@1,0 2R@0,1", ["", "", ""], first=first).play("pass", "pass", "pass")
    assert p.scores() == [1, 1, 1]
    assert p.winners() == [(first + 2) % 3]


def test_X10_only_the_best_take_part_in_a_tie() -> None:
    board = "0R@0,0 0R@2,1 1R@1,0 1R@0,1 2R@0,2 3R@1,2"
    p = position(board, [""] * 4, first=2).play(*["pass"] * 4)
    assert p.scores() == [2, 2, 1, 1]
    assert p.winners() == [1]  # the order is 2, 3, 0, 1


def test_X10_the_unplayed_colour_does_not_win() -> None:
    p = position("-R@-1,-1 -S@1,-1 -P@0,0 1S@-1,1", [""] * 3).play(*["pass"] * 3)
    assert p.scores() == [0, 1, 0]
    assert p.winners() == [1]


# X12: teams ---------------------------------------------------------------------------------------------


def test_X12_a_line_wins_for_both_partners() -> None:
    p = position("1R@0,0 1R@1,0 0S@0,1", ["P"] * 4, active=1, options=TEAMS).play("P@2,0")
    assert p.winners() == [1, 3]


def test_X12_a_line_must_be_of_one_colour() -> None:
    p = position("0R@0,0 2R@1,0 1S@0,1", ["P"] * 4, options=TEAMS)
    assert not p.play("P@2,0").over


def test_X12_visible_tiles_of_partners_count_together() -> None:
    board = "0R@0,0 0R@0,2 0R@2,0 1R@1,0 1R@0,1 3R@1,2 3R@2,2"
    for options, winners in (({}, [0]), (TEAMS, [1, 3])):
        p = position(board, [""] * 4, options=dict(options)).play(*["pass"] * 4)
        assert p.scores() == [3, 2, 0, 2]
        assert p.winners() == winners


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_X12_a_tie_goes_to_the_team_that_played_second(first: int) -> None:
    p = position("0R@0,0 1R@1,0 2R@0,1 3R@1,1", [""] * 4, first=first, options=TEAMS).play(*["pass"] * 4)
    second = (first + 1) % 2
    assert p.winners() == [second, second + 2]


# X13: what everybody knows ------------------------------------------------------------------------------


def test_X13_views() -> None:
    p = position("0R@0,0 1P#0,0", ["RS", "P"], ["PS", "S"])
    assert p.view(0)["hands"] == [["R", "S"], {"n": 1, "known": []}]
    assert p.view(1)["hands"] == [{"n": 2, "known": []}, ["P"]]
    for seat in (0, 1, None):
        view = p.view(seat)
        assert view["piles"] == [{"n": 2}, {"n": 1}]
        assert view["board"] == [tile("0R@0,0"), tile("1P#0,0")]
        assert (view["limit"], view["first"], view["active"], view["passes"]) == (4, 0, 0, 0)
        assert view["remaining"] == [{"R": 1, "P": 1, "S": 2}, {"R": 0, "P": 1, "S": 1}]
    assert p.view(0)["legal"] == p.legal()
    assert p.view(1)["legal"] == []


def test_X13_a_tile_that_is_played_may_have_been_a_known_one() -> None:
    p = position(full_grid(), ["SS", "P"], ["PP", ""]).play("pass", "P#0,0", "P#1,0")
    assert p.view(1)["hands"][0] == {"n": 3, "known": ["S", "S"]}  # a paper, and the scissors are still there
    p = position("0R@0,0 1P@1,1 1P@0,1", ["", "R"], ["SS", ""]).play("pass")
    assert p.view(1)["hands"][0] == {"n": 2, "known": []}  # drawn after the empty hand was shown
    p.play("R@1,0", "S#1,1")
    assert p.view(1)["hands"][0] == {"n": 1, "known": []}
    p = position("0S@0,0 1S@1,0", ["RR", "S"])
    p.state.known[0, 0] = 2  # play alone does not lead here: who passes with tiles can never place them later
    assert p.play("R@0,1").view(1)["hands"][0] == {"n": 1, "known": ["R"]}


def test_X13_in_a_deal_all_tiles_not_on_the_board_remain() -> None:
    p = GAME.new(2, seed=1)
    assert p.view(None)["remaining"] == [{"R": 5, "P": 5, "S": 5}] * 2
    move = p.legal()[0]
    p.play(move)
    assert p.view(None)["remaining"][0][move[0]] == 4


# The book's examples --------------------------------------------------------------------------------------


def test_example_three_face_up_in_a_row_win() -> None:
    p = position("0R@0,0 1S@1,1 0P@1,0 1P@0,1", ["S", "R"]).play("S@2,0")
    assert p.winners() == [0]
    assert p.view(0)["line"] == [[0, 0], [1, 0], [2, 0]]


def test_example_three_face_down_in_a_row_win() -> None:
    p = position("1S@0,0 0R#0,0 0P@1,1 0S#1,1 1R@2,2", ["P", "R"]).play("P#2,2")
    assert p.winners() == [0]
    assert p.view(0)["line"] == [[0, 0], [1, 1], [2, 2]]


def test_example_a_mixed_three_does_not_win() -> None:
    p = position("1S@0,0 0R#0,0 0P@1,1 0S#1,1 1S@1,0", ["P", "R"]).play("P@2,2")
    assert not p.over


# Text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "R",
        "R@",
        "R@1",
        "R@1,",
        "R@1,2,3",
        "R@a,b",
        "R1,2",
        "X@0,0",
        "R@1.0,0",
        "R@01,0",
        "R@-0,0",
        "R@+1,0",
        "R@٣,0",
        "ſ@0,0",
        "RR@0,0",
        "R@0,0 pass",
        "passs",
        "pass 0",
        "R@1 2,0",
        "R@- 1,0",
        "@0,0",
    ],
)
def test_text_that_is_no_move(text: str) -> None:
    with pytest.raises(ParseError):
        position("0R@0,0", ["R", "R"]).play(text)


def test_text_is_forgiving_in_case_and_spaces() -> None:
    p = position("0R@0,0", ["RP", "P"]).play("  r @ 1 , -1 ", "p#0,0")
    assert p.moves == ["R@1,-1", "P#0,0"]
    p = position(full_grid(), ["S", "S"]).play(" PASS ")
    assert p.moves == ["pass"]


def test_text_far_away_is_illegal_not_rubbish() -> None:
    p = position("0R@0,0", ["R", "R"])
    assert refused(p, "R@" + "9" * 5000 + ",0") == "too_far"
    assert refused(p, "R@-99999999,7") == "too_far"
    assert refused(p, "R#0,123456789012345678901234567890") == "nothing_to_cover"


@pytest.mark.parametrize("origin", [(0, 0), (100, -7), (-1_000_000, 999_998)])
def test_text_of_every_move_in_reach_comes_back(origin: tuple[int, int]) -> None:
    x, y = origin
    p = position(f"0R@{x},{y} 1P@{x + 1},{y + 2}", ["RPS", "RPS"])
    text = GAME.rules.text
    for move in range(GAME.rules.MOVES):
        assert text.parse_move(p.state, text.move_text(p.state, move)) == move


def test_table_shows_what_the_seat_may_see() -> None:
    p = position("0R@0,0 1P#0,0 1S@1,0", ["RS", "P"], ["PS", "S"])
    assert p.table(0).splitlines() == [
        "      -1   0   1   2",
        "  -1   ·   ·   ·   ·",
        "   0   ·  B#  BS   ·",
        "   1   ·   ·   ·   ·",
        "",
        "▸ A Player 1  hand R S  pile  2  visible  0",
        "  B Player 2  hand ?    pile  1  visible  2",
        "",
        "Player 1 places a tile.",
    ]
    assert "hand P  " in str(p)
    p.play("R@0,1", "P@1,1")
    over = position("0R@0,0 0R@1,0", ["S", "R"], options=None).play("S@2,0")
    assert str(over).endswith("The round goes to Player 1: three in line.")
    tied = position("0R@0,0 1R@1,0 2R@0,1 3R@1,1", [""] * 4, options=TEAMS).play(*["pass"] * 4)
    assert "Player 2 and Player 4: most visible tiles" in str(tied)
    assert str(GAME.new(2, seed=1)).splitlines()[1].split() == ["0", "·"]
