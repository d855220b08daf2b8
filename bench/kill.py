"""An arena run that is killed again and again: no game may be lost, none may be played twice.

    python bench/kill.py [--games 1000] [--kills 4] [--workers 2] [BOT BOT]

For each game the command `foxrow arena` is started, killed by signal 9 in the middle, and started again with the same
words until it is done. Then every game of the plan must be in its file exactly once, and the games must be those of a
run that nobody disturbed, move by move.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from foxrow.core.registry import games


def lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def played(file: Path) -> list[dict[str, Any]]:
    """All games in a file but for the time they took, in the plan's order."""
    found = [json.loads(line) for line in file.read_text("utf-8").splitlines()[1:]]
    for game in found:
        del game["ms"]
    return sorted(found, key=lambda game: (game["deal"], game["game"]))


def trial(key: str, args: argparse.Namespace, folder: Path) -> str:
    """One game's run with its kills; what came out."""
    quiet, file = folder / f"{key}-quiet.jsonl", folder / f"{key}.jsonl"
    words = [sys.executable, "-m", "foxrow", "arena", key, *args.bots, "--games", str(args.games), "--json"]
    words += ["--workers", str(args.workers), "--results"]
    subprocess.run([*words, str(quiet)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lot = random.Random(key)
    marks = sorted(lot.sample(range(args.games // 20, args.games * 9 // 10), args.kills))
    struck = []
    for mark in marks:
        process = subprocess.Popen([*words, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and lines(file) <= mark:
            time.sleep(0.002)
        if process.poll() is None:
            process.kill()
            struck.append(lines(file) - 1)
        process.wait()
    subprocess.run([*words, str(file)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    games_, expected = played(file), played(quiet)
    numbers = [(game["deal"], game["game"]) for game in games_]
    doubled = len(numbers) - len(set(numbers))
    lost = len({(game["deal"], game["game"]) for game in expected} - set(numbers))
    other = sum(a != b for a, b in zip(games_, expected, strict=False))
    verdict = "equal" if not (doubled or lost or other) and games_ == expected else "NOT EQUAL"
    at = ", ".join(map(str, struck))
    return (
        f"{key:8} {len(games_)} games, killed after {at}: {lost} lost, {doubled} doubled, {other} different: {verdict}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="*", default=["search:20", "greedy"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--game")
    args = parser.parse_args()
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        for key in games():
            if args.game in (None, key):
                said = trial(key, args, Path(folder))
                print(said, flush=True)
                bad |= "NOT" in said
    sys.exit(bad)


if __name__ == "__main__":
    main()
