"""Line-it, what a seat knows: a random completion of it, and the same as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import part, rule
from foxrow.games.lineit.frame import FRAMES, colours_in, falls, frame, numbers_in
from foxrow.games.lineit.prospect import NOWHERE, distance, hope, room, to_come, total, turns
from foxrow.games.lineit.rules import CLOSE, DONE, KEEP, MOVES, PLAY, TAKE, THIRD, line_worth
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

FEATURES_VERSION = 2
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
    ("rising", SEATS, "1 for a rising line"),
    ("falling", SEATS, "1 for a falling line"),
    ("room", SEATS, "numbers that each line may still reach, on the longer side while its way is open"),
    ("bet", SEATS, "figure of each line's bet, 0 for none"),
    ("after", SEATS, "number cards after each line's bet"),
    ("worth", SEATS, "what each line would score if closed now"),
    ("score", SEATS, "points so far without open lines, less the hundreds"),
    ("hundreds", SEATS, "and the hundreds, towards zero"),
    ("needs", SEATS, "number cards that each line's bet still needs"),
    ("turns", SEATS, "turns that each seat will still have, without the final laps"),
    ("fits", SEATS, "numbers in each hand that go on its line"),
    ("gap", SEATS, "how far ahead of the line the nearest of them is, 101 for none"),
    ("offers", SEATS, "numbers in the market that go on each line"),
    ("offer_gap", SEATS, "how far ahead of the line the nearest of them is, 101 for none"),
    ("to_come", SEATS, "numbers in the deck that go on each line"),
    ("total", SEATS, "points of each seat if all lines were closed now, at most 127 either way"),
    ("lead", SEATS, "how many more that is than the best of the others has, at most 127 either way"),
    ("hope", SEATS, "points of each seat if its line is played on (see `prospect`), at most 127 either way"),
    ("hope_lead", SEATS, "how many more than the best of the others hopes for, at most 127 either way"),
    ("colours", SEATS * COLOURS, "cards of each colour in each line"),
    ("prizes", SEATS * COLOURS, "cards that each line would win with its next card of each colour"),
    ("deck", KINDS, "copies of each card in the deck"),
    ("market", KINDS, "copies of each card in the market"),
    ("sought", NUMBERS, "for each number in the market: the other seats whose line it continues by at most ten"),
    ("jackpots", NUMBERS, "1 for each number under a jackpot"),
    ("hands", SEATS * KINDS, "copies of each card in each hand"),
    ("lines", SEATS * NUMBERS, "1 for each number in each line, 64 for its newest"),
)
FEATURES = sum(size for _, size, _ in FEATURE_FIELDS)
PROSPECTS = 11  # numbers a seat
LEADS = 4  # of them, the last
BOUND = 100_000  # beyond any score
END = 64  # the newest number of a line, among its others: what a line has passed hardly matters any more
NEAR = 10  # numbers ahead of a line at which it wants a card


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
    planes = at + (12 + PROSPECTS + 2 * COLOURS) * SEATS
    for i in range(at, FEATURES):
        out[i] = 0
    for i in range(players):
        seat_features(v, (seat + i) % players, i, at, out)
    write_leads(v, seat, at + (12 + PROSPECTS - LEADS) * SEATS, out)
    for card in range(1, KINDS + 1):
        out[planes + card - 1] = v.left[card]
    market = planes + KINDS
    sought = market + KINDS
    for i in range(int(v.offered)):
        card = int(v.market[i])
        out[market + card - 1] += 1
        if not is_bet(card):
            for k in range(1, players):
                other = (seat + k) % players
                if v.numbers[other] > 0 and distance(v, other, card) <= NEAR:
                    out[sought + card - 1] += 1
    jackpots = sought + NUMBERS
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
                out[lines + i * NUMBERS + card - 1] = END if card == v.last[other] else 1


@part
def seat_features(v: View, other: int, i: int, at: int, out: NDArray[np.int8]) -> None:
    """The fields of one number a seat: `other` is the i-th seat from the seer."""
    points = int(v.score[other])
    hundreds = points // 100 if points >= 0 else -(-points // 100)
    way = int(v.way[other])
    at += i
    out[at] = 1 if other == v.active and v.stage != OVER else 0
    out[at + SEATS] = 1 if other == v.first else 0
    out[at + 2 * SEATS] = v.held[other]
    out[at + 3 * SEATS] = v.numbers[other]
    out[at + 4 * SEATS] = 1 if way > 0 else 0
    out[at + 5 * SEATS] = 1 if way < 0 else 0
    out[at + 6 * SEATS] = room(v, other)
    out[at + 7 * SEATS] = v.bet[other]
    out[at + 8 * SEATS] = v.after[other]
    out[at + 9 * SEATS] = line_worth(v, other)
    out[at + 10 * SEATS] = points - 100 * hundreds
    out[at + 11 * SEATS] = hundreds
    seat_prospects(v, other, at + 12 * SEATS, out)
    at += (12 + PROSPECTS) * SEATS - i + i * COLOURS
    for kind in range(COLOURS):
        out[at + kind] = v.colours[other, kind]
        if v.colours[other, kind] == THIRD - 1:
            out[at + SEATS * COLOURS + kind] = v.pots[kind]


@part
def seat_prospects(v: View, other: int, at: int, out: NDArray[np.int8]) -> None:
    """What a seat has before it."""
    out[at] = max(0, int(v.bet[other]) - int(v.after[other]))
    out[at + SEATS] = turns(v, other)
    out[at + 3 * SEATS] = out[at + 5 * SEATS] = NOWHERE
    for i in range(int(v.held[other])):
        far = distance(v, other, int(v.hands[other, i]))
        if far < NOWHERE:
            out[at + 2 * SEATS] += 1
            out[at + 3 * SEATS] = min(int(out[at + 3 * SEATS]), far)
    for i in range(int(v.offered)):
        far = distance(v, other, int(v.market[i]))
        if far < NOWHERE:
            out[at + 4 * SEATS] += 1
            out[at + 5 * SEATS] = min(int(out[at + 5 * SEATS]), far)
    out[at + 6 * SEATS] = to_come(v, other)


@part
def write_leads(v: View, seat: int, at: int, out: NDArray[np.int8]) -> None:
    """Who is ahead, now and by what may be hoped for: against the best, or, for the best, the second."""
    players = int(v.players)
    best, second, best_hope, second_hope = -BOUND, -BOUND, -BOUND, -BOUND
    for other in range(players):
        points, hopes = total(v, other), hope(v, other)
        second = max(second, min(points, best))
        best = max(best, points)
        second_hope = max(second_hope, min(hopes, best_hope))
        best_hope = max(best_hope, hopes)
    for i in range(players):
        points, hopes = total(v, (seat + i) % players), hope(v, (seat + i) % players)
        out[at + i] = byte(points)
        out[at + SEATS + i] = byte(points - (second if points == best else best))
        out[at + 2 * SEATS + i] = byte(hopes)
        out[at + 3 * SEATS + i] = byte(hopes - (second_hope if hopes == best_hope else best_hope))


@part
def byte(number: int) -> int:
    return max(-127, min(127, number))


def frames() -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
    """[frame, i] the feature that is the i-th there; [frame, move] what each move is called there; no secrets."""
    columns = np.empty((FRAMES, FEATURES), np.int16)
    moves = np.empty((FRAMES, MOVES), np.int16)
    starts, at = {}, 0
    for name, size, _ in FEATURE_FIELDS:
        starts[name] = at
        at += size
    for number in range(FRAMES):
        cards = np.arange(KINDS)
        cards[:NUMBERS] = numbers_in(number)
        back = np.argsort(cards)
        back_colours = np.argsort(colours_in(number))
        row = columns[number]
        for name, size, _ in FEATURE_FIELDS:
            here = np.arange(starts[name], starts[name] + size)
            if name in ("deck", "market", "hands"):
                here = here.reshape(-1, KINDS)[:, back].ravel()
            elif name in ("sought", "jackpots", "lines"):
                here = here.reshape(-1, NUMBERS)[:, back[:NUMBERS]].ravel()
            elif name in ("pots", "colours", "prizes"):
                here = here.reshape(-1, COLOURS)[:, back_colours].ravel()
            row[starts[name] : starts[name] + size] = here
        if falls(number):
            rising, falling = (slice(starts[name], starts[name] + SEATS) for name in ("rising", "falling"))
            row[rising], row[falling] = row[falling].copy(), row[rising].copy()
        moves[number] = np.concatenate((TAKE + cards, KEEP + cards, PLAY + cards, [CLOSE, DONE]))
    return columns, moves, np.empty((FRAMES, 0), np.int16)


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


__all__ = [
    "FEATURES",
    "FEATURES_VERSION",
    "FEATURE_FIELDS",
    "FRAMES",
    "features",
    "fill",
    "frame",
    "frames",
]
