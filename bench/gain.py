"""What a race gains in a decision: `python bench/gain.py GAME ['{"most": 12}' …]`.

Games tell settings of `net+search` apart only after thousands of rounds. Here every setting chooses a move in the same
positions, of rounds that the net plays with itself, and a longer race, with deals of its own and no move given up,
judges what was chosen: how much more it wins than the net's own choice. The judge's luck is not the chooser's, so it
favours nobody. It is a race, too: what all races get wrong, such as the hands they take for likely, it does not see.
With --whole it plays every round to its end, so that what a value gets wrong is seen.

A setting is what differs from the game's own `Guidance`, and `rollouts` if not 400. The last lines tell when in a round
the game's own gains, by fifths of what is played. Large tables take long: --share looks at a part of the decisions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from rich.progress import track

from foxrow.bots.learned import at_table, game_guidance, net_of
from foxrow.core.chance import streams
from foxrow.core.position import Position
from foxrow.core.registry import game as find_game
from foxrow.core.registry import games
from foxrow.nets.searcher import Guidance, NetSearch, Race

ROLLOUTS = 400
NEVER = 1e9  # errors behind: no move is given up
USUAL = 1.96  # standard errors on each side of a mean
PARTS = 5  # of a round


def play(
    key: str, number: int, settings: Sequence[dict[str, Any]], players: int, judged: int, whole: bool, share: float
) -> list[list[float]]:
    """[decision, setting] what was gained in one round; in the last column, how much of it had been played then."""
    game = find_game(key)
    rules, net = game.rules, net_of(game, players)
    assert net is not None
    guidance = game_guidance(game)
    assert isinstance(guidance, Guidance)
    guidance = at_table(guidance, players, 1)
    tried = [(setting.get("rollouts", ROLLOUTS), _with(guidance, setting)) for setting in settings]
    widest = replace(guidance, most=max(given.most for _, given in tried), drop=NEVER)
    if whole:
        widest = replace(widest, horizon=0, span=0)
    rng = streams(number, 1)[0]
    search = NetSearch(net, guidance=widest)
    search.warm()
    position = Position.deal(game, players, seed=f"gain/{number}")
    found: list[list[float]] = []
    made = 0
    lot = np.random.default_rng(number)
    while not position.over:
        view = rules.states(1)
        view[0] = position.masked(position.to_act)
        moves = search._candidates(view[0], None)
        if len(moves) > 1 and lot.random() < share:
            judge = Race(search._tree, rules, view, rng, widest, net, moves)
            judge._add(judged * len(moves))
            gains = judge.board.duels[:, 0, 1] / judge.board.duels[0, 0, 0]
            row: list[float] = []
            for rollouts, given in tried:
                chooser = NetSearch(net, seed=len(found), guidance=given)
                chosen = chooser.think(position.masked(position.to_act), simulations=rollouts)[0].move
                row.append(float(gains[moves.index(chosen)]) if chosen in moves else 0.0)
            found.append([*row, made])
        position.play_move(net.choose(view[0], rules.legal(view[0])))
        made += 1
    return [[*row, at / made] for *row, at in found]


def _with(guidance: Guidance, setting: dict[str, Any]) -> Guidance:
    return replace(guidance, **{name: value for name, value in setting.items() if name != "rollouts"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    racing = [key for key, game in games().items() if isinstance(game_guidance(game), Guidance)]
    parser.add_argument("game", choices=racing)
    parser.add_argument("settings", nargs="*", type=json.loads, help="each as JSON; the game's own comes first")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--share", type=float, default=1.0, help="of the decisions, by lot")
    parser.add_argument("--judged", type=int, default=150, help="deals that the judge tries each move in")
    parser.add_argument("--whole", action="store_true", help="the judge asks no value, but plays to the end")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    settings = [{}, *given.settings]
    many = range(given.rounds)
    with ProcessPoolExecutor(given.workers) as pool:
        asked = partial(
            play, given.game, settings=settings, players=given.players, judged=given.judged, whole=given.whole,
            share=given.share,
        )  # fmt: skip
        rounds = pool.map(asked, many, chunksize=1)
        table = [np.array(part) for part in track(rounds, "rounds", total=len(many)) if part]
    sums = np.array([part.sum(0) for part in table])  # decisions of a round hang together, rounds do not
    decisions = sum(len(part) for part in table)
    print(f"{decisions} decisions of {len(table)} rounds; wins gained, in ten-thousandths a decision:")
    for i, setting in enumerate(settings):
        mean, error = _mean(sums[:, i], decisions)
        more, about = _mean(sums[:, i] - sums[:, 0], decisions)
        beside = f", than the first {more:+.0f} ± {about:.0f}" if i else ""
        print(f"{mean:6.0f} ± {error:.0f}{beside}  {json.dumps(setting)}")
    for fifth in range(PARTS):
        cut = [part[(part[:, -1] * PARTS).astype(int) == fifth] for part in table]
        if many_there := sum(map(len, cut)):
            mean, error = _mean(np.array([part[:, 0].sum() for part in cut]), many_there)
            print(f"{mean:6.0f} ± {error:.0f} in the decisions of fifth {fifth + 1} of {PARTS}, {many_there}")


def _mean(sums: Any, decisions: int) -> tuple[float, float]:
    """Of sums by round: for each decision, and half the width of its 95 % interval."""
    return 1e4 * sums.sum() / decisions, 1e4 * USUAL * sums.std(ddof=1) * len(sums) ** 0.5 / decisions


if __name__ == "__main__":
    main()
