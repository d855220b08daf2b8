"""Positions by depth from fixed set-ups, against a walk that shares no code with the game.

The walk holds a game in plain lists and knows the rules from rules.md alone: slow, obvious, independent.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from foxrow.core.position import Position
from foxrow.core.registry import game
from foxrow.games.linko.tests.positions import position

Card = int | str


class Naive:
    """Linko in plain lists."""

    def __init__(self, setup: dict[str, Any], optional: bool) -> None:
        self.hands = copy.deepcopy(setup["hands"])
        self.stacks = copy.deepcopy(setup["stacks"])
        self.display = list(setup["display"])
        self.pile = list(setup["pile"])
        self.discard: list[Card] = list(setup["discard"])
        self.turn = setup["active"]
        self.optional = optional
        self.queue: list[int] = []  # opponents still to compare
        self.asked = "lay"
        self.left = 0

    def moves(self) -> list[str]:
        if self.asked == "lay":
            hand = Counter(self.hands[self.turn])
            jokers = hand.pop("X", 0)
            rows = [[v] * n + ["X"] * j for v, c in hand.items() for n in range(1, c + 1) for j in range(jokers + 1)]
            rows += [["X"] * j for j in range(1, jokers + 1)]
            return [" ".join(map(str, row)) for row in rows]
        if self.asked == "attacker":
            return ["take", "leave"] + (["ignore"] if self.optional else [])
        if self.asked == "victim":
            return ["back", "discard"]
        if self.asked == "draw":
            return (["pile"] if self.pile else []) + [f"show {c}" for c in set(self.display)]
        return []

    def play(self, move: str) -> None:
        if self.asked == "lay":
            row: list[Card] = [c if c == "X" else int(c) for c in move.split()]
            for card in row:
                self.hands[self.turn].remove(card)
            self.stacks[self.turn].append(row)
            if not self.hands[self.turn]:
                self.asked = "over"
                return
            n = len(self.hands)
            self.queue = [(self.turn + i) % n for i in range(1, n)]
            self.compare()
        elif move == "take":
            row = self.stacks[self.queue[0]].pop()
            self.hands[self.turn] += row
            self.start(len(row))
        elif move == "leave":
            self.asked = "victim"
        elif move == "ignore":
            self.queue.pop(0)
            self.compare()
        elif move == "back":
            victim = self.queue.pop(0)
            self.hands[victim] += self.stacks[victim].pop()
            self.compare()
        elif move == "discard":
            row = self.stacks[self.queue[0]].pop()
            self.discard += row
            self.start(len(row))
        else:
            victim = self.queue[0]
            if move == "pile":
                self.hands[victim].append(self.pile.pop(0))
            else:
                name = move.split()[1]
                shown: Card = name if name == "X" else int(name)
                self.display.remove(shown)
                self.hands[victim].append(shown)
            self.left -= 1
            if not self.pile and not self.display:
                self.asked = "over"
            elif self.left == 0:
                while len(self.display) < 6 and self.pile:
                    self.display.append(self.pile.pop(0))
                self.queue.pop(0)
                self.compare()

    def start(self, n: int) -> None:
        self.left = n
        self.asked = "draw"

    def compare(self) -> None:
        mine = self.stacks[self.turn][-1]
        while self.queue:
            stack = self.stacks[self.queue[0]]
            if stack and len(stack[-1]) == len(mine) and rank(stack[-1]) < rank(mine):
                self.asked = "attacker"
                return
            self.queue.pop(0)
        self.turn = (self.turn + 1) % len(self.hands)
        self.asked = "lay"

    def scores(self) -> list[int]:
        return [sum(map(len, stack)) - len(hand) for stack, hand in zip(self.stacks, self.hands, strict=True)]


def rank(row: list[Card]) -> int:
    return next((int(c) for c in row if c != "X"), 14)


def walk(p: Position, naive: Naive, depth: int, counts: list[int]) -> None:
    """Both sides together; a difference names the moves that lead to it."""
    assert p.legal() == sorted(naive.moves()), p.moves
    assert p.scores() == naive.scores(), p.moves
    assert p.phase == naive.asked, p.moves
    if depth == len(counts):
        return
    for move in p.legal():
        counts[depth] += 1
        after = copy.deepcopy(naive)
        after.play(move)
        walk(p.play(move), after, depth + 1, counts)
        p.undo()


@pytest.mark.parametrize(
    ("hands", "stacks", "display", "pile", "options", "counts"),
    [
        ([[7, 7, 9], [8, 8, 3]], [[], []], [1, "X"], [5, 5], {}, [3, 9, 16, 21, 48, 141, 316]),
        (
            [[7, "X"], [8, 3], [9, 9, 2]],
            [[[4]], [[5, 5]], [[6]]],
            [2, 2, 12],
            [10, 11],
            {"optional_snatch": True},
            [3, 6, 14, 34, 98, 259, 612],
        ),
        ([["X", "X", 3], [13, 13, 5]], [[[2]], [[13, 13]]], [], [4, 6], {}, [5, 11, 22, 27, 47, 77, 113]),
    ],
)
def test_counts_by_depth(
    hands: list[list[Card]],
    stacks: list[list[list[Card]]],
    display: list[Card],
    pile: list[Card],
    options: dict[str, bool],
    counts: list[int],
) -> None:
    p = position(hands, stacks, display, pile, **options)
    setup = p.game.rules.text.write_setup(p.state)
    found = [0] * 7
    walk(p, Naive(setup, bool(options)), 0, found)
    assert found == counts


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("optional", [False, True])
def test_whole_games_agree_with_the_naive_walk(players: int, optional: bool) -> None:
    for seed in range(6):
        p = game("linko").new(players, seed=seed, optional_snatch=optional)
        naive = Naive(p.game.rules.text.write_setup(p.state), optional)
        chance = random.Random(seed)
        while not p.over:
            assert p.legal() == sorted(naive.moves())
            assert p.scores() == naive.scores()
            move = chance.choice(p.legal())
            p.play(move)
            naive.play(move)
        assert naive.asked == "over"
        assert p.scores() == naive.scores()
        assert p.winners() == [seat for seat, n in enumerate(naive.scores()) if n == max(naive.scores())]
