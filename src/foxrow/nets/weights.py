"""The weights of a net as a file: a few matrices, and a card that says what they are for.

A matrix is kept in steps: whole numbers of a byte, and how large a step is, by what goes in and by what comes out. Both
are needed: features differ much in size, and so do their weights; one step for all of them is too coarse for most.

Two players are a duel, in which a bot may be learned by heart, so its net has to stay hard to foresee; a full table is
another game. So a game may have a second file, for tables of more than two.

A net is a stack of layers: `enter`, then `depth − 1` layers that add to what they get, then the heads `policy` (a
number a move) and `value` (a number a seat, counted from the one to act). Its critic, where there is one, has no
policy; it reads the features of the seat to act, and behind them the secrets of the others (see `secrets`). It has a
head `deal` instead: how likely these secrets are, as the logarithm of the odds against a deal drawn evenly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.nets.secrets import secret_size

FORMAT = "foxrow-net/4"
OLDER = ("foxrow-net/2", "foxrow-net/3")  # half precision, or steps that only differ by what comes out
ROOM = 4_000_000  # bytes that a game's files may have together
STEPS = 127  # up and down
ROUNDS = 4  # of evening out rows and columns
LARGEST = 1 << 16  # what no size in a card may reach
MOST = 1e30  # what no number in a net may reach, whatever it is shown: a float32 ends at 3e38
FILE = "weights.npz"
MORE = "weights-more.npz"  # for tables of more than two


class WeightsError(FoxrowError):
    """No weights, or a file that is none, or one for other features or moves."""


@dataclass(frozen=True)
class Card:
    """What the weights are for, and where they come from."""

    game: str
    version: int  # of the game's rules and moves
    features: int  # version of the feature vector
    width: int
    depth: int
    samples: int = 0  # moves that it learned from
    critic: int = 0  # width of the critic; 0: there is none
    critic_depth: int = 0
    secrets: tuple[int, ...] | None = None  # the features that are secrets; None: nobody has looked
    format: str = FORMAT


Layer = tuple[NDArray[np.float32], NDArray[np.float32]]  # matrix [in, out], bias [out]
Layers = dict[str, Layer]  # by name


def names(depth: int) -> list[str]:
    """The layers in order."""
    return ["enter", *(f"block{i}" for i in range(depth - 1)), "policy", "value"]


def critic_names(depth: int) -> list[str]:
    """The critic's layers in order."""
    return [f"critic.{name}" for name in (*names(depth), "deal") if name != "policy"] if depth else []


def home(game: Game, players: int = 2) -> Path:
    """Where a game keeps the weights for a table of so many players."""
    more = game.folder / MORE
    return more if players > 2 and more.exists() else game.folder / FILE


def save(path: Path, card: Card, layers: Layers) -> None:
    """Write a file in today's format; `save(path, *load(path, game))` brings an older one up to it."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, (matrix, bias) in layers.items():
        if not (np.isfinite(matrix).all() and np.isfinite(bias).all()):
            raise WeightsError(f"{path} is not written: the layer {name!r} holds numbers that are none")
        steps, rows, columns = _in_steps(matrix)
        arrays |= {f"{name}.matrix": steps, f"{name}.rows": rows, f"{name}.columns": columns}
        arrays[f"{name}.bias"] = bias.astype(np.float32)
    arrays["card"] = np.frombuffer(json.dumps(asdict(replace(card, format=FORMAT))).encode(), np.uint8)
    with whole(path) as part, part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write a file so that it replaces the one before in one step: nobody reads half of it, and who is killed
    while writing leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _in_steps(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]:
    """Whole numbers, and how large they are by row and by column: the matrix is about the product of the three.

    Rows get the same size on the whole, columns the same largest number, in turn; what is all zero stays as it is.
    """
    even = matrix.astype(np.float64)
    rows, columns = np.ones((len(even), 1)), np.ones(even.shape[1])
    for _ in range(ROUNDS):
        size = np.sqrt((even**2).mean(1, keepdims=True))
        size[size == 0] = 1
        even, rows = even / size, rows * size
        most = np.abs(even).max(0)
        most[most == 0] = 1
        even, columns = even / most, columns * most
    return (
        np.rint(STEPS * even).astype(np.int8),
        rows[:, 0].astype(np.float32),
        (columns / STEPS).astype(np.float32),
    )


def _matrix(file: Mapping[str, NDArray[Any]], name: str, form: str) -> NDArray[np.float32]:
    matrix = file[f"{name}.matrix"].astype(np.float32)
    if form in OLDER:
        return matrix * file[f"{name}.step"].astype(np.float32) if f"{name}.step" in file else matrix
    rows, columns = (file[f"{name}.{side}"].astype(np.float32) for side in ("rows", "columns"))
    if (rows.shape, columns.shape) != (matrix.shape[:1], matrix.shape[1:]):
        raise ValueError(f"the steps of the layer {name!r} are {rows.shape} by {columns.shape}, not {matrix.shape}")
    with np.errstate(over="ignore", invalid="ignore"):  # whoever reads it looks for numbers that are none
        return matrix * rows[:, None] * columns


def load(path: Path, game: Game) -> tuple[Card, Layers]:
    """Read a file and check that it fits the game."""
    try:
        with path.open("rb") as data, np.load(data, allow_pickle=False) as file:
            card = Card(**json.loads(file["card"].tobytes()))
            if card.secrets is not None:
                card = replace(card, secrets=tuple(card.secrets))
            if card.format not in (FORMAT, *OLDER):
                raise WeightsError(
                    f"{path} has the format {card.format!r}, and this version of Foxrow reads {FORMAT!r}"
                )
            _check(card)
            layers: Layers = {
                name: (_matrix(file, name, card.format), file[f"{name}.bias"].astype(np.float32))
                for name in names(card.depth) + critic_names(card.critic_depth)
            }
    except FileNotFoundError:
        raise WeightsError(f"there are no weights at {path}") from None
    except WeightsError:
        raise
    except Exception as error:  # whatever a damaged archive makes zipfile, zlib, NumPy and json say
        raise WeightsError(f"{path} is no file of weights: {error}") from None
    rules = game.rules
    wanted = (game.key, game.version, game.rules.FEATURES_VERSION)
    if (card.game, card.version, card.features) != wanted:
        raise WeightsError(
            f"{path} is for {card.game} {card.version} with features {card.features}, "
            f"not for {game.key} {game.version} with features {wanted[2]}"
        )
    shapes = [(rules.FEATURES, card.width), *[(card.width, card.width)] * (card.depth - 1)]
    shapes += [(card.width, rules.MOVES), (card.width, rules.SEATS)]
    known = card.secrets or ()
    if max(known, default=0) >= (rules.SECRETS or rules.FEATURES):
        raise WeightsError(f"{path}: its secrets are others than {game.key} has now")
    if card.critic:
        if rules.SECRETS and known != tuple(range(rules.SECRETS)):
            raise WeightsError(f"{path}: its critic saw other secrets than {game.key} has now")
        seen = rules.FEATURES + secret_size(game, card.secrets or ())
        shapes += [(seen, card.critic), *[(card.critic, card.critic)] * (card.critic_depth - 1)]
        shapes += [(card.critic, rules.SEATS), (card.critic, 1)]
    for name, shape in zip(names(card.depth) + critic_names(card.critic_depth), shapes, strict=True):
        matrix, bias = layers[name]
        if matrix.shape != shape or bias.shape != shape[1:]:
            raise WeightsError(f"{path}: the layer {name!r} is {matrix.shape}, not {shape}")
        if not (np.isfinite(matrix).all() and np.isfinite(bias).all()):
            raise WeightsError(f"{path}: the layer {name!r} holds numbers that are none")
    for stack in (names(card.depth), critic_names(card.critic_depth)):
        if _reach(layers, stack) > MOST:
            raise WeightsError(f"{path} holds numbers so large that a position could be too much for them")
    return card, layers


def _check(card: Card) -> None:
    """Whether these are the sizes of a net at all: a card is somebody's JSON."""
    sizes = (card.version, card.features, card.width, card.depth, card.critic, card.critic_depth)
    if not all(type(size) is int and 0 <= size < LARGEST for size in (*sizes, *(card.secrets or ()))):
        raise ValueError(f"the sizes in its card must be whole numbers from 0 to {LARGEST - 1}")
    if type(card.samples) is not int:
        raise ValueError("the samples in its card must be a whole number")
    if not (card.width and card.depth) or bool(card.critic) != bool(card.critic_depth):
        raise ValueError("a net has a width and a depth, and its critic both or none")


def _reach(layers: Layers, stack: list[str]) -> float:
    """How far from 0 a number can come between these layers or behind them, whatever the features are."""

    def behind(name: str, most: float) -> float:
        matrix, bias = layers[name]
        return float((np.abs(matrix).sum(0, dtype=np.float64) * most + np.abs(bias)).max(initial=0.0))

    heads = [name for name in stack if name.rpartition(".")[2] in ("policy", "value", "deal")]
    most = 128.0  # a feature is a byte
    for number, name in enumerate(name for name in stack if name not in heads):
        most = behind(name, most) + (most if number else 0.0)
    return max((behind(name, most) for name in heads), default=0.0)
