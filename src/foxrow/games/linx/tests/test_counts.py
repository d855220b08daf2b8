"""Positions by depth from fixed set-ups, and whole games, against a walk that shares no code with the game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from foxrow.core.contract import Choice
from foxrow.core.position import Position
from foxrow.core.record import copy
from foxrow.games.linx import GAME
from foxrow.games.linx.tests.naive import Naive
from foxrow.games.linx.tests.positions import position

KINDS: list[tuple[int, dict[str, Choice]]] = [
    (2, {}),
    (3, {"layout": "square"}),
    (3, {"layout": "corners"}),
    (4, {"teams": False}),
    (4, {"teams": True}),
]


def same(p: Position, naive: Naive) -> None:
    """A difference names the moves that lead to it."""
    assert p.legal() == sorted(naive.moves()), p.moves
    assert p.scores() == naive.scores(), p.moves
    assert p.winners() == naive.winners(), p.moves
    assert p.to_act == (None if naive.over else naive.turn), p.moves


def walk(p: Position, naive: Naive, depth: int, counts: list[int]) -> None:
    """Both sides together."""
    same(p, naive)
    if depth == len(counts):
        return
    for move in p.legal():
        counts[depth] += 1
        walk(p.play(move), naive.after(move), depth + 1, counts)
        p.undo()


SETUPS: list[tuple[str, list[str], list[str] | None, dict[str, Choice], list[int]]] = [
    ("", ["RP", "S"], ["S", "PP"], {}, [2, 17, 392, 5344, 83192]),
    ("0R@0,0 1S@3,3", ["P", "RS"], ["", "P"], {}, [7, 117, 117, 2172, 2076, 21776]),
    ("0R@0,0 0R@2,0 1P@1,1 1R@1,2 0P#1,2", ["SR", "PS"], ["", "R"], {}, [35, 1028, 13735]),
    ("-R@-1,-1 -S@1,-1 -P@0,0 -S@-1,1 -R@1,1", ["P", "S", ""], ["R", "", "PP"], {}, [22, 518, 518, 11550]),
    (
        "0R@7,-9 1P@8,-9 2S@9,-9 3R@10,-9 0S@11,-9 1S@11,-5",
        ["P", "R", "S", ""],
        None,
        {"teams": True},
        [10, 124, 1496, 1496, 1496],
    ),
    ("0R@0,0 1R@1,0 0R@2,0 1R@3,0", ["", "S"], ["", ""], {}, [1, 8, 8, 8, 0]),
]


@pytest.mark.parametrize(("board", "hands", "piles", "options", "counts"), SETUPS)
def test_every_line_of_play_agrees_with_the_naive_walk(
    board: str, hands: list[str], piles: list[str] | None, options: dict[str, Choice], counts: list[int]
) -> None:
    p = position(board, hands, piles, options=options)
    near = [n for n in counts if n < 1500]
    found = [0] * len(near)
    walk(p, Naive(GAME.rules.text.write_setup(p.state), bool(options)), 0, found)
    assert found == near


@pytest.mark.parametrize(("board", "hands", "piles", "options", "counts"), SETUPS)
def test_counts_by_depth(
    board: str, hands: list[str], piles: list[str] | None, options: dict[str, Choice], counts: list[int]
) -> None:
    """Lines of play of each length. The deeper ones were counted once by the naive walk, which takes minutes."""
    rules = GAME.rules
    found = [0] * len(counts)

    def go(state: Any, depth: int) -> None:
        if depth < len(counts):
            for move in rules.legal(state):
                found[depth] += 1
                if depth + 1 < len(counts):
                    after = copy(state)
                    rules.apply(after, move)
                    go(after, depth + 1)

    go(position(board, hands, piles, options=options).state, 0)
    assert found == counts


@pytest.mark.parametrize(("players", "options"), KINDS)
def test_whole_games_agree_with_the_naive_walk(players: int, options: dict[str, Choice]) -> None:
    ends: Counter[bool] = Counter()
    for seed in range(12):
        p = Position.deal(GAME, players, seed=seed, first=seed % players, options=options)
        naive = Naive(GAME.rules.text.write_setup(p.state), bool(options.get("teams")))
        chance = random.Random(seed)
        while not p.over:
            same(p, naive)
            for _ in range(20):
                move = chance.choice(p.legal())
                if seed < 4 or naive.after(move).winner is None:  # the other games shall last to X10
                    break
            p.play(move)
            naive.play(move)
        same(p, naive)
        ends[naive.winner is None] += 1
    assert ends[True] > 0
    assert ends[False] > 0
