"""What the seat to act cannot know.

A critic that only helps to learn may see all hands and what comes next; the less luck is left, the clearer a move's own
worth. A game may say what that is (`secret`). Where it does not, a few features of every other seat are shown,
found by play: whatever changes in them when the unseen cards are dealt anew is a secret.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foxrow.core.batch import Batch, Variant
from foxrow.core.chance import streams
from foxrow.core.contract import Game

LOOKS = 400  # positions of random games


def secrets(game: Game, kinds: Sequence[Variant]) -> NDArray[np.int32]:
    """Which they are, ascending: the game's own, or columns of the features. What may be one in any frame is one."""
    rules = game.rules
    if rules.SECRETS:
        return np.arange(rules.SECRETS, dtype=np.int32)
    batch = Batch(game, max(8, len(kinds)), kinds, seed=1, observe=False, masks=False, threads=1)
    rng = streams(1, 1)[0]
    differ = np.zeros(rules.FEATURES, np.bool_)
    for look in range(LOOKS):
        batch.wander(1)
        state = batch.states[look % batch.n]
        seat, players = rules.actor(state), int(state.players)
        other = rules.mask(state, seat)
        rules.fill(other, rng)
        for k in range(1, players):
            there = (seat + k) % players
            differ |= rules.features(state, there) != rules.features(other, there)
    return np.flatnonzero(differ[rules.frames.features].any(0)).astype(np.int32)


def in_frames(game: Game, secrets: NDArray[np.int32]) -> NDArray[np.int32]:
    """[frame, i] the secret, or the feature, that is the i-th of these there."""
    frames = game.rules.frames
    order = frames.secrets if game.rules.SECRETS else frames.features
    return np.ascontiguousarray(order[:, secrets].astype(np.int32))


def secret_size(game: Game, secrets: Sequence[int] | NDArray[np.int32]) -> int:
    """How many numbers a critic sees beside the features."""
    return len(secrets) * (1 if game.rules.SECRETS else game.rules.SEATS - 1)
