"""All who listen at a table, and what they have been told: whoever comes later is told the same.

It hears of everything when it has happened, and decides nothing: frames go out, and that is all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Protocol, cast

import msgspec

from foxrow.match import events as ev
from foxrow.match.table import Table
from foxrow.server import display
from foxrow.server import messages as ms
from foxrow.server.entries import Scribe
from foxrow.server.messages import encode

SAID_KEPT = 50
HEAD = b'{"type":"update",'


class Listener(Protocol):
    """A socket, as a table sees it."""

    person: str | None
    address: str
    seats: tuple[int, ...]
    muted: set[str]

    def send(self, frame: bytes) -> None: ...

    def close(self, code: int) -> None: ...


Asker = tuple[Listener, str]  # whose request it was, and its ref


class Audience:
    def __init__(self, table: Table, events: Sequence[ev.AnyEvent]) -> None:
        self.listeners: list[Listener] = []
        self.names: list[str | None] = [None] * len(table.seats)
        self.held: dict[int, str] = {}  # what is told when nobody plays: a name is no way to talk across the table
        self.ready: set[int] = set()  # seats that wait for the next round
        self._table = table
        self._said: deque[tuple[str, ms.Said]] = deque(maxlen=SAID_KEPT)  # (person, what)
        self._scribe = Scribe()
        self._entries: list[bytes] = []
        self._presence = b""
        self.note(events)

    # ---- coming and going --------------------------------------------------------------------------------

    def enter(self, listener: Listener, since: int, now: int) -> None:
        """From now on the listener hears everything; first of all where the table stands."""
        listener.seats = tuple(self._table.seats_of(listener.person))
        self.listeners.append(listener)
        listener.send(self._welcome(listener, since, now))
        self.tell_presence()

    def leave(self, listener: Listener) -> None:
        if listener in self.listeners:
            self.listeners.remove(listener)
            self.tell_presence()

    def close(self, code: int, persons: Collection[str] | None = None) -> None:
        """Hang up on everybody, or on these persons."""
        for listener in list(self.listeners):
            if persons is None or listener.person in persons:
                listener.close(code)

    @property
    def spectators(self) -> int:
        return sum(not listener.seats for listener in self.listeners)

    def spectators_from(self, address: str) -> int:
        return sum(not listener.seats and listener.address == address for listener in self.listeners)

    @property
    def persons(self) -> set[str | None]:
        return {listener.person for listener in self.listeners}

    @property
    def addresses(self) -> set[str]:
        return {listener.address for listener in self.listeners}

    # ---- what has happened -------------------------------------------------------------------------------

    def note(self, events: Sequence[ev.AnyEvent]) -> list[bytes]:
        """Take events down for whoever comes later."""
        fresh = [encode(self._scribe.entry(event)) for event in events]
        self._entries += fresh
        return fresh

    def follow(self, events: Sequence[ev.AnyEvent], now: int, asker: Asker | None, *, whole: bool) -> None:
        """The table has followed these events: so does everybody. `whole`: the table looks different."""
        fresh = self.note(events)
        reseated = False
        for event in events:
            if isinstance(event, ev.Dealt):
                self.ready.clear()
            elif isinstance(event, ev.Seated | ev.Left | ev.Removed):
                reseated = True
                if not isinstance(event, ev.Seated) or event.person is None:
                    self._unname(event.seat)
        if reseated:
            for listener in self.listeners:
                listener.seats = tuple(self._table.seats_of(listener.person))
        self._update(fresh, now, asker, whole=whole, reseated=reseated)
        if reseated:
            self.tell_presence()

    def _update(self, fresh: list[bytes], now: int, asker: Asker | None, *, whole: bool, reseated: bool) -> None:
        """For every listener, encoded once for all who have the same seats."""
        if not self.listeners:
            return
        table = self._table
        tail = b',"entries":[' + b",".join(fresh) + b"]"
        if table.board is not None:
            clock = encode(display.clock(table, now))
            tail += b',"round":%d,"ply":%d,"clock":%b' % (table.round, table.ply, clock)
        if whole:
            info = encode(display.info(table, self.names))
            tail += b',"table":' + info + b',"shuffle":' + encode(display.shuffle(table))
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
            if reseated:
                body = body[:-1] + b',"you":' + encode(self._you(listener)) + b"}"
            if asker is not None and asker[0] is listener:
                body = HEAD + b'"ref":' + encode(asker[1]) + b"," + body[len(HEAD) :]
            listener.send(body)

    def _views(self, seats: tuple[int, ...], made: dict[tuple[int, ...], bytes]) -> list[bytes]:
        board = self._table.board
        assert board is not None
        wanted: list[int | None] = [*seats] if seats else [None]
        found = []
        for seat in wanted:
            key = () if seat is None else (seat,)
            if key not in made:
                made[key] = encode(board.view(seat))
            found.append(made[key])
        return found

    # ---- who is there ------------------------------------------------------------------------------------

    def readied(self, seats: Sequence[int]) -> None:
        self.ready.update(seats)
        self.tell_presence()

    def tell_presence(self) -> None:
        frame = encode(ms.PresenceFrame(presence=self._present()))
        if frame != self._presence:
            self._presence = frame
            self._send(frame)

    def _present(self) -> ms.Presence:
        there = self.persons
        return ms.Presence(
            online=[
                seat.kind == "bot" or (seat.person is not None and seat.person in there) for seat in self._table.seats
            ],
            watching=self.spectators,
            ready=sorted(self.ready),
        )

    # ---- names -------------------------------------------------------------------------------------------

    def tell_names(self) -> None:
        shown = [seat.name for seat in display.seats(self._table, self.names)]
        self._send(encode(ms.Names(names=shown)))

    def show_held(self) -> None:
        """New names, now that no round is being played."""
        for seat, name in self.held.items():
            self.names[seat] = name
        self.held.clear()
        self.tell_names()

    def _unname(self, seat: int) -> None:
        self.names[seat] = None
        self.held.pop(seat, None)

    def forget(self, person: str) -> None:
        """Nothing here names the person any more, and their open sockets are anybody's."""
        for listener in self.listeners:
            if listener.person == person:
                listener.person, listener.seats, listener.muted = None, (), set()
                self._tell_you(listener)
        self._said = deque((line for line in self._said if line[0] != person), maxlen=SAID_KEPT)
        seats = self._table.seats_of(person)
        for seat in seats:
            self._unname(seat)
        if seats:
            self.tell_names()

    # ---- what is said ------------------------------------------------------------------------------------

    def heard(self, person: str, said: ms.Said) -> None:
        """Keep it for whoever comes later."""
        self._said.append((person, said))

    def say(self, person: str, said: ms.Said) -> None:
        self.heard(person, said)
        frame = encode(ms.SaidFrame(said=said))
        for listener in self.listeners:
            if person not in listener.muted:
                listener.send(frame)

    def mute(self, person: str, other: str, on: bool) -> None:
        """On all devices of the person."""
        for listener in self.listeners:
            if listener.person == person:
                (listener.muted.add if on else listener.muted.discard)(other)
                self._tell_you(listener)

    # ---- frames ------------------------------------------------------------------------------------------

    def _send(self, frame: bytes) -> None:
        for listener in self.listeners:
            listener.send(frame)

    def _tell_you(self, listener: Listener) -> None:
        listener.send(encode(ms.YouFrame(you=self._you(listener))))

    def _you(self, listener: Listener) -> ms.You:
        table = self._table
        return ms.You(
            seats=list(listener.seats),
            host=listener.person is not None and listener.person == table.host,
            muted=[number for number, seat in enumerate(table.seats) if seat.person and seat.person in listener.muted],
        )

    def _welcome(self, listener: Listener, since: int, now: int) -> bytes:
        table = self._table
        start = since if since <= table.seq else 0
        views = self._views(listener.seats, {}) if table.board is not None else []
        frame = ms.Welcome(
            protocol=ms.PROTOCOL,
            now=now,
            seq=table.seq,
            since=start,
            table=display.info(table, self.names),
            you=self._you(listener),
            round=table.round,
            ply=table.ply,
            views=cast("list[ms.View]", [msgspec.Raw(view) for view in views]),
            clock=display.clock(table, now),
            shuffle=display.shuffle(table),
            presence=self._present(),
            entries=cast("list[ms.AnyEntry]", [msgspec.Raw(entry) for entry in self._entries[start:]]),
            said=[said for person, said in self._said if person not in listener.muted],
        )
        return encode(frame)
