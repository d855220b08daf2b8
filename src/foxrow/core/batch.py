"""Many games at once, for research: one call makes a move in each of them.

    env = foxrow.batch("…", 4096, players=4, seed=7)
    step = env.reset()
    while training:
        step = env.step(agent(step.observations, step.masks))

Every slot plays for ever: when a round ends, its rewards are in the step that ended it, and the observation is already
that of the next deal. The same seed and the same moves give the same games, on every device.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import streams
from foxrow.core.contract import Choice, Game
from foxrow.core.errors import FoxrowError, GameError, IllegalMove
from foxrow.core.registry import game as game_by_key

if TYPE_CHECKING:
    from foxrow.core.cuda import CudaBatch

CHUNK = 256  # slots that are worth a thread
SPAN = 64  # slots that are worth a turn of one
SPANS = 32  # turns of a thread in a large batch
APART = 32  # 128 bytes
CHOICES = 0x5DEECE66D  # keeps the stream of random moves apart from that of the deals,
DREAMS = 0x2545F4914F6C  # and this one that of the deals that are only supposed
IN_STEP = 32  # slots that a GPU steps together
GROUPS = 4096  # of slots that play the same variant: enough for a good mixture in a tenth of them
BY_LOT = -1


STANDING = ("variants", "rewards", "done", "scores", "_kinds", "_deals", "_choices", "_dreams")  # how far a batch is


class BatchError(FoxrowError):
    """Arguments that a batch cannot take."""


class SlotError(IllegalMove):
    """A move that its slot does not allow; no slot has moved."""

    def __init__(self, slot: int, code: str, reason: str) -> None:
        super().__init__(code, f"slot {slot}: {reason}")
        self.slot = slot


class Step(NamedTuple):
    """What a step leaves behind: views of the batch's own arrays, overwritten by the next one."""

    observations: Any  # int8 [n, FEATURES] what the seat to act sees
    masks: Any  # bool [n, MOVES] its legal moves
    actors: Any  # int8 [n] the seat to act
    rewards: Any  # float32 [n, SEATS] of the round that this step ended, else 0; 1 for winning alone, sums to 0
    done: Any  # bool [n] whether this step ended a round
    scores: Any  # int32 [n, SEATS] the final scores of that round, else 0


@dataclass(frozen=True)
class Variant:
    """A player count and options: what a slot plays."""

    players: int
    options: dict[str, Choice]


def variants(game: Game, players: int | Sequence[int], options: dict[str, Any]) -> list[Variant]:
    """All combinations of the player counts and choices that are asked for; a list of choices means each of them."""
    counts = list(players) if isinstance(players, list | tuple) else [players]
    if not counts:
        raise GameError(f"{game.name} needs a number of players")
    made: list[Variant] = []
    for count in counts:
        count = game.check_players(count)
        here = {o.key for o in game.options if o.players is None or count in o.players}
        several = len(counts) > 1  # then an option may have no meaning at some of the counts
        asked = {key: value for key, value in options.items() if key in here or not several}
        for key in options:
            if key not in {o.key for o in game.options}:
                game.check_options({key: options[key]}, count)
        lists = [list(v) if isinstance(v, list | tuple) else [v] for v in asked.values()]
        for values in itertools.product(*lists):
            chosen = game.check_options(dict(zip(asked, values, strict=True)), count)
            made.append(Variant(count, chosen))
    return made


def all_variants(game: Game, players: Sequence[int] | None = None) -> list[Variant]:
    """Every player count with every choice of every option."""
    counts = players or game.players
    meant = [o for o in game.options if o.players is None or set(o.players) & set(counts)]
    return variants(game, counts, {o.key: list(o.choices) for o in meant})


def batch(
    game: str | Game,
    n: int,
    *,
    players: int | Sequence[int] | None = None,
    seed: int = 0,
    device: Literal["cpu", "cuda"] = "cpu",
    first: int | None = None,
    observe: bool = True,
    masks: bool = True,
    threads: int | None = None,
    **options: Any,
) -> Batch | CudaBatch:
    """`n` games at once. Several player counts, or a list as an option, deal the variants out to the slots in turn.

    `first` is the seat that starts every round; by default it is drawn by lot. Without `observe` or `masks` those
    arrays stay empty. `threads` is for the CPU.
    """
    card = game if isinstance(game, Game) else game_by_key(game)
    kinds = variants(card, players if players is not None else card.players[0], options)
    if device == "cpu":
        return Batch(card, n, kinds, seed=seed, first=first, observe=observe, masks=masks, threads=threads)
    if device == "cuda":
        from foxrow.core.cuda import CudaBatch

        return CudaBatch(card, n, kinds, seed=seed, first=first, observe=observe, masks=masks)
    raise BatchError(f"a device is 'cpu' or 'cuda', not {device!r}")


class Slots:
    """What a batch is on any device: its variants, its seeds, the checks of its arguments."""

    def __init__(self, game: Game, n: int, kinds: Sequence[Variant], seed: int, first: int | None) -> None:
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise BatchError(f"a batch needs at least one slot, not {n!r}")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
            raise BatchError(f"a seed is a whole number, not {seed!r}")
        fewest = min(kind.players for kind in kinds)
        if first is not None and (isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < fewest):
            raise BatchError(f"the first seat is one of 0 to {fewest - 1}, or None to draw it by lot, not {first!r}")
        self.game = game
        self.rules = game.rules
        self.n = int(n)
        self.seed = int(seed)
        self.kinds = tuple(kinds)
        self.first = BY_LOT if first is None else first
        self.steps: Any = self.rules.template("foxrow.core.steps")
        # [slot] which variant it plays, and [variant] what that means
        self.variants = (np.arange(self.n) % len(kinds)).astype(np.int32)
        self.variant_players = np.array([kind.players for kind in kinds], np.int32)
        self.variant_cards = np.array([len(self.rules.deck(kind.players, kind.options)) for kind in kinds], np.int32)
        self.variant_codes = np.array([[*game.option_codes(kind.options), 0] for kind in kinds], np.int32)

    @property
    def players(self) -> NDArray[np.int32]:
        """[slot] how many play there."""
        return self.variant_players[self.variants]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *what: object) -> None:
        self.close()

    def close(self) -> None:
        """End what runs for it."""

    def rounds(self, share: Sequence[float]) -> None:
        """Deal the variants out to the slots by these shares instead of in turn. Takes effect with `reset`."""
        weights = np.asarray(share, np.float64)
        if weights.shape != (len(self.kinds),) or not (weights >= 0).all() or weights.sum() <= 0:
            raise BatchError(f"there are {len(self.kinds)} variants, so as many shares, none below 0")
        edges = np.cumsum(weights) / weights.sum()
        # a low-discrepancy walk, so that every stretch of slots has nearly the same mixture; where there are many of
        # them neighbours have the same, as what a GPU does in step takes as long as the longest of it
        alike = 1
        while alike < IN_STEP and self.n // (2 * alike) >= GROUPS:
            alike *= 2
        places = (np.arange(self.n) // alike * 0.6180339887498949) % 1.0
        self.variants[...] = np.searchsorted(edges, places, side="right").clip(0, len(self.kinds) - 1)

    def _streams(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """For deals, for moves by lot, and for deals that are only supposed."""
        return streams(self.seed, self.n), streams(self.seed ^ CHOICES, self.n), streams(self.seed ^ DREAMS, self.n)

    def _refuse(self, slot: int, move: int, state: Any) -> SlotError:
        """Why the rules do not allow a move."""
        return SlotError(slot, *self.rules.why_not(state, move))


class Batch(Slots):
    """Games on the CPU: NumPy arrays, compiled loops on several threads."""

    device = "cpu"

    def __init__(
        self,
        game: Game,
        n: int,
        kinds: Sequence[Variant],
        *,
        seed: int = 0,
        first: int | None = None,
        observe: bool = True,
        masks: bool = True,
        threads: int | None = None,
    ) -> None:
        super().__init__(game, n, kinds, seed, first)
        if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
            raise BatchError(f"threads are at least 1, not {threads!r}")
        rules = self.rules
        workers = max(1, min(threads or os.cpu_count() or 1, self.n // CHUNK))
        # Many spans for each thread, so that one that is held up leaves its next spans to the others.
        spans = 1 if workers == 1 else min(SPANS * workers, self.n // SPAN)
        edges = np.linspace(0, self.n, spans + 1).astype(int)
        self._spans = [(int(low), int(high)) for low, high in itertools.pairwise(edges)]
        self._pool = ThreadPoolExecutor(workers - 1, "batch") if workers > 1 else None
        self._closed = False
        self._workers = workers
        # room of each span: a deck, a list of legal moves, a number a seat; apart, so that no two share a cache line
        self._rooms = [
            tuple(np.zeros(size + APART, np.int32)[:size] for size in (rules.CARDS, rules.MAX_LEGAL, rules.SEATS))
            for _ in self._spans
        ]
        self.states = rules.states(self.n)  # the truth, [slot]
        self.observations = np.zeros((self.n if observe else 0, rules.FEATURES), np.int8)
        self.masks = np.zeros((self.n if masks else 0, rules.MOVES), np.bool_)
        self.actors = np.zeros(self.n, np.int8)
        self.rewards = np.zeros((self.n, rules.SEATS), np.float32)
        self.done = np.zeros(self.n, np.bool_)
        self.scores = np.zeros((self.n, rules.SEATS), np.int32)
        self._moves = np.zeros(self.n, np.int32)
        self._threads = threads
        self.reset()

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process, or into a copy, go the arguments, and where the games and the lots stand."""
        more = {
            "seed": self.seed,
            "first": None if self.first == BY_LOT else self.first,
            "observe": len(self.observations) > 0,
            "masks": len(self.masks) > 0,
            "threads": self._threads,
        }
        arrays = {name: getattr(self, name).copy() for name in STANDING}
        return _again, (self.game, self.n, self.kinds, more, self.states.tobytes(), arrays)

    def reset(self, seed: int | None = None, *, into: None = None) -> Step:
        """Deal all slots anew; without a seed, from the batch's own, so that the same games come again."""
        _no_into(into)
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
                raise BatchError(f"a seed is a whole number, not {seed!r}")
            self.seed = int(seed)
        self._deals, self._choices, self._dreams = self._streams()
        self._kinds = self.variants.copy()
        self.states[...] = self.rules.states(1)[0]
        self._each(lambda room, low, high: self.steps.deal_slots(*self._dealing, room[0], low, high))
        self.rewards[...] = 0
        self.done[...] = False
        self.scores[...] = 0
        return self._observe()

    def step(self, moves: Any, *, check: bool = True, into: None = None) -> Step:
        """A move in every slot: whole numbers [n]. `check=False` trusts them: an illegal move is then undefined."""
        _no_into(into)
        taken = self._taken(moves)
        if check:
            bad = self._each(lambda room, low, high: self.steps.first_illegal(self.states, taken, room[1], low, high))
            slot = min((int(found) for found in bad if found >= 0), default=-1)
            if slot >= 0:
                raise self._refuse(slot, int(taken[slot]), self.states[slot])
        self._each(
            lambda room, low, high: self.steps.step_slots(
                self.states,
                taken,
                *self._dealing[1:],
                self.rewards,
                self.scores,
                self.done,
                room[0],
                room[2],
                low,
                high,
            )
        )
        return self._observe()

    def random_step(self) -> Step:
        """`step(random_moves())` in one go."""
        return self.step(self.random_moves(), check=False)

    def random_moves(self) -> NDArray[np.int32]:
        """A random legal move for every slot; its own stream, so the deals stay the same."""
        return self._choose(False)

    def policy_moves(self, first: int = 0) -> NDArray[np.int32]:
        """The move of the game's rule of thumb for every slot, or for those from `first` on."""
        return self._choose(True, first)

    def frames(self, out: NDArray[np.int32]) -> None:
        """The frame that each seat to act looks from, into int32 [n] (see `Rules.frames`)."""
        self.steps.frame_slots(self.states, out, 0, self.n)

    def turn(self, rows: NDArray[Any], order: NDArray[np.int16], frames: NDArray[np.int32], out: NDArray[Any]) -> None:
        """Each slot's row in its frame: `order[frame, i]` says which of its numbers comes i-th."""
        many = order.shape[1]
        out[:, :many] = np.take_along_axis(rows[:, :many], order[frames].astype(np.int64), 1)

    def survey(self, columns: NDArray[np.int32], out: NDArray[np.int8]) -> None:
        """What the seat to act cannot know, into int8 [n, …]: the game's own words for it, or features of all other
        seats, from the next one on, side by side. In each frame those of its row of `columns`.

        Together they are more than any seat may know: for a critic that helps another net to learn, not for a player.
        """
        self._survey(self.states, columns, out)

    def suppose(self, columns: NDArray[np.int32], out: NDArray[np.int8]) -> None:
        """`survey` of other deals: in every slot one that the seat to act takes for possible. Nothing changes."""
        supposed = self.states.copy()
        self.steps.suppose_slots(supposed, self._dreams, 0, self.n)
        self._survey(supposed, columns, out)

    def branch(self, other: Batch, slots: NDArray[np.int64], *, alike: int = 1) -> Step:
        """Go on from positions of another batch of the same game and variants: slot i from its slot `slots[i]`, with
        the unseen cards dealt anew from what the seat to act knows, `alike` neighbours with the same deal. The other
        batch does not change; `reset` brings this one's own variants back."""
        self.states[...] = other.states[slots]
        self._kinds[...] = other._kinds[slots]
        self._dreams[...] = self._dreams[np.arange(self.n) // alike * alike]
        self.steps.suppose_slots(self.states, self._dreams, 0, self.n)
        for zero in (self.rewards, self.done, self.scores):
            zero[...] = 0
        return self._observe()

    def _survey(self, states: Any, columns: NDArray[np.int32], out: NDArray[np.int8]) -> None:
        _check_array("columns", columns, np.int32, (self.rules.FRAMES, None))
        most = self.rules.SECRETS or self.rules.FEATURES
        if columns.size and not 0 <= columns.min() <= columns.max() < most:
            raise BatchError(f"columns are from 0 to {most - 1}")
        _check_array("out", out, np.int8, (self.n, None))
        width = columns.shape[1] * (1 if self.rules.SECRETS else int(self.variant_players.max()) - 1)
        if out.shape[1] < width:
            raise BatchError(f"out needs {width} numbers for each slot, not {out.shape[1]}")
        row = np.zeros(self.rules.FEATURES, np.int8)
        self.steps.survey_slots(states, columns, row, out, 0, self.n)

    def wander(self, moves: int) -> int:
        """Make that many random moves in every slot in one go; how many rounds ended."""
        if isinstance(moves, bool) or not isinstance(moves, int | np.integer) or moves < 0:
            raise BatchError(f"moves are a whole number from 0 on, not {moves!r}")
        ended = self._each(
            lambda room, low, high: self.steps.wander_slots(
                self.states,
                self._deals,
                self._choices,
                *self._dealing[2:],
                moves,
                room[0],
                room[1],
                low,
                high,
            )
        )
        self._observe()
        return sum(int(n) for n in ended)

    def close(self) -> None:
        """End the threads. A closed batch can be looked at, and plays no more."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.name} on the CPU, {self._workers} threads>"

    # inside ---------------------------------------------------------------------------------------------

    @property
    def _dealing(self) -> tuple[Any, ...]:
        return (
            self.states,
            self._deals,
            self._kinds,
            self.variant_players,
            self.variant_cards,
            self.variant_codes,
            self.first,
        )

    def _each(self, work: Callable[[Any, int, int], Any]) -> list[Any]:
        """Run a loop over all slots. The caller and the pool's threads take the next span that nobody has taken."""
        if self._closed:
            raise BatchError("this batch is closed")
        made: list[Any] = [None] * len(self._spans)
        free = deque(range(len(self._spans)))

        def take() -> None:
            while True:
                try:
                    span = free.popleft()
                except IndexError:  # none is left
                    return
                made[span] = work(self._rooms[span], *self._spans[span])

        others = [self._pool.submit(take) for _ in range(self._workers - 1)] if self._pool is not None else []
        take()
        for other in others:
            other.result()
        return made

    def _observe(self) -> Step:
        self._each(
            lambda room, low, high: self.steps.observe_slots(
                self.states, self.observations, self.masks, self.actors, room[1], low, high
            )
        )
        return Step(self.observations, self.masks, self.actors, self.rewards, self.done, self.scores)

    def _choose(self, by_policy: bool, first: int = 0) -> NDArray[np.int32]:
        moves = np.zeros(self.n, np.int32)
        self._each(
            lambda room, low, high: self.steps.choose_slots(
                self.states, self._choices, moves, room[1], by_policy, max(low, first), high
            )
        )
        return moves[first:]

    def _taken(self, moves: Any) -> NDArray[np.int32]:
        """The moves as the loops take them, checked for shape, type and range."""
        given = np.asarray(moves)
        if given.shape != (self.n,):
            raise BatchError(f"a step needs one move a slot, so the shape ({self.n},), not {given.shape}")
        if not np.issubdtype(given.dtype, np.integer):
            raise BatchError(f"moves are whole numbers, not {given.dtype}; slot 0 holds {given[0]!r}")
        outside = (given < 0) | (given >= self.rules.MOVES)
        if outside.any():
            slot = int(outside.argmax())
            raise self._refuse(slot, int(given[slot]), None)
        np.copyto(self._moves, given, casting="unsafe")
        return self._moves


def _no_into(into: object) -> None:
    if into is not None:
        raise BatchError("into= is for device='cuda'; here copy what you keep")


def _check_array(name: str, array: object, kind: type, shape: tuple[int | None, ...]) -> None:
    """Compiled loops take an array for what it should be."""
    wanted = f"{name} are an array of {np.dtype(kind)} with the shape {str(shape).replace('None', 'k')}"
    if not isinstance(array, np.ndarray) or array.dtype != kind:
        raise BatchError(f"{wanted}, not {getattr(array, 'dtype', type(array).__name__)}")
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        raise BatchError(f"{wanted}, not {array.shape}")


def _again(
    game: Game, n: int, kinds: Sequence[Variant], more: dict[str, Any], states: bytes, arrays: dict[str, NDArray[Any]]
) -> Batch:
    """A batch as it was when it was pickled or copied."""
    made = Batch(game, n, kinds, **more)
    made.states[...] = np.frombuffer(states, made.states.dtype)
    for name, values in arrays.items():
        getattr(made, name)[...] = values
    made._observe()
    return made
