"""The whole site as one ASGI application: sockets, API, pages, and the headers and limits around them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from foxrow.server import http, socket
from foxrow.server.identity import COOKIE, LIFE, DeviceCodes, Newcomers, Signer
from foxrow.server.limits import Buckets, Counts, source
from foxrow.server.logs import log, note
from foxrow.server.lounge import Lounge
from foxrow.server.metrics import Metrics
from foxrow.server.pages import Pages
from foxrow.server.settings import Settings
from foxrow.server.shelf import Shelf
from foxrow.server.visit import refusal
from foxrow.store import Store, open_store
from foxrow.store.interface import PutMeta, StoreError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

RECORDS = 2  # in memory at once, taken apart, while something is made of them

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'{sockets}; font-src 'self' data:; media-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'"
)
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]


class Site:
    """The application; `lounge` is there once it has started."""

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        self.settings = settings
        self._given = store
        self.store: Store
        self.lounge: Lounge
        self.signer: Signer
        self.metrics = Metrics()
        self.codes = DeviceCodes()
        self.newcomers = Newcomers()
        self.pages = Pages(settings.root)
        limits = settings.limits
        self.calls = Buckets(limits.calls, limits.calls_burst)
        self.misses = Buckets(limits.misses, limits.misses_burst)
        self.replays = Buckets(limits.replays, limits.replays_burst)
        self.new_tables = Buckets(limits.new_tables, limits.new_tables_burst)
        self.new_people = Buckets(limits.new_people, limits.new_people_burst)
        self.connections_of_address = Counts(limits.connections_of_address)
        self.calls_of_address = Counts(
            limits.connections_of_address
        )  # at once; a proxy's connections are many people's
        self.sockets_of_address = Counts(limits.sockets_of_address)
        self.sockets_of_person = Counts(limits.sockets_of_person)
        self.record_bytes = Buckets(limits.record_bytes, limits.record_bytes_burst)
        self.shelf = Shelf(limits.records_in_all)
        self.records_at_once = asyncio.Semaphore(RECORDS)
        self.started = False
        self.metrics.counter("http_answers_total", "HTTP answers by route and status.")
        self._router = http.router(self)

    # ---- ASGI --------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await socket.serve(self, scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.start()
        except Exception as failed:
            log.error("the server could not start", exc_info=True)
            await send({"type": "lifespan.startup.failed", "message": str(failed)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def start(self) -> None:
        self.store = self._given or open_store(self.settings.database)
        key = self.store.meta("cookie_key")
        if key is None:
            key = secrets.token_hex(32)
            self.store.write(PutMeta("cookie_key", key))
        self.signer = Signer(bytes.fromhex(key))
        self.lounge = Lounge(self.store, self.settings, self.metrics)
        await self.lounge.open()
        self.started = True
        note("started")

    def drain(self) -> None:
        """No new tables from now on, and not ready: a balancer sends people elsewhere."""
        if self.started:
            self.lounge.draining = True

    async def stop(self) -> None:
        """Everything that was acknowledged is on disk; what still waits is written before the end."""
        if self.started:
            self.started = False
            await self.lounge.close()
            self.store.close()
            note("stopped")

    # ---- HTTP --------------------------------------------------------------------------------------------

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope = {**scope, "path": self.path(scope), "root_path": ""}
        began = time.perf_counter()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", []), *self._headers(scope)]}
            await send(message)

        address = self.address(scope)
        entered = self.calls_of_address.enter(address)
        try:
            answer = self._router if entered else refusal("too_many", {"wait": 1000})
            await answer(scope, receive, sending)
        finally:
            if entered:
                self.calls_of_address.leave(address)
            route = scope.get("foxrow_route", "other")
            self.metrics.count("http_answers_total", f'route="{route}",status="{status}"')
            if status >= 500 and status != 503:
                took = round(time.perf_counter() - began, 4)
                note("failed answer", method=scope["method"], route=route, status=status, seconds=took)

    def _headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        host = self._header(scope, b"host") or ""
        # Some browsers do not count a socket as 'self'.
        sockets = f" ws://{host} wss://{host}" if host and not set(host) & set(" ;,'\"") else ""
        headers = [*HEADERS, (b"content-security-policy", POLICY.format(sockets=sockets).encode("latin-1", "replace"))]
        if scope.get("scheme") in ("https", "wss"):
            headers.append((b"strict-transport-security", b"max-age=31536000"))
        return headers

    # ---- reading requests --------------------------------------------------------------------------------

    def path(self, scope: Scope) -> str:
        """The path below the root, whether or not the proxy has taken the root off."""
        path: str = scope["path"]
        root = self.settings.root
        if root and (path == root or path.startswith(root + "/")):
            path = path[len(root) :] or "/"
        return path

    @staticmethod
    def _header(scope: Scope, name: bytes) -> str | None:
        for key, value in scope["headers"]:
            if key == name:
                return str(value.decode("latin-1"))
        return None

    def address(self, scope: Scope) -> str:
        """Whom limits count for."""
        client = scope.get("client")
        return source(client[0]) if client else "unknown"

    def person_of(self, scope: Scope) -> str | None:
        """Whom the cookie names, if it is ours and the person still exists."""
        try:
            for value in self._cookies(scope):
                person = self.signer.person(value)
                if person is not None and self.lounge.people.known(person):
                    return person
        except StoreError:
            pass
        return None

    @staticmethod
    def _cookies(scope: Scope) -> Iterator[str]:
        """Every value under our name. Other programs of the same host set cookies too, some of them in a form that a
        strict reader refuses as a whole, and another Foxrow may use the same name: that makes no person nobody."""
        for key, header in scope["headers"]:
            if key == b"cookie":
                for part in header.decode("latin-1").split(";"):
                    name, _, value = part.strip().partition("=")
                    if name == COOKIE:
                        yield value.strip('"')

    def origin_allowed(self, scope: Scope) -> bool:
        """A browser says which page speaks; it must be one of ours. Programs that are no browsers say
        nothing."""
        origin = self._header(scope, b"origin")
        if origin is None:
            return self._header(scope, b"sec-fetch-site") in (None, "same-origin", "none")
        if origin in self.settings.origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        host = self._header(scope, b"host")
        return parts.scheme in ("http", "https") and host is not None and parts.netloc.lower() == host.lower()

    def cookie(self, scope: Scope, person: str | None) -> str:
        """The Set-Cookie header that makes this browser a person, or (None) nobody."""
        secure = self.settings.secure
        if secure is None:
            secure = scope.get("scheme") == "https"
        value = "" if person is None else self.signer.token(person)
        life = 0 if person is None else LIFE
        parts = [
            f"{COOKIE}={value}",
            f"Max-Age={life}",
            f"Path={self.settings.root or ''}/",
            "HttpOnly",
            "SameSite=Lax",
        ]
        if secure:
            parts.append("Secure")
        return "; ".join(parts)
