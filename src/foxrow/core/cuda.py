"""A batch whose games live on a GPU: the same rules as device functions, the arrays never leave it.

Every array has `__cuda_array_interface__`, so `torch.as_tensor(step.observations, device="cuda")` and CuPy share its
memory; `step(moves, into=…)` writes into arrays of theirs. Only this module and `lanes` import CUDA.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.batch import BatchError, Slots, Step, Variant
from foxrow.core.contract import Game

np.__dict__.setdefault("row_stack", np.vstack)  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has

NOT_ONE = 2**31 - 1  # in the place of a slot: none is bad
LINE = 128  # bytes that a GPU's cache keeps together
FEW = 16384  # games that do not fill a GPU: then blocks are small,
SMALL = 8  # so that all of it works, and a warp does not go the ways of 32 games one after the other


def driver() -> Any:
    """`numba.cuda`, or a clear word that there is no GPU."""
    try:
        from numba import cuda
    except ImportError as error:
        raise BatchError(f"CUDA needs the extra foxrow[gpu]: {error}") from None
    if not cuda.is_available():
        raise BatchError("there is no CUDA device here")
    return cuda


class CudaBatch(Slots):
    """Games on the GPU: one thread is one slot."""

    device = "cuda"

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
    ) -> None:
        super().__init__(game, n, kinds, seed, first)
        self.cuda = cuda = driver()
        rules = self.rules
        self.lanes: Any = rules.template("foxrow.core.lanes")
        self.block = self.lanes.BLOCK
        self._wanderers: dict[bool, Any] = {}  # kernels, with decks in shared memory or without
        array = cuda.device_array
        self.observations = array((self.n if observe else 0, rules.FEATURES), np.int8)
        self.masks = array((self.n if masks else 0, rules.MOVES), np.bool_)
        self.actors = array(self.n, np.int8)
        self.rewards = array((self.n, rules.SEATS), np.float32)
        self.done = array(self.n, np.bool_)
        self.scores = array((self.n, rules.SEATS), np.int32)
        self._states = array(self.n, self.lanes.padded(rules.State.dtype))
        self._supposed: Any = None  # room for states, once somebody supposes,
        self._surveyed: Any = None  # and for what a survey finds
        self._seen: Any = None  # and for features, once somebody looks
        self._nothing = array((0, 1), np.int32), array((0, 1), np.int8)
        self._lists = array((rules.MAX_LEGAL, self.n), np.int16)
        self._decks = array((rules.CARDS, self.n), self.lanes.CARD)
        self._bad = array(1, np.int32)
        self._ended = array(1, np.int32)
        self._constants = [cuda.to_device(a) for a in (self.variant_players, self.variant_cards, self.variant_codes)]
        self.reset()

    def reset(self, seed: int | None = None, *, into: Step | None = None) -> Step:
        """Deal all slots anew; without a seed, from the batch's own, so that the same games come again."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
                raise BatchError(f"a seed is a whole number, not {seed!r}")
            self.seed = int(seed)
        self._deals, self._choices, self._dreams = (self.cuda.to_device(stream) for stream in self._streams())
        self._kinds = self.cuda.to_device(self.variants)
        self._states.copy_to_device(_longer(self.rules.states(1), self._states.dtype).repeat(self.n))
        self._launch(self.lanes.deal_lanes)(*self._dealing)
        out = into or self._own
        for zero in (out.rewards, out.done, out.scores):
            self._clear(zero)
        return self._observe(out)

    def step(self, moves: Any, *, check: bool = True, into: Step | None = None) -> Step:
        """A move in every slot. `into` takes arrays of others with the same shapes and types instead of our own.

        `check` needs the GPU's answer before any slot moves; without it an illegal move is undefined.
        """
        taken = self._taken(moves)
        if check:
            self._bad.copy_to_device(np.array([NOT_ONE], np.int32))
            self._launch(self.lanes.check_lanes)(self._states, taken, self._bad, self._lists)
            slot = int(self._bad.copy_to_host()[0])
            if slot != NOT_ONE:
                move = int(taken[slot : slot + 1].copy_to_host()[0])
                raise self._refuse(slot, move, self.states[slot] if 0 <= move < self.rules.MOVES else None)
        out = into or self._own
        self._launch(self.lanes.step_lanes)(*self._dealing, taken, out.rewards, out.scores, out.done)
        return self._observe(out)

    def random_step(self) -> Step:
        """`step(random_moves())` in one go."""
        out = self._own
        words, columns = self._features if out.observations.shape[0] else self._nothing
        self._launch(self.lanes.turn_lanes)(
            *self._dealing, self._choices, out.rewards, out.scores, out.done,
            columns, out.masks, out.actors, self._lists,
        )  # fmt: skip
        self._lay(words, out.observations)
        return out

    def random_moves(self) -> Any:
        """A random legal move for every slot, int32 [n] on the GPU; its own stream, so the deals stay the same."""
        return self._choose(False)

    def policy_moves(self, first: int = 0) -> Any:
        """The move of the game's rule of thumb for every slot, or for those from `first` on."""
        return self._choose(True, first)

    def frames(self, out: Any) -> None:
        """As a batch on the CPU does it; the array is on the GPU."""
        self._launch(self.lanes.frame_lanes)(self._states, out)

    def turn(self, rows: Any, order: Any, frames: Any, out: Any) -> None:
        """As a batch on the CPU does it; all arrays are on the GPU."""
        self.lanes.turn_rows[self.n, self.block](rows, order, frames, out)

    def survey(self, columns: Any, out: Any) -> None:
        """As a batch on the CPU does it; both arrays are on the GPU."""
        if self._surveyed is None or len(self._surveyed[0]) != out.shape[1]:
            self._surveyed = self._room(out.shape[1])
        words, found = self._surveyed
        self._launch(self.lanes.survey_lanes)(self._states, columns, self._features[1], found)
        self._lay(words, out)

    def suppose(self, columns: Any, out: Any) -> None:
        """As a batch on the CPU does it."""
        truth = self._states
        if self._supposed is None:
            self._supposed = self.cuda.device_array(self.n, truth.dtype)
        self._supposed.view(np.uint8).copy_to_device(truth.view(np.uint8))
        self._states = self._supposed
        try:
            self._launch(self.lanes.suppose_lanes)(self._states, self._dreams)
            self.survey(columns, out)
        finally:
            self._states = truth

    def branch(self, other: CudaBatch, slots: Any, *, alike: int = 1, into: Step | None = None) -> Step:
        """As a batch on the CPU does it; the slots, whole numbers, are on the GPU."""
        states = [batch._states.view(np.uint32).reshape(batch.n, -1) for batch in (other, self)]
        kinds = (other._kinds, self._kinds)
        self.lanes.branch_lanes[self.n, self.lanes.WARP](*states, *kinds, self._taken(slots), self._dreams, alike)
        self._launch(self.lanes.suppose_lanes)(self._states, self._dreams)
        out = into or self._own
        for zero in (out.rewards, out.done, out.scores):
            self._clear(zero)
        return self._observe(out)

    def wander(
        self,
        moves: int,
        *,
        shared: bool | None = None,
        decked: bool | None = None,
        crowd: int = 12,
        block: int | None = None,
    ) -> int:
        """Make that many random moves in every slot in one go; how many rounds ended.

        `shared`, `decked`, `crowd` and `block` are the layout (see `lanes`); what happens is the same with any.
        """
        state = self.rules.State.dtype
        if decked is None:
            room = self.cuda.get_current_device().MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
            decked = self.lanes.resident(state, True, room) >= self.lanes.ENOUGH
        if shared is None:
            shared = self.lanes.lanes_in_shared(state, decked) > 0
        kernel = self.lanes.wander_lanes
        if shared:
            block = self.lanes.lanes_in_shared(state, decked)
            if decked not in self._wanderers:
                self._wanderers[decked] = self.lanes.shared_wanderer(state, decked)
            kernel = self._wanderers[decked]
        self._ended.copy_to_device(np.zeros(1, np.int32))
        self._launch(kernel, block)(
            self._states,
            self._deals,
            self._choices,
            *self._dealing[2:],
            self._lists,
            moves,
            self._ended,
            crowd,
        )
        self._observe(self._own)
        return int(self._ended.copy_to_host()[0])

    @property
    def states(self) -> Any:
        """The truth, copied to the host."""
        states = self.rules.states(self.n)
        raw = self._states.copy_to_host().view(np.uint8).reshape(self.n, -1)
        states.view(np.ndarray).view(np.uint8).reshape(self.n, -1)[...] = raw[:, : states.dtype.itemsize]
        return states

    def close(self) -> None:
        """Nothing to end: the memory goes with the object."""

    def __reduce__(self) -> Any:
        raise TypeError(
            "a batch on a GPU is neither copied nor pickled: make one with the same arguments where it is wanted"
        )

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.name} on CUDA>"

    # inside ---------------------------------------------------------------------------------------------

    @property
    def _own(self) -> Step:
        return Step(self.observations, self.masks, self.actors, self.rewards, self.done, self.scores)

    @property
    def _dealing(self) -> tuple[Any, ...]:
        return (self._states, self._deals, self._kinds, *self._constants, self.first, self._decks)

    def _launch(self, kernel: Any, block: int | None = None, lanes: int | None = None) -> Any:
        block, lanes = block or self.block, self.n if lanes is None else lanes
        return kernel[(lanes + block - 1) // block, block]

    def _observe(self, out: Step) -> Step:
        if out.masks is not None and out.masks.shape[0] > 0:
            self._clear(out.masks)
        words, columns = self._features if out.observations.shape[0] else self._nothing
        self._launch(self.lanes.observe_lanes)(self._states, columns, out.masks, out.actors, self._lists)
        self._lay(words, out.observations)
        return out

    @property
    def _features(self) -> tuple[Any, Any]:
        if self._seen is None:
            self._seen = self._room(self.rules.FEATURES)
        return self._seen[0], self._seen[1]

    def _room(self, rows: int) -> tuple[Any, Any]:
        """A byte for each slot in every row, all 0, as words and as bytes; rows begin where the cache's lines do."""
        words = self.cuda.device_array((rows, -(-self.n // LINE) * LINE // self.lanes.WORD), np.int32)
        self._clear(words)
        return words, words.view(np.int8)

    def _lay(self, words: Any, rows: Any) -> None:
        """A column for each slot, as rows."""
        if len(words):
            grid = -(-self.n // (self.lanes.WORD * self.lanes.WARP)), -(-len(words) // self.lanes.SPAN)
            self.lanes.lay_rows[grid, self.lanes.WARP](words, rows)

    def _clear(self, array: Any) -> None:
        """All bytes zero."""
        self.cuda.cudadrv.driver.device_memset(array, 0, array.size * np.dtype(array.dtype).itemsize)

    def _choose(self, by_policy: bool, first: int = 0) -> Any:
        moves = self.cuda.device_array(self.n - first, np.int32)
        if lanes := len(moves):
            self._launch(self.lanes.choose_lanes, SMALL if lanes < FEW else None, lanes)(
                self._states[first:], self._choices[first:], moves, by_policy, self._lists
            )
        return moves

    def _taken(self, moves: Any) -> Any:
        """The moves as an array on the GPU; those of other libraries are not copied."""
        if hasattr(moves, "__cuda_array_interface__"):
            given = moves if hasattr(moves, "copy_to_host") else self.cuda.as_cuda_array(moves)
        else:
            given = np.asarray(moves)
        if tuple(given.shape) != (self.n,):
            raise BatchError(f"a step needs one move a slot, so the shape ({self.n},), not {tuple(given.shape)}")
        if not np.issubdtype(given.dtype, np.integer):
            raise BatchError(f"moves are whole numbers, not {given.dtype}; slot 0 holds {given[0]!r}")
        if isinstance(given, np.ndarray):
            given = self.cuda.to_device(_narrow(given, self))
        return given


def _longer(states: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The same states in the longer record of the GPU."""
    longer = np.zeros(len(states), dtype)
    old = states.view(np.ndarray).view(np.uint8).reshape(len(states), -1)
    longer.view(np.uint8).reshape(len(states), -1)[:, : old.shape[1]] = old
    return longer


def _narrow(moves: NDArray[Any], env: CudaBatch) -> NDArray[np.int64]:
    """Whole numbers of any size as int64; one that does not fit names its slot."""
    outside = (moves < 0) | (moves >= env.rules.MOVES)
    if outside.any():
        slot = int(outside.argmax())
        raise env._refuse(slot, int(moves[slot]), None)
    return moves.astype(np.int64)
