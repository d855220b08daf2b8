"""LINX, the grid as bits: a set of cells is one number.

X3 keeps all tiles within five columns and five rows, wherever these lie. So columns and rows counted modulo six tell
apart every cell that holds a tile or may get one, and the grid floats without a border: cell (column, row) is bit
(row mod 6) · 6 + column mod 6. The first column is next to the last, yet a column without tiles always lies between
(and a row): three tiles are never in line across it, and nothing is next to what it should not be.
36 bits are far from the sign of an int64, so plain Python and machine code agree.
"""

from __future__ import annotations

from foxrow.core.rule import part

SIDE = 6
CELLS = SIDE * SIDE
ALL = (1 << CELLS) - 1
ROW = (1 << SIDE) - 1  # the cells of row 0
COLUMN = ALL // ROW  # the cells of column 0: the first bit of each row
WAYS = 8  # to a neighbour; ways 2k and 2k + 1 are opposite


@part
def cell_at(column: int, row: int) -> int:
    return row % SIDE * SIDE + column % SIDE


@part
def east(cells: int) -> int:
    """All cells moved one column to the right."""
    return ((cells & ~(COLUMN << (SIDE - 1))) << 1) | ((cells >> (SIDE - 1)) & COLUMN)


@part
def west(cells: int) -> int:
    return ((cells >> 1) & ~(COLUMN << (SIDE - 1))) | ((cells & COLUMN) << (SIDE - 1))


@part
def south(cells: int, rows: int) -> int:
    """All cells moved down by 1 to 5 rows."""
    return ((cells << (SIDE * rows)) & ALL) | (cells >> (SIDE * (SIDE - rows)))


@part
def near(cells: int) -> int:
    """The cells and their eight neighbours (X6)."""
    band = cells | east(cells) | west(cells)
    return band | south(band, 1) | south(band, SIDE - 1)


@part
def step(cells: int, way: int) -> int:
    """All cells moved one step: east, west, south, north, south-east, north-west, north-east, south-west."""
    if way == 0 or way == 4 or way == 6:
        cells = east(cells)
    elif way == 1 or way == 5 or way == 7:
        cells = west(cells)
    if way == 2 or way == 4 or way == 7:
        cells = south(cells, 1)
    elif way == 3 or way == 5 or way == 6:
        cells = south(cells, SIDE - 1)
    return cells


@part
def has_line(cells: int) -> bool:
    """X9: whether three adjacent cells in a row, a column or a diagonal are all in the set."""
    middles = 0
    for way in range(0, WAYS, 2):  # a way and its opposite
        middles |= step(cells, way) & step(cells, way + 1)
    return cells & middles != 0


@part
def completing(cells: int) -> int:
    """The cells that make a line with two of the set: beyond a pair, or between two."""
    found = 0
    for way in range(0, WAYS, 2):
        after = step(cells, way)
        before = step(cells, way + 1)
        found |= (after & before) | (after & step(after, way)) | (before & step(before, way + 1))
    return found


@part
def pairing(cells: int, thirds: int) -> tuple[int, int]:
    """The cells that, added to the set, leave one of `thirds` to complete a line; and those that leave two or more."""
    one = 0
    two = 0
    for way in range(WAYS):
        back = way ^ 1
        third = step(thirds, back)  # cells whose neighbour this way is a third …
        between = third & (step(cells, way) | step(step(cells, back), back))  # … and the line goes on with ours
        beyond = step(third, back) & step(cells, back)  # our neighbour this way, and a third behind it
        two |= (one & between) | ((one | between) & beyond)
        one |= between | beyond
    return one, two


@part
def count(cells: int) -> int:
    """How many cells: the bits of each pair, then of each four, of each byte, are added side by side."""
    cells -= (cells >> 1) & 0x5555555555555555
    cells = (cells & 0x3333333333333333) + ((cells >> 2) & 0x3333333333333333)
    cells = (cells + (cells >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((cells * 0x0101010101010101) >> 56) & 0xFF  # the top byte of the product is the sum of all bytes


@part
def lowest(cells: int) -> int:
    """The first cell of a set that is not empty: as many as there are bits below it."""
    return count((cells & -cells) - 1)


@part
def ring(first: int, n: int) -> int:
    """`n` columns (or rows) from `first` on, as bits 0 … 5 of where they lie modulo six."""
    bits = ((1 << n) - 1) << (first % SIDE)
    return (bits | (bits >> SIDE)) & ROW


@part
def block(columns: int, rows: int) -> int:
    """The cells where these columns and rows meet, both as `ring` gives them."""
    cells = 0
    for row in range(SIDE):
        if (rows >> row) & 1:
            cells |= columns << (SIDE * row)
    return cells
