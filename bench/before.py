"""A game's net, or one of other weights, among nets of other weights or other bots, on paired deals. Nets choose as
the game's net does, or by lot, `FILE@1` as their policy says:

git show COMMIT:src/foxrow/games/GAME/weights.npz > before.npz
python bench/before.py GAME before.npz --players 2 --deals 400 [--mine other.npz]
python bench/before.py GAME search:1000 --players 4 --mine copy.npz@1
python bench/before.py GAME search:1000 --players 5 --mine search:10000 --minutes 60
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, play_deal
from foxrow.bots.factory import Maker, maker, prepare
from foxrow.bots.protocol import Bot, Budget, Choice
from foxrow.core.errors import FoxrowError
from foxrow.core.registry import games
from foxrow.nets.play import Net, temperature
from foxrow.nets.weights import home, load

CHUNK = 2  # deals that a process takes at a time


class Kept(Bot):
    """A net of given weights."""

    def __init__(self, net: Net, seed: int, lot: float) -> None:
        self.name = "net"
        self._net, self._lot = net, lot
        self._rng = np.random.default_rng(seed)

    def choose(self, view: Any, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        return Choice(self._net.choose(view, legal, self._rng, self._lot))


class Pair(Players):
    """Two at the arena's tables: files of weights, or bots by name."""

    def __init__(self, plan: Plan, names: Sequence[str]) -> None:
        super().__init__(plan)
        usual = temperature(plan.card, plan.players)
        self._takers = [self._taker(plan, name, usual) for name in names]

    def _taker(self, plan: Plan, name: str, usual: float) -> Maker:
        path, lot = weights(name)
        if path is None:
            return maker(name, plan.card)
        net = Net.load(plan.card, path)
        return lambda seed: Kept(net, seed, usual if lot is None else lot)

    def take(self, bot: int, seat: int, seed: int) -> Bot:
        return self._takers[bot](seed)


def weights(name: str) -> tuple[Path | None, float | None]:
    """A file and how much its moves are left to chance; no file: a bot's name."""
    path, _, lot = name.partition("@")
    return (Path(path), float(lot) if lot else None) if Path(path).suffix == ".npz" else (None, None)


def play(plan: Plan, names: Sequence[str], until: float, deals: Sequence[int]) -> list[list[float]]:
    """[deal, seat] the first one's share of the win, of those that are begun in time."""
    prepare(plan.card, [name for name in names if weights(name)[0] is None])
    pair = Pair(plan, names)
    shares: list[list[float]] = []
    for deal in deals:
        if time.time() < until:
            row = {r.lineup.index(0): r.shares[r.lineup.index(0)] for r in play_deal(plan, pair, deal)}
            shares.append([row[seat] for seat in range(plan.players)])
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("others", help="a file of weights, or a bot's name")
    parser.add_argument("--mine", help="the same, instead of the game's own weights")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which no deal is begun")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    plan = Plan(given.game, ("net", "greedy"), given.players, given.deals * given.players, given.seed)
    names = given.mine or str(home(plan.card, plan.players)), given.others
    try:
        for name in names:
            path, _ = weights(name)
            if path is None:
                maker(name, plan.card)
            else:
                load(path, plan.card)
    except (FoxrowError, ValueError) as error:
        parser.error(str(error))
    chunks = [range(at, min(at + CHUNK, given.deals)) for at in range(0, given.deals, CHUNK)]
    with ProcessPoolExecutor(given.workers) as pool:
        parts = pool.map(partial(play, plan, names, time.time() + 60 * given.minutes), chunks)
        shares = 100 * np.array([deal for part in track(parts, "deals", total=len(chunks)) for deal in part])
    if len(shares) < 2:
        parser.error("hardly a deal was begun: more deals, or more minutes")
    means = shares.mean(1)
    about = 1.96 * means.std(ddof=1) / len(means) ** 0.5
    seats = " ".join(f"{share:.0f}" for share in shares.mean(0))
    print(
        f"{means.mean():.1f} % ± {about:.1f} of {len(means)} deals (fair: {100 / given.players:.0f}); by seat {seats}"
    )


if __name__ == "__main__":
    main()
