"""What runs in a bot's worker process: a view comes in, a move in notation goes out. The truth never gets
here."""

from __future__ import annotations

import contextlib
import secrets
import signal
from dataclasses import dataclass
from typing import Any

import numpy as np

from foxrow.core.chance import stream
from foxrow.core.record import View, blank
from foxrow.core.registry import game as find_game


@dataclass(frozen=True)
class LevelName:
    level: int
    key: str
    care: float  # how often it plays by the game's rule of thumb; else any legal move


LEVELS = (LevelName(1, "random", 0.0), LevelName(2, "careless", 0.6), LevelName(3, "greedy", 1.0))


def levels() -> list[tuple[int, str]]:
    """The levels a table may choose, weakest first."""
    return [(level.level, level.key) for level in LEVELS]


def stand_in() -> int:
    """The level that takes over for a person who is gone or whose time is up."""
    return levels()[-1][0]


def choose(key: str, packed: bytes, level: int, seconds: float) -> str:
    """The move that a bot of this level makes with this view."""
    rules = find_game(key).rules
    view = unpacked(rules.State, packed)
    legal = rules.legal(view)
    if len(legal) == 1:
        return rules.move_text(view, legal[0])
    care = next((known.care for known in LEVELS if known.level == level), 1.0)
    if secrets.randbelow(1000) >= care * 1000:
        return rules.move_text(view, secrets.choice(legal))
    moves = np.array(legal, np.int32)
    rng = stream(secrets.randbits(63))
    return rules.move_text(view, int(rules.policy(view, moves, len(legal), rng)))


def pack(view: View) -> bytes:
    """A view as bytes, to send to another process."""
    raw: bytes = np.asarray(view).tobytes()
    return raw


def unpacked(state: Any, packed: bytes) -> View:
    array = blank(state, 1)
    array.view(np.uint8)[...] = np.frombuffer(packed, np.uint8)
    view: View = array[0]
    return view


def prepare(keys: tuple[str, ...]) -> None:
    """A worker's first act: leave signals to the parent, load the games."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for key in keys:
        with contextlib.suppress(Exception):  # a broken game must not take the others' bots down
            find_game(key).rules.compile()
