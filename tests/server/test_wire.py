"""A real server behind a real socket: whatever bytes come, in whatever pieces, frames are frames or the end.

`FOXROW_FUZZ=100000` for the long run."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import random
import socket
import struct
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn

from foxrow.server import run
from foxrow.server.settings import Limits, Settings
from foxrow.server.site import Site
from tests.match.tables import any_game
from tests.server.test_attacks import mutated
from tests.server.visitor import WIDE, Browser, settings

FUZZ = int(os.environ.get("FOXROW_FUZZ", "3000"))
KEY = any_game().key
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
HELLO = b'{"type":"hello"}'
ASK = b'{"type":"ping","ref":"r%d"}'


@contextlib.asynccontextmanager
async def served(
    setting: Settings, *, proxies: str = "127.0.0.1", narrow: bool = False
) -> AsyncIterator[tuple[Site, int]]:
    """The site behind uvicorn, in this loop, on a port of its own. `narrow`: what is not read soon waits in the server
    and not on its way."""
    site = Site(setting)
    with socket.socket() as listening:
        if narrow:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(run.config(site, host="127.0.0.1", port=0, proxies=proxies))
        task = asyncio.create_task(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield site, listening.getsockname()[1]
        finally:
            server.should_exit = True
            await task


def framed(body: bytes, kind: int = TEXT, *, fin: bool = True, mask: bytes | None = b"\1\2\3\4") -> bytes:
    """A frame as a client makes it; `mask` None: as one must not."""
    size = len(body)
    second = 0x80 if mask is not None else 0
    head = bytes([(0x80 if fin else 0) | kind])
    if size < 126:
        head += bytes([second | size])
    elif size < 1 << 16:
        head += bytes([second | 126]) + struct.pack(">H", size)
    else:
        head += bytes([second | 127]) + struct.pack(">Q", size)
    if mask is None:
        return head + body
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))


def upgrade(port: int, table: str, *more: str) -> bytes:
    """The head of a call that wants to be a socket."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = (
        f"GET /api/tables/{table}/socket HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket",
        "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *more, "", "",
    )  # fmt: skip
    return "\r\n".join(lines).encode()


class Line:
    """A client that writes bytes as it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, table: str, cookie: str | None) -> Line:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(upgrade(port, table, *([f"Cookie: {cookie}"] if cookie else [])))
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head
        return cls(reader, writer)

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    async def frame(self) -> tuple[int, bytes]:
        """The next frame; (CLOSE, b"") when the other end is gone without one."""
        try:
            first, size = await self.reader.readexactly(2)
            if size == 126:
                size = struct.unpack(">H", await self.reader.readexactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", await self.reader.readexactly(8))[0]
            return first & 15, await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            return CLOSE, b""

    async def answer(self, ref: str) -> dict[str, Any]:
        """The answer to a request, skipping what else is told."""
        while True:
            kind, body = await self.frame()
            assert kind != CLOSE, f"closed with {int.from_bytes(body[:2])}"
            data = json.loads(body) if kind == TEXT else {}
            if data.get("ref") == ref:
                return dict(data)

    async def end(self) -> int:
        """The code with which the other end closes; 0: without a word."""
        while True:
            kind, body = await asyncio.wait_for(self.frame(), 20)
            if kind == CLOSE:
                return int.from_bytes(body[:2])

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


async def a_table(site: Site) -> tuple[Browser, str]:
    ann = Browser(site)
    info = await ann.table(KEY, [{"kind": "me"}] * any_game().players[0])
    return ann, info["id"]


def test_frames_in_any_pieces_are_heard_once_and_in_order(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(settings(tmp_path)) as (site, port):
            ann, table = await a_table(site)
            line = await Line.open(port, table, ann.cookie)
            # More than the hello at once: what comes before anybody listens waits in order.
            line.write(framed(HELLO) + b"".join(framed(ASK % i) for i in range(5)))
            for i in range(5):
                assert (await line.answer(f"r{i}"))["type"] == "pong"
            whole = b"".join(framed(ASK % i, mask=os.urandom(4)) for i in range(10, 20))
            for at in range(len(whole)):  # a byte at a time
                line.write(whole[at : at + 1])
                if at % 50 == 0:
                    await line.writer.drain()
                    await asyncio.sleep(0)
            for i in range(10, 20):
                assert (await line.answer(f"r{i}"))["type"] == "pong"
            # In several frames, with a ping between them, and whole ones before and after.
            long = ASK % 31 + b" " * 200
            parts = [framed(long[:7], fin=False), framed(b"x", PING), framed(long[7:150], CONT, fin=False)]
            line.write(framed(ASK % 30) + b"".join(parts) + framed(long[150:], CONT) + framed(ASK % 32))
            for i in (30, 31, 32):
                assert (await line.answer(f"r{i}"))["type"] == "pong"
            line.write(framed(ASK % 40, BINARY) + framed(b"", PONG) + framed(ASK % 41))
            for i in (40, 41):
                assert (await line.answer(f"r{i}"))["type"] == "pong"
            line.write(framed((1000).to_bytes(2), CLOSE))
            assert await line.end() == 1000
            await line.close()

    asyncio.run(story())


def test_what_is_no_frame_ends_the_socket(tmp_path: Path) -> None:
    limit = Limits().frame
    cases = {
        1009: [framed(b" " * (limit + 1)), framed(b"")[:1] + b"\xff" + b"\xff" * 8, framed(b"x" * 70_000)],
        1002: [
            framed(ASK % 1, mask=None),
            framed(b"{", fin=False) + framed(ASK % 1),  # a message in the middle of another
            framed(b"}", CONT),
            framed(b"?", 3),
            bytes([0xF1]) + framed(b"")[1:],  # reserved bits
        ],
    }

    async def story() -> None:
        async with served(settings(tmp_path)) as (site, port):
            ann, table = await a_table(site)
            for code, texts in cases.items():
                for text in texts:
                    line = await Line.open(port, table, ann.cookie)
                    line.write(framed(HELLO) + framed(ASK % 0))
                    await line.answer("r0")
                    line.write(text + framed(ASK % 9))
                    assert await line.end() == code, text[:40]
                    await line.close()
            # Pieces that are too much together, and bytes that are no text.
            line = await Line.open(port, table, ann.cookie)
            line.write(framed(HELLO) + framed(b" " * limit, fin=False) + framed(b" " * limit, CONT))
            assert await line.end() == 1009
            await line.close()
            line = await Line.open(port, table, ann.cookie)
            line.write(framed(HELLO) + framed(ASK % 0))
            await line.answer("r0")
            line.write(framed(b'{"type":"ping","ref":"\xff\xfe"}') + framed(ASK % 2))
            assert (await line.answer("r2"))["type"] == "pong"  # refused as malformed, and nothing more
            await line.close()
            assert await gone(site, table)

    asyncio.run(story())


async def gone(site: Site, table: str) -> bool:
    for _ in range(200):
        if not site.lounge.rooms[table].audience.listeners:
            return True
        await asyncio.sleep(0.02)
    return False


def test_what_is_no_request_is_refused_by_its_ref(tmp_path: Path) -> None:
    chat = {"type": "chat", "seat": 0, "text": "x" * 301}
    named: list[dict[str, Any]] = [
        chat, {"type": "takeback", "seat": 99}, {"type": "takeback", "seat": -1}, {"type": "nothing"}, {},
        {"type": "ping", "more": [1, {"ref": "another"}]},
    ]  # fmt: skip
    deep = "[" * 1900
    nameless = [
        json.dumps({**chat, "ref": ""}), json.dumps({**chat, "ref": "r" * 65}), json.dumps({**chat, "ref": 1}),
        json.dumps(["ref"]), '{"type":"chat","ref":"r"', '{"ref":"r","ref":{}}', "", deep,
        '{"ref":"r","a":' + deep + "]" * 1900 + ',"type":"ping"}',
    ]  # fmt: skip

    async def story() -> None:
        async with served(settings(tmp_path)) as (site, port):
            ann, table = await a_table(site)
            line = await Line.open(port, table, ann.cookie)
            line.write(framed(HELLO) + framed(ASK % 0))
            await line.answer("r0")
            for i, frame in enumerate(named):
                line.write(framed(json.dumps({**frame, "ref": f"n{i}"}).encode()))
                answer = await line.answer(f"n{i}")
                assert (answer["type"], answer["code"]) == ("refused", "malformed"), frame
            for text in nameless:
                line.write(framed(text.encode()))
                _, body = await line.frame()
                assert json.loads(body)["code"] == "malformed", text[:40]
                assert json.loads(body)["ref"] is None, text[:40]
            line.write(framed(ASK % 1))
            assert (await line.answer("r1"))["type"] == "pong"
            await line.close()

    asyncio.run(story())


def test_who_floods_is_hung_up_on(tmp_path: Path) -> None:
    async def story() -> None:
        limits = Limits(requests=1.0, requests_burst=20)
        async with served(settings(tmp_path, limits)) as (site, port):
            ann, table = await a_table(site)
            line = await Line.open(port, table, ann.cookie)
            line.write(framed(HELLO) + b"".join(framed(ASK % i) for i in range(2000)))
            assert await line.end() == 4002
            await line.close()
            for pieces in (
                framed(b"x" * 125, PING),
                framed(b"", PONG),
                framed(b"{", fin=False) + framed(b"", CONT, fin=False) * 5000,
                framed(b"?", BINARY),
            ):
                line = await Line.open(port, table, ann.cookie)
                line.write(framed(HELLO) + pieces * (1 if len(pieces) > 1000 else 5000))
                assert await line.end() in (4002, 0)  # 0: what we still send meets a closed door
                await line.close()
            assert await gone(site, table)

    asyncio.run(story())


def test_who_does_not_read_is_dropped_and_the_others_are_answered(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(settings(tmp_path, replace(WIDE, backlog=20_000)), narrow=True) as (site, port):
            ann, table = await a_table(site)
            slow = await Line.open(port, table, None)
            slow.write(framed(HELLO))
            await slow.frame()
            slow.reader._transport.pause_reading()  # type: ignore[attr-defined]
            quick = await Line.open(port, table, ann.cookie)
            quick.write(framed(HELLO))
            room = site.lounge.rooms[table]
            async with asyncio.timeout(60):
                while len(room.audience.listeners) < 2:
                    await asyncio.sleep(0.01)
                count = 0
                while any(not one.seats for one in room.audience.listeners):
                    frame = {"type": "set_chat", "on": count % 2 == 0, "ref": f"r{count}"}
                    quick.write(framed(json.dumps(frame).encode()))
                    answer = await quick.answer(f"r{count}")
                    assert answer["type"] == "update", (count, answer)
                    count += 1
            slow.reader._transport.resume_reading()  # type: ignore[attr-defined]
            assert await slow.end() in (0, 4001)  # the last word itself may find no room
            quick.write(framed(ASK % 1))
            assert (await quick.answer("r1"))["type"] == "pong"
            for line in (slow, quick):
                await line.close()

    asyncio.run(story())


def test_fuzzed_frames_change_nothing(tmp_path: Path) -> None:
    """Texts that are nearly requests, and bytes that are nearly frames, through a real socket."""
    chance = random.Random(5)
    good = [
        json.dumps({"type": "move", "ref": "a", "seat": 0, "round": 0, "ply": 0, "text": "x"}),
        json.dumps({"type": "leave", "seat": 0, "ref": "b"}),
        json.dumps({"type": "remove", "seat": 0, "block": True}),
        json.dumps({"type": "commit", "seat": 0, "commit": "0" * 64}),
        json.dumps({"type": "hello", "since": 0}),
    ]

    async def story() -> None:
        async with served(settings(tmp_path, WIDE)) as (site, port):
            info = await Browser(site).table(KEY, [{"kind": "me"}, {"kind": "open"}])  # where time changes nothing
            table = info["id"]
            eve = Browser(site, "10.0.0.9")
            await eve.call("PUT", "/api/me", {"name": "Eve"})
            before = site.store.log(table)
            sent = 0
            while sent < FUZZ:
                line = await Line.open(port, table, eve.cookie)
                line.write(framed(HELLO))
                broken = chance.random() < 0.3
                for _ in range(200):
                    text = mutated(chance, good).encode("utf-8", "surrogatepass")[:5000]
                    data = bytearray(framed(text, mask=chance.randbytes(4)))
                    if broken and chance.random() < 0.1:
                        data[chance.randrange(min(14, len(data)))] ^= 1 << chance.randrange(8)
                    line.write(bytes(data))
                    sent += 1
                line.write(framed(b"", CLOSE))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(line.end(), 0.5 if broken else 20)
                await line.close()
            assert site.store.log(table) == before
            ann = await Line.open(port, table, None)
            ann.write(framed(HELLO) + framed(ASK % 1))
            assert (await ann.answer("r1"))["type"] == "pong"
            await ann.close()
            assert await gone(site, table)

    asyncio.run(story())
