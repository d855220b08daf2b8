"""Reading JSON that a person wrote: each step checks one shape and names the place that is wrong."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from foxrow.core.errors import SetupError, quoted


def keys(data: object, place: str, needs: tuple[str, ...], may: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """An object with all keys of `needs`, perhaps those of `may`, and no others."""
    if not isinstance(data, dict):
        raise SetupError(place or "setup", f"must be an object, not {quoted(data)}")
    for key in needs:
        if key not in data:
            raise SetupError(place or "setup", f"the key {quoted(key)} is missing")
    for key in data:
        if key not in needs and key not in may:
            raise SetupError(place or "setup", f"there is no key {quoted(key)}")
    return data


def entries(data: object, place: str) -> Iterator[tuple[str, Any]]:
    """The entries of a list, each with its place."""
    if not isinstance(data, list):
        raise SetupError(place, f"must be a list, not {quoted(data)}")
    for i, value in enumerate(data):
        yield f"{place}[{i}]", value


def seats(data: object, place: str, players: int) -> Iterator[tuple[int, str, Any]]:
    """The entries of a list with one entry a seat."""
    found = list(entries(data, place))
    if len(found) != players:
        raise SetupError(place, f"needs one entry a seat, so {players}, not {len(found)}")
    for seat, (at, value) in enumerate(found):
        yield seat, at, value


def entry(data: Mapping[str, Any], key: str, allowed: Container[int], default: int | None = None) -> int:
    """A whole number out of those allowed."""
    value = data.get(key, default)
    return number(value, key, allowed)


def number(value: object, place: str, allowed: Container[int]) -> int:
    """A whole number out of those allowed; `true` and 1.0 are none."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise SetupError(place, f"must be a whole number {_range(allowed)}, not {quoted(value)}")
    return value


def flag(data: Mapping[str, Any], key: str) -> bool:
    """True or false."""
    value = data.get(key)
    if not isinstance(value, bool):
        raise SetupError(key, f"must be true or false, not {quoted(value)}")
    return value


def _range(allowed: Container[int]) -> str:
    return f"from {allowed[0]} to {allowed[-1]}" if isinstance(allowed, range) else f"in {allowed}"
