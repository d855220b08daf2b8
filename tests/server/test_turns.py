"""Whose bot is next: where somebody is before where nobody is, and no address before another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from foxrow.core.registry import games
from foxrow.server import brains
from foxrow.server.pool import Pool
from foxrow.server.site import Site
from foxrow.server.turns import Place, Turns
from tests.server.visitor import Browser, Wire, running, settings

THEIRS, OURS = list(games())[:2]  # a table is known by its game
BOTS = [{"kind": "bot", "level": 8}] * 2


def served(turns: Turns[str], may: Callable[[str], bool] = lambda host: True) -> str:
    """All that is served from now on, in order."""
    found = []
    while (one := turns.next(may)) is not None:
        found.append(one[0])
    return " ".join(found)


def test_where_somebody_is_goes_before_where_nobody_is_and_nobody_gets_what_is_left() -> None:
    turns: Turns[str] = Turns()
    for number in range(4):
        turns.add(f"n{number}", Place(f"host {number}"))
    turns.add("here", Place("ann", ["10.0.0.1"]))
    turns.add("away", Place("ben", seated=True))
    assert len(turns) == 6
    assert served(turns) == "here away n0 n1 n2 n3"
    assert len(turns) == 0


def test_addresses_take_turns_and_so_do_the_hosts_of_each_and_all_who_are_away() -> None:
    turns: Turns[str] = Turns()
    for number in range(4):
        turns.add(f"e{number}", Place(f"eve {number}", ["10.6.6.6"]))
        turns.add(f"w{number}", Place(f"away {number}", seated=True))
    for name, host in (("a0", "ann"), ("a1", "ann"), ("b0", "ben")):
        turns.add(name, Place(host, ["10.0.0.1"]))
    assert served(turns) == "e0 w0 a0 e1 w1 b0 e2 w2 a1 e3 w3"


def test_a_host_who_may_not_is_passed_over_and_holds_up_nobody() -> None:
    turns: Turns[str] = Turns()
    turns.add("g0", Place("greedy", ["10.0.0.1"]))
    turns.add("a0", Place("ann", ["10.0.0.1"]))
    turns.add("n0", Place("nobody"))
    assert served(turns, lambda host: host != "greedy") == "a0 n0"
    assert served(turns) == "g0"


def test_a_table_goes_by_the_address_with_the_fewest_in_line() -> None:
    turns: Turns[str] = Turns()
    for number in range(4):
        turns.add(f"e{number}", Place(f"eve {number}", ["10.6.6.6"]))
    turns.add("ours", Place("ann", ["10.6.6.6", "10.0.0.1"]))
    assert served(turns) == "e0 ours e1 e2 e3"


def test_who_comes_brings_a_table_forward_and_never_back() -> None:
    turns: Turns[str] = Turns()
    for name in ("n0", "n1", "n2"):
        turns.add(name, Place(name))
    turns.add("e0", Place("eve", ["10.6.6.6"]))
    turns.move("n1", Place("n1", ["10.0.0.1"]))
    turns.move("n1", Place("n1", ["10.0.0.1", "10.6.6.6"]))
    turns.move("n2", Place("n2", seated=True))
    turns.move("gone", Place("gone", seated=True))
    turns.remove("e0")
    turns.remove("e0")
    assert served(turns) == "n1 n2 n0"


# ---- at real tables ----------------------------------------------------------------------------------------


class Desk:
    """One worker that takes its time: `asked` are the games of the moves that it was given, in order."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._jobs: list[tuple[Future[str], tuple[Any, ...]]] = []

    def submit(self, call: Callable[..., Any], *work: Any) -> Future[Any]:
        job: Future[Any] = Future()
        if call is brains.warm:
            job.set_result(None)
        else:
            self.asked.append(work[0])
            self._jobs.append((job, work))
        return job

    async def answer(self) -> None:
        """Make the move that is thought about; another one is there when this returns."""
        job, (key, view, options, _, seconds, _) = self._jobs.pop()
        known = len(self.asked)
        job.set_result(brains.choose(key, view, options, brains.THUMB, seconds))
        async with asyncio.timeout(30):
            while len(self.asked) == known:
                await asyncio.sleep(0.001)

    def shutdown(self, **how: Any) -> None: ...


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(Pool, "_processes", lambda self, count: desk)
    return desk


async def waiting(site: Site, count: int) -> None:
    async with asyncio.timeout(30):
        while site.lounge.bots.waiting() != count:
            await asyncio.sleep(0.001)


async def crowd(site: Site, count: int) -> list[Wire]:
    """Tables of bots, each of another person, and all from one address; their sockets, if anybody looked."""
    found = []
    for _ in range(count):
        eve = Browser(site, "10.6.6.6")
        found.append(eve.socket((await eve.table(THEIRS, BOTS))["id"]))
    await waiting(site, count - 1)
    return found


def test_a_person_s_bot_does_not_wait_for_tables_that_nobody_looks_at(tmp_path: Path, desk: Desk) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, workers=1)) as site:
            await crowd(site, 6)
            ann = Browser(site)
            info = await ann.table(OURS, [{"kind": "me"}, {"kind": "bot", "level": 3}], first=1)
            wire = ann.socket(info["id"])
            await wire.hello()
            await wire.shuffle()
            await waiting(site, 6)
            await desk.answer()
            assert desk.asked == [THEIRS, OURS]
            for _ in range(3):
                await desk.answer()  # and the others go on
            assert THEIRS in desk.asked[2:]

    asyncio.run(story())


def test_a_table_of_bots_is_next_when_somebody_comes_to_look(tmp_path: Path, desk: Desk) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, workers=1)) as site:
            await crowd(site, 6)
            info = await Browser(site).table(OURS, BOTS)
            await waiting(site, 6)
            await Browser(site, "10.0.0.2").socket(info["id"]).hello()
            await desk.answer()
            assert desk.asked == [THEIRS, OURS]

    asyncio.run(story())


def test_tables_that_one_address_looks_at_have_the_turns_of_one(tmp_path: Path, desk: Desk) -> None:
    async def story() -> None:
        async with running(settings(tmp_path, workers=1)) as site:
            for wire in await crowd(site, 6):
                await wire.hello()
            ann = Browser(site)
            info = await ann.table(OURS, BOTS)
            await ann.socket(info["id"]).hello()
            for _ in range(5):
                await waiting(site, 6)  # all the others
                await desk.answer()
            # One of theirs is thought about when ours comes back into line, and one is before it.
            assert desk.asked[1:] == [THEIRS, OURS, THEIRS, THEIRS, OURS]

    asyncio.run(story())
