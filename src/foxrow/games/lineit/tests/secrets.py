"""Line-it's only secret, from T12 and not from the declarations: the order of the deck."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from foxrow.core.record import copy

COLOURS = ("heart", "diamond", "leaf", "star")


def other_worlds(s: Any, seat: int, random: Random, count: int) -> Iterator[Any]:
    """Positions that nobody can tell from this one: the same deck in another order."""
    deck = [int(card) for card in s.deck if card > 0]
    for _ in range(count):
        world = copy(s)
        random.shuffle(deck)
        world.deck[: len(deck)] = deck
        yield world


def witnessed(s: Any, seat: int, before: Any, move: str) -> object:
    """What a seat is shown of a position by T12: all but the deck."""
    lists = [cards.tolist() for cards in (s.market, s.lines, s.hands, s.jackpots, s.score)]
    turn = (int(s.active), int(s.first), int(s.stage), int(s.lap), int(s.taken), int(s.played))
    return lists, turn, int((s.deck > 0).sum())


def cards(setup: dict[str, Any]) -> list[str]:
    """All cards of a set-up, by the names that the deck gives them (T1). Closed lines are out of the game (T7)."""
    lists = [setup["deck"], setup["market"], *setup["lines"], *setup["hands"]]
    lists += [setup["jackpots"][colour] for colour in COLOURS]
    return [str(card) for cards in lists for card in cards]
