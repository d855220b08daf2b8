"""Positions by depth from fixed set-ups, against a walk that shares no code with the game.

The walk holds a game in plain lists and knows the rules from rules.md alone: slow, obvious, independent.
"""

from __future__ import annotations

import copy
import random
from itertools import pairwise
from typing import Any

import pytest

from foxrow.core.position import Position
from foxrow.games.lineit.tests.positions import COLOURS, LINEIT, Card, position, setup_of


class Naive:
    """Line-it in plain lists."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.deck = list(setup["deck"])
        self.market = list(setup["market"])
        self.lines: list[list[Card]] = copy.deepcopy(setup["lines"])
        self.hands: list[list[Card]] = copy.deepcopy(setup["hands"])
        self.jackpots: dict[str, list[Card]] = copy.deepcopy(setup["jackpots"])
        self.points = list(setup["scores"])
        self.token = setup["first"]
        self.queue = self.seats_from(setup["active"])  # who still has a turn
        self.queue = self.queue[: self.queue.index(self.token) or len(self.queue)]
        self.taken, self.played = setup["taken"], setup["played"]
        self.asked = "turn"

    def seats_from(self, seat: int) -> list[int]:
        n = len(self.hands)
        return [(seat + i) % n for i in range(n)]

    def moves(self) -> list[str]:
        if self.asked == "over":
            return []
        seat = self.queue[0]
        found = set()
        if self.asked == "final" or self.taken:
            found.add("done")
        else:
            found |= {f"take {card}" for card in self.market if self.may_lie(seat, card)}
            if len(self.hands[seat]) < 2:
                found |= {f"keep {card}" for card in self.market}
        if self.asked == "turn" and self.lines[seat]:
            found.add("close")
        if self.asked == "final" or not self.played:
            found |= {f"play {card}" for card in self.hands[seat] if self.may_lie(seat, card)}
        return sorted(found)

    def may_lie(self, seat: int, card: Card) -> bool:
        """Whether the line with this card is still one: at most one bet, and numbers that rise or fall."""
        line = [*self.lines[seat], card]
        numbers = [int(c) for c in line if not bet(c)]
        rising = all(a < b for a, b in pairwise(numbers))
        falling = all(a > b for a, b in pairwise(numbers))
        return (rising or falling) and len(line) - len(numbers) <= 1

    def play(self, move: str) -> None:
        seat = self.queue[0]
        verb, _, name = move.partition(" ")
        card: Card = name if name.startswith("+") else int(name or 0)
        if verb in ("take", "keep"):
            self.market.remove(card)
            self.taken = True
            if verb == "take":
                self.lay(seat, card)
            else:
                self.hands[seat].append(card)
        elif verb == "play":
            self.hands[seat].remove(card)
            self.lay(seat, card)
            self.played = True
            if self.asked == "final":
                self.next()
        elif verb == "close":
            self.close(seat)
        else:
            self.next()

    def lay(self, seat: int, card: Card) -> None:
        self.lines[seat].append(card)
        if not bet(card):
            same = [c for c in self.lines[seat] if not bet(c) and colour(c) == colour(card)]
            if len(same) == 3:
                self.points[seat] += len(self.jackpots[colour(card)])
                self.jackpots[colour(card)] = []

    def worth(self, seat: int) -> int:
        line = self.lines[seat]
        points = 0
        for i, card in enumerate(line):
            if bet(card):
                enough = len(line) - i - 1 >= int(card)
                points += int(card) if enough else -int(card)
        numbers = [card for card in line if not bet(card)]
        return points + len(numbers[3:])

    def close(self, seat: int) -> None:
        self.points[seat] += self.worth(seat)
        self.lines[seat] = []

    def next(self) -> None:
        self.queue.pop(0)
        self.taken = self.played = False
        if self.queue:
            return
        if self.asked == "final":
            for seat in range(len(self.hands)):
                self.close(seat)
            self.asked = "over"
            return
        self.bury(self.market)
        self.token = (self.token + 1) % len(self.hands)
        self.queue = self.seats_from(self.token)
        size = len(self.hands) + 2
        if len(self.deck) >= size:
            self.market, self.deck = self.deck[:size], self.deck[size:]
        else:
            self.bury(self.deck)
            self.market, self.deck = [], []
            self.asked = "final"
            self.queue *= 2

    def bury(self, cards: list[Card]) -> None:
        for card in cards:
            if not bet(card):
                self.jackpots[colour(card)].append(card)

    def scores(self) -> list[int]:
        return [self.points[seat] + self.worth(seat) for seat in range(len(self.hands))]


def bet(card: Card) -> bool:
    return isinstance(card, str)


def colour(card: Card) -> str:
    return COLOURS[(int(card) - 1) % 4]


def same(p: Position, naive: Naive) -> None:
    assert p.legal() == naive.moves(), p.moves
    assert p.scores() == naive.scores(), p.moves
    assert p.phase == naive.asked, p.moves
    assert p.to_act == (naive.queue[0] if naive.queue else None), p.moves
    view = p.view()
    assert view["market"] == naive.market, p.moves
    assert view["lines"] == naive.lines, p.moves
    assert view["hands"] == naive.hands, p.moves
    assert view["jackpots"] == naive.jackpots, p.moves
    assert view["first"] == naive.token, p.moves
    assert view["deck"]["n"] == len(naive.deck), p.moves


def walk(p: Position, naive: Naive, depth: int, counts: list[int]) -> None:
    """Both sides together; a difference names the moves that lead to it."""
    same(p, naive)
    if depth == len(counts):
        return
    for move in p.legal():
        counts[depth] += 1
        after = copy.deepcopy(naive)
        after.play(move)
        walk(p.play(move), after, depth + 1, counts)
        p.undo()


def test_counts_from_an_open_turn() -> None:
    """A bet, a full hand and closings: everything that a turn can hold."""
    p = position([30, "+3", 12, "+3"], lines=[[10, 20], []], hands=[[25, "+4"], [40]], deck=[1, 2, 3, 4, 50])
    found = [0] * 5
    walk(p, Naive(setup_of(p)), 0, found)
    assert found == [5, 22, 76, 224, 786]


def test_counts_over_the_end_of_the_game() -> None:
    """The last turn, what is left of the deck, both laps, and the end."""
    p = position(
        [14],
        lines=[[1, 5], ["+3", 90, 80], [7]],
        hands=[[9, 2], [70, 17], ["+5"]],
        deck=[21, "+4", 33],
        jackpots={"heart": [97]},
        players=3,
        first=1,
        active=0,
        taken=True,
    )
    found = [0] * 9
    walk(p, Naive(setup_of(p)), 0, found)
    assert found == [3, 7, 13, 28, 58, 107, 204, 261, 216]


def test_counts_over_two_rounds() -> None:
    """Two seats, a new market in between, the token moves."""
    p = position([50, 60], lines=[[40], [70]], deck=["+5", 45, 65, 55], first=1, active=0, hands=[[42], []])
    found = [0] * 5
    walk(p, Naive(setup_of(p)), 0, found)
    assert found == [6, 22, 76, 303, 1303]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games_agree_with_the_naive_walk(players: int) -> None:
    for seed in range(8):
        p = LINEIT.new(players, seed=seed, first=seed % players)
        naive = Naive(setup_of(p))
        chance = random.Random(seed)
        while not p.over:
            same(p, naive)
            moves = p.legal()
            if seed % 2 and len(moves) > 1 and "close" in moves:  # every second game has long lines
                moves.remove("close")
            move = chance.choice(moves)
            p.play(move)
            naive.play(move)
        same(p, naive)
        assert p.winners() == [seat for seat, n in enumerate(naive.scores()) if n == max(naive.scores())]
