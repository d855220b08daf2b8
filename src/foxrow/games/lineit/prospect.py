"""Line-it, prospects: how a seat stands, and what its line may hope for.

All of it follows from the table. It is there for a net of a few layers, which sees numbers from the end of its own line
(see `frame`) and would have to find out for everybody else which cards go on from where.
"""

from __future__ import annotations

from foxrow.core.rule import part
from foxrow.games.lineit.rules import THIRD, TOLL, line_worth
from foxrow.games.lineit.state import NUMBERS, SPARE, TURN, View, colour, is_bet

STEP = 8  # numbers that a line passes over with a card
NOWHERE = NUMBERS + 1  # further ahead than any number


@part
def distance(v: View, seat: int, card: int) -> int:
    """How far ahead of a line a number is; NOWHERE if it does not go on. A line that has none begins with any."""
    if is_bet(card):
        return NOWHERE
    if v.numbers[seat] == 0:
        return 0
    far = card - int(v.last[seat])
    if v.way[seat] != 0:
        far *= int(v.way[seat])
    elif far < 0:
        far = -far
    return far if far > 0 else NOWHERE


@part
def room(v: View, seat: int) -> int:
    """Numbers that a line may still reach, on the longer side while its way is open."""
    if v.numbers[seat] == 0:
        return NUMBERS
    above, below = NUMBERS - int(v.last[seat]), int(v.last[seat]) - 1
    if v.way[seat] == 0:
        return max(above, below)
    return above if v.way[seat] > 0 else below


@part
def to_come(v: View, seat: int) -> int:
    """Numbers in the deck that go on a line."""
    first, last = 1, NUMBERS
    if v.way[seat] > 0:
        first = int(v.last[seat]) + 1
    elif v.way[seat] < 0:
        last = int(v.last[seat]) - 1
    n = 0
    for card in range(first, last + 1):
        n += int(v.left[card])
    return n


@part
def turns(v: View, seat: int) -> int:
    """Turns that a seat will still have, one that it is in included; the final laps are none."""
    if v.stage != TURN:
        return 0
    players = int(v.players)
    done = (int(v.active) - int(v.first)) % players  # seats that have had theirs in this round
    here = 1 if (seat - int(v.first)) % players >= done else 0
    return int(v.stock) // (players + SPARE) + here


@part
def total(v: View, seat: int) -> int:
    """Points if all lines were closed now."""
    return int(v.score[seat]) + line_worth(v, seat)


@part
def hope(v: View, seat: int) -> int:
    """Points if the line is played on: numbers in hand that fit are laid, with the jackpots they win, and one more in
    every turn while there is room; the bet is won if these are enough."""
    more = min(turns(v, seat), room(v, seat) // STEP)
    prize = 0
    for i in range(int(v.held[seat])):
        card = int(v.hands[seat, i])
        if distance(v, seat, card) < NOWHERE:
            more += 1
            if v.colours[seat, colour(card)] == THIRD - 1:
                prize += int(v.pots[colour(card)])
    points = int(v.score[seat]) + prize + max(0, int(v.numbers[seat]) + more - TOLL)
    if v.after[seat] + more >= v.bet[seat]:
        return points + int(v.bet[seat])
    return points - int(v.bet[seat])
