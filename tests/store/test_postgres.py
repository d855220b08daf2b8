"""PostgreSQL when something is in the way: killed, cut off, full, locked, replaced. What is told is true every time."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import asyncpg
import pytest

from foxrow.store import StoreBusy, StoreError, StoreFull, postgres, session
from foxrow.store.interface import Append, PutMeta, StoreUnsure, Write
from foxrow.store.lock import Locked
from foxrow.store.postgres import PostgresStore
from foxrow.store.session import TAKE, Session, numbered
from foxrow.store.writer import Writer
from tests.postgres import Cluster, Wire

KILLS = int(os.environ.get("FOXROW_KILLS", "3"))
WAYS: list[list[Write]] = [  # an append alone goes as one statement, with others as a transaction of several
    [Append("t", 1, [b"the body"])],
    [Append("t", 1, [b"the body"]), PutMeta("k", "v")],
]


@pytest.fixture
def address(cluster: Cluster, database: str) -> str:
    return cluster.address(database)


@pytest.fixture
def store(address: str) -> Iterator[PostgresStore]:
    store = PostgresStore(address, wait=0.3)
    yield store
    store.close()


@pytest.fixture
def wire(cluster: Cluster) -> Iterator[Wire]:
    wire = Wire(cluster)
    yield wire
    wire.close()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def submitted(store: Writer, *writes: Write) -> list[StoreError | None]:
    """What is told of a submission, once it is told."""
    told: list[StoreError | None] = []
    store.submit(writes, told.append)
    return told


class Load:
    """Tables at which one event follows the other, each submitted when the one before was told; a refused one is tried
    again with another body. What is told is believed: if it is not true, a number clashes or a body is missing."""

    def __init__(self, store: PostgresStore, tables: int) -> None:
        self.store = store
        self.written: dict[str, list[bytes]] = {f"t{n}": [] for n in range(tables)}
        self.faults: list[StoreError] = []
        self.refused = 0
        self.ended = False
        self.busy = tables
        self.tries = 0
        for table in self.written:
            self.submit(table)

    @property
    def count(self) -> int:
        return sum(map(len, self.written.values()))

    def submit(self, table: str) -> None:
        self.tries += 1
        body = f"{table} {self.tries}".encode()
        writes: list[Write] = [Append(table, len(self.written[table]) + 1, [body])]
        if self.tries % 5 == 0:
            writes.append(PutMeta(table, str(self.tries)))
        self.store.submit(writes, lambda error: self.told(table, body, error))

    def told(self, table: str, body: bytes, error: StoreError | None) -> None:
        if error is None:
            self.written[table].append(body)
        elif isinstance(error, StoreBusy):
            self.refused += 1
            time.sleep(0.002)
        else:
            self.faults.append(error)
        if self.ended or self.faults:
            self.busy -= 1
        else:
            self.submit(table)

    def check(self) -> None:
        assert self.faults == []
        for table, bodies in self.written.items():
            assert self.store.log(table) == bodies


def test_killed_under_load_nothing_told_is_untrue(cluster: Cluster, store: PostgresStore) -> None:
    load = Load(store, 8)
    for _ in range(KILLS):
        goal = load.count + 200
        until(lambda: load.count >= goal)  # noqa: B023
        with cluster.killed():
            until(lambda: store.away)
            with pytest.raises(StoreBusy):  # and it is not left waiting
                store.write(PutMeta("k", "v"))
            with pytest.raises(StoreBusy):
                store.log("t0")
        until(lambda: not store.away)
    goal = load.count + 200
    until(lambda: load.count >= goal or bool(load.faults))
    load.ended = True
    until(lambda: load.busy == 0)
    load.check()


def test_cut_off_under_load_nothing_told_is_untrue(wire: Wire, database: str) -> None:
    """In the middle of whatever was on its way, to and fro."""
    store = PostgresStore(wire.address(database), wait=0.1)
    load = Load(store, 8)
    for cut in range(10 * KILLS):
        goal = load.count + cut % 7
        until(lambda: load.count >= goal)  # noqa: B023
        wire.cut()
        until(lambda: store.away)
        wire.mend()
    goal = load.count + 100
    until(lambda: load.count >= goal or bool(load.faults))
    load.ended = True
    until(lambda: load.busy == 0)
    load.check()
    store.close()


@pytest.mark.parametrize("arrived", [True, False])
@pytest.mark.parametrize("writes", WAYS)
def test_a_commit_whose_answer_is_lost_is_found_again(
    wire: Wire, cluster: Cluster, database: str, writes: list[Write], arrived: bool
) -> None:
    store = PostgresStore(wire.address(database), wait=0.1)
    store.write(Append("before", 1, [b"x"]))
    wire.snap(b"COMMIT" if len(writes) > 1 else b"the body", arrived=arrived)
    told = submitted(store, *writes)
    assert wire.snapped.wait(20)
    with pytest.raises(StoreBusy):
        store.write(Append("after", 1, [b"x"]))  # it is not left waiting
    assert told == []  # nobody knows yet
    wire.mend()
    until(lambda: bool(told))
    there = cluster.sql(database, "SELECT body FROM events WHERE table_id = 't'")
    assert (there == [(b"the body",)]) == arrived
    assert (told[0] is None) == arrived
    if not arrived:
        assert isinstance(told[0], StoreBusy)
        store.write(*writes)
    assert store.log("t") == [b"the body"]
    store.write(Append("after", 1, [b"x"]))
    store.close()


def test_before_the_commit_nothing_is_in_doubt(wire: Wire, database: str) -> None:
    store = PostgresStore(wire.address(database), wait=0.1)
    wire.snap(b"the body", arrived=True)  # of a transaction of several statements
    with pytest.raises(StoreBusy):
        store.write(*WAYS[1])
    wire.mend()
    until(lambda: not store.away)
    assert store.log("t") == []
    store.write(*WAYS[1])
    store.close()


def test_what_is_in_doubt_at_the_end_is_not_told_either_way(wire: Wire, database: str) -> None:
    store = PostgresStore(wire.address(database), wait=0.1)
    waiting: list[Exception] = []

    def write() -> None:
        try:
            store.write(*WAYS[0])
        except StoreError as error:
            waiting.append(error)

    wire.snap(b"the body", arrived=True)
    thread = threading.Thread(target=write)
    thread.start()
    assert wire.snapped.wait(20)
    until(lambda: store.away)
    store.close()
    thread.join(20)
    assert [type(error) for error in waiting] == [StoreUnsure]


def test_a_short_absence_is_waited_for(wire: Wire, database: str) -> None:
    store = PostgresStore(wire.address(database), wait=60.0)
    wire.cut()
    until(lambda: store.away)
    told = submitted(store, *WAYS[0])
    wire.mend()
    until(lambda: bool(told))
    assert told == [None]
    store.close()


def test_who_was_about_to_write_when_it_was_lost_is_refused_at_once(wire: Wire, database: str) -> None:
    store = PostgresStore(wire.address(database), wait=0.1)
    wire.cut()
    until(lambda: store.away)
    time.sleep(0.3)  # it is being looked for
    doing = asyncio.run_coroutine_threadsafe(store._transaction(WAYS[0]), store._loop)
    assert isinstance(doing.exception(timeout=20), StoreBusy)
    store.close()


def test_a_session_that_was_replaced_writes_nothing(store: PostgresStore, address: str) -> None:
    """Neither as one statement nor as several, also if its connection is still there."""

    async def story() -> None:
        connection = await asyncpg.connect(address)
        (holder, number) = await connection.fetchrow("SELECT holder, session FROM active")
        others = Session(connection, "somebody else", number), Session(connection, holder, number - 1)
        ends: list[str] = []
        for other in others:
            for rest in ([], [PutMeta("k", "v")]):
                try:
                    await other.write(1, [("t", 1, b"x")], rest)
                    ends.append("written")
                except Exception as error:
                    ends.append(type(error).__name__)
        await connection.close()
        assert ends == ["Replaced"] * 4

    asyncio.run(story())
    assert store.log("t") == []
    assert store.meta("k") is None
    store.write(*WAYS[1])


@pytest.mark.parametrize("writes", WAYS)
def test_who_finds_somebody_else_in_its_place_ends(
    store: PostgresStore, cluster: Cluster, database: str, writes: list[Write]
) -> None:
    over: list[str] = []
    store.when_over(over.append)
    cluster.sql(database, "UPDATE active SET holder = 'somebody else'", "SELECT")
    with pytest.raises(StoreBusy):
        store.write(*writes)
    until(lambda: bool(over))
    assert over == ["another server has taken over the database"]
    with pytest.raises(StoreBusy, match="taken over"):
        store.write(*writes)
    with pytest.raises(StoreBusy, match="taken over"):
        store.log("t")
    assert cluster.sql(database, "SELECT count(*) FROM events") == [(0,)]


def test_a_database_that_has_lost_what_was_told_is_not_gone_on_with(
    wire: Wire, cluster: Cluster, database: str
) -> None:
    store = PostgresStore(wire.address(database), wait=0.1)
    over: list[str] = []
    store.when_over(over.append)
    store.write(*WAYS[0])
    wire.cut()
    cluster.sql(database, "DELETE FROM events", "UPDATE active SET written = 0", "SELECT")
    wire.mend()
    until(lambda: bool(over))
    assert "earlier state" in over[0]
    store.close()


def test_who_waits_takes_over_and_the_one_before_never_writes_again(
    wire: Wire, address: str, cluster: Cluster, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "LOOK", 0.05)
    first = PostgresStore(wire.address(database), wait=0.1)
    over: list[str] = []
    first.when_over(over.append)
    first.write(*WAYS[0])
    with pytest.raises(Locked):
        PostgresStore(address)
    waits = threading.Event()
    second: list[PostgresStore] = []
    thread = threading.Thread(target=lambda: second.append(PostgresStore(address, wait=0.3, standby=waits.set)))
    thread.start()
    assert waits.wait(20)
    first.write(Append("t", 2, [b"b"]))  # while one waits, the other goes on
    time.sleep(0.3)
    assert second == []
    wire.snap(b"in doubt", arrived=False)
    doubted = submitted(first, Append("t", 3, [b"in doubt"]))
    thread.join(60)
    assert second[0].log("t") == [b"the body", b"b"]
    second[0].write(Append("t", 3, [b"c"]))
    wire.mend()  # it comes back
    until(lambda: bool(over))
    assert "taken over" in over[0]
    with pytest.raises(StoreBusy):
        first.write(Append("t", 4, [b"d"]))
    first.close()
    assert doubted == []  # nobody was told that it was written, nor that it was not
    second[0].write(Append("t", 4, [b"e"]))
    assert second[0].log("t", 2) == [b"c", b"e"]
    second[0].close()


def test_who_takes_over_waits_for_a_transaction_that_is_under_way(
    store: PostgresStore, address: str, cluster: Cluster, database: str
) -> None:
    """What the one before has begun counts whole, or not at all."""

    async def story() -> None:
        old = await asyncpg.connect(address)
        holder, number = await old.fetchrow("SELECT holder, session FROM active")
        await old.execute("BEGIN")
        session = Session(old, holder, number)
        await session._put([PutMeta("k", "v")])
        await old.execute("UPDATE active SET written = 7 WHERE holder = $1", holder)
        new = await asyncpg.connect(address)
        taking = asyncio.ensure_future(new.fetchval(TAKE, "the next one"))
        await asyncio.sleep(0.2)
        assert not taking.done()
        await old.execute("COMMIT")
        assert await taking == number + 1
        await old.close()
        await new.close()

    asyncio.run(story())
    assert cluster.sql(database, "SELECT value FROM meta") == [("v",)]


def test_a_connection_that_is_ended_by_an_operator_comes_back(
    store: PostgresStore, cluster: Cluster, database: str
) -> None:
    for number in range(1, 4):
        store.write(Append("t", number, [b"x"]))
        session = store._session
        ours = f"FROM pg_stat_activity WHERE application_name LIKE 'foxrow%' AND datname = '{database}'"
        ended = cluster.sql(database, f"SELECT pg_terminate_backend(pid) {ours}")
        assert ended
        until(lambda: store._session not in (None, session))  # noqa: B023
        assert len(store.log("t")) == number


def test_a_full_disk_is_refused_clearly_and_nothing_is_broken(
    store: PostgresStore, cluster: Cluster, database: str
) -> None:
    """As PostgreSQL says it; a disk of that size is not to be had here."""
    store.write(Append("t", 1, [b"a"]))
    cluster.sql(
        database,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END$$",
        "CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()",
        "SELECT",
    )
    for rest in ([], [PutMeta("k", "v")]):
        with pytest.raises(StoreFull):
            store.write(*rest, Append("t", 2, [b"b"]))
    cluster.sql(database, "DROP TRIGGER full_disk ON events", "SELECT")
    assert store.meta("k") is None
    store.write(Append("t", 2, [b"b"]))
    assert store.log("t") == [b"a", b"b"]


def test_a_locked_table_is_refused_clearly_and_works_again_after(
    store: PostgresStore, address: str, cluster: Cluster, database: str
) -> None:
    async def story() -> None:
        other = await asyncpg.connect(address)
        await other.execute("BEGIN; LOCK TABLE events IN SHARE MODE")
        for writes in WAYS:
            with pytest.raises(StoreBusy):
                await asyncio.to_thread(store.write, *writes)
        await other.close()

    asyncio.run(story())
    assert not store.away
    store.write(*WAYS[1])


def test_text_that_no_database_can_hold_hurts_nobody_else(store: PostgresStore) -> None:
    hold = threading.Event()
    store.submit([Append("t", 1, [b"a"])], lambda error: until(hold.is_set))
    bad = submitted(store, PutMeta("k", "a\0b"))
    worse = submitted(store, PutMeta("k", "\ud800"))
    good = submitted(store, Append("u", 1, [b"a"]))
    hold.set()
    until(lambda: bool(bad and worse and good))
    assert good == [None]
    assert isinstance(bad[0], StoreError) and isinstance(worse[0], StoreError)
    assert store.log("a\0b") == []


def test_a_commit_is_on_disk_before_it_is_told(store: PostgresStore, cluster: Cluster, database: str) -> None:
    def setting() -> Any:
        session = store._session
        assert session is not None
        return store._do(session.connection.fetchval("SHOW synchronous_commit"))

    assert setting() == "on"
    for given, kept in (("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")):
        cluster.sql(database, f"ALTER DATABASE {database} SET synchronous_commit = {given}", "SELECT")
        session = store._session
        assert session is not None
        store._do(session.connection.close())
        until(lambda: store._session not in (None, session))  # noqa: B023
        assert setting() == kept


def test_finished_games_are_found_by_their_indexes(store: PostgresStore) -> None:
    """No list of them is a look at every table, or at every person's seats, if PostgreSQL finds that too dear."""
    plans: list[str] = []

    def explained(sql: str, *arguments: Any) -> list[Any]:
        session = store._session
        assert session is not None
        store._do(session.connection.execute("SET enable_seqscan = off"))
        plans.extend(row[0] for row in store._do(session.connection.fetch(f"EXPLAIN {numbered(sql)}", *arguments)))
        return []

    store._rows = explained  # type: ignore[method-assign]
    for viewer, name in ((None, None), ("ann", None), ("ann", "Ann")):
        store.finished(viewer=viewer, game=None, person=None, name=name, before=(2**62, "~"), limit=20)
    assert any("tables_listed_by_end" in plan for plan in plans)
    assert not [plan for plan in plans if "Seq Scan" in plan]


def test_who_hangs_is_replaced(address: str, cluster: Cluster, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection is there, and says nothing: PostgreSQL ends it."""
    monkeypatch.setattr(session, "SILENT", 1)
    monkeypatch.setattr(postgres, "BEAT", 0.2)
    monkeypatch.setattr(postgres, "LOOK", 0.05)
    first = PostgresStore(address, wait=0.1)
    over: list[str] = []
    first.when_over(over.append)
    first.write(*WAYS[0])
    hangs = threading.Event()
    first._loop.call_soon_threadsafe(hangs.wait, 60)
    second = PostgresStore(address, wait=0.3, standby=lambda: None)
    second.write(Append("t", 2, [b"b"]))
    hangs.set()
    until(lambda: bool(over))
    with pytest.raises(StoreBusy):
        first.write(Append("t", 3, [b"c"]))
    first.close()
    time.sleep(1.5)  # who is alive is not ended
    second.write(Append("t", 3, [b"d"]))
    assert second.log("t") == [b"the body", b"b", b"d"]
    second.close()


def test_a_copy_is_made_while_it_is_in_use_and_put_back(address: str, cluster: Cluster) -> None:
    """As docs/deploy.md says."""
    store = PostgresStore(address)
    store.write(Append("t", 1, [b"a"]))
    cluster.run("pg_dump", "--format=custom", f"--file={cluster.data.parent}/copy.dump", address)
    store.write(Append("t", 2, [b"later"]))
    store.close()
    clean = ("--clean", "--if-exists", "--single-transaction")
    cluster.run("pg_restore", *clean, f"--dbname={address}", f"{cluster.data.parent}/copy.dump")
    again = PostgresStore(address)
    assert again.log("t") == [b"a"]
    again.write(Append("t", 2, [b"b"]))
    again.close()
