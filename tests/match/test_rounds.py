"""How rounds make a match (L16, X5, X11, X12), for all kinds of match rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from foxrow.core.contract import Choice, Game, MatchRule
from foxrow.core.errors import RecordError
from foxrow.core.registry import games
from foxrow.core.stakes import Stakes, race
from foxrow.match import rounds
from foxrow.match.rounds import Round

SOME_GAME = next(iter(games().values()))


def game_of(kind: Literal["cycles", "points", "single"], default: int = 1) -> Game:
    """A game with another match rule."""
    low = 1 if kind == "points" else 0
    return replace(SOME_GAME, match=MatchRule(kind, default=default, low=low, high=0 if kind == "single" else 20))


def played(*results: tuple[int, tuple[int, ...], tuple[int, ...]]) -> list[Round]:
    return [Round(first, (), scores, winners) for first, scores, winners in results]


def test_setting_is_the_default_or_the_wish() -> None:
    assert rounds.setting(game_of("cycles")) == {"cycles": 1}
    assert rounds.setting(game_of("cycles"), 0) == {"cycles": 0}
    assert rounds.setting(game_of("points", 2)) == {"points": 2}
    assert rounds.setting(game_of("single")) == {}


@pytest.mark.parametrize("wish", [-1, 21, True, 1.0, "1", [1]])
def test_setting_refuses_what_is_out_of_range(wish: object) -> None:
    with pytest.raises(RecordError, match=r"match\.cycles"):
        rounds.setting(game_of("cycles"), wish)
    with pytest.raises(RecordError, match="one round"):
        rounds.setting(game_of("single"), wish)


def test_setting_is_read_strictly() -> None:
    assert rounds.read_setting(game_of("cycles"), {"cycles": 2}) == {"cycles": 2}
    assert rounds.read_setting(game_of("single"), {}) == {}
    wrong: list[object] = [None, [], {}, {"points": 2}, {"cycles": 1, "points": 2}, {"cycles": True}, {"cycles": None}]
    for bad in wrong:
        with pytest.raises(RecordError, match="match"):
            rounds.read_setting(game_of("cycles"), bad)
    with pytest.raises(RecordError, match="no key"):
        rounds.read_setting(game_of("single"), {"cycles": 1})


def test_L16_length_is_players_times_cycles_and_no_cycle_is_one_round() -> None:
    assert rounds.length(game_of("cycles"), 4, {"cycles": 2}) == 8
    assert rounds.length(game_of("cycles"), 4, {"cycles": 0}) == 1
    assert rounds.length(game_of("single"), 4, {}) == 1
    assert rounds.length(game_of("points"), 4, {"points": 2}) is None


def test_L16_what_a_round_counts_for_where_points_add_up() -> None:
    one = played((0, (3, 1), (0,)))
    cycles = game_of("cycles")
    assert rounds.stakes(cycles, 2, {}, {"cycles": 1}, []) == Stakes((0, 0), 1)
    assert rounds.stakes(cycles, 2, {}, {"cycles": 1}, one) == Stakes((3, 1), 0)
    assert rounds.stakes(cycles, 2, {}, {"cycles": 2}, one * 2) == Stakes((6, 2), 1)
    assert rounds.stakes(cycles, 2, {}, {"cycles": 1}, one * 2) is None  # the match is over
    assert rounds.stakes(cycles, 2, {}, {"cycles": 0}, []) is None  # a single round is a match of its own
    assert rounds.stakes(game_of("single"), 2, {}, {}, []) is None


def test_X11_what_a_round_counts_for_where_several_race() -> None:
    points, one = game_of("points"), played((0, (3, 1, 1), (0,)))
    assert rounds.stakes(points, 3, {}, {"points": 2}, []) == Stakes((0, 0, 0), goal=2)
    assert rounds.stakes(points, 3, {}, {"points": 2}, one) == Stakes((1, 0, 0), goal=2)
    assert rounds.stakes(points, 3, {}, {"points": 1}, []) is None  # this round decides it
    assert rounds.stakes(points, 2, {}, {"points": 2}, played((0, (3, 1), (0,)))) is None  # there is but one rival
    for game in games().values():
        for option in game.options:
            for choice in option.partners if game.match.kind == "points" else ():
                assert rounds.stakes(game, 4, {option.key: choice}, {"points": 2}, []) is None  # nor for partners


@pytest.mark.parametrize("ahead", [(0, 0), (1, 0), (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 2, 1, 2), (2, 0, 1, 0, 0)])
def test_a_race_between_equals(ahead: tuple[int, ...]) -> None:
    """By playing all matches out."""
    goal = 3

    def played_out(now: tuple[int, ...]) -> list[float]:
        if goal in now:
            return [float(won == goal) for won in now]
        after = [played_out(tuple(won + (i == w) for i, won in enumerate(now))) for w in range(len(now))]
        return [sum(chance) / len(now) for chance in zip(*after, strict=True)]

    assert race(ahead, goal) == pytest.approx(played_out(ahead))


def test_a_long_race_is_known_at_once() -> None:
    chances = race((0, 3, 7, 0, 19), 20)
    assert sum(chances) == pytest.approx(1.0)
    assert chances[0] == pytest.approx(chances[3])
    assert chances[0] < chances[1] < chances[2] < chances[4]


def test_L16_X5_the_starter_moves_to_the_left() -> None:
    assert rounds.next_first([], 3) == 0
    assert rounds.next_first([], 3, 2) == 2
    assert rounds.next_first(played((2, (0, 0, 0), (0,))), 3) == 0
    starters = []
    done: list[Round] = []
    for _ in range(6):
        first = rounds.next_first(done, 3, 1)
        starters.append(first)
        done += played((first, (0, 0, 0), (0,)))
    assert starters == [1, 2, 0, 1, 2, 0]


def test_L16_totals_decide_and_ties_share() -> None:
    game = game_of("cycles")
    done = played((0, (3, 5), (1,)), (1, (4, 2), (0,)))
    assert rounds.totals(game, 2, {}, done) == [7, 7]
    assert rounds.winners(game, 2, {}, {"cycles": 1}, done) == [0, 1]
    assert rounds.winners(game, 2, {}, {"cycles": 1}, done[:1]) is None
    assert rounds.winners(game, 2, {}, {"cycles": 0}, done[:1]) == [1]
    assert rounds.winners(game, 2, {}, {"cycles": 2}, done) is None


def test_L16_negative_totals_can_win() -> None:
    assert rounds.winners(game_of("cycles"), 2, {}, {"cycles": 0}, played((0, (-9, -3), (1,)))) == [1]


def test_X11_first_with_two_points_wins() -> None:
    game = game_of("points", 2)
    done = played((0, (5, 1, 0), (0,)), (1, (9, 1, 0), (1,)), (2, (0, 0, 9), (0,)))
    assert rounds.totals(game, 3, {}, done) == [2, 1, 0]
    assert rounds.winners(game, 3, {}, {"points": 2}, done[:2]) is None
    assert rounds.winners(game, 3, {}, {"points": 2}, done) == [0]
    assert rounds.winners(game, 3, {}, {"points": 1}, done[:1]) == [0]


def test_X12_partners_get_the_point_together() -> None:
    game = game_of("points", 2)
    done = played((0, (0,) * 4, (0, 2)), (1, (0,) * 4, (1, 3)), (2, (0,) * 4, (1, 3)))
    assert rounds.totals(game, 4, {}, done) == [1, 2, 1, 2]
    assert rounds.winners(game, 4, {}, {"points": 2}, done) == [1, 3]


def test_single_round_is_won_by_its_winners() -> None:
    game = game_of("single")
    done = played((0, (7, 7), (1,)))  # the game's own tie rule, not the scores
    assert rounds.winners(game, 2, {}, {}, done) == [1]
    assert rounds.winners(game, 2, {}, {}, []) is None
    assert rounds.totals(game, 2, {}, done) == [7, 7]


def test_the_next_round_is_checked() -> None:
    options: dict[str, Choice] = {}
    table = game_of("cycles"), 2, options, {"cycles": 1}
    done = played((1, (3, 5), (1,)))
    rounds.check_next(*table, 0, [], 1)
    rounds.check_next(*table, 1, done, 0)
    with pytest.raises(RecordError, match=r"rounds\[1\]\.first: must be 0"):
        rounds.check_next(*table, 1, done, 1)
    with pytest.raises(RecordError, match=r"rounds\[2\]: the round before"):
        rounds.check_next(*table, 2, done, 1)
    with pytest.raises(RecordError, match=r"rounds\[2\]: the match is over"):
        rounds.check_next(*table, 2, done + played((0, (0, 0), (0, 1))), 1)
