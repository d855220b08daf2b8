"""Moves per second on a GPU: `python bench/gpu.py [GAME …] [--json FILE]`.

Random moves without and with observations and masks in GPU memory, in several launch layouts; our games, Connect Four,
and Pgx on the same device where it is installed. Bandwidth is what the observations and masks weigh, against a copy
between two arrays on the same device.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.peers import CONNECT_FOUR, pgx

from foxrow.core.batch import BatchError, variants
from foxrow.core.contract import Game
from foxrow.core.cuda import CudaBatch, driver
from foxrow.core.registry import games

CROWDS = (4, 8, 12)  # lanes that wait for each other before a deal
MOVES = 2048  # of each slot in a launch
WAVES = 6  # how often a launch fills the device


def timed(work: Any, cuda: Any, least: float = 0.15) -> float:
    """Seconds a call takes, after one that warms up."""
    work()
    cuda.synchronize()
    calls, begin = 0, time.perf_counter()
    while True:
        work()
        calls += 1
        cuda.synchronize()
        if (passed := time.perf_counter() - begin) >= least:
            return passed / calls


def resident(game: Game, device: Any, layout: dict[str, Any]) -> int:
    """How many slots a multiprocessor holds at once; those in global memory as many as its first cache may serve."""
    if not layout["shared"]:
        return 256
    lanes, state = CudaBatch(game, 1, variants(game, game.players[0], {})).lanes, game.rules.State.dtype
    return int(lanes.resident(state, layout["decked"], device.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR))


def copy_speed(cuda: Any) -> float:
    """Bytes a second of a copy between two arrays, read and written."""
    a = cuda.to_device(np.random.default_rng(1).integers(0, 255, 2**31, np.uint8))
    b = cuda.device_array_like(a)
    return 2 * a.size / timed(lambda: b.copy_to_device(a), cuda)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*games(), CONNECT_FOUR.key])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true", help="one layout, one size")
    given = parser.parse_args()
    cuda = driver()

    ceiling = copy_speed(cuda)
    device = cuda.get_current_device()
    name = device.name if isinstance(device.name, str) else device.name.decode()
    print(f"{name}: copy {ceiling / 1e12:.2f} TB/s", flush=True)
    rows: list[dict[str, Any]] = []

    def note(**row: Any) -> None:
        rows.append(row)
        print(" ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True)

    for key in given.games:
        game = CONNECT_FOUR if key == CONNECT_FOUR.key else games()[key]
        for players in sorted({game.players[0], game.players[-1]}) if not given.quick else (game.players[0],):
            about = {"game": key, "players": players}
            kinds = variants(game, players, {})
            layouts: list[dict[str, Any]] = [{"shared": True, "decked": decked} for decked in (False, True)]
            layouts.append({"shared": False, "decked": False, "block": 128})
            for layout in layouts if not given.quick else layouts[:1]:
                n = device.MULTIPROCESSOR_COUNT * WAVES * resident(game, device, layout)
                env = CudaBatch(game, n, kinds, seed=5, observe=False, masks=False)
                for crowd in CROWDS if not given.quick else CROWDS[:1]:
                    took = timed(partial(env.wander, MOVES, crowd=crowd, **layout), cuda)
                    note(**about, slots=n, **layout, crowd=crowd, moves_per_second=n * MOVES / took)
            for n in (2**17, 2**20) if not given.quick else ():
                env = CudaBatch(game, n, kinds, seed=5)
                took = timed(env.random_step, cuda)
                weight = n * (env.rules.FEATURES + env.rules.MOVES)
                note(
                    **about, slots=n, observations=True, moves_per_second=n / took, bytes_per_second=weight / took,
                    of_copy=weight / took / ceiling,
                )  # fmt: skip
    if not given.quick:
        try:
            theirs, told = pgx(2.0, sizes=(2**17, 2**20, 2**22))
            note(game="connect_four", players=2, peer="Pgx", told=told, observations=True, moves_per_second=theirs)
        except (ImportError, FileNotFoundError) as error:
            print(f"Pgx: left out ({error})", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"device": name, "copy": ceiling, "rows": rows}, indent=1))


try:
    main()
except BatchError as error:  # no GPU here
    sys.exit(str(error))
