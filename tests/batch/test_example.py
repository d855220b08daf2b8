"""The example of the docs that trains an agent with scikit-learn, at a tiny size."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import foxrow
from foxrow.core.registry import games

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "train_sklearn.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location(EXAMPLE.stem, EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("key", list(games()))
def test_the_example_of_the_docs_trains(example: Any, key: str) -> None:
    assert -1 <= example.train(key, 2, games=8, length=160) <= 1


def test_it_learns_a_short_game(example: Any) -> None:
    """Random seats have 0. Where rounds are longer, it takes more of them."""
    shortest = max(games(), key=lambda key: foxrow.batch(key, 64, seed=1).wander(300))
    assert example.train(shortest, 2, games=48) > 0.2
