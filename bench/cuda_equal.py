"""CPU = CUDA, move by move: `python bench/cuda_equal.py [GAME …] [--moves 1000000]`.

Every variant of a game plays random moves on both devices from one seed. After every step observations, masks, seats to
act, rewards, ends and scores must be equal to the byte, and every so often the whole states.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from foxrow.core.batch import Batch, BatchError, Step, all_variants
from foxrow.core.cuda import CudaBatch
from foxrow.core.registry import games

SLOTS = 4100  # few enough that a million moves end many rounds, and not in whole blocks


def compare(key: str, moves: int) -> int:
    game = games()[key]
    kinds = all_variants(game)
    cpu = Batch(game, SLOTS, kinds, seed=20261115)
    gpu = CudaBatch(game, SLOTS, kinds, seed=20261115)
    made = rounds = 0
    while made < moves:
        chosen = cpu.random_moves()
        on_gpu = gpu.random_moves()
        check(key, made, "random moves", chosen, on_gpu.copy_to_host())
        by_policy = cpu.policy_moves()
        check(key, made, "the policy's moves", by_policy, gpu.policy_moves().copy_to_host())
        mixed = np.where(np.arange(SLOTS) % 2 == 0, chosen, by_policy)
        ours = cpu.step(mixed)
        for name, a, b in zip(ours._fields, ours, gpu.step(mixed), strict=True):
            check(key, made, name, a, b.copy_to_host())
        made += SLOTS
        rounds += int(ours.done.sum())
        if made % (SLOTS * 32) == 0:
            check(key, made, "states", bytes_of(cpu.states), bytes_of(gpu.states))
            look(key, made, cpu, gpu)
    for _ in range(100):
        for name, a, b in zip(Step._fields, cpu.random_step(), gpu.random_step(), strict=True):
            check(key, made, f"{name} of a random step", a, b.copy_to_host())
        made += SLOTS
    for shared, decked, crowd in ((True, True, 8), (True, False, 12), (False, False, 1)):
        ended = cpu.wander(400)
        theirs = gpu.wander(400, shared=shared, decked=decked, crowd=crowd)
        check(key, made, "rounds ended", np.array(ended), np.array(theirs))
        check(key, made, "states after wandering", bytes_of(cpu.states), bytes_of(gpu.states))
        rounds += ended
        made += 400 * SLOTS
    print(f"{key}: {made} moves, {rounds} rounds, {len(kinds)} variants: equal", flush=True)
    return made


def look(key: str, made: int, cpu: Batch, gpu: CudaBatch) -> None:
    """Frames, rows and secrets in them, and secrets that are only supposed: what a net that learns sees besides."""
    frames = cpu.rules.frames
    device = gpu.cuda.to_device
    ours, theirs = np.zeros(SLOTS, np.int32), device(np.zeros(SLOTS, np.int32))
    cpu.frames(ours)
    gpu.frames(theirs)
    check(key, made, "frames", ours, theirs.copy_to_host())
    turned, also = np.zeros_like(cpu.observations), device(np.zeros_like(cpu.observations))
    cpu.turn(cpu.observations, frames.features, ours, turned)
    gpu.turn(gpu.observations, device(frames.features), theirs, also)
    check(key, made, "rows in frames", turned, also.copy_to_host())
    columns = np.ascontiguousarray((frames.secrets if cpu.rules.SECRETS else frames.features[:, ::7]).astype(np.int32))
    wide = columns.shape[1] * (1 if cpu.rules.SECRETS else cpu.rules.SEATS - 1) + 5
    found, same = np.zeros((SLOTS, wide), np.int8), device(np.zeros((SLOTS, wide), np.int8))
    for name in ("survey", "suppose"):
        getattr(cpu, name)(columns, found)
        getattr(gpu, name)(device(columns), same)
        check(key, made, name, found, same.copy_to_host())


def bytes_of(states: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(states).view(np.ndarray).view(np.uint8)


def check(key: str, made: int, what: str, a: np.ndarray, b: np.ndarray) -> None:
    if not np.array_equal(a, b):
        where = np.argwhere(np.atleast_1d(a != b))[:5].tolist()
        sys.exit(f"{key}: after {made} moves {what} differ at {where}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(games()))
    parser.add_argument("--moves", type=int, default=1_000_000)
    given = parser.parse_args()
    for key in given.games:
        begin = time.perf_counter()
        compare(key, given.moves)
        print(f"{key}: {time.perf_counter() - begin:.1f} s", flush=True)


try:
    main()
except BatchError as error:  # no GPU here
    sys.exit(str(error))
