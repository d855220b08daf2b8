"""Training at tiny size. Torch is an extra of several gigabytes; without it there is nothing to train."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.play import Net

torch = pytest.importorskip("torch", reason="training is an extra: pip install foxrow[train]")

from foxrow.nets.train import TINY, Trainer, train  # noqa: E402  # needs torch

HERE = [game for game in games().values() if game.package.startswith("foxrow.games.")]
each_game = pytest.mark.parametrize("game", HERE, ids=lambda game: game.key)
QUICK = dataclasses.replace(TINY, minutes=0.01, games=24, minibatch=96)
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "train_torch.py"


@each_game
def test_a_tiny_run_learns_saves_and_goes_on(game: Game, tmp_path: Path) -> None:
    said: list[str] = []
    first = train(game, QUICK, tmp_path, device="cpu", say=said.append)
    assert first.samples > 0 and said
    net = Net.load(game, tmp_path / f"{game.key}.npz")
    seen = first.field.observations[0]
    with torch.no_grad():
        logits, values = first.model(seen)
    ours, worth = net.forward(seen[:, : game.rules.FEATURES].numpy())
    assert np.allclose(logits[:, : game.rules.MOVES].numpy(), ours, atol=0.02)
    assert np.allclose(values.numpy(), worth, atol=0.05)
    again = train(game, QUICK, tmp_path, device="cpu", resume=True, say=said.append)
    assert again.samples > first.samples and again.spent > first.spent


@each_game
def test_values_turn_with_the_seats(game: Game, tmp_path: Path) -> None:
    trainer = Trainer(game, QUICK, "cpu", tmp_path, say=lambda _: None)
    players, actors = trainer.field.players, trainer.field.actors[0]
    by_seat = torch.rand(len(players), game.rules.SEATS) * (trainer.seats < players[:, None])
    turned = trainer._from_actor(by_seat, actors, players)
    assert torch.equal(trainer._by_seat(turned, actors, players), by_seat)
    assert torch.equal(turned[:, 0], by_seat.gather(1, actors.long()[:, None])[:, 0])


@each_game
def test_the_example_of_the_docs_trains(game: Game) -> None:
    spec = importlib.util.spec_from_file_location(EXAMPLE.stem, EXAMPLE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert -1 <= example.train(game.key, 2) <= 1
