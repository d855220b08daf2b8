"""Servers on PostgreSQL, as processes: cut off, killed, and their database killed while people play. Who takes over
goes on with every table; no acknowledged move is lost or doubled."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Cluster, Wire
from tests.server.test_kill import Person, Process, all_go_on, check_moves, company, events

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")


class Company:
    """People at tables, who go to whichever server they are sent to."""

    def __init__(self, process: Process) -> None:
        self.people: list[Person] = company(process)
        for person in self.people:
            person.may_refuse = person.may_refuse | {"busy"}
        self.tasks = [asyncio.create_task(person.live()) for person in self.people]

    def go_to(self, process: Process) -> None:
        for person in self.people:
            person.process = process

    async def play(self) -> None:
        await all_go_on(self.people, self.tasks)

    async def leave(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@contextmanager
def servers(*addresses: str, folder: Path) -> Iterator[list[Process]]:
    made = [Process(address, folder / f"{number}.log") for number, address in enumerate(addresses)]
    try:
        yield made
        for process in made:
            if process.log.exists():
                assert "Traceback" not in process.log.read_text()
    finally:
        for process in made:
            if process.child is not None and process.child.poll() is None:
                process.kill()


async def stands_by(process: Process) -> None:
    """It says so, and listens to nobody."""
    process.launch()
    async with asyncio.timeout(60):
        while not process.log.exists() or "this one waits and takes over" not in process.log.read_text():
            await asyncio.sleep(0.05)
    assert process.answers("/health") is None


def check(people: list[Person], cluster: Cluster, database: str) -> None:
    def log(table: str) -> list[dict[str, Any]]:
        rows = cluster.sql(database, f"SELECT seq, body FROM events WHERE table_id = '{table}' ORDER BY seq")
        return events(rows)

    check_moves(people, log)


def test_who_waits_takes_over_from_who_was_cut_off_or_killed(cluster: Cluster, database: str, tmp_path: Path) -> None:
    wire = Wire(cluster)
    direct = cluster.address(database)

    async def story(first: Process, second: Process, third: Process) -> None:
        await asyncio.to_thread(first.start)
        await stands_by(second)
        players = Company(first)
        await players.play()
        wire.cut()
        await asyncio.to_thread(first.wait_until, 503)
        await asyncio.to_thread(second.wait_until, 200)
        await asyncio.to_thread(check, players.people, cluster, database)
        players.go_to(second)  # but their sockets are the first one's still
        assert first.child is not None and first.child.poll() is None
        wire.mend()
        assert await asyncio.to_thread(first.child.wait, 60) == 1
        assert "another server has taken over the database" in first.log.read_text()
        await players.play()
        await asyncio.to_thread(check, players.people, cluster, database)

        await stands_by(third)
        second.kill()
        players.go_to(third)
        await asyncio.to_thread(third.wait_until, 200)
        await players.play()
        await players.leave()
        await asyncio.to_thread(check, players.people, cluster, database)
        assert await asyncio.to_thread(third.stop) == 0

    with servers(wire.address(database), direct, direct, folder=tmp_path) as made:
        asyncio.run(story(*made))
    wire.close()


def test_the_database_is_killed_and_the_server_goes_on_by_itself(
    cluster: Cluster, database: str, tmp_path: Path
) -> None:
    async def story(process: Process) -> None:
        await asyncio.to_thread(process.start)
        players = Company(process)
        for _ in range(2):
            await players.play()
            with cluster.killed():
                await asyncio.to_thread(process.wait_until, 503)
                assert process.answers("/health") == 200
            await asyncio.to_thread(process.wait_until, 200)
        await players.play()
        process.kill()
        await asyncio.to_thread(check, players.people, cluster, database)
        await asyncio.to_thread(process.start)  # at once: nobody else is active any more
        await players.play()
        await players.leave()
        await asyncio.to_thread(check, players.people, cluster, database)
        assert await asyncio.to_thread(process.stop) == 0

    with servers(cluster.address(database), folder=tmp_path) as made:
        asyncio.run(story(*made))
