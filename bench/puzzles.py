"""Finds puzzles: decisions in rounds between nets in which one move is far better than all others, and not the obvious.

    python bench/puzzles.py --game KEY --minutes 10     look on for so long; what is found is added to the game's file
    python bench/puzzles.py --show                      what there is

A decision becomes a puzzle when three agree on the best move: a short race of the net, a long one in which every legal
move takes part, on deals of its own, and a large search that knows no net; when it is better than every other move by
`LEAD` of a win in the long race; and when the game's rule of thumb would have done something else. How hard it is says
who finds it: the levels, a few times each.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from typing import Any

from foxrow.bots import Analyst, levels, make, prepare
from foxrow.bots.learned import at_table, game_guidance, net_of
from foxrow.bots.puzzles import home, puzzles
from foxrow.bots.searching import game_settings, partners
from foxrow.core.contract import Game
from foxrow.core.position import Position
from foxrow.core.registry import games
from foxrow.nets.searcher import Guidance, NetSearch
from foxrow.search.searcher import Search

LEAD = 0.10  # of a win, by which the best move is better than any other
OPEN = (0.15, 0.97)  # with it the round is neither lost nor won without it
CHOICES = 4  # legal moves at least
LONG = 400  # rollouts of the long race for every move in it, and
MOST = 20_000  # for all of them together, at most
SIMULATIONS = 20_000  # of the search that has to agree
ASKED = range(2, 8)  # levels
TRIES = 2  # of each


def worth(game: Game, position: Position) -> dict[int, float]:
    """What every legal move is worth to who is to act: a race in which all of them take part."""
    seat = position.to_act
    assert seat is not None
    view, legal = position.masked(seat), game.rules.legal(position.state)
    net = net_of(game, position.players)
    assert net is not None
    base = game_guidance(game)
    base = base if isinstance(base, Guidance) else Guidance()
    guidance = replace(base, cover=2.0, most=len(legal), drop=4.0, doubt=0.0, pool=max(base.pool, 4096))
    guidance = at_table(guidance, position.players, partners(game, position.options))
    race = NetSearch(net, seed=random.getrandbits(60), guidance=guidance)
    found = race.compare(view, None, simulations=min(MOST, LONG * len(legal)))
    best = found.best
    return {move: best.wins - (0.0 if move == best.move else behind) for move, (behind, _) in found.behind.items()}


def agreed(game: Game, position: Position, best: int) -> bool:
    """Whether a search without a net would make this move."""
    base = game_settings(game)
    together, horizon = partners(game, position.options), base.horizon * position.players // 2
    search = Search(game.rules, seed=1, settings=replace(base, partners=together, horizon=horizon))
    return bool(search.think(position.masked(position.to_act), simulations=SIMULATIONS)[0].move == best)


def hardness(game: Game, position: Position, best: int) -> float:
    """Of how many levels' tries the move is not found."""
    seat = position.to_act
    assert seat is not None
    view, legal = position.masked(seat), game.rules.legal(position.state)
    missed = 0
    for level in ASKED:
        for _ in range(TRIES):
            bot = make(f"level:{min(level, len(levels(game)))}", game, seed=random.getrandbits(60))
            bot.start(seat, position.players, position.options)
            missed += bot.choose(view, legal).move != best
    return missed / (len(ASKED) * TRIES)


def look(game: Game, players: int, tally: Counter[str]) -> dict[str, Any] | None:
    """One round between nets; the first decision in it that makes a puzzle."""
    seed = random.getrandbits(128).to_bytes(16, "big").hex()
    position = Position.deal(game, players, seed=seed)
    bots = [make("net", game, seed=random.getrandbits(60)) for _ in range(players)]
    for seat, bot in enumerate(bots):
        bot.start(seat, players, position.options)
    quick = Analyst(game)
    tally["rounds"] += 1
    while (seat := position.to_act) is not None:
        view, legal = position.masked(seat), game.rules.legal(position.state)
        if len(legal) >= CHOICES and position.moves:
            tally["decisions"] += 1
            found = quick.advise(view, position.options)
            assert found is not None
            others = [chance for move, chance in found.tried if move != found.best]
            if (
                not found.obvious
                and OPEN[0] <= found.chance <= OPEN[1]
                and found.chance - max(others, default=0) >= LEAD
            ):
                tally["looked at"] += 1
                values = worth(game, position)
                best = max(values, key=lambda move: values[move])
                second = max(value for move, value in values.items() if move != best)
                if best == found.best and values[best] - second >= LEAD and OPEN[0] <= values[best] <= OPEN[1]:
                    tally["clear"] += 1
                    if agreed(game, position, best):
                        text = game.rules.move_text
                        return {
                            "players": players,
                            "seed": seed,
                            "moves": position.moves,
                            "missed": round(hardness(game, position, best), 2),
                            "worth": {
                                text(position.state, move): round(max(values[move], 0.0), 3)
                                for move in sorted(values, key=lambda move: -values[move])
                            },
                        }
        position.play_move(bots[seat].choose(view, legal).move)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--most", type=int, default=40, help="puzzles at which it stops")
    parser.add_argument(
        "--players", type=int, nargs="*", help="at these tables; by default all, the smallest most often"
    )
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    for game in games().values():
        if args.game not in (None, game.key):
            continue
        there: list[dict[str, Any]] = json.loads(home(game).read_text("utf-8")) if home(game).exists() else []
        if args.show:
            for number, puzzle in enumerate(puzzles(game), 1):
                print(game.name, number, f"{puzzle.position.players} players", f"{puzzle.missed:.0%} missed")
                print(puzzle.position.table(puzzle.seat))
                print("  ".join(f"{move} {value:.2f}" for move, value in list(puzzle.worth.items())[:5]), "\n")
            continue
        prepare(game, ("net", "search:100", *(f"level:{level}" for level in ASKED)))
        tally: Counter[str] = Counter()
        end = time.monotonic() + 60 * args.minutes
        counts = args.players or [game.players[0], *game.players]
        while time.monotonic() < end and len(there) < args.most:
            found = look(game, random.choice(counts), tally)
            if found:
                there.append(found)
                there.sort(key=lambda one: (one["missed"], one["seed"]))
                home(game).write_text("[\n" + ",\n".join(json.dumps(one) for one in there) + "\n]\n", "utf-8")
            words = ", ".join(f"{number} {name}" for name, number in tally.items())
            print(f"\r{game.name}: {words}, {len(there)} puzzles", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)


if __name__ == "__main__":
    main()
