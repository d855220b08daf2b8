"""Bots by their names: `random`, `greedy`, `search:1000`, `search:200ms`, `level:5`, or a program's command line."""

from __future__ import annotations

import re
from collections.abc import Callable

from foxrow.bots.levels import Leveled, levels
from foxrow.bots.outside import Outside, command
from foxrow.bots.protocol import Bot, BotError
from foxrow.bots.searching import Searching
from foxrow.bots.simple import Greedy, Random
from foxrow.core.contract import Game
from foxrow.search.searcher import warm

__all__ = ["Maker", "make", "maker", "warm"]

LEVEL = re.compile(r"level:(\d{1,3})")
SEARCH = re.compile(r"search:(\d+)(ms|s)?(?:x(\d+))?")

Maker = Callable[[int], Bot]  # from a seed


def maker(spec: str, game: Game, *, outside: bool = False) -> Maker:
    """Check a bot's name now, make the bot later (and as often as wanted).

    Only with `outside` may the name be a command line: a server must never run what a client wrote.
    """
    spec = spec.strip()
    if spec == "random":
        return lambda seed: Random(game.rules, seed)
    if spec == "greedy":
        return lambda seed: Greedy(game.rules, seed)
    if match := SEARCH.fullmatch(spec):
        amount, unit, threads = int(match[1]), match[2], int(match[3] or 1)
        if amount < 1 or not 1 <= threads <= 64:
            raise BotError(f"{spec}: a search needs a budget above 0 and 1 to 64 threads")
        simulations = None if unit else amount
        ms = {"ms": 1.0, "s": 1000.0}[unit] * amount if unit else None
        return lambda seed: Searching(game, seed=seed, simulations=simulations, ms=ms, threads=threads, name=spec)
    if match := LEVEL.fullmatch(spec):
        found = levels(game)
        if not 1 <= int(match[1]) <= len(found):
            raise BotError(f"{game.name} has the levels 1 to {len(found)}, not {match[1]}")
        level = found[int(match[1]) - 1]
        return lambda seed: Leveled(game, level, seed=seed, name=spec)
    if outside and (words := command(spec)):
        return lambda seed: Outside(game, words, seed=seed, name=spec)
    raise BotError(
        f"there is no bot {spec!r}; there are: random, greedy, search:1000, search:200ms, level:1 to level:8"
    )


def make(spec: str, game: Game, *, seed: int = 0, outside: bool = False) -> Bot:
    """A bot by its name. The same seed, views and budget of simulations give the same moves."""
    return maker(spec, game, outside=outside)(seed)
