"""A real server in its own process, as people run it, with bots that answer at once."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType

PATIENCE = 300.0  # seconds: a first start compiles the rules


class Host:
    def __init__(self, folder: Path, pace: float = 0.0) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://localhost:{self.port}/"
        self._log = folder / "server.log"
        self._folder = folder
        self._pace = pace
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        lots = dict.fromkeys(("requests", "calls", "new_tables", "new_people", "misses", "says", "replays"), 1e6)
        bursts = {f"{name}_burst": 10**6 for name in lots}
        limits = {**lots, **bursts, "tables_of_person": 1000}
        settings = {"pace": self._pace, "limits": limits}
        environment = {**os.environ, "FOXROW_SETTINGS": json.dumps(settings)}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "foxrow.server", str(self._folder / "tables.db"), str(self.port)],
                env=environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{self._log.read_text()[-4000:]}")
            time.sleep(0.2)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def rest(self) -> None:
        """Waits until every game's rules are compiled: before, the server is busy by itself."""
        while True:
            with urllib.request.urlopen(f"{self.address}api/games", timeout=30) as answer:
                if all(card["prepared"] == 1 for card in json.load(answer)["games"]):
                    return
            time.sleep(0.5)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def __enter__(self) -> Host:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
