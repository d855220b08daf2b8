"""LINX's rule of thumb: what any player would do at once, and that it beats chance by far."""

from __future__ import annotations

import numpy as np
import pytest

from foxrow.core.chance import streams
from foxrow.core.position import Position
from foxrow.games.linx import GAME
from foxrow.games.linx.tests.positions import position

RULES = GAME.rules


def choices(p: Position) -> set[str]:
    """What the policy plays from the acting seat's view, over many throws of the dice."""
    assert p.to_act is not None
    view = p.masked(p.to_act)
    legal = np.array(RULES.legal(view), np.int32)
    return {RULES.move_text(p.state, RULES.policy(view, legal, len(legal), rng)) for rng in streams(1, 40)}


def test_wins_face_up() -> None:
    assert choices(position("0R@0,0 0P@1,0 1S@1,1", ["S", "RP"])) <= {"S@2,0", "S@-1,0"}


def test_wins_face_down() -> None:
    p = position("1S@0,0 0R#0,0 1S@1,0 0R#1,0 1P@2,0 1R@0,1", ["SP", "RP"])
    assert choices(p) == {"S#2,0"}


def can_win(p: Position) -> bool:
    """Whether the seat to act has a move that wins at once."""
    return any(p.copy().play(text).winners() == [p.to_act] for text in p.legal())


def test_stops_a_line_with_one_open_end() -> None:
    p = position("1R@1,0 1P@2,0 0S@0,0 0S@1,2", ["RR", "RP"], ["PP", "PP"])
    assert can_win(p.copy().play("R@1,1"))
    found = choices(p)
    assert found <= {"R@3,0", "R@-1,0", "R@-1,1", "R@-1,-1"}  # the cell itself, or a grid too wide for it
    assert not any(can_win(p.copy().play(text)) for text in found)


def test_stops_a_line_with_two_open_ends_by_covering() -> None:
    p = position("1R@1,1 1R@2,1 0S@1,2", ["PR", "SP"], ["RR", "PP"])
    assert choices(p) <= {"P#1,1", "P#2,1"}
    assert not any(can_win(p.copy().play(text)) for text in choices(p))


def test_stops_a_face_down_line_by_covering_its_last_tile() -> None:
    p = position("0S@0,0 1R#0,0 0R@1,0 1P#1,0 0P@2,0 0R@0,3", ["SR", "SSS"], ["RR", ""])
    assert choices(p) == {"S#2,0"}


def test_does_not_offer_a_tile_that_the_next_player_wins_on() -> None:
    p = position("0S@0,0 1R#0,0 0R@1,0 1P#1,0 0P@0,3 1P@3,3", ["SR", "SSS"], ["RR", ""])
    assert not any(text.endswith("@2,0") and text[0] == "P" for text in choices(p))
    hand = position("0S@0,0 1R#0,0 0R@1,0 1P#1,0 1R@0,3", ["P", "SSS"])
    assert "P@2,0" not in choices(hand)  # scissors would cover it and win


def test_leaves_the_partners_pair_alone() -> None:
    p = position("2R@0,0 2R@1,0 1S@1,1", ["PP", "", "R", ""], options={"teams": True})
    assert not {"P#0,0", "P#1,0"} & choices(p)


def test_reads_the_view_alone() -> None:
    for players in GAME.players:
        p = GAME.new(players, seed=players + 10)
        while not p.over:
            seat = p.to_act
            assert seat is not None
            legal = np.array(RULES.legal(p.state), np.int32)
            moves = [
                RULES.policy(state, legal, len(legal), streams(len(p.moves), 1)[0])
                for state in (p.state, p.masked(seat))
            ]
            assert moves[0] == moves[1]
            p.play_move(int(moves[0]))


@pytest.mark.parametrize(("players", "least"), [(2, 95), (3, 90), (4, 80)])
def test_beats_random_players(players: int, least: int) -> None:
    won = 0
    games = 100
    rngs = streams(players, games)
    for number in range(games):
        seat = number % players
        p = GAME.new(players, seed=number, first=number // players % players)
        state = p.state
        while RULES.actor(state) >= 0:
            legal = np.array(RULES.legal(state), np.int32)
            if RULES.actor(state) == seat:
                move = RULES.policy(state, legal, len(legal), rngs[number])
            else:
                move = legal[int(rngs[number][3]) % len(legal)]
                RULES.kernels.below(rngs[number], 2)
            RULES.apply(state, int(move))
        won += seat in (RULES.winners(state) or [])
    assert won >= least
