"""Frames: a net counts numbers from the end of its own line, so a table in a mirror looks the same to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.batch import Batch, all_variants
from foxrow.games.lineit.frame import FRAMES, colours_in, numbers_in
from foxrow.games.lineit.rules import CLOSE, KEEP, PLAY, TAKE, move_card
from foxrow.games.lineit.state import COLOURS, NUMBERS, colour
from foxrow.games.lineit.tests.positions import LINEIT

RULES = LINEIT.rules


def mirrored(card: int) -> int:
    return NUMBERS + 1 - card if 0 < card <= NUMBERS else card


def in_a_mirror(state: Any) -> Any:
    """The table where 1 is called 100, 2 is 99 …: no rule can tell the two apart."""
    room = RULES.states(1)
    room[0] = state
    other = room[0]
    swap = np.vectorize(mirrored, otypes=[np.int8])
    for field in ("lines", "last", "hands", "market", "deck"):
        getattr(other, field)[...] = swap(getattr(state, field))
    other.way[...] = -state.way
    other.left[1 : NUMBERS + 1] = state.left[NUMBERS:0:-1]
    other.colours[...] = state.colours[:, ::-1]
    other.pots[...] = state.pots[::-1]
    other.jackpots[...] = swap(state.jackpots[::-1])
    return other


def look(state: Any) -> tuple[list[int], set[int]]:
    seat = RULES.actor(state)
    columns, names = RULES.frames.features, RULES.frames.moves
    frame = RULES.frame(state, seat)
    seen: NDArray[np.int8] = RULES.features(state, seat)[columns[frame]]
    return seen.tolist(), {int(names[frame, move]) for move in RULES.legal(state)}


def positions(n: int, seed: int = 5) -> Iterator[Any]:
    batch = Batch(LINEIT, 24, all_variants(LINEIT), seed=seed, observe=False, masks=False, threads=1)
    while n > 0:
        batch.wander(1)
        for i in range(0, batch.n, 5):
            yield batch.states[i]
            n -= 1


def test_the_tables_of_a_frame_only_change_places() -> None:
    columns, names = RULES.frames.features, RULES.frames.moves
    assert columns.shape == (FRAMES, RULES.FEATURES) and names.shape == (FRAMES, RULES.MOVES)
    for number in range(FRAMES):
        assert sorted(columns[number]) == list(range(RULES.FEATURES))
        assert sorted(names[number]) == list(range(RULES.MOVES))


def test_numbers_ahead_come_first_and_colours_go_with_them() -> None:
    for number in range(FRAMES):
        where, called = numbers_in(number), colours_in(number)
        end, step = number % NUMBERS, -1 if number >= NUMBERS else 1
        for far in range(NUMBERS):
            card = (end + step * (far + 1) - 1) % NUMBERS + 1
            assert where[card - 1] == far
            assert called[colour(card)] == far % COLOURS


def test_a_table_in_a_mirror_looks_the_same() -> None:
    same = 0
    for state in positions(400):
        seat = RULES.actor(state)
        if seat >= 0 and state.numbers[seat] > 0:
            assert look(in_a_mirror(state)) == look(state)
            same += 1
    assert same > 200


def test_a_move_is_called_by_how_far_ahead_its_card_lies() -> None:
    names = RULES.frames.moves
    seen = 0
    for state in positions(400, seed=6):
        seat = RULES.actor(state)
        if state.way[seat] == 0:
            continue
        frame = RULES.frame(state, seat)
        for move in RULES.legal(state):
            card = int(move_card(move)) if move < CLOSE else 0
            if 0 < card <= NUMBERS:
                base = TAKE if move < KEEP else KEEP if move < PLAY else PLAY
                far = (card - int(state.last[seat])) * int(state.way[seat])
                assert names[frame, move] - base == (far - 1) % NUMBERS
                seen += 1
    assert seen > 100
