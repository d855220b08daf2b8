"""`foxrow bench`: random games on one core, every list of legal moves complete."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foxrow.core.registry import games

if TYPE_CHECKING:
    from foxrow.core.contract import Game

PLAYERS = 4
RUNS = 5  # the best counts: other programs only ever make it slower
SECONDS = 0.6  # a run


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Measure random playouts with complete lists of legal moves at four players, and the time to compile."""
    results: dict[str, dict[str, float]] = {"moves_per_second": {}, "compile_seconds": {}, "cached_seconds": {}}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["FOXROW_CACHE"] = folder  # an empty one: compiling is part of what is measured
        for key, game in games().items():
            say(f"{game.name}: compiling …")
            results["compile_seconds"][key] = round(compile_seconds(key), 2)
            results["cached_seconds"][key] = round(compile_seconds(key), 2)
            say(f"{game.name}: playing …")
            results["moves_per_second"][key] = round(moves_per_second(game))
    say("")
    if as_json:
        typer.echo(json.dumps(results))
        return
    typer.echo(f"{'':10}{'moves/s':>14}{'compile':>11}{'from cache':>13}")
    for key, game in games().items():
        speed, cold, warm = (results[name][key] for name in results)
        typer.echo(f"{game.name:10}{speed:>14,.0f}{cold:>9.2f} s{warm:>11.2f} s")


def compile_seconds(key: str) -> float:
    """In a process of its own, so that nothing is loaded yet; what the cache holds, it finds."""
    code = (
        "import sys, time; from foxrow.core.registry import game; rules = game(sys.argv[1]).rules;"
        "import numba; start = time.perf_counter(); rules.compile(); print(time.perf_counter() - start)"
    )
    run = subprocess.run([sys.executable, "-c", code, key], capture_output=True, text=True, check=True)
    return float(run.stdout)


def moves_per_second(game: Game) -> float:
    import numpy as np

    from foxrow.core.chance import streams

    rules = game.rules
    players = PLAYERS if PLAYERS in game.players else max(game.players)
    options = game.check_options({}, players)
    room: tuple[Any, ...] = (
        rules.states(1),
        streams(1, 1),
        np.zeros(len(rules.deck(players, options)), np.int32),
        np.zeros(rules.MAX_LEGAL, np.int32),
        players,
        np.array(game.option_codes(options), np.int32),
    )
    play_many = rules.kernels.play_many
    play_many(*room, 1, 100)  # compiles it
    moves = 10_000
    speeds: list[float] = []
    while len(speeds) < RUNS:
        start = time.perf_counter()
        made = play_many(*room, moves, 100)
        took = time.perf_counter() - start
        if took < SECONDS / 2:
            moves = int(moves * max(2, SECONDS / max(took, 1e-3)))
        else:
            speeds.append(made / took)
    return max(speeds)


def say(words: str) -> None:
    """Progress, for a person who waits."""
    if sys.stderr.isatty():
        typer.echo(f"\r\033[K{words}", nl=False, err=True)
    elif words:
        typer.echo(words, err=True)
