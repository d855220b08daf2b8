"""All rooms of this process: finding, making, loading and forgetting them, and what they share."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.core.registry import game as find_game
from foxrow.match import events as ev
from foxrow.match.clock import ClockRule
from foxrow.match.refusal import Refusal
from foxrow.match.seats import Wish
from foxrow.match.table import Table
from foxrow.server import brains, display
from foxrow.server import messages as ms
from foxrow.server.analysis import Analyses
from foxrow.server.limits import Buckets
from foxrow.server.logs import log, note
from foxrow.server.metrics import Metrics
from foxrow.server.names import clean_name
from foxrow.server.people import People
from foxrow.server.pool import Pool
from foxrow.server.preparation import Preparation
from foxrow.server.room import Room, now_ms
from foxrow.server.settings import Settings
from foxrow.server.whereabouts import Whereabouts
from foxrow.store.interface import (
    Append,
    ForgetPerson,
    Job,
    PutMeta,
    PutSeat,
    PutTable,
    Store,
    StoreError,
    TableRow,
    Then,
    Write,
)

SWEEP = 30.0  # seconds between two looks at who may be forgotten
FORGET = 300.0  # seconds after which an idle room leaves memory
BEAT = 5.0  # seconds between two notes that we are alive: what a restart knows of when we stopped
LATER = 1013  # a socket's end: try again later, and perhaps elsewhere
RETRY = 0.5  # seconds until the store is asked again for a table that goes on by itself
FAR = 3600_000  # ms: a room whose clock ends later than this may leave memory meanwhile


class Lounge:
    def __init__(self, store: Store, settings: Settings, metrics: Metrics) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics
        self.rooms: dict[str, Room] = {}
        self.whereabouts = Whereabouts()
        self.bots = Pool(settings.workers, settings.limits.bots_of_person)
        self.rules = Preparation(self.bots.warm)
        self.analyses = Analyses(self.bots)
        self.people = People(store, self.put)
        self.says = Buckets(settings.limits.says, settings.limits.says_burst)
        self.draining = False
        self.started = now_ms()
        self.away_since = int(store.meta("alive") or 0)
        self.running = 0  # tables that are not over, as the store counts them
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._far: dict[str, int] = {}  # running tables out of memory -> when they must be there again
        self._making: Counter[str] = Counter()  # by person, tables on their way to the disk
        self._to_resume: list[str] = []  # the tables that were running when we began
        self._lost: set[str] = set()  # tables that cannot be opened any more
        self._resumed = False  # all running tables have been opened once
        self._tasks: list[asyncio.Task[None]] = []
        self._jobs: list[Job] = []  # what this turn of the loop has to write
        self._loop: asyncio.AbstractEventLoop
        self.write_time = metrics.histogram("write_seconds", "From a request to its events being on disk.")
        self.bot_time = metrics.histogram("bot_seconds", "From a bot being asked to its answer.")
        metrics.counter("moves_total", "Moves made.")
        metrics.counter("refused_total", "Requests refused.")
        metrics.counter("store_failures_total", "Writes that the store refused.")
        metrics.counter("bot_failures_total", "Bot moves that had to be replaced.")
        metrics.gauge("rooms", "Tables in memory.", lambda: len(self.rooms))
        metrics.gauge(
            "sockets", "Open sockets.", lambda: sum(len(room.audience.listeners) for room in self.rooms.values())
        )
        metrics.gauge("bots_waiting", "Bot moves that wait for a worker.", self.bots.waiting)
        metrics.gauge("bots_thinking", "Bot moves being thought about.", self.bots.busy)

    # ---- life --------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.store.deliver_by(self._hand_over)
        self._to_resume = self.store.running()  # before anybody can make another
        self.running = len(self._to_resume)
        self.bots.start()
        self.rules.open()
        self._tasks = [
            asyncio.create_task(self.rules.run()),
            asyncio.create_task(self._beat()),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._resume()),
        ]

    def submit(self, writes: Sequence[Write], then: Then) -> None:
        """Write; `then` hears of it once it is on disk. All that one turn of the loop submits goes to the writer
        together, so that it wakes once and does not ask for the interpreter in the middle."""
        if not self._jobs:
            self._loop.call_soon(self._hand_in)
        self._jobs.append((writes, then))

    def _hand_in(self) -> None:
        jobs, self._jobs = self._jobs, []
        self.store.submit_all(jobs)

    def _hand_over(self, told: list[tuple[Then, StoreError | None]]) -> None:
        """From the writer's thread into the loop, a whole group at once."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, told)

    def _deliver(self, told: list[tuple[Then, StoreError | None]]) -> None:
        for then, error in told:
            try:
                then(error)
            except Exception:
                log.error("a table failed after a write", exc_info=True)

    @property
    def ready(self) -> bool:
        return not self.draining and self.rules.done and not self.store.away

    async def _beat(self) -> None:
        away = False
        while True:
            at = now_ms()
            try:
                await self._note_alive()
            except StoreError:
                for room in self.rooms.values():
                    room.refused(at)
            else:
                for room in self.rooms.values():
                    room.catch_up()
            if away and self.store.away:
                # Not for a moment alone: another server may have our tables by now, and ours look as if nobody moved.
                for room in self.rooms.values():
                    room.audience.close(LATER)
            away = self.store.away
            await asyncio.sleep(BEAT)

    async def _note_alive(self) -> None:
        """For the next start. Not before every table knows how long it was away this time: what we would write then
        would hide it from those that do not."""
        if self._resumed:
            await self.put(PutMeta("alive", str(now_ms())))

    async def _resume(self) -> None:
        """Load the tables that were running, so that their clocks and bots go on."""
        await self.rules.wait_for_all()
        gc.freeze()  # a million objects of the compiler that stay: a look through them would halt every table
        # The search of a game whose rules were quick to compile is quick, too.
        self._tasks.append(asyncio.create_task(self.bots.warm_searches(self.rules.quickest())))
        running = self._to_resume
        for table in running:
            await self._resume_table(table)
            await asyncio.sleep(0)
        self._resumed = True
        if running:
            note("tables resumed", tables=len(running))

    async def _resume_table(self, table: str) -> None:
        while True:
            try:
                await self.find(table)
                return
            except StoreError:  # its clock and its bots wait for nobody else
                await asyncio.sleep(RETRY)
            except Exception:
                log.error("a table could not be loaded", exc_info=True)
                return

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            now, idle_since = now_ms(), time.monotonic() - FORGET
            for table, due in list(self._far.items()):
                if due - now < FAR:  # their clock ends, or they are to be given up
                    with contextlib.suppress(StoreError):  # then it is looked for again at the next sweep
                        with contextlib.suppress(Refusal):
                            await self.find(table)
                        self._far.pop(table, None)
            for table, room in list(self.rooms.items()):
                if room.idle and room.touched < idle_since:
                    try:
                        self._consider(table, room, now)
                    except Exception:
                        log.error("a table could not be put away", exc_info=True)

    def _consider(self, table: str, room: Room, now: int) -> None:
        """Give up a table that nobody comes to, or let it leave memory."""
        status = room.table.status
        age = now - room.last_at
        days = self.settings.open_days if status == "open" else self.settings.idle_days
        patience = int(days * 24 * 3600_000)
        if status != "over" and age > patience:
            room.give_up()
            return
        due = room.table.due()
        if status in ("over", "open") or (status == "playing" and (due is None or due - now > FAR)):
            room.stop()
            del self.rooms[table]
            self.locate(room)
            if status != "over":
                given_up = room.last_at + patience + FAR  # when it comes back for this, its time is over
                self._far[table] = min(due, given_up) if due is not None else given_up

    async def close(self) -> None:
        self.draining = True
        going: list[asyncio.Task[Any]] = [*self._tasks, *self._loading.values()]
        for task in going:
            task.cancel()
        self.rules.stop()
        for room in self.rooms.values():
            room.stop()
        self.bots.stop()
        with contextlib.suppress(StoreError):
            await self._note_alive()

    def time(self) -> float:
        """By the clock of `later`."""
        return self._loop.time()

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, call)

    async def put(self, *writes: Write) -> None:
        """Write and wait for the disk, without stopping the loop."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def then(error: StoreError | None) -> None:
            if done.done():
                return
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        self.submit(writes, then)
        await done

    def index_written(self, error: StoreError | None) -> None:
        if error is not None:
            self.metrics.count("store_failures_total", f'code="{error.code}"')

    def moved(self, event: ev.Moved) -> None:
        self.metrics.count("moves_total", f'by="{event.by}"')

    # ---- people ------------------------------------------------------------------------------------------

    async def rename(self, person: str, name: str) -> str:
        text = clean_name(name)
        before = self.people.name_of(person)
        await self.people.rename(person, text)
        for room in self.whereabouts.of(person):
            room.rename(person, before, text)
        return text

    def mute(self, person: str, other: str, on: bool) -> None:
        """At every table and on every device."""
        for room in self.whereabouts.of(person):
            room.audience.mute(person, other, on)

    def locate(self, room: Room) -> None:
        """Somebody has come to the room or left it, or it has itself come into memory or left."""
        there = self.rooms.get(room.table.id) is room
        self.whereabouts.note(room, room.persons if there else set())

    async def forget(self, person: str) -> None:
        """Delete my data: leave every table, then drop all that names the person."""
        with self.people.going(person):
            for row in await asyncio.to_thread(self.store.tables_of, person, 10_000):
                with contextlib.suppress(Refusal, StoreError):
                    room = await self.find(row.table)
                    if room is not None:
                        await room.leave_all(person)
            await self.put(ForgetPerson(person))
            self.people.forget(person)
            for task in list(self._loading.values()):  # they may have read the name a moment ago
                with contextlib.suppress(Exception):
                    await asyncio.shield(task)
            for room in list(self.rooms.values()):
                with contextlib.suppress(Refusal, StoreError):  # a seat, or a table, was on its way to the disk
                    await room.leave_all(person)
                room.forget(person)

    # ---- tables ------------------------------------------------------------------------------------------

    def check_level(self, game: Game, level: int | None) -> int:
        if level is None or not 1 <= level <= len(brains.levels(game.key)):
            raise Refusal("bad_level", level=level)
        return level

    def check_tables_of(self, person: str, table: str | None = None) -> None:
        """Not too many at once."""
        most = self.settings.limits.tables_of_person
        rows = self.store.tables_of(person, most + 1 + len(self._lost))
        found = [row for row in rows if row.table != table and row.table not in self._lost]
        if len(found) + self._making[person] >= most:
            raise Refusal("too_many_tables", most=most)

    def check_new_table(self, persons: Iterable[str]) -> None:
        """Whether there may be one more, and these may sit at it."""
        if self.draining:
            raise Refusal("draining")
        most = self.settings.limits.tables
        if self.running + self._making.total() - len(self._lost) >= most:
            raise Refusal("too_many_tables", most=most)
        for person in persons:
            self.check_tables_of(person)

    async def create(self, person: str, wish: ms.CreateTable, table: str) -> Room:
        """A new table with this id, or the one that the same call has made before."""
        made = None if wish.ref is None else await self.find(table)
        if made is not None:
            return made
        self.check_new_table([person])
        self._making[person] += 1
        try:
            return await self._create(person, wish, table)
        except StoreError:
            made = None if wish.ref is None else await self.find(table)  # by its twin, a moment ago
            if made is None:
                raise
            return made
        finally:
            self._making[person] -= 1
            if not self._making[person]:
                del self._making[person]

    async def _create(self, person: str, wish: ms.CreateTable, id: str) -> Room:
        try:
            game = find_game(wish.game)
        except FoxrowError:
            raise Refusal("unknown_game", game=wish.game) from None
        wishes, labels = [], []
        for seat in wish.seats:
            if seat.kind != "bot" and seat.level is not None:
                raise Refusal("bad_seats")
            if seat.kind != "me" and seat.name is not None:
                raise Refusal("bad_seats")
            labels.append(None if seat.name is None else clean_name(seat.name))
            if seat.kind == "bot":
                usual = min(brains.stand_in(), len(brains.levels(game.key)))
                wishes.append(Wish(level=self.check_level(game, seat.level or usual)))
            else:
                wishes.append(Wish(person=person if seat.kind == "me" else None))
        clock = ClockRule(
            kind=wish.clock.kind,
            seconds=wish.clock.seconds,
            increment=wish.clock.increment,
            days=wish.clock.days,
            at_zero=wish.clock.at_zero,
        )
        events = Table.creation(
            game,
            wishes,
            host=person,
            now=now_ms(),
            options=dict(wish.options),
            match=wish.match,
            clock=clock,
            listed=wish.listed,
            chat=wish.chat,
            leave=wish.leave,
            first=wish.first,
        )
        await self.rules.wait(game.key)
        self.people.require(person)
        table, writes = self.fresh_table(events, id)
        seats = [
            PutSeat(table.id, number, person, labels[number])
            for number, seat in enumerate(table.seats)
            if seat.person is not None
        ]
        await self.put(*writes, *seats)
        names = [
            (labels[number] or self.people.name_of(person)) if seat.person is not None else None
            for number, seat in enumerate(table.seats)
        ]
        return self.open_room(table, events, names)

    def fresh_table(self, events: Sequence[ev.AnyEvent], id: str) -> tuple[Table, list[Write]]:
        """A table with its first events, and what must be written for it."""
        table = Table.replay(id, events)
        bodies = [ev.encode(event) for event in events]
        return table, [Append(table.id, 1, bodies), PutTable(display.row(table))]

    def open_room(self, table: Table, events: Sequence[ev.AnyEvent], names: Sequence[str | None]) -> Room:
        self.running += 1
        there = self.rooms.get(table.id)
        if there is not None:  # it was on disk a moment ago, and somebody has loaded it from there
            return there
        room = Room(self, table, events)
        room.audience.names[:] = names
        self.rooms[table.id] = room
        room.start()
        return room

    def drop(self, room: Room) -> None:
        """A room that went wrong; whoever comes next has a new one made from the log."""
        if self.rooms.get(room.table.id) is room:
            del self.rooms[room.table.id]
            self.locate(room)
            task = self._loop.create_task(self._again(room.table.id))
            self._tasks.append(task)
            task.add_done_callback(self._tasks.remove)

    async def _again(self, table: str) -> None:
        with contextlib.suppress(Exception):
            await self.find(table)  # its clocks and bots go on

    async def find(self, table: str) -> Room | None:
        """The table's room, loaded if need be; None if there is no such table."""
        while True:
            room = self.rooms.get(table)
            if room is not None:
                room.touched = time.monotonic()  # it stays for whoever asks for it now
                return room
            task = self._loading.get(table)
            if task is None:
                task = asyncio.create_task(self._load(table))
                self._loading[table] = task
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            found = await asyncio.shield(task)
            if found is None or self.rooms.get(table) is found:  # else it has left memory again before we were awake
                return found

    async def _load(self, table: str) -> Room | None:
        bodies = await asyncio.to_thread(self.store.log, table)
        if not bodies:
            return None
        try:
            events = [ev.decode(body) for body in bodies]
            created = events[0]
            if isinstance(created, ev.Created):
                await self.rules.wait(created.game)
            folded = await asyncio.to_thread(Table.replay, table, events)
        except Refusal:
            self._lost.add(table)
            raise
        except Exception:  # by other rules than today's, or damaged: this table is lost, and no other
            log.error("a table cannot be replayed", exc_info=True)
            self._lost.add(table)
            raise Refusal("failed") from None
        seats = await asyncio.to_thread(self.store.seats, table)
        said = await asyncio.to_thread(self.store.said, table, 50)
        room = Room(self, folded, events)
        audience = room.audience
        held = await asyncio.to_thread(self.store.held_names, table)
        for seat, person, name in seats:
            if folded.seats[seat].person == person:
                audience.names[seat] = name
                if seat in held:
                    audience.names[seat] = held[seat]
                    if name is not None:
                        audience.held[seat] = name
        for line in said:
            name = audience.names[line.seat] if folded.seats[line.seat].person == line.person else None
            spoken = ms.Said(at=line.at, seat=line.seat, name=name, phrase=line.phrase, text=line.text)
            audience.heard(line.person, spoken)
            room.requests.remember(line.request)
        self._far.pop(table, None)
        last = events[-1].at
        if last < self.started and table not in self.rooms:
            # The first time since we came back: no clock ran while we were away.
            back = folded.restarted(max(last, self.away_since), now_ms())
            if back:
                bodies = [ev.encode(event) for event in back]
                await self.put(Append(table, folded.seq + 1, bodies))
                room.fold_quietly(back)
            if folded.status == "over":
                await self.put(PutTable(display.row(folded)))
        there = self.rooms.get(table)
        if there is not None:  # made while we were reading: one table, one room
            return there
        self.rooms[table] = room
        room.start()
        return room

    # ---- lists -------------------------------------------------------------------------------------------

    async def cards(self, rows: Sequence[TableRow], person: str | None, *, load: bool = True) -> list[ms.TableCard]:
        """Lines for a list: tables in memory as they stand now, finished ones from the index, and so are running ones
        unless they are to be loaded for it."""
        cards = []
        for row in rows:
            room = self.rooms.get(row.table)
            if row.table in self._lost:
                continue
            if room is None and row.status != "over" and (load or not self._resumed):
                try:
                    room = await self.find(row.table)
                except Refusal:  # one that cannot be opened any more does not hide the others
                    continue
            if room is not None:
                cards.append(room.card(person))
            else:
                cards.append(await asyncio.to_thread(self._card, row, person))
        return cards

    def _card(self, row: TableRow, person: str | None) -> ms.TableCard:
        return display.filed(row, self.store.seats(row.table), self.store.held_names(row.table), person)
