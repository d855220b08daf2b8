"""Linko, what a report tells apart: kinds of moves, and how a round ends."""

from __future__ import annotations

from foxrow.games.linko.rules import BACK, DISCARD, IGNORE, LEAVE, PILE, TAKE, move_row
from foxrow.games.linko.state import DRAW, LAY, State, row_jokers, row_size, row_value

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


def questions(s: State, move: int) -> list[tuple[str, str]]:
    """What a player asks before this move, and what the move answers."""
    if s.stage == LAY:
        seat, packed = int(s.active), move_row(move)
        size = f"{min(row_size(packed), BIG)} cards" + (" or more" if row_size(packed) >= BIG else "")
        found = [("the first row: how many cards" if s.height[seat] == 0 else "a later row: how many cards", size)]
        if s.hands[seat, 0] > 0:
            found.append(("a joker in hand: into this row", "yes" if row_jokers(packed) else "not yet"))
        numbers = int(s.hands[seat, row_value(packed)]) if row_value(packed) else 0
        if numbers > 1:
            whole = row_size(packed) - row_jokers(packed) == numbers
            found.append(("cards of one value: all of them", "all" if whole else "some are kept"))
        return found
    if s.stage == DRAW:
        if move == PILE:
            return [("a card to draw: from where", "pile")]
        held = int(s.hands[int(s.victim), move - PILE - 1]) > 0
        return [("a card to draw: from where", "display, a value in hand" if held else "display, another value")]
    top = int(s.rows[int(s.victim), int(s.height[int(s.victim)]) - 1])
    size = f"{min(row_size(top), BIG)}" + (" or more" if row_size(top) >= BIG else "")
    who = "hit a row of" if move in (TAKE, LEAVE, IGNORE) else "my row was hit, cards:"
    return [(f"{who} {size}", WORDS[move].partition(": ")[2])]
