"""Loops over whole games, the same for every game: a template, loaded once per game with its rules as globals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import below, shuffle
from foxrow.core.rule import rule

if TYPE_CHECKING:
    from foxrow.core.functions import actor, apply, deal, legal, policy


@rule
def redeal(
    s: Any,
    rng: NDArray[np.int64],
    order: NDArray[np.int32],
    players: int,
    first: int,
    options: NDArray[np.int32],
) -> None:
    """Deal `s` anew from the fast generator. `order` is room for the deck; its content does not matter."""
    for i in range(len(order)):
        order[i] = i
    shuffle(rng, order)
    deal(s, order, players, first, options)


@rule
def play_out(s: Any, rng: NDArray[np.int64], out: NDArray[np.int32], randomness: int) -> int:
    """Play `s` to its end and count the moves: by the policy, but `randomness` of 100 moves at random."""
    moves = 0
    while actor(s) >= 0:
        n = legal(s, out)
        if randomness >= 100 or (randomness > 0 and below(rng, 100) < randomness):
            move = out[below(rng, n)]
        else:
            move = policy(s, out, n, rng)
        apply(s, move)
        moves += 1
    return moves


@rule
def play_many(
    states: Any,
    rngs: NDArray[np.int64],
    order: NDArray[np.int32],
    out: NDArray[np.int32],
    players: int,
    options: NDArray[np.int32],
    moves: int,
    randomness: int,
) -> int:
    """Play games one after the other in every slot until `moves` moves are made there; how many in all.

    The first player moves on from game to game. `states` need not be dealt.
    """
    total = 0
    for i in range(len(states)):
        s = states[i]
        rng = rngs[i]
        made = 0
        games = 0
        while made < moves:
            redeal(s, rng, order, players, games % players, options)
            made += play_out(s, rng, out, randomness)
            games += 1
        total += made
    return total
