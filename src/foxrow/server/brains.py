"""What runs in a bot's worker process: a view comes in, a move in notation, or what moves are worth, goes out. The
truth never gets here."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.process
import os
import secrets
import signal
import threading
from typing import Any

import numpy as np

from foxrow.bots import Analyst, Bot, Budget, Verdict, make
from foxrow.bots import levels as game_levels
from foxrow.core.level import Level
from foxrow.core.record import View, blank
from foxrow.core.registry import game as find_game
from foxrow.core.rules import Rules
from foxrow.core.stakes import Stakes
from foxrow.server import messages as ms

THUMB = 0  # in place of a level: by the rule of thumb, which needs no search


def levels(key: str) -> tuple[Level, ...]:
    """The levels that a table of this game may choose, weakest first: the game's own."""
    return game_levels(find_game(key))


def stand_in() -> int:
    """The level that takes over for a person who is gone or whose time is up."""
    return 4


class _Bots(threading.local):
    """A thread's own: a bot has one table in mind at a time."""

    def __init__(self) -> None:
        self.by_level: dict[tuple[str, int], Bot] = {}


_bots = _Bots()


def choose(
    key: str, packed: bytes, options: dict[str, Any], level: int, seconds: float, stakes: Stakes | None = None
) -> str:
    """The move that a bot of this level (or `THUMB`) makes with this view in a round that counts for so much."""
    game = find_game(key)
    rules = game.rules
    view = unpacked(rules.State, packed)
    legal = rules.legal(view)
    if len(legal) == 1:
        return rules.move_text(view, legal[0])
    if (key, level) not in _bots.by_level:
        name = "greedy" if level == THUMB else f"level:{min(level, len(levels(key)))}"
        _bots.by_level[key, level] = make(name, game, seed=secrets.randbits(62))
    bot = _bots.by_level[key, level]
    state: Any = view
    bot.plays_for(stakes)
    bot.start(int(state.seer), int(state.players), options)
    choice = bot.choose(view, legal, Budget(ms=seconds * 1000))
    return rules.move_text(view, choice.move)


def judge(key: str, packed: bytes, options: dict[str, Any], stakes: Stakes | None, made: str) -> ms.Verdict | None:
    """What a move was worth to who had this view; None where it was the only one."""
    game = find_game(key)
    rules = game.rules
    view = unpacked(rules.State, packed)
    found = Analyst(game).judge(view, rules.parse(view, made), options, stakes)
    return None if found is None else told(rules, view, found)


def judge_instead(
    key: str, packed: bytes, options: dict[str, Any], stakes: Stakes | None, made: str, move: str
) -> ms.Verdict | None:
    """What another move would have been worth in the place of the one that was made."""
    game = find_game(key)
    rules = game.rules
    view = unpacked(rules.State, packed)
    found = Analyst(game).instead(view, rules.parse(view, made), rules.parse(view, move), options, stakes)
    return None if found is None else told(rules, view, found)


def told(rules: Rules, view: View, found: Verdict) -> ms.Verdict:
    """A verdict in notation."""
    return ms.Verdict(
        best=rules.move_text(view, found.best),
        chance=round(found.chance, 4),
        made=round(found.made, 4),
        mark=found.mark,
        accuracy=round(found.accuracy, 1),
        tried=[ms.Tried(move=rules.move_text(view, move), chance=round(chance, 4)) for move, chance in found.tried],
        wins=found.wins,
    )


def advise(key: str, packed: bytes, options: dict[str, Any], stakes: Stakes | None) -> ms.Verdict | None:
    """The same of the best move that is found; None where there is only one."""
    game = find_game(key)
    rules = game.rules
    view = unpacked(rules.State, packed)
    found = Analyst(game).advise(view, options, stakes)
    return None if found is None else told(rules, view, found)


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


def warm(key: str, searches: bool) -> None:
    """Load a game and the rule of thumb of its bots, or all their levels, so that a first move does not wait for it."""
    game = find_game(key)
    with contextlib.suppress(Exception):  # a broken game must not take the others' bots down
        game.rules.compile()
        position = game.new()
        seat = position.to_act or 0
        for level in range(1, len(levels(key)) + 1) if searches else (THUMB,):
            choose(game.key, pack(position.masked(seat)), dict(position.options), level, 0.01)
        if searches:
            judge(game.key, pack(position.masked(seat)), dict(position.options), None, position.legal()[0])
