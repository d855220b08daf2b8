"""Two worlds: the same game with only what a seat cannot see dealt anew. Every raw frame to that seat and to
spectators must be the same, to the byte, for as long as the rules (core's `mask`) keep the secret. When it comes out,
the hidden cards are dealt anew, so that there are secrets until the end of the round.

`FOXROW_WORLDS=3` for every number of players, every seat, and so many games of each."""

from __future__ import annotations

import asyncio
import os
import random
import re
import secrets
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foxrow.core.chance import stream
from foxrow.core.contract import Game
from foxrow.core.record import SPECTATOR, TRUTH, copy
from foxrow.core.registry import games
from foxrow.match.board import Board
from foxrow.server.room import Room
from foxrow.server.site import Site
from tests.server.visitor import Browser, Wire, settings, settle

WORLDS = int(os.environ.get("FOXROW_WORLDS", "0"))
Options = dict[str, Any]


def choices(game: Game, players: int) -> list[Options]:
    """The usual options, and each other choice that has a meaning here."""
    meant = [option for option in game.options if option.players is None or players in option.players]
    others = [{option.key: choice} for option in meant for choice in option.choices if choice != option.default]
    return [{}, *others]


CASES = [
    (key, players, options)
    for key, game in games().items()
    for players in game.players
    for options in choices(game, players)
    if WORLDS or options or players in game.players[:2]
]


def rearranged(board: Board, seer: int, seed: int) -> Any:
    """The board's state with everything that a seat (−1: a spectator) does not see dealt anew."""
    rules = board.game.rules
    other: Any = rules.mask(board._state, seer)
    rules.fill(other, stream(seed))
    other.seer = TRUTH
    return other


def known(board: Board, seer: int) -> bytes:
    """All that the rules let a seat know; TRUTH: everything."""
    state = board._state if seer == TRUTH else board.game.rules.mask(board._state, seer)
    raw: bytes = np.asarray(state).tobytes()
    return raw


class World:
    """A site with one table; `watcher` has two devices, and a spectator looks on."""

    def __init__(self, folder: Path) -> None:
        self.site = Site(settings(folder))

    async def open(self, key: str, players: int, options: Options, watcher: int) -> None:
        await self.site.start()
        self.people = [Browser(self.site, f"10.0.0.{seat}") for seat in range(players)]
        open_seats = [{"kind": "open"}] * (players - 1)
        info = await self.people[0].table(key, [{"kind": "me"}, *open_seats], first=0, listed=True, options=options)
        self.id = info["id"]
        for seat in range(1, players):
            await self.people[seat].call("POST", f"/api/tables/{self.id}/join", {"seat": seat})
        self.wires = [person.socket(self.id) for person in self.people]
        for seat, wire in enumerate(self.wires):
            wire.seeds = {seat: bytes([seat]) * 32}
            await wire.hello()
        for step in ("commit", "reveal"):  # one after the other, so that both worlds write the same log
            for seat, wire in enumerate(self.wires):
                await wire.shuffle_step(step, seat)
        await settle(*self.wires)
        self.watcher = watcher
        self.eve = Browser(self.site, "10.0.0.99")

    async def look(self) -> None:
        """From here on frames count; the second device and the spectator begin with a welcome."""
        self.spectator = self.eve.socket(self.id)
        self.device = self.people[self.watcher].socket(self.id)
        await self.spectator.hello()
        await self.device.hello()
        await self.settle()
        self.wires[self.watcher].frames.clear()

    async def settle(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0.001)
            await settle(*self.wires, self.spectator, self.device)

    @property
    def room(self) -> Room:
        return self.site.lounge.rooms[self.id]

    @property
    def board(self) -> Board:
        assert self.room.table.board is not None
        return self.room.table.board

    def legal(self, seat: int) -> set[str]:
        return set(self.board.view(seat)["legal"])

    def hear(self) -> None:
        """What has come since the last time."""
        wires = {"device": self.device, "wire": self.wires[self.watcher], "spectator": self.spectator}
        self.heard = {name: self.frames(wire) for name, wire in wires.items()}
        for wire in wires.values():
            wire.frames.clear()

    def frames(self, wire: Wire) -> list[str]:
        """Raw frames; the server's own times and ids blanked, their lengths kept."""

        def blank(match: re.Match[str]) -> str:
            return match[1] + "0" * len(match[2])

        return [
            re.sub(r'("(?:at|now|until|created|ended)":)(\d+)', blank, frame).replace(self.id, "x" * len(self.id))
            for frame in wire.frames
        ]


async def two_worlds(
    folder: Path, key: str, players: int, options: Options, watcher: int, chance: int, for_all: bool
) -> int:
    """Play a whole round of both in step; the number of moves that were made while there was a secret."""
    lots = random.Random(chance)
    a, b = World(folder / "a"), World(folder / "b")
    for world in (a, b):
        await world.open(key, players, options, watcher)
    seer = SPECTATOR if for_all else watcher
    b.board._put(rearranged(b.board, seer, chance + 1))
    for world in (a, b):
        await world.look()
    made, meant = 0, 0
    while a.room.table.status == b.room.table.status == "playing":
        same = known(a.board, SPECTATOR) == known(b.board, SPECTATOR)
        alike = same if for_all else known(a.board, seer) == known(b.board, seer)
        for world in (a, b):
            world.hear()
        if alike and not for_all:
            assert a.heard["device"] == b.heard["device"]
            assert a.heard["wire"] == b.heard["wire"]
        if same:
            assert a.heard["spectator"] == b.heard["spectator"]
        seat = a.board.to_act
        if seat is None:
            break
        both = a.legal(seat) & b.legal(seat) if alike else set()
        if not both:
            # The secret has come out by the rules, or will with any move: on with another one.
            for seed in range(20):
                b.board._put(rearranged(a.board, seer, made + seed))
                both = a.legal(seat) & b.legal(seat)
                if both:
                    break
            else:
                b.board._put(copy(a.board._state))
                both = a.legal(seat)
        meant += known(a.board, TRUTH) != known(b.board, TRUTH)
        text = lots.choice(sorted(both))
        only = sorted(a.legal(seat) ^ b.legal(seat))
        for world in (a, b):
            where = {"round": world.room.table.round, "ply": world.room.table.ply}
            wire = world.wires[seat]
            if seat != watcher and only:
                # What is refused here and would be allowed there is told to nobody else.
                illegal = next((move for move in only if move not in world.legal(seat)), "rubbish")
                refused = await wire.ask(type="move", seat=seat, text=illegal, ref=f"i{made}", **where)
                assert refused["type"] == "refused"
            await wire.ask(type="move", seat=seat, text=text, ref=f"m{made}", **where)
            if made % 7 == 3:
                await wire.ask(type="say", seat=seat, phrase="oops", ref=f"s{made}")
                await wire.ask(type="takeback", seat=seat, ref=f"t{made}")
            await world.settle()
        made += 1
    for world in (a, b):
        for wire in (*world.wires, world.spectator, world.device):
            await wire.drop()
        await world.site.stop()
    return meant


@pytest.mark.parametrize("for_all", [False, True], ids=["seat", "spectator"])
@pytest.mark.parametrize(("key", "players", "options"), CASES)
def test_frames_are_equal_in_two_worlds(
    key: str, players: int, options: Options, for_all: bool, tmp_path: Path
) -> None:
    watchers = range(players) if WORLDS and not for_all else [players - 1]
    for watcher in watchers:
        for chance in range(max(1, WORLDS)):
            folder = tmp_path / f"{watcher} {chance}"
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(secrets, "token_hex", lambda n: f"{0x5A + chance:02x}" * n)  # noqa: B023
                story = two_worlds(folder, key, players, options, watcher, players + 100 * chance, for_all)
                assert asyncio.run(story) >= 3


@pytest.mark.parametrize(("key", "players", "options"), CASES)
def test_the_other_world_is_another_one(key: str, players: int, options: Options) -> None:
    """Otherwise the test above would prove nothing."""
    game = games()[key]
    board = Board(game, players, game.check_options(options, players), b"s" * 32, 0, 0)
    for seer in range(-1, players):
        twins = {np.asarray(rearranged(board, seer, seed)).tobytes() for seed in range(5)}
        assert len(twins) > 1
