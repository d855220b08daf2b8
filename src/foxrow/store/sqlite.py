"""SQLite: one file, no service. A writer thread commits everything that waits in one transaction (group
commit); another one brings the write-ahead log home meanwhile, so that no move waits for that."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from foxrow.store.interface import (
    AddRecord,
    AddSaid,
    Append,
    Deliver,
    ForgetPerson,
    HoldNames,
    Job,
    PutMeta,
    PutMute,
    PutPerson,
    PutSeat,
    PutTable,
    Said,
    ShowNames,
    StoreBusy,
    StoreError,
    StoreFull,
    TableRow,
    Then,
    Write,
)
from foxrow.store.lock import FileLock
from foxrow.store.migrations import migrate

GROUP = 2000  # about so many submissions at most in one transaction
MANY = 256  # at most so many events in one statement; a power of two
FEW = 16  # so many events have a statement of their own, which is its own transaction
LOOK = 1.0  # seconds between two looks at the write-ahead log,
HOME = 10  # of which so many pass until it is brought home: a page that was written ten times goes home once,
FULL = 4_000  # or so many submissions
SAID = 200  # lines that are kept of what is said at a table
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
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


class SqliteStore:
    """The embedded store."""

    def __init__(self, path: Path | str, *, wait: float = 5.0) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        self._wait = wait
        self._writer = connect(self.path, wait=wait)
        migrate(self._writer)
        self._writer.execute("PRAGMA wal_autocheckpoint = 0")
        self._writer.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten: names, what was said
        self._readers = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._queue: queue.SimpleQueue[Sequence[Job] | None] = queue.SimpleQueue()
        self._deliver: Deliver = _at_once
        self.groups = 0  # transactions so far
        self.jobs = 0  # submissions so far
        self._ended = threading.Event()
        self._too_long = threading.Event()
        self._forgotten = threading.Event()  # somebody was; the write-ahead log still knows them
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()
        self._homeward = threading.Thread(target=self._bring_home, name="store checkpoints", daemon=True)
        self._homeward.start()

    # ---- writing -------------------------------------------------------------------------------------------

    def submit(self, writes: Sequence[Write], then: Then) -> None:
        self._queue.put([(writes, then)])

    def submit_all(self, jobs: Sequence[Job]) -> None:
        self._queue.put(jobs)

    def write(self, *writes: Write) -> None:
        done = threading.Event()
        failed: list[StoreError] = []

        def then(error: StoreError | None) -> None:
            if error is not None:
                failed.append(error)
            done.set()

        then.at_once = True  # type: ignore[attr-defined]  # the waiting thread may be the one that delivers
        self.submit(writes, then)
        done.wait()
        if failed:
            raise failed[0]

    def deliver_by(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def _run(self) -> None:
        stop = False
        while not stop:
            group: list[Job] = []
            jobs = self._queue.get()
            while jobs is not None:
                group += jobs
                if len(group) >= GROUP:
                    break
                try:
                    jobs = self._queue.get_nowait()
                except queue.Empty:
                    break
            else:
                stop = True
            if group:
                self._tell(self._commit(group))
            if self._too_long.is_set():
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

    def _commit(self, group: list[Job]) -> list[tuple[Then, StoreError | None]]:
        self.groups += 1
        self.jobs += len(group)
        try:
            self._transaction([write for writes, _ in group for write in writes])
        except sqlite3.IntegrityError as clash:
            if len(group) == 1:
                return [(group[0][1], StoreError(str(clash)))]
            # One of them does not fit; the others shall not suffer.
            return [told for job in group for told in self._commit([job])]
        except sqlite3.Error as error:
            failure = understood(error)
            return [(then, failure) for _, then in group]
        if any(isinstance(write, ForgetPerson) for writes, _ in group for write in writes):
            self._forgotten.set()
        return [(then, None) for _, then in group]

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
                self._put(connection, write)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _put(self, connection: sqlite3.Connection, write: Write) -> None:
        match write:
            case PutTable(row):
                connection.execute(
                    "INSERT INTO tables (id, game, status, listed, host, created, ended, card)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                    " status = excluded.status, ended = excluded.ended, card = excluded.card",
                    (row.table, row.game, row.status, row.listed, row.host, row.created, row.ended, row.card),
                )
            case PutSeat():
                connection.execute(
                    "INSERT INTO seats (table_id, seat, person, name) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT (table_id, seat) DO UPDATE SET person = excluded.person,"
                    " name = excluded.name, held = NULL",
                    (write.table, write.seat, write.person, write.name),
                )
            case PutPerson():
                connection.execute(
                    "INSERT INTO people (person, name, created, seen) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT (person) DO UPDATE SET"
                    " name = coalesce(excluded.name, name), seen = excluded.seen",
                    (write.person, write.name, write.now, write.now),
                )
            case HoldNames(person):
                connection.execute(
                    "UPDATE seats SET held = coalesce((SELECT name FROM people WHERE person = ?1), '')"
                    " WHERE person = ?1 AND name IS NULL AND held IS NULL"
                    " AND table_id IN (SELECT id FROM tables WHERE status = 'playing')",
                    (person,),
                )
            case ShowNames(table):
                connection.execute("UPDATE seats SET held = NULL WHERE table_id = ?", (table,))
            case ForgetPerson(person):
                connection.execute("DELETE FROM people WHERE person = ?", (person,))
                connection.execute("DELETE FROM said WHERE person = ?", (person,))
                connection.execute("DELETE FROM mutes WHERE person = ? OR other = ?", (person, person))
                connection.execute("DELETE FROM records WHERE person = ?", (person,))
                connection.execute(
                    "UPDATE seats SET person = NULL, name = NULL, held = NULL WHERE person = ?", (person,)
                )
            case PutMute():
                if write.on:
                    connection.execute("INSERT OR IGNORE INTO mutes VALUES (?, ?)", (write.person, write.other))
                else:
                    connection.execute("DELETE FROM mutes WHERE person = ? AND other = ?", (write.person, write.other))
            case AddSaid(table, said):
                connection.execute(
                    "INSERT INTO said (table_id, at, seat, person, phrase, text, request) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (table, said.at, said.seat, said.person, said.phrase, said.text, said.request),
                )
                connection.execute(
                    "DELETE FROM said WHERE table_id = ?1 AND id <="
                    " (SELECT id FROM said WHERE table_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
                    (table, SAID),
                )
            case AddRecord():
                connection.execute(
                    "INSERT INTO records (id, person, game, added, body) VALUES (?, ?, ?, ?, ?)",
                    (write.record, write.person, write.game, write.now, write.body),
                )
            case PutMeta(key, value):
                connection.execute(
                    "INSERT INTO meta (key, value) VALUES (?, ?)"
                    " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    (key, value),
                )
            case Append():
                raise TypeError("appended with its group")

    def _tell(self, told: list[tuple[Then, StoreError | None]]) -> None:
        now = [(then, error) for then, error in told if hasattr(then, "at_once")]
        later = [(then, error) for then, error in told if not hasattr(then, "at_once")]
        _at_once(now)
        if later:
            self._deliver(later)

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

    def log(self, table: str, after: int = 0) -> list[bytes]:
        rows = self._rows("SELECT body FROM events WHERE table_id = ? AND seq > ? ORDER BY seq", table, after)
        return [row[0] for row in rows]

    def table(self, table: str) -> TableRow | None:
        rows = self._tables("WHERE t.id = ?", table)
        return rows[0] if rows else None

    def _tables(self, where: str, *arguments: Any) -> list[TableRow]:
        columns = "t.id, t.game, t.status, t.listed, t.host, t.created, t.ended, t.card"
        return [
            TableRow(row[0], row[1], row[2], bool(row[3]), row[4], row[5], row[6], row[7])
            for row in self._rows(f"SELECT {columns} FROM tables t {where}", *arguments)
        ]

    def seats(self, table: str) -> list[tuple[int, str, str | None]]:
        return self._rows(
            "SELECT s.seat, s.person, coalesce(s.name, p.name) FROM seats s"
            " LEFT JOIN people p ON p.person = s.person WHERE s.table_id = ? AND s.person IS NOT NULL",
            table,
        )

    def held_names(self, table: str) -> dict[int, str | None]:
        rows = self._rows("SELECT seat, held FROM seats WHERE table_id = ? AND held IS NOT NULL", table)
        return {seat: held or None for seat, held in rows}

    def running(self) -> list[str]:
        return [row[0] for row in self._rows("SELECT id FROM tables WHERE status != 'over' ORDER BY created")]

    def lobby(self, limit: int, before: tuple[int, str]) -> list[TableRow]:
        return self._tables(
            "WHERE t.status IN ('open', 'playing') AND t.listed = 1 AND t.created <= ?1"
            " AND (t.created < ?1 OR t.id > ?2) ORDER BY t.created DESC, t.id LIMIT ?3",
            *before,
            limit,
        )

    def tables_of(self, person: str, limit: int) -> list[TableRow]:
        return self._tables(
            "WHERE t.status != 'over' AND (t.host = ?1 OR t.id IN"
            " (SELECT table_id FROM seats WHERE person = ?1)) ORDER BY t.created DESC LIMIT ?2",
            person,
            limit,
        )

    def finished(
        self,
        *,
        viewer: str | None,
        game: str | None,
        person: str | None,
        name: str | None,
        before: tuple[int, str],
        limit: int,
    ) -> list[TableRow]:
        own = "t.id IN (SELECT table_id FROM seats WHERE person = ?)"
        also, given = "", []
        if game is not None:
            also, given = " AND t.game = ?", [game]
        if person is not None:
            also, given = f"{also} AND {own}", [*given, person]
        if name is not None:
            also += (
                " AND t.id IN (SELECT table_id FROM seats WHERE name = ? UNION ALL"
                " SELECT s.table_id FROM people p JOIN seats s ON s.person = p.person"
                " WHERE p.name = ? AND s.name IS NULL)"
            )
            given = [*given, name, name]

        def page(which: str, *arguments: Any) -> list[TableRow]:
            where = f"WHERE {which} AND t.ended <= ? AND (t.ended < ? OR t.id > ?){also}"
            rest = (before[0], *before, *given, limit)
            return self._tables(f"{where} ORDER BY t.ended DESC, t.id LIMIT ?", *arguments, *rest)

        # One after the other, each by its index: a list of few listed tables among many is no look at all of them.
        found = {row.table: row for row in page("t.listed = 1 AND t.ended IS NOT NULL")}
        if viewer is not None:
            found |= {row.table: row for row in page(f"{own} AND t.ended IS NOT NULL", viewer)}
        return sorted(found.values(), key=lambda row: (-(row.ended or 0), row.table))[:limit]

    def played(self, person: str, limit: int) -> list[tuple[TableRow, list[int]]]:
        sitting: dict[str, list[int]] = {}
        for table, seat in self._rows("SELECT table_id, seat FROM seats WHERE person = ? ORDER BY seat", person):
            sitting.setdefault(table, []).append(seat)
        rows = self._tables(
            "WHERE t.id IN (SELECT table_id FROM seats WHERE person = ?) AND t.ended IS NOT NULL"
            " ORDER BY t.ended DESC, t.id LIMIT ?",
            person,
            limit,
        )
        return [(row, sitting[row.table]) for row in rows if row.table in sitting]

    def person(self, person: str) -> tuple[bool, str | None]:
        rows = self._rows("SELECT name FROM people WHERE person = ?", person)
        return (True, rows[0][0]) if rows else (False, None)

    def names(self, persons: Sequence[str]) -> dict[str, str | None]:
        marks = ", ".join("?" * len(persons))
        return dict(self._rows(f"SELECT person, name FROM people WHERE person IN ({marks})", *persons))

    def mutes(self, person: str) -> set[str]:
        return {row[0] for row in self._rows("SELECT other FROM mutes WHERE person = ?", person)}

    def said(self, table: str, limit: int) -> list[Said]:
        rows = self._rows(
            "SELECT at, seat, person, phrase, text, request FROM said WHERE table_id = ? ORDER BY id DESC LIMIT ?",
            table,
            limit,
        )
        return [Said(*row) for row in reversed(rows)]

    def record(self, record: str) -> dict[str, Any] | None:
        rows = self._rows("SELECT body FROM records WHERE id = ?", record)
        return json.loads(rows[0][0]) if rows else None

    def records_of(self, person: str) -> tuple[int, int]:
        query = "SELECT count(*), coalesce(sum(length(body)), 0) FROM records WHERE person = ?"
        count, size = self._rows(query, person)[0]
        return count, size

    def meta(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return rows[0][0] if rows else None

    # ---- the end -------------------------------------------------------------------------------------------

    def close(self) -> None:
        self._ended.set()
        self._queue.put(None)
        self._thread.join()
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


def _at_once(told: list[tuple[Then, StoreError | None]]) -> None:
    for then, error in told:
        then(error)


def understood(error: sqlite3.Error) -> StoreError:
    """The store's word for what SQLite says."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(str(error))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(str(error))
    return StoreError(str(error))
