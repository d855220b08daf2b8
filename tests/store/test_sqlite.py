"""The embedded store: order, atomicity, groups, and what happens when the disk or a lock is in the way."""

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
from foxrow.store.interface import (
    AddRecord,
    AddSaid,
    Append,
    ForgetPerson,
    PutMeta,
    PutMute,
    PutPerson,
    PutSeat,
    PutTable,
    Said,
    TableRow,
)
from foxrow.store.lock import Locked
from foxrow.store.statements import SAID


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "a.db", wait=0.2)
    yield store
    store.close()


def row(table: str = "t", status: str = "playing", *, listed: bool = True, ended: int | None = None) -> TableRow:
    return TableRow(table, "g", status, listed, "ann", 1, ended, b"{}")


def test_events_come_back_in_order_and_a_number_is_given_once(store: SqliteStore) -> None:
    store.write(Append("t", 1, [b"a", b"b"]))
    store.write(Append("t", 3, [b"c"]), Append("u", 1, [b"x"]))
    assert store.log("t") == [b"a", b"b", b"c"]
    assert store.log("t", 2) == [b"c"]
    assert store.log("none") == []
    with pytest.raises(StoreError):
        store.write(Append("t", 3, [b"again"]))
    assert store.log("t") == [b"a", b"b", b"c"]


def test_all_of_a_submission_or_nothing(store: SqliteStore) -> None:
    store.write(Append("t", 1, [b"a"]))
    with pytest.raises(StoreError):
        store.write(PutMeta("k", "v"), Append("u", 1, [b"x"]), Append("t", 1, [b"clash"]))
    assert store.meta("k") is None
    assert store.log("u") == []


def test_one_bad_submission_does_not_take_its_group_along(store: SqliteStore) -> None:
    told: dict[str, StoreError | None] = {}
    done = threading.Event()
    hold = threading.Event()

    def first(error: StoreError | None) -> None:
        hold.wait(5)  # keeps the writer busy, so that the next ones form a group

    def then(name: str, error: StoreError | None) -> None:
        told[name] = error
        if len(told) == 3:
            done.set()

    store.submit([Append("t", 1, [b"a"])], first)
    store.submit([Append("u", 1, [b"a"])], lambda error: then("good", error))
    store.submit([Append("t", 1, [b"b"])], lambda error: then("bad", error))
    store.submit([Append("v", 1, [b"a"])], lambda error: then("also good", error))
    hold.set()
    assert done.wait(5)
    assert told["good"] is None
    assert told["also good"] is None
    assert told["bad"] is not None
    assert store.log("u") == store.log("v") == [b"a"]


def test_many_submissions_share_a_transaction(store: SqliteStore) -> None:
    left = 500
    done = threading.Event()

    def then(error: StoreError | None) -> None:
        nonlocal left
        assert error is None
        left -= 1
        if left == 0:
            done.set()

    for n in range(500):
        store.submit([Append(f"t{n}", 1, [b"x"])], then)
    assert done.wait(10)
    assert store.groups < 400
    assert sum(len(store.log(f"t{n}")) for n in range(500)) == 500


def test_what_is_acknowledged_is_there_for_another_process(store: SqliteStore) -> None:
    store.write(Append("t", 1, [b"a"]))
    with closing(sqlite3.connect(store.path)) as other:
        assert other.execute("SELECT body FROM events").fetchall() == [(b"a",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_lists(store: SqliteStore) -> None:
    store.write(PutPerson("ann", "Ann", 1), PutPerson("ben", None, 1))
    store.write(PutTable(row("t")), PutSeat("t", 0, "ann"), PutSeat("t", 1, "ben", "Benny"))
    store.write(PutTable(row("p", listed=False)), PutSeat("p", 0, "ben"))
    assert store.running() == ["p", "t"] or store.running() == ["t", "p"]
    assert [r.table for r in store.lobby(10, (2**62, "~"))] == ["t"]
    assert {r.table for r in store.tables_of("ann", 10)} == {"t", "p"}  # she is the host of both
    assert store.seats("t") == [(0, "ann", "Ann"), (1, "ben", "Benny")]
    store.write(PutTable(row("t", "over", ended=7)), PutTable(row("p", "over", listed=False, ended=9)))
    assert store.running() == []

    def finished(viewer: str | None, **by: str | None) -> list[str]:
        given = {"game": None, "person": None, "name": None, **by}
        found = store.finished(viewer=viewer, before=(100, ""), limit=10, **given)
        return [r.table for r in found]

    assert finished(None) == ["t"]
    assert finished("ben") == ["p", "t"]
    assert finished("ann") == ["t"]
    assert finished("ben", person="ben") == ["p", "t"]
    assert finished(None, name="Benny") == ["t"]
    assert finished(None, name="Ben") == []
    assert finished("ben", game="other") == []
    # Page by page, also where several ended in the same moment.
    store.write(PutTable(row("q", "over", ended=7)), PutTable(row("r", "over", ended=7)))
    pages, before = [], (100, "")
    while found := store.finished(viewer="ben", game=None, person=None, name=None, before=before, limit=2):
        pages.append([r.table for r in found])
        before = (found[-1].ended or 0, found[-1].table)
    assert pages == [["p", "q"], ["r", "t"]]


def test_forgetting_a_person_leaves_the_logs_and_nothing_that_names_them(store: SqliteStore) -> None:
    store.write(PutPerson("ann", "Ann", 1), PutPerson("ben", "Ben", 1))
    store.write(
        PutTable(row()),
        PutSeat("t", 0, "ann", "Secret Ann"),
        PutSeat("t", 1, "ben"),
        Append("t", 1, [b'{"person":"ann"}']),
        AddSaid("t", Said(1, 0, "ann", None, "I am Ann Example")),
        AddSaid("t", Said(2, 1, "ben", "hello", None)),
        PutMute("ben", "ann", True),
        AddRecord("r", "ann", "g", 1, b'{"players":["Ann"]}'),
    )
    assert store.mutes("ben") == {"ann"}
    assert store.records_of("ann")[0] == 1
    store.write(ForgetPerson("ann"))
    assert store.person("ann") == (False, None)
    assert store.log("t") == [b'{"person":"ann"}']
    assert store.seats("t") == [(1, "ben", "Ben")]
    assert [said.person for said in store.said("t", 10)] == ["ben"]
    assert store.mutes("ben") == set()
    assert store.record("r") is None
    with closing(sqlite3.connect(store.path)) as other:
        dump = "\n".join(other.iterdump())
    assert "Secret Ann" not in dump
    assert "Example" not in dump


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


def test_one_process_at_a_time(store: SqliteStore) -> None:
    with pytest.raises(Locked):
        SqliteStore(store.path)


def test_closing_writes_what_was_submitted(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    told: list[StoreError | None] = []
    for n in range(50):
        store.submit([Append("t", n + 1, [b"x"])], told.append)
    store.close()
    assert told == [None] * 50
    again = SqliteStore(tmp_path / "a.db")
    assert len(again.log("t")) == 50
    again.close()


def test_of_what_is_said_the_last_lines_are_kept(store: SqliteStore) -> None:
    for table in ("t", "u"):
        store.write(*(AddSaid(table, Said(n, 0, "ann", None, str(n))) for n in range(SAID + 50)))
    store.write(AddSaid("u", Said(1, 0, "ann", None, "last")))
    count = "SELECT table_id, count(*) FROM said GROUP BY table_id ORDER BY table_id"
    assert store._rows(count) == [("t", SAID), ("u", SAID)]
    assert [line.text for line in store.said("u", 2)] == [str(SAID + 49), "last"]


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
