"""LINX's secrets, from X13 and not from the declarations: what a seat cannot know, put in another order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from foxrow.core.record import copy

SYMBOLS = 3


def other_worlds(s: Any, seat: int, random: Random, count: int) -> Iterator[Any]:
    """Positions that the seat (−1: a spectator) cannot tell from this one.

    X13: the board, the sizes, revealed hands, and so each colour's remaining symbols are known to all, the own hand to
    its holder. So the secrets are, colour by colour, which of the remaining tiles are in hand, and the pile's order.
    """
    for _ in range(count):
        world = copy(s)
        for other in range(int(s.players)):
            size = int(s.stock[other])
            tiles = [int(symbol) for symbol in s.piles[other, :size]]
            unknown = [] if other == seat else unknown_tiles(s, other)
            tiles += unknown
            random.shuffle(tiles)
            for symbol in unknown:
                world.hands[other, symbol] -= 1
            for _ in unknown:
                world.hands[other, tiles.pop()] += 1
            world.piles[other, :size] = tiles
        yield world


def witnessed(s: Any, seat: int, before: Any, move: str) -> object:
    """What a seat (−1: a spectator) is shown of a position by X13, whatever the program remembers for it.

    Who passes shows the hand, before drawing (X8).
    """
    players = range(int(s.players))
    board = [sets.tolist() for sets in (s.faces, s.owners, s.covers)]
    sizes = [(int(s.held[other]), int(s.stock[other])) for other in players]
    turn = (int(s.active), int(s.passes), int(s.winner), int(s.stage))
    hand = s.hands[seat].tolist() if seat in players else []
    shown = before.hands[int(before.active)].tolist() if move == "pass" else []
    return board, sizes, turn, hand, shown


def unknown_tiles(s: Any, seat: int) -> list[int]:
    """The tiles of a hand that only its holder knows."""
    return [i for i in range(SYMBOLS) for _ in range(int(s.hands[seat, i]) - int(s.known[seat, i]))]


def cards(setup: dict[str, Any]) -> list[str]:
    """All tiles of a set-up that somebody owns, by the names that the deck gives them (X1)."""
    board = [tile["tile"] for tile in setup["board"] if tile["owner"] is not None]
    return board + [tile for tiles in (*setup["hands"], *setup["piles"]) for tile in tiles]
