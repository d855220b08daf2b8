"""A site without a network: browsers that speak ASGI straight to it, with real frames and real cookies."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from foxrow.server.settings import Limits, Settings
from foxrow.server.site import Site

Json = dict[str, Any]
REFS = itertools.count()
WIDE = Limits(
    calls=1e6, calls_burst=10**6, new_tables=1e6, new_tables_burst=10**6, new_people=1e6, new_people_burst=10**6,
    misses=1e6, misses_burst=10**6, requests=1e6, requests_burst=10**6, says=1e6, says_burst=10**6,
    sockets_of_address=10**6, sockets_of_person=10**6, tables_of_person=10**6, sits=10**6,
    spectators_of_address=10**6,
)  # fmt: skip


def settings(folder: Path, limits: Limits = WIDE, **more: Any) -> Settings:
    given = {"pace": 0.0, "workers": 0, "round_pause": 30.0, "think": 0.05, **more}
    return Settings(database=folder / "foxrow.db", limits=limits, **given)


@contextlib.asynccontextmanager
async def running(setting: Settings) -> AsyncIterator[Site]:
    site = Site(setting)
    await site.start()
    try:
        yield site
    finally:
        await site.stop()


class Answer:
    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status = status
        self.headers = {key.decode(): value.decode() for key, value in headers}
        self.raw = body

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


class Browser:
    """One person's browser: a cookie jar and the calls."""

    def __init__(self, site: Site, address: str = "10.0.0.1") -> None:
        self.site = site
        self.address = address
        self.cookie: str | None = None

    def headers(self, more: dict[str, str] | None = None) -> list[tuple[bytes, bytes]]:
        found = {"host": "foxrow.test", **(more or {})}
        if self.cookie is not None:
            found.setdefault("cookie", self.cookie)
        return [(key.encode(), value.encode()) for key, value in found.items()]

    async def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, raw: bytes | None = None
    ) -> Answer:
        content = raw if raw is not None else (b"" if body is None else json.dumps(body).encode())
        given = {"content-type": "application/json", "content-length": str(len(content)), **(headers or {})}
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
            "headers": self.headers(given), "client": (self.address, 1), "scheme": "http", "http_version": "1.1",
            "server": ("foxrow.test", 80), "root_path": "", "asgi": {"version": "3.0"},
        }  # fmt: skip
        sent: list[Any] = []
        waiting = [{"type": "http.request", "body": content, "more_body": False}]

        async def receive() -> Any:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.site(scope, receive, send)
        answer = Answer(sent[0]["status"], sent[0]["headers"], b"".join(part.get("body", b"") for part in sent[1:]))
        if "set-cookie" in answer.headers:
            pair = answer.headers["set-cookie"].split(";")[0]
            self.cookie = pair if not pair.endswith("=") else None
        return answer

    async def table(self, game: str, seats: list[Any], **more: Any) -> Json:
        made = await self.call("POST", "/api/tables", {"game": game, "seats": seats, **more})
        assert made.status == 201, made.raw
        info: Json = made.json
        return info

    def socket(self, table: str, headers: dict[str, str] | None = None) -> Wire:
        return Wire(self, table, headers)


class Closed(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Wire:
    """One socket of a browser. `frames` are all raw texts that came; `see` folds them into what a client knows."""

    def __init__(self, browser: Browser, table: str, headers: dict[str, str] | None = None) -> None:
        self.browser = browser
        self.table_id = table
        self.frames: list[str] = []
        self.closed: int | None = None
        self.accepted = False
        self.refused: int | None = None  # the status, when there is no socket at all
        self.seen: Json = {}
        self.entries: list[Json] = []
        self.seeds: dict[int, bytes] = {}
        self._in: asyncio.Queue[Any] = asyncio.Queue()
        self._out: asyncio.Queue[str | None] = asyncio.Queue()
        self._in.put_nowait({"type": "websocket.connect"})
        path = f"/api/tables/{table}/socket"
        self._scope = {
            "type": "websocket", "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "ws",
            "headers": browser.headers(headers), "client": (browser.address, 1), "subprotocols": [], "root_path": "",
            "server": ("foxrow.test", 80), "http_version": "1.1", "asgi": {"version": "3.0"},
        }  # fmt: skip
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await self.browser.site(self._scope, self._in.get, self._send)
        if self.closed is None:
            self.closed = 1006
        self._out.put_nowait(None)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.http.response.start":
            self.refused = message["status"]
        elif message["type"] == "websocket.http.response.body":
            self._in.put_nowait({"type": "websocket.disconnect", "code": 1006})
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
            self._out.put_nowait(None)
            self._in.put_nowait({"type": "websocket.disconnect", "code": self.closed})
        else:
            self.frames.append(message["text"])
            self._out.put_nowait(message["text"])

    # ---- speaking ----------------------------------------------------------------------------------------

    def send(self, **frame: Any) -> None:
        self.send_raw(json.dumps(frame))

    def send_raw(self, text: str) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    async def next(self, seconds: float = 20.0) -> Json:
        """The next frame, folded in."""
        text = await asyncio.wait_for(self._out.get(), seconds)
        if text is None:
            raise Closed(self.closed or 1006)
        frame: Json = json.loads(text)
        self._fold(frame)
        return frame

    def _fold(self, frame: Json) -> None:
        kind = frame["type"]
        if kind == "welcome":
            self.entries = [entry for entry in self.entries if entry["seq"] <= frame["since"]] + frame["entries"]
        elif kind == "update":
            self.entries += frame["entries"]
        if kind in ("welcome", "update"):
            self.seen |= {key: value for key, value in frame.items() if key not in ("type", "entries", "ref")}
            assert [entry["seq"] for entry in self.entries] == list(range(1, frame["seq"] + 1))

    async def hello(self, since: int | None = None) -> Json:
        self.send(type="hello", since=self.seen.get("seq", 0) if since is None else since)
        frame = await self.next()
        assert frame["type"] == "welcome"
        return frame

    async def until(self, test: Any, seconds: float = 30.0) -> Json:
        async with asyncio.timeout(seconds):
            while True:
                frame = await self.next(seconds)
                if test(frame):
                    return frame

    async def ask(self, seconds: float = 20.0, **frame: Any) -> Json:
        """Send a request and wait for its answer."""
        frame.setdefault("ref", f"v{next(REFS)}")
        self.send(**frame)
        return await self.until(lambda got: got.get("ref") == frame["ref"], seconds)

    async def move(self, text: str, seat: int | None = None, **more: Any) -> Json:
        where = {"round": self.seen["round"], "ply": self.seen["ply"]}
        number = self.my_turn() if seat is None else seat
        return await self.ask(type="move", seat=number, text=text, **{**where, **more})

    async def drop(self) -> None:
        """The network is cut."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1006})
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait_for(self._task, 5)

    # ---- playing -----------------------------------------------------------------------------------------

    @property
    def table(self) -> Json:
        found: Json = self.seen["table"]
        return found

    @property
    def status(self) -> str:
        return str(self.table["status"])

    def view(self, seat: int | None = None) -> Json:
        found: Json = next(view for view in self.seen["views"] if seat is None or view["seat"] == seat)
        return found

    def my_turn(self) -> int | None:
        """The seat of mine that must act."""
        if self.status != "playing":
            return None
        for view in self.seen.get("views", []):
            if view["seat"] is not None and view["to_act"] == view["seat"]:
                return int(view["seat"])
        return None

    async def shuffle(self) -> None:
        """Take part in the shuffle, as a client does silently."""
        while self.status == "shuffling":
            state = self.seen["shuffle"]
            for seat in state["waiting"]:
                if seat in self.seen["you"]["seats"]:
                    await self.shuffle_step(state["step"], seat)
            if self.status == "shuffling" and self.seen["shuffle"] == state:
                await self.next()

    async def shuffle_step(self, step: str, seat: int) -> None:
        seed = self.seeds.setdefault(seat, secrets.token_bytes(32))
        if step == "commit":
            answer = await self.ask(type="commit", seat=seat, commit=hashlib.sha256(seed).hexdigest())
        else:
            answer = await self.ask(type="reveal", seat=seat, seed=seed.hex())
        assert answer["type"] in ("update", "done"), answer


async def settle(*wires: Wire) -> None:
    """Let everybody read what has come."""
    for _ in range(3):
        await asyncio.sleep(0)
        for wire in wires:
            while not wire._out.empty():
                await wire.next()


async def shuffle_all(*wires: Wire) -> None:
    await asyncio.gather(*(wire.shuffle() for wire in wires))
