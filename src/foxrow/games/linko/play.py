"""Linko, a good rule of thumb: what the greedy bot plays, and the rollouts of a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.level import Level
from foxrow.core.rule import part, rule
from foxrow.games.linko.rules import BACK, DISCARD, LEAVE, PILE, SHOW, TAKE, move_row
from foxrow.games.linko.state import (
    ATTACKER,
    LAY,
    VALUES,
    VICTIM,
    View,
    row_jokers,
    row_numbers,
    row_rank,
    row_size,
    row_value,
)

# What things are worth; found by playing many games against slightly different players, at two to five seats.
CARD = 20  # a card laid,
BULK = 2  # less this for the square of the row's size: a long row can wait
HIT = 26  # a card of a row that it hits
RANK = 4  # high cards are kept: they hit, and are safe later on,
HURRY = 3  # less so when a hand elsewhere is nearly empty,
NEARLY = 4  # that is, has no more cards
MIXED = 43  # a joker that is spent beside numbers
BROKEN = 39  # a card left behind of a group: it takes another turn
DRAWN = 27  # an unknown card from the pile
GROUP = 29  # a card in the display, for each that it joins in the hand
TWIN = 18  # and when there are two of it, and two draws
JOKER = 137


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    if v.stage == LAY:
        high = RANK
        if shortest_other_hand(v, int(v.active)) <= NEARLY:
            high -= HURRY
        best = -1_000_000
        choice = int(legal[0])
        for i in range(n):
            worth = row_worth(v, move_row(int(legal[i])), high) * 8 + below(rng, 8)  # equals are chosen by lot
            if worth > best:
                best = worth
                choice = int(legal[i])
        return choice
    if v.stage == ATTACKER:
        return TAKE if worth_taking(v) else LEAVE
    if v.stage == VICTIM:
        return BACK if worth_keeping(v) else DISCARD
    return best_draw(v, legal, n)


@part
def row_worth(v: View, packed: int, high: int) -> int:
    """What laying a row is worth now."""
    seat = int(v.active)
    size = row_size(packed)
    numbers = row_numbers(packed)
    rank = row_rank(packed)
    after = int(v.held[seat]) - size
    mine = int(v.laid[seat]) + size - after
    if after == 0:  # L13: it ends now; good for whoever is ahead
        for i in range(1, int(v.players)):
            other = (seat + i) % int(v.players)
            if int(v.laid[other]) - int(v.held[other]) > mine:
                return -4000
        return 100_000
    worth = CARD * size - BULK * size * size - high * rank
    for i in range(1, int(v.players)):  # whom it hits: they lose the cards from their stacks
        other = (seat + i) % int(v.players)
        if v.height[other] > 0:
            top = v.rows[other, v.height[other] - 1]
            if row_size(top) == size and row_rank(top) < rank:
                worth += HIT * size
    if numbers > 0:
        worth -= MIXED * row_jokers(packed)
        worth -= BROKEN * (int(v.hands[seat, row_value(packed)]) - numbers)
    return worth


@part
def shortest_other_hand(v: View, seat: int) -> int:
    shortest = 100
    for i in range(1, int(v.players)):
        shortest = min(shortest, int(v.held[(seat + i) % int(v.players)]))
    return shortest


@part
def kinds_held(v: View, seat: int) -> int:
    """Turns that a hand takes at least: its different values."""
    kinds = 0
    for value in range(VALUES):
        if v.hands[seat, value] > 0:
            kinds += 1
    return kinds


@part
def joins(v: View, seat: int, packed: int) -> bool:
    """Whether a row's numbers join a group in the hand."""
    value = row_value(packed)
    return value > 0 and v.hands[seat, value] > 0


@part
def worth_taking(v: View) -> bool:
    """Take a row that joins a group or has jokers, a big and high one also when there are few to hit it again."""
    seat = int(v.active)
    packed = v.rows[v.victim, v.height[v.victim] - 1]
    worth = 8 * row_size(packed) + 2 * row_rank(packed) - 12 * (int(v.players) - 2) - kinds_held(v, seat) - 33
    if joins(v, seat, packed):
        worth += 44
    if row_jokers(packed) > 0:
        worth += 49
    return worth > 0


@part
def worth_keeping(v: View) -> bool:
    """Take a row back when it is high, joins a group or has jokers; else new cards are better, however big it is."""
    seat = int(v.victim)
    packed = v.rows[seat, v.height[seat] - 1]
    worth = 2 * row_rank(packed) + 2 * (int(v.players) - 2) - 22
    if joins(v, seat, packed):
        worth += 20
    if row_jokers(packed) > 0:
        worth += 16
    return worth > 0


@part
def best_draw(v: View, legal: NDArray[np.int32], n: int) -> int:
    """A joker, or what makes the biggest group; the pile when the display offers nothing."""
    seat = int(v.victim)
    best = DRAWN if legal[0] == PILE else -1
    choice = int(legal[0])
    for i in range(n):
        if legal[i] >= SHOW:
            value = int(legal[i]) - SHOW
            worth = JOKER if value == 0 else GROUP * int(v.hands[seat, value]) + value
            if value > 0 and int(v.display[value]) >= 2 and v.draws >= 2:
                worth += TWIN
            if worth > best:
                best = worth
                choice = int(legal[i])
    return choice


# How a search of this game differs from the usual one (`search.Settings`): the rule of thumb is often right.

SEARCH = {"trust": 0.5}
# How far apart two players end a round, as a standard deviation in points: what a lead in a match is worth.
SPREAD = 8.7
# Of the net's rollouts: after so many decisions its critic decides. The rows that others laid say much of their hands.
GUIDANCE = {"horizon": 8, "cover": 1.0, "most": 6, "drop": 4.0, "pool": 8192, "spread": 24}


# Levels for people. With two players each wins about two games of three against the one before it (docs/strength.md).

LEVELS = (
    Level(
        "gentle",
        "Gentle",
        "Looks at this row only, forgets what you took, and misses most of the better rows.",
        simulations=8,
        horizon=1,
        naive=100,
        forgets=100,
        overlooks=70,
        misjudges=0.5,
    ),
    Level(
        "easy",
        "Easy",
        "Thinks a few rows ahead and forgets nearly every card it has seen.",
        simulations=40,
        horizon=7,
        naive=35,
        forgets=90,
        overlooks=30,
        misjudges=0.07,
    ),
    Level(
        "casual",
        "Casual",
        "Plays like a guest who knows the rules well: some rows ahead, with a short memory.",
        simulations=60,
        horizon=14,
        naive=20,
        forgets=80,
        overlooks=17,
        misjudges=0.055,
    ),
    Level(
        "steady",
        "Steady",
        "Thinks to the end of the round, but overlooks rows and misjudges close calls.",
        simulations=80,
        forgets=60,
        overlooks=10,
        misjudges=0.052,
    ),
    Level(
        "solid",
        "Solid",
        "Builds its groups and watches yours; remembers more than half of what you took.",
        simulations=125,
        forgets=40,
        overlooks=6,
        misjudges=0.036,
    ),
    Level(
        "strong",
        "Strong",
        "Hardly forgets a card and times its big rows.",
        simulations=200,
        forgets=15,
        overlooks=3,
        misjudges=0.01,
    ),
    Level(
        "expert",
        "Expert",
        "Remembers every card and weighs hundreds of rounds before a row.",
        simulations=700,
    ),
    Level(
        "master",
        "Master",
        "Has learned from billions of rounds against itself, and guesses your hand; beat it and tell your friends.",
        simulations=100,
        match=300,  # without its critic, which knows nothing of points, it takes more of them
        net=True,
    ),
)
