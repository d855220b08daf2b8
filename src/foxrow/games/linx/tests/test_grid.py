"""The grid's sets of cells against plain sets of coordinates, on the grid that wraps round."""

from __future__ import annotations

import random
from collections.abc import Iterator

from foxrow.games.linx import grid
from foxrow.games.linx.grid import SIDE

Cell = tuple[int, int]
WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]


def plain(cells: int) -> set[Cell]:
    return {(i % SIDE, i // SIDE) for i in range(SIDE * SIDE) if cells >> i & 1}


def moved(cells: set[Cell], right: int, down: int) -> set[Cell]:
    return {((x + right) % SIDE, (y + down) % SIDE) for x, y in cells}


def lines() -> Iterator[list[Cell]]:
    for x, y in plain(grid.ALL):
        for right, down in WAYS[::2]:
            yield [((x + right * i) % SIDE, (y + down * i) % SIDE) for i in (-1, 0, 1)]


def samples() -> Iterator[tuple[int, int]]:
    chance = random.Random(1)
    for _ in range(300):
        cells = chance.getrandbits(36) & chance.getrandbits(36) & chance.getrandbits(36)
        yield cells, chance.getrandbits(36) & chance.getrandbits(36) & ~cells
    yield 0, grid.ALL
    yield grid.ALL, 0


def test_steps_and_neighbours() -> None:
    for cells, _ in samples():
        for way, (right, down) in enumerate(WAYS):
            assert plain(grid.step(cells, way)) == moved(plain(cells), right, down)
        around = [moved(plain(cells), right, down) for right, down in WAYS]
        assert plain(grid.near(cells)) == plain(cells).union(*around)


def test_lines_and_what_completes_them() -> None:
    every = list(lines())
    for cells, free in samples():
        ours, thirds = plain(cells), plain(free)
        assert grid.has_line(cells) == any(ours.issuperset(line) for line in every)
        assert plain(grid.completing(cells)) == {
            c for line in every for c in line if len(ours & (set(line) - {c})) == 2
        }
        ends = {c: set[Cell]() for c in plain(grid.ALL)}  # by cell: the thirds that would complete a line with it
        for line in every:
            for c in line:
                a, b = (d for d in line if d != c)
                ends[c] |= {third for own, third in ((a, b), (b, a)) if own in ours and third in thirds}
        for least in (1, 2):
            assert plain(grid.pairing(cells, free)[least - 1]) == {
                c for c, found in ends.items() if len(found) >= least
            }


def test_counting() -> None:
    for cells, _ in samples():
        assert grid.count(cells) == cells.bit_count()
        if cells:
            assert grid.lowest(cells) == min(y * SIDE + x for x, y in plain(cells))


def test_blocks() -> None:
    for first in range(-8, 8):
        for n in range(6):
            columns = {(first + i) % SIDE for i in range(n)}
            assert {i for i in range(SIDE) if grid.ring(first, n) >> i & 1} == columns
            block = grid.block(grid.ring(first, n), grid.ring(2, 2))
            assert plain(block) == {(x, y) for x in columns for y in (2, 3)}
