"""Line-it, a good rule of thumb: what the greedy bot plays, and the rollouts of a search.

A turn is a small plan: close or not, play a card from the hand or not, take the best card of the market for what is
then the line. Every step has a worth in hundredths of a point, and the first step of the best plan is the move.
Numbers in this file were found by playing against themselves with two, three and four players.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng
from foxrow.core.level import Level
from foxrow.core.rule import part, rule
from foxrow.games.lineit.rules import CLOSE, DONE, KEEP, PLAY, TAKE, THIRD, TOLL, actor, fits, left_of
from foxrow.games.lineit.state import (
    COLOURS,
    FINAL,
    HAND,
    NUMBERS,
    SPARE,
    State,
    View,
    colour,
    figure,
    is_bet,
    line_length,
)

POINT = 100
STRIDE = 9  # numbers that a line moves on with a card when there is time to choose
SKIP = 165  # what numbers passed over cost
AHEAD = 213  # a card in hand that the line will reach,
FAR = 5  # less this for sixteen numbers on the way,
LATE = 36  # more in the last rounds: the final laps play it for nothing
ASIDE = 28  # a card in hand for a later line
FULL = 20  # the freedom that a full hand lacks
HOPE = (2, 13, 37)  # of a jackpot's card, and of one to come, with that many cards of its colour in the line
DENY = 25  # of a jackpot's card that another seat would win with the card
BET_KEPT = 14  # a bet in hand, for a point of its figure
BET_STEP = 33  # a number for a bet that is not made yet
BET_SLACK = 120  # cards that may be missing, in hundredths, where a bet is neither good nor bad,
BET_SPREAD = 75  # and how many more make it certain
IN_HAND = 60  # what a card in hand adds to the cards expected
RESTART = 77  # percent of the cards expected that a line started anew gets
START = 300  # more than the first card of a new line is worth: closing is not weighed where that is not enough

PLANS = 4
STRAIGHT, PLAY_FIRST, PLAY_SECOND, CLOSE_FIRST = range(PLANS)  # what comes before the market card
NO_BET = -1  # `need` of a line without a bet
WORST = -1_000_000
SHIFT = 512  # worth · SHIFT + move is one number, for a function that returns both


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    if n == 1:
        return int(legal[0])
    if v.stage == FINAL:
        return last_card(v)
    seat = actor(v)
    turns = int(v.stock) // (int(v.players) + SPARE) + 1 - int(v.taken)
    best = WORST * SHIFT
    for plan in range(PLANS):
        fresh = plan == CLOSE_FIRST
        numbers, last, way, need = 0, 0, 0, NO_BET
        if not fresh:
            numbers, last, way = int(v.numbers[seat]), int(v.last[seat]), int(v.way[seat])
            if v.bet[seat] > 0:
                need = max(0, int(v.bet[seat]) - int(v.after[seat]))
        one, two = int(v.hands[seat, 0]), int(v.hands[seat, 1])
        worth = 0
        move = 0
        if fresh:
            if line_length(v, seat) == 0:
                continue
            move = CLOSE
            worth = close_worth(v, seat, turns)
            if worth + START < best // SHIFT:
                continue
        elif plan != STRAIGHT:
            if plan == PLAY_SECOND:
                one, two = two, one
            if one == 0 or v.played != 0 or not fits(v, seat, one):
                continue
            move = PLAY + one - 1
            worth = play_worth(v, seat, fresh, one, numbers, last, way, need, two, turns)
            if is_bet(one):
                need = figure(one)
            else:
                way = way_after(numbers, last, way, one)
                need = need - 1 if need > 0 else need
                numbers, last = numbers + 1, one
            one, two = two, 0
        then = market(v, seat, fresh, numbers, last, way, need, one, two, turns)
        if plan == STRAIGHT:
            best = then
        else:
            best = max(best, (worth + then // SHIFT) * SHIFT + move)
    return best % SHIFT


@part
def last_card(v: View) -> int:
    """In the final laps every number is a gain: first the one that leaves room for the other, or wins a jackpot."""
    seat = actor(v)
    numbers, last, way = int(v.numbers[seat]), int(v.last[seat]), int(v.way[seat])
    best = DONE  # a bet would only be lost
    for i in range(HAND):
        card = int(v.hands[seat, i])
        other = int(v.hands[seat, 1 - i])
        if card > 0 and not is_bet(card) and fits(v, seat, card):
            worth = 1 + colour_worth(v, seat, card, False)
            if 0 < other <= NUMBERS and (other - card) * way_after(numbers, last, way, card) >= 0:
                worth += POINT
            best = max(best, worth * SHIFT + PLAY + card - 1)
    return best % SHIFT


# What the line looks like after a card ------------------------------------------------------------------


@part
def way_after(numbers: int, last: int, way: int, card: int) -> int:
    """T5: the second number sets the way."""
    if numbers == 1:
        return 1 if card > last else -1
    return way


@part
def room(numbers: int, last: int, way: int) -> int:
    """Numbers that a line may still reach."""
    if numbers == 0:
        return NUMBERS
    if way == 0:
        return max(last - 1, NUMBERS - last)
    return NUMBERS - last if way > 0 else last - 1


@part
def expected(space: int, turns: int) -> int:
    """Number cards that a line still gets, in hundredths: few where there is no room, few where there is no time."""
    if turns <= 0:
        return 0
    return POINT * space * turns // (space + STRIDE * turns)


@part
def price(space: int, turns: int) -> int:
    """What a number passed over costs, in sixteenths: much where room is short, nothing where time is."""
    if turns <= 0:
        return 0
    reach = space + STRIDE * turns
    return 16 * SKIP * STRIDE * turns * turns // (reach * reach)


# What a step is worth -----------------------------------------------------------------------------------


@part
def market(
    v: View, seat: int, fresh: bool, numbers: int, last: int, way: int, need: int, one: int, two: int, turns: int
) -> int:
    """The best way to take a card with this line and hand, worth · SHIFT + move; done where it is taken already."""
    if v.taken != 0:
        return DONE
    space = room(numbers, last, way)
    cost = price(space, turns)
    held = min(one, 1) + min(two, 1)
    full = FULL if held == HAND - 1 else 0
    best = WORST * SHIFT + DONE
    for i in range(int(v.offered)):
        card = int(v.market[i])
        denied = 0
        if is_bet(card):
            if need == NO_BET:
                worth = bet_worth(figure(card), figure(card), expected(space, turns - 1) + IN_HAND * held)
                best = max(best, worth * SHIFT + TAKE + card - 1)
        else:
            denied = denial(v, seat, card)
            if (card - last) * way >= 0:
                worth = lay_worth(v, seat, fresh, card, numbers, last, way, need, space, cost) + denied
                worth -= spoiled(one, card, numbers, last, way) + spoiled(two, card, numbers, last, way)
                best = max(best, worth * SHIFT + TAKE + card - 1)
        if held < HAND:
            worth = hand_worth(card, numbers, last, way, turns) - full + denied
            best = max(best, worth * SHIFT + KEEP + card - 1)
    return best


@part
def lay_worth(
    v: View,
    seat: int,
    fresh: bool,
    card: int,
    numbers: int,
    last: int,
    way: int,
    need: int,
    space: int,
    cost: int,
) -> int:
    """A number into the line: a point and what its colour brings, less the room that it takes."""
    onward = way_after(numbers, last, way, card)
    worth = POINT - cost * (space - room(numbers + 1, card, onward)) // 16
    worth += colour_worth(v, seat, card, fresh)
    if need > 0:
        worth += BET_STEP
    return worth


@part
def spoiled(kept: int, card: int, numbers: int, last: int, way: int) -> int:
    """What a number in hand loses when the line passes it."""
    if 0 < kept <= NUMBERS and (kept - last) * way >= 0:
        if (kept - card) * way_after(numbers, last, way, card) < 0:
            return AHEAD - ASIDE
    return 0


@part
def play_worth(
    v: View, seat: int, fresh: bool, card: int, numbers: int, last: int, way: int, need: int, other: int, turns: int
) -> int:
    """A card from the hand into the line: what it is worth there more than in the hand."""
    kept = hand_worth(card, numbers, last, way, turns)
    space = room(numbers, last, way)
    if is_bet(card):
        return bet_worth(figure(card), figure(card), expected(space, turns) + IN_HAND * min(other, 1)) - kept
    worth = lay_worth(v, seat, fresh, card, numbers, last, way, need, space, price(space, turns)) - kept
    if other > 0:
        worth += FULL - spoiled(other, card, numbers, last, way)
    return worth


@part
def hand_worth(card: int, numbers: int, last: int, way: int, turns: int) -> int:
    """A card in hand is a step that the line can count on; a bet needs time, and so does a card for another line."""
    if is_bet(card):
        return BET_KEPT * figure(card) if turns > figure(card) else 0
    if (card - last) * way < 0:
        return ASIDE if turns > TOLL else 0
    if numbers + turns < TOLL:  # this line will not pay any more
        return 0
    worth = AHEAD
    if numbers > 0:
        worth -= FAR * abs(card - last) // 16
    if turns <= HAND:
        worth += LATE
    return worth


@part
def bet_worth(bet: int, need: int, cards: int) -> int:
    """T7: won or lost, by how many cards (in hundredths) may come after it."""
    if need <= 0:
        return bet * POINT
    luck = (cards - need * POINT + BET_SLACK) * POINT // BET_SPREAD
    return bet * max(-POINT, min(POINT, luck))


@part
def colour_worth(v: View, seat: int, card: int, fresh: bool) -> int:
    """T8: the third card of a colour wins what lies there, the first two bring it nearer."""
    kind = colour(card)
    n = 0 if fresh else int(v.colours[seat, kind])
    worth = hope(v, kind, n + 1) - hope(v, kind, n)
    if n + 1 == THIRD:
        worth += POINT * int(v.pots[kind])
    return worth


@part
def hope(v: State, kind: int, n: int) -> int:
    """What a jackpot promises to a line with n cards of its colour; it grows, so one card more is counted."""
    if n >= THIRD:
        return 0
    return HOPE[n] * (int(v.pots[kind]) + 1)


@part
def denial(v: View, seat: int, card: int) -> int:
    """A card that would win a jackpot for a seat later in this round is worth something to everybody else."""
    kind = colour(card)
    if v.pots[kind] < 2:
        return 0
    other = left_of(v, seat)
    while other != v.first:
        if v.colours[other, kind] == THIRD - 1 and fits(v, other, card):
            return DENY * int(v.pots[kind]) // (int(v.players) - 1)
        other = left_of(v, other)
    return 0


@part
def close_worth(v: View, seat: int, turns: int) -> int:
    """T7: a new line pays the toll again, but has all the room and all jackpots before it."""
    numbers = int(v.numbers[seat])
    bet = int(v.bet[seat])
    need = bet - int(v.after[seat])
    held = int(v.held[seat])
    cards = expected(room(numbers, int(v.last[seat]), int(v.way[seat])), turns)
    anew = expected(NUMBERS, turns) * RESTART // 100 + IN_HAND * held
    stay = max(0, POINT * (numbers - TOLL) + cards) + bet_worth(bet, need, cards + IN_HAND * held)
    leave = max(0, POINT * (numbers - TOLL)) + max(0, anew - POINT * TOLL)
    leave += POINT * bet if need <= 0 else -POINT * bet
    for kind in range(COLOURS):
        leave += hope(v, kind, 0)
        stay += hope(v, kind, int(v.colours[seat, kind]))
    if turns <= TOLL:  # too late for another line: close only what is stuck
        stay += POINT * TOLL
    return leave - stay


# The search in Line-it: many small steps and much luck, so it trusts the rule of thumb, counts points more than wins,
# and looks some rounds ahead, not to the end. With the usual settings it lost to the rule of thumb.

SEARCH = {"trust": 0.6, "margin": 0.6, "randomness": 3, "horizon": 40}
GUIDANCE = {"horizon": 20, "span": 10, "cover": 1.0}  # of the net's rollouts; then its values decide


# Levels for people. With two players each wins about two games of three against the one before it (docs/strength.md).

LEVELS = (
    Level(
        "gentle",
        "Gentle",
        "Looks three rounds ahead, misses many cards and misjudges the others.",
        simulations=28,
        horizon=18,
        naive=22,
        overlooks=27,
        misjudges=0.023,
    ),
    Level(
        "easy",
        "Easy",
        "Looks six rounds ahead and closes its lines by feeling.",
        simulations=44,
        horizon=32,
        naive=12,
        overlooks=15,
        misjudges=0.0152,
    ),
    Level(
        "casual",
        "Casual",
        "Plays like a guest who knows the rules well: it misses a card now and then.",
        simulations=60,
        naive=4,
        overlooks=9,
        misjudges=0.0106,
    ),
    Level(
        "steady",
        "Steady",
        "Looks seven rounds ahead, but overlooks a card here and there and misjudges close calls.",
        simulations=104,
        overlooks=4,
        misjudges=0.0058,
    ),
    Level(
        "solid",
        "Solid",
        "Keeps its lines long and bets when it pays.",
        simulations=170,
        overlooks=1,
        misjudges=0.0026,
    ),
    Level(
        "strong",
        "Strong",
        "Watches the jackpots and what you wait for.",
        simulations=280,
    ),
    Level(
        "expert",
        "Expert",
        "Counts every card that is gone and weighs thousands of games before a move.",
        simulations=3000,
    ),
    Level(
        "master",
        "Master",
        "Has learned from billions of games against itself, and looks ahead; beat it and tell your friends.",
        simulations=100,
        net=True,
    ),
)
