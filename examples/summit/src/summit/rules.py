"""Summit, the rules. A move is the card that is played."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import rule
from summit.state import CARDS, HAND, OVER, PLAY, SEATS, State, ahead, lying

MOVES = CARDS
MAX_LEGAL = HAND


@rule
def deal(s: State, order: NDArray[np.int32], players: int, first: int, options: NDArray[np.int32]) -> None:
    """S2: four cards each, one by one from the starter on; nobody sees the rest."""
    for card in range(CARDS):
        for seat in range(SEATS):
            s.hands[seat, card] = 0
        s.rest[card] = 0
        s.gone[card] = 0
    for seat in range(SEATS):
        s.held[seat] = HAND if seat < players else 0
        s.table[seat] = 0
        s.tricks[seat] = 0
    for i in range(HAND * players):
        s.hands[(first + i) % players, order[i]] = 1
    s.left = CARDS - HAND * players
    for i in range(CARDS - HAND * players):
        s.rest[i] = order[HAND * players + i]
    s.players = players
    s.first = first
    s.active = first
    s.stage = PLAY
    s.valley = options[0]


@rule
def actor(s: State) -> int:
    return -1 if s.stage == OVER else int(s.active)


@rule
def phase(s: State) -> int:
    return int(s.stage)


@rule
def legal(s: State, out: NDArray[np.int32]) -> int:
    """S3: any card of the own hand."""
    if s.stage == OVER:
        return 0
    n = 0
    for card in range(CARDS):
        if s.hands[s.active, card] > 0:
            out[n] = card
            n += 1
    return n


@rule
def apply(s: State, move: int) -> None:
    seat = int(s.active)
    s.hands[seat, move] = 0
    s.held[seat] -= 1
    s.table[seat] = move + 1
    if lying(s) < s.players:
        s.active = (seat + 1) % int(s.players)
        return
    winner = ahead(s)  # S4: takes the trick, and leads to the next one
    s.tricks[winner] += 1
    for other in range(int(s.players)):
        s.gone[s.table[other] - 1] = 1
        s.table[other] = 0
    s.active = winner
    if s.held[winner] == 0:  # S6
        s.stage = OVER


@rule
def scores(s: State, out: NDArray[np.int32]) -> None:
    for seat in range(int(s.players)):
        out[seat] = s.tricks[seat]


@rule
def outcome(s: State, out: NDArray[np.int32]) -> None:
    """S6: most tricks; who has as many shares the win."""
    most = 0
    for seat in range(int(s.players)):
        most = max(most, int(s.tricks[seat]))
    for seat in range(int(s.players)):
        out[seat] = 1 if s.tricks[seat] == most else 0
