"""SQLite: one file, no service. A writer thread commits everything that waits in one transaction (group
commit); another one brings the write-ahead log home meanwhile, so that no move waits for that."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from foxrow.store.interface import Append, ForgetPerson, StoreBusy, StoreError, StoreFull, Write
from foxrow.store.lock import FileLock
from foxrow.store.migrations import migrate
from foxrow.store.reader import Reader
from foxrow.store.statements import statements
from foxrow.store.writer import Clash, Writer

MANY = 256  # at most so many events in one statement; a power of two
FEW = 16  # so many events have a statement of their own, which is its own transaction
LOOK = 1.0  # seconds between two looks at the write-ahead log,
HOME = 10  # of which so many pass until it is brought home: a page that was written ten times goes home once,
FULL = 4_000  # or so many submissions
LONG = 16_384  # pages of it at which writing waits until it is home: 64 MB


def private(path: Path) -> None:
    """A new database is nobody else's to read: it holds the key of all cookies and every running table's secret. What
    lies beside it (log, index) takes its mode from it."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def connect(path: Path, *, wait: float = 5.0) -> sqlite3.Connection:
    """A connection that loses nothing it has committed, not even with the power."""
    private(path)
    connection = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
    with closed_on_failure(connection):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextlib.contextmanager
def closed_on_failure(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


class SqliteStore(Writer, Reader):
    """The embedded store."""

    def __init__(self, path: Path | str, *, wait: float = 5.0) -> None:
        super().__init__()
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        self._wait = wait
        try:
            self._writer = self._open_writer()
        except BaseException:
            self._lock.release()
            raise
        self._readers = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._ended = threading.Event()
        self._too_long = threading.Event()
        self._forgotten = threading.Event()  # somebody was; the write-ahead log still knows them
        self._thread.start()
        self._homeward = threading.Thread(target=self._bring_home, name="store checkpoints", daemon=True)
        self._homeward.start()

    def _open_writer(self) -> sqlite3.Connection:
        try:
            connection = connect(self.path, wait=self._wait)
            with closed_on_failure(connection):
                migrate(connection)
                connection.execute("PRAGMA wal_autocheckpoint = 0")
                connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten: names, what was said
        except sqlite3.Error as failed:
            raise unopened(self.path, failed) from failed
        return connection

    # ---- writing -------------------------------------------------------------------------------------------

    def _between(self) -> None:
        if not self._too_long.is_set():
            return
        # Emptied, so that nothing of it is left where it lay; else only begun anew, which leaves the room.
        # Whoever reads is not waited for: moves are. It is tried again at the next look.
        kind = "TRUNCATE" if self._forgotten.is_set() else "RESTART"
        with contextlib.suppress(sqlite3.Error):
            self._writer.execute("PRAGMA busy_timeout = 0")
            blocked = self._writer.execute(f"PRAGMA wal_checkpoint({kind})").fetchone()[0]
            if kind == "TRUNCATE" and not blocked:
                self._forgotten.clear()
        self._writer.execute(f"PRAGMA busy_timeout = {int(self._wait * 1000)}")
        self._too_long.clear()

    def _bring_home(self) -> None:
        """Copy the write-ahead log into the database, as far as that disturbs nobody."""
        home, looks = -1, 0
        with closing(connect(self.path, wait=self._wait)) as connection:
            while not self._ended.wait(LOOK):
                looks += 1
                due = self.jobs != home or self._forgotten.is_set()
                if due and (looks >= HOME or self.jobs - home > FULL):
                    home, looks = self.jobs, 0
                    with contextlib.suppress(sqlite3.Error):  # a full disk is told by who writes
                        _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                        if pages > LONG or self._forgotten.is_set():
                            self._too_long.set()
                            self._queue.put([])  # the writer may have nothing else to do

    def _write_all(self, writes: list[Write]) -> None:
        try:
            self._transaction(writes)
        except sqlite3.IntegrityError as clash:
            raise Clash(str(clash)) from clash
        except sqlite3.Error as error:
            raise understood(error) from error
        if any(isinstance(write, ForgetPerson) for write in writes):
            self._forgotten.set()

    def _transaction(self, writes: list[Write]) -> None:
        connection = self._writer
        rows: list[tuple[str, int, bytes]] = []
        rest: list[Write] = []
        for write in writes:
            if isinstance(write, Append):
                rows += [(write.table, write.seq + i, body) for i, body in enumerate(write.events)]
            else:
                rest.append(write)
        if not rest and 0 < len(rows) <= FEW:
            _insert_all(connection, rows)
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            _insert(connection, rows)
            for write in rest:
                for sql, arguments in statements(write):
                    connection.execute(sql, arguments)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    # ---- reading -------------------------------------------------------------------------------------------

    def _rows(self, sql: str, *arguments: Any) -> list[Any]:
        reader: sqlite3.Connection | None = getattr(self._readers, "connection", None)
        if reader is None:
            reader = connect(self.path, wait=self._wait)
            reader.execute("PRAGMA query_only = ON")
            self._readers.connection = reader
            self._opened.append(reader)
        try:
            return reader.execute(sql, arguments).fetchall()
        except sqlite3.Error as error:
            raise understood(error) from error

    # ---- the end -------------------------------------------------------------------------------------------

    def close(self) -> None:
        self._ended.set()
        self._finish()
        self._homeward.join()
        for reader in self._opened:
            reader.close()
        self._writer.close()
        self._lock.release()


def _insert(connection: sqlite3.Connection, rows: list[tuple[str, int, bytes]]) -> None:
    """Many rows by few statements of 256, 128, … rows."""
    at, size = 0, MANY
    while at < len(rows):
        while size > len(rows) - at:
            size //= 2
        _insert_all(connection, rows[at : at + size])
        at += size


def _insert_all(connection: sqlite3.Connection, rows: list[tuple[str, int, bytes]]) -> None:
    """All rows by one statement: with every statement the thread gives the interpreter away and waits for it again."""
    marks = ", ".join(["(?, ?, ?)"] * len(rows))
    values = [value for row in rows for value in row]
    connection.execute(f"INSERT INTO events (table_id, seq, body) VALUES {marks}", values)


def unopened(path: Path, error: sqlite3.Error) -> StoreError:
    """Why a database cannot be opened, and what to do."""
    found = understood(error)
    if isinstance(found, StoreFull):
        advice = "the disk is full: make room"
    elif isinstance(found, StoreBusy):
        advice = "another program holds it: end that first"
    else:
        advice = "give another file with --database, or put a backup in its place with `foxrow restore`"
    return type(found)(f"{path}: {error}; {advice}")


def understood(error: sqlite3.Error) -> StoreError:
    """The store's word for what SQLite says."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(str(error))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(str(error))
    return StoreError(str(error))
