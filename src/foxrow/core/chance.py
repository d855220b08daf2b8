"""The fast generator of simulations: xorshift128 in 64-bit integers that never overflow.

Four words below 2³² in an int64[4]; only shifts and exclusive-ors, so plain Python, Numba and CUDA agree to the bit.
The deals that people play come from `shuffle`, never from here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import rule

Rng = NDArray[np.int64]


@rule
def word(rng: Rng) -> int:
    """The next 32 random bits."""
    t = int(rng[0])
    t = t ^ ((t << 11) & 0xFFFFFFFF)
    w = int(rng[3])
    rng[0] = rng[1]
    rng[1] = rng[2]
    rng[2] = w
    w = w ^ (w >> 19) ^ t ^ (t >> 8)
    rng[3] = w
    return w


@rule
def below(rng: Rng, n: int) -> int:
    """A number from 0 to n − 1 (its bias is under n / 2³²)."""
    return (word(rng) * n) >> 32


@rule
def shuffle(rng: Rng, order: NDArray[np.int32]) -> None:
    """Fisher–Yates, the fast way."""
    for i in range(len(order) - 1, 0, -1):
        j = below(rng, i + 1)
        card = order[i]
        order[i] = order[j]
        order[j] = card


def streams(seed: int, n: int) -> NDArray[np.int64]:
    """`n` generators that have nothing to do with each other, [n, 4] (SplitMix64 over the seed)."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed & 0xFFFFFFFFFFFFFFFF) + np.arange(1, 2 * n + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    words = np.stack([z & np.uint64(0xFFFFFFFF), z >> np.uint64(32)], axis=1).reshape(n, 4).astype(np.int64)
    words[:, 0] |= 1  # never all zero: that is the one state xorshift does not leave
    return words


def stream(seed: int) -> Rng:
    """One generator: the first of `streams`, in whole numbers, which is much faster for a single one."""
    words: list[int] = []
    for step in (1, 2):
        z = (seed + step * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        z ^= z >> 31
        words += (z & 0xFFFFFFFF, z >> 32)
    words[0] |= 1
    return np.array(words, np.int64)
