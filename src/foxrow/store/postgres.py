"""PostgreSQL: for a server that shall go on when its host does not. One process at a time is active; others wait.

A thread with an event loop of its own has the connections. One of them writes (`session.py`); when it is lost, it is
made again, and meanwhile writes are refused, after a short absence has been waited for. Some others read.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import secrets
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import asyncpg

from foxrow.store.address import shown
from foxrow.store.interface import Append, StoreBusy, StoreError, Write
from foxrow.store.lock import Locked
from foxrow.store.postgres_migrations import migrate
from foxrow.store.reader import Reader
from foxrow.store.session import (
    END_OLD,
    HELD,
    STALL,
    TAKE,
    TAKE_AGAIN,
    Replaced,
    Row,
    Session,
    Unfit,
    connect,
    connect_to_write,
    locked,
    lost,
    numbered,
    understood,
    within,
)
from foxrow.store.writer import Clash, Doubt, Writer

READERS = 6  # connections that read
BEAT = 5.0  # seconds between two signs of life; fewer than session.SILENT
LOOK = 1.0  # seconds between two looks of a process that waits,
FREE = (
    2  # which takes over after so many that found the lock free: who has it may have lost the connection for a moment
)
AGAIN = 0.2  # seconds between two tries to come back
AWAY = "the database is away"
REPLACED = "another server has taken over the database"
REWOUND = "the database has gone back to an earlier state"

log = logging.getLogger("foxrow.store")


class PostgresStore(Writer, Reader):
    """`wait`: how many seconds a short absence, or another's lock, is waited for. `standby` is called if another
    process is active, which then is waited for; without it, Locked is raised."""

    def __init__(self, address: str, *, wait: float = 5.0, standby: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._address = address
        self.place = shown(address)
        self._wait = wait
        # This process, in the row `active` and among PostgreSQL's sessions.
        self._name = f"foxrow {secrets.token_hex(8)}"
        self._session: Session | None = None
        self._away_since = time.monotonic()
        self._known = threading.Event()  # the session is there, or never will be again
        self._over: str | None = None  # why this process may not write any more
        self._closing = False
        self._told_over: Callable[[str], None] = lambda why: None
        self._marks = itertools.count(1)
        self._written = 0  # the mark of the last transaction that is known to be written
        self._doubt: tuple[int, Doubt] | None = None
        self._idle: list[Any] = []  # connections that read, and have nothing to do
        self._loop = asyncio.new_event_loop()
        self._turn = asyncio.Lock()  # a transaction's
        self._lost = asyncio.Event()
        self._places = asyncio.Semaphore(READERS)
        self._tasks: list[asyncio.Task[None]] = []
        self._wire = threading.Thread(target=self._loop.run_forever, name="store wire", daemon=True)
        self._wire.start()
        try:
            self._do(self._open(standby))
        except BaseException:
            self._unwire()
            raise
        self._thread.start()

    def _do(self, doing: Coroutine[Any, Any, Any]) -> Any:
        """In the loop, while this thread waits."""
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result()

    @property
    def away(self) -> bool:
        return self._session is None

    def when_over(self, tell: Callable[[str], None]) -> None:
        self._told_over = tell
        if self._over is not None:
            tell(self._over)

    # ---- becoming the active process, and staying it -------------------------------------------------------

    async def _open(self, standby: Callable[[], None] | None) -> None:
        connection = await self._connect()
        try:
            if not await locked(connection):
                if standby is None:
                    raise Locked(self.place)
                standby()
                connection = await self._stand_by(connection)
            await migrate(connection)
            while True:
                try:
                    number = await connection.fetchval(TAKE, self._name)
                    break
                except asyncpg.LockNotAvailableError:  # a transaction of the process before is still under way
                    continue
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            connection.terminate()
            raise StoreBusy(f"{self.place}: {error}") from error
        except BaseException:
            connection.terminate()
            raise
        self._begin(connection, number)
        self._tasks = [self._loop.create_task(self._keep()), self._loop.create_task(self._beat())]

    async def _connect(self) -> Any:
        return await connect_to_write(self._address, self._name, self._wait)

    async def _stand_by(self, connection: Any) -> Any:
        """Until the lock has been free for a while; then it is ours."""
        free = 0
        while True:
            await asyncio.sleep(LOOK)
            try:
                if connection.is_closed():
                    connection = await self._connect()  # looks again whether the database is fit for us
                held = await within(connection, connection.fetchval(HELD))
                free = 0 if held else free + 1
                if free >= FREE and await locked(connection):
                    return connection
            except Unfit:  # who was active may have been of a newer version
                raise
            except (StoreError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                free = 0
                connection.terminate()

    def _begin(self, connection: Any, number: int) -> None:
        session = Session(connection, self._name, number)
        connection.add_termination_listener(lambda _: self._gone(session))
        self._session = session
        self._known.set()

    def _gone(self, session: Session) -> None:
        """Its connection is lost, or of no use any more."""
        if session is self._session:
            self._session = None
            self._known.clear()
            self._away_since = time.monotonic()
            self._lost.set()
            session.connection.terminate()
            if not self._closing:
                log.warning("the database is away")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            session = self._session
            if session is not None:
                try:
                    await session.beat()
                except Exception:
                    self._gone(session)

    async def _keep(self) -> None:
        """Whenever the session is lost, have another one, or find that it is not ours to have."""
        while self._over is None:
            await self._lost.wait()
            self._lost.clear()
            async with self._turn:
                pass  # a transaction that was under way has said what it knows
            while self._session is None and self._over is None:
                try:
                    async with asyncio.timeout(STALL):
                        await self._come_back()
                except (Replaced, Unfit) as gone:
                    self._end(str(gone))
                except Exception:
                    await asyncio.sleep(AGAIN)

    async def _come_back(self) -> None:
        connection = await self._connect()
        try:
            holder = await connection.fetchval("SELECT holder FROM active")
            if holder != self._name:
                raise Replaced(REPLACED)
            await connection.fetch(END_OLD, self._name)
            if not await locked(connection):  # by our old connection, for a moment more, or by who will replace us
                raise StoreBusy(AWAY)
            # Waits for a transaction that our old connection may still be at; after this, it can begin no other.
            row = await connection.fetchrow(TAKE_AGAIN, self._name)
            if row is None:
                raise Replaced(REPLACED)
            mark, doubt = self._doubt or (self._written, None)
            if row["written"] not in (self._written, mark):
                raise Replaced(REWOUND)  # a copy that lacked the last transactions has taken its place, or a backup
        except asyncpg.UndefinedTableError:
            connection.terminate()
            raise Replaced(REWOUND) from None
        except BaseException:
            connection.terminate()
            raise
        self._begin(connection, row["session"])
        log.info("the database is back")
        if doubt is not None:
            self._doubt = None
            done = row["written"] == mark
            self._written = row["written"]
            doubt.outcome.set_result(None if done else StoreBusy(AWAY))

    def _end(self, why: str) -> None:
        """This process will never write again."""
        self._over = why
        self._known.set()
        self._leave_in_doubt()
        self._told_over(why)

    def _leave_in_doubt(self) -> None:
        if self._doubt is not None:
            self._doubt[1].outcome.cancel()
            self._doubt = None

    # ---- writing -------------------------------------------------------------------------------------------

    def _write_all(self, writes: list[Write]) -> None:
        if self.away and not self._known.wait(max(0.0, self._away_since + self._wait - time.monotonic())):
            raise StoreBusy(AWAY)
        if writes:
            self._do(self._transaction(writes))

    async def _transaction(self, writes: list[Write]) -> None:
        rows: list[Row] = []
        rest: list[Write] = []
        for write in writes:
            if isinstance(write, Append):
                rows += [(write.table, write.seq + i, body) for i, body in enumerate(write.events)]
            else:
                rest.append(write)
        async with self._turn:
            session = self._session
            if session is None:
                raise StoreBusy(self._over or AWAY)
            mark = next(self._marks)
            try:
                await session.write(mark, rows, rest)
            except Replaced:
                self._gone(session)  # `_keep` finds out by whom
                raise StoreBusy(REPLACED) from None
            except Exception as error:
                if not lost(session.connection, error):
                    raise understood(error) from error
                self._gone(session)
                if not session.committing:
                    raise StoreBusy(AWAY) from error
                doubt = Doubt()
                self._doubt = mark, doubt
                raise doubt from error
            self._written = mark

    # ---- reading -------------------------------------------------------------------------------------------

    def _rows(self, sql: str, *arguments: Any) -> list[Any]:
        if self.away:  # at once: whoever asks may be the loop of all tables
            raise StoreBusy(self._over or AWAY)
        # No text in PostgreSQL has a zero in it, and none of ours has a one.
        given = [value.replace("\0", "\1") if isinstance(value, str) else value for value in arguments]
        rows: list[Any] = self._do(self._fetch(numbered(sql), given))
        return rows

    async def _fetch(self, sql: str, arguments: list[Any]) -> list[Any]:
        async with self._places:
            while True:
                fresh = not self._idle
                try:
                    connection = await self._reading() if fresh else self._idle.pop()
                    try:
                        rows = await connection.fetch(sql, *arguments, timeout=self._wait)
                    except asyncpg.PostgresError as error:
                        if lost(connection, error):
                            raise
                        self._idle.append(connection)
                        raise understood_reading(error) from error
                    except BaseException:
                        connection.terminate()
                        raise
                except StoreError:
                    raise
                except (asyncpg.DataError, OverflowError) as error:
                    raise StoreError(str(error)) from error
                except TimeoutError as late:
                    raise StoreBusy(AWAY) from late
                except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                    if fresh:
                        raise StoreBusy(AWAY) from error
                    continue  # it had been lost while it was idle
                self._idle.append(connection)
                return [tuple(row) for row in rows]

    async def _reading(self) -> Any:
        return await connect(self._address, "foxrow reads", default_transaction_read_only="on")

    # ---- the end -------------------------------------------------------------------------------------------

    def close(self) -> None:
        self._finish()
        self._closing = True
        self._unwire()

    def _unwire(self) -> None:
        self._do(self._leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._wire.join()
        self._loop.close()

    async def _leave(self) -> None:
        this = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not this]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self._leave_in_doubt()
        session, self._session = self._session, None
        for connection in (*self._idle, *([session.connection] if session is not None else [])):
            with contextlib.suppress(Exception):
                await connection.close(timeout=2)


def understood_reading(error: Exception) -> StoreError:
    said = understood(error)
    return StoreError(str(said)) if isinstance(said, Clash) else said
