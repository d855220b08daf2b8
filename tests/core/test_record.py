"""Records fail closed: what does not say who may see it is no field."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from foxrow.core.record import SPECTATOR, TRUTH, Record, blank, copy, hidden, mask, one, owner, public, record


@record
class Sample(Record):
    hands: Annotated[NDArray[np.int16], owner, (3, 2)]
    deck: Annotated[NDArray[np.int8], hidden, (4,)]
    top: Annotated[int, hidden, np.int32]
    turn: Annotated[int, public, np.int8]


def sample() -> Sample:
    s = one(Sample)
    s.hands[:] = [[1, 2], [3, 4], [5, 6]]
    s.deck[:] = [7, 8, 9, 10]
    s.top = 100_000
    s.turn = 1
    return s


def test_mask_blanks_what_the_declarations_hide() -> None:
    v = mask(sample(), 1, Sample.visibility)  # type: ignore[attr-defined]
    assert v.hands.tolist() == [[-1, -1], [3, 4], [-1, -1]]  # type: ignore[attr-defined]
    assert v.deck.tolist() == [-1] * 4  # type: ignore[attr-defined]
    assert (v.top, v.turn, v.seer) == (-1, 1, 1)  # type: ignore[attr-defined]


def test_spectators_see_no_hand() -> None:
    v = mask(sample(), SPECTATOR, Sample.visibility)  # type: ignore[attr-defined]
    assert (v.hands == -1).all()  # type: ignore[attr-defined]
    assert v.seer == SPECTATOR


def test_masking_copies() -> None:
    s = sample()
    mask(s, 0, Sample.visibility)  # type: ignore[attr-defined]
    assert s.hands.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert s.seer == TRUTH


def test_a_view_is_not_masked_for_another_seat() -> None:
    v = mask(sample(), 0, Sample.visibility)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="only the truth"):
        mask(v, 1, Sample.visibility)  # type: ignore[attr-defined]


def test_copy_is_its_own() -> None:
    s = sample()
    twin = copy(s)
    twin.hands[0, 0] = 9
    assert s.hands[0, 0] == 1


def test_blank_states_are_truth() -> None:
    assert (blank(Sample, 3).seer == TRUTH).all()
    assert not blank(Sample, 3).hands.any()


def test_a_field_that_does_not_say_who_sees_it_fails() -> None:
    class Leaky(Record):
        hands: NDArray[np.int8]

    class Silent(Record):
        hands: Annotated[NDArray[np.int8], (3, 2)]

    for cls in (Leaky, Silent):
        with pytest.raises(TypeError, match="who may see it"):
            record(cls)


def test_a_field_with_holes_must_be_signed() -> None:
    class Unsigned(Record):
        deck: Annotated[NDArray[np.uint8], hidden, (3,)]

    with pytest.raises(TypeError, match="signed"):
        record(Unsigned)


def test_an_owner_field_needs_a_seat_axis() -> None:
    class Flat(Record):
        secret: Annotated[int, owner, np.int8]

    with pytest.raises(TypeError, match="first axis"):
        record(Flat)


def test_a_field_may_not_hide_behind_a_name_of_numpy() -> None:
    class Shadowed(Record):
        size: Annotated[int, public, np.int8]

    with pytest.raises(TypeError, match="NumPy"):
        record(Shadowed)


def test_every_byte_belongs_to_a_field() -> None:
    class Gappy(Record):
        small: Annotated[int, public, np.int8]
        wide: Annotated[int, public, np.int64]
        pair: Annotated[NDArray[np.int16], public, (3,)]

    dtype = record(Gappy).dtype
    assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize
    assert dtype.isalignedstruct
