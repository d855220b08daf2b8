"""How much room all imported records take together: they stay until their person goes, so there is an end to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from foxrow.match.refusal import Refusal


class Shelf:
    """Counted in the database once, then here; and there again after some were taken away, or may not have come."""

    def __init__(self, most: int) -> None:
        self._most = most  # bytes
        self._size: int | None = None

    async def take(self, size: int, count: Callable[[], int]) -> None:
        """Room for so many bytes; Refusal if there is none."""
        if self._size is None:
            counted = await asyncio.to_thread(count)
            if self._size is None:  # another may have counted meanwhile, and taken
                self._size = counted
        if self._size + size > self._most:
            raise Refusal("no_space", most=self._most)
        self._size += size

    def changed(self) -> None:
        self._size = None
