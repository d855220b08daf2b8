"""Summit, the record. A card is its index, 0–11, for the numbers 1–12 (S1)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from foxrow.core.record import Record, hidden, owner, public, record
from foxrow.core.record import View as AnyView
from foxrow.core.rule import part

SEATS = 3
CARDS = 12
HAND = 4

PLAY, OVER = range(2)  # phases, as the card names them


@record
class State(Record):
    hands: Annotated[NDArray[np.int8], owner, (SEATS, CARDS)]  # [seat, card] 1 for each card held
    rest: Annotated[NDArray[np.int8], hidden, (CARDS,)]  # the cards that nobody was dealt; `left` of them
    left: Annotated[int, public, np.int8]
    held: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] how many cards each holds: a hole says nothing
    table: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] the number played to this trick, 0 for none
    gone: Annotated[NDArray[np.int8], public, (CARDS,)]  # [card] 1 for each card of the tricks before
    tricks: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] tricks taken
    players: Annotated[int, public, np.int8]
    first: Annotated[int, public, np.int8]  # seat that started
    active: Annotated[int, public, np.int8]  # seat whose turn it is
    stage: Annotated[int, public, np.int8]  # phase
    valley: Annotated[int, public, np.int8]  # 1: the lowest card takes the trick (S5)


class View(State, AnyView):
    """What a seat sees of it."""


@part
def height(s: State, card: int) -> int:
    """How well a card does in a trick; more is better, and nothing is 0."""
    return CARDS - int(card) if s.valley else int(card) + 1


@part
def lying(s: State) -> int:
    """Cards of the trick that is being played."""
    n = 0
    for seat in range(int(s.players)):
        n += 1 if s.table[seat] > 0 else 0
    return n


@part
def ahead(s: State) -> int:
    """The seat that would take the trick now, −1 before its first card."""
    best = -1
    for seat in range(int(s.players)):
        if s.table[seat] > 0 and (best < 0 or height(s, int(s.table[seat]) - 1) > height(s, int(s.table[best]) - 1)):
            best = seat
    return best
