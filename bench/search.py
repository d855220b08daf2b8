"""How fast the search is: simulations a second for each game, and what a second thread adds.

python bench/search.py [--json] [--seconds 2]
"""

from __future__ import annotations

import argparse
import json
import os
import time

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.search.searcher import Search, warm

RUNS = 3  # the best counts: other programs only ever make it slower


def speed(game: Game, players: int, threads: int, seconds: float) -> float:
    """Simulations a second from the first position of a round."""
    view = (position := game.new(players, seed=1)).masked(position.to_act)
    best = 0.0
    for seed in range(RUNS):
        search = Search(game.rules, seed=seed, threads=threads)
        before = time.perf_counter()
        search.think(view, ms=1000 * seconds / RUNS)
        best = max(best, search.simulations / (time.perf_counter() - before))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args()
    results: list[tuple[str, int, int, int]] = []
    for game in games().values():
        warm(game.rules)
        for players in (game.players[0], game.players[-1]):
            one = speed(game, players, 1, args.seconds)
            two = speed(game, players, 2, args.seconds)
            results.append((game.key, players, round(one), round(two)))
    if args.json:
        keys = ("game", "players", "one_thread", "two_threads")
        rows = [dict(zip(keys, row, strict=True)) for row in results]
        print(json.dumps({"cores": os.cpu_count(), "load": os.getloadavg()[0], "simulations_per_second": rows}))
        return
    print(f"{'':10}{'players':>8}{'1 thread':>12}{'2 threads':>12}{'gain':>8}   simulations/s")
    for key, count, alone, paired in results:
        print(f"{key:10}{count:>8}{alone:>12,}{paired:>12,}{paired / alone:>8.2f}")


if __name__ == "__main__":
    main()
