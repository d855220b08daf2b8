"""Levels: eight for every game, named and described; the weak ones err as people do, and never peek."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from foxrow import bots
from foxrow.bots.levels import Leveled, forgetful
from foxrow.bots.searching import game_settings
from foxrow.core.chance import stream
from foxrow.core.contract import Game
from foxrow.core.level import Level
from foxrow.core.record import copy
from foxrow.core.registry import games
from foxrow.core.stakes import Stakes

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


@each_game
def test_eight_levels_for_people(game: Game) -> None:
    found = bots.levels(game)
    assert len(found) == 8
    assert len({level.key for level in found}) == len({level.name for level in found}) == 8
    assert all(level.about.endswith(".") and len(level.about) < 160 for level in found)
    assert [level.key for level in found] == [level.key for level in bots.levels(GAMES[0])]


@each_game
def test_what_a_level_says_of_itself_is_so(game: Game) -> None:
    for level in bots.levels(game):
        sees_the_end = not (level.horizon or game_settings(game).horizon)
        true = {
            r"to the end of the (round|game)": sees_the_end,
            r"(?<!Hardly )\bforgets\b|short memory": level.forgets >= 50,
            r"Remembers every": level.forgets == 0,
            r"[Mm]isses most": level.overlooks > 50,
            r"\bthis row only|next tile only": level.horizon == 1,
            r"weighs hundreds": 200 <= level.simulations < 1000,
            r"weighs thousands": level.simulations >= 2000,
        }
        assert all(so for words, so in true.items() if re.search(words, level.about)), level.about


@each_game
def test_no_level_peeks(game: Game) -> None:
    position = game.new(game.players[0], seed=2)
    lot = random.Random(1)
    for _ in range(9):
        position.play_move(lot.choice(game.rules.legal(position.state)))
    seat = position.to_act
    assert seat is not None
    view = position.masked(seat)
    for number in range(1, 7):
        chosen = set()
        for seed in range(3):
            truth: Any = copy(view)
            game.rules.fill(truth, stream(seed))
            truth.seer = -2
            seen = game.rules.mask(truth, seat)
            chosen.add(bots.make(f"level:{number}", game, seed=4).choose(seen, game.rules.legal(seen)).move)
        assert len(chosen) == 1


@each_game
def test_the_forgetful_view_is_still_a_view(game: Game) -> None:
    """What is forgotten can be filled again, and the own cards stay."""
    position = game.new(game.players[0], seed=2)
    lot = random.Random(5)
    while not position.over and len(position.moves) < 40:
        view: Any = position.masked(position.to_act)
        dim: Any = forgetful(view, 100, lot)
        if "known" in dim.dtype.names:
            others = [seat for seat in range(dim["known"].shape[0]) if seat != dim.seer]
            assert not dim["known"][others].any()
            assert (dim["known"][int(dim.seer)] == view["known"][int(dim.seer)]).all()
        game.rules.fill(copy(dim), stream(1))
        position.play_move(lot.choice(game.rules.legal(position.state)))


def test_errors_of_judgement_are_small_errors() -> None:
    """Who misjudges prefers good moves to bad ones; it does not throw dice."""
    reasons = [bots.Reason(1, 100, 0.6), bots.Reason(2, 100, 0.55), bots.Reason(3, 100, 0.1)]
    bot = Leveled(GAMES[0], Level("k", "n", "a.", simulations=10, misjudges=0.1))
    counts = {1: 0, 2: 0, 3: 0}
    lot = random.Random(1)
    for _ in range(500):
        counts[bot._best(reasons, lot)] += 1
    assert counts[1] > counts[2] > 10 * counts[3]


def test_a_level_may_think_longer_for_a_match() -> None:
    level = Level("k", "n", "a.", simulations=8, crowd=12, match=40)
    assert [level.thought(players, match=match) for match in (False, True) for players in (2, 3)] == [8, 12, 40, 40]
    assert replace(level, match=None).thought(3, match=True) == 12
    for game in games().values():
        for told in (Stakes((0, 0), 1), None):
            position = game.new(2, seed=5)
            while len(game.rules.legal(position.state)) == 1:
                position.play_move(game.rules.legal(position.state)[0])
            seat = position.to_act
            assert seat is not None
            view = position.masked(seat)
            bot = Leveled(game, replace(level, misjudges=0.01), seed=1)
            bot.plays_for(told)
            bot.start(seat, 2, position.options)
            visits = sum(reason.visits for reason in bot.choose(view, game.rules.legal(view)).reasons)
            assert visits == (8 if told is None else 40)


@each_game
def test_a_level_may_think_longer_in_a_crowd(game: Game) -> None:
    level = Level("k", "n", "a.", simulations=8, crowd=40, misjudges=0.01)
    for players in (game.players[0], game.players[-1]):
        position = game.new(players, seed=3)
        while len(game.rules.legal(position.state)) == 1:
            position.play_move(game.rules.legal(position.state)[0])
        view = position.masked(position.to_act)
        for given, most in ((None, level.thought(players)), (bots.Budget(5), 5)):
            chosen = Leveled(game, level).choose(view, game.rules.legal(view), given)
            assert sum(reason.visits for reason in chosen.reasons) == most
    assert level.thought(game.players[0]) == 8 and level.thought(game.players[-1]) == 40
