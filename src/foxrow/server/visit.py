"""One call by HTTP: what handlers need of it, what it may refuse with, and how a refusal looks."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foxrow.core.errors import RecordError
from foxrow.match.record import parse
from foxrow.match.refusal import Refusal
from foxrow.server import messages as ms
from foxrow.server.limits import Buckets
from foxrow.server.messages import encode, place
from foxrow.server.room import Room
from foxrow.store.interface import StoreError

if TYPE_CHECKING:
    from foxrow.server.site import Site

STATUS = {
    "malformed": 400,
    "too_large": 413,
    "too_slow": 408,
    "not_allowed": 403,
    "no_person": 401,
    "not_host": 403,
    "not_your_seat": 403,
    "hint_others": 403,
    "blocked": 403,
    "unknown_table": 404,
    "unknown_record": 404,
    "unknown_page": 404,
    "wrong_method": 405,
    "wrong_type": 415,
    "too_many": 429,
    "too_many_tables": 429,
    "too_many_records": 429,
    "bad_code": 404,
    "no_space": 507,
    "busy": 503,
    "draining": 503,
    "failed": 500,
    "seat_taken": 409,
    "no_open_seat": 409,
    "not_open": 409,
    "not_playing": 409,
    "not_your_turn": 409,
    "stale": 409,
    "not_over": 409,
    "never_dealt": 409,
    "over": 409,
}  # any other code: 422


@dataclass(frozen=True)
class Query:
    name: str
    words: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    words: str
    handle: Callable[[Visit], Awaitable[Response]]
    body: type | None = None
    answer: type | None = None
    status: int = 200
    query: tuple[Query, ...] = ()
    codes: tuple[str, ...] = field(default=())  # that it may refuse with, besides the general ones


class Visit:
    """One call: the request and what the handlers need of it."""

    def __init__(self, site: Site, request: Request, call: Call) -> None:
        self.site = site
        self.request = request
        self.call = call
        self.lounge = site.lounge
        self.person = site.person_of(request.scope)
        self.address = site.address(request.scope)
        self._cookie: str | None = None

    async def be_somebody(self, ref: str | None = None) -> str:
        """The person of this browser, made now if there is none (any more), and once for all calls with this `ref`."""
        if self.person is None or not self.lounge.people.known(self.person):
            self.become(await self._newcomer(ref))
        assert self.person is not None
        return self.person

    async def _newcomer(self, ref: str | None) -> str:
        now = time.time()
        made = None if ref is None else self.site.newcomers.find(self.address, ref, now)
        if made is not None:
            with contextlib.suppress(StoreError):
                person = await asyncio.shield(made)
                if self.lounge.people.known(person):
                    return person
        take(self.site.new_people.take(self.address))
        making = asyncio.create_task(self.lounge.people.new())
        if ref is not None:
            self.site.newcomers.add(self.address, ref, making, now)
        return await asyncio.shield(making)

    def become(self, person: str | None) -> None:
        self.person = person
        self._cookie = self.site.cookie(self.request.scope, person)

    async def body(self, kind: type[Any]) -> Any:
        """The body as its type; Refusal says where it is wrong."""
        raw = await self._raw(self.site.settings.limits.body)
        with strictly():
            return msgspec.json.decode(raw, type=kind)

    @contextlib.asynccontextmanager
    async def record(self, bucket: Buckets) -> AsyncIterator[ms.ImportRecord]:
        """A body with a record, for as long as the answer is made. Taken apart it is up to forty times what it is as
        text: so an address is asked whether it may before the text is read, and who waits has the text alone."""
        take(bucket.take(self.address))
        raw = await self._raw(self.site.settings.limits.record)
        async with self.site.records_at_once:
            with strictly():  # beside the loop, and as strictly as the referee reads a file
                wish = await asyncio.to_thread(lambda: msgspec.convert(parse(raw), ms.ImportRecord))
            yield wish

    async def _raw(self, limit: int) -> bytes:
        try:
            async with asyncio.timeout(self.site.settings.limits.body_time):
                raw = await limited(self.request, limit)
        except TimeoutError:
            raise Refusal("too_slow") from None
        if self.person is not None and not self.lounge.people.known(self.person):
            self.person = None  # whoever deleted their data while this came in is nobody
        if self.request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            raise Refusal("wrong_type")
        return raw

    async def room(self) -> Room:
        table = self.request.path_params["table"]
        room = await self.lounge.find(table) if len(table) <= 40 else None
        if room is None:
            take(self.site.misses.take(self.address))
            raise Refusal("unknown_table")
        return room

    async def large(self, make: Callable[[], bytes]) -> Response:
        """An answer that is made, and compressed, beside the loop."""

        def made() -> tuple[bytes, dict[str, str]]:
            raw = make()
            if len(raw) > 2000 and "gzip" in self.request.headers.get("accept-encoding", ""):
                return gzip.compress(raw, 5), {"content-encoding": "gzip"}
            return raw, {}

        raw, more = await asyncio.to_thread(made)
        return self.answer(msgspec.Raw(raw), more=more)

    def answer(self, body: Any, status: int | None = None, *, more: dict[str, str] | None = None) -> Response:
        headers = {"cache-control": "no-store", **(more or {})}
        raw = b"" if body is None else bytes(body) if isinstance(body, msgspec.Raw) else encode(body)
        if self._cookie is not None:
            headers["set-cookie"] = self._cookie
        kind = None if body is None else "application/json"
        return Response(raw, status or self.call.status, headers, media_type=kind)


@contextlib.contextmanager
def strictly() -> Iterator[None]:
    """What is wrong with a body, as a Refusal that names the place."""
    try:
        yield
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Refusal("malformed", place=place(wrong)) from None
    except RecordError as wrong:
        raise Refusal("malformed", place=wrong.place) from None


async def limited(request: Request, limit: int) -> bytes:
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > limit:
        raise Refusal("too_large", most=limit)
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise Refusal("too_large", most=limit)
        parts.append(part)
    return b"".join(parts)


def take(wait: float) -> None:
    if wait:
        raise Refusal("too_many", wait=int(wait * 1000) + 1)


def refusal(code: str, data: dict[str, Any]) -> Response:
    headers = {"cache-control": "no-store"}
    if "wait" in data:
        headers["retry-after"] = str(data["wait"] // 1000 + 1)
    if code == "too_slow":  # the rest of it may come whenever it likes, but not to us
        headers["connection"] = "close"
    body = encode(ms.Error(error=ms.ErrorBody(code=code, data=data)))
    return Response(body, STATUS.get(code, 422), headers, media_type="application/json")
