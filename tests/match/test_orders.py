"""Whatever comes in whatever order, also between a bot's turn and its move: a table is never stuck."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from foxrow.match.clock import ClockRule
from foxrow.match.refusal import Refusal
from foxrow.match.seats import Wish
from tests.match.tables import Keeper, any_game

SEATS = st.integers(0, 1)


class Orders(RuleBasedStateMachine):
    """Two people at a table with a clock; a bot may stand in."""

    keeper: Keeper

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(secrets, "token_hex", lambda n: "2d" * n)  # the same cards, so that a failure comes again

    def teardown(self) -> None:
        self.patch.undo()

    @initialize(kind=st.sampled_from(["none", "move", "game", "days"]), at_zero=st.sampled_from(["bot", "lose"]))
    def begin(self, kind: Any, at_zero: Any) -> None:
        wishes = [Wish("ann"), Wish("ben")]
        clock = ClockRule(kind=kind, seconds=10, increment=2, days=1, at_zero=at_zero)
        self.keeper = Keeper(any_game(), wishes, clock=clock)
        self.keeper.shuffle()

    def asked(self, ask: Callable[[], list[Any]]) -> None:
        with suppress(Refusal):
            self.keeper.do(ask())

    @precondition(lambda self: self.keeper.table.status == "playing")
    @rule(pick=st.integers(0, 1000))
    def move(self, pick: int) -> None:
        """Whoever is to act: a person, or the bot that may stand in."""
        table, legal = self.keeper.table, self.keeper.legal()
        zero = table.clock.zero_at()
        if table.bot_to_act() is None and zero is not None and self.keeper.now >= zero:
            with pytest.raises(Refusal, match="time_up"):
                self.keeper.move(legal[pick % len(legal)])
        else:
            self.keeper.move(legal[pick % len(legal)])

    @rule(seconds=st.sampled_from([1, 4, 9, 10, 11, 90_000]), notice=st.booleans())
    def wait(self, seconds: int, notice: bool) -> None:
        """Time goes by; the server looks at the clock when it is due, or has not come to it yet."""
        self.keeper.now += seconds * 1000
        due = self.keeper.table.due()
        if notice and due is not None and due <= self.keeper.now:
            self.keeper.do(self.keeper.table.tick(self.keeper.now))

    @rule(seat=SEATS)
    def ask_takeback(self, seat: int) -> None:
        keeper = self.keeper
        self.asked(lambda: keeper.table.ask_takeback(keeper.person(seat), seat, keeper.now))

    @rule(seat=SEATS, yes=st.booleans())
    def answer_takeback(self, seat: int, yes: bool) -> None:
        keeper = self.keeper
        self.asked(lambda: keeper.table.answer_takeback(keeper.person(seat), seat, yes, keeper.now))

    @rule(seat=SEATS)
    def take_back(self, seat: int) -> None:
        """Both at once: else they seldom meet."""
        self.ask_takeback(seat)
        self.answer_takeback(1 - seat, True)

    @rule(seat=SEATS)
    def leave(self, seat: int) -> None:
        keeper = self.keeper
        self.asked(lambda: keeper.table.leave(keeper.person(seat), seat, 1, keeper.now))

    @precondition(lambda self: self.keeper.table.status == "pause")
    @rule()
    def next_round(self) -> None:
        self.keeper.do(self.keeper.table.next_round(self.keeper.now))

    @invariant()
    def goes_on(self) -> None:
        """Somebody can act: a bot that is called, a person, or the clock."""
        if not hasattr(self, "keeper") or self.keeper.table.status != "playing":
            return
        for table in (self.keeper.table, self.keeper.replayed()):
            seat = table.to_act
            assert seat is not None
            zero = table.clock.zero_at()
            if table.bot_to_act() is None:
                assert table.seats[seat].person is not None
                assert table.clock_move is None
                assert zero is None or table.due() == zero


Orders.TestCase.settings = settings(max_examples=250, stateful_step_count=40, deadline=None)
TestOrders = Orders.TestCase
