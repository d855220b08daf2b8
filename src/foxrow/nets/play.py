"""Playing a net without torch: a fraction of a millisecond a position on one core."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.contract import Game
from foxrow.core.record import Record
from foxrow.nets.forward import desk, forward, judge_moves, judge_seats, pack, pack_critic
from foxrow.nets.secrets import in_frames, secret_size
from foxrow.nets.weights import Card, Layers, home, load

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def temperature(game: Game, players: int) -> float:
    """How a game's net chooses, as its `play.TEMPERATURE` says for some numbers of players: 1 as its policy does, by
    lot; 0, for all others, the likeliest move.

    Who always does the same in the same place can be learned by heart, and where much is hidden, beaten by that.
    """
    return float(getattr(importlib.import_module(f"{game.package}.play"), "TEMPERATURE", {}).get(players, 0.0))


class Net:
    """A trained network of one game.

    It sees features only, so it cannot cheat: `policy` and `value` of a view and of the truth are the same.
    """

    def __init__(self, game: Game, card: Card, layers: Layers) -> None:
        self.game = game
        self.card = card
        frames = game.rules.frames
        self.packed = pack(layers, card.depth, frames)
        self.critic = pack_critic(layers, card.critic_depth, frames)
        self.secrets = in_frames(game, np.array(card.secrets or (), np.int32))
        self.unseen = secret_size(game, card.secrets or ())  # numbers that the critic sees beside the features

    @classmethod
    def load(cls, game: Game, path: Path | None = None, players: int = 2) -> Net:
        """The game's own weights for a table of so many players, or a file's. WeightsError says what is wrong."""
        return cls(game, *load(path or home(game, players), game))

    def warm(self) -> None:
        """Compile the arithmetic, or load it from the cache folder."""
        h, room = desk(self.packed, 1)
        forward(self.packed, np.zeros((1, self.game.rules.FEATURES), np.int8), 1, h, room)
        judge_moves(self.packed, h[0], np.zeros(1, np.int32), 1, 0, np.empty(1))
        judge_seats(self.packed, h[0], 0, 1, np.empty(1))

    def forward(self, features: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """Many positions at once: int8 [n, FEATURES] → logits [n, MOVES], values [n, SEATS] from the seat to act on.

        Features and moves are as the net sees them, in the frame of the position (`Rules.frames`).
        """
        net = self.packed
        h = np.maximum(features.astype(np.float32) @ net.enter + net.enter_bias, 0)
        for matrix, bias in zip(net.blocks, net.block_biases, strict=True):
            h = h + np.maximum(h @ matrix + bias, 0)
        return h @ net.policy.T + net.policy_bias, h @ net.value.T + net.value_bias

    def evaluate(self, view: Record, legal: Sequence[int]) -> tuple[Doubles, Doubles]:
        """One position: the probability of each legal move, in their order, and what each seat may expect.

        The expectation is a reward in [−1, 1], 1 for a sure win, one number a seat of the table. A move that is not
        legal raises IllegalMove.
        """
        state: Any = view
        rules = self.game.rules
        rules.check(view, legal)
        seat, players = rules.actor(state), int(state.players)
        h, room = desk(self.packed, 1)  # its own: several threads may ask one net
        frame = rules.frame(state, seat)
        forward(self.packed, rules.features(state, seat)[None, self.packed.columns[frame]], 1, h, room)
        odds, worth = np.empty(len(legal), np.float64), np.empty(players, np.float64)
        judge_moves(self.packed, h[0], np.array(legal, np.int32), len(legal), frame, odds)
        judge_seats(self.packed, h[0], seat, players, worth)
        return odds, worth

    def choose(
        self, view: Record, legal: Sequence[int], rng: np.random.Generator | None = None, temperature: float = 0.0
    ) -> int:
        """A move: the most probable one, or with a temperature one drawn by lot."""
        odds, _ = self.evaluate(view, legal)
        return int(legal[pick(odds, rng, temperature)])


def pick(odds: Doubles, rng: np.random.Generator | None = None, temperature: float = 0.0) -> int:
    """Which of these: the most probable, or with a temperature one drawn by lot."""
    if temperature <= 0 or rng is None:
        return int(odds.argmax())
    sharpened = (odds / odds.max()) ** (1 / temperature)
    return int(rng.choice(len(odds), p=sharpened / sharpened.sum()))
