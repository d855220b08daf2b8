"""`foxrow train`: what is wrong is one line; where torch is, a tiny run writes its files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from foxrow.cli import main
from foxrow.core.registry import games
from foxrow.nets.play import Net

GAME = next(game for game in games().values() if game.package.startswith("foxrow.games."))
TORCH = importlib.util.find_spec("torch") is not None


def run(*args: str) -> int:
    try:
        main(["train", *args])
    except SystemExit as done:
        return int(done.code or 0)
    return 0


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["nosuchgame"], "there is no game"),
        ([GAME.key, "--players", "99"], "99"),
        ([GAME.key, "--minutes", "0"], "--minutes"),
        ([GAME.key, "--minutes", "nan"], "--minutes"),
        ([GAME.key, "--minutes", "inf"], "--minutes"),
        ([GAME.key, "--device", "abacus"], "abacus"),
        ([GAME.key, "--weaken", "0.5"], "--exploit"),
    ],
)
def test_mistakes_are_one_line(args: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*args) == 2
    error = capsys.readouterr().err
    assert error.startswith("foxrow: ") and word in error and error.count("\n") == 1


def test_without_torch_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else find(name, *rest))
    assert run(GAME.key) == 2
    assert "pip install 'foxrow[train]'" in capsys.readouterr().err


@pytest.mark.skipif(not TORCH, reason="training is an extra: pip install foxrow[train]")
def test_a_tiny_run_and_an_exploiter_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = [GAME.key, "--tiny", "--device", "cpu", "--minutes", "0.01", "--folder", str(tmp_path)]
    assert run(*common) == 0
    told = capsys.readouterr()
    assert "the rule of thumb" in told.out and "samples_per_second" in told.err
    weights = tmp_path / f"{GAME.key}.npz"
    Net.load(GAME, weights)
    assert run(*common, "--resume") == 0
    resumed = capsys.readouterr().out
    assert "against the rule of thumb" in resumed and "against the weights that the run began with" in resumed
    assert run(*common[:-1], str(weights)) == 1  # a file where the folder should be: said before the work
    assert capsys.readouterr().err == f"foxrow: File exists: {weights}\n"
    assert (tmp_path / f"{GAME.key}.csv").read_text().startswith("seconds,")
    assert run(*common, "--exploit", str(weights), "--weaken", "1") == 0
    assert str(weights) in capsys.readouterr().out
    assert run(*common, "--exploit", str(tmp_path / "none.npz")) == 2
    assert "no weights" in capsys.readouterr().err
