"""LINX, the tally: how the count of tiles (X10) would end if everybody went on by habit.

A grid that fills up is decided by turns: who must lay a tile that the next one covers, and who runs out of tiles that
beat. So the rest of the round is played out in numbers, without a board: whoever likely has a tile that beats one of
the others' covers it, of the leader's first; else he lays the symbol of which he has most; else he draws. What lines
there may be is left out. The numbers are packed: four bits for the tiles of each owner and symbol that lie face up, or
of each seat and symbol that are to come; thirteen for each seat's hand, pile and tiles on top.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import part
from foxrow.games.linx.grid import count
from foxrow.games.linx.rules import DRAW, visible
from foxrow.games.linx.state import (
    COPIES,
    NOBODY,
    SEATS,
    SYMBOLS,
    TILES,
    View,
    allies,
    face_up,
    limit,
    occupied,
    remaining,
)

HABIT = -1  # no move is given
COVER = SYMBOLS  # moves: a symbol is laid, or, from here on, a tile of owner · 3 + symbol is covered
KINDS = COVER + SEATS * SYMBOLS  # of moves, those apart that cover what is nobody's
LATE = 12  # empty cells: with more of them the end is too far to be told
TILE = 4  # bits
HAND, PILE, TOPS = 0, 4, 8  # where they begin in a seat's
SEAT = 13  # bits
NEVER = 99  # more than any hand


def enough() -> NDArray[np.int8]:
    """[pool, copies]: the smallest hand drawn from the pool that has one of the copies in it as likely as not, by
    `threat.drawn`, which grows with the hand."""
    table = np.full((TILES + 1, COPIES + 1), NEVER, np.int8)
    for pool in range(TILES + 1):
        for copies in range(COPIES + 1):
            without = 100
            for i in range(pool):
                without = without * max(0, pool - copies - i) // (pool - i)
                if 100 - without >= 50:
                    table[pool, copies] = i + 1
                    break
    return table


ENOUGH = enough()


@part
def empty_cells(v: View) -> int:
    """Cells that will be filled before the count."""
    return limit(v) * limit(v) - count(occupied(v))


@part
def packed(v: View) -> tuple[int, int, int]:
    """The numbers as they are now: the tiles that lie face up, those that are to come, and the seats."""
    players = int(v.players)
    up, left, seats = 0, 0, 0
    for owner in range(SEATS + 1):
        if owner < players or owner == NOBODY:
            tiles = face_up(v, owner)
            for symbol in range(SYMBOLS):
                up += count(tiles & int(v.faces[symbol])) << (TILE * (owner * SYMBOLS + symbol))
                if owner < NOBODY:
                    left += remaining(v, owner, symbol) << (TILE * (owner * SYMBOLS + symbol))
        if owner < players:
            mine = (int(v.held[owner]) << HAND) + (int(v.stock[owner]) << PILE) + (visible(v, owner) << TOPS)
            seats += mine << (SEAT * owner)
    return up, left, seats


@part
def counted(v: View, seer: int, move: int, start: int, up: int, left: int, seats: int, cells: int) -> int:
    """Each seat's tiles on top at the end, packed, if the seat to act makes a move and all go on by habit. Of symbols
    that are as good as each other, the one that comes first from `start` on. The numbers are those of `packed`, and
    the cells those of `empty_cells`."""
    players = int(v.players)
    seat = int(v.active)
    passes = int(v.passes)
    certain = seat == seer  # it knows its hand until it has moved
    while passes < players:
        pile = (seats >> (SEAT * seat + PILE)) & 15
        if move == HABIT:
            move = habit(v, seat, certain, start, up, left, seats, cells)
        if move >= COVER:
            target = move - COVER
            owner = target // SYMBOLS
            beater = target - owner * SYMBOLS + 1
            if beater == SYMBOLS:
                beater = 0
            tile = seat * SYMBOLS + beater
            up -= 1 << (TILE * target)
            if owner < NOBODY:
                seats -= 1 << (SEAT * owner + TOPS)
            left -= 1 << (TILE * tile)
            seats += (1 << (SEAT * seat + TOPS)) - (1 << (SEAT * seat + HAND))
            passes = 0
        elif move >= 0:
            tile = seat * SYMBOLS + move
            up += 1 << (TILE * tile)
            left -= 1 << (TILE * tile)
            cells -= 1
            more = min(DRAW, pile)
            seats += (1 << (SEAT * seat + TOPS)) + ((more - 1) << (SEAT * seat + HAND))
            seats -= more << (SEAT * seat + PILE)
            passes = 0
        else:
            more = min(DRAW, pile)
            seats += (more << (SEAT * seat + HAND)) - (more << (SEAT * seat + PILE))
            passes = 0 if more > 0 else passes + 1
        move = HABIT
        certain = False
        seat += 1
        if seat == players:
            seat = 0
    return seats


@part
def habit(v: View, seat: int, certain: bool, start: int, up: int, left: int, seats: int, cells: int) -> int:
    """What the seat does: cover, lay, or (HABIT again) pass."""
    players = int(v.players)
    hand = (seats >> (SEAT * seat + HAND)) & 15
    if hand == 0:
        return HABIT
    pile = (seats >> (SEAT * seat + PILE)) & 15
    has = 0  # a bit for each symbol that it likely holds
    most = 0
    laid = HABIT
    symbol = start
    for _ in range(SYMBOLS):
        copies = (left >> (TILE * (seat * SYMBOLS + symbol))) & 15
        if certain:
            there = v.hands[seat, symbol] > 0
        else:
            there = copies > 0 and hand >= int(ENOUGH[hand + pile, copies])
        if there:
            has |= 1 << symbol
        if copies > 0 and (there or not certain):
            worth = copies + (SYMBOLS * 5 if there else 0)
            if worth > most:
                most = worth
                laid = symbol
        symbol += 1
        if symbol == SYMBOLS:
            symbol = 0
    best = -1
    chosen = HABIT
    if up != 0 and has != 0:
        symbol = start
        for _ in range(SYMBOLS):
            beater = symbol + 1
            if beater == SYMBOLS:
                beater = 0
            if (has >> beater) & 1:
                owner = seat
                for _i in range(1, players):
                    owner += 1
                    if owner == players:
                        owner = 0
                    there = (up >> (TILE * (owner * SYMBOLS + symbol))) & 15 != 0
                    if there and (v.teams == 0 or not allies(v, seat, owner)):
                        lead = ((seats >> (SEAT * owner + TOPS)) & 31) + 1
                        if lead > best:
                            best = lead
                            chosen = COVER + owner * SYMBOLS + symbol
                if best < 0 and (up >> (TILE * (NOBODY * SYMBOLS + symbol))) & 15:
                    best = 0
                    chosen = COVER + NOBODY * SYMBOLS + symbol
            symbol = beater
    if chosen != HABIT:
        return chosen
    return laid if cells > 0 else HABIT


@part
def standing(v: View, seat: int, seats: int) -> int:
    """How far a seat, or its team, is ahead at the end: twice the tiles; when level, 1 for who wins and −1 for who
    does not, as ties go to the later in turn order."""
    players = int(v.players)
    mine, best = 0, -1
    turn = seat - int(v.first)
    if turn < 0:
        turn += players
    later = True  # than all that are level
    for other in range(players):
        tiles = (seats >> (SEAT * other + TOPS)) & 31
        if v.teams != 0:
            tiles += (seats >> (SEAT * ((other + 2) % SEATS) + TOPS)) & 31
        if other == seat:
            mine = tiles
        elif v.teams == 0 or not allies(v, seat, other):
            place = other - int(v.first)
            if place < 0:
                place += players
            after = place > turn if v.teams == 0 else turn & 1 == 0
            if tiles > best:
                best = tiles
                later = not after
            elif tiles == best and after:
                later = False
    if mine == best:
        return 1 if later else -1
    return 2 * (mine - best)
