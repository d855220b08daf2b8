"""Tables under load: the server on one core, this generator on another, a bare echo server beside it for scale.

    python bench/server_load.py --game KEY --game KEY --boardgame FOLDER --tables 1000 --seconds 6 --runs 5
    python bench/server_load.py --game KEY --growth

Closed loop: at every table the seat to act moves as soon as its view says so; a move counts when both clients have it.
Steady: so many moves a second, spread over the tables; the time from sending a move to both clients having it.
Every Foxrow move is on disk before anybody hears of it. Runs are interleaved: echo, Foxrow, echo, Foxrow, …
“others” is the part of the machine's time that was neither idle nor ours: other programs and, on a rented machine, its
neighbours. A figure with more than a few percent of it says little.
Games that live in folders of `bench/` are there by their entry points, without being installed.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import hashlib
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

ECHO = """
import sys, uvicorn
rooms = {}
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive(); await send({"type": "lifespan.startup.complete"}); await receive()
        await send({"type": "lifespan.shutdown.complete"}); return
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"}); return
    await receive(); await send({"type": "websocket.accept"})
    room = rooms.setdefault(scope["path"], []); room.append(send)
    while True:
        message = await receive()
        if message["type"] != "websocket.receive":
            room.remove(send); return
        for other in room:
            await other({"type": "websocket.send", "text": message["text"]})
uvicorn.run(app, port=int(sys.argv[1]), ws="websockets-sansio", ws_per_message_deflate=False, log_level="error")
"""
UNLIMITED = (
    "calls", "calls_burst", "new_tables", "new_tables_burst", "new_people", "new_people_burst", "requests",
    "requests_burst", "sockets_of_address", "sockets_of_person", "tables_of_person", "tables", "misses", "misses_burst",
)  # fmt: skip
WIDE = {"pace": 0, "workers": 0, "round_pause": 0.0, "limits": dict.fromkeys(UNLIMITED, 10**9)}

# boardgame.io's own way to a game: tic-tac-toe, its end left out so that a table plays on.
BOARDGAME = """
const { Server, Origins } = require('boardgame.io/server');
const game = { name: 'tic-tac-toe', setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { clickCell: ({ G, playerID }, id) => {
    if (G.cells.every(c => c !== null)) G.cells = Array(9).fill(null);
    G.cells[id] = playerID; } } };
Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
"""


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Wire(asyncio.Protocol):
    """A websocket client that does as little as possible, so that the server is what is measured."""

    def __init__(self, take: Callable[[Wire, bytes], None]) -> None:
        self.take = take
        self.buffer = b""
        self.open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport
        self.seat = 0
        self.table = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def ask(self, host: str, path: str, cookie: str | None) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        more = f"Cookie: {cookie}\r\n" if cookie else ""
        self.transport.write(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{more}\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head[:16]:
                raise ConnectionError(head[:200].decode())
            self.open, self.buffer = True, rest
            self.opened.set_result(None)
        while len(self.buffer) >= 2:
            size, start = self.buffer[1], 2
            if size == 126:
                if len(self.buffer) < 4:
                    return
                size, start = struct.unpack_from(">H", self.buffer, 2)[0], 4
            elif size == 127:
                if len(self.buffer) < 10:
                    return
                size, start = struct.unpack_from(">Q", self.buffer, 2)[0], 10
            if len(self.buffer) < start + size:
                return
            kind, frame = self.buffer[0] & 15, self.buffer[start : start + size]
            self.buffer = self.buffer[start + size :]
            if kind == 1:
                self.take(self, frame)
            elif kind == 9:
                self.send(frame, 10)

    def send(self, text: bytes, kind: int = 1) -> None:
        # Masked with zeros: allowed, and no work.
        size = len(text)
        head = struct.pack(">BB", 128 | kind, 128 | size) if size < 126 else struct.pack(">BBH", 128 | kind, 254, size)
        self.transport.write(head + b"\0\0\0\0" + text)


class Load:
    """What both servers have in common: tables with two wires, and moves that are timed."""

    def __init__(self, tables: int) -> None:
        self.tables = tables
        self.port = free_port()
        self.wires: list[list[Wire]] = [[] for _ in range(tables)]
        self.sent = [0.0] * tables  # when the move now under way was sent
        self.heard = [2] * tables  # clients that have it
        self.times: list[float] = []
        self.done = 0
        self.closed_loop = False
        self.counting = False
        self.short = False  # a table is over after one game: every part needs fresh ones
        self.over = False  # one is over: from now on fewer play than shall

    def start(self, core: str | None) -> None:
        pin = ["taskset", "-c", core] if core else []
        self.process = subprocess.Popen(
            [*pin, *self.command()], env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(2400):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)

    def memory(self) -> float:
        """MB of the server now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu(self) -> float:
        """Seconds of processor time that the server has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def connect(self, table: int, seat: int, path: str, cookie: str | None) -> Wire:
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_connection(lambda: Wire(self.take), "127.0.0.1", self.port)
        wire.table, wire.seat = table, seat
        self.wires[table].append(wire)
        wire.ask(f"127.0.0.1:{self.port}", path, cookie)
        await wire.opened
        return wire

    def take(self, wire: Wire, frame: bytes) -> None:
        raise NotImplementedError

    def hang_up(self) -> None:
        for wires in self.wires:
            for wire in wires:
                wire.transport.abort()
            wires.clear()

    def arrived(self, table: int) -> None:
        """One client has the move; with the second it is done."""
        self.heard[table] += 1
        if self.heard[table] == 2:
            if self.counting:
                self.done += 1
                self.times.append(time.perf_counter() - self.sent[table])
            if self.closed_loop:
                self.move(table)

    def begin(self, table: int) -> None:
        self.sent[table], self.heard[table] = time.perf_counter(), 0

    def move(self, table: int) -> bool:
        """Send the next move of a table; False when it cannot move now."""
        raise NotImplementedError

    async def prepare(self) -> None:
        raise NotImplementedError

    async def closed(self, seconds: float) -> dict[str, float]:
        self.closed_loop = True
        for table in range(self.tables):
            self.move(table)
        # Warm: a JIT has compiled what is hot, caches are full.
        self.counting = True
        for _ in range(200):
            await asyncio.sleep(0.1)
            if self.done >= 8 * self.tables:
                break
        return await self.counted(seconds)

    async def steady(self, rate: int, seconds: float) -> dict[str, float]:
        self.closed_loop = False
        await asyncio.sleep(2.0)  # what is under way comes to an end
        stop = False

        async def feed() -> None:
            at, began, sent = 0, time.perf_counter(), 0
            while not stop:
                due = int((time.perf_counter() - began) * rate)
                for _ in range(min(self.tables, due - sent)):
                    for _ in range(self.tables):
                        at = (at + 1) % self.tables
                        if self.heard[at] == 2 and self.move(at):
                            break
                sent = due
                await asyncio.sleep(0.001)

        task = asyncio.create_task(feed())
        await asyncio.sleep(1.0)
        found = await self.counted(seconds)
        stop = True
        await task
        return found

    async def counted(self, seconds: float) -> dict[str, float]:
        self.times, self.done, self.counting = [], 0, True
        began, used, mine, all_before = time.perf_counter(), self.cpu(), time.process_time(), machine()
        while not self.over and (left := began + seconds - time.perf_counter()) > 0:
            await asyncio.sleep(min(left, 0.1))
        took = time.perf_counter() - began
        used = self.cpu() - used
        mine = time.process_time() - mine
        others = (machine() - all_before - used - mine) / (took * (os.cpu_count() or 1))
        self.counting = False
        times = sorted(self.times) or [float("nan")]
        return {
            "moves/s": self.done / took,
            "cpu us": 1e6 * used / max(1, self.done),
            "p50 ms": 1000 * times[len(times) // 2],
            "p99 ms": 1000 * times[min(len(times) - 1, int(len(times) * 0.99))],
            "others %": max(0.0, 100 * others),
        }


class Echo(Load):
    def command(self) -> list[str]:
        return [sys.executable, "-c", ECHO, str(self.port)]

    async def prepare(self) -> None:
        for table in range(self.tables):
            for seat in (0, 1):
                await self.connect(table, seat, f"/{table}", None)

    def take(self, wire: Wire, frame: bytes) -> None:
        self.arrived(wire.table)

    def move(self, table: int) -> bool:
        self.begin(table)
        self.wires[table][0].send(b'{"type":"move","ref":"m123456","seat":0,"round":0,"ply":12,"text":"7 7"}')
        return True


class Foxrow(Load):
    def __init__(self, tables: int, game: str, folder: Path) -> None:
        super().__init__(tables)
        self.game = game
        self.folder = folder
        self.ready: list[tuple[Wire, bytes] | None] = [None] * tables  # whose turn it is, and the last frame
        self.count = 0

    def command(self) -> list[str]:
        return [sys.executable, "-m", "foxrow.server", str(self.folder / "foxrow.db"), str(self.port)]

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([*found_games(self.folder), os.environ.get("PYTHONPATH", "")])
        return {**os.environ, "FOXROW_SETTINGS": json.dumps(WIDE), "PYTHONPATH": path}

    def call(self, path: str, body: Any) -> tuple[Any, str]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read()), answer.headers["set-cookie"].split(";")[0]

    async def prepare(self) -> None:
        seats = [{"kind": "me"}, {"kind": "open"}]
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/games") as answer:
            card = next(game for game in json.loads(answer.read())["games"] if game["key"] == self.game)
        length = card["match"]["high"] if card["match"]["setting"] else None
        self.short, self.over = length is None, False
        self.ready = [None] * self.tables
        self.heard = [2] * self.tables
        for table in range(self.tables):
            info, ann = await asyncio.to_thread(
                self.call, "/api/tables", {"game": self.game, "seats": seats, "match": length}
            )
            _, ben = await asyncio.to_thread(self.call, f"/api/tables/{info['id']}/join", {})
            for seat, cookie in enumerate((ann, ben)):
                wire = await self.connect(table, seat, f"/api/tables/{info['id']}/socket", cookie)
                wire.send(b'{"type":"hello"}')
        while sum(ready is not None for ready in self.ready) < self.tables:
            await asyncio.sleep(0.05)

    def take(self, wire: Wire, frame: bytes) -> None:
        table = wire.table
        if b'"kind":"moved"' in frame[:120]:
            self.note(wire, frame)
            self.arrived(table)
            return
        if frame.startswith((b'{"type":"welcome"', b'{"type":"update"')):
            data = json.loads(frame)
            state = data.get("shuffle") or {}
            info = data.get("table") or {}
            seed = hashlib.sha256(f"{table} {wire.seat}".encode()).digest()
            if info.get("status") == "shuffling" and wire.seat in state.get("waiting", []):
                if state["step"] == "commit":
                    ask = {"type": "commit", "seat": wire.seat, "commit": hashlib.sha256(seed).hexdigest()}
                else:
                    ask = {"type": "reveal", "seat": wire.seat, "seed": seed.hex()}
                wire.send(json.dumps(ask).encode())
            if info.get("status") == "pause":
                wire.send(b'{"type":"ready","seat":%d}' % wire.seat)
            if info.get("status") == "over":
                self.over = True
            if any(entry["kind"] == "dealt" for entry in data["entries"]):
                self.note(wire, frame)
                if self.closed_loop and self.ready[table] is not None:
                    self.move(table)

    def note(self, wire: Wire, frame: bytes) -> None:
        if b'"legal":["' in frame:
            self.ready[wire.table] = (wire, frame)

    def move(self, table: int) -> bool:
        found = self.ready[table]
        if found is None:
            return False
        wire, frame = found
        self.ready[table] = None
        start = frame.index(b'"legal":["') + 10
        texts = frame[start : frame.index(b'"]', start)].split(b'","')
        round = number(frame, b'"round":', frame.rindex(b'],"round":'))
        ply = number(frame, b'"ply":', frame.rindex(b',"ply":'))
        text = texts[(12 * ply + 4) % len(texts)]  # Connect Four lasts for all of its 42 moves by this
        self.count += 1
        self.begin(table)
        wire.send(
            b'{"type":"move","ref":"m%d","seat":%d,"round":%d,"ply":%d,"text":"%b"}'
            % (self.count, wire.seat, round, ply, text)
        )
        return True


class BoardgameIo(Load):
    """boardgame.io in memory, over its socket.io: `--boardgame FOLDER`, where npm has installed it or will."""

    def __init__(self, tables: int, folder: Path) -> None:
        super().__init__(tables)
        self.folder = folder
        self.state = [0] * tables
        self.synced = 0

    def command(self) -> list[str]:
        if not (self.folder / "node_modules" / "boardgame.io").exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--prefix", str(self.folder), "boardgame.io"], check=True)
        script = self.folder / "server.js"
        script.write_text(BOARDGAME)
        return ["node", str(script), str(self.port)]

    def start(self, core: str | None) -> None:
        pin = ["taskset", "-c", core] if core else []
        self.process = subprocess.Popen([*pin, *self.command()], cwd=self.folder, stdout=subprocess.DEVNULL)
        for _ in range(600):
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise SystemExit("boardgame.io did not start")

    async def prepare(self) -> None:
        for table in range(self.tables):
            for seat in (0, 1):
                await self.connect(table, seat, "/socket.io/?EIO=4&transport=websocket", None)
        while self.synced < 2 * self.tables:
            await asyncio.sleep(0.05)

    def take(self, wire: Wire, frame: bytes) -> None:
        if frame == b"2":
            wire.send(b"3")
        elif frame.startswith(b"0"):
            wire.send(b"40/tic-tac-toe,")
        elif frame.startswith(b"40/"):
            wire.send(b'42/tic-tac-toe,["sync","m%d","%d",null,2]' % (wire.table, wire.seat))
        elif b'["sync"' in frame[:30]:
            self.synced += 1
        elif b'["update"' in frame[:30]:
            self.state[wire.table] = number(frame, b'"_stateID":', 0)
            self.arrived(wire.table)

    def move(self, table: int) -> bool:
        state = self.state[table]
        seat = state % 2
        self.begin(table)
        self.wires[table][seat].send(
            b'42/tic-tac-toe,["update",{"type":"MAKE_MOVE","payload":{"type":"clickCell","args":[%d],'
            b'"playerID":"%d","credentials":null}},%d,"m%d","%d"]' % (state % 9, seat, state, table, seat)
        )
        return True


def number(frame: bytes, key: bytes, at: int) -> int:
    start = frame.index(key, at) + len(key)
    end = start
    while frame[end : end + 1].isdigit():
        end += 1
    return int(frame[start:end])


def machine() -> float:
    """Seconds of processor time that the whole machine has used, its neighbours' included."""
    try:
        user, nice, system, _, _, hard, soft, stolen, *_ = Path("/proc/stat").read_text().split("\n")[0].split()[1:]
    except OSError:
        return 0.0
    return sum(map(int, (user, nice, system, hard, soft, stolen))) / os.sysconf("SC_CLK_TCK")


def found_games(folder: Path) -> list[str]:
    """What the module path needs so that the games in `bench/` are found by their entry points."""
    made, paths = folder / "games", [str(folder / "games")]
    for project in Path(__file__).parent.glob("*/pyproject.toml"):
        about = tomllib.loads(project.read_text("utf-8"))["project"]
        home = made / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
        home.mkdir(parents=True, exist_ok=True)
        (home / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
        lines = [f"{key} = {value}\n" for key, value in about["entry-points"]["foxrow.games"].items()]
        (home / "entry_points.txt").write_text("[foxrow.games]\n" + "".join(lines))
        paths.append(str(project.parent / "src"))
    return paths


Found = dict[str, dict[str, float]]


async def measured(load: Load, seconds: float, rate: int, closed: bool) -> Found:
    await load.prepare()
    memory = load.memory()
    found: Found = {}
    if closed:
        found["closed"] = await load.closed(seconds) | {"MB": memory}
        if load.short:
            load.closed_loop = False
            load.hang_up()
            await load.prepare()
    found["steady"] = await load.steady(rate, seconds) | {"MB": memory}
    load.hang_up()
    await asyncio.sleep(0.1)  # the transports close in the loop's next turns
    return found


def run(make: Callable[[], Load], arguments: argparse.Namespace, rate: int, closed: bool = True) -> Found:
    load = make()
    gc.collect()  # what the server before left behind: while clocks run nothing is collected
    load.start(arguments.core)
    try:
        return asyncio.run(measured(load, arguments.seconds, rate, closed))
    finally:
        load.stop()


KEYS = ("moves/s", "cpu us", "p50 ms", "p99 ms", "MB", "others %")


def compare(arguments: argparse.Namespace) -> None:
    """All servers in turn, again and again; medians, and ours over theirs."""
    found: dict[str, list[Found]] = {}
    for turn in range(arguments.runs):
        with tempfile.TemporaryDirectory() as folder:
            makers: dict[str, Callable[[], Load]] = {"echo": lambda: Echo(arguments.tables)}
            for game in arguments.game:
                home = Path(folder) / game
                makers[game] = lambda game=game, home=home: Foxrow(arguments.tables, game, home)  # type: ignore[misc]
            if arguments.boardgame is not None:
                makers["boardgame.io"] = lambda: BoardgameIo(arguments.tables, arguments.boardgame)
            for name, make in makers.items():
                result = run(make, arguments, arguments.rate)
                found.setdefault(name, []).append(result)
                print(turn, name, json.dumps(result), flush=True)
    print("\n| server | part | moves/s | CPU µs/move | p50 ms | p99 ms | MB | others |\n" + "|---" * 8 + "|")
    for name, results in found.items():
        for part in ("closed", "steady"):
            speed, cpu, p50, p99, size, others = (
                statistics.median(result[part][key] for result in results) for key in KEYS
            )
            row = f"{speed:,.0f} | {cpu:.0f} | {p50:.1f} | {p99:.1f} | {size:.0f} | {others:.0f} %"
            print(f"| {name} | {part} | {row} |")
    print("\nMedians of the ratios within a turn:")
    for game in arguments.game:
        for other in ("boardgame.io", "echo"):
            turns = list(zip(found[game], found.get(other, []), strict=False))
            if turns:
                shares = {
                    f"{part} {key}": statistics.median(ours[part][key] / theirs[part][key] for ours, theirs in turns)
                    for part, key in (("closed", "moves/s"), ("closed", "cpu us"), ("steady", "p99 ms"))
                }
                print(f"{game} / {other}:", ", ".join(f"{name} {share:.2f}" for name, share in shares.items()))


def grow(arguments: argparse.Namespace) -> None:
    """The same work a second with ever more tables: what a table costs that only sits there. No closed loop before it:
    a few tables would be through with their matches."""
    print("\n| game | tables | MB | moves/s | CPU µs/move | p50 ms | p99 ms | others |\n" + "|---" * 8 + "|")
    for game in arguments.game:
        for tables in (10, 100, 1000, 5000):
            with tempfile.TemporaryDirectory() as folder:
                found = run(lambda: Foxrow(tables, game, Path(folder) / game), arguments, 100, False)  # noqa: B023
            speed, cpu, p50, p99, size, others = (found["steady"][key] for key in KEYS)
            row = f"{size:.0f} | {speed:,.0f} | {cpu:.0f} | {p50:.1f} | {p99:.1f} | {others:.0f} %"
            print(f"| {game} | {tables} | {row} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True, action="append")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--rate", type=int, default=1000, help="moves a second of the steady part")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--boardgame", type=Path, help="a folder for boardgame.io; npm installs it there if need be")
    parser.add_argument("--growth", action="store_true", help="10 to 5,000 tables instead")
    parser.add_argument("--core", default="0" if sys.platform == "linux" else None, help="the server's core")
    arguments = parser.parse_args()
    if sys.platform == "linux" and arguments.core:
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)) - {int(arguments.core)} or {0})
    gc.disable()  # the generator shall not halt the clocks
    (grow if arguments.growth else compare)(arguments)


if __name__ == "__main__":
    main()
