"""Linko, what a report tells apart: kinds of moves, and how a round ends."""

from __future__ import annotations

from foxrow.games.linko.rules import BACK, DISCARD, IGNORE, LEAVE, PILE, TAKE, move_row
from foxrow.games.linko.state import State, row_jokers, row_size

BIG = 4  # cards; rows of more are told apart no further
WORDS = {
    TAKE: "hit: take",
    LEAVE: "hit: leave",
    IGNORE: "hit: ignore",
    BACK: "victim: take back",
    DISCARD: "victim: discard",
    PILE: "draw: pile",
}


def move_kind(s: State, move: int) -> str:
    if move in WORDS:
        return WORDS[move]
    if move > PILE:
        return "draw: display"
    packed = move_row(move)
    size = row_size(packed)
    cards = "lay 1 card" if size == 1 else f"lay {size} cards" if size < BIG else f"lay {BIG} cards or more"
    return f"{cards}, joker" if row_jokers(packed) else cards


def ending(s: State) -> str:
    """L13, L14: a hand is empty, or there are no cards to draw."""
    return "a hand is empty" if 0 in s.held[: int(s.players)] else "no cards to draw"
