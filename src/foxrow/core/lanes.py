"""CUDA kernels over the slots of a batch: a template, loaded once per game like `steps`, whose functions they call.

One thread is one slot. Nothing here knows a rule: Numba turns the functions of `steps` and of the game into device
functions. Rounds end at different moves in the 32 lanes of a warp, and a deal costs as much as dozens of moves, so
`wander` lets finished lanes wait for each other and deals their next rounds together.

Lists of moves and decks are columns of arrays in global memory, so that lanes in step write side by side. (Arrays of a
thread's own look simpler, and keep NVVM busy for minutes: it tries to take every one of their places apart.)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

np.__dict__.setdefault("row_stack", np.vstack)  # numba-cuda 0.30 asks for a name that NumPy 2.5 no longer has

from numba import cuda, from_dtype, int32, int64  # noqa: E402

from foxrow.core.chance import below  # noqa: E402

if TYPE_CHECKING:
    from foxrow.core.functions import CARDS, SEATS, actor, apply, features, frame, legal, policy
    from foxrow.core.steps import allowed, fresh, settle, suppose, survey
else:  # this game's copy of the template
    _steps = sys.modules[__name__.replace("lanes", "steps")]
    allowed, fresh, settle = _steps.allowed, _steps.fresh, _steps.settle
    suppose, survey = _steps.suppose, _steps.survey

WARP = 32
FULL = 0xFFFFFFFF
BLOCK = 128  # threads of a block where nothing else decides
ENOUGH = 192  # lanes of a multiprocessor that keep it busy; with fewer, room for more is worth more than decks nearby
SHARED = 48 * 1024  # bytes of shared memory that a block gets without asking
RESERVED = 1024  # bytes of it that CUDA keeps for itself in every block
WORD = 4  # bytes
SPAN = 64  # bytes of its rows that a warp lays at once
PITCH = WARP + 1  # words from one byte of all its rows to the next: odd, so no bank conflicts
CARD = np.int8 if CARDS < 128 else np.int16  # a card's index in a deck that lies in shared memory
DECK = (CARDS * np.dtype(CARD).itemsize + 3) // 4 * 4  # its bytes: odd words
if DECK // 4 % 2 == 0:
    DECK += 4


@cuda.jit(device=True)
def deal_next(s: Any, source: Any, order: Any, kind: int, players: Any, cards: Any, codes: Any, first: int) -> None:
    """`fresh` with the generator in registers: a shuffle asks it a hundred times."""
    rng = cuda.local.array(4, int64)
    for k in range(4):
        rng[k] = source[k]
    fresh(s, rng, order, int(cards[kind]), int(players[kind]), first, codes[kind])
    for k in range(4):
        source[k] = rng[k]


@cuda.jit
def deal_lanes(
    states: Any, deals: Any, variants: Any, players: Any, cards: Any, codes: Any, first: int, decks: Any
) -> None:
    i = cuda.grid(1)
    if i < len(states):
        deal_next(states[i], deals[i], decks[:, i], variants[i], players, cards, codes, first)


@cuda.jit
def check_lanes(states: Any, moves: Any, bad: Any, lists: Any) -> None:
    """`bad[0]` becomes the first slot whose move the rules do not allow."""
    i = cuda.grid(1)
    if i < len(states) and not allowed(states[i], moves[i], lists[:, i]):
        cuda.atomic.min(bad, 0, i)


@cuda.jit(device=True)
def advance(
    i: int,
    move: int,
    states: Any,
    deals: Any,
    variants: Any,
    players: Any,
    cards: Any,
    codes: Any,
    first: int,
    decks: Any,
    rewards: Any,
    finals: Any,
    done: Any,
) -> None:
    """A move in a slot; when it ends the round, what it brought, and the next deal."""
    s = states[i]
    apply(s, move)
    over = actor(s) < 0
    done[i] = over
    for seat in range(rewards.shape[1]):
        rewards[i, seat] = 0.0
        finals[i, seat] = 0
    if over:
        room = cuda.local.array(SEATS, int32)
        kind = variants[i]
        settle(s, int(players[kind]), room, finals[i], rewards[i])
        deal_next(s, deals[i], decks[:, i], kind, players, cards, codes, first)


@cuda.jit
def step_lanes(
    states: Any,
    deals: Any,
    variants: Any,
    players: Any,
    cards: Any,
    codes: Any,
    first: int,
    decks: Any,
    moves: Any,
    rewards: Any,
    finals: Any,
    done: Any,
) -> None:
    i = cuda.grid(1)
    if i < len(states):
        advance(
            i, int(moves[i]), states, deals, variants, players, cards, codes, first, decks, rewards, finals, done
        )  # fmt: skip


@cuda.jit(device=True)
def mark_moves(i: int, states: Any, masks: Any, lists: Any) -> None:
    if len(masks) > 0:
        out = lists[:, i]
        for k in range(legal(states[i], out)):
            masks[i, out[k]] = True


@cuda.jit(device=True)
def show(i: int, states: Any, columns: Any, masks: Any, actors: Any, lists: Any) -> None:
    """Features go down a column, so that lanes in step write side by side; `lay_rows` makes rows of them."""
    if i < len(states):
        s = states[i]
        seat = actor(s)
        actors[i] = seat
        if len(columns) > 0:
            features(s, seat, columns[:, i])
        mark_moves(i, states, masks, lists)


@cuda.jit
def observe_lanes(states: Any, columns: Any, masks: Any, actors: Any, lists: Any) -> None:
    """What the seats to act see. `masks` are clear before."""
    show(cuda.grid(1), states, columns, masks, actors, lists)


@cuda.jit
def survey_lanes(states: Any, names: Any, columns: Any, out: Any) -> None:
    """`steps.survey_slots`, down a column: `columns` is room for features."""
    i = cuda.grid(1)
    if i < len(states):
        survey(states[i], names, columns[:, i], out[:, i])


@cuda.jit
def lay_rows(words: Any, rows: Any) -> None:
    """Columns become rows. A block is a warp with a stretch of 128 rows: each lane reads four of them at a time, a word
    across, then all write along one row after the other. So what is read or written at once lies side by side."""
    tile = cuda.shared.array((SPAN, PITCH), np.int32)
    lane = cuda.threadIdx.x
    group, start = cuda.blockIdx.x * WARP, cuda.blockIdx.y * SPAN
    many = min(SPAN, len(words) - start)
    if group + lane < words.shape[1]:
        for k in range(many):
            tile[k, lane] = words[start + k, group + lane]
    cuda.syncthreads()
    for row in range(min(WORD * WARP, len(rows) - WORD * group)):
        shift = 8 * (row % WORD)
        for k in range(lane, many, WARP):
            byte = (int(tile[k, row // WORD]) >> shift) & 255
            rows[WORD * group + row, start + k] = (byte ^ 128) - 128  # with its sign


@cuda.jit
def frame_lanes(states: Any, frames: Any) -> None:
    """`steps.frame_slots`."""
    i = cuda.grid(1)
    if i < len(states):
        frames[i] = frame(states[i], actor(states[i]))


@cuda.jit
def turn_rows(rows: Any, order: Any, frames: Any, out: Any) -> None:
    """Rows seen from the frames of their slots: a block is a row."""
    i = cuda.blockIdx.x
    there = frames[i]
    for k in range(cuda.threadIdx.x, order.shape[1], cuda.blockDim.x):
        out[i, k] = rows[i, order[there, k]]


@cuda.jit
def branch_lanes(theirs: Any, mine: Any, kinds: Any, own: Any, slots: Any, dreams: Any, alike: int) -> None:
    """States, word by word, variants and luck of the slots that others go on from: a block is a slot. Of `alike`
    neighbours the first one's luck is everybody's; nobody changes that of a first one."""
    i = cuda.blockIdx.x
    there = slots[i]
    for k in range(cuda.threadIdx.x, mine.shape[1], cuda.blockDim.x):
        mine[i, k] = theirs[there, k]
    if cuda.threadIdx.x == 0:
        own[i] = kinds[there]
    if cuda.threadIdx.x < 4:
        dreams[i, cuda.threadIdx.x] = dreams[i - i % alike, cuda.threadIdx.x]


@cuda.jit
def suppose_lanes(states: Any, source: Any) -> None:
    """`steps.suppose_slots`, with the generators in registers."""
    rng = cuda.local.array(4, int64)
    i = cuda.grid(1)
    if i < len(states):
        for k in range(4):
            rng[k] = source[i, k]
        suppose(states[i], rng)
        for k in range(4):
            source[i, k] = rng[k]


@cuda.jit
def turn_lanes(
    states: Any,
    deals: Any,
    variants: Any,
    players: Any,
    cards: Any,
    codes: Any,
    first: int,
    decks: Any,
    choices: Any,
    rewards: Any,
    finals: Any,
    done: Any,
    columns: Any,
    masks: Any,
    actors: Any,
    lists: Any,
) -> None:
    """A random move, and what is seen then. `masks` say what was legal before."""
    i = cuda.grid(1)
    if i < len(states):
        out = lists[:, i]
        n = legal(states[i], out)
        if len(masks) > 0:
            for k in range(n):
                masks[i, out[k]] = False
        advance(
            i, int(out[below(choices[i], n)]), states, deals, variants, players, cards, codes, first, decks,
            rewards, finals, done,
        )  # fmt: skip
    show(i, states, columns, masks, actors, lists)


@cuda.jit
def choose_lanes(states: Any, choices: Any, moves: Any, by_policy: bool, lists: Any) -> None:
    i = cuda.grid(1)
    if i < len(states):
        out = lists[:, i]
        n = legal(states[i], out)
        if by_policy:
            moves[i] = policy(states[i], out, n, choices[i])
        else:
            moves[i] = out[below(choices[i], n)]


@cuda.jit(device=True)
def wander(
    s: Any,
    here: bool,
    order: Any,
    out: Any,
    source: Any,
    chooser: Any,
    kind: int,
    players: Any,
    cards: Any,
    codes: Any,
    first: int,
    moves: int,
    ended: Any,
    crowd: int,
) -> None:
    """`moves` random moves in one slot. `crowd` lanes of a warp wait before they are dealt anew."""
    rng = cuda.local.array(4, int64)
    for k in range(4):
        rng[k] = chooser[k]
    made = 0 if here else moves
    rounds = 0
    over = False
    while True:
        waiting = cuda.ballot_sync(FULL, over)
        running = cuda.ballot_sync(FULL, made < moves and not over)
        if waiting == 0 and running == 0:
            break
        if over and (running == 0 or cuda.popc(waiting) >= crowd):
            deal_next(s, source, order, kind, players, cards, codes, first)
            over = False
            rounds += 1
        if made < moves and not over:
            apply(s, int(out[below(rng, legal(s, out))]))
            made += 1
            over = actor(s) < 0
    if here:
        for k in range(4):
            chooser[k] = rng[k]
        cuda.atomic.add(ended, 0, rounds)


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
    decks: Any,
    lists: Any,
    moves: int,
    ended: Any,
    crowd: int,
) -> None:
    """Random moves on the states where they lie."""
    i = cuda.grid(1)
    here = i < len(states)
    at = i if here else 0
    wander(
        states[at], here, decks[:, at], lists[:, at], deals[at], choices[at], variants[at],
        players, cards, codes, first, moves, ended, crowd,
    )  # fmt: skip


def padded(state: np.dtype[Any]) -> np.dtype[Any]:
    """The record as it lies on the GPU: an odd number of units long, so that lanes in step meet no bank twice."""
    unit = max(4, state.alignment)
    size = -(-state.itemsize // unit) * unit
    if size // unit % 2 == 0:
        size += unit
    fields: Any = state.fields or {}
    return np.dtype(
        {
            "names": list(fields),
            "formats": [field[0] for field in fields.values()],
            "offsets": [field[1] for field in fields.values()],
            "itemsize": size,
            "aligned": True,
        }
    )


def lanes_in_shared(state: np.dtype[Any], decked: bool = False) -> int:
    """How many states, each with or without a deck, fit into a block's shared memory: whole warps, 0 when none fits."""
    return min(BLOCK, SHARED // (padded(state).itemsize + decked * DECK) // WARP * WARP)


def resident(state: np.dtype[Any], decked: bool, room: int) -> int:
    """How many states a multiprocessor with so much shared memory holds at once."""
    many = lanes_in_shared(state, decked)
    return room // (many * (padded(state).itemsize + decked * DECK) + RESERVED) * many if many else 0


def shared_wanderer(state: np.dtype[Any], decked: bool) -> Any:
    """`wander_lanes` on states that are brought into shared memory first and taken back at the end."""
    record = from_dtype(padded(state))
    lanes = lanes_in_shared(state, decked)
    pitch = DECK // np.dtype(CARD).itemsize
    cards_in_shared = lanes * pitch if decked else 1
    card = from_dtype(np.dtype(CARD))

    if decked:

        @cuda.jit(device=True)
        def walk(stack: Any, lane: int, s: Any, here: bool, deck: Any, *rest: Any) -> None:
            wander(s, here, stack[lane * pitch : lane * pitch + CARDS], *rest)

    else:

        @cuda.jit(device=True)
        def walk(stack: Any, lane: int, s: Any, here: bool, deck: Any, *rest: Any) -> None:
            wander(s, here, deck, *rest)

    @cuda.jit
    def wander_shared(
        states: Any,
        deals: Any,
        choices: Any,
        variants: Any,
        players: Any,
        cards: Any,
        codes: Any,
        first: int,
        decks: Any,
        lists: Any,
        moves: int,
        ended: Any,
        crowd: int,
    ) -> None:
        stage = cuda.shared.array(lanes, record)
        stack = cuda.shared.array(cards_in_shared, card)
        lane = cuda.threadIdx.x
        i = cuda.blockIdx.x * lanes + lane
        here = i < len(states)
        at = i if here else 0
        stage[lane] = states[at]
        walk(
            stack, lane, stage[lane], here, decks[:, at], lists[:, at], deals[at], choices[at], variants[at],
            players, cards, codes, first, moves, ended, crowd,
        )  # fmt: skip
        if here:
            states[at] = stage[lane]

    return wander_shared
