"""Linko, the record. Cards are values: 1–13, and 0 for a joker (L1)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from foxrow.core.record import Record, hidden, owner, public, record
from foxrow.core.record import View as AnyView
from foxrow.core.rule import part

SEATS = 5
VALUES = 14  # 0 the joker, 1–13
COPIES = 8  # of each number
JOKERS = 5
CARDS = 109
HAND = 13  # first hands
DISPLAY = 6

LAY, ATTACKER, VICTIM, DRAW, OVER = range(5)  # phases, as the card names them


@record
class State(Record):
    """One round. `…, VALUES` arrays count cards by value."""

    rows: Annotated[NDArray[np.int16], public, (SEATS, CARDS)]  # [seat, row] packed rows, oldest first; see `row`
    hands: Annotated[NDArray[np.int8], owner, (SEATS, VALUES)]  # [seat, value] cards held
    known: Annotated[NDArray[np.int8], public, (SEATS, VALUES)]  # [seat, value] of them, known to all (L17)
    held: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] size of the hand
    height: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] rows on the stack
    laid: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] cards on the stack
    display: Annotated[NDArray[np.int8], public, (VALUES,)]  # [value] face-up cards to draw from
    discard: Annotated[NDArray[np.int8], public, (VALUES,)]  # [value] cards out of the game
    pile: Annotated[NDArray[np.int8], hidden, (CARDS,)]  # [i] the i-th card drawn; only drawn … end are in it
    drawn: Annotated[int, public, np.int8]  # cards of `pile` that are gone
    end: Annotated[int, public, np.int8]  # cards that `pile` began with
    shown: Annotated[int, public, np.int8]  # cards in the display
    missing: Annotated[NDArray[np.int8], public, (VALUES,)]  # [value] cards that a set-up left out of the game
    players: Annotated[int, public, np.int8]
    first: Annotated[int, public, np.int8]  # seat that started
    active: Annotated[int, public, np.int8]  # seat whose turn it is
    victim: Annotated[int, public, np.int8]  # seat that is hit, −1 when nobody is
    draws: Annotated[int, public, np.int8]  # cards the victim still draws
    stage: Annotated[int, public, np.int8]  # phase
    optional: Annotated[int, public, np.int8]  # 1: hits may be ignored (L12)


class View(State, AnyView):
    """What a seat sees of it."""


@part
def row(value: int, numbers: int, jokers: int) -> int:
    """A row as one number: `numbers` cards of `value` and `jokers` jokers; value 0 is jokers alone."""
    return value + numbers * 16 + jokers * 256


@part
def row_value(packed: int) -> int:
    return int(packed) & 15


@part
def row_numbers(packed: int) -> int:
    return (int(packed) >> 4) & 15


@part
def row_jokers(packed: int) -> int:
    return int(packed) >> 8


@part
def row_size(packed: int) -> int:
    return row_numbers(packed) + row_jokers(packed)


@part
def row_rank(packed: int) -> int:
    """What the row compares by: its value, jokers alone above 13 (L5)."""
    value = row_value(packed)
    if value == 0:
        return 14
    return value
