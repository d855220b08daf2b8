"""The CUDA kernels in Numba's simulator, where there is one: plain Python that steps through them thread by thread.

On a machine with a GPU `bench/cuda_equal.py` compares a million moves a game.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from foxrow.core.registry import games

CODE = """
import sys
import numpy as np
from foxrow.core.batch import Batch, SlotError, all_variants
from foxrow.core.cuda import CudaBatch
from foxrow.core.registry import game
card = game(sys.argv[1])
kinds = all_variants(card)
cpu, gpu = Batch(card, 6, kinds, seed=3), CudaBatch(card, 6, kinds, seed=3)
for _ in range(int(sys.argv[2])):
    moves = cpu.random_moves()
    assert np.array_equal(moves, gpu.random_moves().copy_to_host())
    assert np.array_equal(cpu.policy_moves(), gpu.policy_moves().copy_to_host())
    assert np.array_equal(cpu.policy_moves(4), gpu.policy_moves(4).copy_to_host())
    ours, theirs = cpu.step(moves), gpu.step(moves)
    for name, a, b in zip(ours._fields, ours, theirs):
        assert np.array_equal(a, b.copy_to_host()), name
for _ in range(int(sys.argv[2]) // 2):
    ours, theirs = cpu.random_step(), gpu.random_step()
    for name, a, b in zip(ours._fields, ours, theirs):
        assert np.array_equal(a, b.copy_to_host()), name
frames = card.rules.frames
order = frames.features
ours, theirs = np.zeros(6, np.int32), gpu.cuda.to_device(np.zeros(6, np.int32))
cpu.frames(ours)
gpu.frames(theirs)
assert np.array_equal(ours, theirs.copy_to_host())
assert [card.rules.frame(s, card.rules.actor(s)) for s in cpu.states] == ours.tolist()
turned, also = np.zeros_like(cpu.observations), gpu.cuda.to_device(np.zeros_like(cpu.observations))
cpu.turn(cpu.observations, order, ours, turned)
gpu.turn(gpu.observations, gpu.cuda.to_device(order), theirs, also)
assert np.array_equal(turned, also.copy_to_host())
assert all(np.array_equal(turned[i], cpu.observations[i, order[ours[i]]]) for i in range(6))
columns = np.ascontiguousarray((frames.secrets if card.rules.SECRETS else order[:, ::7]).astype(np.int32))
ours = np.zeros((6, columns.shape[1] * (card.rules.SEATS - 1)), np.int8)
theirs = gpu.cuda.to_device(ours)
cpu.survey(columns, ours)
gpu.survey(gpu.cuda.to_device(columns), theirs)
assert np.array_equal(ours, theirs.copy_to_host()) and ours.any()
for slot in range(6):
    state = cpu.states[slot]
    seat, players = card.rules.actor(state), int(state.players)
    there = columns[card.rules.frame(state, seat)]
    if card.rules.SECRETS:
        assert np.array_equal(ours[slot, : len(there)], card.rules.secrets(state, seat)[there])
        continue
    rows = [card.rules.features(state, (seat + k) % players)[there] for k in range(1, players)]
    assert np.array_equal(ours[slot, : len(there) * len(rows)], np.concatenate(rows))
before = gpu.states.tobytes()
assert cpu.states.tobytes() == before
cpu.suppose(columns, ours)
gpu.suppose(gpu.cuda.to_device(columns), theirs)
assert np.array_equal(ours, theirs.copy_to_host())
assert gpu.states.tobytes() == before == cpu.states.tobytes()
slots = np.array([5, 5, 0, 0, 3, 3])
more, also = Batch(card, 6, kinds, seed=8), CudaBatch(card, 6, kinds, seed=8)
for a, b in zip(more.branch(cpu, slots, alike=2), also.branch(gpu, slots, alike=2)):
    assert np.array_equal(a, b.copy_to_host())
assert more.states.tobytes() == also.states.tobytes()
for _ in range(int(sys.argv[2])):
    moves = more.random_moves()
    for a, b in zip(more.step(moves), also.step(moves)):
        assert np.array_equal(a, b.copy_to_host())
assert more._kinds.tolist() == cpu._kinds[slots].tolist() == also._kinds.copy_to_host().tolist()
assert gpu.states.tobytes() == before == cpu.states.tobytes()
for shares in ([0.0] * (len(kinds) - 1) + [1.0], [1.0] + [0.0] * (len(kinds) - 1)):  # nothing is left of a larger table
    for batch in (cpu, gpu):
        batch.rounds(shares)
        batch.reset()
    cpu.survey(columns, ours)
    gpu.survey(gpu.cuda.to_device(columns), theirs)
    assert np.array_equal(ours, theirs.copy_to_host())
before = gpu.states.tobytes()
bad = np.where(np.arange(6) == 4, card.rules.MOVES, cpu.random_moves())
try:
    gpu.step(bad)
except SlotError as error:
    assert error.slot == 4
else:
    raise AssertionError("an illegal move was taken")
assert gpu.states.tobytes() == before
"""


@pytest.mark.parametrize("key", list(games()))
def test_the_kernels_play_the_same_games(key: str) -> None:
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "FOXROW_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", CODE, key, "12"], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


ROWS = """
import numpy as np
from numba import cuda
from foxrow.core.registry import games
rules = next(iter(games().values())).rules
rules.template("foxrow.core.steps")
lanes = rules.template("foxrow.core.lanes")
rng = np.random.default_rng(1)
for n, many, wide in ((300, 70, 80), (129, 64, 64), (1, 3, 3)):
    words = rng.integers(-(2**31), 2**31, (many, -(-n // 128) * 32)).astype(np.int32)
    rows = cuda.to_device(np.full((n, wide), 7, np.int8))
    lanes.lay_rows[(-(-n // 128), -(-many // lanes.SPAN)), lanes.WARP](cuda.to_device(words), rows)
    laid = rows.copy_to_host()
    assert np.array_equal(laid[:, :many], words.view(np.int8)[:, :n].T) and (laid[:, many:] == 7).all()
"""


def test_columns_become_rows() -> None:
    """Of any number of slots, into rows that may be longer, bytes of either sign."""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "FOXROW_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", ROWS], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
