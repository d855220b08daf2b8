"""Games of a search among itself and the game's net, with what it thought of each move: for copies of it.

    python bench/thoughts.py GAME --players 4 --minutes 30 --workers 2 --out games.jsonl
    python -m foxrow.nets.imitation games.jsonl --of search:1000 --out copy.npz

A copy should know what the search does wherever training may lead: so the net sits at two of three tables, sometimes by
lot, some games begin with moves by lot, and three of ten are of other variants for more than two. A record has beside
its `moves` as many `thoughts`: null where the search did not decide, else the moves that it considered with its visits.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from foxrow import bots
from foxrow.bots.factory import prepare
from foxrow.bots.learned import net_of
from foxrow.core.batch import Variant, all_variants
from foxrow.core.contract import Game
from foxrow.core.registry import game as find_game
from foxrow.core.registry import games
from foxrow.nets.play import Net

GUESTS = (0.35, 0.45, 0.20)  # how often none, one and two of the seats are the net's
BY_LOT = 0.5  # how often these draw their moves
WILD, OPENING = 0.2, 8  # how often a game begins with moves by lot, and how many they are at most
OTHERS = 0.3  # games of other variants
SHOWN = 20  # moves of a decision that are written down
SEED = 1 << 60


def table(game: Game, players: int, rng: np.random.Generator) -> Variant:
    """The usual game with so many, or another variant for more than two."""
    kinds = all_variants(game, players=[count for count in game.players if count > 2])
    if rng.random() < OTHERS:
        return kinds[rng.integers(len(kinds))]
    return next(kind for kind in kinds if kind == Variant(players, game.check_options({}, players)))


def play(game: Game, of: str, net: Net, players: int, rng: np.random.Generator) -> dict[str, Any]:
    """One round, as a record with thoughts."""
    rules, kind = game.rules, table(game, players, rng)
    seats = range(kind.players)
    guests = set(rng.permutation(kind.players)[: rng.choice(len(GUESTS), p=GUESTS)].tolist())
    lot = float(rng.random() < BY_LOT)
    opening = int(rng.integers(1, OPENING + 1)) if rng.random() < WILD else 0
    names = ["net" if seat in guests else of for seat in seats]
    position = game.new(kind.players, seed=int(rng.integers(SEED)), names=names, **kind.options)
    searches = {seat: bots.make(of, game, seed=int(rng.integers(SEED))) for seat in seats if seat not in guests}
    for seat, bot in searches.items():
        bot.start(seat, kind.players, position.options)
    thoughts: list[list[tuple[str, int]] | None] = []
    while (seat := position.to_act) is not None:
        view = position.masked(seat)
        legal = rules.legal(view)
        thought = None
        if len(thoughts) < opening:
            move = int(rng.choice(legal))
        elif seat in guests:
            move = net.choose(view, legal, rng, lot)
        else:
            choice = searches[seat].choose(view, legal)
            move = choice.move
            if len(legal) > 1:
                considered = [reason for reason in choice.reasons if reason.visits > 0]
                thought = [(rules.move_text(position.state, one.move), one.visits) for one in considered[:SHOWN]]
        thoughts.append(thought)
        position.play_move(move)
        for bot in searches.values():
            bot.saw(seat, move)
    return {**position.record(), "thoughts": thoughts}


def work(key: str, of: str, players: int, seed: int, seconds: float, out: Path) -> int:
    """Play until the time is over; how many games."""
    game = find_game(key)
    prepare(game, [of, "net"])
    net = net_of(game, players)
    assert net is not None
    rng = np.random.default_rng(seed)
    end, many = time.monotonic() + seconds, 0
    with out.open("a", encoding="utf-8") as file:
        while time.monotonic() < end:
            file.write(json.dumps(play(game, of, net, players, rng), separators=(",", ":")) + "\n")
            file.flush()
            many += 1
    return many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("--of", default="search:1000", help="the search")
    parser.add_argument("--players", type=int, help="the full table, if nothing is said")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("games.jsonl"), help="what is there stays")
    given = parser.parse_args()
    game = find_game(given.game)
    players = game.check_players(given.players or game.players[-1])
    if players < 3:
        parser.error("copies are for tables of more than two")
    parts = [given.out.with_name(f"{given.out.stem}-{given.seed}-{i}.part") for i in range(given.workers)]
    with ProcessPoolExecutor(given.workers) as pool, Progress() as progress:
        began, task = time.monotonic(), progress.add_task("games", total=given.minutes * 60)
        going = [
            pool.submit(work, game.key, given.of, players, 1000 * given.seed + i, given.minutes * 60, part)
            for i, part in enumerate(parts)
        ]
        while not all(one.done() for one in going):
            time.sleep(0.5)
            progress.update(task, completed=time.monotonic() - began)
        many = sum(one.result() for one in going)
    with given.out.open("a", encoding="utf-8") as file:
        for part in parts:
            file.write(part.read_text("utf-8"))
            part.unlink()
    print(f"{many} games more in {given.out}")


if __name__ == "__main__":
    main()
