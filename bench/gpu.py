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
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.peers import CONNECT_FOUR, pgx

from foxrow.core.batch import variants
from foxrow.core.cuda import CudaBatch
from foxrow.core.registry import games

LAYOUTS = [  # shared, crowd, block
    *((True, crowd, 0) for crowd in (4, 8, 12, 16)),
    *((False, crowd, block) for crowd in (8, 16) for block in (64, 128, 256)),
]


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
    from numba import cuda

    ceiling = copy_speed(cuda)
    name = cuda.get_current_device().name
    print(f"{name if isinstance(name, str) else name.decode()}: copy {ceiling / 1e12:.2f} TB/s", flush=True)
    rows: list[dict[str, Any]] = []
    for key in given.games:
        game = CONNECT_FOUR if key == CONNECT_FOUR.key else games()[key]
        for players in sorted({game.players[0], game.players[-1]}) if not given.quick else (game.players[0],):
            kinds = variants(game, players, {})
            for n in (2**15, 2**17) if not given.quick else (2**16,):
                env = CudaBatch(game, n, kinds, seed=5, observe=False, masks=False)
                for shared, crowd, block in LAYOUTS if not given.quick else LAYOUTS[:1]:
                    moves = 512
                    try:
                        took = timed(lambda: env.wander(moves, shared=shared, crowd=crowd, block=block), cuda)  # noqa: B023
                    except Exception as error:
                        print(f"{key} shared={shared} crowd={crowd} block={block}: {error!r:.200}", flush=True)
                        continue
                    row = {
                        "game": key, "players": players, "slots": n, "shared": shared, "crowd": crowd, "block": block,
                        "moves_per_second": n * moves / took,
                    }  # fmt: skip
                    rows.append(row)
                    print(
                        " ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()),
                        flush=True,
                    )
            n = 2**17
            env = CudaBatch(game, n, kinds, seed=5)
            moves = env.random_moves()

            def step(env: Any = env, moves: Any = moves) -> None:
                env._launch(env.lanes.choose_lanes)(env._states, env._choices, moves, False, env._lists)
                env.step(moves, check=False)

            took = timed(step, cuda)
            weight = n * (env.rules.FEATURES + env.rules.MOVES)
            row = {
                "game": key, "players": players, "slots": n, "observations": True,
                "moves_per_second": n / took, "bytes_per_second": weight / took, "of_copy": weight / took / ceiling,
            }  # fmt: skip
            rows.append(row)
            print(" ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True)
    try:
        theirs, note = pgx(2.0, sizes=(2**14, 2**17, 2**20))
        print(f"Pgx, Connect Four, observations written: {theirs:.4g} moves/s ({note})", flush=True)
    except (ImportError, FileNotFoundError) as error:
        print(f"Pgx: left out ({error})", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"device": str(name), "copy": ceiling, "rows": rows}, indent=1))


main()
