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


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    if v.stage == LAY:
        best = -1_000_000
        choice = int(legal[0])
        for i in range(n):
            worth = row_worth(v, move_row(int(legal[i]))) * 8 + below(rng, 8)  # equals are chosen by lot
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
def row_worth(v: View, packed: int) -> int:
    """What laying a row is worth, in tenths of a card."""
    seat = int(v.active)
    size = row_size(packed)
    jokers = row_jokers(packed)
    rank = row_rank(packed)
    after = int(v.held[seat]) - size
    mine = int(v.laid[seat]) + size - after
    if after == 0:  # L13: it ends now; good for whoever is ahead
        for i in range(1, int(v.players)):
            other = (seat + i) % int(v.players)
            if int(v.laid[other]) - int(v.held[other]) > mine:
                return -500
        return 100_000
    worth = 20 * size
    for i in range(1, int(v.players)):  # whom it hits: they lose the cards from their stacks
        other = (seat + i) % int(v.players)
        if v.height[other] > 0:
            top = v.rows[other, v.height[other] - 1]
            if row_size(top) == size and row_rank(top) < rank:
                worth += 12 * size
    # Small and low rows are hit before they come to rest; big ones hardly ever.
    risk = 0
    if size == 1:
        risk = 10
    elif size == 2:
        risk = 7
    elif size == 3:
        risk = 4
    elif size == 4:
        risk = 2
    worth -= risk * size * (14 - rank) * (int(v.players) - 1) // 26
    if jokers > 0 and row_numbers(packed) > 0:
        worth -= 18 * jokers  # a joker alone is safe later on
    if row_numbers(packed) > 0:
        left = int(v.hands[seat, row_value(packed)]) - row_numbers(packed)
        worth -= 16 * left  # a broken group takes another turn
    if jokers > 0 and row_numbers(packed) == 0:
        worth -= 6 * (int(v.hands[seat, 0]) - jokers)
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
def worth_taking(v: View) -> bool:
    """Take a row when there is time to lay it again: it joins a group, or is big or high."""
    seat = int(v.active)
    packed = v.rows[v.victim, v.height[v.victim] - 1]
    size = row_size(packed)
    if shortest_other_hand(v, seat) <= 3 or int(v.end) - int(v.drawn) + int(v.shown) <= size + 3:
        return False
    if v.held[seat] <= 2:
        return False
    value = row_value(packed)
    if value == 0 or row_jokers(packed) > 0:
        return True
    if v.hands[seat, value] > 0:
        return True
    return size >= 2 or row_rank(packed) >= 11


@part
def worth_keeping(v: View) -> bool:
    """Take a row back when it is good to lay again; else new cards may be better."""
    seat = int(v.victim)
    packed = v.rows[seat, v.height[seat] - 1]
    value = row_value(packed)
    if value == 0 or row_jokers(packed) > 0:
        return True
    if v.hands[seat, value] > 0:
        return True
    return row_size(packed) >= 2 or row_rank(packed) >= 10


@part
def best_draw(v: View, legal: NDArray[np.int32], n: int) -> int:
    """A joker, or what makes the biggest group; the pile when the display offers nothing."""
    seat = int(v.victim)
    best = 25 if legal[0] == PILE else -1
    choice = int(legal[0])
    for i in range(n):
        if legal[i] >= SHOW:
            value = int(legal[i]) - SHOW
            worth = 100 if value == 0 else 20 * int(v.hands[seat, value]) + value
            if value > 0 and int(v.display[value]) >= 2 and v.draws >= 2:
                worth += 20
            if worth > best:
                best = worth
                choice = int(legal[i])
    return choice


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
        horizon=4,
        naive=50,
        forgets=90,
        overlooks=30,
        misjudges=0.08,
    ),
    Level(
        "casual",
        "Casual",
        "Plays like a guest who knows the rules well: half a round ahead, with a short memory.",
        simulations=60,
        horizon=10,
        naive=30,
        forgets=80,
        overlooks=20,
        misjudges=0.07,
    ),
    Level(
        "steady",
        "Steady",
        "Thinks to the end of the round, but overlooks rows and misjudges close calls.",
        simulations=80,
        forgets=60,
        overlooks=12,
        misjudges=0.06,
    ),
    Level(
        "solid",
        "Solid",
        "Builds its groups and watches yours; remembers more than half of what you took.",
        simulations=125,
        forgets=40,
        overlooks=7,
        misjudges=0.043,
    ),
    Level(
        "strong",
        "Strong",
        "Hardly forgets a card and times its big rows.",
        simulations=200,
        forgets=20,
        overlooks=4,
        misjudges=0.026,
    ),
    Level(
        "expert",
        "Expert",
        "Remembers every card and weighs hundreds of rounds before a row.",
        simulations=200,
    ),
    Level(
        "master",
        "Master",
        "Weighs thousands of rounds before a row; beat it and tell your friends.",
        simulations=4000,
    ),
)
