"""Playing a net with NumPy alone: no torch, a fraction of a millisecond a position on one core."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.contract import Game
from foxrow.core.record import Record
from foxrow.nets.weights import Card, Layers, home, load, names

Floats = NDArray[np.float32]


class Net:
    """A trained network of one game.

    It sees features only, so it cannot cheat: `policy` and `value` of a view and of the truth are the same.
    """

    def __init__(self, game: Game, card: Card, layers: Layers) -> None:
        self.game = game
        self.card = card
        self._layers = [layers[name] for name in names(card.depth)]

    @classmethod
    def load(cls, game: Game, path: Path | None = None) -> Net:
        """The weights of the game's own folder, or of a file. WeightsError says what is wrong with it."""
        return cls(game, *load(path or home(game), game))

    def forward(self, features: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """Many positions at once: int8 [n, FEATURES] → logits [n, MOVES], values [n, SEATS] from the seat to act on."""
        (enter, bias), *blocks, (policy, policy_bias), (value, value_bias) = self._layers
        h = np.maximum(features.astype(np.float32) @ enter + bias, 0)
        for matrix, bias in blocks:
            h = h + np.maximum(h @ matrix + bias, 0)
        return h @ policy + policy_bias, h @ value + value_bias

    def evaluate(self, view: Record, legal: Sequence[int]) -> tuple[Floats, Floats]:
        """One position: the probability of each legal move, in their order, and what each seat may expect.

        The expectation is a reward in [−1, 1], 1 for a sure win, one number a seat of the table.
        """
        state: Any = view
        rules = self.game.rules
        seat, players = rules.actor(state), int(state.players)
        logits, values = self.forward(rules.features(state, seat)[None])
        chosen = logits[0, np.asarray(legal)]
        weights = np.exp(chosen - chosen.max())
        return weights / weights.sum(), np.roll(values[0, :players], seat)

    def choose(
        self, view: Record, legal: Sequence[int], rng: np.random.Generator | None = None, temperature: float = 0.0
    ) -> int:
        """A move: the most probable one, or with a temperature one drawn by lot."""
        odds, _ = self.evaluate(view, legal)
        if temperature <= 0 or rng is None:
            return int(legal[int(odds.argmax())])
        sharpened = odds.astype(np.float64) ** (1 / temperature)
        return int(legal[int(rng.choice(len(odds), p=sharpened / sharpened.sum()))])
