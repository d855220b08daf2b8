"""Line-it, the rules. The numbers (T1 …) are those of rules.md.

A round: a market is turned up, and clockwise from the token every seat takes one card of it, into the line or into the
hand. In between a seat may play a card from its hand and close its line. When the deck cannot fill another market, the
hands are played out in two laps and all lines are closed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import part, rule
from foxrow.games.lineit.state import (
    CARDS,
    COLOURS,
    COPIES,
    FINAL,
    HAND,
    KINDS,
    MARKET,
    NUMBERS,
    OVER,
    SEATS,
    SPARE,
    TURN,
    State,
    colour,
    figure,
    is_bet,
    line_length,
)

# The move space: a market card into the line, one into the hand, a hand card into the line; then the two words.
# A move with a card is its base + card − 1, so equal bets are one move.
TAKE = 0
KEEP = KINDS
PLAY = 2 * KINDS
CLOSE = 3 * KINDS
DONE = CLOSE + 1
MOVES = DONE + 1
MAX_LEGAL = 2 * MARKET + HAND + 2

TOLL = 3  # cards that closing a line costs (T7)
THIRD = 3  # the card of a colour that wins its jackpot (T8)
LAPS = 2  # of the final phase (T10)


@rule
def deal(s: State, order: NDArray[np.int32], players: int, first: int, options: NDArray[np.int32]) -> None:
    """T1, T2: all cards are one deck, and the first market is turned up."""
    for seat in range(SEATS):
        clear_line(s, seat)
        s.held[seat] = 0
        s.score[seat] = 0
        for i in range(HAND):
            s.hands[seat, i] = 0
    for i in range(MARKET):
        s.market[i] = 0
    for kind in range(COLOURS):
        clear_jackpot(s, kind)
    s.left[0] = 0
    for card in range(1, NUMBERS + 1):
        s.left[card] = 1
    for card in range(NUMBERS + 1, KINDS + 1):
        s.left[card] = COPIES
    for i in range(CARDS):
        s.deck[CARDS - 1 - i] = deck_card(order[i])
    s.stock = CARDS
    s.players = players
    s.first = first
    s.active = first
    s.stage = TURN
    s.lap = 0
    s.taken = 0
    s.played = 0
    open_market(s)


@part
def deck_card(index: int) -> int:
    """T1, the canonical deck: 1 to 100, then +3 +3 +4 +4 +5 +5."""
    if index < NUMBERS:
        return int(index) + 1
    return NUMBERS + 1 + (int(index) - NUMBERS) // COPIES


@part
def open_market(s: State) -> None:
    """T2: as many cards as players and two more, so that even the last seat has a choice."""
    for i in range(int(s.players) + SPARE):
        s.market[i] = draw(s)
    s.offered = int(s.players) + SPARE


@part
def draw(s: State) -> int:
    """The deck's top card; from now on everybody has seen it (T12)."""
    s.stock -= 1
    card = int(s.deck[s.stock])
    s.deck[s.stock] = 0
    s.left[card] -= 1
    return card


@rule
def actor(s: State) -> int:
    if s.stage == OVER:
        return -1
    return int(s.active)


@rule
def phase(s: State) -> int:
    return int(s.stage)


@rule
def legal(s: State, out: NDArray[np.int32]) -> int:
    """Each move is written first and counted if it is one: no branch that a processor could guess wrong."""
    if s.stage == OVER:
        return 0
    seat = actor(s)
    n = 0
    if s.stage == TURN:
        if s.taken == 0:
            n = market_moves(s, seat, out)  # T3: you must take exactly one
        out[n] = DONE
        n += int(s.taken)
        out[n] = CLOSE  # T6: at any moment, and as often as there is a card to close
        n += min(line_length(s, seat), 1)
    else:  # T10: everybody is asked and may decline; nobody closes in between
        out[n] = DONE
        n += 1
    return hand_moves(s, seat, out, n)


@part
def market_moves(s: State, seat: int, out: NDArray[np.int32]) -> int:
    """T3: a card that fits may go into the line, any card into a hand with room. Equal bets are one move."""
    room = 1 if s.held[seat] < HAND else 0
    n = 0
    for i in range(int(s.offered)):
        card = int(s.market[i])
        if is_bet(card) and in_market_before(s, i, card):
            continue
        out[n] = TAKE + card - 1
        n += fits(s, seat, card)
        out[n] = KEEP + card - 1
        n += room
    return n


@part
def in_market_before(s: State, i: int, card: int) -> bool:
    for k in range(i):
        if s.market[k] == card:
            return True
    return False


@part
def hand_moves(s: State, seat: int, out: NDArray[np.int32], n: int) -> int:
    """T4: a card that fits, at any moment, but one a turn. Equal bets are one move."""
    may = 1 - int(s.played)
    before = 0
    for i in range(HAND):
        card = int(s.hands[seat, i])
        out[n] = PLAY + card - 1
        n += may & fits(s, seat, card) & int(card > 0) & int(card != before)
        before = card
    return n


@part
def fits(s: State, seat: int, card: int) -> int:
    """T5: 1 if the card may be laid. One bet a line, at any place; numbers go on the way that the second one set."""
    onward = (card - int(s.last[seat])) * int(s.way[seat])  # 0 while the way is open: no number is there twice
    if is_bet(card):
        onward = -int(s.bet[seat])
    return 1 if onward >= 0 else 0


@rule
def apply(s: State, move: int) -> None:
    seat = actor(s)
    card = move_card(move)
    if move < PLAY:
        take_from_market(s, card)
        if move < KEEP:
            lay(s, seat, card)
        else:
            keep(s, seat, card)
    elif move < CLOSE:
        take_from_hand(s, seat, card)
        lay(s, seat, card)
        s.played = 1
        if s.stage == FINAL:
            next_asked(s)
    elif move == CLOSE:
        close(s, seat)
    elif s.stage == FINAL:
        next_asked(s)
    else:
        end_turn(s)


@part
def move_card(move: int) -> int:
    """The card that a move is about."""
    return int(move) % KINDS + 1


@part
def take_from_market(s: State, card: int) -> None:
    """T3: one card a turn. The cards after it move up, without a branch."""
    s.taken = 1
    s.offered -= 1
    gone = 0
    for i in range(MARKET - 1):
        gone |= int(s.market[i] == card)
        s.market[i] = s.market[i + gone]
    s.market[MARKET - 1] = 0


@part
def keep(s: State, seat: int, card: int) -> None:
    s.hands[seat, s.held[seat]] = card
    s.held[seat] += 1


@part
def take_from_hand(s: State, seat: int, card: int) -> None:
    if s.hands[seat, 0] == card:
        s.hands[seat, 0] = s.hands[seat, 1]
    s.hands[seat, 1] = 0
    s.held[seat] -= 1


@part
def lay(s: State, seat: int, card: int) -> None:
    """T8: the third card of a colour wins its jackpot. A fourth does not: once per colour and line."""
    extend(s, seat, card)
    if not is_bet(card) and s.colours[seat, colour(card)] == THIRD:
        s.score[seat] += s.pots[colour(card)]
        clear_jackpot(s, colour(card))


@part
def extend(s: State, seat: int, card: int) -> None:
    """T5: the second number sets the way; a bet has no number. T7: what is laid after a bet counts for it."""
    s.lines[seat, line_length(s, seat)] = card
    if is_bet(card):
        s.bet[seat] = figure(card)
        return
    if s.numbers[seat] == 1:
        s.way[seat] = 1 if card > s.last[seat] else -1
    s.last[seat] = card
    s.numbers[seat] += 1
    if s.bet[seat] > 0:
        s.after[seat] += 1
    s.colours[seat, colour(card)] += 1


@part
def close(s: State, seat: int) -> None:
    """T6, T7: the line is worth what it is worth now, and the next one starts freely."""
    s.score[seat] += line_worth(s, seat)
    clear_line(s, seat)


@part
def line_worth(s: State, seat: int) -> int:
    """T7: the bet is won or lost by the numbers after it; three cards are the toll, each other number is a point."""
    worth = max(0, int(s.numbers[seat]) - TOLL)
    if s.after[seat] >= s.bet[seat]:
        return worth + int(s.bet[seat])  # without a bet both are 0
    return worth - int(s.bet[seat])


@part
def clear_line(s: State, seat: int) -> None:
    for i in range(line_length(s, seat)):
        s.lines[seat, i] = 0
    s.numbers[seat] = 0
    s.last[seat] = 0
    s.way[seat] = 0
    s.bet[seat] = 0
    s.after[seat] = 0
    for kind in range(COLOURS):
        s.colours[seat, kind] = 0


@part
def clear_jackpot(s: State, kind: int) -> None:
    for i in range(int(s.pots[kind])):
        s.jackpots[kind, i] = 0
    s.pots[kind] = 0


@part
def end_turn(s: State) -> None:
    """T2: clockwise, each seat once, until the token's holder would be next."""
    s.taken = 0
    s.played = 0
    s.active = left_of(s, int(s.active))
    if s.active == s.first:
        end_round(s)


@part
def left_of(s: State, seat: int) -> int:
    if seat + 1 == s.players:
        return 0
    return seat + 1


@part
def end_round(s: State) -> None:
    """T9: what nobody took goes under the jackpots, the token moves on. T10: no full market, no further round."""
    for i in range(int(s.offered)):
        bury(s, int(s.market[i]))
        s.market[i] = 0
    s.offered = 0
    s.first = left_of(s, int(s.first))
    s.active = s.first
    if s.stock >= int(s.players) + SPARE:
        open_market(s)
    else:
        while s.stock > 0:
            bury(s, draw(s))
        s.stage = FINAL
        s.lap = 1


@part
def bury(s: State, card: int) -> None:
    """T9: a number lies under the jackpot of its colour; a bet has no colour and is out of the game."""
    if not is_bet(card):
        kind = colour(card)
        s.jackpots[kind, s.pots[kind]] = card
        s.pots[kind] += 1


@part
def next_asked(s: State) -> None:
    """T10: two laps in the same order, everybody asked for one card in each. Then all lines are closed."""
    s.played = 0
    s.active = left_of(s, int(s.active))
    if s.active == s.first:
        s.lap += 1
        if s.lap > LAPS:
            for seat in range(SEATS):
                close(s, seat)
            s.lap = 0
            s.stage = OVER


@rule
def scores(s: State, out: NDArray[np.int32]) -> None:
    """T11: the score pile with bonuses and maluses, open lines as if closed now."""
    for seat in range(int(s.players)):
        out[seat] = int(s.score[seat]) + line_worth(s, seat)


@rule
def outcome(s: State, out: NDArray[np.int32]) -> None:
    """T11: the highest score wins, ties share. All lines are closed by now (T10)."""
    best = int(s.score[0])
    for seat in range(1, int(s.players)):
        best = max(best, int(s.score[seat]))
    for seat in range(int(s.players)):
        out[seat] = 1 if s.score[seat] == best else 0
