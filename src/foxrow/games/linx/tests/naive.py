"""LINX once more, slow and obvious, out of rules.md alone. It shares no code with the game."""

from __future__ import annotations

import copy
from typing import Any

Cell = tuple[int, int]
BEATS = {"R": "S", "S": "P", "P": "R"}


class Naive:
    """A round in plain lists and dictionaries."""

    def __init__(self, setup: dict[str, Any], teams: bool = False) -> None:
        self.up: dict[Cell, tuple[int | None, str]] = {}  # the face-up tile of a cell, covered or not
        self.down: dict[Cell, tuple[int, str]] = {}  # the face-down tile on it
        for tile in setup["board"]:
            (self.down if tile["down"] else self.up)[tuple(tile["at"])] = (tile["owner"], tile["tile"])
        self.hands: list[list[str]] = copy.deepcopy(setup["hands"])
        self.piles: list[list[str]] = copy.deepcopy(setup["piles"])
        self.players = len(self.hands)
        self.turn: int = setup["active"]
        self.first: int = setup.get("first", 0)
        self.teams = teams
        self.passes = 0
        self.winner: int | None = next((s for s in range(self.players) if self.has_line(s)), None)
        self.over = self.winner is not None

    def after(self, move: str) -> Naive:
        """A round of its own in which this move was made."""
        twin = copy.copy(self)
        twin.up, twin.down = dict(self.up), dict(self.down)
        twin.hands, twin.piles = [list(hand) for hand in self.hands], [list(pile) for pile in self.piles]
        twin.play(move)
        return twin

    def moves(self) -> list[str]:
        if self.over:
            return []
        moves = []
        for symbol in sorted(set(self.hands[self.turn])):
            moves += [f"{symbol}@{x},{y}" for x, y in self.places()]
            moves += [f"{symbol}#{x},{y}" for (x, y), (_, t) in self.up.items() if self.may_cover((x, y), symbol, t)]
        return moves or ["pass"]

    def places(self) -> list[Cell]:
        if not self.up:
            return [(0, 0)]
        around = {(x + i, y + j) for x, y in self.up for i in (-1, 0, 1) for j in (-1, 0, 1)}
        return [cell for cell in around if cell not in self.up and self.fits(cell)]

    def fits(self, cell: Cell) -> bool:
        limit = 4 if self.players == 2 else 5
        xs = [x for x, _ in (*self.up, cell)]
        ys = [y for _, y in (*self.up, cell)]
        return max(xs) - min(xs) < limit and max(ys) - min(ys) < limit

    def may_cover(self, cell: Cell, symbol: str, below: str) -> bool:
        return cell not in self.down and BEATS[symbol] == below

    def play(self, move: str) -> None:
        seat = self.turn
        self.turn = (seat + 1) % self.players
        if move == "pass":
            drew = self.draw(seat)
            self.passes = 0 if drew else self.passes + 1
            self.over = self.passes == self.players
            return
        self.passes = 0
        x, y = map(int, move[2:].split(","))
        self.hands[seat].remove(move[0])
        if move[1] == "@":
            self.up[x, y] = (seat, move[0])
            self.draw(seat)
        else:
            self.down[x, y] = (seat, move[0])
        if self.has_line(seat):
            self.winner = seat
            self.over = True

    def draw(self, seat: int) -> int:
        drawn = self.piles[seat][:2]
        self.hands[seat] += drawn
        del self.piles[seat][:2]
        return len(drawn)

    def has_line(self, seat: int) -> bool:
        up = {cell for cell, (owner, _) in self.up.items() if owner == seat and cell not in self.down}
        down = {cell for cell, (owner, _) in self.down.items() if owner == seat}
        return any(
            all((x + i * k, y + j * k) in tiles for k in range(3))
            for tiles in (up, down)
            for x, y in tiles
            for i, j in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def scores(self) -> list[int]:
        tops = [owner for cell, (owner, _) in self.up.items() if cell not in self.down]
        tops += [owner for owner, _ in self.down.values()]
        return [tops.count(seat) for seat in range(self.players)]

    def winners(self) -> list[int] | None:
        if not self.over:
            return None
        order = [(self.first + i) % self.players for i in range(self.players)]  # later ones beat equals
        scores = self.scores()
        if not self.teams:
            best = max(order, key=lambda seat: (scores[seat], order.index(seat)))
            return [best if self.winner is None else self.winner]
        sums = [scores[0] + scores[2], scores[1] + scores[3]]
        second = order[1] % 2
        team = second if sums[second] >= sums[1 - second] else 1 - second
        if self.winner is not None:
            team = self.winner % 2
        return [team, team + 2]
