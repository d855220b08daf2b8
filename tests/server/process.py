"""`foxrow serve` as people run it: a process of its own, found by its address."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any

from websockets.sync.client import connect

ENVIRONMENT = {**os.environ, "FOXROW_PURE": "1"}  # nothing to compile: it is not about speed here


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def foxrow(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "foxrow", *map(str, arguments)]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, encoding="utf-8", check=False)


def call(url: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of an answer."""
    given = {"content-type": "application/json", **headers}
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, content, given, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read(), {key.lower(): value for key, value in answer.headers.items()}
    except urllib.error.HTTPError as error:
        return error.code, error.read(), {key.lower(): value for key, value in error.headers.items()}


class Serving:
    """A running `foxrow serve`; stopped at the end of the block."""

    def __init__(self, database: Path, *options: object) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "foxrow", "serve", "--database", database, "--port", self.port, *options]
        self.log = database.with_suffix(".log")
        with self.log.open("ab") as log:
            self.child = subprocess.Popen([*map(str, command)], env=ENVIRONMENT, stdout=log, stderr=log)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Serving:
        for _ in range(1200):
            assert self.child.poll() is None, self.log.read_text()
            try:
                if call(self.url, "GET", "/ready")[0] == 200:
                    return self
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def stop(self) -> int:
        self.child.send_signal(signal.SIGTERM)
        return self.child.wait(60)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


def cookie_of(headers: dict[str, str]) -> str:
    return headers["set-cookie"].split(";")[0]


def dealt(url: str, game: str, players: int, **headers: str) -> tuple[str, str, str]:
    """A table that one person has dealt for all seats: its id, the person's cookie, the first seat's commitment."""
    status, body, answered = call(
        url, "POST", "/api/tables", {"game": game, "seats": [{"kind": "me"}] * players}, **headers
    )
    assert status == 201, body
    table, cookie = json.loads(body)["id"], cookie_of(answered)
    seeds = [bytes([seat + 1]) * 32 for seat in range(players)]
    address = url.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
    with connect(address, additional_headers={"cookie": cookie, **headers}) as wire:
        wire.send('{"type":"hello"}')
        wire.recv(timeout=30)
        for seat, seed in enumerate(seeds):
            wire.send(json.dumps({"type": "commit", "seat": seat, "commit": hashlib.sha256(seed).hexdigest()}))
        for seat, seed in enumerate(seeds):
            wire.send(json.dumps({"type": "reveal", "seat": seat, "seed": seed.hex()}))
        while not any(entry["kind"] == "dealt" for entry in json.loads(wire.recv(timeout=30)).get("entries", [])):
            pass
    return table, cookie, hashlib.sha256(seeds[0]).hexdigest()


def given_up(url: str, table: str, cookie: str, players: int) -> dict[str, Any]:
    """Everybody leaves; the record of what was played."""
    address = url.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
    with connect(address, additional_headers={"cookie": cookie}) as wire:
        wire.send('{"type":"hello"}')
        for seat in range(players):
            wire.send(json.dumps({"type": "leave", "seat": seat}))
        while not any(entry["kind"] == "ended" for entry in json.loads(wire.recv(timeout=30)).get("entries", [])):
            pass
    status, body, _ = call(url, "GET", f"/api/tables/{table}/record", cookie=cookie)
    assert status == 200, body
    record: dict[str, Any] = json.loads(body)
    return record
