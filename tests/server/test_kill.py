"""A real process, killed without warning while people play, again and again: no acknowledged move is lost or doubled,
and every table goes on. `FOXROW_KILLS=20` for the long run."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.match.tables import any_game

KILLS = int(os.environ.get("FOXROW_KILLS", "4"))
TABLES = 8
WIDE = {
    "pace": 0,
    "workers": 0,
    "round_pause": 0.2,
    "limits": {
        "calls": 1e6, "calls_burst": 10**6, "new_tables": 1e6, "new_tables_burst": 10**6, "new_people": 1e6,
        "new_people_burst": 10**6, "requests": 1e6, "requests_burst": 10**6, "sockets_of_address": 10**4,
    },
}  # fmt: skip


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """The server as a process of its own."""

    def __init__(self, database: Path | str, log: Path) -> None:
        self.database = database
        self.log = log
        self.port = free_port()
        self.child: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        environment = {**os.environ, "FOXROW_PURE": "1", "FOXROW_SETTINGS": json.dumps(WIDE)}
        with self.log.open("ab") as log:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "foxrow.server", str(self.database), str(self.port)],
                env=environment,
                stdout=log,
                stderr=log,
            )

    def start(self) -> None:
        self.launch()
        self.wait_until(200)

    def answers(self, path: str) -> int | None:
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=2) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def wait_until(self, status: int) -> None:
        for _ in range(600):
            if self.answers("/ready") == status:
                return
            time.sleep(0.05)
        raise AssertionError(f"the server is not ready:\n{self.log.read_text()}")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        assert self.child is not None
        self.child.kill()
        self.child.wait()

    def stop(self) -> int:
        assert self.child is not None
        self.child.send_signal(signal.SIGTERM)
        return self.child.wait(20)

    def call(self, method: str, path: str, body: Any, cookie: str | None = None) -> tuple[Any, str | None]:
        headers = {"content-type": "application/json", **({"cookie": cookie} if cookie else {})}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            given = answer.headers.get("set-cookie")
            return json.loads(answer.read()), given.split(";")[0] if given else cookie


class Person:
    """A client that never gives up: it comes back with `since` and sends what was not answered again."""

    def __init__(self, process: Process, table: str, seat: int, cookie: str) -> None:
        self.process, self.table, self.seat, self.cookie = process, table, seat, cookie
        self.acknowledged: list[str] = []
        self.pending: dict[str, Any] | None = None
        self.seq = 0
        self.moves = 0
        self.seed = os.urandom(32)
        self.chance = random.Random(seat)
        self.over = False
        self.may_refuse = {"stale", "not_playing", "over"}
        self.state: dict[str, Any] = {}

    async def live(self) -> None:
        while not self.over:
            address = f"ws://127.0.0.1:{self.process.port}/api/tables/{self.table}/socket"
            try:
                async with connect(address, additional_headers={"cookie": self.cookie}, open_timeout=5) as wire:
                    await wire.send(json.dumps({"type": "hello", "since": self.seq}))
                    async for text in wire:
                        if await self.take(wire, json.loads(text)):
                            return
            except (OSError, websockets.exceptions.WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def take(self, wire: ClientConnection, frame: dict[str, Any]) -> bool:
        """Whether that was the end."""
        kind = frame["type"]
        if kind in ("welcome", "update"):
            numbers = [entry["seq"] for entry in frame["entries"]]
            assert numbers == list(range(self.seq + 1, frame["seq"] + 1))
            self.seq = frame["seq"]
            self.state |= {key: frame[key] for key in ("table", "round", "ply", "views", "shuffle") if key in frame}
        if self.pending is not None and frame.get("ref") == self.pending["ref"]:
            if kind in ("update", "done"):
                self.acknowledged.append(self.pending["ref"])
            else:
                assert frame["code"] in self.may_refuse, frame
                if frame["code"] == "busy":
                    await asyncio.sleep(0.05)
            self.pending = None
        if kind == "welcome" and self.pending is not None:
            await wire.send(json.dumps(self.pending))
        if kind in ("welcome", "update", "done", "refused"):
            await self.act(wire)
        return self.over

    async def act(self, wire: ClientConnection) -> None:
        status = self.state["table"]["status"]
        self.over = status == "over"
        shuffle = self.state.get("shuffle") or {}
        if status == "shuffling" and self.seat in shuffle["waiting"]:
            if shuffle["step"] == "commit":
                commit = hashlib.sha256(self.seed).hexdigest()
                await wire.send(json.dumps({"type": "commit", "seat": self.seat, "commit": commit}))
            else:
                await wire.send(json.dumps({"type": "reveal", "seat": self.seat, "seed": self.seed.hex()}))
        if status == "playing" and self.pending is None and self.state.get("views"):
            view = self.state["views"][0]
            if view["to_act"] == self.seat:
                self.moves += 1
                self.pending = {
                    "type": "move",
                    "ref": f"{self.seat}-{self.moves}",
                    "seat": self.seat,
                    "round": self.state["round"],
                    "ply": self.state["ply"],
                    "text": self.chance.choice(view["legal"]),
                }
                await wire.send(json.dumps(self.pending))


def written(database: Path, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT seq, body FROM events WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    return events(rows)


def events(rows: Sequence[tuple[int, bytes]]) -> list[dict[str, Any]]:
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [json.loads(row[1]) for row in rows]


def company(process: Process) -> list[Person]:
    """Two people at every table."""
    people: list[Person] = []
    for _ in range(TABLES):
        seats = [{"kind": "me"}, {"kind": "open"}]
        info, ann = process.call("POST", "/api/tables", {"game": any_game().key, "seats": seats, "match": 20})
        _, ben = process.call("POST", f"/api/tables/{info['id']}/join", {})
        people += [Person(process, info["id"], seat, who or "") for seat, who in enumerate((ann, ben))]
    return people


async def all_go_on(people: list[Person], tasks: list[asyncio.Task[None]]) -> None:
    goals = [len(person.acknowledged) + 3 for person in people]
    async with asyncio.timeout(120):
        while not all(
            person.over or len(person.acknowledged) >= goal for person, goal in zip(people, goals, strict=True)
        ):
            await asyncio.sleep(0.05)
            for task in tasks:
                if task.done():
                    task.result()


def check_moves(people: list[Person], log: Callable[[str], list[dict[str, Any]]]) -> None:
    """Every move that has been acknowledged by now is there, and none twice."""
    acknowledged: dict[str, set[str]] = {}
    for person in people:
        acknowledged.setdefault(person.table, set()).update(person.acknowledged)
    for table, told in acknowledged.items():
        made = Counter(event["ref"] for event in log(table) if event["kind"] == "moved" and "ref" in event)
        assert max(made.values(), default=1) == 1
        assert told <= set(made)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_killed_under_load_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    database = tmp_path / "foxrow.db"
    process = Process(database, tmp_path / "server.log")
    process.start()

    async def story() -> None:
        people = company(process)
        tasks = [asyncio.create_task(person.live()) for person in people]
        before = 0
        for _ in range(KILLS):
            goal = before + 60
            async with asyncio.timeout(90):
                while sum(len(person.acknowledged) for person in people) < goal:
                    await asyncio.sleep(0.02)
                    for task in tasks:
                        if task.done():
                            task.result()
            await asyncio.to_thread(process.kill)
            before = sum(len(person.acknowledged) for person in people)
            check(people)
            await asyncio.to_thread(process.start)
        await all_go_on(people, tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        check(people)

    def check(people: list[Person]) -> None:
        check_moves(people, lambda table: written(database, table))

    try:
        asyncio.run(story())
        assert process.stop() == 0
    finally:
        if process.child is not None and process.child.poll() is None:
            process.kill()


async def listen(wire: ClientConnection) -> None:
    while True:
        await wire.recv()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_stop_lets_everybody_know_and_loses_nothing(tmp_path: Path) -> None:
    database = tmp_path / "foxrow.db"
    process = Process(database, tmp_path / "server.log")
    process.start()

    async def story() -> None:
        seats = [{"kind": "me"}, {"kind": "bot", "level": 1}]
        info, ann = process.call("POST", "/api/tables", {"game": any_game().key, "seats": seats})
        address = f"ws://127.0.0.1:{process.port}/api/tables/{info['id']}/socket"
        async with connect(address, additional_headers={"cookie": ann or ""}) as wire:
            await wire.send(json.dumps({"type": "hello"}))
            await wire.recv()
            stopping = asyncio.create_task(asyncio.to_thread(process.stop))
            with pytest.raises(websockets.exceptions.ConnectionClosed) as closed:
                await asyncio.wait_for(listen(wire), 20)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert await stopping == 0
        log = written(database, info["id"])
        assert [event["kind"] for event in log[:3]] == ["created", "seated", "seated"]

    try:
        asyncio.run(story())
    finally:
        if process.child is not None and process.child.poll() is None:
            process.kill()
    log = (tmp_path / "server.log").read_text()
    assert "Traceback" not in log
    for line in log.splitlines():
        if line.startswith("{"):
            assert json.loads(line)["level"] == "info", line
