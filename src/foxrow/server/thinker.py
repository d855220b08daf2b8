"""A table's bots: one turn at a time, at a person's pace where people watch."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from foxrow.match import events as ev
from foxrow.match.refusal import Refusal
from foxrow.match.table import Table
from foxrow.server import brains
from foxrow.server.logs import log
from foxrow.server.pool import Errand, Work
from foxrow.server.turns import Place

if TYPE_CHECKING:
    from foxrow.server.lounge import Lounge

Make = Callable[[int], list[ev.AnyEvent]]  # by the time of the day in ms


class Turn(NamedTuple):
    """What a bot thinks about. When the table has moved on, it is another one."""

    seat: int
    round: int
    ply: int


class Thinker:
    """`act` gets what a bot makes of its turn, when it has made up its mind; `place` says who is there to see it."""

    def __init__(self, lounge: Lounge, table: Table, place: Callable[[], Place], act: Callable[[Make], None]) -> None:
        self._lounge = lounge
        self._table = table
        self._place = place
        self._act = act
        self._task: asyncio.Task[None] | None = None
        self._turn: Turn | None = None
        self._errand: Errand | None = None  # what the bots are asked for

    @property
    def busy(self) -> bool:
        return self._task is not None

    def look(self) -> None:
        """Think about the turn that is a bot's now, and of nothing else; sooner, if somebody has come meanwhile."""
        due = self._table.bot_to_act()
        turn = None if due is None else Turn(due[0], self._table.round, self._table.ply)
        if turn == self._turn:
            if self._errand is not None:
                self._lounge.bots.move(self._errand, self._place())
            return
        self.stop()
        self._task, self._turn, self._errand = None, turn, None
        if due is not None and turn is not None:
            level = due[1] if due[1] is not None else brains.stand_in()
            self._task = asyncio.get_running_loop().create_task(self._think(turn, level))

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _think(self, turn: Turn, level: int) -> None:
        table, lounge = self._table, self._lounge
        board = table.board
        assert board is not None
        settings = lounge.settings
        began = time.monotonic()
        legal: list[str] = board.view(turn.seat)["legal"]
        # As fast as a person who knows the game, where a person watches; a forced move is made quicker.
        slow = settings.pace * (random.uniform(0.8, 1.6) if len(legal) > 1 else random.uniform(0.45, 0.7))
        try:
            packed = brains.pack(board.masked(turn.seat))
            given = packed, dict(board.options)
            asked = [(*given, one, settings.think, table.stakes) for one in (level, brains.THUMB)]
            work = Work(table.game.key, brains.choose, asked[0], settings.think, cold=asked[1])
            self._errand = Errand(self._place(), work)
            text: str = await lounge.bots.ask(self._errand)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.warning("a bot failed; a random move stands in", exc_info=True)
            lounge.metrics.count("bot_failures_total")
            text = random.choice(legal)
        lounge.bot_time.add(time.monotonic() - began)
        rest = slow - (time.monotonic() - began)
        if self._place().addresses and rest > 0:
            await asyncio.sleep(rest)
        self._act(partial(self._move, turn, text, legal))

    def _move(self, turn: Turn, text: str, legal: list[str], now: int) -> list[ev.AnyEvent]:
        """The move, unless the table has moved on meanwhile. After a take-back a turn may look the same."""
        if self._turn is not turn:
            return []
        try:
            events = self._table.bot_move(*turn, text, now)
        except Refusal:
            # Bots get the legal moves from the rules, so this is a fault of ours; the table goes on.
            log.error("a bot gave an illegal move", extra={"data": {"game": self._table.game.key}})
            events = self._table.bot_move(*turn, random.choice(legal), now)
        self._task = self._turn = self._errand = None
        return events
