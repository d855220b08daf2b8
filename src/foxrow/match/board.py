"""The cards of the round that is being played: the state now and the one before, and the moves as texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foxrow.core.contract import Choice, Game
from foxrow.core.position import Position, view_json
from foxrow.core.record import SPECTATOR, Record, View, copy
from foxrow.core.rules import Look


class Board:
    """Two states instead of one per move: a server has thousands of these, and replaying a round takes 2
    ms."""

    def __init__(
        self, game: Game, players: int, options: Mapping[str, Choice], seed: bytes, round: int, first: int
    ) -> None:
        self.game = game
        self.players = players
        self.options = dict(options)
        self._deal = (seed, round, first)
        self.moves: list[str] = []
        self.movers: list[int] = []  # the seat that made each move
        self._put(self._dealt())
        self._before: Record | None = None  # the state before the last move, while it is known
        self._read: tuple[str, Record, Look] | None = None  # the last move understood here, and what comes of it

    def _dealt(self) -> Record:
        seed, round, first = self._deal
        position = Position.deal(self.game, self.players, seed=seed, round=round, first=first, options=self.options)
        state: Record = position.state
        return state

    def _put(self, state: Record) -> None:
        self._state = state
        self._look = self.game.rules.look(state)  # what the rules say of it: asked for ten times a move, found once
        self._open: dict[str, Any] | None = None  # what everybody sees of it, where nothing is hidden

    @property
    def first(self) -> int:
        return self._deal[2]

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def to_act(self) -> int | None:
        return None if self._look.to_act < 0 else self._look.to_act

    @property
    def over(self) -> bool:
        return self._look.to_act < 0

    def scores(self) -> list[int]:
        return self._look.scores

    def winners(self) -> list[int]:
        return self._look.winners or []

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat (None: a spectator) may see, as JSON."""
        if not self.game.rules.open:
            return view_json(self.game, self.masked(seat), self.options)
        if self._open is None:
            self._open = view_json(self.game, self.masked(self.to_act), self.options, self._look)
        return {**self._open, "seat": seat, "legal": self._open["legal"] if seat == self.to_act else []}

    def masked(self, seat: int | None) -> View:
        """The same as a record, for bots."""
        return self.game.rules.mask(self._state, SPECTATOR if seat is None else seat)

    def read(self, text: str) -> str:
        """The canonical text of a legal move; MoveError otherwise.

        The move is tried at once, so that nothing can go wrong any more when it is written down.
        """
        rules = self.game.rules
        move = rules.parse(self._state, text, self._look.legal)
        canonical = rules.move_text(self._state, move)
        after = copy(self._state)
        self._read = (canonical, after, rules.step(after, move))
        return canonical

    def play(self, text: str) -> None:
        if self._read is None or self._read[0] != text:
            self.read(text)
        assert self._read is not None
        self.movers.append(self._look.to_act)
        self._before = self._state
        _, self._state, self._look = self._read
        self._read = self._open = None
        self.moves.append(text)

    def take_back(self) -> None:
        """Undo the last move."""
        moves = self.moves[:-1]
        if self._before is not None:
            self._put(self._before)
            self._before = None
            del self.moves[-1], self.movers[-1]
        else:
            self.moves, self.movers = [], []
            self._put(self._dealt())
            for text in moves:
                self.play(text)
        self._read = None

    def card_left_pile(self) -> bool:
        """Whether the last move took a card from a hidden pile: taking it back would give knowledge away."""
        if self._before is None:
            if not self.moves:
                return False
            last = self.moves[-1]
            self.take_back()
            self.play(last)
        rules = self.game.rules
        assert self._before is not None
        before = view_json(self.game, rules.mask(self._before, SPECTATOR), self.options)
        return pile_sizes(before) != pile_sizes(self.view(None))


def pile_sizes(view: Any) -> list[int]:
    """The sizes of all hidden piles of a view, in order: the objects `{"n": …}` that nobody knows a card
    of."""
    if isinstance(view, dict):
        if view.keys() == {"n"}:
            return [view["n"]]
        return [size for key in view for size in pile_sizes(view[key])]
    if isinstance(view, list):
        return [size for part in view for size in pile_sizes(part)]
    return []
