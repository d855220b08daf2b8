"""Linko, rule by rule. Each test is named by the number of its rule in rules.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from foxrow.core.errors import GameError, IllegalMove, ParseError
from foxrow.core.position import Position
from foxrow.core.registry import game
from foxrow.games.linko.tests.positions import position

LINKO = game("linko")
FILLER: list[int | str] = [1, 2]  # a hand that never empties in one lay


def flat(p: Position) -> Counter[Any]:
    setup = LINKO.rules.text.write_setup(p.state)
    cards: Counter[Any] = Counter()
    for hand in setup["hands"]:
        cards.update(hand)
    for stack in setup["stacks"]:
        for row in stack:
            cards.update(row)
    cards.update(setup["display"] + setup["pile"] + setup["discard"])
    return cards


def test_L1_deck_of_109() -> None:
    deck = Counter(LINKO.rules.deck(4, {}))
    assert deck == {**{str(n): 8 for n in range(1, 14)}, "X": 5}
    assert LINKO.rules.deck(4, {})[:9] == ("1",) * 8 + ("2",)
    assert LINKO.rules.deck(4, {})[-5:] == ("X",) * 5


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_L2_thirteen_each_six_shown_rest_in_the_pile(players: int) -> None:
    p = LINKO.new(players, seed=1)
    setup = LINKO.rules.text.write_setup(p.state)
    assert [len(hand) for hand in setup["hands"]] == [13] * players
    assert len(setup["display"]) == 6
    assert len(setup["pile"]) == 109 - 13 * players - 6
    assert setup["discard"] == []
    assert flat(p) == Counter([n for n in range(1, 14) for _ in range(8)] + ["X"] * 5)


def test_L2_the_deal_follows_the_order_of_the_shuffled_deck() -> None:
    from foxrow.core.shuffle import shuffled

    deck = LINKO.rules.deck(3, {})
    order = [deck[i] for i in shuffled(bytes(32), 0, 109)]
    setup = LINKO.rules.text.write_setup(LINKO.new(3, seed=bytes(32)).state)
    assert [Counter(map(str, hand)) for hand in setup["hands"]] == [
        Counter(order[13 * seat : 13 * seat + 13]) for seat in range(3)
    ]
    assert Counter(map(str, setup["display"])) == Counter(order[39:45])
    assert [str(card) for card in setup["pile"]] == order[45:]


def test_L3_clockwise_from_the_first_seat() -> None:
    p = position([[1, 2], [1, 2], [1, 2]], active=1)
    order = []
    for _ in range(3):
        order.append(p.to_act)
        p.play("1")
    assert order == [1, 2, 0]
    assert LINKO.new(3, seed=1, first=2).to_act == 2


def test_L4_any_number_of_one_value_and_never_a_pass() -> None:
    p = position([[7, 7, 7, 9], FILLER])
    assert p.legal() == ["7", "7 7", "7 7 7", "9"]


def test_L4_L5_every_row_that_a_hand_allows() -> None:
    p = position([[6, 6, 8, "X", "X"], FILLER])
    assert p.legal() == sorted(["6", "6 X", "6 X X", "6 6", "6 6 X", "6 6 X X", "8", "8 X", "8 X X", "X", "X X"])


def test_L5_mixed_values_parse_and_are_illegal() -> None:
    p = position([[7, 8, "X"], FILLER])
    with pytest.raises(IllegalMove) as error:
        p.play("7 8")
    assert error.value.code == "mixed_values"


def test_L5_joker_takes_the_value_of_its_row() -> None:
    p = position([[6, "X", 1], FILLER], [[], [[7, 7]]])
    p.play("6 X")  # worth two 6s: does not hit two 7s
    assert (p.to_act, p.phase) == (1, "lay")
    p = position([[8, "X", 1], FILLER], [[], [[7, 7]]])
    assert p.play("8 X").phase == "attacker"


def test_L6_new_row_covers_only_the_newest_is_compared() -> None:
    p = position([[9, 1], FILLER], [[], [[5], [3, 3]]])
    p.play("9")
    assert p.phase == "lay"  # the single 5 lies under two 3s
    assert p.view(0)["stacks"] == [[[9]], [[5], [3, 3]]]


@pytest.mark.parametrize(
    ("mine", "theirs", "hit"),
    [
        ("7", [6], True),
        ("7", [7], False),  # equal values never hit
        ("7", [8], False),
        ("7 7", [6], False),  # count
        ("7", [6, 6], False),
        ("7 X", [6, "X"], True),
        ("7 X", [7, 7], False),
        ("X", [13], True),
        ("X", ["X"], False),
        ("X X", [13, 13], True),
        ("X X", [13, "X"], True),
        ("7 7", ["X", "X"], False),
    ],
)
def test_L7_equal_count_and_higher_value_hits(mine: str, theirs: list[int | str], hit: bool) -> None:
    p = position([[7, 7, "X", "X", 2], FILLER], [[], [theirs]])
    p.play(mine)
    assert (p.phase == "attacker") == hit


def test_L7_clockwise_from_the_left_of_the_attacker() -> None:
    p = position([FILLER, FILLER, [9, 2], FILLER], [[[3]], [[4]], [], [[5]]], active=2)
    p.play("9")
    victims = []
    while p.phase == "attacker":
        victims.append(p.view(2)["victim"])
        p.play("leave", "back")
    assert victims == [3, 0, 1]
    assert p.to_act == 3


def test_L8_hit_is_mandatory() -> None:
    p = position([[9, 1], FILLER], [[], [[5]]]).play("9")
    assert p.legal() == ["leave", "take"]
    with pytest.raises(IllegalMove, match="ignored"):
        p.play("ignore")


def test_L8_uncovered_row_is_not_compared_again() -> None:
    p = position([[9, 1], FILLER], [[], [[4], [5]]]).play("9", "leave", "back")
    assert (p.to_act, p.phase) == (1, "lay")
    assert p.view(1)["stacks"][1] == [[4]]


def test_L8_hit_row_counts_until_it_leaves() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, 5]]]).play("9 9")
    assert p.scores() == [2 - 1, 2 - 2]
    p.play("leave")
    assert p.scores() == [2 - 1, 2 - 2]
    assert p.play("discard").scores() == [2 - 1, 0 - 2]


def test_L9_attacker_takes_and_victim_draws_as_many() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, "X"]]]).play("9 9", "take")
    assert p.view(0)["hands"][0] == [1, 5, "X"]
    assert (p.to_act, p.phase, p.view(1)["draws"]) == (1, "draw", 2)
    p.play("pile", "show 4")
    assert p.view(1)["hands"][1] == [1, 1, 2, 4]
    assert (p.to_act, p.phase) == (1, "lay")


def test_L10_victim_takes_back_or_discards_and_draws() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, 5]]]).play("9 9", "leave")
    assert (p.to_act, p.phase, p.legal()) == (1, "victim", ["back", "discard"])
    back = p.copy().play("back")
    assert back.view(1)["hands"][1] == [1, 2, 5, 5]
    assert (back.to_act, back.phase) == (1, "lay")
    gone = p.play("discard")
    assert gone.view(0)["discard"] == [5, 5]
    assert (gone.to_act, gone.phase, gone.view(1)["draws"]) == (1, "draw", 2)


def test_L11_display_is_refilled_only_after_the_whole_draw() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, 5]]], display=[3, 3, 4], pile=[7, 8, 9, 10, 11, 12, 13])
    p.play("9 9", "take", "show 3")
    assert p.legal() == ["pile", "show 3", "show 4"]
    assert p.view(0)["display"] == [3, 4]
    p.play("pile")  # sees the card, a 7
    assert p.view(1)["hands"][1] == [1, 2, 3, 7]
    assert p.view(0)["display"] == [3, 4, 8, 9, 10, 11]
    assert p.view(0)["pile"] == {"n": 2}


def test_L11_equal_display_cards_are_one_move() -> None:
    p = position([[9, 1], FILLER], [[], [[5]]], display=[3, 3, "X"]).play("9", "take")
    assert p.legal() == ["pile", "show 3", "show X"]


def test_L11_each_victim_draws_and_the_display_is_full_for_the_next() -> None:
    p = position([[9, 1], FILLER, FILLER], [[], [[5]], [[6]]], display=[3], pile=[7, 8])
    p.play("9", "take", "show 3")
    assert p.view(2)["display"] == [7, 8]
    assert p.view(2)["victim"] == 2


def test_L11_pile_empty_draws_from_the_display_alone() -> None:
    p = position([[9, 1], FILLER], [[], [[5]]], display=[3, 4], pile=[]).play("9", "take")
    assert p.legal() == ["show 3", "show 4"]
    with pytest.raises(IllegalMove, match="pile is empty"):
        p.play("pile")


def test_L12_optional_snatch_may_ignore() -> None:
    p = position([[9, 1], FILLER, FILLER], [[], [[5]], [[6]]], optional_snatch=True).play("9")
    assert p.legal() == ["ignore", "leave", "take"]
    p.play("ignore")
    assert (p.phase, p.view(0)["victim"]) == ("attacker", 2)
    assert p.view(0)["stacks"][1] == [[5]]
    p.play("take")
    assert (p.phase, p.to_act) == ("draw", 2)  # ruling: L9 holds here too


def test_L13_empty_hand_ends_at_once_and_hits_nobody() -> None:
    p = position([[9, 9], [1, 2, 3]], [[[4]], [[5, 5], [8, 8]]]).play("9 9")
    assert p.over and p.phase == "over" and p.to_act is None and p.legal() == []
    assert p.view(0)["stacks"][1] == [[5, 5], [8, 8]]
    assert p.scores() == [3, 1]
    assert p.winners() == [0]
    with pytest.raises(IllegalMove, match="over"):
        p.play("1")


def test_L14_last_card_of_a_draw_ends_the_round_before_later_opponents() -> None:
    p = position([[9, 1], FILLER, FILLER], [[], [[5]], [[6]]], display=[], pile=[3]).play("9", "take", "pile")
    assert p.over
    assert p.view(0)["stacks"][2] == [[6]]


def test_L14_in_the_middle_of_a_draw() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, 5]]], display=[3], pile=[]).play("9 9", "take", "show 3")
    assert p.over
    assert p.scores() == [2 - 3, -3]


def test_L14_empty_pile_alone_ends_nothing() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, 5]]], display=[3, 4, 6], pile=[]).play("9 9", "take")
    p.play("show 3", "show 4")
    assert not p.over
    assert p.view(0)["display"] == [6]


def test_L14_empty_display_with_cards_in_the_pile_ends_nothing() -> None:
    p = position([[9, 9, 1], FILLER], [[], [[5, 5]]], display=[3], pile=[4, 7]).play("9 9", "take", "show 3")
    assert not p.over
    assert p.legal() == ["pile"]
    p.play("pile")
    assert p.view(0)["display"] == [7]


def test_L15_cards_count_not_values_and_ties_share() -> None:
    p = position([[2], [3, 4]], [[], [[1], [1, 1]]]).play("2")
    assert p.scores() == [1, 1]
    assert p.winners() == [0, 1]


def test_L17_known_cards_of_a_hand() -> None:
    p = position([[9, 9, 1, 5], [5, 2, 3, 11]], [[], [[5, 5]]], display=[4, 6, 7])
    p.play("9 9", "take")
    assert p.view(1)["hands"][0] == {"n": 4, "known": [5, 5]}
    p.play("show 4", "pile")
    assert p.view(0)["hands"][1] == {"n": 6, "known": [4]}
    assert p.view(None)["hands"] == [{"n": 4, "known": [5, 5]}, {"n": 6, "known": [4]}]
    p.play("11", "5 5")  # two 5s of three: they may be the known ones
    assert p.view(1)["hands"][0] == {"n": 2, "known": []}
    assert p.view(0)["hands"][0] == [1, 5]


def test_L17_row_taken_back_is_known() -> None:
    p = position([[9, 1], FILLER], [[], [["X"]]])
    p.play("9")
    assert p.phase == "lay"  # a joker alone is above 9
    p = position([["X", 1], FILLER], [[], [[13]]]).play("X", "leave", "back")
    assert p.view(0)["hands"][1] == {"n": 3, "known": [13]}


# The books' worked examples -----------------------------------------------------------------------------


def test_example_1a_one_or_both_sevens() -> None:
    p = position([[7, 7, 6, 6, 6, "X", 12, 12, 1], FILLER])
    assert {"7", "7 7", "6 6 6"} <= set(p.legal())


def test_example_1b_three_turns_of_rows() -> None:
    p = position([[7, 7, 6, 6, 6, "X", 12, 12], [1, 1, 2, 2]])
    p.play("7", "1", "take") if p.phase == "attacker" else p.play("7", "1")
    p.play("6 6 6 X", "2", "12 12")
    assert p.view(0)["stacks"][0] == [[7], [6, 6, 6, "X"], [12, 12]]


def example_2() -> Position:
    """Four at the table: the attacker, and three with a single 3, two 9s, two 7s over a single 5."""
    return position(
        [[12, 12, 1], [13, 2], [4, 4], [8, 8]],
        [[], [[4, 4], [3]], [[9, 9]], [[5], [7, 7]]],
        display=[2, 5, 8, 11, 13, "X"],
        pile=[1, 2, 3, 4, 5, 6],
    )


def test_example_2a_two_twelves_round_the_table() -> None:
    p = example_2().play("12 12")
    assert p.view(0)["victim"] == 2  # the single 3 is safe: another count
    p.play("take")
    assert p.view(2)["draws"] == 2
    p.play("show X", "pile")
    assert p.view(0)["victim"] == 3  # two 7s
    p.play("leave")
    assert (p.to_act, p.legal()) == (3, ["back", "discard"])


def test_example_2b_a_single_13_hits_the_uncovered_5_only() -> None:
    p = example_2().play("12 12", "take", "show X", "pile", "leave", "back")
    assert p.to_act == 1
    p.play("13")
    assert (p.phase, p.view(1)["victim"]) == ("attacker", 3)
    p.play("leave", "back")
    assert (p.phase, p.to_act) == ("lay", 2)  # the pair of 12s is another count
    assert p.view(0)["stacks"][3] == []


def test_example_two_jokers_beat_two_thirteens() -> None:
    p = position([["X", "X", 1], FILLER], [[], [[13, 13]]]).play("X X")
    assert p.phase == "attacker"


# Text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["14", "0", "07", "7.0", "", " ", "show", "show 14", "show 3 3", "take 7", "٧", "7,7", "Y"]
)
def test_text_that_is_no_move(text: str) -> None:
    with pytest.raises(ParseError):
        position([[7, 7], FILLER]).play(text)


def test_text_is_forgiving_in_case_and_spaces() -> None:
    p = position([[7, 7, "X", 2], FILLER], [[], [[3, 3, 3]]])
    p.play("  7   7 x ")
    assert p.moves == ["7 7 X"]
    p.play(" TAKE", "Show3")
    assert p.moves[-2:] == ["take", "show 3"]


def test_text_nine_sevens_are_illegal_not_rubbish() -> None:
    with pytest.raises(IllegalMove):
        position([[7, 7], FILLER]).play(" ".join(["7"] * 9))


def test_a_failed_line_of_moves_changes_nothing() -> None:
    p = position([[7, 7, 1], FILLER])
    with pytest.raises(IllegalMove):
        p.play("7", "13")
    assert p.moves == [] and p.to_act == 0


def test_options_are_checked() -> None:
    with pytest.raises(GameError, match="no option"):
        LINKO.new(2, snatch=True)
    with pytest.raises(GameError, match="may be"):
        LINKO.new(2, optional_snatch=1)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="players"):
        LINKO.new(6)
