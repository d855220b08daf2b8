"""Positions for the rule tests: only what matters is named, the rest is filled in."""

from __future__ import annotations

from typing import Any

from foxrow.core.position import Position
from foxrow.core.registry import game

Card = int | str
Row = list[Card]


def position(
    hands: list[list[Card]],
    stacks: list[list[Row]] | None = None,
    display: list[Card] | None = None,
    pile: list[Card] | None = None,
    active: int = 0,
    **options: bool,
) -> Position:
    setup: dict[str, Any] = {
        "hands": hands,
        "stacks": stacks or [[] for _ in hands],
        "display": [1, 2, 3, 4, 5, 6] if display is None else display,
        "pile": [1, 2, 3, 4, 5, 6, 7, 8] if pile is None else pile,
        "discard": [],
        "active": active,
    }
    return Position.from_setup(game("linko"), setup, len(hands), options=options)
