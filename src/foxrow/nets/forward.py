"""A net's arithmetic on one core, compiled: a few dozen microseconds a position, and Python is not asked.

Positions come in small batches, since a matrix that is read once for four of them costs half. Most features are 0, so
the first layer adds up rows of its matrix; of the policy only the legal moves are worked out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foxrow.core.rule import PURE, arithmetic, part, rule
from foxrow.core.rules import Frames
from foxrow.nets.weights import Layer, Layers, critic_names, names

Floats = NDArray[np.float32]
LANES = 4  # positions that go through a matrix together
UNIT = 16  # widths are filled up to a multiple of this with zeros


class Packed(NamedTuple):
    """The layers as the compiled code reads them; widths are filled up with zeros. A critic has no moves."""

    enter: Floats  # [feature, width]
    enter_bias: Floats  # [width]
    blocks: Floats  # [block, width, width]
    block_biases: Floats  # [block, width]
    policy: Floats  # [move, width]
    policy_bias: Floats  # [move]
    value: Floats  # [seat, width]; of a critic, the deal's odds behind them
    value_bias: Floats  # [seat]
    columns: NDArray[np.int16]  # [frame, feature] and …
    moves: NDArray[np.int16]  # [frame, move] how features and moves are seen in each frame (`Rules.frames`)


def pack(layers: Layers, depth: int, frames: Frames) -> Packed:
    *stack, policy, value = (layers[name] for name in names(depth))
    return _pack(stack, policy, value, frames)


def pack_critic(layers: Layers, depth: int, frames: Frames) -> Packed:
    """The critic; of a net that has none, one that sees nothing and has no opinion."""
    if depth == 0:
        nothing = (np.zeros((0, 0), np.float32), np.zeros(0, np.float32))
        return _pack([nothing], nothing, nothing, frames)
    *stack, value, deal = (layers[name] for name in critic_names(depth))
    heads = (np.hstack((value[0], deal[0])), np.hstack((value[1], deal[1])))  # the deal's odds behind the seats' values
    return _pack(stack, (np.zeros((len(value[0]), 0), np.float32), np.zeros(0, np.float32)), heads, frames)


def _pack(stack: Sequence[Layer], to_policy: Layer, to_value: Layer, frames: Frames) -> Packed:
    (enter, enter_bias), *blocks = stack
    (policy, policy_bias), (value, value_bias) = to_policy, to_value
    width = enter.shape[1]
    more = -width % UNIT

    def wide(array: Floats, *axes: int) -> Floats:
        room = [(0, more if axis in axes else 0) for axis in range(array.ndim)]
        return np.ascontiguousarray(np.pad(array, room), np.float32)

    matrices = np.stack([m for m, _ in blocks]) if blocks else np.zeros((0, width, width), np.float32)
    biases = np.stack([b for _, b in blocks]) if blocks else np.zeros((0, width), np.float32)
    return Packed(
        wide(enter, 1),
        wide(enter_bias, 0),
        wide(matrices, 1, 2),
        wide(biases, 1),
        wide(policy.T, 1),
        wide(policy_bias),
        wide(value.T, 1),
        wide(value_bias),
        frames.features,
        frames.moves,
    )


def desk(net: Packed, n: int) -> tuple[Floats, Floats]:
    """Room to think about up to n positions at once: what the layers say, [n or a little more, width] twice."""
    rows = -(-n // LANES) * LANES
    width = net.enter.shape[1]
    return np.zeros((rows, width), np.float32), np.zeros((rows, width), np.float32)


@arithmetic
def _enter(features: NDArray[np.int8], matrix: Floats, bias: Floats, out: Floats, at: NDArray[np.int64]) -> None:
    """The first layer of one position: the rows of its features that are not 0, four at a time."""
    n = 0
    for i in range(len(features)):
        if features[i] != 0:
            at[n] = i
            n += 1
    for j in range(len(bias)):
        out[j] = bias[j]
    k = 0
    while k + 4 <= n:
        a = np.float32(features[at[k]])
        b = np.float32(features[at[k + 1]])
        c = np.float32(features[at[k + 2]])
        d = np.float32(features[at[k + 3]])
        first = matrix[at[k]]
        second = matrix[at[k + 1]]
        third = matrix[at[k + 2]]
        fourth = matrix[at[k + 3]]
        for j in range(len(bias)):
            out[j] += a * first[j] + b * second[j] + c * third[j] + d * fourth[j]
        k += 4
    while k < n:
        a = np.float32(features[at[k]])
        first = matrix[at[k]]
        for j in range(len(bias)):
            out[j] += a * first[j]
        k += 1
    for j in range(len(bias)):
        out[j] = max(out[j], np.float32(0.0))


@arithmetic
def _one(x: Floats, matrix: Floats, bias: Floats, out: Floats) -> None:
    """A layer of one position."""
    for j in range(len(bias)):
        out[j] = bias[j]
    for i in range(0, len(x), 4):
        a = x[i]
        b = x[i + 1]
        c = x[i + 2]
        d = x[i + 3]
        first = matrix[i]
        second = matrix[i + 1]
        third = matrix[i + 2]
        fourth = matrix[i + 3]
        for j in range(len(bias)):
            out[j] += a * first[j] + b * second[j] + c * third[j] + d * fourth[j]


@arithmetic
def _four(x: Floats, matrix: Floats, bias: Floats, out: Floats, r: int) -> None:
    """A layer of four positions: sixteen products for every four weights that are read."""
    for j in range(len(bias)):
        out[r, j] = bias[j]
        out[r + 1, j] = bias[j]
        out[r + 2, j] = bias[j]
        out[r + 3, j] = bias[j]
    y0 = out[r]
    y1 = out[r + 1]
    y2 = out[r + 2]
    y3 = out[r + 3]
    for i in range(0, x.shape[1], 4):
        a0 = x[r, i]
        a1 = x[r, i + 1]
        a2 = x[r, i + 2]
        a3 = x[r, i + 3]
        b0 = x[r + 1, i]
        b1 = x[r + 1, i + 1]
        b2 = x[r + 1, i + 2]
        b3 = x[r + 1, i + 3]
        c0 = x[r + 2, i]
        c1 = x[r + 2, i + 1]
        c2 = x[r + 2, i + 2]
        c3 = x[r + 2, i + 3]
        d0 = x[r + 3, i]
        d1 = x[r + 3, i + 1]
        d2 = x[r + 3, i + 2]
        d3 = x[r + 3, i + 3]
        first = matrix[i]
        second = matrix[i + 1]
        third = matrix[i + 2]
        fourth = matrix[i + 3]
        for j in range(len(bias)):
            w0 = first[j]
            w1 = second[j]
            w2 = third[j]
            w3 = fourth[j]
            y0[j] += a0 * w0 + a1 * w1 + a2 * w2 + a3 * w3
            y1[j] += b0 * w0 + b1 * w1 + b2 * w2 + b3 * w3
            y2[j] += c0 * w0 + c1 * w1 + c2 * w2 + c3 * w3
            y3[j] += d0 * w0 + d1 * w1 + d2 * w2 + d3 * w3


@arithmetic
def _add(room: Floats, out: Floats) -> None:
    """What a block says is added where it is above 0."""
    for j in range(len(room)):
        out[j] += max(room[j], np.float32(0.0))


@arithmetic
def _dot(a: Floats, b: Floats) -> float:
    total = np.float32(0.0)
    for j in range(len(a)):
        total += a[j] * b[j]
    return float(total)


@rule
def _forward(net: Packed, features: NDArray[np.int8], n: int, h: Floats, room: Floats) -> None:
    at = np.empty(features.shape[1], np.int64)
    for r in range(n):
        _enter(features[r], net.enter, net.enter_bias, h[r], at)
    for block in range(len(net.blocks)):
        if n == 1:
            _one(h[0], net.blocks[block], net.block_biases[block], room[0])
        else:
            for r in range(0, n, LANES):  # the last ones may be idle: their room is there
                _four(h, net.blocks[block], net.block_biases[block], room, r)
        for r in range(n):
            _add(room[r], h[r])


def _plain(net: Packed, features: NDArray[np.int8], n: int, h: Floats, room: Floats) -> None:
    """The same with NumPy, where nothing is compiled."""
    h[:n] = np.maximum(features[:n].astype(np.float32) @ net.enter + net.enter_bias, 0)
    for matrix, bias in zip(net.blocks, net.block_biases, strict=True):
        h[:n] += np.maximum(h[:n] @ matrix + bias, 0)


forward = _plain if PURE else _forward  # the last layer before the heads, for n positions, into h
dot = np.dot if PURE else _dot


@rule
def judge_moves(
    net: Packed, h: Floats, legal: NDArray[np.int32], n: int, frame: int, odds: NDArray[np.float64]
) -> None:
    """The probability of each legal move of one position, which was seen in a frame."""
    most = -1.0e30
    for i in range(n):
        move = net.moves[frame, legal[i]]
        odds[i] = dot(h, net.policy[move]) + net.policy_bias[move]
        most = max(most, odds[i])
    total = 0.0
    for i in range(n):
        odds[i] = np.exp(odds[i] - most)
        total += odds[i]
    for i in range(n):
        odds[i] /= total


@rule
def judge_seats(net: Packed, h: Floats, seat: int, players: int, worth: NDArray[np.float64]) -> None:
    """What each seat of the table may expect, from −1 to 1; the net counts seats from the one to act."""
    for i in range(players):
        worth[(seat + i) % players] = dot(h, net.value[i]) + net.value_bias[i]


@part
def share_of(expected: float, players: int, partners: int) -> float:
    """A share of the win out of an expectation from −1 to 1."""
    return min(1.0, max(0.0, partners * (expected * (players - 1) + 1.0) / players))


@rule
def judge_deal(critic: Packed, h: Floats) -> float:
    """How likely a deal is: the logarithm of its odds against one drawn evenly."""
    last = len(critic.value) - 1
    return float(dot(h, critic.value[last]) + critic.value_bias[last])
