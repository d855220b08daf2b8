"""The embedded store's own: its files, its log beside them, and what happens when the disk or a lock is in the way."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from foxrow.store import SqliteStore, StoreBusy, StoreError, StoreFull, sqlite
from foxrow.store.interface import AddRecord, AddSaid, Append, ForgetPerson, PutPerson, PutSeat, Said


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "a.db", wait=0.2)
    yield store
    store.close()


def test_what_is_acknowledged_is_there_for_another_process(store: SqliteStore) -> None:
    store.write(Append("t", 1, [b"a"]))
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT body FROM events").fetchall() == [(b"a",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_full_disk_is_refused_clearly_and_nothing_is_broken(store: SqliteStore) -> None:
    store.write(Append("t", 1, [b"a"]))
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull):
        store.write(*(Append(f"big{n}", 1, [b"x" * 20_000]) for n in range(100)))
    store._writer.execute("PRAGMA max_page_count = 1000000")
    store.write(Append("t", 2, [b"b"]))
    assert store.log("t") == [b"a", b"b"]
    assert store._writer.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_locked_database_is_refused_clearly_and_works_again_after(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            store.write(Append("t", 1, [b"a"]))
        other.execute("ROLLBACK")
    store.write(Append("t", 1, [b"a"]))
    assert store.log("t") == [b"a"]


def test_what_cannot_be_opened_is_told_and_let_go_of(tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    path.write_bytes(b"not a database at all" * 1000)
    with pytest.raises(StoreError, match=r"b\.db: file is not a database; .*foxrow restore"):
        SqliteStore(path)
    path.unlink()
    SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusy, match="another program"):
            SqliteStore(path, wait=0.01)
    SqliteStore(path).close()


def test_finished_games_are_found_by_their_indexes(store: SqliteStore) -> None:
    """No list of them is a look at every table, or at every person's seats."""
    plans: list[str] = []
    read = store._rows

    def explained(sql: str, *arguments: Any) -> list[Any]:
        plans.extend(line[3] for line in read(f"EXPLAIN QUERY PLAN {sql}", *arguments))
        return read(sql, *arguments)

    store._rows = explained  # type: ignore[method-assign]
    for viewer, name in ((None, None), ("ann", None), ("ann", "Ann")):
        store.finished(viewer=viewer, game=None, person=None, name=name, before=(2**62, "~"), limit=20)
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN") and "INDEX" not in plan]


def test_what_is_forgotten_is_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in freed places of the database nor in its write-ahead log."""
    monkeypatch.setattr(sqlite, "LOOK", 0.02)
    path = tmp_path / "a.db"
    store = SqliteStore(path)
    store.write(PutPerson("ann", "Annemarie", 1), PutSeat("t", 0, "ann", "Annemarie"))
    store.write(*(AddSaid("t", Said(1, 0, "ann", None, "my secret address")) for _ in range(100)))
    store.write(AddRecord("r", "ann", "g", 1, b'{"players":["Annemarie"]}' * 500))
    files = [path, path.with_name(path.name + "-wal")]

    def found() -> list[bytes]:
        texts = b"".join(file.read_bytes() for file in files if file.exists())
        return [word for word in (b"Annemarie", b"secret address") if word in texts]

    assert found()
    store.write(ForgetPerson("ann"))
    deadline = time.monotonic() + 60
    while found() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found() == []
    store.write(PutPerson("ben", "Ben", 1))  # and it goes on
    store.close()
    assert found() == []


def test_who_reads_for_long_does_not_hold_up_who_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOOK", 0.02)
    monkeypatch.setattr(sqlite, "HOME", 1)
    monkeypatch.setattr(sqlite, "LONG", 0)  # the log is always too long
    store = SqliteStore(tmp_path / "a.db", wait=3600.0)
    store.write(PutPerson("ann", "Ann", 1))
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM people").fetchall()
        written = threading.Semaphore(0)
        for seq in range(1, 51):
            store.submit([Append("t", seq, [b"x" * 5000])], lambda error: written.release())
            time.sleep(0.005)
        for _ in range(50):
            assert written.acquire(timeout=60)
        reader.execute("COMMIT")
    store.close()
