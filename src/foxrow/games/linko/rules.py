"""Linko, the rules. The numbers (L1 …) are those of rules.md.

A turn: the active seat lays a row; each opponent clockwise whose top row has as many cards and a lower value is hit;
the attacker takes the row or leaves it, the victim takes it back or discards it; who lost cards draws.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import part, rule
from foxrow.games.linko.state import (
    ATTACKER,
    COPIES,
    DISPLAY,
    DRAW,
    HAND,
    JOKERS,
    LAY,
    OVER,
    SEATS,
    VALUES,
    VICTIM,
    State,
    row,
    row_jokers,
    row_numbers,
    row_rank,
    row_size,
    row_value,
)

# The move space: rows first, then the choices.
# A row of `numbers` cards of `value` with `jokers` jokers is ((value − 1) · 8 + numbers − 1) · 6 + jokers.
ROWS = (VALUES - 1) * COPIES * (JOKERS + 1)
JOKER_ROW = ROWS - 1  # + 1 … 5: that many jokers alone
TAKE = ROWS + JOKERS
LEAVE = TAKE + 1
IGNORE = TAKE + 2
BACK = TAKE + 3
DISCARD = TAKE + 4
PILE = TAKE + 5
SHOW = TAKE + 6  # + value: that card of the display
MOVES = SHOW + VALUES
MAX_LEGAL = ROWS + JOKERS  # a hand of all cards could lay every row


@rule
def deal(s: State, order: NDArray[np.int32], players: int, first: int, options: NDArray[np.int32]) -> None:
    """L2: thirteen cards to each hand, six face up, the rest is the pile."""
    for seat in range(SEATS):
        for i in range(int(s.height[seat])):
            s.rows[seat, i] = 0
        s.held[seat] = 0
        s.height[seat] = 0
        s.laid[seat] = 0
        for value in range(VALUES):
            s.hands[seat, value] = 0
            s.known[seat, value] = 0
    for value in range(VALUES):
        s.display[value] = 0
        s.discard[value] = 0
        s.missing[value] = 0
    at = 0
    for seat in range(players):
        s.held[seat] = HAND
        for _ in range(HAND):
            s.hands[seat, card_value(order[at])] += 1
            at += 1
    for _ in range(DISPLAY):
        s.display[card_value(order[at])] += 1
        at += 1
    s.shown = DISPLAY
    s.drawn = 0
    s.end = len(order) - at
    for i in range(len(order) - at):
        s.pile[i] = card_value(order[at + i])
    for i in range(len(order) - at, len(s.pile)):
        s.pile[i] = 0
    s.players = players
    s.first = first
    s.active = first
    s.victim = -1
    s.draws = 0
    s.stage = LAY
    s.optional = options[0]


@part
def card_value(index: int) -> int:
    """L1, the canonical deck: eight 1s, eight 2s, … eight 13s, five jokers."""
    if index >= (VALUES - 1) * COPIES:
        return 0
    return int(index) // COPIES + 1


@rule
def actor(s: State) -> int:
    """The attacker decides first, then the victim (L9, L10); the victim draws (L11)."""
    if s.stage == OVER:
        return -1
    if s.stage == LAY or s.stage == ATTACKER:
        return int(s.active)
    return int(s.victim)


@rule
def phase(s: State) -> int:
    return int(s.stage)


@rule
def legal(s: State, out: NDArray[np.int32]) -> int:
    if s.stage == LAY:
        return legal_rows(s, out)
    if s.stage == ATTACKER:
        out[0] = TAKE
        out[1] = LEAVE
        out[2] = IGNORE
        return 3 if s.optional != 0 else 2  # L12
    if s.stage == VICTIM:
        out[0] = BACK
        out[1] = DISCARD
        return 2
    n = 0
    if s.stage == DRAW:  # L11: equal cards of the display are one move
        out[0] = PILE
        n = 1 if s.drawn < s.end else 0
        for value in range(VALUES):
            out[n] = SHOW + value
            n += min(int(s.display[value]), 1)  # written first, counted if it is there: no branch to mispredict
    return n


@part
def legal_rows(s: State, out: NDArray[np.int32]) -> int:
    """L4, L5: any number of cards of one value, jokers with them or alone; never a pass."""
    seat = int(s.active)
    jokers = int(s.hands[seat, 0])
    n = 0
    if jokers == 0:  # the common case; few hold more than three of a kind
        for value in range(1, VALUES):
            held = int(s.hands[seat, value])
            move = (value - 1) * COPIES * (JOKERS + 1)
            out[n] = move
            out[n + 1] = move + (JOKERS + 1)
            out[n + 2] = move + 2 * (JOKERS + 1)
            n += min(held, 3)
            for numbers in range(3, held):
                out[n] = move + numbers * (JOKERS + 1)
                n += 1
        return n
    for value in range(1, VALUES):
        move = (value - 1) * COPIES * (JOKERS + 1)
        for _ in range(int(s.hands[seat, value])):
            for joker in range(jokers + 1):
                out[n] = move + joker
                n += 1
            move += JOKERS + 1
    for joker in range(1, jokers + 1):
        out[n] = JOKER_ROW + joker
        n += 1
    return n


@rule
def apply(s: State, move: int) -> None:
    if move < TAKE:
        lay(s, move_row(move))
    elif move == TAKE:
        take(s)
    elif move == LEAVE:
        s.stage = VICTIM
    elif move == IGNORE:
        next_hit(s, int(s.victim))
    elif move == BACK:
        give_row(s, int(s.victim), lift(s))
        next_hit(s, int(s.victim))
    elif move == DISCARD:
        packed = lift(s)
        s.discard[row_value(packed)] += row_numbers(packed)
        s.discard[0] += row_jokers(packed)
        start_draw(s, row_size(packed))
    else:
        draw(s, move)


@part
def move_row(move: int) -> int:
    """The row that a move lays."""
    if move > JOKER_ROW:
        return row(0, 0, move - JOKER_ROW)
    kind = move // (JOKERS + 1)
    return row(kind // COPIES + 1, kind % COPIES + 1, move % (JOKERS + 1))


@part
def lay(s: State, packed: int) -> None:
    """L6: on top of the stack. L13: an empty hand ends the round at once, and that row hits nobody."""
    seat = int(s.active)
    remove_cards(s, seat, row_value(packed), row_numbers(packed))
    remove_cards(s, seat, 0, row_jokers(packed))
    s.rows[seat, s.height[seat]] = packed
    s.height[seat] += 1
    s.laid[seat] += row_size(packed)
    if s.held[seat] == 0:
        finish(s)
    else:
        next_hit(s, seat)


@part
def remove_cards(s: State, seat: int, value: int, n: int) -> None:
    """L17: who lays n of a kind may have laid the known ones, so only what is left over them stays known."""
    s.hands[seat, value] -= n
    s.held[seat] -= n
    s.known[seat, value] = max(0, int(s.known[seat, value]) - n)


@part
def next_hit(s: State, seat: int) -> None:
    """L7, L8: go on round the table after `seat`; each opponent is compared once, with the top row of now."""
    active = int(s.active)
    mine = int(s.rows[active, s.height[active] - 1])
    seat = left_of(s, seat)
    while seat != active:
        height = int(s.height[seat])
        if height > 0:
            top = int(s.rows[seat, height - 1])
            if row_size(top) == row_size(mine) and row_rank(top) < row_rank(mine):
                s.victim = seat
                s.stage = ATTACKER
                return
        seat = left_of(s, seat)
    s.active = left_of(s, active)  # L3: clockwise
    s.victim = -1
    s.stage = LAY


@part
def left_of(s: State, seat: int) -> int:
    """The next seat clockwise."""
    return 0 if seat + 1 == s.players else seat + 1


@part
def lift(s: State) -> int:
    """Take the hit row off the victim's stack."""
    seat = int(s.victim)
    s.height[seat] -= 1
    packed = int(s.rows[seat, s.height[seat]])
    s.rows[seat, s.height[seat]] = 0
    s.laid[seat] -= row_size(packed)
    return packed


@part
def give_row(s: State, seat: int, packed: int) -> None:
    """A row goes into a hand, and everybody saw it (L17)."""
    give_known(s, seat, row_value(packed), row_numbers(packed))
    give_known(s, seat, 0, row_jokers(packed))


@part
def give_known(s: State, seat: int, value: int, n: int) -> None:
    s.hands[seat, value] += n
    s.known[seat, value] += n
    s.held[seat] += n


@part
def take(s: State) -> None:
    """L9: the attacker takes the row, the victim draws as many cards."""
    packed = lift(s)
    give_row(s, int(s.active), packed)
    start_draw(s, row_size(packed))


@part
def start_draw(s: State, n: int) -> None:
    s.draws = n
    s.stage = DRAW


@part
def draw(s: State, move: int) -> None:
    """L11: one card at a time; the display is refilled when the whole draw is done. L14: no cards left ends it all."""
    seat = int(s.victim)
    if move == PILE:
        s.hands[seat, s.pile[s.drawn]] += 1
        s.held[seat] += 1
        s.drawn += 1
    else:
        give_known(s, seat, move - SHOW, 1)
        s.display[move - SHOW] -= 1
        s.shown -= 1
    s.draws -= 1
    if s.drawn == s.end and s.shown == 0:
        finish(s)
    elif s.draws == 0:
        while s.shown < DISPLAY and s.drawn < s.end:
            s.display[s.pile[s.drawn]] += 1
            s.shown += 1
            s.drawn += 1
        next_hit(s, seat)


@part
def finish(s: State) -> None:
    s.stage = OVER
    s.victim = -1
    s.draws = 0


@rule
def scores(s: State, out: NDArray[np.int32]) -> None:
    """L15: a point for each card on the stack, one less for each in hand."""
    for seat in range(int(s.players)):
        out[seat] = int(s.laid[seat]) - int(s.held[seat])


@rule
def outcome(s: State, out: NDArray[np.int32]) -> None:
    """L15: the highest score wins, ties share."""
    best = -1000
    for seat in range(int(s.players)):
        best = max(best, int(s.laid[seat]) - int(s.held[seat]))
    for seat in range(int(s.players)):
        out[seat] = 1 if int(s.laid[seat]) - int(s.held[seat]) == best else 0
