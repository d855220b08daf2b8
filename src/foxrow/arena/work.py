"""What one process plays of a plan. Its bots stay from batch to batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, Result, play_game
from foxrow.bots.factory import prepare

Job = tuple[Plan, list[int]]  # some deals of a plan

_mine: tuple[Plan, Players] | None = None  # this process's bots


def never() -> bool:
    return False


def work(plan: Plan, deals: Sequence[int], halted: Callable[[], bool] = never) -> list[Result]:
    """Play some deals in this process; once halted, no further game."""
    global _mine
    if halted():
        return []
    if _mine is None or _mine[0] != plan:
        if _mine is not None:
            _mine[1].close()
        prepare(plan.card, plan.bots)
        _mine = (plan, Players(plan))
    played: list[Result] = []
    for deal in deals:
        for game in range(len(plan.lineups)):
            if halted():
                return played
            played.append(play_game(plan, _mine[1], deal, game))
    return played


def dismiss() -> None:
    """End this process's programs from outside."""
    global _mine
    if _mine is not None:
        _mine[1].close()
        _mine = None
