"""LINX, frames: the same position, turned so that a net need not learn it anew for every way it may lie.

Nothing in the rules cares where the grid floats, which way is up, whether it is seen in a mirror, or which of the three
symbols is called rock, as long as each beats the one before. So there are 8 · 36 · 3 ways to look at a table that make
no difference. The frame of a position is the one in which a net sees it: the box begins at cell 0 and lies on its
longer side, the seer's own tiles gather in its first corner, and the symbol of which the seer holds most is the first.

A frame is a number: ((rotation of symbols · 8 + turn) · 6 + columns moved) · 6 + rows moved. A turn is three bits:
columns and rows swapped (4), then rows mirrored (2), then columns mirrored (1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import part, rule
from foxrow.games.linx.grid import CELLS, SIDE, count, lowest
from foxrow.games.linx.state import NOBODY, SEATS, SYMBOLS, View, face_up, remaining

TURNS = 8
FRAMES = SYMBOLS * TURNS * CELLS
OWN = 7  # how hard the seer's tiles pull towards the first corner; the others' less the later they come
UPRIGHT = 1 << 20  # more than any weight of tiles: a box that stands upright comes last


@rule
def frame(v: View, seat: int) -> int:
    """The frame that a seat looks from. It follows from what the seat knows, and equal tables look equal in theirs."""
    shift = symbol_first(v, seat)
    mass, across, along = gathered(v, seat)
    best = -1
    told = -1  # what tells the best one from its equals, once there are any
    chosen = 0
    for turn in range(TURNS):
        columns, rows = int(v.width), int(v.height)
        x, y = across, along
        if turn & 4 != 0:
            columns, rows = rows, columns
            x, y = y, x
        if turn & 1 != 0:
            x = mass * (columns - 1) - x
        if turn & 2 != 0:
            y = mass * (rows - 1) - y
        key = x * SIDE + y
        if columns < rows:
            key += UPRIGHT
        if key == best and mass > 0:
            if told < 0:
                told = told_apart(v, seat, chosen, shift)
            other = told_apart(v, seat, turn, shift)
            if other < told:
                told = other
                chosen = turn
        elif best < 0 or key < best:
            best = key
            told = -1
            chosen = turn
    return (shift * TURNS + chosen) * CELLS + place_of(v, chosen)


@part
def place_of(v: View, turn: int) -> int:
    """By how much the columns and rows move in a turn, so that the box begins at cell 0."""
    columns, rows = int(v.width), int(v.height)
    left, top = int(v.left), int(v.top)
    if turn & 4 != 0:
        columns, rows = rows, columns
        left, top = top, left
    dx = left + columns - 1 if turn & 1 != 0 else -left
    dy = top + rows - 1 if turn & 2 != 0 else -top
    return dx % SIDE * SIDE + dy % SIDE


@part
def symbol_first(v: View, seat: int) -> int:
    """The symbol that is to be the first: of which the seer holds most, then has most to come, then most lie."""
    best = -1
    chosen = 0
    for shift in range(SYMBOLS):
        key = 0
        for i in range(SYMBOLS):
            key = key * 32 + int(v.hands[seat, (i + shift) % SYMBOLS])
        for i in range(SYMBOLS):
            key = key * 32 + remaining(v, seat, (i + shift) % SYMBOLS)
        for i in range(SYMBOLS):
            key = key * 32 + count(int(v.faces[(i + shift) % SYMBOLS]))
        if key > best:
            best = key
            chosen = shift
    return chosen


@part
def gathered(v: View, seat: int) -> tuple[int, int, int]:
    """The tiles' weight, and how far they lie from the box's first column and first row, each times its weight."""
    players = int(v.players)
    left, top = int(v.left) % SIDE, int(v.top) % SIDE
    mass, across, along = 0, 0, 0
    for owner in range(SEATS + 1):
        if owner < players or owner == NOBODY:
            relative = owner if owner == NOBODY else (owner - seat + players) % players
            weight = OWN - relative
            cells = face_up(v, owner)
            if owner < NOBODY:
                cells |= int(v.covers[owner])
            while cells != 0:
                cell = lowest(cells)
                mass += weight
                across += weight * ((cell % SIDE - left + SIDE) % SIDE)
                along += weight * ((cell // SIDE - top + SIDE) % SIDE)
                cells &= cells - 1
    return mass, across, along


@part
def told_apart(v: View, seat: int, turn: int, shift: int) -> int:
    """A number for what lies where in a turn."""
    place = place_of(v, turn)
    players = int(v.players)
    key = 0
    for owner in range(SEATS + 1):
        if owner < players or owner == NOBODY:
            relative = owner if owner == NOBODY else (owner - seat + players) % players
            for symbol in range(SYMBOLS):
                kind = relative * SYMBOLS + (symbol - shift + SYMBOLS) % SYMBOLS
                key += mixed(face_up(v, owner) & int(v.faces[symbol]), turn, place, kind)
            if owner < NOBODY:
                key += mixed(int(v.covers[owner]), turn, place, (NOBODY + 1) * SYMBOLS + relative)
    return key


@part
def mixed(cells: int, turn: int, place: int, kind: int) -> int:
    key = 0
    while cells != 0:
        number = (kind * CELLS + moved(lowest(cells), turn, place) + 1) * 40503
        key += (number ^ (number >> 7)) * 2057 & 0xFFFFF
        cells &= cells - 1
    return key


@part
def moved(cell: int, turn: int, place: int) -> int:
    """Where a cell is in a frame."""
    column, row = cell % SIDE, cell // SIDE
    if turn & 4 != 0:
        column, row = row, column
    if turn & 1 != 0:
        column = -column
    if turn & 2 != 0:
        row = -row
    return (row + place % SIDE) % SIDE * SIDE + (column + place // SIDE) % SIDE


def cells_in(frame: int) -> NDArray[np.int64]:
    """[cell] where each cell is in a frame."""
    turn, place = frame // CELLS % TURNS, frame % CELLS
    return np.array([moved(cell, turn, place) for cell in range(CELLS)])


def symbols_in(frame: int) -> NDArray[np.int64]:
    """[symbol] what each symbol is called in a frame."""
    return (np.arange(SYMBOLS) - frame // (TURNS * CELLS)) % SYMBOLS
