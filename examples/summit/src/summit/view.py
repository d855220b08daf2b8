"""Summit, what a seat knows: a random completion of it, and the same as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import part, rule
from summit.state import CARDS, SEATS, View


@part
def unseen(v: View, card: int) -> bool:
    """Whether the seer cannot place a card: not in the own hand, not on the table, not gone."""
    if v.gone[card] > 0 or (v.seer >= 0 and v.hands[v.seer, card] > 0):
        return False
    for seat in range(int(v.players)):
        if v.table[seat] == card + 1:
            return False
    return True


@rule
def fill(v: View, rng: Rng) -> None:
    """The unseen cards, shuffled, go to the other hands and to the rest, in whose room they are shuffled."""
    n = 0
    for card in range(CARDS):
        if unseen(v, card):
            v.rest[n] = card
            n += 1
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        card = v.rest[i]
        v.rest[i] = v.rest[j]
        v.rest[j] = card
    for seat in range(SEATS):
        if seat != v.seer:
            for card in range(CARDS):
                v.hands[seat, card] = 0
            for _ in range(int(v.held[seat])):
                n -= 1
                v.hands[seat, v.rest[n]] = 1
    for i in range(int(v.left), CARDS):
        v.rest[i] = 0


# Seats are counted clockwise from the seer.
FEATURES_VERSION = 1
FEATURE_FIELDS: tuple[tuple[str, int, str], ...] = (
    ("hand", CARDS, "1 for each card in the seer's hand, from 1 to 12"),
    ("gone", CARDS, "1 for each card of the tricks before"),
    ("table", SEATS * CARDS, "for each seat, one-hot: the card played to this trick"),
    ("held", SEATS, "size of each hand"),
    ("tricks", SEATS, "tricks that each has taken"),
    ("active", SEATS, "one-hot: the seat whose turn it is"),
    ("players", 1, "number of players"),
    ("over", 1, "1 when the game is over"),
    ("valley", 1, "1 when the lowest card takes the trick"),
)
FEATURES = sum(size for _, size, _ in FEATURE_FIELDS)


@rule
def features(v: View, seat: int, out: NDArray[np.int8]) -> None:
    players = int(v.players)
    for card in range(CARDS):
        out[card] = v.hands[seat, card]
        out[CARDS + card] = v.gone[card]
    at = 2 * CARDS
    for i in range(SEATS):
        there = i < players
        other = (seat + i) % players
        for card in range(CARDS):
            out[at + i * CARDS + card] = 1 if there and v.table[other] == card + 1 else 0
        out[at + SEATS * CARDS + i] = v.held[other] if there else 0
        out[at + SEATS * CARDS + SEATS + i] = v.tricks[other] if there else 0
        out[at + SEATS * CARDS + 2 * SEATS + i] = 1 if there and other == v.active else 0
    at += SEATS * CARDS + 3 * SEATS
    out[at] = players
    out[at + 1] = v.stage
    out[at + 2] = v.valley
