"""The bots' workers: one that dies or hangs is replaced, hosts take turns, nobody is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from typing import Any

import pytest

from foxrow.server import brains, pool
from foxrow.server.pool import Errand, Pool, Work
from foxrow.server.turns import Place
from tests.match.tables import any_game


def acting(key: str, packed: bytes, options: dict[str, Any], level: int, seconds: float) -> str:
    """What a worker does here instead of thinking, by the key."""
    if key == "dies":
        os._exit(3)
    if key == "hangs":
        time.sleep(3600)
    if key == "fails":
        raise ValueError("no bot")
    if key == "pid":
        return str(os.getpid())
    time.sleep(seconds)
    return f"{key} {level}"


def work(key: str, level: int = 1, seconds: float = 0.0) -> Work:
    asked: list[tuple[Any, ...]] = [(b"", {}, one, seconds) for one in (level, brains.THUMB)]
    return Work(key, brains.choose, asked[0], seconds, cold=asked[1])


@pytest.fixture
def acted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brains, "choose", acting)


def errand(host: str, work: Work) -> Errand:
    return Errand(Place(host), work)


async def started(workers: int, most: int = 4) -> Pool:
    bots = Pool(workers, most)
    bots.start()
    assert await bots.ask(errand("first", work("hello"))) == "hello 1"  # the processes are there
    return bots


@pytest.mark.usefixtures("acted")
def test_a_dead_worker_is_replaced() -> None:
    async def story() -> None:
        bots = await started(1)
        try:
            before = await bots.ask(errand("ann", work("pid")))
            with pytest.raises(BrokenExecutor):
                await bots.ask(errand("ann", work("dies")))
            assert bots.replaced == 2  # tried once more: it might have been another's fault
            assert await bots.ask(errand("ann", work("pid"))) != before
            with pytest.raises(ValueError, match="no bot"):
                await bots.ask(errand("ann", work("fails")))
            assert (bots.replaced, bots.busy(), bots.waiting()) == (2, 0, 0)
        finally:
            bots.stop()

    asyncio.run(story())


@pytest.mark.usefixtures("acted")
def test_a_hanging_worker_is_replaced_and_who_shared_its_pool_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        bots = await started(1)
        try:
            monkeypatch.setattr(pool, "PATIENCE", 0.3)
            hanging = asyncio.create_task(bots.ask(errand("ann", work("hangs"))))
            await asyncio.sleep(0)
            monkeypatch.setattr(pool, "PATIENCE", 60.0)
            waiting = asyncio.create_task(bots.ask(errand("ben", work("here"))))
            with pytest.raises(TimeoutError):
                await hanging
            assert await waiting == "here 1"
            assert (bots.replaced, bots.busy(), bots.waiting()) == (1, 0, 0)
        finally:
            bots.stop()

    asyncio.run(story())


@pytest.mark.usefixtures("acted")
def test_hosts_take_turns() -> None:
    async def story() -> None:
        bots = await started(1)
        answered: list[str] = []

        async def ask(host: str, key: str) -> None:
            answered.append(await bots.ask(errand(host, work(key))))

        try:
            many = [asyncio.create_task(ask("greedy", f"g{i}")) for i in range(8)]
            await asyncio.sleep(0)
            few = [asyncio.create_task(ask(host, host)) for host in ("ann", "ben")]
            await asyncio.gather(*many, *few)
            # After the one that is thought about, and one more in the greedy host's turn.
            assert set(answered[:5]) >= {"ann 1", "ben 1"}
            assert [key for key in answered if key[0] == "g"] == [f"g{i} 1" for i in range(8)]
        finally:
            bots.stop()

    asyncio.run(story())


@pytest.mark.usefixtures("acted")
def test_a_host_has_so_many_at_once_and_who_left_is_skipped() -> None:
    async def story() -> None:
        bots = await started(2, most=1)
        try:
            slow = [asyncio.create_task(bots.ask(errand("greedy", work("slow", seconds=0.3)))) for _ in range(3)]
            await asyncio.sleep(0)
            assert (bots.busy(), bots.waiting()) == (1, 2)
            assert await bots.ask(errand("ann", work("quick"))) == "quick 1"
            slow[1].cancel()
            assert await slow[0] == await slow[2] == "slow 1"
            assert (bots.busy(), bots.waiting()) == (0, 0)
        finally:
            bots.stop()

    asyncio.run(story())


@pytest.mark.usefixtures("acted")
def test_bots_go_by_the_rule_of_thumb_until_their_search_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brains, "warm", warming)

    async def story() -> None:
        bots = await started(1)
        try:
            bots.warm("slow")
            bots.warm("dies")
            compiling = asyncio.create_task(bots.warm_searches(["slow", "dies"]))
            assert await bots.ask(errand("ann", work("slow", 8))) == f"slow {brains.THUMB}"
            await compiling
            assert await bots.ask(errand("ann", work("slow", 8))) == "slow 8"
        finally:
            bots.stop()

    asyncio.run(story())


def warming(key: str, searches: bool) -> None:
    if searches:
        time.sleep(1.0)
        if key == "dies":
            os._exit(3)


ORPHANS = """
import asyncio, time
from foxrow.server.pool import Pool
from tests.server import test_pool
async def story():
    test_pool.brains.choose = test_pool.acting
    bots = await test_pool.started(1)
    print(await bots.ask(test_pool.errand("ann", test_pool.work("pid"))), flush=True)
    await asyncio.sleep(3600)
if __name__ == "__main__":
    asyncio.run(story())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes are asked by signal 0")
def test_workers_end_with_a_server_that_was_killed(tmp_path: Any) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.kill(worker, 0)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        for _ in range(1000):
            try:
                os.kill(worker, 0)
            except ProcessLookupError:
                break
            if "\nState:\tZ" in status(worker):  # ended; whoever adopted it has not asked for it yet
                break
            time.sleep(0.02)
        else:
            pytest.fail("the worker lives on")


def status(process: int) -> str:
    try:
        with open(f"/proc/{process}/status") as text:
            return text.read()
    except OSError:
        return ""


def test_a_real_worker_plays() -> None:
    game = any_game()

    async def story() -> None:
        bots = Pool(1)
        bots.start()
        try:
            position = game.new(seed=1)
            seat = position.to_act or 0
            view = brains.pack(position.masked(seat))
            asked = (view, dict(position.options), 4, 0.05)
            text = await bots.ask(errand("ann", Work(game.key, brains.choose, asked, 0.05)))
            assert text in position.legal()
        finally:
            bots.stop()

    asyncio.run(story())
