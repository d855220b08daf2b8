"""A game state is one NumPy record, and each of its fields says who may see it.

`mask` is the only door from the truth to what a seat sees: it blanks with −1 what the declarations hide.
It fails closed: a field without a declaration is an error when the class is made.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import cache, lru_cache
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

TRUTH = -2  # `seer` of a true state
SPECTATOR = -1  # `seer` of what somebody without a seat sees


class Visibility(Enum):
    """Who may see a field."""

    PUBLIC = "public"  # all
    OWNER = "owner"  # the seat that indexes the first axis
    HIDDEN = "hidden"  # nobody


public, owner, hidden = Visibility.PUBLIC, Visibility.OWNER, Visibility.HIDDEN


class Record:
    """What core knows of any state. At run time a state is a `np.record`; this is its type."""

    seer: int  # −2 the truth, −1 a spectator, else the seat that sees
    dtype: np.dtype[Any]


class View(Record):
    """A state with holes. A type of its own, so that nobody passes the truth where a view belongs."""


R = TypeVar("R", bound=Record)

# Past `np.record`, which looks for a field of that name first.
_dtype_of: Callable[[Record], np.dtype[Any]] = cast(Any, np.generic).dtype.__get__
_bytes_of: Callable[[Record], bytes] = cast(Any, np.generic).tobytes


def record(cls: type[R]) -> type[R]:
    """Make a class with annotated fields a record type: `cls.dtype`, `cls.visibility`.

    `hands: Annotated[NDArray[np.int8], owner, (5, 14)]` or `phase: Annotated[int, public, np.int8]`.
    """
    fields: list[tuple[Any, ...]] = [("seer", np.int8)]
    visibility: dict[str, Visibility] = {"seer": public}
    hints = get_type_hints(cls, include_extras=True)
    for name in (n for base in reversed(cls.__mro__) for n in inspect.get_annotations(base)):
        if name in Record.__annotations__:
            continue
        kind, *notes = get_args(hints[name]) if hasattr(hints[name], "__metadata__") else [hints[name]]
        seen = [note for note in notes if isinstance(note, Visibility)]
        if len(seen) != 1:
            raise TypeError(f"{cls.__name__}.{name} does not say who may see it: public, owner or hidden")
        if hasattr(np.record, name):
            raise TypeError(f"{cls.__name__}.{name}: NumPy has that name, and plain Python would read NumPy's")
        visibility[name] = seen[0]
        if any(isinstance(note, tuple) for note in notes):
            arguments = get_args(kind)  # of np.ndarray; of the alias NDArray itself since NumPy 2.5
            scalar = arguments[0] if len(arguments) == 1 else get_args(arguments[1])[0]
            shape = next(note for note in notes if isinstance(note, tuple))
            fields.append((name, scalar, shape))
        else:
            scalar = next(note for note in notes if isinstance(note, type))
            shape = ()
            fields.append((name, scalar))
        if seen[0] is not public and not np.issubdtype(scalar, np.signedinteger):
            raise TypeError(f"{cls.__name__}.{name} can be hidden, so it must be signed: a hole is −1")
        if seen[0] is owner and not shape:
            raise TypeError(f"{cls.__name__}.{name} belongs to its owner, so its first axis must be the seat")
    # Wide fields first and the rest filled up, so that every byte belongs to a field: copies and views are equal to
    # the byte when they are equal, and hold nothing that happened to lie in memory. Aligned, as GPU loads must be.
    fields.sort(key=lambda field: -np.dtype(field[1]).itemsize)
    rest = np.dtype(fields, align=True).itemsize - np.dtype(fields).itemsize
    if rest:
        fields.append(("padding", np.int8, (rest,)))
        visibility["padding"] = public
    cls.dtype = np.dtype(fields, align=True)
    cls.visibility = visibility  # type: ignore[attr-defined]
    return cls


def blank(cls: type[R], n: int) -> Any:
    """An array of `n` states, all zero, marked as truth."""
    states = np.zeros(n, _records(cls.dtype)).view(np.recarray)
    states.seer = TRUTH
    return states


def one(cls: type[R]) -> R:
    """A single blank state."""
    return cast(R, blank(cls, 1)[0])


def copy(state: R) -> R:
    """A state of its own with the same content."""
    return cast(R, np.frombuffer(bytearray(_bytes_of(state)), _records(_dtype_of(state)))[0])


def mask(state: Record, seat: int, visibility: dict[str, Visibility]) -> View:
    """What `seat` sees of the truth (−1: a spectator), as a copy with holes."""
    dtype = _dtype_of(state)
    known = _HOLES.get((id(visibility), seat))
    if known is None or known[0] is not dtype or known[1] != list(visibility.values()):
        holes = _holes(dtype, seat, tuple(visibility.items()))
        at: int = cast(Any, dtype.fields)["seer"][1]
        known = _HOLES[id(visibility), seat] = (dtype, list(visibility.values()), holes, at)
    _, _, holes, at = known
    raw = np.frombuffer(cast(Any, state), np.uint8)
    if raw.item(at) not in (TRUTH % 256, seat % 256):
        raise ValueError("only the truth can be masked: a view has holes already")
    seen = raw | holes
    seen[at] = seat % 256
    return cast(View, np.frombuffer(seen, _records(dtype))[0])


# By the declarations' identity, and checked against them: a view is made for every seat after every move.
_HOLES: dict[tuple[int, int], tuple[np.dtype[Any], list[Visibility], NDArray[np.uint8], int]] = {}


def _records(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields for arrays whose elements are `np.record`: to view an array as `np.recarray` takes twenty times
    as long."""
    return dtype if dtype.type is np.record else _made_records(dtype)


@cache
def _made_records(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype((np.record, dtype))  # once: NumPy compares types slowly unless they are one object


@lru_cache(maxsize=256)
def _holes(dtype: np.dtype[Any], seat: int, visibility: tuple[tuple[str, Visibility], ...]) -> NDArray[np.uint8]:
    """The bytes of a record that a seat may not see, as 255: a signed integer of such bytes is −1."""
    array = np.zeros(1, dtype)
    for name, seen in visibility:
        values: NDArray[Any] = array[name]  # one leading axis: the record
        if seen is hidden:
            values[...] = -1
        elif seen is owner:
            others = [other for other in range(values.shape[1]) if other != seat]
            values[:, others] = -1
    return array.view(np.uint8)
