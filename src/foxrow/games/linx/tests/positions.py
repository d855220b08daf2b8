"""Positions for the rule tests: only what matters is named, the rest is filled in.

A tile on the board is written like a move, with its owner before it: `0R@0,0`, `1P#0,0`, `-S@1,1` (nobody's).
"""

from __future__ import annotations

from typing import Any

from foxrow.core.contract import Choice
from foxrow.core.position import Position
from foxrow.games.linx import GAME


def tile(text: str) -> dict[str, Any]:
    owner, symbol, kind = tuple(text[:3])
    column, row = text[3:].split(",")
    return {
        "at": [int(column), int(row)],
        "owner": None if owner == "-" else int(owner),
        "tile": symbol,
        "down": kind == "#",
    }


def setup(
    board: str, hands: list[str], piles: list[str] | None = None, active: int = 0, first: int = 0
) -> dict[str, Any]:
    return {
        "board": [tile(text) for text in board.split()],
        "hands": [list(hand) for hand in hands],
        "piles": [list(pile) for pile in (piles or [""] * len(hands))],
        "first": first,
        "active": active,
    }


def position(
    board: str,
    hands: list[str],
    piles: list[str] | None = None,
    active: int = 0,
    first: int = 0,
    options: dict[str, Choice] | None = None,
) -> Position:
    return Position.from_setup(GAME, setup(board, hands, piles, active, first), len(hands), options=options)
