"""Loops over the slots of a batch, the same for every game: a template, loaded once per game with its rules as globals.

A slot is one game that goes on for ever: when a round ends, the next one is dealt. Its variant (player count and
options) is fixed. The functions of one slot are what the CUDA kernels call too, so both devices play the same games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import below, shuffle
from foxrow.core.record import TRUTH
from foxrow.core.rule import part, rule

if TYPE_CHECKING:
    from foxrow.core.functions import (
        FRAMES,
        SECRETS,
        actor,
        apply,
        deal,
        features,
        fill,
        frame,
        legal,
        outcome,
        policy,
        scores,
        secret,
    )

Ints = NDArray[np.int32]
Rngs = NDArray[np.int64]


# one slot -----------------------------------------------------------------------------------------------


@part
def fresh(s: Any, rng: Rngs, order: Ints, cards: int, players: int, first: int, codes: Ints) -> None:
    """Deal the next round. `order` is room for a deck; the first seat is drawn by lot when `first` is −1."""
    seat = first
    if seat < 0:
        seat = below(rng, players)
    for i in range(cards):
        order[i] = i
    deck = order[:cards]
    shuffle(rng, deck)
    deal(s, deck, players, seat, codes)


@part
def settle(s: Any, players: int, room: Ints, final: Ints, reward: NDArray[np.float32]) -> None:
    """The end of a round: scores, and a reward per seat that sums to zero: 1 for winning alone, ties share."""
    scores(s, final)
    outcome(s, room)
    winners = 0
    for seat in range(players):
        winners += room[seat]
    for seat in range(players):
        share = players / winners if room[seat] != 0 else 0.0
        reward[seat] = (share - 1.0) / (players - 1)


@part
def allowed(s: Any, move: int, out: Ints) -> bool:
    for i in range(legal(s, out)):
        if out[i] == move:
            return True
    return False


@part
def mark(s: Any, out: Ints, mask: NDArray[np.bool_]) -> None:
    """The legal moves as a row of flags."""
    for move in range(len(mask)):
        mask[move] = False
    for i in range(legal(s, out)):
        mask[out[i]] = True


@part
def see(s: Any, seat: int, columns: NDArray[np.int16], row: NDArray[np.int8], out: NDArray[np.int8]) -> int:
    """The features as a net sees them: in the frame that the seat looks from, which is returned. `row` is room."""
    if FRAMES == 1:
        features(s, seat, out)
        return 0
    features(s, seat, row)
    at = frame(s, seat)
    for i in range(len(row)):
        out[i] = row[columns[at, i]]
    return at


@part
def survey(s: Any, columns: Ints, row: NDArray[np.int8], out: NDArray[np.int8]) -> None:
    """What the seat to act cannot know: in the game's own words, or some features of every other seat, from the
    next one on, side by side. In each frame those of its row of `columns`."""
    players = int(s.players)
    seat = actor(s)
    there = frame(s, seat)
    at = 0
    if SECRETS > 0:
        secret(s, seat, row)
        for c in range(columns.shape[1]):
            out[c] = row[columns[there, c]]
        return
    for k in range(1, players):
        features(s, (seat + k) % players, row)
        for c in range(columns.shape[1]):
            out[at] = row[columns[there, c]]
            at += 1
    for c in range(at, len(out)):  # where nobody sits
        out[c] = 0


@part
def suppose(s: Any, rng: Rngs) -> None:
    """In the place of the truth, a deal that the seat to act takes for possible."""
    s.seer = actor(s)
    fill(s, rng)
    s.seer = TRUTH


# all slots of a range -----------------------------------------------------------------------------------


@rule
def deal_slots(
    states: Any,
    deals: Rngs,
    variants: Ints,
    players: Ints,
    cards: Ints,
    codes: Ints,
    first: int,
    order: Ints,
    low: int,
    high: int,
) -> None:
    for i in range(low, high):
        kind = variants[i]
        fresh(states[i], deals[i], order, int(cards[kind]), int(players[kind]), first, codes[kind])


@rule
def first_illegal(states: Any, moves: Ints, out: Ints, low: int, high: int) -> int:
    """The first slot whose move the rules do not allow; −1 when all are fine."""
    for i in range(low, high):
        if not allowed(states[i], moves[i], out):
            return i
    return -1


@rule
def step_slots(
    states: Any,
    moves: Ints,
    deals: Rngs,
    variants: Ints,
    players: Ints,
    cards: Ints,
    codes: Ints,
    first: int,
    rewards: NDArray[np.float32],
    finals: Ints,
    done: NDArray[np.bool_],
    order: Ints,
    room: Ints,
    low: int,
    high: int,
) -> None:
    """One move in every slot; a round that ends is settled, and the next one is dealt."""
    for i in range(low, high):
        s = states[i]
        apply(s, int(moves[i]))
        done[i] = actor(s) < 0
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
            finals[i, seat] = 0
        if done[i]:
            kind = variants[i]
            settle(s, int(players[kind]), room, finals[i], rewards[i])
            fresh(s, deals[i], order, int(cards[kind]), int(players[kind]), first, codes[kind])


@rule
def observe_slots(
    states: Any,
    observations: NDArray[np.int8],
    masks: NDArray[np.bool_],
    actors: NDArray[np.int8],
    out: Ints,
    low: int,
    high: int,
) -> None:
    """What the seat to act sees, its legal moves, and who it is. An array of no rows is left out."""
    for i in range(low, high):
        s = states[i]
        seat = actor(s)
        actors[i] = seat
        if len(observations) > 0:
            features(s, seat, observations[i])
        if len(masks) > 0:
            mark(s, out, masks[i])


@rule
def survey_slots(states: Any, columns: Ints, row: NDArray[np.int8], out: NDArray[np.int8], low: int, high: int) -> None:
    """Some features of the other seats of every slot; `row` is room for one seat's features."""
    for i in range(low, high):
        survey(states[i], columns, row, out[i])


@rule
def frame_slots(states: Any, frames: Ints, low: int, high: int) -> None:
    """The frame that each seat to act looks from."""
    for i in range(low, high):
        frames[i] = frame(states[i], actor(states[i]))


@rule
def suppose_slots(states: Any, rngs: Rngs, low: int, high: int) -> None:
    for i in range(low, high):
        suppose(states[i], rngs[i])


@rule
def choose_slots(states: Any, choices: Rngs, moves: Ints, out: Ints, by_policy: bool, low: int, high: int) -> None:
    """A legal move for every slot: by lot, or by the game's rule of thumb."""
    for i in range(low, high):
        n = legal(states[i], out)
        if by_policy:
            moves[i] = policy(states[i], out, n, choices[i])
        else:
            moves[i] = out[below(choices[i], n)]


@rule
def wander_slots(
    states: Any,
    deals: Rngs,
    choices: Rngs,
    variants: Ints,
    players: Ints,
    cards: Ints,
    codes: Ints,
    first: int,
    moves: int,
    order: Ints,
    out: Ints,
    low: int,
    high: int,
) -> int:
    """`moves` random moves in every slot, nothing written out; how many rounds ended."""
    ended = 0
    for i in range(low, high):
        s = states[i]
        rng = choices[i]
        for _ in range(moves):
            apply(s, int(out[below(rng, legal(s, out))]))
            if actor(s) < 0:
                kind = variants[i]
                fresh(s, deals[i], order, int(cards[kind]), int(players[kind]), first, codes[kind])
                ended += 1
    return ended
