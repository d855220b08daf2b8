"""A table's life in this process: requests, timers, bots and what follows by itself, around the pure `Table`.

One thing at a time: a request is checked against the table, its events go to the store, and only when they are on
disk are they folded in and told to everybody. Whatever comes meanwhile waits in line, so a failed write leaves
nothing to undo.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from foxrow.match import events as ev
from foxrow.match.refusal import Refusal
from foxrow.match.table import Table
from foxrow.server import brains, display
from foxrow.server import messages as ms
from foxrow.server.audience import Asker, Audience, Listener
from foxrow.server.clerk import Clerk
from foxrow.server.identity import new_id
from foxrow.server.logs import log
from foxrow.server.messages import encode
from foxrow.server.requests import Asked, Requests
from foxrow.server.thinker import Make, Thinker
from foxrow.server.turns import Place
from foxrow.store.interface import Append, PutSeat, PutTable, ShowNames, StoreBusy, StoreError, StoreFull, Then, Write

if TYPE_CHECKING:
    from foxrow.server.lounge import Lounge

RESTART, BLOCKED = 1012, 4008  # a socket's end: come back at once; stay away
RETRY = 1.0  # seconds until something that the store refused is tried again


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def marked(asked: Asked, mark: str | None) -> Asked:
    """With events that remember the request which caused them."""
    if mark is None or not asked.events:
        return asked
    first, *others = asked.events
    return asked._replace(events=[msgspec.structs.replace(first, request=mark), *others])


class Room:
    """One live table."""

    def __init__(self, lounge: Lounge, table: Table, events: Sequence[ev.AnyEvent]) -> None:
        self.lounge = lounge
        self.table = table
        self.audience = Audience(table, events)
        self.requests = Requests(lounge, table, self.audience, self._start_if_ready)
        self.touched = time.monotonic()
        self.last_at = events[-1].at  # when the last thing happened
        self._clerk = Clerk(lounge.submit)
        self._thinker = Thinker(lounge, table, self.place, self._by_itself)
        self._asking: set[asyncio.Future[None]] = set()
        self._pause_ends: float | None = None  # by the loop's clock
        self._timer: asyncio.TimerHandle | None = None
        self._refused_at: int | None = None  # from when on the store has taken nothing of ours

    def start(self) -> None:
        """The table has just been loaded or made."""
        self.lounge.locate(self)
        self._go_on()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._thinker.stop()

    @property
    def idle(self) -> bool:
        """Nobody is here, and nothing is to be done or written first."""
        return not (self.audience.listeners or self.busy or self._refused_at is not None)

    @property
    def busy(self) -> bool:
        """Something is being written or thought about."""
        return self._clerk.busy or self._thinker.busy

    # ---- coming and going --------------------------------------------------------------------------------

    def admits(self, person: str | None, address: str) -> bool:
        """Whether somebody may come to this table. Who sits here does, and the host; who looks on takes a place among
        the address's and, unless they may still sit down, among all."""
        table, limits = self.table, self.lounge.settings.limits
        if person is not None and (person == table.host or table.seats_of(person)):
            return True
        if self.audience.spectators_from(address) >= limits.spectators_of_address:
            return False
        joins = person is not None and table.status == "open"
        return joins or self.audience.spectators < limits.spectators

    def attach(self, listener: Listener, since: int) -> None:
        self.touched = time.monotonic()
        self.audience.enter(listener, since, now_ms())
        self.lounge.locate(self)
        self._thinker.look()

    def detach(self, listener: Listener) -> None:
        self.touched = time.monotonic()
        self.audience.leave(listener)
        self.lounge.locate(self)

    @property
    def persons(self) -> set[str]:
        """Who sits or listens here."""
        seated = {seat.person for seat in self.table.seats}
        return {person for person in seated | self.audience.persons if person is not None}

    def place(self) -> Place:
        """Whose bots think here."""
        return Place(self.table.host, self.audience.addresses, bool(self.table.humans()))

    # ---- what has happened -------------------------------------------------------------------------------

    def write(
        self, events: Sequence[ev.AnyEvent], answer: Then, *, asker: Asker | None = None, also: Sequence[Write] = ()
    ) -> None:
        """Append events; when they are on disk, fold them in and tell everybody."""
        began, at = time.perf_counter(), now_ms()

        def then(error: StoreError | None) -> None:
            if error is None:
                self._refused_at = None
                self.lounge.write_time.add(time.perf_counter() - began)
                self._happened(events, asker)
            else:
                self._not_written(error, at)
            answer(error)

        self._clerk.write([self._append(events), *also], then)

    def _append(self, events: Sequence[ev.AnyEvent]) -> Append:
        return Append(self.table.id, self.table.seq + 1, [ev.encode(event) for event in events])

    def _happened(self, events: Sequence[ev.AnyEvent], asker: Asker | None) -> None:
        """Events are on disk. If this room cannot follow them, it is at fault and not they: everybody comes back to a
        new one, made from the log."""
        try:
            self._follow(events, asker)
        except Exception:
            log.error("a table failed after a write", exc_info=True)
            self._fail()

    def _not_written(self, error: StoreError, at: int) -> None:
        self.lounge.metrics.count("store_failures_total", f'code="{error.code}"')
        self.refused(at)
        if not isinstance(error, StoreFull | StoreBusy):  # then it does not fit
            self._clerk.enqueue(self._look_at_the_log, first=True)

    def _look_at_the_log(self) -> None:
        """If it has gone on without this room, the room is at fault."""
        with contextlib.suppress(StoreError):
            if len(self.lounge.store.log(self.table.id)) > self.table.seq:
                log.error("a table's log has gone on without its room")
                self._fail()

    def _fail(self) -> None:
        self.stop()
        self._clerk.close()
        for waiting in self._asking:
            if not waiting.done():
                waiting.set_exception(StoreError("the table is being opened anew"))
        self.audience.close(RESTART)
        self.lounge.drop(self)

    def _follow(self, events: Sequence[ev.AnyEvent], asker: Asker | None) -> None:
        table = self.table
        self.touched = time.monotonic()
        self.last_at = events[-1].at
        asked = table.takeback.asked is not None
        moved_only = True
        for event in events:
            table.apply(event)
            if isinstance(event, ev.Moved):
                self.lounge.moved(event)
            else:
                moved_only = False
                if isinstance(event, ev.Ended):
                    self.lounge.running -= 1
        self.audience.follow(events, now_ms(), asker, whole=not moved_only or asked)
        if not moved_only:
            self.lounge.locate(self)
            self._index()
            self.audience.close(BLOCKED, table.blocked)
        self._go_on()

    def fold_quietly(self, events: Sequence[ev.AnyEvent]) -> None:
        """Events that are on disk already, before anybody is here."""
        for event in events:
            self.table.apply(event)
            self.last_at = event.at
        self.audience.note(events)

    def _index(self) -> None:
        """Bring the lists up to date. The log is the truth; a lost index entry is made again at the next
        start."""
        self.lounge.submit([PutTable(display.row(self.table))], self.lounge.index_written)

    # ---- while the store takes nothing --------------------------------------------------------------------

    def refused(self, at: int) -> None:
        """The store did not take what it was asked to at this time. Nobody can move, so nobody's time runs."""
        if self._refused_at is None:
            self._refused_at = at

    def catch_up(self) -> None:
        """The store may be back."""
        if self._refused_at is not None:
            self._in_turn(lambda: None, lambda error: None)

    def _in_turn(self, job: Callable[[], None], refuse: Callable[[StoreError], None], *, first: bool = False) -> None:
        """Do it when everything before is on disk, and the clocks know how long the store was away; `refuse` hears that
        it still is."""

        def then(error: StoreError | None) -> None:
            if error is None:
                self._clerk.enqueue(job, first=True)
            else:
                refuse(error)

        def begin() -> None:
            back = [] if self._refused_at is None else self.table.restarted(self._refused_at, now_ms())
            if back:
                self.write(back, then)
            else:
                self._refused_at = None
                job()

        self._clerk.enqueue(begin, first=first)

    # ---- what follows by itself --------------------------------------------------------------------------

    def _go_on(self) -> None:
        """The end of a round, timers, bots, the rematch."""
        if self._clerk.closed:
            return
        if self.table.follow_up(now_ms()):
            self._by_itself(self.table.follow_up, first=True)
            return
        self.show_names()
        self._set_timer()
        self._thinker.look()
        self._start_if_ready()
        if self.table.rematch_agreed(self._there):
            self._clerk.enqueue(self._make_rematch, first=True)

    def _by_itself(self, make: Make, *, first: bool = False) -> None:
        """Events that no request caused; if the store refuses them, they are tried again."""

        def job() -> None:
            try:
                events = make(now_ms())
            except Refusal:
                return
            if events:
                self.write(events, self._retry)

        self._in_turn(job, self._retry, first=first)

    def _retry(self, error: StoreError | None) -> None:
        if error is not None:
            self.lounge.later(RETRY, self._go_on)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.table.due()
        if self.table.status == "pause":
            # So long from the end of the round on, whatever happens meanwhile.
            now = self.lounge.time()
            wait = self.lounge.settings.round_pause if self.table.humans() else 2.0 * self.lounge.settings.pace
            self._pause_ends = min(now + wait, now + wait if self._pause_ends is None else self._pause_ends)
            self._timer = self.lounge.later(max(0.0, self._pause_ends - now), self._next_round)
            return
        self._pause_ends = None
        if due is not None:
            self._timer = self.lounge.later(max(0, due - now_ms()) / 1000, self._tick)

    def _tick(self) -> None:
        def make(now: int) -> list[ev.AnyEvent]:
            events = self.table.tick(now)
            if not events:
                self._set_timer()
            return events

        self._by_itself(make)

    def _next_round(self) -> None:
        self._by_itself(self.table.next_round)

    def _start_if_ready(self) -> None:
        """Nobody waits for somebody who has gone."""
        humans = set(self.table.humans())
        if self.table.status == "pause" and humans and humans <= self.audience.ready:
            self._next_round()

    def give_up(self) -> None:
        self._by_itself(self.table.give_up)

    def _make_rematch(self) -> None:
        there = self._there
        if not self.table.rematch_agreed(there):
            return
        at = now_ms()
        try:
            events = self.table.rematch(at, brains.stand_in(), there)
            seated = [event for event in events if isinstance(event, ev.Seated)]
            self.lounge.check_new_table({event.person for event in seated if event.person is not None})
        except Refusal:  # it is looked at again when something happens
            return
        except StoreError as error:
            self._retry(error)
            return
        fresh, writes = self.lounge.fresh_table(events, new_id())
        shown = zip(self.audience.names, fresh.seats, strict=True)
        names = [name if seat.person is not None else None for name, seat in shown]
        seats = [
            PutSeat(fresh.id, number, seat.person, self.lounge.people.label(seat.person, names[number]))
            for number, seat in enumerate(fresh.seats)
            if seat.person is not None
        ]
        continued = self.table.continued(fresh.id, at)

        def then(error: StoreError | None) -> None:
            if error is None:  # the room of the next table opens before anybody hears of it
                self.lounge.open_room(fresh, events, names)
                self._happened(continued, None)
            else:
                self._not_written(error, at)
            self._retry(error)

        self._clerk.write([*writes, *seats, self._append(continued)], then)

    def _there(self, person: str) -> bool:
        """Whether the person has not been forgotten."""
        try:
            return self.lounge.people.known(person)
        except StoreError:
            return True

    # ---- people ------------------------------------------------------------------------------------------

    def rename(self, person: str, before: str | None, name: str) -> None:
        """Somebody has a new name; a seat with a name of its own keeps that."""
        audience = self.audience
        for seat in self.table.seats_of(person):
            if audience.names[seat] == before or seat in audience.held:
                audience.held[seat] = name
        self.show_names()

    def show_names(self) -> None:
        """New names, as soon as no round is being played."""
        if self.audience.held and self.table.status != "playing":
            self.audience.show_held()
            self.lounge.submit([ShowNames(self.table.id)], self.lounge.index_written)

    def forget(self, person: str) -> None:
        self.audience.forget(person)
        self.lounge.locate(self)
        if self.table.seats_of(person):
            self._go_on()  # the others may have waited for this person alone

    # ---- requests ----------------------------------------------------------------------------------------

    async def join(self, person: str, wish: ms.JoinTable) -> None:
        """Sit down by HTTP; a repeated `ref` changes nothing: it has happened."""
        mark = self.requests.mark(person, wish)

        def make() -> Asked:
            if self.requests.answered(mark):
                return Asked()
            return marked(self.requests.sit(person, wish.seat, wish.name, now_ms()), mark)

        await self._ask(make)

    async def leave_all(self, person: str) -> None:
        """Take a person from all seats, and wait for it."""
        for seat in self.table.seats_of(person):
            if self.table.status != "over":
                await self._ask(lambda: self.requests.leave(person, seat, now_ms()))  # noqa: B023  # awaited in this turn

    async def _ask(self, make: Callable[[], Asked]) -> None:
        """A request from HTTP: done when it is on disk; Refusal or StoreError otherwise."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def job() -> None:
            try:
                asked = make()
            except Exception as error:  # a refusal, a store that cannot be read, a fault of ours: somebody waits for it
                if not done.done():
                    done.set_exception(error)
                return

            def finished(error: StoreError | None) -> None:
                if error is None:
                    asked.after()
                if not done.done():
                    if error is None:
                        done.set_result(None)
                    else:
                        done.set_exception(error)

            self._carry_out(asked, finished)

        if self._clerk.closed:
            raise StoreError("the table is being opened anew")
        self._asking.add(done)
        try:
            self._in_turn(job, lambda error: None if done.done() else done.set_exception(error))
            await done
        finally:
            self._asking.discard(done)

    def request(self, listener: Listener, request: ms.AnyRequest) -> None:
        """What a socket asks for; it is answered by a frame."""
        if isinstance(request, ms.Ping):
            listener.send(encode(ms.Pong(ref=request.ref, now=now_ms())))
            return
        ref = request.ref
        self._in_turn(lambda: self._do(listener, request), lambda error: self._refuse(listener, ref, error.code, {}))

    def _do(self, listener: Listener, request: ms.AnyRequest) -> None:
        ref = request.ref
        mark = self.requests.mark(listener.person, request)
        if self.requests.answered(mark):
            self._done(listener, ref)
            return
        try:
            asked = self.requests.hear(listener.person, request, mark, now_ms())
        except Refusal as refusal:
            self.lounge.metrics.count("refused_total", f'code="{refusal.code}"')
            self._refuse(listener, ref, refusal.code, refusal.data)
            return
        except StoreError as error:
            self._refuse(listener, ref, error.code, {})
            return
        except Exception:
            log.error("a request failed", exc_info=True, extra={"data": {"request": type(request).__name__}})
            self._refuse(listener, ref, "failed", {})
            return

        def finished(error: StoreError | None) -> None:
            if error is not None:
                self._refuse(listener, ref, error.code, {})
                return
            asked.after()
            if not asked.events:  # else an event remembers it, and its update is the answer
                self.requests.remember(mark)
                self._done(listener, ref)

        asker = None if ref is None else (listener, ref)
        self._carry_out(marked(asked, mark), finished, asker)

    def _carry_out(self, asked: Asked, finished: Then, asker: Asker | None = None) -> None:
        if asked.events:
            self.write(asked.events, finished, asker=asker, also=asked.writes)
        elif asked.writes:
            self._clerk.write(asked.writes, finished)
        else:
            finished(None)

    def _done(self, listener: Listener, ref: str | None) -> None:
        if ref is not None:
            listener.send(encode(ms.Done(ref=ref, seq=self.table.seq)))

    def _refuse(self, listener: Listener, ref: str | None, code: str, data: dict[str, Any]) -> None:
        listener.send(encode(ms.Refused(ref=ref, code=code, data=data)))

    # ---- how it looks ------------------------------------------------------------------------------------

    def info(self) -> ms.TableInfo:
        return display.info(self.table, self.audience.names)

    def card(self, person: str | None) -> ms.TableCard:
        return display.card(self.table, self.audience.names, person)


__all__ = ["Room", "now_ms"]
