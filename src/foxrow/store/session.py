"""One connection to PostgreSQL that may write, and how a process becomes the one that has it.

A lock that lives as long as the connection says who is at it: a process that waits for it takes over when it is gone.
The lock alone would not stop a process that was cut off, replaced, and comes back. So the row `active` names the
process and its connection, and every transaction begins by leaving its mark in that row, on the condition that the row
still names its own. The row's lock lasts until the transaction ends: whoever takes over changes the row, and so waits
for a transaction that is under way, and stops all that would come after it.

By the same row a lost answer is found again: a new connection looks there whose mark was the last.
"""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Coroutine, Sequence
from typing import Any

import asyncpg

from foxrow.store.address import shown
from foxrow.store.interface import StoreBusy, StoreError, StoreFull, Write
from foxrow.store.postgres_migrations import LATEST, version
from foxrow.store.statements import IN_TURN, statements
from foxrow.store.writer import Clash

LOCK = 0x666F78726F77  # "foxrow"; of this database alone
CONNECT = 10.0  # seconds for a connection to be made
SILENT = 20  # seconds after which PostgreSQL ends a session that says nothing: its process hangs, or its host is gone
STALL = 15.0  # seconds after which a connection that does not answer is given up

FENCE = "UPDATE active SET written = $1 WHERE holder = $2 AND session = $3"
APPEND = (
    f"WITH fence AS ({FENCE} RETURNING 1) INSERT INTO events (table_id, seq, body)"
    " SELECT * FROM unnest($4::text[], $5::bigint[], $6::bytea[]) WHERE EXISTS (SELECT FROM fence)"
)
EVENTS = "INSERT INTO events (table_id, seq, body) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])"
TAKE = (
    "INSERT INTO active (holder, session, written) VALUES ($1, 1, 0) ON CONFLICT (one) DO UPDATE SET"
    " holder = excluded.holder, session = active.session + 1, written = 0 RETURNING session"
)
TAKE_AGAIN = "UPDATE active SET session = session + 1 WHERE holder = $1 RETURNING session, written"
HELD = (
    "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
    f" AND classid = {LOCK >> 32} AND objid = {LOCK & 0xFFFFFFFF})"
)
END_OLD = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename = current_user AND application_name = $1 AND pid <> pg_backend_pid()"
)

Row = tuple[str, int, bytes]


class Unfit(StoreError):
    """This database is not for this program."""


class Replaced(Exception):
    """This process may not write any more, and never again."""


@functools.lru_cache(maxsize=256)
def numbered(sql: str) -> str:
    """With $1, $2, … where ours has ?1, ?2, … or ? alone."""
    count = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"${found[1] or count}"

    return re.sub(r"\?([0-9]*)", mark, sql)


async def connect(address: str, name: str, **settings: str) -> Any:
    """A new connection; StoreError says in a sentence why not."""
    place = shown(address)
    try:
        return await asyncpg.connect(
            address, timeout=CONNECT, server_settings={"application_name": name, "jit": "off", **settings}
        )
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError) as refused:
        raise StoreBusy(
            f"{place} lets nobody in like this: {refused} (a password is read from PGPASSWORD and ~/.pgpass, too)"
        ) from None
    except asyncpg.InvalidCatalogNameError as missing:
        raise StoreBusy(f"{place}: {missing}; it must be made first (createdb)") from None
    except asyncpg.UndefinedObjectError:
        raise Unfit(f"{place} is older than PostgreSQL 14") from None
    except asyncpg.PostgresError as error:
        raise StoreBusy(f"{place}: {error}") from None
    except (asyncpg.InterfaceError, ValueError) as error:
        # What it says may quote the address, and so the password.
        raise StoreError(f"the address {place} cannot be used ({type(error).__name__})") from None
    except OSError as error:
        reason = "no answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
        raise StoreBusy(f"no PostgreSQL answers at {place}: {reason}") from None


async def connect_to_write(address: str, name: str, wait: float) -> Any:
    """A connection whose commits are on disk, and that PostgreSQL ends when nobody is behind it any more."""
    silent = str(SILENT * 1000)
    connection = await connect(
        address,
        name,
        lock_timeout=str(max(1, int(wait * 1000))),
        idle_session_timeout=silent,
        idle_in_transaction_session_timeout=silent,
        default_transaction_isolation="read committed",
        tcp_keepalives_idle="5",
        tcp_keepalives_interval="5",
        tcp_keepalives_count="3",
    )
    try:
        # Where an operator asks for more than the disk (a second host that has applied it), that stays.
        await connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') <> 'remote_apply'"
        )
        await check(connection, address)
    except BaseException:
        connection.terminate()
        raise
    return connection


async def check(connection: Any, address: str) -> None:
    """Ours or new, not newer than this program, and fit for any name."""
    place = shown(address)
    if await connection.fetchval("SHOW server_encoding") != "UTF8":
        raise Unfit(f"{place} must have the encoding UTF8")
    if await connection.fetchval("SELECT current_schema()") is None:
        raise Unfit(f"{place} has no schema in which this user may make tables")
    if await connection.fetchval("SELECT pg_is_in_recovery()"):
        raise StoreBusy(f"{place} is a copy that may only be read")
    number = await version(connection)
    if number is None:
        raise Unfit(f"{place} is not a Foxrow database: give Foxrow an empty one of its own")
    if number > LATEST:
        raise Unfit(f"{place} is of version {number}, this program knows {LATEST}: use a newer Foxrow")


async def locked(connection: Any) -> bool:
    """Whether this connection has the lock now."""
    return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK))


async def within(connection: Any, asking: Coroutine[Any, Any, Any]) -> Any:
    """The answer. A connection that gives none for long is cut; what it was asked is not cancelled: PostgreSQL may say
    of a cancelled commit that it is done before it is everywhere where it should be."""
    task = asyncio.ensure_future(asking)
    done, _ = await asyncio.wait({task}, timeout=STALL)
    if not done:
        connection.terminate()
        await asyncio.wait({task}, timeout=1)
        if not task.done():
            task.cancel()
            raise ConnectionError("no answer")
    return task.result()


def lost(connection: Any, error: BaseException) -> bool:
    """Whether the connection has ended with this error, and not the statement alone."""
    fatal = getattr(error, "severity_en", None) in ("FATAL", "PANIC")
    return fatal or connection.is_closed() or not isinstance(error, asyncpg.PostgresError | asyncpg.DataError)


def understood(error: Exception) -> StoreError | Clash:
    """The store's word for what PostgreSQL says of a statement."""
    state = str(getattr(error, "sqlstate", None) or "22")  # none: what was given is nothing that a column can hold
    if state[:2] in ("22", "23"):
        return Clash(str(error))
    if isinstance(error, asyncpg.DiskFullError):
        return StoreFull(str(error))
    return StoreBusy(str(error))


class Session:
    def __init__(self, connection: Any, holder: str, number: int) -> None:
        self.connection = connection
        self.committing = False  # whether the last transaction may have been committed, as far as we know
        self._holder = holder
        self._number = number
        self._turn = asyncio.Lock()

    async def beat(self) -> None:
        """Say that we are here."""
        async with self._turn:
            await within(self.connection, self.connection.execute("SELECT"))

    async def write(self, mark: int, rows: Sequence[Row], rest: Sequence[Write]) -> None:
        """A transaction that leaves its mark."""
        async with self._turn:
            self.committing = False
            await within(self.connection, self._write(mark, rows, rest))

    async def _write(self, mark: int, rows: Sequence[Row], rest: Sequence[Write]) -> None:
        connection = self.connection
        tables, numbers, bodies = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
        mine = (mark, self._holder, self._number)
        if not rest:
            self.committing = True
            if await connection.execute(APPEND, *mine, tables, numbers, bodies) == "INSERT 0 0":
                raise Replaced
            return
        await connection.execute("BEGIN")
        try:
            if await connection.execute(FENCE, *mine) != "UPDATE 1":
                raise Replaced
            if rows:
                await connection.execute(EVENTS, tables, numbers, bodies)
            await self._put(rest)
        except BaseException:
            if not connection.is_closed():
                await connection.execute("ROLLBACK")
            raise
        self.committing = True
        await connection.execute("COMMIT")

    async def _put(self, rest: Sequence[Write]) -> None:
        """Rows of one kind go together: kinds do not touch each other's, but for those that must have their turn."""
        together: dict[str, list[tuple[Any, ...]]] = {}

        async def out() -> None:
            for sql, rows in together.items():
                await self.connection.executemany(numbered(sql), rows)
            together.clear()

        for write in rest:
            if isinstance(write, IN_TURN):
                await out()
            for sql, arguments in statements(write):
                together.setdefault(sql, []).append(arguments)
            if isinstance(write, IN_TURN):
                await out()
        await out()
