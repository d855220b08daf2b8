"""CUDA kernels over the slots of a batch: a template, loaded once per game like `steps`, whose functions they call.

One thread is one slot. Nothing here knows a rule: Numba turns the functions of `steps` and of the game into device
functions. Rounds end at different moves in the 32 lanes of a warp, and a deal costs as much as dozens of moves, so
`wander` lets finished lanes wait for each other and deals their next rounds together.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has
    np.row_stack = np.vstack  # type: ignore[attr-defined]

from numba import cuda, from_dtype, int16, int32, int64

from foxrow.core.chance import below

if TYPE_CHECKING:
    from foxrow.core.functions import CARDS, FEATURES, MAX_LEGAL, SEATS, actor, apply, features, legal, policy
    from foxrow.core.steps import allowed, fresh, settle
else:  # this game's copy of the template
    _steps = sys.modules[__name__.replace("lanes", "steps")]
    allowed, fresh, settle = _steps.allowed, _steps.fresh, _steps.settle

WARP = 32
FULL = 0xFFFFFFFF
BLOCK = 128  # threads of a block where nothing else decides
SHARED = 48 * 1024  # bytes of shared memory that a block gets without asking
PITCH = (FEATURES + 3) // 4 * 4 + 4  # bytes of a row of features in shared memory; odd words, so no bank conflicts
if PITCH // 4 % 2 == 0:
    PITCH += 4
OBSERVERS = max(WARP, min(BLOCK, SHARED // PITCH // WARP * WARP))  # threads of a block that writes observations
ROOM = OBSERVERS * PITCH
STAGED = ROOM <= SHARED  # whether a warp's features fit: else each lane writes its own row


@cuda.jit
def deal_lanes(states: Any, deals: Any, variants: Any, players: Any, cards: Any, codes: Any, first: int) -> None:
    i = cuda.grid(1)
    if i < len(states):
        order = cuda.local.array(CARDS, int16)
        kind = variants[i]
        fresh(states[i], deals[i], order, cards[kind], players[kind], first, codes[kind])


@cuda.jit
def check_lanes(states: Any, moves: Any, bad: Any) -> None:
    """`bad[0]` becomes the first slot whose move the rules do not allow."""
    i = cuda.grid(1)
    if i < len(states):
        out = cuda.local.array(MAX_LEGAL, int16)
        if not allowed(states[i], moves[i], out):
            cuda.atomic.min(bad, 0, i)


@cuda.jit
def step_lanes(
    states: Any,
    moves: Any,
    deals: Any,
    variants: Any,
    players: Any,
    cards: Any,
    codes: Any,
    first: int,
    rewards: Any,
    finals: Any,
    done: Any,
) -> None:
    i = cuda.grid(1)
    if i < len(states):
        s = states[i]
        apply(s, int64(moves[i]))
        over = actor(s) < 0
        done[i] = over
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
            finals[i, seat] = 0
        if over:
            order = cuda.local.array(CARDS, int16)
            room = cuda.local.array(SEATS, int32)
            kind = variants[i]
            settle(s, players[kind], room, finals[i], rewards[i])
            fresh(s, deals[i], order, cards[kind], players[kind], first, codes[kind])


@cuda.jit
def observe_lanes(states: Any, observations: Any, masks: Any, actors: Any) -> None:
    """Each lane writes its own rows. `masks` are clear before."""
    i = cuda.grid(1)
    if i < len(states):
        s = states[i]
        seat = actor(s)
        actors[i] = seat
        if len(observations) > 0:
            features(s, seat, observations[i])
        if len(masks) > 0:
            out = cuda.local.array(MAX_LEGAL, int16)
            for k in range(legal(s, out)):
                masks[i, out[k]] = True


@cuda.jit
def observe_staged(states: Any, observations: Any, masks: Any, actors: Any) -> None:
    """Rows are made in shared memory, then a warp writes each of them together: 32 neighbouring bytes at a time."""
    room = cuda.shared.array(ROOM, np.int8)
    lane = cuda.threadIdx.x
    start = cuda.blockIdx.x * cuda.blockDim.x
    i = start + lane
    if i < len(states):
        s = states[i]
        seat = actor(s)
        actors[i] = seat
        features(s, seat, room[lane * PITCH : lane * PITCH + FEATURES])
    cuda.syncthreads()
    rows = min(cuda.blockDim.x, len(states) - start)
    for row in range(lane // WARP, rows, cuda.blockDim.x // WARP):
        for k in range(lane % WARP, FEATURES, WARP):
            observations[start + row, k] = room[row * PITCH + k]
    if i < len(states) and len(masks) > 0:
        out = cuda.local.array(MAX_LEGAL, int16)
        for k in range(legal(states[i], out)):
            masks[i, out[k]] = True


@cuda.jit
def choose_lanes(states: Any, choices: Any, moves: Any, by_policy: bool) -> None:
    i = cuda.grid(1)
    if i < len(states):
        out = cuda.local.array(MAX_LEGAL, int32)
        n = legal(states[i], out)
        if by_policy:
            moves[i] = policy(states[i], out, n, choices[i])
        else:
            moves[i] = out[below(choices[i], n)]


def wanderer(state: np.dtype[Any], local: bool) -> Any:
    """The kernel of `wander`: on the states where they lie, or on a copy in the lane's own memory.

    Local memory interleaves the lanes' words, so lanes that read the same field share a cache line.
    """
    record = from_dtype(state)

    @cuda.jit
    def wander_lanes(
        states: Any,
        deals: Any,
        choices: Any,
        variants: Any,
        players: Any,
        cards: Any,
        codes: Any,
        first: int,
        moves: int,
        ended: Any,
        crowd: int,
    ) -> None:
        """`moves` random moves in every slot. `crowd` lanes of a warp wait before they are dealt anew."""
        i = cuda.grid(1)
        here = i < len(states)
        at = i if here else 0
        order = cuda.local.array(CARDS, int16)
        out = cuda.local.array(MAX_LEGAL, int16)
        rng = cuda.local.array(4, int64)
        if local:
            own = cuda.local.array(1, record)
            own[0] = states[at]
            s = own[0]
        else:
            s = states[at]
        kind = variants[at]
        for k in range(4):
            rng[k] = choices[at, k]
        made = 0 if here else moves
        rounds = 0
        over = False
        while True:
            waiting = cuda.ballot_sync(FULL, over)
            running = cuda.ballot_sync(FULL, made < moves and not over)
            if waiting == 0 and running == 0:
                break
            if over and (running == 0 or cuda.popc(waiting) >= crowd):
                fresh(s, deals[i], order, cards[kind], players[kind], first, codes[kind])
                over = False
                rounds += 1
            if made < moves and not over:
                apply(s, int64(out[below(rng, legal(s, out))]))
                made += 1
                over = actor(s) < 0
        if here:
            for k in range(4):
                choices[i, k] = rng[k]
            if local:
                states[i] = own[0]
            cuda.atomic.add(ended, 0, rounds)

    return wander_lanes
