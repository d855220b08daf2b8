"""The websocket under a socket: uvicorn's, with a short way for the frames that nearly all frames are.

A whole, masked text frame goes straight to whoever hears this wire, and a text frame goes straight out: no queue, no
task is woken. Everything else (handshake, pings, fragments, closing, whatever breaks the protocol) is uvicorn's and
the websockets library's as before: they are given whole frames, so they never see the middle of one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Opcode
from websockets.http11 import Request

from foxrow.server.limits import Bucket

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform for which websockets has no machine code
    from websockets.utils import apply_mask

# Pings, pieces and binary frames go the long way; a client needs few of them, and each is work and memory for us.
LONG_WAY, LONG_WAY_BURST = 10.0, 100  # a second, and at once
TOO_MANY = 4002
LAST_WORD = 2.0  # seconds for the other end to read why that is the end, and to go; then the connection is cut

KEY = "foxrow.wire"  # of the scope: the wire itself
TEXT = 0x80 | Opcode.TEXT  # a text frame that is a whole message
MASKED = 0x80
HEADS = [bytes((TEXT, size)) for size in range(126)]

Hear = Callable[[bytes], None]


class Wire(WebSocketsSansIOProtocol):
    """One websocket."""

    _hear: Hear | None = None  # takes messages; while there is none they wait in uvicorn's queue
    _rest = b""  # the beginning of a frame whose end has not come yet
    _broken = False  # by what is no frame, or too much: the library hears all that follows, and ends it
    _alive = False  # has said something since we last looked
    _cut: asyncio.TimerHandle | None = None  # when the other end does not go by itself
    _leave: Callable[[], None] | None = None  # to be told when the connection is gone

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        self._slow = Bucket(LONG_WAY, LONG_WAY_BURST)
        if hasattr(self, "scope"):  # the handshake was none otherwise
            scope: Any = self.scope
            scope[KEY] = self

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._cut_soon()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal; uvicorn would log that there was no answer

    def when_lost(self, leave: Callable[[], None]) -> None:
        """Call `leave` when the connection is gone, which may be long after we have closed it."""
        if self.disconnected:
            leave()
        else:
            self._leave = leave

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._cut is not None:
            self._cut.cancel()
        if self._leave is not None:
            self._leave()

    def eof_received(self) -> None:
        self._cut_soon()  # who says no more and does not read either would stay for ever

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._cut_soon()

    def _cut_soon(self) -> None:
        if self._cut is None and not self.disconnected:
            self._cut = self.loop.call_later(LAST_WORD, self.transport.abort)

    def hear_by(self, hear: Hear) -> None:
        """Give every further message to `hear`, as soon as it is here."""
        self._hear = hear

    def push(self, text: bytes) -> bool:
        """Send a text now. False when it has to wait: the other end does not read, or is going."""
        if self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        size = len(text)
        if size < 126:
            head = HEADS[size]
        elif size < 1 << 16:
            head = b"\x81\x7e" + size.to_bytes(2)
        else:
            head = b"\x81\x7f" + size.to_bytes(8)
        self.transport.write(head + text)
        return True

    def hang_up(self, code: int) -> None:
        """Do not wait for an end that does not read: the reason goes out last, if anybody takes it within a moment."""
        if not (self.close_sent or self.transport.is_closing()):
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self._cut_soon()

    def send_keepalive_ping(self) -> None:
        """Ask whether anybody is there, unless they have just said so."""
        if self._alive:
            self._alive = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:  # the head came whole; the library takes it for none, and says nothing
                self.transport.abort()
            return
        if not self.handshake_complete:
            self.transport.abort()  # nobody may speak before the handshake is answered
            return
        if self._broken:
            super().data_received(data)
            return
        if self._rest:
            data = self._rest + data
        start = 0
        while (end := self._frame(data, start)) is not None:
            start = end
        self._rest = data[start:]

    def _frame(self, data: bytes, start: int) -> int | None:
        """Handle the frame that begins at `start`; where it ends, None when it does not."""
        if len(data) < start + 2:
            return None
        first, second = data[start], data[start + 1]
        size, at = second & 0x7F, start + 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            if len(data) < at + wide:
                return None
            size, at = int.from_bytes(data[at : at + wide]), at + wide
        if not second & MASKED or size > self.config.ws_max_size:
            self._broken = True
            super().data_received(data[start:])
            return len(data)
        body = at + 4
        end = body + size
        if len(data) < end:
            return None
        # Not in the middle of a message of several frames, and not before one that still waits in the queue.
        if first == TEXT and self._hear is not None and not self.frames and self.queue.empty():
            self._alive = True
            self._hear(apply_mask(data[body:end], data[at:body]))
        elif self._slow.take() and not self.close_sent:
            self._broken = True
            self.conn.send_close(TOO_MANY)
            self.handle_parser_exception()
            return len(data)
        else:
            super().data_received(data[start:end])
        return end


__all__ = ["KEY", "Wire"]
