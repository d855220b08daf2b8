"""LINX, what a seat knows: a random completion of it, and the same as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.rule import part, rule
from foxrow.games.linx.frame import FRAMES, cells_in, frame, symbol_first, symbols_in
from foxrow.games.linx.grid import CELLS, block, completing, lowest, pairing, ring
from foxrow.games.linx.rules import DOWN, MOVES, open_cells, visible
from foxrow.games.linx.state import (
    NOBODY,
    OVER,
    SEATS,
    SYMBOLS,
    TILES,
    View,
    beaten_by,
    beater_of,
    covered,
    face_up,
    limit,
    occupied,
    remaining,
)
from foxrow.games.linx.tally import COVER, HABIT, KINDS, LATE, TILE, counted, empty_cells, habit, packed, standing
from foxrow.games.linx.threat import coverable, holds, stops


@rule
def fill(v: View, rng: Rng) -> None:
    """X13: each colour's unseen tiles, shuffled, go to the unknown places of its hand and into its pile.

    The pile itself is the room they are shuffled in: nothing is allocated.
    """
    for seat in range(int(v.players)):
        n = 0
        for symbol in range(SYMBOLS):
            seen = int(v.hands[seat, symbol]) if seat == v.seer else int(v.known[seat, symbol])
            for _ in range(remaining(v, seat, symbol) - seen):
                v.piles[seat, n] = symbol
                n += 1
        for i in range(n - 1, 0, -1):
            j = below(rng, i + 1)
            tile = v.piles[seat, i]
            v.piles[seat, i] = v.piles[seat, j]
            v.piles[seat, j] = tile
        if seat != v.seer:
            for symbol in range(SYMBOLS):
                v.hands[seat, symbol] = v.known[seat, symbol]
            while n > v.stock[seat]:
                n -= 1
                v.hands[seat, v.piles[seat, n]] += 1
        for i in range(n, TILES):
            v.piles[seat, i] = 0
    for seat in range(int(v.players), SEATS):
        for symbol in range(SYMBOLS):
            v.hands[seat, symbol] = 0
        for i in range(TILES):
            v.piles[seat, i] = 0


# Features: seats are counted clockwise from the seer, and a plane is a value for each of the 36 cells, in the
# order of the move numbers. Planes lie on the grid that wraps round, not in the box: a cell of a plane and
# the moves on that cell keep their index whatever the box does. So a net with convolutions that wrap round
# (circular padding) cannot even see where the grid floats, and a plain net finds the first tile at cell 0.
# `open` and the lines that are one tile short are what a beginner looks at first; `forks`, `covers` and `stops` are
# what the rule of thumb looks at; `holds` and what the tally says are for the end of a full grid, where tiles are
# counted. They follow from the rest, and are there so that a net of a few layers need not find them first. The rest is
# there so that nothing which the seat knows is left out. (Columns and rows as people count them are not: a set-up may
# call its cells what it likes.)

FEATURES_VERSION = 4
FEATURE_FIELDS: tuple[tuple[str, int, str], ...] = (
    ("faces", SYMBOLS * CELLS, "planes by symbol (rock, paper, scissors): 1 where this tile lies face up on top"),
    ("face_up", SEATS * CELLS, "planes by seat: 1 where a face-up tile of this seat lies on top"),
    ("nobodys", CELLS, "plane: 1 where a face-up tile of the unplayed colour lies on top"),
    ("face_down", SEATS * CELLS, "planes by seat: 1 where a face-down tile of this seat lies"),
    ("under", SYMBOLS * CELLS, "planes by symbol: 1 + the seat (4: nobody) whose tile of this symbol is covered there"),
    ("open", CELLS, "plane: 1 where a tile may be placed face up"),
    ("box", CELLS, "plane: 1 inside the smallest rectangle around all tiles"),
    ("line_up", SEATS * CELLS, "planes by seat: 1 where a face-up tile would give this seat a line"),
    (
        "line_down",
        SEATS * CELLS,
        "planes by seat: where a cover would give this seat a line, the chance in percent that "
        "it can, as far as the seer knows; 1 on cells that are still open",
    ),
    ("hand", SYMBOLS, "tiles in the seer's hand, by symbol"),
    ("remaining", SEATS * SYMBOLS, "tiles of each seat that are not on the board, by symbol"),
    ("known", SEATS * SYMBOLS, "tiles known in each hand, by symbol"),
    ("held", SEATS, "size of each hand"),
    ("stock", SEATS, "size of each pile"),
    ("visible", SEATS, "tiles of each seat on top"),
    ("points", SEATS, "rounds won before this one, if a set-up says so; else −1"),
    ("there", SEATS, "1 for each seat that is taken"),
    ("active", SEATS, "one-hot: the seat whose turn it is; all 0 when the round is over"),
    ("first", SEATS, "one-hot: the seat that started"),
    ("players", 1, "number of players"),
    ("limit", 1, "columns and rows that the tiles may take"),
    ("teams", 1, "1 when opposite seats are partners"),
    ("passes", 1, "passes in a row that drew no tile"),
    ("over", 1, "1 when the round is over"),
    ("forks", SEATS * CELLS, "planes by seat: where a face-up tile leaves it 1, or 2 and more, ways to a line"),
    ("covers", CELLS, "plane: where a cover, given a tile, leaves the seer 1, or 2 and more, ways to a face-down line"),
    ("stops", (SEATS - 1) * CELLS, "planes by other seat that could win face up: 1 where any tile stops it"),
    ("holds", SEATS * SYMBOLS, "the chance in percent that each seat holds a symbol, as far as the seer knows"),
    ("tally", SEATS, "how far ahead each seat would end by habit (see `tally`), once few cells are empty; else 0"),
    ("laying", SYMBOLS, "the same for the seer, to move, if it lays each symbol"),
    ("covering", SEATS * SYMBOLS, "and if it covers a tile of each seat and symbol"),
)
FEATURES = sum(size for _, size, _ in FEATURE_FIELDS)


@rule
def features(v: View, seat: int, out: NDArray[np.int8]) -> None:
    players = int(v.players)
    lids = covered(v)
    places = open_cells(v)
    targets = occupied(v) & ~lids
    at = 0
    for symbol in range(SYMBOLS):
        at = write_plane(int(v.faces[symbol]) & ~lids, out, at)
    for i in range(SEATS):
        at = write_plane(face_up(v, (seat + i) % players) if i < players else 0, out, at)
    at = write_plane(face_up(v, NOBODY), out, at)
    for i in range(SEATS):
        at = write_plane(int(v.covers[(seat + i) % players]) if i < players else 0, out, at)
    at = write_under(v, seat, out, at)
    at = write_plane(places, out, at)
    box = block(ring(int(v.left), int(v.width)), ring(int(v.top), int(v.height)))
    at = write_plane(box, out, at)
    for i in range(SEATS):
        other = (seat + i) % players
        at = write_plane(completing(face_up(v, other)) & places if i < players else 0, out, at)
    for i in range(SEATS):
        at = write_lids(v, seat, i, targets, places, out, at)
    for symbol in range(SYMBOLS):
        out[at + symbol] = v.hands[seat, symbol]
    at += SYMBOLS
    for i in range(SEATS):
        other = (seat + i) % players
        for symbol in range(SYMBOLS):
            out[at + i * SYMBOLS + symbol] = remaining(v, other, symbol) if i < players else 0
            out[at + (SEATS + i) * SYMBOLS + symbol] = v.known[other, symbol] if i < players else 0
    at += 2 * SEATS * SYMBOLS
    for i in range(SEATS):
        other = (seat + i) % players
        there = i < players
        out[at + i] = v.held[other] if there else 0
        out[at + SEATS + i] = v.stock[other] if there else 0
        out[at + 2 * SEATS + i] = visible(v, other) if there else 0
        out[at + 3 * SEATS + i] = v.points[other] if there else -1
        out[at + 4 * SEATS + i] = 1 if there else 0
        out[at + 5 * SEATS + i] = 1 if there and other == v.active and v.stage != OVER else 0
        out[at + 6 * SEATS + i] = 1 if there and other == v.first else 0
    at += 7 * SEATS
    out[at] = players
    out[at + 1] = limit(v)
    out[at + 2] = v.teams
    out[at + 3] = v.passes
    out[at + 4] = 1 if v.stage == OVER else 0
    at += 5
    free = int(v.reach) & ~occupied(v)
    for i in range(SEATS):
        tiles = face_up(v, (seat + i) % players) if i < players else 0
        one, two = pairing(tiles, free)
        at = write_counts(one, two, out, at)
    lids = int(v.covers[seat])
    beaten = targets & coverable(v, seat)
    one, two = pairing(lids, beaten)
    at = write_counts(one, two, out, at)
    for i in range(1, SEATS):
        at = write_plane(stops(v, (seat + i) % players, places) if i < players else 0, out, at)
    at = write_hands(v, seat, out, at)
    write_tally(v, seat, out, at)


@part
def write_hands(v: View, seat: int, out: NDArray[np.int8], at: int) -> int:
    """Which symbols everybody may have in hand."""
    players = int(v.players)
    for i in range(SEATS):
        for symbol in range(SYMBOLS):
            chance = 0
            if i == 0:
                chance = 100 if v.hands[seat, symbol] > 0 else 0
            elif i < players:
                chance = holds(v, (seat + i) % players, symbol)
            out[at + i * SYMBOLS + symbol] = chance
    return at + SEATS * SYMBOLS


@part
def write_tally(v: View, seat: int, out: NDArray[np.int8], at: int) -> None:
    """How the count would end, and what each kind of move makes of it. The kinds are counted one after the other, so
    that lanes of a GPU which have others to count do it together; what the seat does by habit is one of them."""
    players = int(v.players)
    for i in range(SEATS + SYMBOLS + SEATS * SYMBOLS):
        out[at + i] = 0
    cells = empty_cells(v)
    if v.stage == OVER or cells > LATE:
        return
    start = symbol_first(v, seat)
    up, left, seats = packed(v)
    kinds = 0  # a bit for each
    usual = KINDS  # which of them habit is: one of its own, as when somebody else is to move
    if v.active == seat:
        room = open_cells(v) != 0
        for symbol in range(SYMBOLS):
            if v.hands[seat, symbol] > 0:
                if room:
                    kinds |= 1 << symbol
                beaten = beaten_by(symbol)
                for owner in range(players):
                    if (up >> (TILE * (owner * SYMBOLS + beaten))) & 15:
                        kinds |= 1 << (COVER + owner * SYMBOLS + beaten)
        own = habit(v, seat, True, start, up, left, seats, cells)
        if own != HABIT and (kinds >> own) & 1:
            usual = own
    kinds |= 1 << usual
    while kinds != 0:
        kind = lowest(kinds)
        kinds &= kinds - 1
        end = counted(v, seat, kind if kind < KINDS else HABIT, start, up, left, seats, cells)
        if kind < COVER:
            out[at + SEATS + kind] = standing(v, seat, end)
        elif kind < KINDS:
            owner = (kind - COVER) // SYMBOLS
            place = SEATS + COVER + (owner - seat) % players * SYMBOLS
            out[at + place + kind - COVER - owner * SYMBOLS] = standing(v, seat, end)
        if kind == usual:
            for i in range(players):
                out[at + i] = standing(v, (seat + i) % players, end)


@part
def write_lids(v: View, seat: int, i: int, targets: int, places: int, out: NDArray[np.int8], at: int) -> int:
    """Where the i-th seat lacks one cover for a line: a tile that lies there, or one that somebody may lay there."""
    if i >= int(v.players):
        return write_plane(0, out, at)
    other = (seat + i) % int(v.players)
    ends = completing(int(v.covers[other])) if int(v.covers[other]) != 0 else 0
    write_plane(ends & places, out, at)
    for symbol in range(SYMBOLS):
        cells = ends & targets & int(v.faces[symbol])
        if cells != 0:
            beater = beater_of(symbol)
            chance = holds(v, other, beater)
            if i == 0:
                chance = 100 if v.hands[seat, beater] > 0 else 0
            while cells != 0:
                out[at + lowest(cells)] = chance
                cells &= cells - 1
    return at + CELLS


@part
def write_counts(one: int, two: int, out: NDArray[np.int8], at: int) -> int:
    for cell in range(CELLS):
        out[at + cell] = ((one >> cell) & 1) + ((two >> cell) & 1)
    return at + CELLS


@part
def write_plane(cells: int, out: NDArray[np.int8], at: int) -> int:
    for cell in range(CELLS):
        out[at + cell] = (cells >> cell) & 1
    return at + CELLS


@part
def write_under(v: View, seat: int, out: NDArray[np.int8], at: int) -> int:
    """Whose tiles are covered, and which: nobody can use them, but everybody saw them."""
    players = int(v.players)
    lids = covered(v)
    for symbol in range(SYMBOLS):
        write_plane(0, out, at)
        for owner in range(SEATS + 1):
            relative = owner if owner == NOBODY else (owner - seat) % players
            cells = int(v.owners[owner]) & int(v.faces[symbol]) & lids
            while cells != 0:
                out[at + lowest(cells)] = 1 + relative
                cells &= cells - 1
        at += CELLS
    return at


NEXT = 2  # tiles of each pile: what a placement draws
SECRETS = (2 * SEATS - 1) * SYMBOLS


@rule
def secret(v: View, seat: int, out: NDArray[np.int8]) -> None:
    """What the seat cannot know: the others' hands, and the next tiles of every pile, its own first; each by symbol."""
    for i in range(SECRETS):
        out[i] = 0
    players = int(v.players)
    for i in range(players):
        other = (seat + i) % players
        if i > 0:
            for symbol in range(SYMBOLS):
                out[(i - 1) * SYMBOLS + symbol] = v.hands[other, symbol]
        stock = int(v.stock[other])
        for k in range(max(0, stock - NEXT), stock):
            out[(SEATS - 1 + i) * SYMBOLS + int(v.piles[other, k])] += 1


# Frames: where each feature and each move is found in the frame of a position (see `frame`). A net learns and plays
# there; for everybody else features and moves lie as the board does.

BY_SYMBOL = {
    "faces": (SYMBOLS, CELLS),
    "under": (SYMBOLS, CELLS),
    "hand": (SYMBOLS,),
    "laying": (SYMBOLS,),
} | dict.fromkeys(
    ("remaining", "known", "holds", "covering"), (SEATS, SYMBOLS)
)  # what has a place for every symbol; of the rest, whatever has a multiple of 36 places is planes


def frames() -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int16]]:
    """[frame, i] the feature that is the i-th there; [frame, move] what each move is called there; [frame, i] the
    secret that is the i-th there."""
    columns = np.empty((FRAMES, FEATURES), np.int16)
    moves = np.empty((FRAMES, MOVES), np.int16)
    unseen = np.empty((FRAMES, SECRETS), np.int16)
    for number in range(FRAMES):
        cells, symbols = cells_in(number), symbols_in(number)
        back_cells, back_symbols = np.argsort(cells), np.argsort(symbols)
        at = 0
        for name, size, _ in FEATURE_FIELDS:
            here = np.arange(at, at + size)
            if name in BY_SYMBOL:
                shape = BY_SYMBOL[name]
                here = here.reshape(shape)
                here = here[back_symbols] if shape[0] == SYMBOLS else here[:, back_symbols]
                here = here[:, back_cells] if shape[-1] == CELLS else here
            elif size % CELLS == 0:
                here = here.reshape(-1, CELLS)[:, back_cells]
            columns[number, at : at + size] = here.ravel()
            at += size
        placed = (symbols[:, None] * CELLS + cells).ravel()
        moves[number] = np.concatenate((placed, DOWN + placed, [MOVES - 1]))
        unseen[number] = np.arange(SECRETS).reshape(-1, SYMBOLS)[:, back_symbols].ravel()
    return columns, moves, unseen


__all__ = [
    "FEATURES",
    "FEATURES_VERSION",
    "FEATURE_FIELDS",
    "FRAMES",
    "SECRETS",
    "features",
    "fill",
    "frame",
    "frames",
    "secret",
]
