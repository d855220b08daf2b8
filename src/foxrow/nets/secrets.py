"""Which features of the other seats tell what the seat to act cannot know.

A critic that only helps to learn may see all hands; it then needs a few features of every seat, not all of them: most
are public and the same for all. They are found by play: whatever changes in the others' features when the unseen cards
are dealt anew is a secret.
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
    """The columns of the features that are secrets, ascending."""
    rules = game.rules
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
    return np.flatnonzero(differ).astype(np.int32)
