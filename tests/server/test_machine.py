"""A table under a storm: moves, duplicates, stale moves, cuts, takebacks, clocks, leaving, restarts, in any order.

After every step: each acknowledged move is in the log exactly once, and what each client sees is the replay of the
log through `mask`. `FOXROW_STORMS=200` for the long run.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from foxrow.core.registry import game as find_game
from foxrow.core.registry import games
from foxrow.match import events as ev
from foxrow.match.table import Table
from foxrow.server import brains, display
from foxrow.server import lounge as lounge_module
from foxrow.server import room as room_module
from foxrow.server.site import Site
from foxrow.store.interface import StoreBusy, StoreError
from tests.server.test_whereabouts import check as check_whereabouts
from tests.server.visitor import Browser, Closed, Wire, shuffle_all
from tests.server.visitor import settings as site_settings

STORMS = int(os.environ.get("FOXROW_STORMS", "12"))
KEYS = sorted(key for key, game in games().items() if 3 in game.players)
REAL = room_module.now_ms


def first_move(key: str, packed: bytes, options: Any, level: int, seconds: float) -> str:
    """A bot without chance."""
    rules = find_game(key).rules
    view = brains.unpacked(rules.State, packed)
    return rules.move_text(view, rules.legal(view)[0])


class Storm(RuleBasedStateMachine):
    """Two people and a bot at a table with a clock, and a spectator."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory()
        self.skew = 0
        self.count = 0
        self.acknowledged: dict[tuple[int, str], str] = {}  # (seat, ref) -> text
        self.sent: list[dict[str, Any]] = []
        self.left: set[int] = set()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(room_module, "now_ms", self.now)
        self.patch.setattr(lounge_module, "now_ms", self.now)
        self.patch.setattr(brains, "choose", first_move)

    def now(self) -> int:
        return REAL() + self.skew

    def ref(self) -> str:
        self.count += 1
        return f"r{self.count}"

    def run(self, story: Any) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(story, 60))

    # ---- the beginning -----------------------------------------------------------------------------------

    @initialize(
        key=st.sampled_from(KEYS),
        kind=st.sampled_from(["none", "move", "game", "days"]),
        at_zero=st.sampled_from(["bot", "lose"]),
        deal=st.binary(max_size=2),
    )
    def begin(self, key: str, kind: str, at_zero: str, deal: bytes) -> None:
        # The same cards for the same draw, so that a failure can be found again.
        self.patch.setattr(secrets, "token_hex", lambda n: deal.ljust(n, b"-").hex())
        self.run(self._begin(key, kind, at_zero))

    async def _begin(self, key: str, kind: str, at_zero: str) -> None:
        self.site = Site(site_settings(Path(self.folder.name)))
        await self.site.start()
        self.people = [Browser(self.site), Browser(self.site, "10.0.0.2")]
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "level": 1}]
        clock = {"kind": kind, "seconds": 1000, "at_zero": at_zero}
        info = await self.people[0].table(key, seats, clock=clock)
        self.id = info["id"]
        joined = await self.people[1].call("POST", f"/api/tables/{self.id}/join", {})
        assert joined.status == 200, joined.raw
        self.wires: list[Wire | None] = [None, None, None]
        self.browsers = [*self.people, Browser(self.site, "10.0.0.3")]
        self.memory: list[tuple[int, list[Any]]] = [(0, [])] * 3
        for n in range(3):
            await self._connect(n)
        await shuffle_all(*(wire for wire in self.wires[:2] if wire))
        await self._settle()

    async def _connect(self, n: int) -> None:
        wire = self.browsers[n].socket(self.id)
        since, entries = self.memory[n]
        wire.seen, wire.entries = {"seq": since}, list(entries)
        wire.seeds = {0: b"a" * 32, 1: b"b" * 32}
        await wire.hello()
        self.wires[n] = wire

    async def _settle(self) -> None:
        """Until nothing is under way: no write, no bot's thought, no unread frame."""
        calm = 0
        while calm < 5:
            await asyncio.sleep(0 if calm else 0.001)
            room = self.site.lounge.rooms.get(self.id)
            quiet = room is None or not room.busy
            calm += 1
            for n, wire in enumerate(self.wires):
                while wire is not None and not wire._out.empty():
                    calm = 0
                    try:
                        self._noted(await wire.next())
                    except Closed:
                        self.wires[n] = None
                        break
            if not quiet:
                calm = 0

    def _noted(self, frame: dict[str, Any]) -> None:
        """An answer to a move acknowledges it."""
        if frame["type"] in ("update", "done"):
            for move in self.sent:
                if move["ref"] == frame.get("ref"):
                    self.acknowledged[(move["seat"], move["ref"])] = move["text"]

    async def _ask(self, wire: Wire, **frame: Any) -> dict[str, Any]:
        frame.setdefault("ref", self.ref())
        if frame["type"] == "move":
            self.sent.append(frame)
        wire.send(**frame)
        while True:
            answer = await wire.next()
            self._noted(answer)
            if answer.get("ref") == frame["ref"]:
                return answer

    # ---- what may happen ---------------------------------------------------------------------------------

    def _acting(self) -> tuple[Wire, int] | None:
        for wire in self.wires[:2]:
            if wire is not None and wire.my_turn() is not None:
                return wire, wire.my_turn() or 0
        return None

    @precondition(lambda self: self._acting() is not None)
    @rule(pick=st.integers(0, 1000), cut=st.booleans())
    def move(self, pick: int, cut: bool) -> None:
        self.run(self._move(pick, cut))

    async def _move(self, pick: int, cut: bool) -> None:
        found = self._acting()
        assert found is not None
        wire, seat = found
        legal = wire.view(seat)["legal"]
        frame = {"type": "move", "seat": seat, "text": legal[pick % len(legal)], "ref": self.ref()}
        frame |= {"round": wire.seen["round"], "ply": wire.seen["ply"]}
        if cut:
            # The network goes while the move is on its way; the client sends it again when it is back.
            self.sent.append(frame)
            wire.send(**frame)
            await asyncio.sleep(0)
            n = self.wires.index(wire)
            await self._cut(n)
            await self._connect(n)
            wire = self.wires[n] or wire
        answer = await self._ask(wire, **frame)
        assert answer["type"] in ("update", "done") or answer["code"] in ("stale", "time_up", "over", "not_playing")
        await self._settle()

    @precondition(lambda self: bool(self.sent))
    @rule(pick=st.integers(0, 1000))
    def duplicate(self, pick: int) -> None:
        """An old move is sent again, word for word."""
        self.run(self._duplicate(pick))

    async def _duplicate(self, pick: int) -> None:
        frame = self.sent[pick % len(self.sent)]
        wire = next((w for w in self.wires[:2] if w is not None and frame["seat"] in w.seen["you"]["seats"]), None)
        if wire is None:
            return
        seq = wire.seen["seq"]
        before = (frame["seat"], frame["ref"]) in self.acknowledged
        answer = await self._ask(wire, **frame)
        if before:
            assert answer["type"] == "done" or answer.get("code") == "stale", answer
            # Nothing is new but, after a full disk, how long nobody could move.
            assert answer["type"] == "done" or {entry["kind"] for entry in wire.entries[seq:]} <= {"restarted"}
        await self._settle()

    @precondition(lambda self: self._acting() is not None)
    @rule(off=st.sampled_from([-1, 1, 7]))
    def stale(self, off: int) -> None:
        self.run(self._stale(off))

    async def _stale(self, off: int) -> None:
        found = self._acting()
        assert found is not None
        wire, seat = found
        ply = wire.seen["ply"] + off
        if ply < 0:
            return
        frame = {"round": wire.seen["round"], "ply": ply, "text": wire.view(seat)["legal"][0]}
        wire.send(type="move", seat=seat, ref="s" + self.ref(), **frame)
        answer = await wire.until(lambda got: got["type"] == "refused")
        assert answer["code"] == "stale"
        await self._settle()

    @rule(n=st.integers(0, 2))
    def drop(self, n: int) -> None:
        self.run(self._cut(n))

    async def _cut(self, n: int) -> None:
        wire = self.wires[n]
        if wire is not None:
            await wire.drop()
            while not wire._out.empty():  # what had arrived before the cut
                text = wire._out.get_nowait()
                if text is not None:
                    frame = json.loads(text)
                    wire._fold(frame)
                    self._noted(frame)
            self.memory[n] = (wire.seen["seq"], wire.entries)
            self.wires[n] = None
        await self._settle()

    @rule(n=st.integers(0, 2), forget=st.booleans())
    def reconnect(self, n: int, forget: bool) -> None:
        if self.wires[n] is None:
            if forget:
                self.memory[n] = (0, [])
            self.run(self._connect(n))
            self.run(self._settle())

    @rule(n=st.integers(0, 1), yes=st.booleans())
    def takeback(self, n: int, yes: bool) -> None:
        self.run(self._takeback(n, yes))

    async def _takeback(self, n: int, yes: bool) -> None:
        wire, other = self.wires[n], self.wires[1 - n]
        if wire is None or wire.status != "playing" or n not in wire.seen["you"]["seats"]:
            return
        answer = await self._ask(wire, type="takeback", seat=n)
        await self._settle()
        if answer["type"] == "update" and wire.table["takeback"] == n and other is not None:
            ply = wire.seen["ply"]
            answer = await self._ask(other, type="takeback_answer", seat=1 - n, yes=yes)
            assert answer["type"] == "update", answer
            await self._settle()
            if yes:
                assert wire.seen["ply"] == ply - 1 or wire.seen["ply"] >= ply - 1

    @rule(ms=st.sampled_from([100, 400_000, 1_100_000, 4 * 86_400_000]))
    def time(self, ms: int) -> None:
        self.skew += ms
        self.run(self._time())

    async def _time(self) -> None:
        room = self.site.lounge.rooms.get(self.id)
        if room is not None:
            room._tick()
            room._set_timer()
        await self._settle()

    @precondition(lambda self: not self.left)
    @rule(n=st.integers(0, 1), sure=st.integers(0, 9))
    def leave(self, n: int, sure: int) -> None:
        wire = self.wires[n]
        if wire is not None and sure == 0 and n in wire.seen["you"]["seats"] and wire.status != "over":
            self.run(self._leave(wire, n))

    async def _leave(self, wire: Wire, n: int) -> None:
        answer = await self._ask(wire, type="leave", seat=n)
        assert answer["type"] == "update"
        self.left.add(n)
        await self._settle()
        assert wire.seen["you"]["seats"] == []

    @rule()
    def full_disk(self) -> None:
        """A write that the disk refuses changes nothing, and the next one works."""
        self.run(self._full_disk())

    async def _full_disk(self) -> None:
        found = self._acting()
        if found is None:
            return
        wire, seat = found
        store, seq = self.site.store, wire.seen["seq"]
        real = store.submit_all

        def submit_all(jobs: Any) -> None:
            error: StoreError = StoreBusy("test")
            for _, then in jobs:
                self.loop.call_soon(then, error)

        store.submit_all = submit_all  # type: ignore[method-assign]
        frame = {"round": wire.seen["round"], "ply": wire.seen["ply"], "text": wire.view(seat)["legal"][0]}
        wire.send(type="move", seat=seat, ref="f" + self.ref(), **frame)
        answer = await wire.until(lambda got: got["type"] == "refused")
        store.submit_all = real  # type: ignore[method-assign]
        assert answer["code"] in ("busy", "time_up")
        assert wire.seen["seq"] == seq
        await self._settle()

    @rule(late=st.sampled_from([0, 50_000]))
    def restart(self, late: int) -> None:
        """The server ends and starts again, perhaps much later."""
        self.run(self._restart(late))

    async def _restart(self, late: int) -> None:
        clocks = self._clocks()
        for n in range(3):
            await self._cut(n)
        await self.site.stop()
        self.skew += late
        self.site = Site(site_settings(Path(self.folder.name)))
        await self.site.start()
        for browser in self.browsers:
            browser.site = self.site
        for n in range(3):
            await self._connect(n)
        await self._settle()
        if late and clocks is not None:
            now = self._clocks()
            assert now is None or all(
                a is None or b is None or abs(a - b) < 20_000 for a, b in zip(clocks, now, strict=True)
            )

    def _clocks(self) -> list[int | None] | None:
        room = self.site.lounge.rooms.get(self.id)
        clock = display.clock(room.table, self.now()) if room is not None else None
        return None if clock is None else clock.left

    # ---- what must always hold -----------------------------------------------------------------------------

    @invariant()
    def who_is_where_is_noted(self) -> None:
        if hasattr(self, "site"):
            check_whereabouts(self.site)

    @invariant()
    def everything_is_in_the_log_and_in_the_views(self) -> None:
        if not hasattr(self, "site"):
            return
        log = [ev.decode(body) for body in self.site.store.log(self.id)]
        moves = [(e.seat, e.ref) for e in log if isinstance(e, ev.Moved) and e.ref is not None]
        assert len(moves) == len(set(moves))
        assert set(self.acknowledged) <= set(moves)
        table = Table.replay(self.id, log)
        for wire in self.wires:
            if wire is None:
                continue
            assert wire.seen["seq"] == table.seq == len(wire.entries)
            assert wire.status == table.status
            if table.board is not None:
                mine: list[int | None] = [*wire.seen["you"]["seats"]] or [None]
                assert wire.seen["views"] == [table.board.view(seat) for seat in mine]
                assert wire.seen["ply"] == table.ply

    def teardown(self) -> None:
        if hasattr(self, "site"):
            self.run(self._end())
        rest = asyncio.all_tasks(self.loop)
        for task in rest:
            task.cancel()
        if rest:
            self.loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        self.patch.undo()
        self.loop.close()
        self.folder.cleanup()

    async def _end(self) -> None:
        for wire in self.wires:
            if wire is not None:
                await wire.drop()
        await self.site.stop()


Storm.TestCase.settings = settings(
    max_examples=STORMS, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestStorm(Storm.TestCase):  # type: ignore[misc,valid-type]
    """Run by pytest."""
