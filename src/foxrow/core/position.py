"""A round of a game for people: moves are texts, hidden cards stay hidden, every mistake is explained."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from foxrow.core.contract import Choice, Game
from foxrow.core.errors import GameError
from foxrow.core.record import SPECTATOR, Record, View, copy
from foxrow.core.shuffle import shuffled

if TYPE_CHECKING:
    from foxrow.core.rules import Look


def seed_bytes(seed: int | str | bytes | None) -> bytes:
    """32 bytes from what a person gives as a seed: 64 hex digits or 32 bytes as they are, anything else hashed."""
    if seed is None:
        return secrets.token_bytes(32)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer | str | bytes):
        raise GameError(f"a seed is a whole number, a text or bytes, not {seed!r}")
    if isinstance(seed, bytes):
        return seed if len(seed) == 32 else hashlib.sha256(seed).digest()
    text = str(seed)
    if len(text) == 64 and set(text.lower()) <= set("0123456789abcdef"):
        return bytes.fromhex(text)
    return hashlib.sha256(text.encode()).digest()


class Position:
    """One round, from its deal or set-up to now.

    >>> import foxrow
    >>> p = foxrow.list_games()[0].new(players=2, seed=7)
    >>> p.to_act, p.over, p.winners()
    (0, False, None)
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        options: dict[str, Choice],
        names: tuple[str, ...],
        origin: dict[str, Any],
    ) -> None:
        self.game = game
        self.options = options
        self.names = names
        self._origin = origin  # "deal" or "setup", and "first", as the record holds them
        self._states = [state]  # one state a move: undo is a pop; the last one is no other position's
        self._texts: list[str] = []

    # making one -----------------------------------------------------------------------------------------

    @classmethod
    def deal(
        cls,
        game: Game,
        players: int,
        *,
        seed: int | str | bytes | None = None,
        first: int = 0,
        names: Iterable[str] | None = None,
        round: int = 0,
        options: Mapping[str, object] | None = None,
    ) -> Position:
        """A fresh deal by shuffle version 1."""
        players = game.check_players(players)
        chosen = game.check_options(options or {}, players)
        if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < players:
            raise GameError(f"the first seat is one of 0 to {players - 1}, not {first!r}")
        key = seed_bytes(seed)
        rules = game.rules
        order = np.array(shuffled(key, round, len(rules.deck(players, chosen))), np.int32)
        state = rules.states(1)[0]
        rules.deal(state, order, players, first, np.array(game.option_codes(chosen), np.int32))
        origin = {"first": first, "deal": {"seed": key.hex(), "round": round}}
        return cls(game, state, chosen, _names(names, players), origin)

    @classmethod
    def from_setup(
        cls,
        game: Game,
        setup: object,
        players: int,
        *,
        names: Iterable[str] | None = None,
        options: Mapping[str, object] | None = None,
    ) -> Position:
        """A position from its JSON set-up."""
        players = game.check_players(players)
        chosen = game.check_options(options or {}, players)
        state = game.rules.text.read_setup(setup, players, chosen)
        return cls(game, state, chosen, _names(names, players), {"setup": setup})

    def copy(self) -> Position:
        """A position of its own that goes on from here."""
        twin = Position(self.game, copy(self.state), dict(self.options), self.names, self._origin)
        twin._states = [*self._states[:-1], twin.state]
        twin._texts = list(self._texts)
        return twin

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process or into a copy: the states as they lie in memory, and the card by its key."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "names": self.names,
            "origin": self._origin,
            "states": b"".join([state.tobytes() for state in self._states]),
            "texts": list(self._texts),
        }

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self.game, self.options, self.names = parts["game"], parts["options"], parts["names"]
        self._origin, self._texts = parts["origin"], parts["texts"]
        states = self.game.rules.states(len(self._texts) + 1)
        if len(parts["states"]) != states.nbytes:
            raise GameError(f"this position of {self.game.name} was kept by another version of the game")
        states[...] = np.frombuffer(parts["states"], states.dtype)
        self._states = list(states)

    def __eq__(self, other: object) -> bool:
        """The same game, options and moves, and the same cards everywhere. A position changes, so it has no hash."""
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.game == other.game
            and self.options == other.options
            and self._texts == other._texts
            and self.state.tobytes() == other.state.tobytes()
        )

    __hash__ = None  # type: ignore[assignment]  # it is not the same after a move

    # asking ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The truth. Bots, clients and logs use `masked` and `view` instead."""
        return self._states[-1]

    @property
    def players(self) -> int:
        return len(self.names)

    @property
    def moves(self) -> list[str]:
        """The moves so far, in notation."""
        return list(self._texts)

    @property
    def over(self) -> bool:
        return self.game.rules.actor(self.state) < 0

    @property
    def to_act(self) -> int | None:
        """The seat to act, None when over."""
        seat = int(self.game.rules.actor(self.state))
        return None if seat < 0 else seat

    @property
    def phase(self) -> str:
        return self.game.phases[self.game.rules.phase(self.state)]

    def legal(self) -> list[str]:
        """All legal moves in notation, sorted by text."""
        if self.over:
            return []
        rules = self.game.rules
        return sorted(rules.move_text(self.state, move) for move in rules.legal(self.state))

    def scores(self) -> list[int]:
        """Per seat, as if the round were over now."""
        return self.game.rules.scores(self.state)

    def winners(self) -> list[int] | None:
        """The seats that won; None while the round goes on."""
        return self.game.rules.winners(self.state)

    def masked(self, seat: int | None) -> View:
        """What a seat sees (None: a spectator), as a record: what bots get."""
        return self.game.rules.mask(self.state, self._seer(seat))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat sees (None: a spectator), as JSON."""
        return view_json(self.game, self.masked(seat), self.options)

    def _seer(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.players:
            raise GameError(f"there is no seat {seat!r}: the seats are 0 to {self.players - 1}")
        return seat

    # playing --------------------------------------------------------------------------------------------

    def play(self, *texts: str) -> Position:
        """Make moves in this position, and return it (`copy().play(…)` leaves it as it is).

        A move that cannot be made raises MoveError, and nothing of the call has happened.
        """
        done = len(self._texts)
        try:
            for text in texts:
                self._play(self.game.rules.parse(self.state, text))
        except Exception:
            self.undo(len(self._texts) - done)
            raise
        return self

    def play_move(self, move: int) -> Position:
        """Make a move given by its number, as bots give it, in this position, and return it."""
        self.game.rules.check(self.state, [move])
        self._play(int(move))
        return self

    def _play(self, move: int) -> None:
        rules = self.game.rules
        text = rules.move_text(self.state, move)
        after: Record = copy(self.state)
        rules.apply(after, move)
        self._states.append(after)
        self._texts.append(text)

    def undo(self, moves: int = 1) -> Position:
        """Take moves back in this position, and return it."""
        self._check_count(moves, "cannot be taken back")
        if moves:
            del self._states[-moves:]
            del self._texts[-moves:]
            self._states[-1] = copy(self.state)
        return self

    def at(self, moves: int) -> Position:
        """A position of its own: this one after the first `moves` moves."""
        self._check_count(moves, "cannot be gone back to")
        return self.copy().undo(len(self._texts) - moves)

    def _check_count(self, moves: object, what: str) -> None:
        if isinstance(moves, bool) or not isinstance(moves, int | np.integer):
            raise GameError(f"moves are counted by whole numbers, not {moves!r}")
        if not 0 <= moves <= len(self._texts):
            raise GameError(f"{_moves(len(self._texts))} made: {moves} {what}, only 0 to {len(self._texts)}")

    # showing --------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """The round as a record (notation.md). It holds the deal, so it shows every hand."""
        return {
            "format": "foxrow/1",
            "game": self.game.key,
            "players": list(self.names),
            "options": self.options,
            **self._origin,
            "moves": self.moves,
        }

    def table(self, seat: int | None = None, *, open: bool = False) -> str:
        """The table as text, as a seat (None: a spectator) sees it; `open` shows every hidden card."""
        state = self.state if open else self.masked(seat)
        text: str = self.game.rules.text.table(state, self.names)
        return text

    def __str__(self) -> str:
        """The table with all cards open: a position in one's own hands has no secrets."""
        return self.table(open=True)

    def __repr__(self) -> str:
        return f"<{self.game.name}, {self.players} players, {_moves(len(self._texts))}, {self.phase}>"


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def view_json(game: Game, view: View, options: Mapping[str, Choice], look: Look | None = None) -> dict[str, Any]:
    """A masked state as JSON. It is made from the view alone, so it cannot know more.

    `look`: what the rules say of the view, if that is known already.
    """
    rules = game.rules
    state: Any = view
    text = rules.text
    seat = np.asarray(view)["seer"].item()
    look = look or rules.look(view)
    over = look.to_act < 0
    return {
        "game": game.key,
        "players": len(look.scores),
        "options": dict(options),
        **text.write_view(state),
        "seat": None if seat < 0 else seat,
        "phase": game.phases[look.phase],
        "to_act": None if over else look.to_act,
        "legal": sorted([text.move_text(state, move) for move in look.legal]),
        "scores": look.scores,
        "over": over,
        "winners": look.winners,
    }


def _names(names: Iterable[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"Player {seat + 1}" for seat in range(players))
    chosen = tuple(names)
    if len(chosen) != players or not all(isinstance(name, str) for name in chosen):
        raise GameError(f"{players} players need {players} names")
    return chosen
