"""Thinking time. Pure: every call is told the time, in ms since 1970."""

from __future__ import annotations

from typing import Literal

import msgspec

DAY = 24 * 3600 * 1000


class ClockRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`move` and `days`: so long for each move; `game`: a bank for a round, more of it after each turn."""

    kind: Literal["none", "move", "game", "days"] = "none"
    seconds: int = 60
    increment: int = 0
    days: int = 3
    at_zero: Literal["bot", "lose"] = "bot"

    @property
    def start(self) -> int:
        """What a seat has at first, in ms."""
        return self.days * DAY if self.kind == "days" else self.seconds * 1000


class Clock:
    """One seat's time runs, or nobody's."""

    def __init__(self, rule: ClockRule, seats: int) -> None:
        self.rule = rule
        self.left = [rule.start] * seats
        self.running: int | None = None
        self.since = 0  # when it began to run

    def reset(self) -> None:
        """Full time for all, nobody's runs: a new round."""
        self.left = [self.rule.start] * len(self.left)
        self.running = None

    def run(self, seat: int | None, now: int, *, moved: bool = False) -> None:
        """Charge the seat whose time ran and let another's run (None: nobody's). Who `moved` has earned what a move
        earns: more time for the game, or a new time for the next move."""
        if self.rule.kind == "none":
            return
        if self.running is not None:
            before = self.running
            self.left[before] = self.remaining(before, now)
            if self.rule.kind != "game" and (moved or seat != before):
                self.left[before] = self.rule.start
            elif moved and seat != before:
                self.left[before] += self.rule.increment * 1000
        self.running, self.since = seat, now

    def take_back(self, seat: int | None, now: int) -> None:
        """A move is undone, and it is this seat's turn again: what the move had earned goes with it."""
        earned = self.rule.kind == "game" and seat is not None and seat != self.running
        self.run(seat, now)
        if earned and seat is not None:
            self.left[seat] = max(0, self.left[seat] - self.rule.increment * 1000)

    def skip(self, gap: int) -> None:
        """Time in which no clock ran: the server was away."""
        self.since += gap

    def remaining(self, seat: int, now: int) -> int:
        if seat != self.running:
            return self.left[seat]
        return max(0, self.left[seat] - max(0, now - self.since))

    def zero_at(self) -> int | None:
        """When the running time is used up."""
        return None if self.running is None else self.since + self.left[self.running]
