"""Slow and many: connections that ask for nothing, heads and bodies that come drop by drop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from foxrow.core.errors import FoxrowError
from foxrow.server import wire
from foxrow.server.limits import source
from foxrow.server.settings import Limits, limits
from tests.server.test_wire import ASK, HELLO, Line, a_table, framed, served, upgrade
from tests.server.visitor import WIDE, Browser, running, settings

QUICK = replace(WIDE, head_time=0.2, body_time=0.2, answer_time=0.2)
HEAD = b"PUT /api/me HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n"


def test_of_ipv6_the_first_half_counts() -> None:
    assert source("2001:db8:1:2::1") == source("2001:db8:1:2:ffff:ffff:ffff:ffff") != source("2001:db8:1:3::1")
    assert source("::ffff:10.0.0.1") == source("10.0.0.1") == "10.0.0.1"
    assert source("fe80::1%eth0") == source("fe80::2")
    assert source("10.0.0.1") != source("10.0.0.2")
    assert source("unix") == "unix"


def test_one_network_of_ipv6_is_one_address_to_all_limits(tmp_path: Path) -> None:
    async def story() -> None:
        few = replace(WIDE, new_people=1e-6, new_people_burst=2)
        async with running(settings(tmp_path, few)) as site:
            found = [
                (await Browser(site, f"2001:db8:0:{net}::{n}").call("PUT", "/api/me", {"name": "A"})).status
                for net in (1, 2)
                for n in range(3)
            ]
            assert found == [200, 200, 429] * 2

    asyncio.run(story())


@contextlib.asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What came until the server hung up."""
    try:
        return await asyncio.wait_for(reader.read(), 20)
    except ConnectionError:
        return b""


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: a\r\nX-A: ", b"\r\n"])
def test_who_does_not_finish_the_head_is_hung_up_on(tmp_path: Path, sent: bytes) -> None:
    async def story() -> None:
        async with served(settings(tmp_path, QUICK)) as (_, port):
            async with connected(port) as (reader, writer):
                writer.write(sent)
                waiting = asyncio.create_task(ended(reader))
                while not waiting.done():  # a drop now and then changes nothing
                    writer.write(b"x" if len(sent) > 2 else b"")
                    await asyncio.sleep(0.05)
                assert b"200" not in await waiting
            # And in a connection that has been of use before.
            async with connected(port) as (reader, writer):
                writer.write(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                assert b"200" in await reader.readuntil(b"ok\n")
                writer.write(sent or b"G")
                await ended(reader)

    asyncio.run(story())


def test_a_body_that_does_not_come_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(settings(tmp_path, QUICK)) as (_, port), connected(port) as (reader, writer):
            writer.write(HEAD + b'{"name"')
            answer = await ended(reader)
            assert answer.startswith(b"HTTP/1.1 408")
            assert b"too_slow" in answer

    asyncio.run(story())


def test_who_takes_their_time_within_the_limits_is_served(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(settings(tmp_path)) as (_, port), connected(port) as (reader, writer):
            for piece in (HEAD[:20], HEAD[20:], b'{"name": "A', b'nn"}' + b" " * 25):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.05)
            assert b"200" in await reader.readuntil(b"\r\n")

    asyncio.run(story())


def test_one_address_has_so_many_connections_and_a_proxy_any_number(tmp_path: Path) -> None:
    async def story(proxies: str) -> int:
        few = replace(WIDE, connections_of_address=3)
        answers = 0
        async with served(settings(tmp_path / proxies, few), proxies=proxies) as (site, port):
            async with contextlib.AsyncExitStack() as lines:
                for _ in range(6):
                    reader, writer = await lines.enter_async_context(connected(port))
                    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                        writer.write(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                        await asyncio.wait_for(reader.readuntil(b"ok\n"), 20)
                        answers += 1
            async with asyncio.timeout(20):
                while site.connections_of_address._counts:
                    await asyncio.sleep(0.01)
        return answers

    assert asyncio.run(story("10.9.8.7")) == 3
    assert asyncio.run(story("127.0.0.1")) == 6


def test_who_does_not_read_the_answer_is_hung_up_on(tmp_path: Path) -> None:
    ask = b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: %b\r\n\r\n"

    async def story(reads: bool, then: bytes) -> bytes:
        loop = asyncio.get_running_loop()
        setting = settings(tmp_path / f"{reads} {then!r}", WIDE if reads else QUICK)
        async with served(setting, proxies="", narrow=True) as (site, port):
            with socket.socket() as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.setblocking(False)
                await loop.sock_connect(line, ("127.0.0.1", port))
                await loop.sock_sendall(line, ask % then)
                if not reads:
                    async with asyncio.timeout(20):  # it is counted as long as it is there
                        while not site.connections_of_address._counts:
                            await asyncio.sleep(0.01)
                        while site.connections_of_address._counts:
                            await asyncio.sleep(0.01)
                found = b""
                with contextlib.suppress(ConnectionError):
                    while part := await asyncio.wait_for(loop.sock_recv(line, 65536), 20):
                        found += part
                return found

    whole = asyncio.run(story(True, b"close"))
    size = int(whole.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    assert len(whole.partition(b"\r\n\r\n")[2]) == size
    for then in (b"close", b"keep-alive"):
        assert len(asyncio.run(story(False, then))) < size


def test_one_address_behind_a_proxy_has_so_many_calls_at_once(tmp_path: Path) -> None:
    def head(method: bytes, path: bytes, address: bytes, size: int) -> bytes:
        lines = (
            method + b" " + path + b" HTTP/1.1",
            b"Host: a",
            b"X-Forwarded-For: " + address,
            b"Content-Length: %d" % size,
        )
        return b"\r\n".join((*lines, b"Content-Type: application/json", b"Connection: close", b"", b""))

    async def story() -> None:
        few = replace(WIDE, connections_of_address=3)
        async with served(settings(tmp_path, few)) as (site, port), contextlib.AsyncExitStack() as lines:
            slow = [await lines.enter_async_context(connected(port)) for _ in range(3)]
            for _, writer in slow:
                writer.write(head(b"PUT", b"/api/me", b"1.2.3.4", 40))
            async with asyncio.timeout(20):
                while site.calls_of_address._counts.get("1.2.3.4") != 3:
                    await asyncio.sleep(0.01)

            async def asked(address: bytes) -> bytes:
                async with connected(port) as (reader, writer):
                    writer.write(head(b"GET", b"/api/me", address, 0))
                    return (await ended(reader)).split(b"\r\n")[0]

            assert b" 429 " in await asked(b"1.2.3.4")
            assert b" 200 " in await asked(b"1.2.3.5")
            for reader, writer in slow:
                writer.write(b'{"name": "Ann"}'.ljust(40))
                assert b" 200 " in await ended(reader)
            assert b" 200 " in await asked(b"1.2.3.4")
            assert not site.calls_of_address._counts

    asyncio.run(story())


async def asked(port: int, head: bytes) -> bytes:
    """All that comes for a head until the server hangs up."""
    async with connected(port) as (reader, writer):
        writer.write(head)
        return await ended(reader)


def test_who_has_too_many_sockets_gets_no_further_one(tmp_path: Path) -> None:
    async def story() -> None:
        few = replace(WIDE, sockets_of_address=2, sockets_of_person=1)
        async with served(settings(tmp_path, few)) as (site, port):
            ann, table = await a_table(site)
            line = await Line.open(port, table, ann.cookie)
            whose = f"Cookie: {ann.cookie}"
            other = await asked(port, upgrade(port, table, whose, "X-Forwarded-For: 1.2.3.4"))
            watching = await Line.open(port, table, None)
            for answer in (other, *[await asked(port, upgrade(port, table)) for _ in range(5)]):
                assert answer.startswith(b"HTTP/1.1 429 "), answer
                assert b"retry-after: 2\r\n" in answer.lower()
                assert b'"too_many"' in answer
            assert site.sockets_of_address._counts == {"127.0.0.1": 2}  # who is refused takes nobody's place
            for one in (line, watching):
                one.write(framed(HELLO) + framed(ASK % 1))
                assert (await one.answer("r1"))["type"] == "pong"
                await one.close()
            async with asyncio.timeout(20):
                while site.sockets_of_address._counts or site.sockets_of_person._counts:
                    await asyncio.sleep(0.01)
            await (await Line.open(port, table, ann.cookie)).close()

    asyncio.run(story())


def test_a_socket_counts_until_its_connection_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LAST_WORD", 1.0)

    async def story() -> None:
        async with served(settings(tmp_path, replace(WIDE, sockets_of_address=3))) as (site, port):
            _, table = await a_table(site)
            lines = [await Line.open(port, table, None) for _ in range(3)]
            for line in lines:
                line.write(framed(ASK % 1))  # no hello
                assert await line.end() == 4000
            # They were told to go, and stay.
            assert b" 429 " in await asked(port, upgrade(port, table))
            assert site.sockets_of_address._counts == {"127.0.0.1": 3}
            for line in lines:
                assert await asyncio.wait_for(line.reader.read(), 5) == b""
                await line.close()
            assert not site.sockets_of_address._counts
            await (await Line.open(port, table, None)).close()

    asyncio.run(story())


def test_who_neither_reads_nor_says_anything_more_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LAST_WORD", 0.2)

    async def story() -> None:
        async with served(settings(tmp_path), narrow=True) as (site, port):
            ann, table = await a_table(site)
            loop = asyncio.get_running_loop()
            with socket.socket() as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.setblocking(False)
                await loop.sock_connect(line, ("127.0.0.1", port))
                await loop.sock_sendall(line, upgrade(port, table, f"Cookie: {ann.cookie}"))
                await loop.sock_recv(line, 12)
                await loop.sock_sendall(line, framed(HELLO))
                async with asyncio.timeout(20):
                    while not site.lounge.rooms[table].audience.listeners:
                        await asyncio.sleep(0.01)
                    [listener] = site.lounge.rooms[table].audience.listeners
                    while not listener.wire.transport.get_write_buffer_size():  # type: ignore[attr-defined]
                        await loop.sock_sendall(line, framed(ASK % 1) * 20)
                        await asyncio.sleep(0)
                    line.shutdown(socket.SHUT_WR)
                    while site.sockets_of_address._counts:
                        await asyncio.sleep(0.01)
                assert not site.lounge.rooms[table].audience.listeners

    asyncio.run(story())


def test_a_handshake_that_is_none_is_hung_up_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(settings(tmp_path), narrow=True) as (site, port):
            _, table = await a_table(site)
            for more in (["Content-Length: 5"], [f"X-{n}: 1" for n in range(200)], ["X-A: " + "a" * 9000]):
                assert b" 101 " not in await asked(port, upgrade(port, table, *more))
            # Behind answers that nobody reads: there, what we send would never be told to wait.
            with socket.socket() as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.setblocking(False)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(line, ("127.0.0.1", port))
                head = b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
                await loop.sock_sendall(line, head + upgrade(port, table))
                await asyncio.sleep(0.5)
                found = b""
                with contextlib.suppress(ConnectionError):
                    while part := await asyncio.wait_for(loop.sock_recv(line, 65536), 20):
                        found += part
                assert b" 101 " not in found
            assert not site.sockets_of_address._counts

    asyncio.run(story())


def test_limits_are_set_by_name() -> None:
    assert limits(()) == Limits()
    assert limits(["sockets_of_address=5", "head_time=2.5"]) == replace(Limits(), sockets_of_address=5, head_time=2.5)
    for wrong in ("nothing=1", "hello", "hello=", "hello=x", "tables=1.5", "tables=-1", "hello=0", "hello=nan"):
        with pytest.raises(FoxrowError, match="limit"):
            limits([wrong])
