"""Frames: a table that is turned, mirrored, moved, or has other names for its symbols looks the same to a net."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from foxrow.core.batch import Batch, all_variants
from foxrow.core.registry import game
from foxrow.games.linx.frame import FRAMES, TURNS, cells_in, symbols_in
from foxrow.games.linx.grid import CELLS, SIDE
from foxrow.games.linx.state import NOBODY, SYMBOLS
from foxrow.games.linx.view import FEATURE_FIELDS

LINX = game("linx")
RULES = LINX.rules


def moved_cells(cells: Any, where: NDArray[np.int64]) -> int:
    return sum(1 << int(where[i]) for i in range(CELLS) if (int(cells) >> i) & 1)


def seen_from(state: Any, number: int) -> Any:
    """The same table as somebody would have it who looks from a frame."""
    where, called = cells_in(number), symbols_in(number)
    room = RULES.states(1)
    room[0] = state
    other = room[0]
    for symbol in range(SYMBOLS):
        other.faces[called[symbol]] = moved_cells(state.faces[symbol], where)
        for seat in range(NOBODY):
            for field in ("hands", "known", "missing"):
                getattr(other, field)[seat, called[symbol]] = getattr(state, field)[seat, symbol]
    for seat in range(NOBODY + 1):
        other.owners[seat] = moved_cells(state.owners[seat], where)
        if seat < NOBODY:
            other.covers[seat] = moved_cells(state.covers[seat], where)
            for i in range(int(state.stock[seat])):
                other.piles[seat, i] = called[int(state.piles[seat, i])]
    other.reach = moved_cells(state.reach, where)
    turn, place = number // CELLS % TURNS, number % CELLS
    left, top, width, height = (int(getattr(state, name)) for name in ("left", "top", "width", "height"))
    if turn & 4:
        left, top, width, height = top, left, height, width
    other.left = (-(left + width - 1) if turn & 1 else left) + place // SIDE
    other.top = (-(top + height - 1) if turn & 2 else top) + place % SIDE
    other.width, other.height = width, height
    return other


def look(state: Any) -> tuple[NDArray[np.int8], set[int]]:
    seat = RULES.actor(state)
    columns, names = RULES.frames.features, RULES.frames.moves
    frame = RULES.frame(state, seat)
    legal = {int(names[frame, move]) for move in RULES.legal(state)}
    return RULES.features(state, seat)[columns[frame]], legal


def positions(n: int, seed: int = 5) -> Iterator[Any]:
    batch = Batch(LINX, 24, all_variants(LINX), seed=seed, observe=False, masks=False, threads=1)
    while n > 0:
        batch.wander(1)
        for i in range(0, batch.n, 5):
            yield batch.states[i]
            n -= 1


def test_the_tables_of_a_frame_only_change_places() -> None:
    columns, names = RULES.frames.features, RULES.frames.moves
    assert columns.shape == (FRAMES, RULES.FEATURES) and names.shape == (FRAMES, RULES.MOVES)
    for number in range(0, FRAMES, 7):
        assert sorted(columns[number]) == list(range(RULES.FEATURES))
        assert sorted(names[number]) == list(range(RULES.MOVES))


def test_features_and_moves_turn_with_the_table() -> None:
    """What a frame does to features and moves is what it does to the table."""
    lot = np.random.default_rng(3)
    columns, names = RULES.frames.features, RULES.frames.moves
    for state in positions(60):
        seat = RULES.actor(state)
        number = int(lot.integers(FRAMES))
        other = seen_from(state, number)
        assert RULES.features(other, seat).tolist() == RULES.features(state, seat)[columns[number]].tolist()
        assert RULES.secrets(other, seat).tolist() == RULES.secrets(state, seat)[RULES.frames.secrets[number]].tolist()
        assert sorted(RULES.legal(other)) == sorted(int(names[number, move]) for move in RULES.legal(state))


def test_equal_tables_look_equal() -> None:
    lot = np.random.default_rng(4)
    same = all_ = 0
    for state in positions(400):
        if min(state.width, state.height) > 2:  # a smaller box has more room round it than a ring of six can show
            seen, legal = look(state)
            turned, moves = look(seen_from(state, int(lot.integers(FRAMES))))
            same += seen.tolist() == turned.tolist() and legal == moves
            all_ += 1
    assert all_ > 200 and same >= 0.98 * all_, "but for a few whose sides weigh the same"


@pytest.mark.parametrize("field", ["hands", "piles"])
def test_a_frame_says_nothing_of_what_is_hidden(field: str) -> None:
    rng = np.array([1, 2, 3, 4], np.int64)
    for state in positions(60, seed=8):
        seat = RULES.actor(state)
        view = RULES.mask(state, seat)
        assert RULES.frame(view, seat) == RULES.frame(state, seat)
        RULES.fill(view, rng)
        assert getattr(view, field).shape and RULES.frame(view, seat) == RULES.frame(state, seat)


def test_the_box_begins_at_the_first_cell_and_lies_on_its_longer_side() -> None:
    for state in positions(100, seed=9):
        seen, _ = look(state)
        at: dict[str, slice] = {}
        start = 0
        for name, size, _ in FEATURE_FIELDS:
            at[name] = slice(start, start + size)
            start += size
        box = seen[at["box"]].reshape(SIDE, SIDE)
        if box.any():
            wide, high = box.any(0).sum(), box.any(1).sum()
            assert wide >= high and box[:high, :wide].all()
        hand = seen[at["hand"]]
        assert hand[0] == hand.max()
