"""The weights of a net as a file: a few matrices, and a card that says what they are for.

A matrix is kept in half precision, or, where all of them would not fit into `ROOM`, in steps: whole numbers of a byte,
and how large a step is for each number that comes out.

A net is a stack of layers: `enter`, then `depth − 1` layers that add to what they get, then the heads `policy` (a
number a move) and `value` (a number a seat, counted from the one to act). Its critic, where there is one, has no
policy; it reads the features of the seat to act, and behind them the secrets of the others (see `secrets`). It has a
head `deal` instead: how likely these secrets are, as the logarithm of the odds against a deal drawn evenly.
"""

from __future__ import annotations

import importlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.nets.secrets import secret_size

FORMAT = "foxrow-net/3"
READ = (FORMAT, "foxrow-net/2")  # the older one knew no steps
ROOM = 4_000_000  # bytes
STEPS = 127  # up and down
FILE = "weights.npz"


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


def home(game: Game) -> Path:
    """Where a game keeps its weights: in its own folder."""
    module = importlib.import_module(game.package)
    return Path(str(module.__file__)).parent / FILE


def coarse(half: NDArray[np.float16]) -> NDArray[np.float16]:
    """Rounded to seven bits behind the point, as a GPU multiplies: a critic needs no more, and packs smaller."""
    return ((half.view(np.uint16) + np.uint16(4)) & np.uint16(0xFFF8)).view(np.float16)


def save(path: Path, card: Card, layers: Layers) -> None:
    arrays: dict[str, NDArray[np.generic]] = {}
    large = 2 * sum(matrix.size for name, (matrix, _) in layers.items() if not name.startswith("critic.")) > ROOM
    for name, (matrix, bias) in layers.items():
        if large:
            step = np.maximum(np.abs(matrix).max(0), 1e-12) / STEPS
            arrays[f"{name}.matrix"] = np.rint(matrix / step).astype(np.int8)
            arrays[f"{name}.step"] = step.astype(np.float32)
        else:
            half = matrix.astype(np.float16)
            arrays[f"{name}.matrix"] = coarse(half) if name.startswith("critic.") else half
        arrays[f"{name}.bias"] = bias.astype(np.float32)
    arrays["card"] = np.frombuffer(json.dumps(asdict(card)).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def _matrix(file: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    matrix = file[f"{name}.matrix"].astype(np.float32)
    return matrix * file[f"{name}.step"].astype(np.float32) if f"{name}.step" in file else matrix


def load(path: Path, game: Game) -> tuple[Card, Layers]:
    """Read a file and check that it fits the game."""
    try:
        with path.open("rb") as data, np.load(data, allow_pickle=False) as file:
            card = Card(**json.loads(file["card"].tobytes()))
            if card.secrets is not None:
                card = replace(card, secrets=tuple(card.secrets))
            layers: Layers = {
                name: (_matrix(file, name), file[f"{name}.bias"].astype(np.float32))
                for name in names(card.depth) + critic_names(card.critic_depth)
            }
    except FileNotFoundError:
        raise WeightsError(f"there are no weights at {path}") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError(f"{path} is no file of weights: {error}") from None
    rules = game.rules
    if card.format not in READ:
        raise WeightsError(f"{path} has the format {card.format!r}, and this version of Foxrow reads {FORMAT!r}")
    wanted = (game.key, game.version, game.rules.FEATURES_VERSION)
    if (card.game, card.version, card.features) != wanted:
        raise WeightsError(
            f"{path} is for {card.game} {card.version} with features {card.features}, "
            f"not for {game.key} {game.version} with features {wanted[2]}"
        )
    shapes = [(rules.FEATURES, card.width), *[(card.width, card.width)] * (card.depth - 1)]
    shapes += [(card.width, rules.MOVES), (card.width, rules.SEATS)]
    if card.critic:
        known = tuple(card.secrets or ())
        if known != tuple(range(rules.SECRETS)) if rules.SECRETS else max(known, default=0) >= rules.FEATURES:
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
    return card, layers
