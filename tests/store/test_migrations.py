"""From every earlier version of the database to this one, with what was in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foxrow.store import SqliteStore
from foxrow.store.interface import AddRecord, AddSaid, Append, Said
from foxrow.store.migrations import LATEST, migrate, version


@pytest.mark.parametrize("old", range(LATEST + 1))
def test_from_every_version(old: int, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, old)
        assert version(connection) == old
        if old:
            connection.execute("INSERT INTO events VALUES ('t', 1, x'61')")
            connection.execute("INSERT INTO tables VALUES ('t', 'g', 'open', 1, 'ann', 1, NULL, x'7b7d')")
            connection.execute("INSERT INTO people VALUES ('ann', 'Ann', 1, 1)")
            connection.execute("INSERT INTO seats (table_id, seat, person) VALUES ('t', 0, 'ann')")
    store = SqliteStore(path)
    assert version(store._writer) == LATEST
    if old:
        assert store.log("t") == [b"a"]
        assert store.running() == ["t"]
        assert store.seats("t") == [(0, "ann", "Ann")]
    # All that this version can do works on it.
    store.write(Append("u", 1, [b"x"]), AddSaid("u", Said(1, 0, "ann", "hello", None)))
    store.write(AddRecord("r", "ann", "g", 1, b"{}"))
    assert store.said("u", 5)[0].phrase == "hello"
    store.close()


def test_all_ways_lead_to_the_same_shape(tmp_path: Path) -> None:
    shapes = set()
    for old in range(LATEST + 1):
        with closing(sqlite3.connect(tmp_path / f"{old}.db", isolation_level=None)) as connection:
            migrate(connection, old)
            migrate(connection)
            rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
            shapes.add(tuple(rows))
    assert len(shapes) == 1


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {LATEST + 1}")
        with pytest.raises(ValueError, match="newer Foxrow"):
            migrate(connection)


def test_a_step_that_fails_changes_nothing(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as connection:
        migrate(connection, 1)
        connection.execute("CREATE TABLE mutes (x)")  # in the way of step 2
        with pytest.raises(sqlite3.OperationalError):
            migrate(connection)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        assert version(connection) == 1
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        assert "said" not in names
