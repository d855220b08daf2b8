"""The fast generator: the same words everywhere, and no pattern that a simple test sees."""

from __future__ import annotations

from collections import Counter

import numpy as np

from foxrow.core.chance import below, shuffle, stream, streams, word


def test_it_is_xorshift128() -> None:
    """Marsaglia's example state gives his first outputs."""
    rng = np.array([123456789, 362436069, 521288629, 88675123], np.int64)
    assert [word(rng) for _ in range(4)] == [3701687786, 458299110, 2500872618, 3633119408]


def test_below_is_even() -> None:
    rng = stream(1)
    seen = Counter(below(rng, 6) for _ in range(60_000))
    assert set(seen) == set(range(6))
    assert max(abs(n - 10_000) for n in seen.values()) < 450


def test_shuffle_reaches_every_order() -> None:
    rng = stream(2)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        order = np.arange(3, dtype=np.int32)
        shuffle(rng, order)
        seen[tuple(order.tolist())] += 1
    assert len(seen) == 6
    assert max(abs(n - 1000) for n in seen.values()) < 150


def test_streams_differ_and_repeat() -> None:
    a, b = streams(7, 1000), streams(7, 1000)
    assert (a == b).all()
    assert len({tuple(row) for row in a.tolist()}) == 1000
    assert (streams(8, 1000) != a).any(axis=1).all()
    assert (a >= 0).all() and (a < 2**32).all()


def test_one_stream_is_the_first_of_many() -> None:
    for seed in (0, 1, 7, -3, 2**63 + 5, 2**64 - 1):
        assert stream(seed).tolist() == streams(seed, 3)[0].tolist() == streams(seed, 1)[0].tolist()
