"""Train an agent on any game in about 50 lines of plain PyTorch: REINFORCE with a value as baseline, self-play.

python examples/train_torch.py GAME [steps]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch
from torch import nn

import foxrow

GAMES, LENGTH = 256, 32  # games at once, moves of each between two updates


def train(key: str, updates: int, players: int | None = None) -> float:
    """The mean reward against random seats at the end, between −1 and 1."""
    torch.manual_seed(1)
    env: Any = foxrow.batch(key, GAMES, players=players, seed=1)
    step = env.reset()
    features, moves = step.observations.shape[1], step.masks.shape[1]
    body = nn.Sequential(nn.Linear(features, 128), nn.ReLU())
    policy, value = nn.Linear(128, moves), nn.Linear(128, 1)
    optimiser = torch.optim.Adam([*body.parameters(), *policy.parameters(), *value.parameters()], 2e-3)

    def think(step: Any) -> tuple[Any, torch.Tensor]:
        hidden = body(torch.from_numpy(step.observations.astype(np.float32)))
        logits = policy(hidden).masked_fill(~torch.from_numpy(step.masks.copy()), -1e9)
        return torch.distributions.Categorical(logits=logits), value(hidden)[:, 0]

    for _ in range(updates):
        logs, values, actors, rewards, ended, spread = [], [], [], [], [], []
        for _ in range(LENGTH):
            odds, worth = think(step)
            chosen = odds.sample()
            logs.append(odds.log_prob(chosen))
            values.append(worth)
            spread.append(odds.entropy())
            actors.append(step.actors.copy())
            step = env.step(chosen.numpy())
            rewards.append(step.rewards.copy())
            ended.append(step.done.copy())
        returns, running = [], np.zeros_like(rewards[0])  # by seat; moves whose round goes on learn from what is known
        for t in reversed(range(LENGTH)):
            running = np.where(ended[t][:, None], rewards[t], running)
            returns.append(running[np.arange(GAMES), actors[t]])
        target = torch.from_numpy(np.stack(returns[::-1]))
        guess = torch.stack(values)
        gain = (target - guess).detach()
        loss = -(torch.stack(logs) * gain).mean() + 0.5 * (target - guess).square().mean()
        optimiser.zero_grad()
        (loss - 0.01 * torch.stack(spread).mean()).backward()
        optimiser.step()

    won, step = [], env.reset(2)  # seat 0 plays the net, the others at random
    for _ in range(8 * LENGTH):
        with torch.no_grad():
            best = think(step)[0].probs.argmax(1).numpy()
        step = env.step(np.where(step.actors == 0, best, env.random_moves()))
        won += step.rewards[step.done, 0].tolist()
    return float(np.mean(won)) if won else 0.0


if __name__ == "__main__":
    match sys.argv[1:]:
        case [game, *steps] if len(steps) < 2 and all(map(str.isdigit, steps)):
            print(f"mean reward against random seats: {train(game, *map(int, steps or ['300'])):.2f}")
        case _:
            sys.exit(f"usage: {sys.argv[0]} GAME [steps]; the games: {', '.join(g.key for g in foxrow.list_games())}")
