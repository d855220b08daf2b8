"""Ours beside OpenSpiel, Pgx and PettingZoo on the same work: `python -m bench.peers [--seconds 2] [--json FILE]`.

The work is Connect Four with random legal moves, games started again when they end. Ours is `bench/connect_four`, a
game outside the package, written to the same contract as all others. A peer that is not installed is named and left
out; Pgx may live in another environment (`FOXROW_PGX=/path/to/its/python`). Then our own games, over batch sizes and
player counts. All rates are per second of processor time, so of one core.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "connect_four" / "src"))  # where it is not installed

from connect_four import GAME as CONNECT_FOUR

from foxrow.core.batch import Batch, variants
from foxrow.core.contract import Game
from foxrow.core.registry import games


def rate(work: Callable[[], int], seconds: float) -> float:
    """Moves a second of processor time, the best of three stretches: busy neighbours count less that way."""
    work()
    best = 0.0
    for _ in range(3):
        moves, begin = 0, time.process_time()
        while time.process_time() - begin < seconds / 3:
            moves += work()
        best = max(best, moves / (time.process_time() - begin))
    return best


def ours(
    game: Game, players: int, n: int, threads: int = 1, observe: bool = False, moves: int = 200_000
) -> Callable[[], int]:
    """A call makes about that many moves (with observations one in each slot)."""
    env = Batch(game, n, variants(game, players, {}), seed=1, observe=observe, masks=observe, threads=threads)
    if observe:

        def step() -> int:
            env.step(env.random_moves(), check=False)
            return n

        return step
    many = max(1, moves // n)

    def wander() -> int:
        env.wander(many)
        return n * many

    return wander


# the peers ----------------------------------------------------------------------------------------------


def openspiel_rollouts() -> Callable[[], int]:
    """Its C++ loop: random rollouts of its own tree search, two leaves a call; moves by the mean length of games."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    lot = np.random.default_rng(1)
    lengths = []
    for _ in range(2000):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(lot.choice(state.legal_actions())))
        lengths.append(len(state.history()))
    mean, rollouts, leaves = float(np.mean(lengths)) - 1, 2000, 2  # a leaf is one move deep
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, leaves, 10, False, 1, False)
    start = game.new_initial_state()

    def work() -> int:
        bot.step(start)
        return int(leaves * rollouts * mean)

    return work


def openspiel_python() -> Callable[[], int]:
    """Its states driven from Python."""
    import random

    import pyspiel

    game = pyspiel.load_game("connect_four")
    lot = random.Random(1)

    def work() -> int:
        moves = 0
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(lot.choice(state.legal_actions()))
                moves += 1
        return moves

    return work


def pettingzoo() -> Callable[[], int]:
    import random

    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.raw_env()
    lot = random.Random(1)

    def work() -> int:
        moves = 0
        for seed in range(5):
            env.reset(seed=seed)
            for _ in env.agent_iter():
                seen, _, over, cut, _ = env.last()
                if over or cut:
                    break
                env.step(lot.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                moves += 1
        return moves

    return work


PGX = """
import json, sys, time
import jax, jax.numpy as jnp, pgx
from pgx.experimental import auto_reset
env = pgx.make("connect_four")
n, length, seconds = int(sys.argv[1]), 64, float(sys.argv[2])
step = auto_reset(env.step, env.init)
def play(carry, _):
    state, key = carry
    key, a, b = jax.random.split(key, 3)
    logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
    action = jax.random.categorical(a, logits, axis=-1)
    state = jax.vmap(step)(state, action, jax.random.split(b, n))
    return (state, key), None
run = jax.jit(lambda carry: jax.lax.scan(play, carry, None, length=length)[0])
key = jax.random.PRNGKey(1)
carry = (jax.vmap(env.init)(jax.random.split(key, n)), key)
carry = jax.block_until_ready(run(carry))
best = 0.0
clock = time.process_time if jax.devices()[0].platform == "cpu" else time.perf_counter
for _ in range(3):
    moves, begin = 0, clock()
    while clock() - begin < seconds / 3:
        carry = jax.block_until_ready(run(carry)); moves += n * length
    best = max(best, moves / (clock() - begin))
print(json.dumps({"rate": best, "device": str(jax.devices()[0])}))
"""


def pgx(seconds: float, sizes: tuple[int, ...] = (64, 1024, 8192)) -> tuple[float, str]:
    """Pgx in a process of its own, on whatever device it finds; every move writes observations, as it always does."""
    python = os.environ.get("FOXROW_PGX", sys.executable)
    best = (0.0, "")
    for n in sizes:
        done = subprocess.run([python, "-c", PGX, str(n), str(seconds)], capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise ImportError(done.stderr.strip().splitlines()[-1])
        told = json.loads(done.stdout.strip().splitlines()[-1])
        best = max(best, (told["rate"], f"batch {n}, {told['device']}"))
    return best


# the tables ---------------------------------------------------------------------------------------------


def compare(seconds: float, say: Callable[[str], None]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    mine = rate(ours(CONNECT_FOUR, 2, 1024), seconds)
    seen = rate(ours(CONNECT_FOUR, 2, 1024, observe=True), seconds)
    rows.append({"what": "Foxrow, one core", "rate": mine})
    rows.append({"what": "Foxrow, one core, observations and masks written for every move", "rate": seen})
    peers: list[tuple[str, float, Callable[[], Callable[[], int]]]] = [
        ("OpenSpiel, C++ rollouts", mine, openspiel_rollouts),
        ("OpenSpiel from Python", mine, openspiel_python),
        ("PettingZoo", mine, pettingzoo),
    ]
    for name, against, make in peers:
        try:
            theirs = rate(make(), seconds)
        except ImportError as error:
            say(f"{name}: left out ({error})")
            continue
        rows.append({"what": name, "rate": theirs, "ratio": against / theirs})
    try:
        theirs, note = pgx(seconds)
        rows.append({"what": f"Pgx on CPU ({note})", "rate": theirs, "ratio": mine / theirs})
        rows[-1]["ratio_observed"] = seen / theirs
    except (ImportError, FileNotFoundError, subprocess.SubprocessError) as error:
        say(f"Pgx: left out ({error})")
    return rows


def own_games(seconds: float) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for game in games().values():
        for players in game.players:
            plain = rate(ours(game, players, 1024), seconds)
            seen = rate(ours(game, players, 1024, observe=True), seconds)
            rows.append({"game": game.name, "players": players, "plain": plain, "observed": seen})
    return rows


def threads(turns: int = 15) -> list[dict[str, Any]]:
    """What a second thread gains, by wall clock: one and two take turns at six million moves."""
    rows: list[dict[str, Any]] = []
    for game in games().values():
        both = [ours(game, max(game.players), 4096, threads=number, moves=6_000_000) for number in (1, 2)]
        speeds: list[list[float]] = [[], []]
        for _ in range(turns):
            for work, taken in zip(both, speeds, strict=True):
                begin = time.perf_counter()
                taken.append(work() / (time.perf_counter() - begin))
        ratios = [two / one for one, two in zip(*speeds, strict=True)]
        rows.append({"game": game.name, "gain": float(np.median(ratios)), "best": max(speeds[1]) / max(speeds[0])})
    return rows


def sizes(seconds: float, largest: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for game in games().values():
        n = 1
        while n <= largest:
            rows.append({"game": game.name, "slots": n, "rate": rate(ours(game, game.players[0], n, 1, True), seconds)})
            n *= 10
    return rows


def plot(rows: list[dict[str, Any]], x: str, y: str, colour: str, file: Path) -> None:
    """A picture, where altair is installed."""
    try:
        import altair
    except ImportError:
        return
    scale = altair.Scale(type="log") if x == "slots" else altair.Undefined
    chart = altair.Chart(altair.Data(values=rows)).mark_line(point=True)
    axes = {
        "x": altair.X(f"{x}:Q", scale=scale, title=x),
        "y": altair.Y(f"{y}:Q", scale=altair.Scale(type="log"), title="moves a second"),
    }
    chart.encode(**axes, color=f"{colour}:N").properties(width=480, height=300).save(str(file))


def short(value: float) -> str:
    return f"{value / 1e6:.2f} M/s" if value >= 1e6 else f"{value / 1e3:.1f} K/s"


def report(
    compared: list[dict[str, Any]], own: list[dict[str, Any]], gains: list[dict[str, Any]], seconds: float
) -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    lines = [
        f"Measured {datetime.date.today()} at {commit or 'no commit'}, {platform.machine()}, {os.cpu_count()} cores,"
        f" Python {platform.python_version()}, {seconds:g} s each.",
        "",
        "| Connect Four, random moves | moves/s | ours is … times that |",
        "|---|---|---|",
    ]
    for row in compared:
        ratio = f"{row['ratio']:.0f}" if "ratio" in row else ""
        if "ratio_observed" in row:
            ratio += f" (with observations {row['ratio_observed']:.1f})"
        lines.append(f"| {row['what']} | {short(row['rate'])} | {ratio} |")
    lines += ["", "| one core | players | moves/s | with observations and masks |", "|---|---|---|---|"]
    lines += [f"| {r['game']} | {r['players']} | {short(r['plain'])} | {short(r['observed'])} |" for r in own]
    lines += [
        "",
        "| two threads against one, wall clock | median of 15 turns | fastest against fastest |",
        "|---|---|---|",
    ]
    lines += [f"| {r['game']} | {r['gain']:.2f} × | {r['best']:.2f} × |" for r in gains]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--largest", type=int, default=1_000_000, help="largest batch of the plot")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent)
    parser.add_argument("--write", action="store_true", help="write the tables into results.md and draw the plots")
    given = parser.parse_args()
    compared = compare(given.seconds, print)
    own = own_games(given.seconds)
    gains = threads()
    text = report(compared, own, gains, given.seconds)
    print(text, flush=True)
    if given.write:
        over_sizes = sizes(min(given.seconds, 0.6), given.largest)
        file = given.folder / "results.md"
        old = file.read_text("utf-8") if file.exists() else "# Results\n"
        begin, end = "<!-- peers -->", "<!-- /peers -->"
        head, _, rest = old.partition(begin)
        _, _, tail = rest.partition(end)
        file.write_text(f"{head.rstrip()}\n\n{begin}\n{text}\n{end}\n{tail.lstrip()}", "utf-8")
        plot(over_sizes, "slots", "rate", "game", given.folder / "batch-sizes.svg")
        plot(own, "players", "plain", "game", given.folder / "player-counts.svg")


if __name__ == "__main__":
    main()
