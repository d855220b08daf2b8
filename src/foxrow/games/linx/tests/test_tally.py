"""LINX's tally, once more in plain lists, from the board as people see it."""

from __future__ import annotations

import random
from math import comb
from typing import Any

import pytest

from foxrow.core.contract import Choice
from foxrow.core.position import Position
from foxrow.games.linx import GAME
from foxrow.games.linx.frame import symbol_first
from foxrow.games.linx.tally import LATE, SEAT, TOPS, standing
from foxrow.games.linx.tests.test_view import KINDS, fields

BEATER = {"R": "P", "P": "S", "S": "R"}


class PlayedOut:
    """The rest of a round in numbers: what everybody has, and what lies on top."""

    def __init__(self, p: Position, seat: int) -> None:
        view = p.view(seat)
        self.players, self.first, self.turn = view["players"], view["first"], view["active"]
        self.teams = bool(view["options"].get("teams"))
        tops = {tuple(tile["at"]): tile for tile in view["board"]}
        self.up: dict[tuple[int | None, str], int] = {}
        self.shown = [0] * self.players
        for tile in tops.values():
            if not tile["down"]:
                key = tile["owner"], tile["tile"]
                self.up[key] = self.up.get(key, 0) + 1
            if tile["owner"] is not None:
                self.shown[tile["owner"]] += 1
        self.cells = view["limit"] ** 2 - len(tops)
        self.left = view["remaining"]
        self.hand = [len(hand) if isinstance(hand, list) else hand["n"] for hand in view["hands"]]
        self.pile = [pile["n"] for pile in view["piles"]]
        self.certain = list(view["hands"][seat]) if self.turn == seat else None
        self.passes = view["passes"]
        masked: Any = p.masked(seat)
        begin = symbol_first(masked, seat)
        self.symbols = ["RPS"[(begin + k) % 3] for k in range(3)]

    def likely(self, seat: int, symbol: str) -> bool:
        """Whether it holds the symbol, as likely as not; to the percent, as rounding down at every card has it."""
        if self.certain is not None:
            return symbol in self.certain
        copies, hand, pool = self.left[seat][symbol], self.hand[seat], self.hand[seat] + self.pile[seat]
        without = 100
        for i in range(hand):
            without = without * max(0, pool - copies - i) // (pool - i)
        exact = 100 - 100 * comb(pool - copies, hand) / comb(pool, hand)
        assert abs(exact - (100 - without)) <= hand  # the hypergeometric chance, but for rounding
        return copies > 0 and 100 - without >= 50

    def friends(self, a: int, b: int | None) -> bool:
        return a == b or (self.teams and b is not None and (a + b) % 2 == 0)

    def habit(self) -> tuple[str, Any] | None:
        seat = self.turn
        if not self.hand[seat]:
            return None
        holds = [symbol for symbol in self.symbols if self.likely(seat, symbol)]
        owners: list[int | None] = [(seat + i) % self.players for i in range(1, self.players)]
        aims = [
            (self.shown[owner] + 1 if owner is not None else 0, owner, symbol)
            for symbol in self.symbols
            for owner in (*owners, None)
            if BEATER[symbol] in holds and self.up.get((owner, symbol)) and not self.friends(seat, owner)
        ]
        if aims:
            _, owner, symbol = max(aims, key=lambda aim: aim[0])
            return "cover", (owner, symbol)
        may = holds or ([s for s in self.symbols if self.left[seat][s]] if self.certain is None else [])
        if self.cells > 0 and may:
            return "lay", max(may, key=lambda symbol: self.left[seat][symbol])
        return None

    def go_on(self, move: tuple[str, Any] | None = None) -> list[int]:
        while self.passes < self.players:
            seat = self.turn
            move = move or self.habit()
            draws = 0 if move and move[0] == "cover" else min(2, self.pile[seat])
            self.passes = 0 if move or draws else self.passes + 1
            if move and move[0] == "cover":
                self.up[move[1]] -= 1
                owner, symbol = move[1]
                if owner is not None:
                    self.shown[owner] -= 1
                self.spend(seat, BEATER[symbol])
            elif move:
                self.up[seat, move[1]] = self.up.get((seat, move[1]), 0) + 1
                self.cells -= 1
                self.spend(seat, move[1])
            self.hand[seat] += draws
            self.pile[seat] -= draws
            self.turn = (seat + 1) % self.players
            self.certain = move = None
        return self.shown

    def spend(self, seat: int, symbol: str) -> None:
        self.hand[seat] -= 1
        self.left[seat][symbol] -= 1
        self.shown[seat] += 1

    def ahead(self, seat: int) -> int:
        """Twice the lead; when level, 1 or −1 as the tie goes."""
        sides = [sum(n for b, n in enumerate(self.shown) if self.friends(a, b)) for a in range(self.players)]
        rivals = [a for a in range(self.players) if not self.friends(seat, a)]
        best = max(sides[a] for a in rivals)
        if sides[seat] != best:
            return 2 * (sides[seat] - best)
        order = [(self.first + i) % self.players for i in range(self.players)]
        last = max((a for a in range(self.players) if sides[a] == best), key=order.index)
        return 1 if self.friends(seat, last) else -1


@pytest.mark.parametrize(("players", "options"), KINDS)
def test_what_the_features_say_is_what_comes_of_habit(players: int, options: dict[str, Choice]) -> None:
    chance = random.Random(players)
    told = 0
    for seed in range(4):
        p = Position.deal(GAME, players, seed=seed, options=options)
        while not p.over:
            for seat in range(players):
                f = fields(p, seat)
                rest = PlayedOut(p, seat)
                if rest.cells > LATE:
                    assert not f["tally"].any() and not f["laying"].any() and not f["covering"].any()
                    continue
                rest.go_on()
                assert f["tally"].tolist() == [rest.ahead((seat + i) % players) for i in range(players)] + [0] * (
                    4 - players
                )
                told += 1
                if seat != p.to_act:
                    assert not f["laying"].any() and not f["covering"].any()
                    continue
                hand, kinds = PlayedOut(p, seat).certain, PlayedOut(p, seat).up
                for k, symbol in enumerate("RPS"):
                    wanted = 0
                    if hand and symbol in hand and f["open"].any():
                        twin = PlayedOut(p, seat)
                        twin.go_on(("lay", symbol))
                        wanted = twin.ahead(seat)
                    assert f["laying"][k] == wanted
                    for i in range(players):
                        target = (seat + i) % players, symbol
                        wanted = 0
                        if hand and BEATER[symbol] in hand and kinds.get(target):
                            twin = PlayedOut(p, seat)
                            twin.go_on(("cover", target))
                            wanted = twin.ahead(seat)
                        assert f["covering"][3 * i + k] == wanted
            p.play(chance.choice(p.legal()))
    assert told > 20


@pytest.mark.parametrize(("players", "options"), KINDS)
def test_who_is_ahead_at_the_end_has_won(players: int, options: dict[str, Choice]) -> None:
    """X10, X12, ties too: against the rules, in rounds that nobody won by a line."""
    counted = 0
    for seed in range(20):
        chance = random.Random(seed)
        p = Position.deal(GAME, players, seed=seed, options=options)
        while not p.over:
            twins = [p.copy() for _ in p.legal()]
            for twin, move in zip(twins, p.legal(), strict=True):
                twin.play(move)
            p = chance.choice([twin for twin in twins if not won_by_a_line(twin)] or twins)
        if not won_by_a_line(p):
            state: Any = p.state
            counted += 1
            tops = sum(tiles << (SEAT * seat + TOPS) for seat, tiles in enumerate(p.view(0)["scores"]))
            assert [standing(state, seat, tops) > 0 for seat in range(players)] == [
                seat in (p.winners() or []) for seat in range(players)
            ]
    assert counted > 1


def won_by_a_line(p: Position) -> bool:
    state: Any = p.state
    return bool(state.winner >= 0)
