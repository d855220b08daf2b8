"""A table that people are at: its sockets, requests and timers around the pure `Table`.

One thing at a time: a request is checked against the table, its events go to the store, and only when they are on
disk are they folded in and told to everybody. Whatever comes meanwhile waits in line, so a failed write leaves
nothing to undo.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

from foxrow.match import events as ev
from foxrow.match.refusal import Refusal
from foxrow.match.seats import partners
from foxrow.match.table import Table
from foxrow.server import brains, display
from foxrow.server import messages as ms
from foxrow.server.entries import Scribe
from foxrow.server.identity import new_id
from foxrow.server.logs import log
from foxrow.server.names import clean_name
from foxrow.server.thinker import Thinker, Turn
from foxrow.store.interface import AddSaid, Append, PutMute, PutSeat, PutTable, Said, ShowNames, StoreError, Write

if TYPE_CHECKING:
    from foxrow.server.lounge import Lounge

PHRASES = (
    "hello", "good_luck", "well_played", "thanks", "oops", "wow", "your_turn", "one_moment", "sorry",
    "good_game",
    "rematch", "goodbye",
)  # fmt: skip
SAID_KEPT = 50
ANSWERED_KEPT = 128  # requests whose repetition is recognised, besides those that the log knows
RESTART = 1012  # a socket's end: come back at once
RETRY = 1.0  # seconds until something that the store refused is tried again
HEAD = b'{"type":"update",'

# What could go on for ever without the game going on: a table's log has an end.
ENDLESS = (ms.Takeback, ms.SetSeat, ms.SetChat, ms.Sit, ms.Remove)

encode = msgspec.json.Encoder().encode


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def hashed(person: str, request: ms.AnyRequest | ms.JoinTable) -> str:
    """What a repeated request is recognised by, also after a restart. Of one seat and one kind: people on one device
    may number their requests alike."""
    text = f"{person} {type(request).__name__} {getattr(request, 'seat', None)} {request.ref}"
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def marked(events: Sequence[ev.AnyEvent], known: str | None) -> list[ev.AnyEvent]:
    """Events that remember the request which caused them."""
    return list(events) if known is None else [msgspec.structs.replace(events[0], request=known), *events[1:]]


class Listener(Protocol):
    """A socket, as a room sees it."""

    person: str | None
    seats: tuple[int, ...]
    muted: set[str]

    def send(self, frame: bytes) -> None: ...

    def close(self, code: int) -> None: ...


Answer = Callable[[bool, str, dict[str, Any]], None]  # went well, or why not


class Room:
    """One live table."""

    def __init__(self, lounge: Lounge, table: Table, events: Sequence[ev.AnyEvent]) -> None:
        self.lounge = lounge
        self.table = table
        self.listeners: list[Listener] = []
        self.names: list[str | None] = [None] * len(table.seats)
        self.renamed: dict[int, str] = {}  # what is told when nobody plays: a name is no way to talk across the table
        self.said: deque[tuple[str, ms.Said]] = deque(maxlen=SAID_KEPT)  # (person, what)
        self.ready: set[int] = set()
        self.touched = time.monotonic()
        self._scribe = Scribe()
        self.entries: list[bytes] = [encode(self._scribe.entry(event)) for event in events]
        self._line: deque[Callable[[], None]] = deque()
        self._writing = False
        self._pumping = False
        self._failed = False
        self._asking: set[asyncio.Future[None]] = set()
        self.answered: dict[str, None] = {}  # the last requests that went well, as `hashed`
        self._pause_ends: float | None = None  # by the loop's clock
        self._timer: asyncio.TimerHandle | None = None
        self._thinker = Thinker(self)
        self._presence: bytes = b""
        self._last_at = events[-1].at

    # ---- one thing at a time -----------------------------------------------------------------------------

    def enqueue(self, job: Callable[[], None]) -> None:
        """Do it as soon as everything before is on disk."""
        if self._failed:
            return
        self._line.append(job)
        self._pump()

    def _pump(self) -> None:
        if self._pumping:
            return
        self._pumping = True
        try:
            while self._line and not self._writing:
                self._line.popleft()()
        finally:
            self._pumping = False

    @property
    def idle(self) -> bool:
        return not (self.listeners or self._line or self._writing or self._thinker.busy)

    def write(
        self,
        events: Sequence[ev.AnyEvent],
        answer: Callable[[StoreError | None], None],
        *,
        ref: tuple[Listener, str] | None = None,
        also: Sequence[Write] = (),
    ) -> None:
        """Append events; when they are on disk, fold them in and tell everybody."""
        self._writing = True
        bodies = [ev.encode(event) for event in events]
        began = time.perf_counter()

        def then(error: StoreError | None) -> None:
            self._writing = False
            if error is None:
                self.lounge.write_time.add(time.perf_counter() - began)
                self._happened(events, ref)
            else:
                self.lounge.metrics.count("store_failures_total", f'code="{error.code}"')
            answer(error)
            self._pump()

        self.lounge.submit([Append(self.table.id, self.table.seq + 1, bodies), *also], then)

    # ---- what has happened -------------------------------------------------------------------------------

    def _happened(self, events: Sequence[ev.AnyEvent], ref: tuple[Listener, str] | None) -> None:
        """Events are on disk. If this room cannot follow them, it is at fault and not they: everybody comes back to a
        new one, made from the log."""
        try:
            self._follow(events, ref)
        except Exception:
            log.error("a table failed after a write", exc_info=True)
            self._fail()

    def _fail(self) -> None:
        self.stop()
        self._line.clear()
        self._failed = True
        for waiting in self._asking:
            if not waiting.done():
                waiting.set_exception(StoreError("the table is being opened anew"))
        for listener in list(self.listeners):
            listener.close(RESTART)
        self.lounge.drop(self)

    def _follow(self, events: Sequence[ev.AnyEvent], ref: tuple[Listener, str] | None) -> None:
        table = self.table
        self.touched = time.monotonic()
        asked = table.takeback.asked is not None
        fresh: list[bytes] = []
        moved_only = True
        seats_changed = False
        self._last_at = events[-1].at
        for event in events:
            table.apply(event)
            fresh.append(encode(self._scribe.entry(event)))
            if not isinstance(event, ev.Moved):
                moved_only = False
                seats_changed = seats_changed or isinstance(event, ev.Seated | ev.Left | ev.Removed)
                if isinstance(event, ev.Dealt):
                    self.ready.clear()
                elif isinstance(event, ev.Ended):
                    self.lounge.running -= 1
            else:
                self.lounge.moved(event)
        self.entries += fresh
        if seats_changed:
            for listener in self.listeners:
                listener.seats = tuple(table.seats_of(listener.person))
            self._names_now(events)
        self._tell(fresh, ref, whole=not moved_only or asked, seats_changed=seats_changed)
        if not moved_only:
            self._index()
        if seats_changed:
            self.tell_presence()
            for listener in list(self.listeners):
                if listener.person in table.blocked:
                    listener.close(4008)
        self._go_on()

    def _tell(self, fresh: list[bytes], ref: tuple[Listener, str] | None, *, whole: bool, seats_changed: bool) -> None:
        """An update for every listener, encoded once for all who have the same seats."""
        if not self.listeners:
            return
        table = self.table
        tail = b',"entries":[' + b",".join(fresh) + b"]"
        if table.board is not None:
            tail += b',"round":%d,"ply":%d,"clock":%b' % (table.round, table.ply, encode(self.clock()))
        if whole:
            tail += b',"table":' + encode(self.info()) + b',"shuffle":' + encode(display.shuffle(table))
        seq = b'"seq":%d' % table.seq
        views: dict[tuple[int, ...], bytes] = {}
        done: dict[tuple[int, ...], bytes] = {}
        for listener in self.listeners:
            body = done.get(listener.seats)
            if body is None:
                body = HEAD + seq + tail
                if table.board is not None:
                    body += b',"views":[' + b",".join(self._views(listener.seats, views)) + b"]"
                body += b"}"
                done[listener.seats] = body
            if seats_changed:
                body = body[:-1] + b',"you":' + encode(self.you(listener)) + b"}"
            if ref is not None and ref[0] is listener:
                body = HEAD + b'"ref":' + encode(ref[1]) + b"," + body[len(HEAD) :]
            listener.send(body)

    def _views(self, seats: tuple[int, ...], made: dict[tuple[int, ...], bytes]) -> list[bytes]:
        board = self.table.board
        assert board is not None
        wanted: list[int | None] = [*seats] if seats else [None]
        found = []
        for seat in wanted:
            key = () if seat is None else (seat,)
            if key not in made:
                made[key] = encode(board.view(seat))
            found.append(made[key])
        return found

    def _names_now(self, events: Sequence[ev.AnyEvent]) -> None:
        for event in events:
            if isinstance(event, ev.Left | ev.Removed) or (isinstance(event, ev.Seated) and event.person is None):
                self.names[event.seat] = None
                self.renamed.pop(event.seat, None)

    def _index(self) -> None:
        """Bring the lists up to date. The log is the truth; a lost index entry is made again at the next
        start."""
        self.lounge.submit([PutTable(display.row(self.table))], self.lounge.index_written)

    def _go_on(self) -> None:
        """What follows by itself: the end of a round, timers, bots, the rematch."""
        table = self.table
        if self._failed:
            return
        if table.follow_up(now_ms()):
            self._by_itself(lambda: self.table.follow_up(now_ms()), first=True)
            return
        self.show_names()
        self._set_timer()
        self._wake_bot()
        self._start_if_ready()
        if table.rematch_agreed(self._there):
            self._line.appendleft(self._make_rematch)
            self._pump()

    def _by_itself(self, make: Callable[[], list[ev.AnyEvent]], *, first: bool = False) -> None:
        """Events that no request caused; if the store refuses them, they are tried again."""

        def job() -> None:
            try:
                events = make()
            except Refusal:
                return
            if events:
                self.write(events, done)

        def done(error: StoreError | None) -> None:
            if error is not None:
                self.lounge.later(RETRY, self._go_on)

        if first:
            self._line.appendleft(job)
            self._pump()
        else:
            self.enqueue(job)

    # ---- time --------------------------------------------------------------------------------------------

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
        def make() -> list[ev.AnyEvent]:
            events = self.table.tick(now_ms())
            if not events:
                self._set_timer()
            return events

        self._by_itself(make)

    def _next_round(self) -> None:
        self._by_itself(lambda: self.table.next_round(now_ms()))

    def start(self) -> None:
        """The table has just been loaded or made."""
        self._go_on()

    @property
    def last_at(self) -> int:
        """When the last thing happened."""
        return self._last_at

    def give_up(self) -> None:
        self._by_itself(lambda: self.table.give_up(now_ms()))

    def fold_quietly(self, events: Sequence[ev.AnyEvent]) -> None:
        """Events that are on disk already, before anybody is here."""
        for event in events:
            self.table.apply(event)
            self.entries.append(encode(self._scribe.entry(event)))
            self._last_at = event.at

    async def leave_all(self, person: str) -> None:
        """Take a person from all seats, and wait for it."""
        for seat in self.table.seats_of(person):
            if self.table.status != "over":
                await self.ask(lambda: self._leaving(person, seat))  # noqa: B023  # awaited in this turn

    def _leaving(self, person: str, seat: int) -> tuple[list[ev.AnyEvent], list[Write]]:
        events = self.table.leave(person, seat, brains.stand_in(), now_ms())
        return events, self.seat_writes(events)

    async def ask(self, make: Callable[[], tuple[list[ev.AnyEvent], list[Write]]]) -> None:
        """A request from HTTP: done when it is on disk; Refusal or StoreError otherwise."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finished(error: StoreError | None) -> None:
            if not done.done():
                if error is None:
                    done.set_result(None)
                else:
                    done.set_exception(error)

        def job() -> None:
            try:
                events, also = make()
            except Refusal as refusal:
                if not done.done():
                    done.set_exception(refusal)
                return
            if events:
                self.write(events, finished, also=also)
            else:
                finished(None)

        if self._failed:
            raise StoreError("the table is being opened anew")
        self._asking.add(done)
        try:
            self.enqueue(job)
            await done
        finally:
            self._asking.discard(done)

    async def join(self, person: str, wish: ms.JoinTable) -> None:
        """Sit down by HTTP; a repeated `ref` changes nothing: it has happened."""
        known = None if wish.ref is None else hashed(person, wish)
        after: list[Callable[[], None]] = []

        def make() -> tuple[list[ev.AnyEvent], list[Write]]:
            if known is not None and known in self.table.requests:
                return [], []
            events, also, then = self.sit(person, wish.seat, wish.name)
            after.append(then)
            return marked(events, known), also

        await self.ask(make)
        for then in after:
            then()

    def forget(self, person: str) -> None:
        """Nothing here names the person any more, and their open sockets are anybody's."""
        for listener in self.listeners:
            if listener.person == person:
                listener.person, listener.seats, listener.muted = None, (), set()
                listener.send(encode(ms.YouFrame(you=self.you(listener))))
        self.said = deque((line for line in self.said if line[0] != person), maxlen=SAID_KEPT)
        seats = self.table.seats_of(person)
        for seat in seats:
            self.names[seat] = None
            self.renamed.pop(seat, None)
        if seats:
            self.tell_names()
            self._go_on()  # the others may have waited for this person alone

    def _there(self, person: str) -> bool:
        """Whether the person has not been forgotten."""
        try:
            return self.lounge.known(person)
        except StoreError:
            return True

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._thinker.stop()

    # ---- bots --------------------------------------------------------------------------------------------

    def _wake_bot(self) -> None:
        due = self.table.bot_to_act()
        if due is None:
            self._thinker.turn_to(None)
        else:
            seat, level, _ = due
            self._thinker.turn_to(Turn(seat, self.table.round, self.table.ply), level)

    def bot_moves(self, turn: Turn, text: str, legal: Sequence[str]) -> None:
        """A bot has made up its mind."""

        def job() -> None:
            if self._thinker.turn != turn:
                return
            try:
                events = self.table.bot_move(*turn, text, now_ms())
            except Refusal:
                # Bots get the legal moves from the rules, so this is a fault of ours; the table goes on.
                log.error("a bot gave an illegal move", extra={"data": {"game": self.table.game.key}})
                events = self.table.bot_move(*turn, random.choice(legal), now_ms())
            self._thinker.done()
            if events:
                self.write(events, done)

        def done(error: StoreError | None) -> None:
            if error is not None:
                self.lounge.later(RETRY, self._go_on)

        self.enqueue(job)

    # ---- requests ----------------------------------------------------------------------------------------

    def request(self, listener: Listener, request: ms.AnyRequest) -> None:
        """What a socket asks for; it is answered by a frame."""
        if isinstance(request, ms.Ping):
            listener.send(encode(ms.Pong(ref=request.ref, now=now_ms())))
            return
        self.enqueue(lambda: self._do(listener, request))

    def _do(self, listener: Listener, request: ms.AnyRequest) -> None:
        ref, person = request.ref, listener.person
        # A move is recognised by the table itself, by its seat and its ref.
        known = None if ref is None or person is None or isinstance(request, ms.Move) else hashed(person, request)
        if known is not None and (known in self.answered or known in self.table.requests):
            self._done(listener, ref)
            return
        try:
            events, also, after = self._asked(listener, request, known)
        except Refusal as refusal:
            self.lounge.metrics.count("refused_total", f'code="{refusal.code}"')
            self.refuse(listener, ref, refusal.code, refusal.data)
            return
        except Exception:
            log.error("a request failed", exc_info=True, extra={"data": {"request": type(request).__name__}})
            self.refuse(listener, ref, "failed", {})
            return

        def finished(error: StoreError | None) -> None:
            if error is not None:
                self.refuse(listener, ref, error.code, {})
                return
            if after is not None:
                after()
            if known is not None and not events:
                self.answered[known] = None
                if len(self.answered) > ANSWERED_KEPT:
                    del self.answered[next(iter(self.answered))]
            if not events:
                self._done(listener, ref)

        if events:
            self.write(marked(events, known), finished, ref=None if ref is None else (listener, ref), also=also)
        elif also:
            self._writing = True

            def then(error: StoreError | None) -> None:
                self._writing = False
                finished(error)
                self._pump()

            self.lounge.submit(also, then)
        else:
            finished(None)

    def _done(self, listener: Listener, ref: str | None) -> None:
        if ref is not None:
            listener.send(encode(ms.Done(ref=ref, seq=self.table.seq)))

    def refuse(self, listener: Listener, ref: str | None, code: str, data: dict[str, Any]) -> None:
        listener.send(encode(ms.Refused(ref=ref, code=code, data=data)))

    def _asked(
        self, listener: Listener, request: ms.AnyRequest, known: str | None
    ) -> tuple[list[ev.AnyEvent], list[Write], Callable[[], None] | None]:
        """(events, further writes, what to do when they are on disk)."""
        table, person, now = self.table, listener.person, now_ms()
        if isinstance(request, ENDLESS) and table.seq >= self.lounge.settings.limits.events:
            raise Refusal("too_many", most=self.lounge.settings.limits.events)
        match request:
            case ms.Move():
                events = table.move(person, request.seat, request.round, request.ply, request.text, request.ref, now)
                return events, [], None
            case ms.Takeback(seat=seat):
                return table.ask_takeback(person, seat, now), [], None
            case ms.TakebackAnswer(seat=seat, yes=yes):
                return table.answer_takeback(person, seat, yes, now), [], None
            case ms.Ready(seat=seat):
                self._own(person, seat)
                if table.status != "pause":
                    raise Refusal("not_playing")
                return [], [], lambda: self._readied(person)
            case ms.Rematch(seat=seat, yes=yes):
                return table.answer_rematch(person, seat, yes, now), [], None
            case ms.Sit(seat=seat, name=name):
                return self.sit(person, seat, name)
            case ms.Leave(seat=seat):
                events = table.leave(person, seat, brains.stand_in(), now)
                return events, self.seat_writes(events), None
            case ms.SetSeat(seat=seat, who=who, level=level):
                if who == "bot":
                    self.lounge.check_level(table.game, level)
                return table.set_seat(person, seat, level if who == "bot" else None, now), [], None
            case ms.Remove(seat=seat, block=block):
                events = table.remove(person, seat, block, brains.stand_in(), now)
                return events, self.seat_writes(events), None
            case ms.Say(seat=seat, phrase=phrase):
                if phrase not in PHRASES:
                    raise Refusal("unknown_phrase")
                return self._say(person, seat, phrase, None, known)
            case ms.Chat(seat=seat, text=text):
                self._own(person, seat)
                if not table.chat:
                    raise Refusal("no_chat")
                line = " ".join(c for c in text.split() if c.isprintable())
                if not line:
                    raise Refusal("malformed", place="text")
                return self._say(person, seat, None, line, known)
            case ms.Mute(seat=seat, on=on):
                other = table.seats[seat].person if 0 <= seat < table.players else None
                if person is None or other is None or other == person:
                    raise Refusal("not_allowed", seat=seat)
                return [], [PutMute(person, other, on)], lambda: self._muted(person, other, on)
            case ms.SetChat(on=on):
                return table.switch_chat(person, on, now), [], None
            case ms.Commit(seat=seat, commit=commit):
                return table.commit(person, seat, commit, now), [], None
            case ms.Reveal(seat=seat, seed=seed):
                return table.reveal(person, seat, bytes.fromhex(seed), now), [], None
            case ms.Hello() | ms.Ping():
                raise Refusal("already")

    def sit(
        self, person: str | None, seat: int | None, name: str | None
    ) -> tuple[list[ev.AnyEvent], list[Write], Callable[[], None]]:
        if person is None or not self.lounge.known(person):
            raise Refusal("no_person")
        label = None if name is None else clean_name(name)
        self.lounge.check_tables_of(person, self.table.id)
        events = self.table.sit(person, seat, now_ms())
        taken = next(event.seat for event in events if isinstance(event, ev.Seated))
        known = self.lounge.name_of(person)

        def after() -> None:
            self.names[taken] = label or known
            self.tell_names()

        # The name is there before the update that shows it.
        self.names[taken] = label or known
        return events, [PutSeat(self.table.id, taken, person, label)], after

    def seat_writes(self, events: Sequence[ev.AnyEvent]) -> list[Write]:
        return [PutSeat(self.table.id, event.seat, None) for event in events if isinstance(event, ev.Left | ev.Removed)]

    def _own(self, person: str | None, seat: int) -> None:
        if person is None or not 0 <= seat < self.table.players or self.table.seats[seat].person != person:
            raise Refusal("not_your_seat", seat=seat)

    def _readied(self, person: str | None) -> None:
        self.ready.update(self.table.seats_of(person))
        self.tell_presence()
        self._start_if_ready()

    def _start_if_ready(self) -> None:
        """Nobody waits for somebody who has gone."""
        humans = set(self.table.humans())
        if self.table.status == "pause" and humans and humans <= self.ready:
            self._next_round()

    def _say(
        self, person: str | None, seat: int, phrase: str | None, text: str | None, known: str | None
    ) -> tuple[list[ev.AnyEvent], list[Write], Callable[[], None]]:
        self._own(person, seat)
        assert person is not None
        if self.table.status == "playing" and partners(self.table.game, self.table.setting.options):
            raise Refusal("no_talk")  # even a "wow" would tell a partner something
        wait = self.lounge.says.take(person)
        if wait:
            raise Refusal("too_many", wait=int(wait * 1000))
        at = now_ms()
        said = ms.Said(at=at, seat=seat, name=self.names[seat], phrase=phrase, text=text)

        def after() -> None:
            self.said.append((person, said))
            frame = encode(ms.SaidFrame(said=said))
            for listener in self.listeners:
                if person not in listener.muted:
                    listener.send(frame)

        return [], [AddSaid(self.table.id, Said(at, seat, person, phrase, text, known))], after

    def _muted(self, person: str, other: str, on: bool) -> None:
        """At every table and on every device."""
        for room in self.lounge.rooms.values():
            for listener in room.listeners:
                if listener.person == person:
                    (listener.muted.add if on else listener.muted.discard)(other)
                    listener.send(encode(ms.YouFrame(you=room.you(listener))))

    # ---- the rematch -------------------------------------------------------------------------------------

    def _make_rematch(self) -> None:
        there = self._there
        if not self.table.rematch_agreed(there):
            return
        at = now_ms()
        try:
            events = self.table.rematch(at, brains.stand_in(), there)
        except Refusal:
            return
        fresh, writes = self.lounge.fresh_table(events, new_id())
        names = [name if seat.person is not None else None for name, seat in zip(self.names, fresh.seats, strict=True)]
        seats = [
            PutSeat(fresh.id, number, seat.person, self.lounge.label(seat.person, names[number]))
            for number, seat in enumerate(fresh.seats)
            if seat.person is not None
        ]
        continued = self.table.continued(fresh.id, at)
        # The room of the next table opens before anybody hears of it.
        self._writing = True

        def then(error: StoreError | None) -> None:
            self._writing = False
            if error is not None:
                self.lounge.later(RETRY, self._go_on)
            else:
                self.lounge.open_room(fresh, events, names)
                self._happened(continued, None)
            self._pump()

        bodies = [ev.encode(event) for event in continued]
        self.lounge.submit([*writes, *seats, Append(self.table.id, self.table.seq + 1, bodies)], then)

    # ---- what clients see --------------------------------------------------------------------------------

    def info(self) -> ms.TableInfo:
        return display.info(self.table, self.names)

    def card(self, person: str | None) -> ms.TableCard:
        return display.card(self.table, self.names, person)

    def clock(self) -> ms.Clock | None:
        return display.clock(self.table, now_ms())

    def you(self, listener: Listener) -> ms.You:
        table = self.table
        return ms.You(
            seats=list(listener.seats),
            host=listener.person is not None and listener.person == table.host,
            muted=[number for number, seat in enumerate(table.seats) if seat.person and seat.person in listener.muted],
        )

    def presence(self) -> ms.Presence:
        there = {listener.person for listener in self.listeners}
        return ms.Presence(
            online=[
                seat.kind == "bot" or (seat.person is not None and seat.person in there) for seat in self.table.seats
            ],
            watching=sum(not listener.seats for listener in self.listeners),
            ready=sorted(self.ready),
        )

    def tell_presence(self) -> None:
        frame = encode(ms.PresenceFrame(presence=self.presence()))
        if frame != self._presence:
            self._presence = frame
            for listener in self.listeners:
                listener.send(frame)

    def show_names(self) -> None:
        """New names, as soon as no round is being played."""
        if self.renamed and self.table.status != "playing":
            for seat, name in self.renamed.items():
                self.names[seat] = name
            self.renamed.clear()
            self.tell_names()
            self.lounge.submit([ShowNames(self.table.id)], self.lounge.index_written)

    def tell_names(self) -> None:
        frame = encode(ms.Names(names=self.names))
        for listener in self.listeners:
            listener.send(frame)

    def welcome(self, listener: Listener, since: int) -> bytes:
        table = self.table
        start = since if since <= table.seq else 0
        views = self._views(listener.seats, {}) if table.board is not None else []
        frame = ms.Welcome(
            protocol=ms.PROTOCOL,
            now=now_ms(),
            seq=table.seq,
            since=start,
            table=self.info(),
            you=self.you(listener),
            round=table.round,
            ply=table.ply,
            views=cast("list[ms.View]", [msgspec.Raw(view) for view in views]),
            clock=self.clock(),
            shuffle=display.shuffle(table),
            presence=self.presence(),
            entries=cast("list[ms.AnyEntry]", [msgspec.Raw(entry) for entry in self.entries[start:]]),
            said=[said for person, said in self.said if person not in listener.muted],
        )
        return encode(frame)

    # ---- coming and going --------------------------------------------------------------------------------

    def attach(self, listener: Listener, since: int) -> None:
        """From now on the listener hears everything; first of all where the table stands."""
        self.touched = time.monotonic()
        listener.seats = tuple(self.table.seats_of(listener.person))
        self.listeners.append(listener)
        listener.send(self.welcome(listener, since))
        self.tell_presence()
        self._wake_bot()

    def detach(self, listener: Listener) -> None:
        self.touched = time.monotonic()
        if listener in self.listeners:
            self.listeners.remove(listener)
            self.tell_presence()


__all__ = ["PHRASES", "Listener", "Room", "encode", "now_ms"]
