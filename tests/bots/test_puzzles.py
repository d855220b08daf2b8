"""The games' puzzles: real positions, every legal move weighed, one far better than all others."""

from __future__ import annotations

import math

import pytest

from foxrow.bots.puzzles import HARD, home, puzzles
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
def test_the_hard_ones_come_last_and_small_tables_before_large_ones(game: Game) -> None:
    found = puzzles(game)
    assert all(0 <= puzzle.missed <= 1 for puzzle in found)
    easier = [puzzle for puzzle in found if puzzle.missed < HARD]
    hard = found[len(easier) :]
    assert all(puzzle.missed >= HARD for puzzle in hard)
    assert found[0].players == game.players[0]
    players = [puzzle.players for puzzle in easier]
    assert players == sorted(players)
    alike = [[puzzle.missed for puzzle in easier if puzzle.players == count] for count in game.players]
    for missed in (*alike, [puzzle.missed for puzzle in hard]):
        assert missed == sorted(missed)


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
