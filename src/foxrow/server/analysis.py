"""What moves are worth: those of finished matches, a page at a time, and, as a hint, those that a person may make now.

Each is asked of the bots' workers with what its player sees. Verdicts wait behind all bots that somebody plays with,
and are kept while there is room for them; a hint comes when a bot of its table would have its turn.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from foxrow.core.stakes import Stakes
from foxrow.match.board import Board
from foxrow.match.refusal import Refusal
from foxrow.server import brains
from foxrow.server import messages as ms
from foxrow.server.limits import Counts
from foxrow.server.logs import log
from foxrow.server.pool import Errand, Pool, Work
from foxrow.server.replay import REPLAYS, Decision, Decisions, decisions, stakes
from foxrow.server.turns import Place

LONG = 1.0  # seconds of thinking that make a page
MOST = 40  # moves of one
PATIENCE = 25.0  # seconds until a page without any verdict is given up
KEPT = 50_000  # verdicts
AT_ONCE = 2  # pages and hints of one address
WAIT = 1000  # milliseconds until such an address may ask again
PLACE = Place("analysis")  # nobody plays there, so bots go first; of all workers it gets what one host may have

Answer = ms.Verdict | None
Name = tuple[str, int, int, str | None]  # table, round, move, and the one that is asked about in its place


class Wanted(NamedTuple):
    """A page of a match."""

    table: str
    data: dict[str, Any]  # the record
    round: int
    start: int
    move: str | None = None  # if there is one, this alone is asked about, in the place of the move that was made


class Analyses:
    def __init__(self, bots: Pool) -> None:
        self._bots = bots
        self._asking = Counts(AT_ONCE)
        self._kept: OrderedDict[Name, Answer] = OrderedDict()
        self._stakes: OrderedDict[tuple[str, int], Stakes | None] = OrderedDict()  # by table and round

    async def page(self, wanted: Wanted, address: str) -> ms.Analysis:
        """Refused while the game's search is being compiled, or so many others wait that none gets through."""
        with self._counted(address):
            return await self._page(wanted)

    async def hint(self, board: Board, stakes: Stakes | None, seat: int, place: Place, address: str) -> Answer:
        """What is best for a seat, and what else is worth a thought. Refused likewise."""
        key = board.game.key
        if self._bots.cold(key):
            raise Refusal("busy")
        work = Work(key, brains.advise, (brains.pack(board.masked(seat)), dict(board.options), stakes))
        with self._counted(address):
            try:
                async with asyncio.timeout(PATIENCE):
                    found: Answer = await self._answer(Errand(place, work))
            except TimeoutError:
                raise Refusal("busy") from None
        return found

    @contextmanager
    def _counted(self, address: str) -> Iterator[None]:
        if not self._asking.enter(address):
            raise Refusal("too_many", wait=WAIT)
        try:
            yield
        finally:
            self._asking.leave(address)

    async def _page(self, wanted: Wanted) -> ms.Analysis:
        if self._bots.cold(wanted.data["game"]):
            raise Refusal("busy")
        async with REPLAYS:
            known = await asyncio.to_thread(decisions, wanted.data, wanted.round, wanted.start, MOST, wanted.move)
            stakes = await self._stakes_of(wanted)
        verdicts: list[Answer] = []
        end = time.monotonic() + LONG
        try:
            async with asyncio.timeout(PATIENCE):
                for number, decision in enumerate(known.decisions, wanted.start):
                    name = (wanted.table, wanted.round, number, decision and decision.instead)
                    verdicts.append(await self._verdict(name, known, stakes, decision))
                    if time.monotonic() > end:
                        break
        except TimeoutError:
            if not verdicts:
                raise Refusal("busy") from None
        return ms.Analysis(round=wanted.round, start=wanted.start, verdicts=verdicts)

    async def _stakes_of(self, wanted: Wanted) -> Stakes | None:
        """Worked out once for a round: in a long match that is a lot of moves."""
        name = wanted.table, wanted.round
        if name not in self._stakes:
            self._stakes[name] = await asyncio.to_thread(stakes, wanted.data, wanted.round)
            if len(self._stakes) > KEPT:
                self._stakes.popitem(last=False)
        return self._stakes[name]

    async def _verdict(self, name: Name, known: Decisions, stakes: Stakes | None, decision: Decision | None) -> Answer:
        if decision is None:
            return None
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        asked = brains.pack(decision.view), known.options, stakes, decision.made
        if decision.instead is None:
            work = Work(known.key, brains.judge, asked)
        else:
            work = Work(known.key, brains.judge_instead, (*asked, decision.instead))
        found: Answer = await self._answer(Errand(PLACE, work))
        self._kept[name] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    async def _answer(self, errand: Errand) -> Any:
        try:
            return await self._bots.ask(errand)
        except BrokenExecutor:  # a worker died twice: the next one may live
            raise Refusal("busy") from None
        except (asyncio.CancelledError, TimeoutError):
            raise
        except Exception:
            log.error("a move could not be judged", exc_info=True, extra={"data": {"game": errand.work.key}})
            raise Refusal("failed") from None
