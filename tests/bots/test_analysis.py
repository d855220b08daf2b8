"""What moves were worth: sensible, the same every time, and from nothing but the player's view."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from foxrow.bots import Analyst, Verdict
from foxrow.bots.analysis import SURE, _verdict
from foxrow.core.chance import stream
from foxrow.core.contract import Game
from foxrow.core.errors import IllegalMove
from foxrow.core.position import Position
from foxrow.core.record import copy
from foxrow.core.registry import games
from tests.bots.test_learned import middle

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def judged(analyst: Analyst, position: Position, move: int) -> Verdict:
    assert position.to_act is not None
    found = analyst.judge(position.masked(position.to_act), move, position.options)
    assert found is not None
    return found


def advised(analyst: Analyst, position: Position) -> Verdict:
    assert position.to_act is not None
    found = analyst.advise(position.masked(position.to_act), position.options)
    assert found is not None
    return found


@each_game
@pytest.mark.parametrize("with_net", [True, False], ids=["net", "search"])
def test_a_verdict_makes_sense(game: Game, with_net: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every table, of every legal move: chances are chances, the best is the best, the move made is no better."""
    if not with_net:
        monkeypatch.setattr("foxrow.bots.analysis.net_of", lambda *_: None)
    analyst = Analyst(game, rollouts=48, simulations=60)
    for players in (game.players[0], game.players[-1]):
        position = middle(game, players, 6)
        legal = game.rules.legal(position.state)
        for move in random.Random(1).sample(legal, min(4, len(legal))):
            found = judged(analyst, position, move)
            assert found.best in legal and 0 <= found.made <= found.chance <= 1
            first, chance = found.tried[0]
            assert first == found.best and chance == pytest.approx(found.chance)
            assert move in {one for one, _ in found.tried} <= set(legal)
            assert all(one <= found.chance for _, one in found.tried)
            assert all(0 <= one <= 1 for _, one in found.tried)
            assert found.move == move and found.mark in ("", "!", "?!", "?", "??") and 0 <= found.accuracy <= 100
            if move == found.best:
                assert found.made == found.chance
            assert judged(analyst, position, move) == found  # the same every time
        assert sum(judged(analyst, position, move).obvious for move in legal) == 1
        advice = advised(analyst, position)
        assert advice == judged(analyst, position, advice.best)  # what it would do is no worse than anything it tried
        assert advice.loss == 0


@pytest.mark.parametrize(
    ("move", "made", "other", "mark", "accuracy"),
    [
        (1, 0.8, 0.75, "", 100),
        (1, 0.8, 0.70, "!", 100),
        (2, 0.76, 0.76, "", 84),
        (2, 0.74, 0.74, "?!", 76),
        (2, 0.69, 0.69, "?", 61),
        (2, 0.55, 0.55, "??", 32),
        (2, 0.0, 0.0, "??", 0),
    ],
)
def test_marks_and_accuracy(move: int, made: float, other: float, mark: str, accuracy: int) -> None:
    verdict = Verdict(move, 1, 0.8, made, ((1, 0.8), (2, other)))
    assert (verdict.mark, round(verdict.accuracy)) == (mark, accuracy)
    assert replace(verdict, obvious=True).mark == ("" if mark == "!" else mark)  # everybody makes it


def test_no_chance_is_below_nothing() -> None:
    """A move that was given up after a few bad deals is behind by more than the best one has in all of them."""
    found = _verdict(None, 1, 0.1, {1: (0.0, 0.0), 2: (0.6, 6.0)})
    assert found.tried == ((1, 0.1), (2, 0.0))
    assert _verdict(2, 1, 0.1, {1: (0.0, 0.0), 2: (0.6, 6.0)}).loss == pytest.approx(0.1)


@each_game
def test_an_analyst_does_not_peek(game: Game) -> None:
    """Other hidden cards under the same view: the same verdict."""
    position = middle(game, 2, 5)
    seat = position.to_act
    assert seat is not None
    view = position.masked(seat)
    move = game.rules.legal(view)[-1]
    other = copy(view)
    game.rules.fill(other, stream(9))
    again = game.rules.mask(other, seat)
    analyst = Analyst(game, rollouts=40)
    assert analyst.judge(view, move, position.options) == analyst.judge(again, move, position.options)
    assert analyst.advise(view, position.options) == analyst.advise(again, position.options)


@each_game
def test_where_there_is_no_choice_there_is_no_verdict(game: Game) -> None:
    lot = random.Random(3)
    for seed in range(40):
        position = game.new(game.players[-1], seed=seed)
        while not position.over:
            legal = game.rules.legal(position.state)
            if len(legal) == 1:
                seat = position.to_act
                assert seat is not None
                assert Analyst(game).judge(position.masked(seat), legal[0], position.options) is None
                assert Analyst(game).advise(position.masked(seat), position.options) is None
                return
            position.play_move(lot.choice(legal))
    pytest.fail("there was always a choice")


@each_game
def test_a_win_thrown_away_is_a_mistake(game: Game) -> None:
    """Last decisions of rounds, where every move's outcome is certain: what loses beside what wins is found out."""
    found = 0
    for seed in range(400):
        position = last_decision(game, seed)
        if position is None:
            continue
        results = {move: ended(position, move) for move in game.rules.legal(position.state)}
        seat = position.to_act
        assert seat is not None
        wins = {move: seat in winners and len(winners) == 1 for move, winners in results.items()}
        if len(set(wins.values())) < 2 or any(not winners for winners in results.values()):
            continue
        worst = next(move for move, won in wins.items() if not won)
        verdict = judged(Analyst(game), position, worst)
        assert wins[verdict.best]
        assert verdict.chance > verdict.made and verdict.mark in ("?", "??") and verdict.accuracy < 70
        found += 1
        if found == 3:
            return
    assert found, "no round ended so"


@each_game
def test_what_a_race_of_many_leaves_in_doubt_is_decided_between_two(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among a dozen moves each has few rollouts, and drops out before what it loses is beyond doubt: so moves that hand
    over the round went unmarked. Judged by the two alone, seeds agree."""
    analyst, lot = Analyst(game, rollouts=120), random.Random(5)
    again = Analyst._again
    raced: list[dict[int, tuple[float, float]]] = []
    asked: list[tuple[float, float]] = []

    def watched(*given: Any) -> dict[int, tuple[float, float]]:
        raced.append(again(*given))
        return raced[-1]

    monkeypatch.setattr(Analyst, "_again", watched)
    for seed in range(40):
        position = game.new(2, seed=seed)
        while not position.over and len(asked) < 6:
            legal = game.rules.legal(position.state)
            move = lot.choice(legal)
            if len(legal) > 1:
                raced.clear()
                verdict = judged(analyst, position, move)
                if raced and move in raced[-1]:  # it was in doubt
                    asked.append(raced[-1][move])
                    less, errors = asked[-1]
                    sure = errors >= SURE and less > 0
                    assert verdict.loss == pytest.approx(min(less * (1 - 1 / errors), verdict.chance) if sure else 0.0)
            position.play_move(move)
    assert len(asked) == 6
    assert any(errors >= SURE for _, errors in asked)  # some are beyond doubt now


def test_what_a_hint_calls_as_good_is_no_mistake() -> None:
    """Moves that a race gave up early, in doubt, stood in a hint with the best one's figure, and the review of the same
    position called them mistakes."""
    game = next(game for game in GAMES if game.match.kind == "points")  # of short rounds: there it was one in eight
    lot, looked = random.Random(5), 0
    for seed in range(25):
        position = game.new(2, seed=seed)
        for _ in range(lot.randrange(12)):
            if not position.over:
                position.play_move(lot.choice(game.rules.legal(position.state)))
        if position.over or len(position.legal()) == 1:
            continue
        analyst = Analyst(game, seed=1)
        hint = advised(analyst, position)
        for move, chance in hint.tried[1:3]:
            if chance == hint.chance:
                looked += 1
                assert judged(analyst, position, move).mark == ""
    assert looked > 20


@each_game
@pytest.mark.parametrize("move", [-1, 10**6])
def test_a_move_that_is_none_there_is_refused(game: Game, move: int) -> None:
    position = middle(game, game.players[0], 6)
    view, legal = position.masked(position.to_act), game.rules.legal(position.state)
    analyst = Analyst(game, rollouts=16)
    other = next(move for move in range(game.rules.MOVES) if move not in legal)
    for bad in (move, other):
        with pytest.raises(IllegalMove):
            analyst.judge(view, bad, position.options)
        with pytest.raises(IllegalMove):
            analyst.instead(view, legal[0], bad, position.options)


def last_decision(game: Game, seed: int, players: int = 2) -> Position | None:
    """The last position of a random round in which there was a choice, if any move there ends the round."""
    position = game.new(players, seed=seed)
    lot = random.Random(seed)
    last: Position | None = None
    while not position.over:
        legal = game.rules.legal(position.state)
        if len(legal) > 1:
            last = position.copy()
        position.play_move(lot.choice(legal))
    return last


def ended(position: Position, move: int) -> list[int]:
    """Who wins after a move, if nobody has a choice after it; else nobody."""
    after = position.copy()
    after.play_move(move)
    while not after.over:
        legal = after.game.rules.legal(after.state)
        if len(legal) > 1:
            return []
        after.play_move(legal[0])
    return after.winners() or []
