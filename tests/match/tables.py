"""Tables for tests: made, shuffled, played, each event kept as it would be on disk."""

from __future__ import annotations

import random
from typing import Any

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.match import events as ev
from foxrow.match import fairness
from foxrow.match.clock import ClockRule
from foxrow.match.seats import Wish
from foxrow.match.table import Table


def any_game(players: int = 2) -> Game:
    """The one with the most phases: there the most can happen."""
    return max((game for game in games().values() if players in game.players), key=lambda game: len(game.phases))


class Keeper:
    """A table and its log, written and folded as the server does it."""

    def __init__(self, game: Game, wishes: list[Wish], *, host: str = "ann", **more: Any) -> None:
        self.table = Table("t")
        self.log: list[bytes] = []
        self.now = 1_000_000
        self.do(Table.creation(game, wishes, host=host, now=self.now, **more))

    def do(self, events: list[ev.AnyEvent]) -> list[ev.AnyEvent]:
        for event in events:
            self.log.append(ev.encode(event))
            self.table.apply(ev.decode(self.log[-1]))
        follow = self.table.follow_up(self.now)
        return events + (self.do(follow) if follow else [])

    def replayed(self) -> Table:
        return Table.replay("t", [ev.decode(body) for body in self.log])

    def shuffle(self) -> None:
        """Every human commits and reveals."""
        seeds = {seat: bytes([seat + 1]) * 32 for seat in self.table.humans()}
        for seat in list(self.table.shuffle_waiting):
            self.do(self.table.commit(self.person(seat), seat, fairness.commitment(seeds[seat]), self.now))
        for seat in list(self.table.shuffle_waiting):
            self.do(self.table.reveal(self.person(seat), seat, seeds[seat], self.now))
        while self.table.status == "shuffling":
            self.do(self.table.tick(self.now))

    def person(self, seat: int) -> str | None:
        return self.table.seats[seat].person

    def legal(self) -> list[str]:
        assert self.table.board is not None
        assert self.table.to_act is not None
        legal: list[str] = self.table.board.view(self.table.to_act)["legal"]
        return legal

    def move(self, text: str | None = None, ref: str | None = None) -> list[ev.AnyEvent]:
        seat = self.table.to_act
        assert seat is not None
        text = self.legal()[0] if text is None else text
        if self.table.bot_to_act() is not None:
            return self.do(self.table.bot_move(seat, self.table.round, self.table.ply, text, self.now))
        ref = ref or f"{self.table.seq}"
        return self.do(self.table.move(self.person(seat), seat, self.table.round, self.table.ply, text, ref, self.now))

    def play_out(self, seed: int = 0) -> None:
        chance = random.Random(seed)
        while self.table.status != "over":
            self.now += 100
            if self.table.status == "pause":
                self.do(self.table.next_round(self.now))
            else:
                self.move(chance.choice(self.legal()))


def two_people(**more: Any) -> Keeper:
    keeper = Keeper(any_game(), [Wish("ann"), Wish("ben")], **more)
    keeper.shuffle()
    return keeper


def timed(**rule: Any) -> Keeper:
    return two_people(clock=ClockRule(**rule))
