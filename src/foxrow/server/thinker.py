"""A room's bot, while it thinks: one turn at a time, at a person's pace where people watch."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, NamedTuple

from foxrow.server import brains
from foxrow.server.logs import log

if TYPE_CHECKING:
    from foxrow.server.room import Room


class Turn(NamedTuple):
    """What a bot thinks about. When the table has moved on, it is another one."""

    seat: int
    round: int
    ply: int


class Thinker:
    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: asyncio.Task[None] | None = None
        self.turn: Turn | None = None

    @property
    def busy(self) -> bool:
        return self._task is not None

    def turn_to(self, turn: Turn | None, level: int | None = None) -> None:
        """Think about this from now on, as the level (None: whatever stands in), and of nothing else."""
        if turn == self.turn:
            return
        self.stop()
        self._task, self.turn = None, turn
        if turn is not None:
            think = self._think(turn, level if level is not None else brains.stand_in())
            self._task = asyncio.get_running_loop().create_task(think)

    def done(self) -> None:
        """The move has been made."""
        self._task = self.turn = None

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _think(self, turn: Turn, level: int) -> None:
        table, lounge = self._room.table, self._room.lounge
        board = table.board
        assert board is not None
        settings = lounge.settings
        began = time.monotonic()
        legal: list[str] = board.view(turn.seat)["legal"]
        # As fast as a person who knows the game, where a person watches; a forced move is made quicker.
        slow = settings.pace * (random.uniform(0.8, 1.6) if len(legal) > 1 else random.uniform(0.45, 0.7))
        try:
            packed = brains.pack(board.masked(turn.seat))
            work = (table.game.key, packed, dict(board.options), level, settings.think)
            text = await lounge.bots.choose(table.host, work)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.warning("a bot failed; a random move stands in", exc_info=True)
            lounge.metrics.count("bot_failures_total")
            text = random.choice(legal)
        lounge.bot_time.add(time.monotonic() - began)
        rest = slow - (time.monotonic() - began)
        if self._room.listeners and rest > 0:
            await asyncio.sleep(rest)
        self._room.bot_moves(turn, text, legal)
