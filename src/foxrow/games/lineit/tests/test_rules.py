"""Line-it, rule by rule. Each test is named by the number of its rule in rules.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from foxrow.core.errors import GameError, IllegalMove, ParseError
from foxrow.core.position import Position
from foxrow.core.shuffle import shuffled
from foxrow.games.lineit.tests.positions import COLOURS, LINEIT, Card, position, setup_of


def reason(p: Position, move: str) -> str:
    """The code of why a move is illegal."""
    with pytest.raises(IllegalMove) as error:
        p.play(move)
    assert error.value.reason
    return error.value.code


def moves(p: Position, verb: str) -> list[str]:
    return [move.removeprefix(verb + " ") for move in p.legal() if move.startswith(verb + " ")]


# T1 and T2: the deck and the market ---------------------------------------------------------------------


def test_T1_deck_of_100_numbers_and_6_bets() -> None:
    deck = LINEIT.rules.deck(4, {})
    assert deck == (*map(str, range(1, 101)), "+3", "+3", "+4", "+4", "+5", "+5")


def test_T1_four_colours_of_25_take_turns() -> None:
    """The colour shows in the jackpot that a card lies under."""
    p = position([1, 2, 3, 4], first=1, active=0, taken=True).play("done")
    assert p.view()["jackpots"] == {"heart": [1], "diamond": [2], "leaf": [3], "star": [4]}
    p = position([100, 99, 98, 97], first=1, active=0, taken=True).play("done")
    assert p.view()["jackpots"] == {"heart": [97], "diamond": [98], "leaf": [99], "star": [100]}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_T2_market_of_players_and_two(players: int) -> None:
    p = LINEIT.new(players, seed=1)
    setup = setup_of(p)
    assert len(setup["market"]) == players + 2
    assert len(setup["deck"]) == 106 - players - 2
    assert Counter(map(str, setup["market"] + setup["deck"])) == Counter(LINEIT.rules.deck(players, {}))
    assert setup["lines"] == setup["hands"] == [[]] * players
    assert setup["scores"] == [0] * players
    assert not any(setup["jackpots"].values())


def test_T2_the_deal_follows_the_order_of_the_shuffled_deck() -> None:
    deck = LINEIT.rules.deck(3, {})
    order = [deck[i] for i in shuffled(bytes(32), 0, 106)]
    setup = setup_of(LINEIT.new(3, seed=bytes(32)))
    assert [str(card) for card in setup["market"] + setup["deck"]] == order


@pytest.mark.parametrize("first", [0, 1, 2])
def test_T2_everybody_has_one_turn_clockwise_from_the_token(first: int) -> None:
    p = LINEIT.new(3, seed=1, first=first)
    for turn in range(9):
        starter = (first + turn // 3) % 3  # T9: the token moves left each round
        assert p.view()["first"] == starter
        assert p.to_act == (starter + turn) % 3
        p.play(p.legal()[-1], "done")


def test_T2_each_round_has_a_new_market_from_the_top_of_the_deck() -> None:
    p = position([1, 2, 3], deck=[50, "+4", 51, 52, 60], first=1, active=0).play("take 1", "done")
    assert p.view()["market"] == [50, "+4", 51, 52]
    assert p.view()["deck"] == {"n": 1}


def test_only_2_to_5_play() -> None:
    for players in (1, 6):
        with pytest.raises(GameError):
            LINEIT.new(players, seed=1)


# T3: the market card ------------------------------------------------------------------------------------


def test_T3_into_the_line_or_into_the_hand() -> None:
    p = position([10, 20, "+3"])
    assert p.legal() == sorted(["take 10", "take 20", "take +3", "keep 10", "keep 20", "keep +3"])
    assert p.copy().play("take 10").view()["lines"][0] == [10]
    assert p.copy().play("keep +3").view()["hands"][0] == ["+3"]


def test_T3_exactly_one_card_a_turn() -> None:
    p = position([10, 20, 30])
    assert reason(p, "done") == "must_take"
    p.play("keep 10")
    assert p.legal() == ["done", "play 10"]
    assert reason(p, "take 20") == "already_taken"
    assert reason(p, "keep 20") == "already_taken"


def test_T3_a_hand_holds_two_cards_and_bets_count() -> None:
    p = position([10, 20, 30], hands=[[40, "+3"], []])
    assert moves(p, "keep") == []
    assert reason(p, "keep 10") == "hand_full"
    assert moves(position([10, 20, 30], hands=[[40], []]), "keep") == ["10", "20", "30"]


def test_T3_only_cards_of_the_market() -> None:
    p = position([10, 20])
    assert reason(p, "take 30") == "not_in_market"
    assert reason(p, "keep +3") == "not_in_market"


def test_T3_equal_bets_of_the_market_are_one_move() -> None:
    p = position(["+3", 10, "+3", "+4"])
    assert moves(p, "take") == ["+3", "+4", "10"]
    assert moves(p, "keep") == ["+3", "+4", "10"]
    assert p.play("take +3").view()["market"] == [10, "+3", "+4"]


def test_T3_the_other_cards_keep_their_order() -> None:
    full: list[Card] = [10, 20, 30, 40, 50, 60, 70]
    for card in full:
        p = position(full, players=5).play(f"keep {card}")
        assert p.view()["market"] == [other for other in full if other != card]


# T4: a card from the hand -------------------------------------------------------------------------------


def test_T4_one_hand_card_a_turn_before_or_after_the_market_card() -> None:
    p = position([30, 31], hands=[[10, 40], []])
    before = p.copy().play("play 10", "take 30")
    assert before.legal() == ["close", "done"]
    assert reason(before, "play 40") == "already_played"
    after = p.copy().play("take 30", "play 40")
    assert after.view()["lines"][0] == [30, 40]
    assert after.legal() == ["close", "done"]


def test_T4_only_a_card_in_hand_that_fits() -> None:
    p = position([30, 31], lines=[[50, 60], []], hands=[[10, "+3"], [70]])
    assert moves(p, "play") == ["+3"]
    assert reason(p, "play 10") == "does_not_fit"
    assert reason(p, "play 70") == "not_in_hand"


def test_T4_equal_bets_of_a_hand_are_one_move() -> None:
    p = position([30, 31], hands=[["+5", "+5"], []])
    assert moves(p, "play") == ["+5"]
    assert p.play("play +5").view()["hands"][0] == ["+5"]
    assert reason(p, "play +5") == "already_played"


def test_T4_a_new_turn_allows_a_new_card() -> None:
    p = position([30, 31], hands=[[10, 40], []], deck=[1, 2, 3, 4], first=0, active=0)
    p.play("play 10", "take 30", "done", "keep 31", "done", "keep 1", "done")
    assert p.to_act == 0
    assert moves(p, "play") == ["40"]


def test_T4_an_empty_hand_plays_nothing() -> None:
    assert moves(position([30, 31]), "play") == []


# T5: what fits ------------------------------------------------------------------------------------------


def test_T5_first_two_numbers_are_free_and_the_second_sets_the_way() -> None:
    assert moves(position([1, 50, 100]), "take") == ["1", "100", "50"]
    p = position([1, 49, 51, 100], lines=[[50], []])
    assert moves(p, "take") == ["1", "100", "49", "51"]


def test_T5_a_rising_line_goes_on_rising() -> None:
    p = position([19, 21, 100], lines=[[10, 20], []])
    assert moves(p, "take") == ["100", "21"]
    assert reason(p, "take 19") == "does_not_fit"


def test_T5_a_falling_line_goes_on_falling() -> None:
    p = position([19, 21, 1], lines=[[30, 20], []])
    assert moves(p, "take") == ["1", "19"]
    assert reason(p, "take 21") == "does_not_fit"


def test_T5_one_bet_a_line() -> None:
    p = position(["+3", "+4", 99], lines=[["+3", 10, 20], []], hands=[["+5"], []])
    assert moves(p, "take") == ["99"]
    assert moves(p, "keep") == ["+3", "+4", "99"]
    assert moves(p, "play") == []
    assert reason(p, "take +4") == "second_bet"
    assert reason(p, "play +5") == "second_bet"


@pytest.mark.parametrize("line", [[], [10], [10, 20], [20, 10]])
def test_T5_a_bet_has_no_number_and_may_lie_anywhere(line: list[Card]) -> None:
    without = position([5, 15, 25, "+3"], lines=[line, []])
    p = position([5, 15, 25], lines=[[*line, "+3"], []])
    assert moves(p, "take") == [card for card in moves(without, "take") if card != "+3"]
    assert "+3" in moves(without, "take")


def test_T5_a_bet_between_the_first_two_numbers_does_not_set_the_way() -> None:
    p = position([5, 15, 25], lines=[[10, "+3"], []])
    assert moves(p, "take") == ["15", "25", "5"]
    p.play("take 5", "done", "keep 15", "done")
    assert p.phase == "final"
    assert p.view()["lines"][0] == [10, "+3", 5]


# T6: closing --------------------------------------------------------------------------------------------


def test_T6_at_any_moment_of_the_turn_if_the_line_holds_a_card() -> None:
    p = position([50, 60], lines=[[10, 20], []], hands=[[30], []])
    for before in ([], ["play 30"], ["take 50"], ["play 30", "take 50"]):
        assert "close" in p.copy().play(*before).legal()
    empty = position([50, 60])
    assert reason(empty, "close") == "no_line"


def test_T6_the_next_line_starts_freely_in_the_same_turn() -> None:
    p = position([5, 60], lines=[[10, 20, 30, 40], []])
    assert moves(p, "take") == ["60"]
    p.play("close")
    assert p.scores()[0] == 1
    assert moves(p, "take") == ["5", "60"]
    assert p.play("take 5").view()["lines"][0] == [5]


def test_T6_stuck_with_a_full_hand_close_or_play_are_left() -> None:
    p = position([1, 2], lines=[[10, 20], []], hands=[[5, 30], []])
    assert p.legal() == ["close", "play 30"]
    assert p.copy().play("play 30").legal() == ["close", "keep 1", "keep 2"]
    assert p.copy().play("close").legal() == ["play 30", "play 5", "take 1", "take 2"]
    p = position([1, 2], lines=[[10, 20], []], hands=[[5, 6], []])
    assert p.legal() == ["close"]


def test_T6_several_closings_a_turn() -> None:
    p = position([1, 2], lines=[[10, 20, 30, 40], []], hands=[[50], []])
    p.play("close", "play 50", "close", "take 1", "close")
    assert p.legal() == ["done"]
    assert p.scores()[0] == 1


def test_T6_a_bet_alone_can_be_closed() -> None:
    p = position([1, 2], lines=[["+5"], []]).play("close")
    assert p.scores() == [-5, 0]


def test_T6_a_card_kept_this_turn_may_be_played_this_turn() -> None:
    p = position([10, 20], lines=[[1], []]).play("keep 10", "play 10")
    assert p.view()["lines"][0] == [1, 10]
    assert p.view()["hands"][0] == []


def test_T6_the_end_of_a_turn_is_always_said() -> None:
    p = position([1, 2]).play("keep 1", "play 1", "close")
    assert p.legal() == ["done"]
    assert p.to_act == 0
    assert p.play("done").to_act == 1


# T7: what a line is worth -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ([], 0),
        ([1], 0),
        ([1, 2], 0),
        ([1, 2, 3], 0),
        ([1, 2, 3, 4], 1),
        (list(range(1, 21)), 17),
        (["+3"], -3),
        (["+3", 1, 2], -3),
        (["+3", 1, 2, 3], 3),
        (["+3", 1, 2, 3, 4], 4),
        ([1, "+3", 2, 3], -3),
        ([1, 2, "+3", 3, 4, 5], 5),
        ([1, 2, 3, 4, 5, "+4"], -2),
        ([1, 2, 3, 4, "+5", 5, 6, 7, 8], 0),
        ([1, 2, 3, 4, "+5", 5, 6, 7, 8, 9], 11),
        ([90, 80, "+4", 70, 60, 50, 40], 7),
    ],
)
def test_T7_bet_first_then_three_cards_for_the_toll(line: list[Card], points: int) -> None:
    p = position([99, 100], lines=[line, []], scores=[7, 7])
    assert p.scores() == [7 + points, 7]
    assert p.view()["line_scores"] == [points, 0]
    if line:
        p.play("close")
        assert p.scores() == [7 + points, 7]
        assert p.view()["lines"][0] == []
        assert p.view()["line_scores"] == [0, 0]
        assert setup_of(p)["scores"] == [7 + points, 7]


def test_T7_example_nine_cards_and_a_bet_of_four_are_ten_points() -> None:
    """The book's example: four cards after the bet, six cards remain, 6 + 4."""
    p = position([61, 48], lines=[[3, 9, 14, 20, 26, "+4", 33, 39, 44, 52], []], hands=[[88], []])
    assert p.play("close").scores() == [10, 0]


def test_T7_a_new_line_starts_from_nothing() -> None:
    """Neither the bet, nor the way, nor the colours of a closed line go on."""
    p = position(["+4", 17], lines=[["+3", 13, 9], []], hands=[[21], []], jackpots={"heart": [97]})
    p.play("close", "take 17", "play 21")
    assert setup_of(p)["scores"] == [-3, 0]
    assert p.view()["jackpots"]["heart"] == [97]
    p = position(["+4", 17], lines=[["+3", 13, 9], []]).play("close", "take +4")
    assert p.view()["lines"][0] == ["+4"]


# T8: jackpots -------------------------------------------------------------------------------------------


def test_T8_example_the_third_heart_wins_the_four_cards_of_its_jackpot() -> None:
    p = position([61, 48], lines=[[5, 20, 33], []], jackpots={"heart": [1, 9, 13, 97], "star": [4]}, scores=[2, 0])
    p.play("take 61")
    assert setup_of(p)["scores"] == [6, 0]
    assert p.view()["jackpots"] == {"heart": [], "diamond": [], "leaf": [], "star": [4]}


def test_T8_first_second_and_fourth_card_win_nothing() -> None:
    for line in ([], [1], [1, 5, 9]):
        p = position([61, 48], lines=[list(line), []], jackpots={"heart": [97]}).play("take 61")
        assert setup_of(p)["scores"] == [0, 0]
        assert p.view()["jackpots"]["heart"] == [97]


def test_T8_from_the_hand_too() -> None:
    p = position([2, 6], lines=[[1, 5], []], hands=[[9], []], jackpots={"heart": [97]}).play("play 9")
    assert setup_of(p)["scores"] == [1, 0]


def test_T8_an_empty_jackpot_is_won_in_vain_and_not_again_by_this_line() -> None:
    p = position([9, 93], lines=[[1, 5], []], hands=[[], [97]], deck=[13, 20, 24, 28], first=1, active=0)
    p.play("take 9", "done")
    assert p.view()["jackpots"]["heart"] == [93]
    p.play("take 13")
    assert setup_of(p)["scores"] == [0, 0]
    assert p.view()["jackpots"]["heart"] == [93]


def test_T8_several_colours_in_one_line_and_the_same_colour_in_the_next() -> None:
    p = position([9, 12], lines=[[1, 2, 5, 6], []], hands=[[10], []], jackpots={"heart": [97], "diamond": [98, 94]})
    p.play("take 9", "play 10")
    assert setup_of(p)["scores"] == [3, 0]
    p = position([13, 12], lines=[[1, 5, 9], []], hands=[[17], []], jackpots={"heart": [97]})
    p.play("close", "take 13", "play 17")
    assert p.view()["jackpots"]["heart"] == [97]


def test_T8_a_bet_has_no_colour() -> None:
    p = position(
        ["+3", 12], lines=[[1, 5], []], jackpots={c: [n] for c, n in zip(COLOURS, (97, 98, 99, 100), strict=True)}
    )
    p.play("take +3")
    assert setup_of(p)["scores"] == [0, 0]
    assert all(p.view()["jackpots"].values())


# T9: the end of a round ---------------------------------------------------------------------------------


def test_T9_numbers_go_under_their_jackpots_bets_are_discarded_the_token_moves_left() -> None:
    p = position([50, 8, "+3", 5], deck=[60, 61, 62, 63], jackpots={"heart": [1]}, players=2, first=1, active=0)
    p.play("take 50", "done")
    view = p.view()
    assert view["jackpots"] == {"heart": [1, 5], "diamond": [], "leaf": [], "star": [8]}
    assert view["first"] == 0
    assert p.to_act == 0
    assert view["market"] == [60, 61, 62, 63]


def test_T9_not_before_the_last_seat_is_done() -> None:
    p = position([50, 8, 5], deck=[60, 61, 62, 63], first=1, active=0).play("take 50")
    assert p.view()["jackpots"]["star"] == []
    assert p.view()["market"] == [8, 5]


# T10: the end of the game -------------------------------------------------------------------------------


def last_turn(**parts: Any) -> Position:
    """Seat 0 of two is about to end a round that seat 1 has started, so the token moves on to seat 0."""
    return position([7], first=1, active=0, taken=True, **parts)


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_T10_a_deck_that_cannot_fill_a_market_ends_the_game(left: int) -> None:
    deck: list[Card] = [1, "+3", 5]
    del deck[left:]
    p = last_turn(deck=deck).play("done")
    assert p.phase == "final"
    assert p.view()["deck"] == {"n": 0}
    assert p.view()["market"] == []
    assert p.view()["jackpots"]["heart"] == [card for card in deck if card != "+3"]
    assert p.view()["jackpots"]["leaf"] == [7]


def test_T10_a_deck_for_exactly_one_market_does_not() -> None:
    p = last_turn(deck=[1, "+3", 5, 9]).play("done")
    assert p.phase == "turn"
    assert p.view()["deck"] == {"n": 0}


def test_T10_two_laps_from_the_token_which_has_moved_on() -> None:
    p = position([7, 8], players=3, first=1, active=0, taken=True, hands=[[], [1], [2, 3]]).play("done")
    asked = []
    laps = []
    while not p.over:
        asked.append(p.to_act)
        laps.append(p.view()["lap"])
        assert p.view()["first"] == 2
        p.play("done")
    assert asked == [2, 0, 1, 2, 0, 1]
    assert laps == [1, 1, 1, 2, 2, 2]
    assert p.view()["lap"] == 0


def test_T10_one_card_a_lap_and_declining_the_first_keeps_the_second() -> None:
    p = last_turn(hands=[[20, 30], [40]], lines=[[10], []]).play("done")
    assert p.legal() == ["done", "play 20", "play 30"]
    p.play("play 20")
    assert p.to_act == 1
    p.play("done")
    assert p.to_act == 0
    assert p.legal() == ["done", "play 30"]
    p.play("play 30")
    assert p.legal() == ["done", "play 40"]
    p.play("play 40")
    assert p.over
    assert p.legal() == []


def test_T10_everybody_is_asked_also_without_a_card_that_fits() -> None:
    p = last_turn(hands=[[5], []], lines=[[10, 20], []]).play("done")
    for _ in range(4):
        assert p.legal() == ["done"]
        p.play("done")
    assert p.over


def test_T10_no_market_and_no_closing_in_between() -> None:
    p = last_turn(hands=[[5], []], lines=[[10, 20], []]).play("done")
    assert reason(p, "close") == "no_closing"
    assert reason(p, "take 7") == "other_phase"
    assert reason(p, "keep 7") == "other_phase"
    assert reason(p, "play 5") == "does_not_fit"
    assert reason(p, "play 6") == "not_in_hand"


def test_T10_playing_before_the_end_does_not_count_for_the_laps() -> None:
    p = position([7], first=1, active=0, taken=True, played=True, hands=[[20], []]).play("done")
    assert p.legal() == ["done", "play 20"]


def test_T10_jackpots_can_be_won_with_the_last_cards_of_the_deck_under_them() -> None:
    p = last_turn(deck=[3, 11, 15], hands=[[39], []], lines=[[31, 35], []]).play("done", "play 39")
    assert setup_scores(p) == [4, 0]  # 7, 3, 11 and 15


def test_T10_then_all_lines_are_closed() -> None:
    p = last_turn(hands=[[50], []], lines=[["+4", 10, 20, 30], ["+3", 90, 80, 70, 60]], scores=[1, 2]).play("done")
    assert p.scores() == [1 - 4, 2 + 3 + 1]
    p.play("play 50", "done", "done", "done")
    assert p.over
    assert p.scores() == [1 + 4 + 1, 2 + 3 + 1]
    assert p.view()["lines"] == [[], []]
    assert p.view()["line_scores"] == [0, 0]
    with pytest.raises(IllegalMove) as error:
        p.play("done")
    assert error.value.code == "over"


@pytest.mark.parametrize(("players", "rounds", "left"), [(2, 26, 2), (3, 21, 1), (4, 17, 4), (5, 15, 1)])
def test_T10_rounds_of_a_whole_game(players: int, rounds: int, left: int) -> None:
    p = LINEIT.new(players, seed=3)
    for turn in range(players * rounds):
        assert p.phase == "turn"
        assert p.to_act == (turn // players + turn) % players
        if p.view()["lines"][p.to_act or 0]:
            p.play("close")
        if turn == players * rounds - 1:
            assert p.view()["deck"]["n"] == left
        p.play(next(move for move in p.legal() if move.startswith("take")), "done")
    assert p.phase == "final"
    assert p.to_act == rounds % players
    p.play(*["done"] * (2 * players))
    assert p.over


# T11: the winner ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "winners"), [([3, 1], [0]), ([1, 3], [1]), ([2, 2], [0, 1]), ([-5, -4], [1]), ([-24, -24], [0, 1])]
)
def test_T11_highest_wins_ties_share(scores: list[int], winners: list[int]) -> None:
    p = last_turn(scores=scores).play("done")
    assert p.winners() is None
    p.play("done", "done", "done", "done")
    assert p.winners() == winners


def test_T11_open_lines_count_for_the_winner() -> None:
    p = last_turn(scores=[3, 0], lines=[[], [1, 2, 3, 4, 5, 6, 8]]).play("done", "done", "done", "done", "done")
    assert p.scores() == [3, 4]
    assert p.winners() == [1]


# T12: what everybody knows ------------------------------------------------------------------------------


def test_T12_hands_are_in_every_view_and_the_deck_is_not() -> None:
    p = position([7, 8], hands=[[1, "+3"], [2]], deck=[50, 60, 70, 80])
    for seat in (None, 0, 1):
        view = p.view(seat)
        assert view["hands"] == [[1, "+3"], [2]]
        assert view["deck"] == {"n": 4}
        assert (p.masked(seat).deck == -1).all()  # type: ignore[attr-defined]


def test_T12_which_cards_the_deck_holds_is_public_in_any_order() -> None:
    one = position([7, 8], deck=[50, "+3", 70, 80]).masked(0)
    other = position([7, 8], deck=[80, 70, 50, "+3"]).masked(0)
    assert bytes(one) == bytes(other)  # type: ignore[call-overload]
    third = position([7, 8], deck=[50, "+3", 70, 81]).masked(0)
    assert bytes(one) != bytes(third)  # type: ignore[call-overload]


# Notation -----------------------------------------------------------------------------------------------


def setup_scores(p: Position) -> list[int]:
    """Scores without open lines."""
    return [total - line for total, line in zip(p.scores(), p.view()["line_scores"], strict=True)]


@pytest.mark.parametrize("text", ["take 10", "TAKE  10", " Take 10 ", "take10", "\ttake\n10"])
def test_input_is_forgiving_in_case_and_spaces(text: str) -> None:
    assert position([10, 20]).play(text).moves == ["take 10"]


@pytest.mark.parametrize("text", ["keep +4", "keep + 4", "KEEP+4"])
def test_bets_have_a_plus(text: str) -> None:
    assert position([4, "+4"]).play(text).moves == ["keep +4"]
    assert position([4, "+4"]).play("keep 4").moves == ["keep 4"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "take", "keep", "play", "take 0", "take 101", "take 1000", "take 010", "take -3", "take 1.0", "take 1 2"),
        *("take +6", "take +2", "take ten", "take ١", "takе 1", "10", "+3", "close 3", "done done", "pass", "t" * 9999),
    ],
)
def test_what_is_no_move_does_not_parse(text: str) -> None:
    with pytest.raises(ParseError) as error:
        position([10, 20]).play(text)
    assert len(error.value.reason) < 200


@pytest.mark.parametrize("thing", [None, 3, ["take 10"], b"take 10", {"take": 10}])
def test_what_is_no_text_does_not_parse(thing: Any) -> None:
    with pytest.raises(ParseError):
        position([10, 20]).play(thing)


def test_every_move_has_its_text() -> None:
    p = position([10, 20])
    texts = [LINEIT.rules.move_text(p.state, move) for move in range(LINEIT.rules.MOVES)]
    assert len(set(texts)) == len(texts) == 3 * 103 + 2
    assert [LINEIT.rules.text.parse_move(p.state, text) for text in texts] == list(range(LINEIT.rules.MOVES))


def test_every_illegal_move_has_a_reason() -> None:
    """In turns of all kinds and in the final phase: a code and a sentence."""
    turn = position([10, "+4"], lines=[["+3", 30, 20], []], hands=[[25, "+3"], []])
    for p in (turn, turn.copy().play("take 10"), position([10, 20]), last_turn(hands=[[5], []]).play("done")):
        for move in set(range(LINEIT.rules.MOVES)) - set(LINEIT.rules.legal(p.state)):
            code, sentence = LINEIT.rules.text.why_not(p.state, move)
            assert code.replace("_", "").isalpha()
            assert sentence[0].islower()


def test_table_shows_what_lies_there() -> None:
    p = position(
        [61, "+5"], lines=[[3, 9, "+4", 33], [90, 80]], hands=[[88], []], jackpots={"heart": [1, 5]}, scores=[4, -3]
    )
    assert p.table(0).splitlines() == [
        "Market    61♥ +5",
        "Jackpots  ♥ 1 5   ♦ –   ♣ –   ★ –",
        "Deck      0 cards",
        "",
        "▸ Player 1  0 points: 4 scored, -4 in the line, first",
        "            line  ↑ 3♣ 9♥ +4 33♥",
        "            hand  88★",
        "  Player 2  -3 points: -3 scored, +0 in the line",
        "            line  ↓ 90♦ 80★",
        "            hand  –",
        "",
        "Player 1 takes a market card.",
    ]
    assert "has taken" in p.play("take 61").table()
    final = last_turn().play("done")
    assert "lap 1 of 2" in final.table()
    assert "over" in final.play("done", "done", "done", "done").table()
