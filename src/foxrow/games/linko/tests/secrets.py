"""Linko's secrets, from L17 and not from the declarations: what a seat cannot know, put in another order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from foxrow.core.record import copy

VALUES = 14


def other_worlds(s: Any, seat: int, random: Random, count: int) -> Iterator[Any]:
    """Positions that the seat (−1: a spectator) cannot tell from this one.

    L17: sizes, stacks, display, discard, and cards that moved face up are known to all, the own hand to its holder.
    So the secrets are the other hands less their known cards, and the order of the pile.
    """
    others = [other for other in range(int(s.players)) if other != seat]
    unknown = {other: unknown_cards(s, other) for other in others}
    pile = [int(card) for card in s.pile[int(s.drawn) : int(s.end)]]
    for _ in range(count):
        world = copy(s)
        cards = [card for other in others for card in unknown[other]] + pile
        random.shuffle(cards)
        for other in others:
            for card in unknown[other]:
                world.hands[other, card] -= 1
            for _ in unknown[other]:
                world.hands[other, cards.pop()] += 1
        world.pile[int(s.drawn) : int(s.end)] = cards
        yield world


def witnessed(s: Any, seat: int, before: Any, move: str) -> object:
    """What a seat (−1: a spectator) is shown of a position by L17, whatever the program remembers for it."""
    players = range(int(s.players))
    table = [cards.tolist() for cards in (s.display, s.discard, s.held, s.height, s.rows)]
    pile = int(s.end) - int(s.drawn)
    turn = (int(s.active), int(s.victim), int(s.draws), int(s.stage))
    hand = s.hands[seat].tolist() if seat in players else []
    return table, pile, turn, hand


def unknown_cards(s: Any, seat: int) -> list[int]:
    """The cards of a hand that only its holder knows."""
    return [v for v in range(VALUES) for _ in range(int(s.hands[seat, v]) - int(s.known[seat, v]))]


def cards(setup: dict[str, Any]) -> list[str]:
    """All cards of a set-up, by the names that the deck gives them (L1)."""
    lists = [*setup["hands"], *(row for stack in setup["stacks"] for row in stack)]
    lists += [setup["display"], setup["pile"], setup["discard"]]
    return [str(card) for cards in lists for card in cards]
