"""Summit's secrets, from S2 and not from the declarations: what a seat cannot know, put in another order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from foxrow.core.record import copy

CARDS = range(12)


def other_worlds(s: Any, seat: int, random: Random, count: int) -> Iterator[Any]:
    """The hands of the others and the cards that nobody got are the secrets."""
    others = [other for other in range(int(s.players)) if other != seat]
    left = int(s.left)
    hidden = [card for other in others for card in CARDS if s.hands[other, card]] + s.rest[:left].tolist()
    for _ in range(count):
        world = copy(s)
        cards = random.sample(hidden, len(hidden))
        for other in others:
            for card in CARDS:
                world.hands[other, card] = 0
            for _ in range(int(s.held[other])):
                world.hands[other, cards.pop()] = 1
        world.rest[:left] = cards
        yield world


def witnessed(s: Any, seat: int, before: Any, move: str) -> object:
    """The trick, what is gone, who has taken what, and the own hand."""
    hand = s.hands[seat].tolist() if seat >= 0 else []
    return s.table.tolist(), s.gone.tolist(), s.tricks.tolist(), int(s.active), int(s.stage), hand


def cards(setup: dict[str, Any]) -> list[str]:
    lists = [*setup["hands"], setup["gone"], setup["rest"], [card for card in setup["table"] if card is not None]]
    return [str(card) for cards in lists for card in cards]
