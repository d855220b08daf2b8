"""A game's net among nets of other weights, each as the game's net plays, on paired deals:

git show COMMIT:src/foxrow/games/GAME/weights.npz > before.npz
python bench/before.py GAME before.npz --players 2 --deals 400 [--mine other.npz]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import track

from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, play_deal
from foxrow.bots.protocol import Bot, Budget, Choice
from foxrow.core.registry import games
from foxrow.nets.play import Net, temperature
from foxrow.nets.weights import WeightsError, home, load

CHUNK = 10  # deals that a process takes at a time


class Kept(Bot):
    """A net of given weights."""

    def __init__(self, net: Net, seed: int, lot: float) -> None:
        self.name = "net"
        self._net, self._lot = net, lot
        self._rng = np.random.default_rng(seed)

    def choose(self, view: Any, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        return Choice(self._net.choose(view, legal, self._rng, self._lot))


class Pair(Players):
    """Two nets at the arena's tables."""

    def __init__(self, plan: Plan, files: Sequence[Path]) -> None:
        super().__init__(plan)
        self._nets = [Net.load(plan.card, path) for path in files]
        self._lot = temperature(plan.card, plan.players)

    def take(self, bot: int, seat: int, seed: int) -> Bot:
        return Kept(self._nets[bot], seed, self._lot)


def play(plan: Plan, files: Sequence[Path], deals: Sequence[int]) -> list[list[float]]:
    """[deal, seat] the first net's share of the win."""
    pair = Pair(plan, files)
    rows = ({r.lineup.index(0): r.shares[r.lineup.index(0)] for r in play_deal(plan, pair, deal)} for deal in deals)
    return [[row[seat] for seat in range(plan.players)] for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("weights", type=Path)
    parser.add_argument("--mine", type=Path, help="instead of the game's own weights")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    plan = Plan(given.game, ("net", "greedy"), given.players, given.deals * given.players, given.seed)
    files = given.mine or home(plan.card, plan.players), given.weights
    try:
        for path in files:
            load(path, plan.card)
    except WeightsError as error:
        parser.error(str(error))
    chunks = [range(at, min(at + CHUNK, given.deals)) for at in range(0, given.deals, CHUNK)]
    with ProcessPoolExecutor(given.workers) as pool:
        parts = pool.map(play, [plan] * len(chunks), [files] * len(chunks), chunks)
        shares = 100 * np.array([deal for part in track(parts, "deals", total=len(chunks)) for deal in part])
    means = shares.mean(1)
    error = 1.96 * means.std(ddof=1) / len(means) ** 0.5
    seats = " ".join(f"{share:.0f}" for share in shares.mean(0))
    print(
        f"{means.mean():.1f} % ± {error:.1f} of {len(means)} deals (fair: {100 / given.players:.0f}); by seat {seats}"
    )


if __name__ == "__main__":
    main()
