"""The games' puzzles: real positions, every legal move weighed, one far better than all others."""

from __future__ import annotations

import math

import pytest

from foxrow.bots.puzzles import home, puzzles
from foxrow.core.contract import Game
from foxrow.core.errors import MoveError
from foxrow.core.registry import games

GAMES = [game for game in games().values() if home(game).exists()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def test_there_are_puzzles() -> None:
    assert GAMES


@each_game
def test_every_legal_move_is_weighed_and_one_is_far_better(game: Game) -> None:
    found = puzzles(game)
    assert len(found) == len({(puzzle.seed, puzzle.moves) for puzzle in found})
    for puzzle in found:
        view = puzzle.position.view(puzzle.seat)
        assert sorted(puzzle.worth) == view["legal"]
        best, second, *rest = puzzle.worth.values()
        assert 1 >= best >= second + 0.099
        assert all(math.isfinite(chance) and 0 <= chance <= second for chance in rest)


@each_game
def test_they_come_from_the_easiest_to_the_hardest(game: Game) -> None:
    missed = [puzzle.missed for puzzle in puzzles(game)]
    assert missed == sorted(missed)
    assert 0 <= min(missed) <= max(missed) <= 1


@each_game
def test_a_verdict_for_every_move(game: Game) -> None:
    for puzzle in puzzles(game):
        rules, state = game.rules, puzzle.position.state
        best = next(iter(puzzle.worth))
        assert puzzle.judge(best).mark == "!"
        for text, chance in puzzle.worth.items():
            verdict = puzzle.judge(text)
            assert rules.move_text(state, verdict.best) == best
            assert (verdict.chance, verdict.made) == (puzzle.worth[best], chance)
            assert text == best or "?" in verdict.mark
            tried = [rules.move_text(state, move) for move, _ in verdict.tried]
            assert len(tried) == len(set(tried)) <= 5 and tried[0] == best and text in tried
        with pytest.raises(MoveError):
            puzzle.judge("no such move")
