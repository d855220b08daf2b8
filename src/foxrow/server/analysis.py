"""What the moves of finished matches were worth, a page at a time; verdicts are kept while there is room for them.

Each is asked of the bots' workers with what its player saw, and waits behind all bots that somebody plays with.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from concurrent.futures import BrokenExecutor
from typing import Any, NamedTuple

from foxrow.match.refusal import Refusal
from foxrow.server import brains
from foxrow.server import messages as ms
from foxrow.server.limits import Counts
from foxrow.server.logs import log
from foxrow.server.pool import Errand, Pool, Work
from foxrow.server.replay import Decision, decisions
from foxrow.server.turns import Place

LONG = 1.0  # seconds of thinking that make a page
MOST = 40  # moves of one
PATIENCE = 25.0  # seconds until a page without any verdict is given up
KEPT = 50_000  # verdicts
AT_ONCE = 2  # pages of one address
WAIT = 1000  # milliseconds until such an address may ask again
PLACE = Place("analysis")  # nobody plays there, so bots go first; of all workers it gets what one host may have

Answer = ms.Verdict | None


class Wanted(NamedTuple):
    """A page of a match."""

    table: str
    data: dict[str, Any]  # the record
    round: int
    start: int


class Analyses:
    def __init__(self, bots: Pool) -> None:
        self._bots = bots
        self._pages = Counts(AT_ONCE)
        self._kept: OrderedDict[tuple[str, int, int], Answer] = OrderedDict()

    async def page(self, wanted: Wanted, address: str) -> ms.Analysis:
        """Refused while the game's search is being compiled, or so many others wait that none gets through."""
        if not self._pages.enter(address):
            raise Refusal("too_many", wait=WAIT)
        try:
            return await self._page(wanted)
        finally:
            self._pages.leave(address)

    async def _page(self, wanted: Wanted) -> ms.Analysis:
        known = await asyncio.to_thread(decisions, wanted.data, wanted.round, wanted.start, MOST)
        if self._bots.cold(known.key):
            raise Refusal("busy")
        verdicts: list[Answer] = []
        end = time.monotonic() + LONG
        try:
            async with asyncio.timeout(PATIENCE):
                for number, decision in enumerate(known.decisions, wanted.start):
                    name = (wanted.table, wanted.round, number)
                    verdicts.append(await self._verdict(name, known.key, known.options, decision))
                    if time.monotonic() > end:
                        break
        except TimeoutError:
            if not verdicts:
                raise Refusal("busy") from None
        return ms.Analysis(round=wanted.round, start=wanted.start, verdicts=verdicts)

    async def _verdict(
        self, name: tuple[str, int, int], key: str, options: dict[str, Any], decision: Decision | None
    ) -> Answer:
        if decision is None:
            return None
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        work = Work(key, brains.judge, (brains.pack(decision.view), options, decision.made))
        try:
            found: Answer = await self._bots.ask(Errand(PLACE, work))
        except BrokenExecutor:  # a worker died twice: the next one may live
            raise Refusal("busy") from None
        except (asyncio.CancelledError, TimeoutError):
            raise
        except Exception:
            log.error("a move could not be judged", exc_info=True, extra={"data": {"game": key}})
            raise Refusal("failed") from None
        self._kept[name] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found
