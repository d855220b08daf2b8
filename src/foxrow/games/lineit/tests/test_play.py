"""Line-it's rule of thumb: what a sensible player does in plain positions, and that it pays."""

from __future__ import annotations

import numpy as np
import pytest

from foxrow.core.chance import stream
from foxrow.core.position import Position
from foxrow.games.lineit.tests.positions import LINEIT, Card, position

RULES = LINEIT.rules
EARLY: list[Card] = [31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69]


def choice(p: Position) -> str:
    """What the policy plays, from the seat's view alone."""
    legal = RULES.legal(p.state)
    move = RULES.policy(p.masked(p.to_act), np.array(legal, np.int32), len(legal), stream(1))
    return RULES.move_text(p.state, int(move))


def turn(p: Position) -> list[str]:
    """The whole turn of the seat to act."""
    seat = p.to_act
    moves = []
    while p.to_act == seat and p.phase == "turn":
        moves.append(choice(p))
        p.play(moves[-1])
    return moves


def test_takes_the_small_step() -> None:
    assert choice(position([22, 52, 90], [[10, 20], []], [[25, 30], []], deck=EARLY)) == "take 22"
    assert choice(position([78, 48, 10], [[90, 80], []], [[75, 70], []], deck=EARLY)) == "take 78"


def test_keeps_what_the_line_will_reach() -> None:
    assert choice(position([48, 50, 9], [[10, 20], []], deck=EARLY)) in ("keep 48", "keep 50")


def test_takes_a_jackpot_that_is_worth_the_gap() -> None:
    lines: list[list[Card]] = [[1, 5, 20], []]
    hearts: list[Card] = [9, 13, 17, 81, 85]
    assert "take 45" in turn(position([22, 45, 90], lines, [[70, 74], []], deck=EARLY, jackpots={"heart": hearts}))
    assert "take 45" not in turn(position([22, 45, 90], lines, [[70, 74], []], deck=EARLY))


def test_closes_a_long_line_that_is_stuck() -> None:
    line: list[Card] = [10, 20, 44, 55, 70, 75, 80, 99]
    assert turn(position([3, 7, 12], [line, []], [[8, 5], []], deck=[*EARLY, 1, 2, 4, 6]))[0] == "close"


def test_does_not_close_at_the_end() -> None:
    """A line of fewer than four cards is worth nothing, so with one round left nobody starts one."""
    assert "close" not in turn(position([3, 7], [[10, 20, 44, 55, 70, 75, 80], []], [[90], []]))


def test_bets_need_time() -> None:
    assert turn(position(["+5", 11], [[], []], [[], []]))[0] != "take +5"
    start = position(["+3", 3, 99], [[], []], [[10, 15], []], deck=[*EARLY, *range(70, 99)])
    assert turn(start)[0] == "take +3"


def test_final_cards_are_laid_in_the_order_that_fits() -> None:
    p = position([7], [[10, 20], []], [[40, 30], [50, "+3"]], first=1, active=0, taken=True, played=True).play("done")
    assert [choice(p), p.play("play 30").to_act] == ["play 30", 1]
    assert choice(p) == "play 50"
    p.play("play 50")
    assert choice(p) == "play 40"
    p.play("play 40")
    assert choice(p) == "done"  # the bet could only be lost


@pytest.mark.parametrize(("players", "share"), [(2, 0.95), (4, 0.9)])
def test_beats_random_play(players: int, share: float) -> None:
    wins = 0.0
    games = 30
    for seed in range(games):
        p = LINEIT.new(players, seed=seed)
        mine = seed % players
        rng = np.random.default_rng(seed)
        state = p.state
        while RULES.actor(state) >= 0:
            legal = RULES.legal(state)
            if RULES.actor(state) == mine:
                RULES.apply(state, int(RULES.policy(state, np.array(legal, np.int32), len(legal), stream(1))))
            else:
                RULES.apply(state, legal[rng.integers(len(legal))])
        winners = RULES.winners(state) or []
        wins += (mine in winners) / len(winners)
    assert wins >= share * games
