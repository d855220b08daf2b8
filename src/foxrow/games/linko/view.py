"""Linko, what a seat knows: a random completion of it, and the same as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import part, rule
from foxrow.games.linko.state import (
    CARDS,
    COPIES,
    JOKERS,
    OVER,
    SEATS,
    VALUES,
    State,
    View,
    row_jokers,
    row_numbers,
    row_rank,
    row_size,
    row_value,
)


@part
def unseen(v: View, value: int) -> int:
    """How many cards of a value the seer cannot place: not in the own hand, not known in a hand, not on the table."""
    n = JOKERS if value == 0 else COPIES
    n -= int(v.missing[value]) + int(v.display[value]) + int(v.discard[value])
    for seat in range(int(v.players)):
        if seat == v.seer:
            n -= int(v.hands[seat, value])
        else:
            n -= int(v.known[seat, value])
        for i in range(int(v.height[seat])):
            packed = v.rows[seat, i]
            if value == 0:
                n -= row_jokers(packed)
            elif row_value(packed) == value:
                n -= row_numbers(packed)
    return n


@rule
def fill(v: View, rng: Rng) -> None:
    """L17: the unseen cards, shuffled, go to the unknown places of the other hands and into the pile.

    The pile itself is the room they are shuffled in: nothing is allocated.
    """
    n = 0
    for value in range(VALUES):
        for _ in range(unseen(v, value)):
            v.pile[n] = value
            n += 1
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        card = v.pile[i]
        v.pile[i] = v.pile[j]
        v.pile[j] = card
    for seat in range(int(v.players)):
        if seat != v.seer:
            unknown = int(v.held[seat])
            for value in range(VALUES):
                v.hands[seat, value] = v.known[seat, value]
                unknown -= int(v.known[seat, value])
            for _ in range(unknown):
                n -= 1
                v.hands[seat, v.pile[n]] += 1
    for seat in range(int(v.players), SEATS):
        for value in range(VALUES):
            v.hands[seat, value] = 0
    left = int(v.end) - int(v.drawn)
    for i in range(left - 1, -1, -1):
        v.pile[int(v.drawn) + i] = v.pile[i]
    for i in range(int(v.drawn)):
        v.pile[i] = 0
    for i in range(int(v.end), CARDS):
        v.pile[i] = 0


# Features: seats are counted clockwise from the seer. The first part is what a net needs at fixed places; the last
# field makes the vector complete: every row of every stack. Hands and newest rows, which decide what hits whom, are
# there twice: as numbers, and as flags that a net reads without having to tell sizes and ranks apart first.

TOPS = 6  # rows from the top of a stack that have fixed places
MANY = 7  # cards of a value that a flag tells apart
LARGE = 6  # cards of a row that a flag tells apart: so many or more
RANKS = VALUES  # of a row: 1 to 13, and jokers alone
FEATURES_VERSION = 2
FEATURE_FIELDS: tuple[tuple[str, int, str], ...] = (
    ("hand", VALUES, "cards in the seer's hand, by value (0: joker)"),
    ("unseen", VALUES, "cards the seer cannot place, by value"),
    ("display", VALUES, "cards in the display, by value"),
    ("discard", VALUES, "cards discarded, by value"),
    ("missing", VALUES, "cards a set-up left out, by value"),
    ("stage", OVER + 1, "one-hot: lay, attacker, victim, draw, over"),
    ("active", SEATS, "one-hot: the seat whose turn it is"),
    ("victim", SEATS, "one-hot: the seat that is hit; all 0 when nobody is"),
    ("first", SEATS, "one-hot: the seat that started"),
    ("players", 1, "number of players"),
    ("optional", 1, "1 when hits may be ignored"),
    ("pile", 1, "cards in the pile"),
    ("shown", 1, "cards in the display"),
    ("draws", 1, "cards the victim still draws"),
    ("held", SEATS, "size of each hand"),
    ("laid", SEATS, "cards on each stack"),
    ("height", SEATS, "rows on each stack"),
    ("known", SEATS * VALUES, "cards known in each hand, by value"),
    (
        "tops",
        SEATS * TOPS * 3,
        "for each seat its newest rows: rank (14: jokers alone), cards, jokers; 0 for none",
    ),
    ("at_least", VALUES * MANY, "for each value, flags: at least 1, 2, … cards of it in the seer's hand"),
    ("newest", SEATS * LARGE * RANKS, "for each seat and size 1, 2, …, one-hot: the rank of its newest row"),
    ("rows", CARDS * 3, "all rows, seat after seat, oldest first: value, number cards, jokers"),
)
FEATURES = sum(size for _, size, _ in FEATURE_FIELDS)


@rule
def features(v: View, seat: int, out: NDArray[np.int8]) -> None:
    players = int(v.players)
    at = 0
    for value in range(VALUES):
        n = JOKERS if value == 0 else COPIES
        out[at + value] = v.hands[seat, value]
        out[at + VALUES + value] = n - int(v.missing[value]) - int(v.display[value]) - int(v.discard[value])
        out[at + 2 * VALUES + value] = v.display[value]
        out[at + 3 * VALUES + value] = v.discard[value]
        out[at + 4 * VALUES + value] = v.missing[value]
    pool = at + VALUES  # `unseen` in one walk: what is left after all that follows
    at += 5 * VALUES
    for i in range(OVER + 1):
        out[at + i] = 1 if v.stage == i else 0
    at += OVER + 1
    for i in range(SEATS):
        other = (seat + i) % players
        there = i < players
        out[at + i] = 1 if there and other == v.active else 0
        out[at + SEATS + i] = 1 if there and other == v.victim else 0
        out[at + 2 * SEATS + i] = 1 if there and other == v.first else 0
    at += 3 * SEATS
    out[at] = players
    out[at + 1] = v.optional
    out[at + 2] = int(v.end) - int(v.drawn)
    out[at + 3] = v.shown
    out[at + 4] = v.draws
    at += 5
    tops = at + 3 * SEATS + SEATS * VALUES
    flags = tops + SEATS * TOPS * 3
    newest = flags + VALUES * MANY
    rows = newest + SEATS * LARGE * RANKS
    for i in range(newest, rows + 3 * CARDS):
        out[i] = 0
    for value in range(VALUES):
        for k in range(MANY):
            out[flags + value * MANY + k] = 1 if v.hands[seat, value] > k else 0
    for i in range(SEATS):
        other = (seat + i) % players
        there = i < players
        height = int(v.height[other]) if there else 0
        out[at + i] = v.held[other] if there else 0
        out[at + SEATS + i] = v.laid[other] if there else 0
        out[at + 2 * SEATS + i] = height
        for value in range(VALUES):
            out[at + 3 * SEATS + i * VALUES + value] = v.known[other, value] if there else 0
            if there:
                out[pool + value] -= v.hands[other, value] if i == 0 else v.known[other, value]
        for k in range(TOPS):
            packed = int(v.rows[other, height - 1 - k]) if k < height else 0
            out[tops] = row_rank(packed) if packed != 0 else 0
            out[tops + 1] = row_size(packed)
            out[tops + 2] = row_jokers(packed)
            if k == 0 and packed != 0:
                size = min(row_size(packed), LARGE)
                out[newest + (i * LARGE + size - 1) * RANKS + row_rank(packed) - 1] = 1
            tops += 3
        for k in range(height):
            packed = int(v.rows[other, k])
            out[rows] = row_value(packed)
            out[rows + 1] = row_numbers(packed)
            out[rows + 2] = row_jokers(packed)
            rows += 3
            out[pool + row_value(packed)] -= row_numbers(packed)
            out[pool] -= row_jokers(packed)


EACH = 2 * VALUES + VALUES * MANY  # of every other seat: its hand, what it cannot place, and its hand again as flags
SECRETS = (SEATS - 1) * EACH


@rule
def secret(v: View, seat: int, out: NDArray[np.int8]) -> None:
    """What the seat cannot know: the others' hands, and, as that follows, which cards each of them looks for."""
    for i in range(SECRETS):
        out[i] = 0
    players = int(v.players)
    pool = VALUES  # what nobody at all can place; in the end the next seat's
    for value in range(VALUES):
        n = JOKERS if value == 0 else COPIES
        out[pool + value] = n - int(v.missing[value]) - int(v.display[value]) - int(v.discard[value])
    for other in range(players):
        for value in range(VALUES):
            out[pool + value] -= v.known[other, value]
        for k in range(int(v.height[other])):
            packed = int(v.rows[other, k])
            out[pool + row_value(packed)] -= row_numbers(packed)
            out[pool] -= row_jokers(packed)
    for i in range(players - 1, 0, -1):
        other = (seat + i) % players
        at = (i - 1) * EACH
        for value in range(VALUES):
            hand = int(v.hands[other, value])
            out[at + value] = hand
            out[at + VALUES + value] = out[pool + value] + int(v.known[other, value]) - hand
            for k in range(MANY):
                out[at + 2 * VALUES + value * MANY + k] = 1 if hand > k else 0


@part
def card_count(s: State, value: int) -> int:
    """Cards of a value that are anywhere, hands and pile included: all of them, always."""
    n = int(s.missing[value]) + int(s.display[value]) + int(s.discard[value])
    for seat in range(int(s.players)):
        n += int(s.hands[seat, value])
        for i in range(int(s.height[seat])):
            packed = s.rows[seat, i]
            n += row_jokers(packed) if value == 0 else (row_numbers(packed) if row_value(packed) == value else 0)
    for i in range(int(s.drawn), int(s.end)):
        n += 1 if s.pile[i] == value else 0
    return n
