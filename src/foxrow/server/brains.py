"""What runs in a bot's worker process: a view comes in, a move in notation goes out. The truth never gets here."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.process
import os
import secrets
import signal
import threading
from functools import cache
from typing import Any

import numpy as np

from foxrow.bots import Bot, BotError, Budget, make
from foxrow.core.record import View, blank
from foxrow.core.registry import game as find_game

COUNT = 8
# What plays at each level where a game has no levels of its own.
PLAIN = ("random", "random", "greedy", "greedy", "search:60", "search:200", "search:800", "search:3000")
KEYS = ("novice", "beginner", "easy", "medium", "good", "hard", "expert", "master")
QUICK = 4  # the levels up to this one do not search
SLIP = {2: 0.5, 3: 0.3}  # how often a plain level plays any legal move


def levels() -> list[tuple[int, str]]:
    """The levels a table may choose, weakest first."""
    return list(enumerate(KEYS, 1))


def stand_in() -> int:
    """The level that takes over for a person who is gone or whose time is up."""
    return 4


@cache
def spec(key: str, level: int) -> str:
    """The name of the bot that plays a level of a game."""
    named = f"level:{level}"
    try:
        make(named, find_game(key)).close()
    except BotError:
        return PLAIN[level - 1]
    return named


_bots: dict[tuple[str, int], Bot] = {}


def choose(key: str, packed: bytes, options: dict[str, Any], level: int, seconds: float) -> str:
    """The move that a bot of this level makes with this view."""
    game = find_game(key)
    rules = game.rules
    view = unpacked(rules.State, packed)
    legal = rules.legal(view)
    if len(legal) == 1:
        return rules.move_text(view, legal[0])
    name = spec(key, level)
    if name == PLAIN[level - 1] and secrets.randbelow(100) < 100 * SLIP.get(level, 0.0):
        return rules.move_text(view, secrets.choice(legal))
    if (key, level) not in _bots:
        _bots[key, level] = make(name, game, seed=secrets.randbits(62))
    bot = _bots[key, level]
    state: Any = view
    bot.start(int(state.seer), int(state.players), options)
    choice = bot.choose(view, legal, Budget(ms=seconds * 1000))
    return rules.move_text(view, choice.move)


def pack(view: View) -> bytes:
    """A view as bytes, to send to another process."""
    raw: bytes = np.asarray(view).tobytes()
    return raw


def unpacked(state: Any, packed: bytes) -> View:
    array = blank(state, 1)
    array.view(np.uint8)[...] = np.frombuffer(packed, np.uint8)
    view: View = array[0]
    return view


def prepare() -> None:
    """A worker's first act: leave signals to the parent, and end when it ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), name="follow the parent", daemon=True).start()


def _follow(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(0)


def warm(key: str, low: int, high: int) -> None:
    """Load a game and some levels of its bots, so that a first move does not wait for it."""
    game = find_game(key)
    with contextlib.suppress(Exception):  # a broken game must not take the others' bots down
        game.rules.compile()
        position = game.new()
        seat = position.to_act or 0
        for level in range(low, high + 1):
            choose(game.key, pack(position.masked(seat)), dict(position.options), level, 0.01)
