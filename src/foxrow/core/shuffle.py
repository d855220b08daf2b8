"""The shuffle of every deal that people play, version 1: open, exact, and the same in every language.

Anyone with the seed can repeat it with HMAC-SHA-256 alone. A verifier needs this file and no rules.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

VERSION = "foxrow/1"


def words(seed: bytes, round: int) -> Iterator[int]:
    """Big-endian 32-bit words, eight from each HMAC of `foxrow/1/<round>/<counter>`."""
    counter = 0
    while True:
        block = hmac.digest(seed, f"{VERSION}/{round}/{counter}".encode(), hashlib.sha256)
        for i in range(0, 32, 4):
            yield int.from_bytes(block[i : i + 4], "big")
        counter += 1


def shuffled(seed: bytes, round: int, n: int) -> list[int]:
    """A permutation of 0 … n − 1: Fisher–Yates from the last index down, each draw uniform by rejection."""
    if len(seed) != 32:
        raise ValueError("a seed is 32 bytes")
    order = list(range(n))
    source = words(seed, round)
    for i in range(n - 1, 0, -1):
        limit = 2**32 // (i + 1) * (i + 1)
        word = next(source)
        while word >= limit:
            word = next(source)
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order
