"""The HTTP connection under a call: uvicorn's, with an end to everybody's patience.

Who connects and does not ask, or sends the head of a request drop by drop, or does not read the answer, is hung up on;
and one address has only so many connections. A trusted proxy may have any number: it speaks for many.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from foxrow.server.limits import source

if TYPE_CHECKING:
    from foxrow.server.site import Site


class Line(H11Protocol):
    _counted: str | None = None  # the address for which this connection counts
    _head: asyncio.TimerHandle | None = None  # until the head of a request is there
    _tail: asyncio.TimerHandle | None = None  # until the answer has been read

    @property
    def _site(self) -> Site:
        site: Any = self.config.app
        return site  # type: ignore[no-any-return]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self._trusted(address):
            whose = source(address)
            if not self._site.connections_of_address.enter(whose):
                transport.abort()
                return
            self._counted = whose
        self._wait_for_head()

    def _trusted(self, address: str) -> bool:
        allowed = self.config.forwarded_allow_ips
        proxies = allowed.split(",") if isinstance(allowed, str) else allowed or []
        return any(proxy.strip() in ("*", address) for proxy in proxies)

    def connection_lost(self, exc: Exception | None) -> None:
        self._uncount()
        self._patient()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a websocket now
            return
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()
        elif self._head is not None:
            self._head.cancel()
            self._head = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if self.transport.get_write_buffer_size():
            # Nobody is told twice to stop writing: under a socket, what is not read would grow without end.
            self.transport.abort()
            return
        self._uncount()  # sockets are counted by themselves
        self._patient()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._tail is None and self.transport.get_write_buffer_size():
            self._tail = self.loop.call_later(self._site.settings.limits.answer_time, self._unread)

    def _wait_for_head(self) -> None:
        if self._head is None:  # from the first byte on, not from the last
            self._head = self.loop.call_later(self._site.settings.limits.head_time, self.transport.abort)

    def _unread(self) -> None:
        self._tail = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _patient(self) -> None:
        for timer in (self._head, self._tail):
            if timer is not None:
                timer.cancel()
        self._head = self._tail = None

    def _uncount(self) -> None:
        if self._counted is not None:
            self._site.connections_of_address.leave(self._counted)
            self._counted = None
