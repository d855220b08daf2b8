"""Train an agent on any game in about 50 lines with scikit-learn: a classifier learns the moves of those who won.

python examples/train_sklearn.py GAME [rounds]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from sklearn.neural_network import MLPClassifier

import foxrow


def train(key: str, lessons: int, games: int = 256, length: int = 256) -> float:
    """The mean reward against random seats at the end, between −1 and 1. `length` moves of each game are a lesson."""
    lot = np.random.default_rng(1)
    env: Any = foxrow.batch(key, games, seed=1)
    step = env.reset()
    moves = np.arange(step.masks.shape[1])
    net = MLPClassifier((128,), learning_rate_init=2e-3, random_state=1)
    net.partial_fit(step.observations, step.masks.argmax(1), classes=moves)  # so that it has an opinion, if a poor one

    def choose(step: Any, temper: float) -> Any:
        odds = np.where(step.masks, net.predict_proba(step.observations) + temper / len(moves), 0.0)
        return (odds / lot.exponential(size=odds.shape)).argmax(1) if temper else odds.argmax(1)

    for lesson in range(lessons):
        seen, actors, chosen, good = [], [], [], []
        since = np.zeros(games, int)  # the first move of each game's round
        for t in range(length):
            seen.append(step.observations.copy())
            actors.append(step.actors.copy())
            chosen.append(env.random_moves() if lesson == 0 else choose(step, 1.0))
            step = env.step(chosen[-1])
            good.append(np.zeros(games, bool))
            for game in np.flatnonzero(step.done):  # the winner's moves of this round are worth learning
                for k in range(since[game], t + 1):
                    good[k][game] = step.rewards[game, actors[k][game]] > 0
                since[game] = t + 1
        keep = np.concatenate(good)
        for _ in range(2 if keep.any() else 0):
            net.partial_fit(np.concatenate(seen)[keep], np.concatenate(chosen)[keep])

    won, step = [], env.reset(2)  # seat 0 plays the net, the others at random
    for _ in range(length):
        step = env.step(np.where(step.actors == 0, choose(step, 0.0), env.random_moves()))
        won += step.rewards[step.done, 0].tolist()
    return float(np.mean(won)) if won else 0.0


if __name__ == "__main__":
    match sys.argv[1:]:
        case [game, *rounds] if len(rounds) < 2 and all(map(str.isdigit, rounds)):
            print(f"mean reward against random seats: {train(game, *map(int, rounds or ['12'])):.2f}")
        case _:
            sys.exit(f"usage: {sys.argv[0]} GAME [rounds]; the games: {', '.join(g.key for g in foxrow.list_games())}")
