"""How much a seat can know of the others' cards: by the table alone, and by what it recalls of its last turns.

    python bench/belief.py --game KEY --players 2 --turns 1 2 3 --positions 80

Nets play each other. Where a seat has a choice and has had so many turns, deals of its earlier views are made until
enough of them lead here (`foxrow.nets.deals`), the true one among them. Printed is how much likelier the true deal is
taken to be than the mean of the others, as a logarithm (nats; 0: nothing is known): by the critic as the table is now,
and by the critic as it was and the net's odds of all moves that the others have made since.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from foxrow.bots import prepare
from foxrow.core.chance import streams
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.memory import Imagining, Memory
from foxrow.nets.play import Net

DEALS = 120  # that are compared with the true one
FEW = 10  # with fewer a position says nothing
TRIES = 6000
ASKED = 0.35  # share of the positions that are looked at: many rounds have a say


class Witness:
    """Who looks at a round from one seat, and asks what else could have happened."""

    def __init__(self, net: Net) -> None:
        self.net, self.rules = net, net.game.rules
        self.memory = Memory(net, Imagining())
        self.deals = self.memory._deals
        self.rng = streams(5, 1)[0]

    def gain(self, old: Any, truth: Any, moves: Sequence[tuple[int, int]], view: Any) -> tuple[float, float] | None:
        """What is known now, and by recalling: an earlier view, the truth of then, the moves since, the view now."""
        rules, home = self.rules, int(view[0].seer)
        since = np.array(moves, np.int32).T.copy()
        trail = self.deals.Trail(old, *since, rules.features(view[0], home))
        begun = rules.states(1 + DEALS)
        begun[0] = truth[0]
        begun[0].seer = home
        work, out, row = rules.states(1), np.empty(rules.MAX_LEGAL, np.int32), np.empty(rules.FEATURES, np.int8)
        many = 1
        for _ in range(TRIES):
            if many == len(begun):
                break
            begun[many] = old[0]
            rules.fill(begun[many], self.rng)
            work[0] = begun[many]
            many += bool(self.deals.leads(work[0], trail, home, row, out))
        if many <= FEW:
            return None
        recalled = self.weighed(begun[:many], home)
        for i in range(many):
            recalled[i] += self.played(begun[i : i + 1], moves, home)
        return surprise(self.weighed(begun[:many], home)), surprise(recalled)

    def weighed(self, states: Any, home: int) -> Any:
        """What the critic says of each."""
        logs = np.empty(len(states))
        self.deals.weigh(states, len(states), home, self.net.critic, self.net.secrets, self.memory._desk(), logs)
        return logs

    def played(self, state: Any, moves: Sequence[tuple[int, int]], home: int) -> float:
        """Play a deal on, by the moves that were made; how likely the net makes the others' of them."""
        lapse, logs = self.memory.knobs.lapse, 0.0
        for seat, move in moves:
            legal = self.rules.legal(state[0])
            if seat != home and len(legal) > 1:
                odds, _ = self.net.evaluate(state[0], legal)
                logs += math.log((1 - lapse) * odds[legal.index(move)] + lapse / len(legal))
            self.rules.apply(state[0], move)
        return logs


def surprise(logs: Any) -> float:
    """How far the first is above the mean of the others' odds."""
    return float(logs[0] - np.logaddexp.reduce(logs[1:]) + math.log(len(logs) - 1))


def study(game: Game, players: int, turns: Sequence[int], positions: int) -> None:
    net = Net.load(game)
    witness, rules = Witness(net), game.rules
    lot = np.random.default_rng(1)
    found: list[list[float]] = []
    number = 0
    while len(found) < positions:
        position = game.new(players, seed=f"belief/{number}")
        home = number % players
        number += 1
        seen: list[tuple[Any, Any, int]] = []  # the views at its turns, the truth of then, how many moves there were
        moves: list[tuple[int, int]] = []
        while (seat := position.to_act) is not None and len(found) < positions:
            view, truth = rules.states(1), rules.states(1)
            view[0], truth[0] = position.masked(seat), position.state
            legal = rules.legal(view[0])
            if seat == home and len(legal) > 1:
                if len(seen) >= max(turns) and lot.random() < ASKED:
                    told = [witness.gain(old, was, moves[at:], view) for old, was, at in (seen[-k] for k in turns)]
                    if all(told):
                        found.append([nats for pair in told if pair for nats in pair])
                seen.append((view, truth, len(moves)))
            move = net.choose(view[0], legal)
            moves.append((seat, move))
            position.play_move(move)
    mean, error = np.mean(found, 0), 1.96 * np.std(found, 0) / math.sqrt(len(found))
    print(f"\n## {game.name}, {players} players: {len(found)} positions of {number} rounds, nats of the true deal")
    print(f"by the table alone: {mean[0]:.2f} ± {error[0]:.2f}")
    for i, back in enumerate(turns):
        print(f"{back} turns back: {mean[2 * i + 1]:.2f} ± {error[2 * i + 1]:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--turns", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--positions", type=int, default=60)
    given = parser.parse_args()
    for game in games().values():
        if given.game in (None, game.key) and Net.load(game).card.critic:  # else nothing is secret
            prepare(game, ["net+search:1"])
            study(game, given.players, given.turns, given.positions)


if __name__ == "__main__":
    main()
