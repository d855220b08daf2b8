"""What a round counts for, where points add up over the rounds of a match."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stakes:
    ahead: tuple[int, ...]  # every seat's points from the rounds before
    left: int  # rounds after this one
