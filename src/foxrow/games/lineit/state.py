"""Line-it, the record. Cards are kinds: 1–100 the numbers, 101–103 the bets +3, +4, +5, and 0 for no card (T1)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from foxrow.core.record import Record, hidden, public, record
from foxrow.core.record import View as AnyView
from foxrow.core.rule import part

SEATS = 5
NUMBERS = 100  # number cards, each once
COLOURS = 4  # heart, diamond, leaf, star
SUIT = NUMBERS // COLOURS  # cards of a colour
KINDS = NUMBERS + 3  # the bets +3, +4, +5 are kinds 101, 102, 103
COPIES = 2  # of each bet
CARDS = NUMBERS + 3 * COPIES
HAND = 2  # most cards in a hand
SPARE = 2  # market cards beyond one for each player
MARKET = SEATS + SPARE
LINE = NUMBERS + 1  # the longest line that is no nonsense: every number and a bet

TURN, FINAL, OVER = range(3)  # phases, as the card names them


@record
class State(Record):
    """One game. Lists of cards are filled from the front, and 0 beyond their end."""

    lines: Annotated[NDArray[np.int8], public, (SEATS, LINE)]  # [seat, i] cards of the open line, oldest first
    numbers: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] number cards in it
    last: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] its newest number, 0 for none
    way: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] 1 rising, −1 falling, 0 not set yet (T5)
    bet: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] figure of its bet, 0 for none
    after: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] number cards laid after the bet, 0 without one
    colours: Annotated[NDArray[np.int8], public, (SEATS, COLOURS)]  # [seat, colour] number cards in it
    hands: Annotated[NDArray[np.int8], public, (SEATS, HAND)]  # [seat, i] cards held, open to memory (T12)
    held: Annotated[NDArray[np.int8], public, (SEATS,)]  # [seat] how many
    score: Annotated[NDArray[np.int16], public, (SEATS,)]  # [seat] points so far, open lines left out
    market: Annotated[NDArray[np.int8], public, (MARKET,)]  # [i] cards to choose from, as they were turned up
    offered: Annotated[int, public, np.int8]  # how many
    jackpots: Annotated[NDArray[np.int8], public, (COLOURS, SUIT)]  # [colour, i] cards under it, oldest first
    pots: Annotated[NDArray[np.int8], public, (COLOURS,)]  # [colour] how many
    deck: Annotated[NDArray[np.int8], hidden, (CARDS,)]  # [i] bottom card first: the top is at stock − 1
    stock: Annotated[int, public, np.int8]  # cards in the deck
    left: Annotated[NDArray[np.int8], public, (KINDS + 1,)]  # [card] copies in the deck: all else was seen (T12)
    players: Annotated[int, public, np.int8]
    first: Annotated[int, public, np.int8]  # seat with the token
    active: Annotated[int, public, np.int8]  # seat that is asked
    stage: Annotated[int, public, np.int8]  # phase
    lap: Annotated[int, public, np.int8]  # 1 or 2 in the final phase, else 0
    taken: Annotated[int, public, np.int8]  # 1: the active seat has its market card
    played: Annotated[int, public, np.int8]  # 1: it has played a card from its hand


class View(State, AnyView):
    """What a seat sees of it: all but the deck's order (T12)."""


@part
def is_bet(card: int) -> bool:
    return int(card) > NUMBERS


@part
def figure(card: int) -> int:
    """What a bet card promises: 3, 4 or 5."""
    return int(card) - NUMBERS + 2


@part
def colour(card: int) -> int:
    """T1: the colours take turns along the numbers; 0 heart, 1 diamond, 2 leaf, 3 star."""
    return (int(card) - 1) % COLOURS


@part
def line_length(s: State, seat: int) -> int:
    """Cards in a seat's open line."""
    if s.bet[seat] > 0:
        return int(s.numbers[seat]) + 1
    return int(s.numbers[seat])
