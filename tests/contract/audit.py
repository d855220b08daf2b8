"""Thousands of games in machine code, every one checked: a template, loaded once per game with its rules as globals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import below, shuffle
from foxrow.core.rule import rule

if TYPE_CHECKING:
    from foxrow.core.functions import MAX_LEGAL, MOVES, actor, apply, deal, features, legal, phase, policy

FINE, ENDLESS, WRONG_COUNT, WRONG_MOVE, WRONG_POLICY, WRONG_END = range(6)


@rule
def audit(
    states: Any,
    rng: NDArray[np.int64],
    order: NDArray[np.int32],
    out: NDArray[np.int32],
    seen: NDArray[np.int8],
    players: int,
    options: NDArray[np.int32],
    games: int,
    randomness: int,
    most: int,
    last: int,
) -> int:
    """Play `games` games; what is wrong with one of them. `seen` is room for features, `last` the phase called over.

    The longest game's length is left in order[0].
    """
    s = states[0]
    longest = 0
    for game in range(games):
        for i in range(len(order)):
            order[i] = i
        shuffle(rng, order)
        deal(s, order, players, game % players, options)
        moves = 0
        while actor(s) >= 0:
            n = legal(s, out)
            if n < 1 or n > MAX_LEGAL:
                return WRONG_COUNT
            for i in range(n):
                if out[i] < 0 or out[i] >= MOVES:
                    return WRONG_MOVE
            if below(rng, 100) < randomness:
                move = int(out[below(rng, n)])
            else:
                move = int(policy(s, out, n, rng))
                fine = False
                for i in range(n):
                    if out[i] == move:
                        fine = True
                if not fine:
                    return WRONG_POLICY
            if moves % 16 == 0:
                features(s, actor(s), seen)
            apply(s, move)
            moves += 1
            if moves > most:
                return ENDLESS
        if phase(s) != last or legal(s, out) != 0:
            return WRONG_END
        longest = max(longest, moves)
    order[0] = longest
    return FINE
