"""Positions for the rule tests: only what matters is named, the rest is filled in."""

from __future__ import annotations

from typing import Any

from foxrow.core.position import Position
from foxrow.core.registry import game

LINEIT = game("lineit")
Card = int | str
COLOURS = ("heart", "diamond", "leaf", "star")


def position(
    market: list[Card],
    lines: list[list[Card]] | None = None,
    hands: list[list[Card]] | None = None,
    *,
    players: int = 2,
    deck: list[Card] | None = None,
    scores: list[int] | None = None,
    jackpots: dict[str, list[Card]] | None = None,
    first: int = 0,
    active: int = 0,
    taken: bool = False,
    played: bool = False,
) -> Position:
    setup: dict[str, Any] = {
        "deck": deck or [],
        "market": market,
        "lines": lines or [[] for _ in range(players)],
        "hands": hands or [[] for _ in range(players)],
        "scores": scores or [0] * players,
        "jackpots": {colour: (jackpots or {}).get(colour, []) for colour in COLOURS},
        "first": first,
        "active": active,
        "taken": taken,
        "played": played,
    }
    return Position.from_setup(LINEIT, setup, players)


def setup_of(p: Position) -> dict[str, Any]:
    setup: dict[str, Any] = LINEIT.rules.text.write_setup(p.state)
    return setup
