"""The room that all imported records take together."""

from __future__ import annotations

import asyncio
import time

import pytest

from foxrow.match.refusal import Refusal
from foxrow.server.shelf import Shelf


def test_two_that_count_at_once_both_count() -> None:
    """Whoever has counted last does not forget what was taken meanwhile."""

    def slowly(seconds: float) -> int:
        time.sleep(seconds)
        return 10

    async def both() -> list[object]:
        shelf = Shelf(100)
        takes = [shelf.take(60, lambda wait=wait: slowly(wait)) for wait in (0.0, 0.2)]  # type: ignore[misc]
        return list(await asyncio.gather(*takes, return_exceptions=True))

    first, second = asyncio.run(both())
    assert first is None
    assert isinstance(second, Refusal)


def test_what_is_over_is_refused_and_takes_nothing() -> None:
    async def three() -> None:
        shelf = Shelf(100)
        with pytest.raises(Refusal):
            await shelf.take(101, lambda: 0)
        await shelf.take(100, lambda: 0)

    asyncio.run(three())
