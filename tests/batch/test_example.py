"""The example of the docs that trains an agent with scikit-learn, at a tiny size."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import foxrow
from foxrow.core.registry import games

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_sklearn.py"


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


@pytest.mark.parametrize("words", [[], ["a_game", "many"], ["a_game", "2", "3"]])
@pytest.mark.parametrize("name", ["train_sklearn.py", "train_torch.py"])
def test_it_says_how_it_is_used(name: str, words: list[str]) -> None:
    if name == "train_torch.py":
        pytest.importorskip("torch")
    done = subprocess.run([sys.executable, str(EXAMPLE.with_name(name)), *words], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("usage: ") and done.stderr.count("\n") == 1
    assert all(key in done.stderr for key in games())
