"""Backups of a database in use, and the way back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foxrow.store import SqliteStore
from foxrow.store.backup import BackupError, backup, restore
from foxrow.store.interface import Append
from foxrow.store.migrations import LATEST


def test_there_and_back_while_in_use(tmp_path: Path) -> None:
    database, copy = tmp_path / "a.db", tmp_path / "copy.db"
    store = SqliteStore(database)
    store.write(Append("t", 1, [b"a"]))
    steps: list[tuple[int, int]] = []
    backup(database, copy, lambda done, of: steps.append((done, of)))
    assert steps
    store.write(Append("t", 2, [b"after"]))
    with pytest.raises(BackupError, match="stop it first"):
        restore(copy, database)
    store.close()
    kept = restore(copy, database)
    assert kept is not None
    store = SqliteStore(database)
    assert store.log("t") == [b"a"]
    store.close()
    with closing(sqlite3.connect(kept)) as before:
        assert before.execute("SELECT count(*) FROM events").fetchone() == (2,)


def test_into_an_empty_place(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    store.write(Append("t", 1, [b"a"]))
    store.close()
    backup(tmp_path / "a.db", tmp_path / "copy.db")
    assert restore(tmp_path / "copy.db", tmp_path / "b.db") is None
    store = SqliteStore(tmp_path / "b.db")
    assert store.log("t") == [b"a"]
    store.close()


def test_what_is_no_backup_is_refused_and_the_database_stays(tmp_path: Path) -> None:
    database = tmp_path / "a.db"
    store = SqliteStore(database)
    store.write(Append("t", 1, [b"a"]))
    store.close()
    rubbish, other, newer = tmp_path / "rubbish", tmp_path / "other.db", tmp_path / "newer.db"
    rubbish.write_bytes(b"not a database at all" * 100)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE x (y)")
    backup(database, newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute(f"PRAGMA user_version = {LATEST + 1}")
    for bad in (rubbish, other, newer, tmp_path / "none"):
        with pytest.raises(BackupError):
            restore(bad, database)
    store = SqliteStore(database)
    assert store.log("t") == [b"a"]
    store.close()


def test_a_backup_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BackupError):
        backup(tmp_path / "none.db", tmp_path / "copy.db")
    store = SqliteStore(tmp_path / "a.db")
    with pytest.raises(BackupError):
        backup(tmp_path / "a.db", tmp_path / "no" / "such" / "folder.db")
    store.close()
