"""What every store does, whichever the database: order, atomicity, groups, lists, forgetting."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from foxrow.store import SqliteStore, StoreError, open_store
from foxrow.store.interface import (
    AddRecord,
    AddSaid,
    Append,
    ForgetPerson,
    HoldNames,
    PutMeta,
    PutMute,
    PutPerson,
    PutSeat,
    PutTable,
    Said,
    ShowNames,
    Store,
    TableRow,
    Write,
)
from foxrow.store.lock import Locked
from foxrow.store.statements import SAID
from foxrow.store.writer import Writer
from tests.postgres import Cluster


class Place:
    """Where a store is, and what lies there, in whatever way it does."""

    def __init__(self, where: Path | str, dump: Callable[[], str]) -> None:
        self.where = where
        self.dump = dump

    def open(self) -> Store:
        return open_store(self.where)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        path = tmp_path / "a.db"

        def lines() -> str:
            with closing(sqlite3.connect(path)) as other:
                return "\n".join(other.iterdump())

        return Place(path, lines)
    cluster: Cluster = request.getfixturevalue("cluster")
    database: str = request.getfixturevalue("database")
    tables = ("events", "meta", "mutes", "people", "records", "said", "seats", "tables")

    def rows() -> str:
        return "\n".join(str(cluster.sql(database, f"SELECT * FROM {table}")) for table in tables)

    return Place(cluster.address(database), rows)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    store = place.open()
    yield store
    store.close()


def row(table: str = "t", status: str = "playing", *, listed: bool = True, ended: int | None = None) -> TableRow:
    return TableRow(table, "g", status, listed, "ann", 1, ended, b"{}")


def test_events_come_back_in_order_and_a_number_is_given_once(store: Store) -> None:
    store.write(Append("t", 1, [b"a", b"b"]))
    store.write(Append("t", 3, [b"c"]), Append("u", 1, [b"x"]))
    assert store.log("t") == [b"a", b"b", b"c"]
    assert store.log("t", 2) == [b"c"]
    assert store.log("none") == []
    with pytest.raises(StoreError):
        store.write(Append("t", 3, [b"again"]))
    assert store.log("t") == [b"a", b"b", b"c"]


def test_all_of_a_submission_or_nothing(store: Store) -> None:
    store.write(Append("t", 1, [b"a"]))
    with pytest.raises(StoreError):
        store.write(PutMeta("k", "v"), Append("u", 1, [b"x"]), Append("t", 1, [b"clash"]))
    assert store.meta("k") is None
    assert store.log("u") == []


def test_one_bad_submission_does_not_take_its_group_along(store: Store) -> None:
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


def test_many_submissions_share_a_transaction(store: Store) -> None:
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
    assert isinstance(store, Writer)
    assert store.groups < 400
    assert sum(len(store.log(f"t{n}")) for n in range(500)) == 500


def test_lists(store: Store) -> None:
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


def test_forgetting_a_person_leaves_the_logs_and_nothing_that_names_them(store: Store, place: Place) -> None:
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
    assert "Secret Ann" in place.dump()
    assert store.mutes("ben") == {"ann"}
    assert store.records_of("ann")[0] == 1
    store.write(AddRecord("s", "ben", "g", 1, b"12345"))
    assert store.records_size() == len(b'{"players":["Ann"]}') + 5
    store.write(ForgetPerson("ann"))
    assert store.person("ann") == (False, None)
    assert store.log("t") == [b'{"person":"ann"}']
    assert store.seats("t") == [(1, "ben", "Ben")]
    assert [said.person for said in store.said("t", 10)] == ["ben"]
    assert store.mutes("ben") == set()
    assert store.records_size() == 5
    assert store.record("r") is None
    dump = place.dump()
    assert "Secret Ann" not in dump
    assert "Example" not in dump


def test_one_process_at_a_time(store: Store, place: Place) -> None:
    with pytest.raises(Locked):
        place.open()


def test_closing_writes_what_was_submitted(place: Place) -> None:
    store = place.open()
    told: list[StoreError | None] = []
    for n in range(50):
        store.submit([Append("t", n + 1, [b"x"])], told.append)
    store.close()
    assert told == [None] * 50
    again = place.open()
    assert len(again.log("t")) == 50
    again.close()


def test_of_what_is_said_the_last_lines_are_kept(store: Store) -> None:
    for table in ("t", "u"):
        store.write(*(AddSaid(table, Said(n, 0, "ann", None, str(n))) for n in range(SAID + 50)))
    store.write(AddSaid("u", Said(1, 0, "ann", None, "last")))
    assert len(store.said("t", 1000)) == len(store.said("u", 1000)) == SAID
    assert [line.text for line in store.said("u", 2)] == [str(SAID + 49), "last"]


def test_what_is_written_together_has_its_order(store: Store) -> None:
    """Also where a store writes rows of one kind at once."""
    store.write(
        PutPerson("ann", "Ann", 1),
        PutTable(row("t", "open")),
        PutSeat("t", 0, "ann"),
        PutTable(row("t", "playing")),
        HoldNames("ann"),
        PutPerson("ann", "Anna", 2),
        PutPerson("ann", None, 3),
        PutSeat("t", 1, "ben"),
        PutSeat("t", 1, None),
        PutMute("ann", "ben", True),
        PutMute("ann", "ben", False),
        PutMute("ann", "cleo", False),
        PutMute("ann", "cleo", True),
        PutMute("ann", "cleo", True),
        PutMeta("k", "1"),
        PutMeta("k", "2"),
    )
    assert store.running() == ["t"]
    assert store.held_names("t") == {0: "Ann"}
    assert store.person("ann") == (True, "Anna")
    assert store.seats("t") == [(0, "ann", "Anna")]
    assert store.mutes("ann") == {"cleo"}
    assert store.meta("k") == "2"
    store.write(ShowNames("t"), PutSeat("t", 2, "ann", "A."), ForgetPerson("ann"), PutPerson("ann", None, 4))
    assert store.held_names("t") == {}
    assert store.seats("t") == []
    assert store.person("ann") == (True, None)


def test_both_stores_answer_alike(tmp_path: Path, cluster: Cluster, database: str) -> None:
    """Ids of all kinds of letters, and many tables that began or ended in the same moment."""
    letters = ["a", "B", "_", "-", "0", "Zz", "é", "zz", "~", "a-b", "a_b", "A"]
    writes: list[Write] = [PutPerson(f"p{n}", f"Name {n % 3}" if n % 4 else None, n) for n in range(8)]
    for n, letter in enumerate(letters):
        for status in ("open", "playing", "over"):
            table = letter + status
            ended = 5 + n % 2 if status == "over" else None
            game, listed = "gh"[n % 2], n % 3 > 0
            writes.append(PutTable(TableRow(table, game, status, listed, f"p{n % 8}", n % 3, ended, b"{}")))
            writes += [PutSeat(table, seat, f"p{(n + seat) % 8}", "Own" if n == seat else None) for seat in range(3)]
    stores: list[Store] = [SqliteStore(tmp_path / "a.db"), open_store(cluster.address(database))]
    answers = []
    for store in stores:
        store.write(*writes)
        found: list[object] = [store.running(), store.names(["p0", "p1", "nobody"]), store.names([])]
        for before in ((2**62, ""), (1, "B"), (1, "a_bopen"), (0, "~")):
            found += [store.lobby(limit, before) for limit in (1, 5, 100)]
        for person in ("p0", "p3", "nobody", "\0"):
            found += [store.tables_of(person, 100), store.played(person, 100), store.person(person)]
            found += [store.records_of(person), store.log(person), store.table(person)]
            for called, kind, by in itertools.product((None, "Name 1", "Own", "\0"), (None, "h"), (None, "p3")):
                for before in ((2**62, ""), (6, "B"), (5, "é")):
                    found.append(
                        store.finished(viewer=person, game=kind, person=by, name=called, before=before, limit=7)
                    )
        found += [store.seats(letter + "open") for letter in letters]
        answers.append(found)
        store.close()
    assert answers[0] == answers[1]
    assert sum(map(bool, answers[0])) > 50
