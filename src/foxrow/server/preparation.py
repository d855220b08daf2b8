"""The rules of all games, compiled beside the loop: one game after the other, so that the first is ready sooner."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.server.logs import log, note


class Preparation:
    """`compiled` is told of every game whose rules are there."""

    def __init__(self, compiled: Callable[[str], None]) -> None:
        self._tell = compiled
        self._over: dict[str, asyncio.Future[None]] = {}  # of each game: set when it has had its turn
        self._cold: list[str] = []  # games still to be compiled, the next one first
        self._shares: dict[str, float] = {}  # of each game's rules, the share that is compiled
        self._seconds: dict[str, float] = {}  # games whose rules are there, and how long that took

    def open(self) -> None:
        """Everybody may wait from now on."""
        self._cold = list(games())
        loop = asyncio.get_running_loop()
        self._over = {key: loop.create_future() for key in self._cold}

    async def run(self) -> None:
        while self._cold:
            key = self._cold.pop(0)
            await self._compile(games()[key])
            self._over[key].set_result(None)

    async def _compile(self, game: Game) -> None:
        began = time.monotonic()

        def tell(_: str, done: int, of: int) -> None:
            self._shares[game.key] = done / of

        try:
            await asyncio.to_thread(game.rules.compile, tell)
        except Exception:
            log.error("a game's rules do not compile", exc_info=True, extra={"data": {"game": game.key}})
            return
        self._tell(game.key)
        self._seconds[game.key] = time.monotonic() - began
        note("rules ready", game=game.key, seconds=round(self._seconds[game.key], 2))

    async def wait(self, key: str) -> None:
        """Until the game's rules are compiled: never in the loop. A game that somebody waits for comes next."""
        over = self._over.get(key)
        if over is not None and not over.done():
            if key in self._cold:
                self._cold.remove(key)
                self._cold.insert(0, key)
            await asyncio.shield(over)

    async def wait_for_all(self) -> None:
        await asyncio.gather(*self._over.values())

    @property
    def done(self) -> bool:
        return all(over.done() for over in self._over.values())

    def share(self, key: str) -> float:
        """How much of a game's rules is compiled; below 1 a new table of it waits."""
        return 1.0 if self._over[key].done() else min(0.99, self._shares.get(key, 0.0))

    def quickest(self) -> list[str]:
        """The games whose rules are there, those first that took the least time."""
        return sorted(self._seconds, key=lambda key: self._seconds[key])

    def stop(self) -> None:
        """Nobody waits any more."""
        for over in self._over.values():
            over.cancel()
