"""Backups of a database in use, and the way back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foxrow.store import SqliteStore
from foxrow.store.backup import BackupError, backup, check, restore
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


def damaged(database: Path, how: str) -> bytes:
    whole = bytearray(database.read_bytes())
    match how:
        case "its head":
            whole[:100] = b"x" * 100
        case "its end":
            del whole[len(whole) // 2 + 700 :]
        case "a page":
            whole[100:200] = whole[4096:8192] = b"\xa5" * 4096
        case "everything":
            whole.clear()
            whole += b"not a database at all" * 1000
    database.write_bytes(whole)
    return bytes(whole)


@pytest.mark.parametrize("how", ["its head", "its end", "a page", "everything"])
def test_a_damaged_database_is_put_aside_as_it_is(tmp_path: Path, how: str) -> None:
    database, copy = tmp_path / "a.db", tmp_path / "copy.db"
    store = SqliteStore(database)
    store.write(Append("t", 1, [b"a"]))
    store.close()
    backup(database, copy)
    for number in (1, 2):
        was = damaged(database, how)
        database.with_name("a.db-wal").write_bytes(b"what was not brought home")
        kept = restore(copy, database)
        assert kept == tmp_path / f"a.db.before-restore-{number}"
        assert kept.read_bytes() == was
        assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"what was not brought home"
        assert not list(tmp_path.glob("a.db-*")) and not list(tmp_path.glob("a.db.part*"))
        store = SqliteStore(database)
        assert store.log("t") == [b"a"]
        store.close()


def test_what_a_crash_left_in_the_log_is_in_the_one_file_that_is_put_aside(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    store.write(Append("t", 1, [b"a"]))
    crashed = tmp_path / "b.db"
    for end in ("", "-wal"):
        crashed.with_name(f"b.db{end}").write_bytes((tmp_path / f"a.db{end}").read_bytes())
    store.close()
    kept = restore(tmp_path / "a.db", crashed)
    assert kept is not None
    assert [file.name for file in tmp_path.glob("b.db*") if file not in (kept, crashed)] == ["b.db.lock"]
    with closing(sqlite3.connect(kept)) as before:
        assert before.execute("SELECT count(*) FROM events").fetchone() == (1,)


def test_a_database_that_another_program_holds_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, copy = tmp_path / "a.db", tmp_path / "copy.db"
    SqliteStore(database).close()
    backup(database, copy)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: connect(*given, **{"timeout": 0.01, **more}))
    with closing(connect(database)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BackupError, match="locked"):
            restore(copy, database)
    assert database.exists()
    assert not list(tmp_path.glob("*.before-restore-*")) and not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("fault", [BackupError("it is damaged"), OSError("no"), KeyboardInterrupt()])
def test_a_copy_that_comes_to_nothing_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    """A copy holds the key of all cookies."""
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    store = SqliteStore(source)  # in use, so that the copy would have a log beside it
    store.write(Append("t", 1, [b"a"]))

    def faulty(database: Path) -> None:
        check(database)
        if database.name == "b.db.part":
            raise fault

    monkeypatch.setattr("foxrow.store.backup.check", faulty)
    for copy in (backup, restore):
        with pytest.raises(BackupError if isinstance(fault, Exception) else KeyboardInterrupt):
            copy(source, target)
        assert [file.name for file in tmp_path.glob("b.db*") if file.suffix != ".lock"] == []
    monkeypatch.undo()
    restore(source, target)
    assert not list(tmp_path.glob("b.db.part*"))
    store.close()


def test_a_backup_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BackupError):
        backup(tmp_path / "none.db", tmp_path / "copy.db")
    store = SqliteStore(tmp_path / "a.db")
    with pytest.raises(BackupError):
        backup(tmp_path / "a.db", tmp_path / "no" / "such" / "folder.db")
    store.close()
