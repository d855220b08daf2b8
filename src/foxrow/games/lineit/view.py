"""Line-it, what a seat knows: a random completion of it, and the same as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import part, rule
from foxrow.games.lineit.rules import line_worth
from foxrow.games.lineit.state import (
    CARDS,
    COLOURS,
    KINDS,
    NUMBERS,
    OVER,
    SEATS,
    State,
    View,
    is_bet,
    line_length,
)


@rule
def fill(v: View, rng: Rng) -> None:
    """T12: a perfect memory knows which cards the deck holds, and nothing of their order."""
    n = 0
    for card in range(1, KINDS + 1):
        for _ in range(int(v.left[card])):
            v.deck[n] = card
            n += 1
    for i in range(n, CARDS):
        v.deck[i] = 0
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        card = int(v.deck[i])
        v.deck[i] = v.deck[j]
        v.deck[j] = card


# Features: seats are counted clockwise from the seer, and seats that nobody sits on are all 0. Cards are planes over
# kinds (index card − 1: the numbers 1 to 100, then +3, +4, +5). The order of a line follows from its way and from the
# number of cards after the bet; that of market, hands and jackpots has no meaning in the game.

FEATURES_VERSION = 1
FEATURE_FIELDS: tuple[tuple[str, int, str], ...] = (
    ("stage", OVER + 1, "one-hot: turn, final, over"),
    ("lap", 1, "1 or 2 in the final phase, else 0"),
    ("taken", 1, "1 when the active seat has its market card"),
    ("played", 1, "1 when the active seat has played from its hand"),
    ("players", 1, "number of players"),
    ("stock", 1, "cards in the deck"),
    ("offered", 1, "cards in the market"),
    ("pots", COLOURS, "cards under each jackpot: heart, diamond, leaf, star"),
    ("active", SEATS, "one-hot: the seat that is asked"),
    ("first", SEATS, "one-hot: the seat with the token"),
    ("held", SEATS, "size of each hand"),
    ("numbers", SEATS, "number cards in each line"),
    ("last", SEATS, "newest number of each line, 0 for none"),
    ("way", SEATS, "1 a rising line, -1 a falling one, 0 not set"),
    ("bet", SEATS, "figure of each line's bet, 0 for none"),
    ("after", SEATS, "number cards after each line's bet"),
    ("worth", SEATS, "what each line would score if closed now"),
    ("score", SEATS, "points so far without open lines, less the hundreds"),
    ("hundreds", SEATS, "and the hundreds, towards zero"),
    ("colours", SEATS * COLOURS, "cards of each colour in each line"),
    ("deck", KINDS, "copies of each card in the deck"),
    ("market", KINDS, "copies of each card in the market"),
    ("jackpots", NUMBERS, "1 for each number under a jackpot"),
    ("hands", SEATS * KINDS, "copies of each card in each hand"),
    ("lines", SEATS * NUMBERS, "1 for each number in each line"),
)
FEATURES = sum(size for _, size, _ in FEATURE_FIELDS)


@rule
def features(v: View, seat: int, out: NDArray[np.int8]) -> None:
    players = int(v.players)
    for i in range(OVER + 1):
        out[i] = 1 if v.stage == i else 0
    at = OVER + 1
    out[at] = v.lap
    out[at + 1] = v.taken
    out[at + 2] = v.played
    out[at + 3] = players
    out[at + 4] = v.stock
    out[at + 5] = v.offered
    at += 6
    for kind in range(COLOURS):
        out[at + kind] = v.pots[kind]
    at += COLOURS
    planes = at + (11 + COLOURS) * SEATS
    for i in range(at, FEATURES):
        out[i] = 0
    for i in range(players):
        seat_features(v, (seat + i) % players, i, at, out)
    for card in range(1, KINDS + 1):
        out[planes + card - 1] = v.left[card]
    market = planes + KINDS
    for i in range(int(v.offered)):
        out[market + int(v.market[i]) - 1] += 1
    jackpots = market + KINDS
    for kind in range(COLOURS):
        for i in range(int(v.pots[kind])):
            out[jackpots + int(v.jackpots[kind, i]) - 1] = 1
    hands = jackpots + NUMBERS
    lines = hands + SEATS * KINDS
    for i in range(players):
        other = (seat + i) % players
        for k in range(int(v.held[other])):
            out[hands + i * KINDS + int(v.hands[other, k]) - 1] += 1
        for k in range(line_length(v, other)):
            card = int(v.lines[other, k])
            if not is_bet(card):
                out[lines + i * NUMBERS + card - 1] = 1


@part
def seat_features(v: View, other: int, i: int, at: int, out: NDArray[np.int8]) -> None:
    """The fields of one number a seat: `other` is the i-th seat from the seer."""
    points = int(v.score[other])
    hundreds = points // 100 if points >= 0 else -(-points // 100)
    at += i
    out[at] = 1 if other == v.active and v.stage != OVER else 0
    out[at + SEATS] = 1 if other == v.first else 0
    out[at + 2 * SEATS] = v.held[other]
    out[at + 3 * SEATS] = v.numbers[other]
    out[at + 4 * SEATS] = v.last[other]
    out[at + 5 * SEATS] = v.way[other]
    out[at + 6 * SEATS] = v.bet[other]
    out[at + 7 * SEATS] = v.after[other]
    out[at + 8 * SEATS] = line_worth(v, other)
    out[at + 9 * SEATS] = points - 100 * hundreds
    out[at + 10 * SEATS] = hundreds
    at += 11 * SEATS - i + i * COLOURS
    for kind in range(COLOURS):
        out[at + kind] = v.colours[other, kind]


@part
def card_count(s: State, card: int) -> int:
    """Copies of a card that are in the game: in the deck, the market, a hand, a line, or under a jackpot."""
    n = 0
    for i in range(int(s.stock)):
        n += 1 if s.deck[i] == card else 0
    for i in range(int(s.offered)):
        n += 1 if s.market[i] == card else 0
    for kind in range(COLOURS):
        for i in range(int(s.pots[kind])):
            n += 1 if s.jackpots[kind, i] == card else 0
    for seat in range(int(s.players)):
        for i in range(int(s.held[seat])):
            n += 1 if s.hands[seat, i] == card else 0
        for i in range(line_length(s, seat)):
            n += 1 if s.lines[seat, i] == card else 0
    return n
