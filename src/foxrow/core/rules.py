"""A game's loaded rules: its compiled functions, its text, its templates."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foxrow.core import still
from foxrow.core.contract import Choice
from foxrow.core.errors import FoxrowError, GameError, IllegalMove, ParseError, quoted
from foxrow.core.record import TRUTH, Record, View, blank, mask, public
from foxrow.core.rule import PURE

if TYPE_CHECKING:
    from foxrow.core.contract import Game

FUNCTIONS = {
    "rules": ("deal", "actor", "phase", "legal", "apply", "scores", "outcome"),
    "view": ("fill", "features"),
    "play": ("policy",),
}
CONSTANTS = {"state": ("SEATS", "CARDS"), "rules": ("MOVES", "MAX_LEGAL"), "view": ("FEATURES", "FEATURES_VERSION")}

# of the view, where a game has them: ways to look at a table that make no difference, and a short way to tell secrets
FURTHER = ("frame", "FRAMES", "secret", "SECRETS")

Tell = Callable[[str, int, int], None]  # what is compiled now, how many are done, of how many


class Look(NamedTuple):
    """What the rules say of a position."""

    to_act: int  # seat, −1 when over
    phase: int
    scores: list[int]  # per seat, as if the round were over now
    winners: list[int] | None  # None while it goes on
    legal: list[int]  # in the game's own order; none in a view of another seat


class Frames(NamedTuple):
    """Where things are when a table is seen in a frame."""

    features: NDArray[np.int16]  # [frame, i] the feature that is the i-th there
    moves: NDArray[np.int16]  # [frame, move] what each move is called there
    secrets: NDArray[np.int16]  # [frame, i] the secret that is the i-th there


class Rules:
    """Everything that the rest of Foxrow may know of one game."""

    SEATS: int
    CARDS: int
    MOVES: int
    MAX_LEGAL: int
    FEATURES: int
    FEATURES_VERSION: int
    FRAMES: int
    SECRETS: int

    def __init__(self, game: Game) -> None:
        self.game = game
        self._modules = {
            name: importlib.import_module(f"{game.package}.{name}")
            for name in ("state", "rules", "view", "play", "text")
        }
        self.State: type[Record] = self._modules["state"].State
        self.text = self._modules["text"]
        self._globals: dict[str, Any] = {
            name: getattr(self._modules[module], name)
            for table in (FUNCTIONS, CONSTANTS)
            for module, names in table.items()
            for name in names
        }
        self._globals |= {name: getattr(self._modules["view"], name, getattr(still, name)) for name in FURTHER}
        for names in CONSTANTS.values():
            for name in names:
                setattr(self, name, self._globals[name])
        self.FRAMES, self.SECRETS = self._globals["FRAMES"], self._globals["SECRETS"]
        self._templates: dict[str, ModuleType] = {}
        self._rooms: list[tuple[NDArray[np.int32], ...]] = []  # for looks, out of use
        self._lock = threading.Lock()
        self.deal: Callable[..., None] = self._globals["deal"]
        self.actor: Callable[..., int] = self._globals["actor"]
        self.phase: Callable[..., int] = self._globals["phase"]
        self.apply: Callable[..., None] = self._globals["apply"]
        self.policy: Callable[..., int] = self._globals["policy"]

    # states ---------------------------------------------------------------------------------------------

    def states(self, n: int) -> Any:
        """An array of `n` blank states."""
        return blank(self.State, n)

    def mask(self, state: Record, seat: int) -> View:
        """What a seat sees (−1: a spectator)."""
        if not -1 <= seat < self.SEATS:
            raise GameError(f"there is no seat {seat}")
        return mask(state, seat, self.State.visibility)  # type: ignore[attr-defined]

    @cached_property
    def open(self) -> bool:
        """Whether nothing is ever hidden: all seats and spectators see the same."""
        return all(seen is public for seen in self.State.visibility.values())  # type: ignore[attr-defined]

    def look(self, state: Record) -> Look:
        """All that the rules say of a state or view, by one call of compiled code."""
        return self._looked(self._look_of, self._array(state))

    def step(self, state: Record, move: int) -> Look:
        """Make a move, then look."""
        return self._looked(self._step_of, self._array(state), move)

    def _array(self, state: Record) -> Any:
        """An array of one with the same memory, as the template wants it."""
        array = np.asarray(state).reshape(1)
        return array.view(np.recarray) if PURE else array

    def _looked(self, function: Callable[..., int], *arguments: Any) -> Look:
        rooms = self._rooms
        room = rooms.pop() if rooms else self._room()  # each thread has its own while it looks
        whole, facts, out = room
        n = function(*arguments, out, facts)
        players = arguments[0]["players"].item()
        end = len(facts)
        said = whole[: end + n].tolist()
        rooms.append(room)
        winners = None
        if said[0] < 0:
            won = said[2 + self.SEATS : end]
            winners = [seat for seat in range(players) if won[seat]]
        return Look(said[0], said[1], said[2 : 2 + players], winners, said[end:])

    def _room(self) -> tuple[NDArray[np.int32], ...]:
        """Where a look is written to: the facts, the legal moves after them, and both as one, which is read at once."""
        facts = 2 + 2 * self.SEATS
        whole = np.zeros(facts + self.MAX_LEGAL, np.int32)
        return whole, whole[:facts], whole[facts:]

    @cached_property
    def _look_of(self) -> Callable[..., int]:
        function: Callable[..., int] = self.template("foxrow.core.look").look
        return function

    @cached_property
    def _step_of(self) -> Callable[..., int]:
        function: Callable[..., int] = self.template("foxrow.core.look").step
        return function

    def legal(self, state: Record) -> list[int]:
        """All legal moves, in the game's own order."""
        out = np.empty(self.MAX_LEGAL, np.int32)
        n = self._globals["legal"](state, out)
        moves: list[int] = out[:n].tolist()
        return moves

    def scores(self, state: Any) -> list[int]:
        """As if the round were over now."""
        out = np.zeros(self.SEATS, np.int32)
        self._globals["scores"](state, out)
        return [int(score) for score in out[: int(state.players)]]

    def winners(self, state: Any) -> list[int] | None:
        """The seats that won, by the game's own tie rule; None while the round goes on."""
        if self.actor(state) >= 0:
            return None
        out = np.zeros(self.SEATS, np.int32)
        self._globals["outcome"](state, out)
        return [seat for seat in range(int(state.players)) if out[seat]]

    def fill(self, view: View, rng: NDArray[np.int64]) -> None:
        """Give the unseen cards a random place that agrees with all that the seat knows. The truth is refused."""
        if view.seer == TRUTH:
            raise ValueError("only a view can be filled: the truth has no holes")
        self._globals["fill"](view, rng)

    def features(self, view: Record, seat: int) -> NDArray[np.int8]:
        """The view as numbers (see the game's FEATURE_FIELDS)."""
        out = np.zeros(self.FEATURES, np.int8)
        self._globals["features"](view, seat, out)
        return out

    @cached_property
    def frames(self) -> Frames:
        """How a net sees things in each frame. A game without frames has one, in which all is as it is."""
        view = self._modules["view"]
        if hasattr(view, "frames"):
            return Frames(*map(np.ascontiguousarray, view.frames()))
        sizes = self.FEATURES, self.MOVES, self.SECRETS
        return Frames(*(np.arange(size, dtype=np.int16)[None] for size in sizes))

    def frame(self, view: Record, seat: int) -> int:
        """The frame that a seat looks from."""
        return int(self._globals["frame"](view, seat))

    def secrets(self, state: Record, seat: int) -> NDArray[np.int8]:
        """What a seat to act cannot know, where the game says so; none where it must be found among the features.

        For a critic that helps a net to learn, and in deals that are only supposed; never for a player.
        """
        out = np.zeros(self.SECRETS, np.int8)
        self._globals["secret"](state, seat, out)
        return out

    # text -----------------------------------------------------------------------------------------------

    def deck(self, players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
        """The canonical deck, as it lies before the shuffle."""
        deck: tuple[str, ...] = self.text.deck(players, options)
        return deck

    def move_text(self, state: Record, move: int) -> str:
        text: str = self.text.move_text(state, move)
        return text

    def parse(self, state: Record, text: object, legal: Sequence[int] | None = None) -> int:
        """The legal move that a text means; else ParseError, IllegalMove or AmbiguousMove with a reason.

        Whoever knows the legal moves already gives them.
        """
        if isinstance(text, str) and not "".join(text.split()).isascii():  # "\u212a" in lower case is a k
            raise ParseError("not_a_move", f"{quoted(text)} is no move: moves are written in plain letters and figures")
        move: int = self.text.parse_move(state, text)
        if not legal and self.actor(state) < 0:
            raise IllegalMove("over", "the round is over")
        if move not in (self.legal(state) if legal is None else legal):
            raise IllegalMove(*self.text.why_not(state, move))
        return move

    def why_not(self, state: Record, move: int) -> tuple[str, str]:
        """A code and a sentence for any number that is no legal move here."""
        if not 0 <= move < self.MOVES:
            return "move_space", f"a move is 0 to {self.MOVES - 1}, not {move}"
        if self.actor(state) < 0:
            return "over", "the round is over"
        try:
            code, reason = self.text.why_not(state, move)
        except (FoxrowError, ArithmeticError, LookupError, ValueError):
            code, reason = "illegal", "the rules do not allow it here"
        return code, f"the move {move} ({self._told(state, move)}) is not legal: {reason}"

    def _told(self, state: Record, move: int) -> str:
        try:
            return self.move_text(state, move)
        except (FoxrowError, ArithmeticError, LookupError, ValueError):
            return "no move here"

    def check(self, state: Record, moves: Sequence[int]) -> None:
        """IllegalMove, where one of these is no legal move: compiled code would take it and look anywhere."""
        legal = self.legal(state) if self.actor(state) >= 0 else []
        if moves == legal:  # as a rule
            return
        for move in moves:
            if isinstance(move, bool) or not isinstance(move, int | np.integer):
                raise IllegalMove("move_space", f"a move is a whole number, not {move!r}")
            if move not in legal:
                raise IllegalMove(*self.why_not(state, move))

    # templates and compilation --------------------------------------------------------------------------

    def template(self, name: str, on: str | None = None) -> ModuleType:
        """A module of generic compiled code (`foxrow.core.kernels`), loaded for this game alone.

        CUDA has no first-class functions, and closures over compiled functions never hit the disk cache; a module
        with this game's rules as globals does both. What the template `on` defines are its globals, too.
        """
        base = self.template(on).__dict__ if on else {}
        with self._lock:
            if name not in self._templates:
                spec = importlib.util.find_spec(name)
                if spec is None or spec.origin is None:
                    raise ImportError(f"no template {name}")
                module = ModuleType(f"{name}@{self.game.key}")
                module.__file__ = spec.origin
                module.__dict__.update({key: value for key, value in base.items() if not key.startswith("__")})
                module.__dict__.update(self._globals)
                home = self._modules["state"].__file__
                module.__dict__["__built_from__"] = (str(Path(str(home)).parent),)
                sys.modules[module.__name__] = module
                exec(compile(Path(spec.origin).read_text("utf-8"), spec.origin, "exec"), module.__dict__)
                self._templates[name] = module
        return self._templates[name]

    @property
    def kernels(self) -> ModuleType:
        return self.template("foxrow.core.kernels")

    def compile(self, tell: Tell | None = None) -> None:
        """Compile all functions of the contract and what looks at positions, or load them from the cache folder."""
        if PURE:
            return
        jobs = self._signatures()
        for done, (name, function, signature) in enumerate(jobs):
            if tell:
                tell(name, done, len(jobs))
            function.compile(signature)
        if tell:
            tell("", len(jobs), len(jobs))

    def compile_in_background(self, tell: Tell | None = None) -> threading.Thread:
        """Compile while something else goes on, so that a first start does not look hung."""
        thread = threading.Thread(target=self.compile, args=(tell,), name=f"compile {self.game.key}", daemon=True)
        thread.start()
        return thread

    def _signatures(self) -> list[tuple[str, Any, tuple[Any, ...]]]:
        from numba import from_dtype, int8, int32, int64

        state, ints, bytes_, rng = from_dtype(self.State.dtype), int32[::1], int8[::1], int64[::1]
        signatures: dict[str, tuple[Any, ...]] = {
            "deal": (state, ints, int64, int64, ints),
            "actor": (state,),
            "phase": (state,),
            "legal": (state, ints),
            "apply": (state, int64),
            "scores": (state, ints),
            "outcome": (state, ints),
            "fill": (state, rng),
            "policy": (state, ints, int64, rng),
            "features": (state, int64, bytes_),
            "frame": (state, int64),
            "secret": (state, int64, bytes_),
        }
        jobs = [(name, self._globals[name], signature) for name, signature in signatures.items()]
        return [
            *jobs,
            ("look", self._look_of, (state[::1], ints, ints)),
            ("step", self._step_of, (state[::1], int64, ints, ints)),
        ]


def compile_all(games: Mapping[str, Game], tell: Callable[[str, str, int, int], None] | None = None) -> None:
    """Compile every game, one after the other."""
    for game in games.values():
        game.rules.compile(None if tell is None else lambda *at, key=game.key: tell(key, *at))


__all__ = ["Frames", "Look", "Rules", "Tell", "compile_all"]
