"""Bots by their names: `random`, `greedy`, `search:1000`, `search:200ms`, `net`, `net+search:400`, `level:5`, or a
program's command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from foxrow.bots.learned import Guided, Learned, nets_of, warm_guided
from foxrow.bots.levels import Leveled, levels
from foxrow.bots.outside import Outside, command, obstacle
from foxrow.bots.protocol import Bot, BotError
from foxrow.bots.searching import Searching
from foxrow.bots.simple import Greedy, Random
from foxrow.core.contract import Game
from foxrow.core.rules import Tell
from foxrow.search.searcher import warm

__all__ = ["Maker", "learned", "make", "maker", "prepare", "warm"]

LEVEL = re.compile(r"level:(\d{1,3})")
SEARCH = re.compile(r"(net\+)?search:(\d+)(ms|s)?(?:x(\d+))?")

MOST = 1_000_000_000  # simulations, milliseconds or seconds: what nobody waits for, and a search can count

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
    if spec == "net":
        nets = nets_of(game)
        return lambda seed: Learned(game, nets, seed=seed)
    if match := SEARCH.fullmatch(spec):
        budget, unit, side = float(match[2]), match[3], float(match[4] or 1)  # too long for an int, it is infinite
        if not (1 <= budget <= MOST and 1 <= side <= 64):
            shown = spec if len(spec) <= 40 else f"{spec[:40]}…"
            raise BotError(f"{shown}: a search needs a budget of 1 to {MOST:,} and 1 to 64 threads")
        amount, threads = int(budget), int(side)
        simulations = None if unit else amount
        ms = {"ms": 1.0, "s": 1000.0}[unit] * amount if unit else None
        if match[1]:
            guides = nets_of(game)
            return lambda seed: Guided(
                game, guides, seed=seed, simulations=simulations, ms=ms, threads=threads, name=spec
            )
        return lambda seed: Searching(game, seed=seed, simulations=simulations, ms=ms, threads=threads, name=spec)
    if match := LEVEL.fullmatch(spec):
        found = levels(game)
        if not 1 <= int(match[1]) <= len(found):
            raise BotError(f"{game.name} has the levels 1 to {len(found)}, not {match[1]}")
        level = found[int(match[1]) - 1]
        return lambda seed: Leveled(game, level, seed=seed, name=spec)
    if outside and (words := command(spec)):
        return lambda seed: Outside(game, words, seed=seed, name=spec)
    if outside and (why := obstacle(spec)):
        raise BotError(why)
    raise BotError(
        f"there is no bot {spec!r}; there are: random, greedy, search:1000, search:200ms, net, net+search:400, "
        "level:1 to level:8"
    )


def prepare(game: Game, specs: Sequence[str] = (), tell: Tell | None = None) -> None:
    """Compile what these bots need, or load it from the cache folder: the rules, the search, the search by net."""
    warm(game.rules, tell)
    if not any(learned(spec, game) for spec in specs):
        return
    net = next(filter(None, nets_of(game).values()), None)  # all of them run the same code
    if net and any(spec.strip() == "net" for spec in specs):
        net.warm()
    if net and any(_by_net(spec.strip(), game) for spec in specs):
        warm_guided(net, tell)


def learned(spec: str, game: Game) -> bool:
    """Whether a bot asks its game's net."""
    return spec.strip() == "net" or _by_net(spec.strip(), game)


def _by_net(spec: str, game: Game) -> bool:
    if match := LEVEL.fullmatch(spec):
        found = levels(game)
        return 1 <= int(match[1]) <= len(found) and found[int(match[1]) - 1].net
    return spec.startswith("net+")


def make(spec: str, game: Game, *, seed: int = 0, outside: bool = False) -> Bot:
    """A bot by its name. The same seed, views and budget of simulations give the same moves."""
    return maker(spec, game, outside=outside)(seed)
