"""Shuffle version 1 against vectors that another program made (Node's crypto, from notation.md's text alone)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from foxrow.core.shuffle import shuffled

VECTORS = json.loads(Path(__file__).with_name("shuffle-vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['n']}-{v['round']}")
def test_vectors(vector: dict[str, Any]) -> None:
    assert shuffled(bytes.fromhex(vector["seed"]), vector["round"], vector["n"]) == vector["order"]


def test_every_order_of_four_is_equally_likely() -> None:
    draws = 24_000
    seen = Counter(tuple(shuffled(i.to_bytes(32, "big"), 0, 4)) for i in range(draws))
    assert len(seen) == 24
    chi2 = sum((n - 1000) ** 2 / 1000 for n in seen.values())
    assert chi2 < 60  # 23 degrees of freedom; the seeds are fixed, so this never flickers


def test_a_seed_is_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shuffled(b"short", 0, 4)
