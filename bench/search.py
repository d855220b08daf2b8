"""How fast the search is: beside OpenSpiel's on Connect Four, for each game, and what a second thread adds.

    python bench/search.py [--rounds 7] [--seconds 0.3] [--patience 60] [--part peer|games|threads] [--json]

**peer.** Connect Four from the empty board, on one core: OpenSpiel's `MCTSBot` (C++, one random rollout a simulation,
no solver) and ours with the same work (no rule of thumb, random rollouts), and ours as it plays. Both in turns.
**games.** Simulations a second of processor time, one thread, with the settings that the game's bots use.
**threads.** One thread and two in turns, by the clock. Only rounds count in which the system gave the search all the
processor time that it could use: other programs on the machine must not be taken for a lack of threads. Where there
is no such round, `by_processor` is what is left: twice the simulations a second of processor time with two threads,
over those with one. It shows what the threads cost each other, but not whether they wait for each other.

Medians over the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "connect_four" / "src"))  # where it is not installed

from connect_four import GAME as CONNECT_FOUR

from foxrow.bots.searching import game_settings
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.search.searcher import Search, Settings, warm

SIMULATIONS = 20_000  # of one search for the peer
GIVEN = 0.97  # of the processor time wanted: less, and the machine was busy with something else
SAME_WORK = Settings(explore=1.4, trust=0.0, randomness=100)


def ours(settings: Settings) -> Callable[[], None]:
    view = (position := CONNECT_FOUR.new(2, seed=1)).masked(position.to_act)
    return lambda: void(Search(CONNECT_FOUR.rules, settings=settings).think(view, simulations=SIMULATIONS))


def openspiel() -> Callable[[], None]:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, SIMULATIONS, 1000, False, 1, False)
    start = game.new_initial_state()
    return lambda: void(bot.mcts_search(start))


def void(_: Any) -> None:
    """Work whose result nobody wants."""


def peer(rounds: int) -> dict[str, float]:
    """Simulations a second of processor time, and how many times OpenSpiel's ours is, round by round."""
    warm(CONNECT_FOUR.rules)
    works = {"openspiel": openspiel(), "foxrow": ours(SAME_WORK), "foxrow_as_it_plays": ours(Settings())}
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            before = time.process_time()
            work()
            rates[name].append(SIMULATIONS / (time.process_time() - before))
    ratios = [a / b for a, b in zip(rates["foxrow"], rates["openspiel"], strict=True)]
    playing = [a / b for a, b in zip(rates["foxrow_as_it_plays"], rates["openspiel"], strict=True)]
    return {
        **{name: round(statistics.median(found)) for name, found in rates.items()},
        "times": round(statistics.median(ratios), 2),
        "least_times": round(min(ratios), 2),
        "times_as_it_plays": round(statistics.median(playing), 2),
    }


def stretch(game: Game, players: int, threads: int, seconds: float) -> tuple[int, float, float]:
    """Search the first position of a round: simulations, seconds by the clock, and of processor time."""
    from dataclasses import replace

    view = (position := game.new(players, seed=1)).masked(position.to_act)
    search = Search(game.rules, settings=replace(game_settings(game), settle=False), threads=threads)
    clock, processor = time.perf_counter(), time.process_time()
    search.think(view, ms=1000 * seconds)
    return search.simulations, time.perf_counter() - clock, time.process_time() - processor


def speed(game: Game, players: int, rounds: int, seconds: float) -> float:
    found = [stretch(game, players, 1, seconds) for _ in range(rounds)]
    return statistics.median(n / processor for n, _, processor in found)


def gain(game: Game, rounds: int, seconds: float, patience: float) -> dict[str, Any]:
    """What a second thread adds, over the quiet rounds there were before patience ran out."""
    until = time.monotonic() + patience
    gains: list[float] = []
    costs: list[float] = []
    while len(gains) < rounds and time.monotonic() < until:
        found = [stretch(game, game.players[0], threads, seconds) for threads in (1, 2, 1)]
        alone, both, again = (n / processor for n, _, processor in found)
        costs.append(2 * 2 * both / (alone + again))
        if all(processor >= GIVEN * n * clock for n, (_, clock, processor) in zip((1, 2, 1), found, strict=True)):
            alone, both, again = (n / clock for n, clock, _ in found)
            gains.append(2 * both / (alone + again))
    return {
        "gain": round(statistics.median(gains), 2) if gains else None,
        "quiet": len(gains),
        "rounds": len(costs),
        "by_processor": round(statistics.median(costs), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["peer", "games", "threads"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds to wait for quiet rounds, a game")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    document: dict[str, Any] = {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 2)}
    if args.part in (None, "peer"):
        document["connect_four"] = peer(args.rounds)
    for game in games().values():
        warm(game.rules)
        found: dict[str, Any] = {}
        if args.part in (None, "games"):
            for players in (game.players[0], game.players[-1]):
                found[f"{players} players"] = round(speed(game, players, args.rounds, args.seconds))
        if args.part in (None, "threads"):
            found["threads"] = gain(game, args.rounds, args.seconds, args.patience)
        document[game.key] = found
    if args.json:
        print(json.dumps(document))
        return
    for key, value in document.items():
        print(
            f"{key:14}",
            *(f"{name} {number}," for name, number in value.items()) if isinstance(value, dict) else [value],
        )


if __name__ == "__main__":
    main()
