"""One websocket: frames in, frames out, and the limits of both. Plain ASGI: it is the hot path."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from foxrow.match.refusal import Refusal
from foxrow.server import messages as ms
from foxrow.server.limits import Bucket
from foxrow.server.messages import encode, place
from foxrow.server.visit import refusal
from foxrow.server.wire import KEY, Wire
from foxrow.store.interface import StoreError

if TYPE_CHECKING:
    from foxrow.server.room import Room
    from foxrow.server.settings import Limits
    from foxrow.server.site import Site

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PATH = re.compile(r"^/api/tables/([A-Za-z0-9_-]{8,40})/socket$")
CLOSE_NO_HELLO, CLOSE_SLOW, CLOSE_TOO_MANY, CLOSE_NO_TABLE = 4000, 4001, 4002, 4004
CLOSE_NO_FRAME, CLOSE_PROTOCOL, CLOSE_FULL, CLOSE_BLOCKED = 4005, 4006, 4007, 4008
MISTAKES = 20  # frames that are no frames before we hang up

# What bytes that are no frame are known by; the last one is brackets in brackets, a thousand deep.
WRONG = (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError)

decode = msgspec.json.Decoder(ms.AnyRequest).decode


class Question(msgspec.Struct):
    """Of a frame that is wrong elsewhere: what the answer names, so that whoever asked knows which question it was."""

    ref: ms.Ref | None = None


ask = msgspec.json.Decoder(Question).decode


class Socket:
    """What a room talks to. `send` never waits: who does not read is dropped."""

    __slots__ = ("_backlog", "_close", "_most", "_out", "_waiter", "address", "muted", "person", "seats", "wire")

    def __init__(self, person: str | None, address: str, most: int, wire: Wire | None = None) -> None:
        self.person = person
        self.address = address
        self.seats: tuple[int, ...] = ()
        self.muted: set[str] = set()
        self._out: deque[bytes] = deque()
        self._backlog = 0
        self._most = most
        self.wire = wire
        self._close: int | None = None
        self._waiter: asyncio.Future[None] | None = None

    @property
    def closed(self) -> bool:
        return self._close is not None

    def send(self, frame: bytes) -> None:
        if self._close is not None:
            return
        if self.wire is not None and not self._out and self.wire.push(frame):
            return
        self._out.append(frame)
        self._backlog += len(frame)
        if self._backlog > self._most and len(self._out) > 1:
            self._out.clear()
            self.close(CLOSE_SLOW)
            if self.wire is not None:
                self.wire.hang_up(CLOSE_SLOW)
        self._wake()

    def close(self, code: int) -> None:
        if self._close is None:
            self._close = code
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def drain(self, send: Send) -> None:
        """Write out what there is, until the end."""
        loop = asyncio.get_running_loop()
        while True:
            while self._out:
                frame = self._out[0]  # it stays in line until it is out, so that none behind it is pushed past it
                await send({"type": "websocket.send", "text": frame.decode()})
                if self._out:
                    self._out.popleft()
                self._backlog -= len(frame)
            if self._close is not None:
                await send({"type": "websocket.close", "code": self._close})
                return
            self._waiter = loop.create_future()
            await self._waiter
            self._waiter = None


class Ear:
    """Frames of one socket to requests of its room. Who sends rubbish or too much is told, and then hung up on."""

    __slots__ = ("_bucket", "_mistakes", "_patience", "_room", "_socket")

    def __init__(self, room: Room, socket: Socket, limits: Limits) -> None:
        self._room = room
        self._socket = socket
        self._bucket = Bucket(limits.requests, limits.requests_burst)
        self._patience = Bucket(limits.requests, limits.requests_burst)  # for frames beyond that
        self._mistakes = 0

    def hear(self, frame: bytes | str) -> None:
        socket = self._socket
        if socket.closed:
            return
        try:
            request = decode(frame)
        except WRONG as wrong:
            self._mistakes += 1
            socket.send(encode(ms.Refused(ref=ref_of(frame), code="malformed", data={"place": place(wrong)})))
            if self._mistakes >= MISTAKES:
                socket.close(CLOSE_NO_FRAME)
            return
        wait = self._bucket.take()
        if wait:
            refusal = ms.Refused(ref=request.ref, code="too_many", data={"wait": int(wait * 1000) + 1})
            socket.send(encode(refusal))
            if self._patience.take():
                socket.close(CLOSE_TOO_MANY)
            return
        self._room.request(socket, request)


async def serve(site: Site, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """The life of a socket, from the handshake to the end."""
    await receive()  # websocket.connect
    match = PATH.match(site.path(scope))
    if match is None or not site.origin_allowed(scope):
        await refusal("unknown_page" if match is None else "not_allowed", {})(scope, receive, send)
        return
    address = site.address(scope)
    person = site.person_of(scope)
    wait = site.calls.take(address)
    if wait or not _enter(site, address, person):
        # Before accepting: such a connection is gone with its answer, a socket only when the other end agrees.
        await refusal("too_many", {"wait": int((wait or 1.0) * 1000) + 1})(scope, receive, send)
        return
    wire: Wire | None = scope.get(KEY)
    try:
        await send({"type": "websocket.accept"})
        socket = Socket(person, address, site.settings.limits.backlog, wire)
        await _visit(site, match[1], socket, receive, send)
    finally:
        leave = partial(_leave, site, address, person)
        if wire is None:
            leave()
        else:
            wire.when_lost(leave)


def _enter(site: Site, address: str, person: str | None) -> bool:
    """Take a place among the sockets of the address and of the person, if both have one."""
    if not site.sockets_of_address.enter(address):
        return False
    if person is None or site.sockets_of_person.enter(person):
        return True
    site.sockets_of_address.leave(address)
    return False


def _leave(site: Site, address: str, person: str | None) -> None:
    site.sockets_of_address.leave(address)
    if person is not None:
        site.sockets_of_person.leave(person)


async def _visit(site: Site, table: str, socket: Socket, receive: Receive, send: Send) -> None:
    limits = site.settings.limits
    try:
        hello = await asyncio.wait_for(_hello(receive), limits.hello)
    except TimeoutError:
        hello = CLOSE_NO_HELLO
    if hello is None:
        return
    if isinstance(hello, int):
        await send({"type": "websocket.close", "code": hello})
        return
    lounge = site.lounge
    if lounge.store.away:  # what is in memory may not be how it is
        await send({"type": "websocket.close", "code": 1013})
        return
    try:
        if socket.person is not None and not lounge.people.known(socket.person):
            socket.person = None  # whoever deleted their data meanwhile is nobody
        room = await lounge.find(table)
    except StoreError:
        await send({"type": "websocket.close", "code": 1013})  # try again later
        return
    except Refusal:  # it cannot be opened any more
        await send({"type": "websocket.close", "code": CLOSE_NO_TABLE})
        return
    if room is None:
        late = site.misses.take(socket.address) > 0
        await send({"type": "websocket.close", "code": CLOSE_TOO_MANY if late else CLOSE_NO_TABLE})
        return
    if socket.person is not None and socket.person in room.table.blocked:
        await send({"type": "websocket.close", "code": CLOSE_BLOCKED})
        return
    if not room.admits(socket.person, socket.address):
        await send({"type": "websocket.close", "code": CLOSE_FULL})
        return
    if socket.person is not None:
        try:
            socket.muted = lounge.store.mutes(socket.person)
        except StoreError:
            await send({"type": "websocket.close", "code": 1013})
            return
    room.attach(socket, hello.since)
    drain = asyncio.create_task(socket.drain(send))
    ear = Ear(room, socket, limits)
    if socket.wire is not None:
        socket.wire.hear_by(ear.hear)
    try:
        while not drain.done():
            message = await receive()
            if message["type"] != "websocket.receive":
                break
            ear.hear(message.get("text") or message.get("bytes") or b"")
    finally:
        room.detach(socket)
        socket.close(1000)
        if not drain.done():
            # Give a last frame the chance to go out, and no more than that.
            await asyncio.wait([drain], timeout=1.0)
            drain.cancel()
        with contextlib.suppress(Exception, asyncio.CancelledError):
            await drain


async def _hello(receive: Receive) -> ms.Hello | int | None:
    """The first frame, or the code to close with; None when the client is gone."""
    message = await receive()
    if message["type"] != "websocket.receive":
        return None
    try:
        request = decode(message.get("text") or message.get("bytes") or b"")
    except WRONG:
        return CLOSE_NO_FRAME
    if not isinstance(request, ms.Hello):
        return CLOSE_NO_HELLO
    return request if request.protocol == ms.PROTOCOL else CLOSE_PROTOCOL


def ref_of(frame: bytes | str) -> str | None:
    try:
        return ask(frame).ref
    except WRONG:
        return None
