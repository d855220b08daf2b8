"""How much of a move's credit is about the move, and how much is luck: `python bench/credit.py GAME --players 4`.

Training learns from what a move was worth in one round, told in one of several ways: who won in the end, who won by a
softmax of the points (`Plan.blur`), or how the critic's opinion changed, move by move, what comes later counting less
(λ, `Plan.reach`). Here, in positions of the net's own rounds, its favourite and another move of its policy are played
on by the net to the end, on the same deals, and every way tells what they were worth:

    signal   the square of what the two differ by (two halves of the deals, multiplied: luck cancels out)
    noise    the variance of what one round tells
    agrees   the correlation of what they differ by with how many more wins there are in truth
    worth    rounds told by who won that one round stands for: (signal that agrees) / noise, 1 for who won

A pair counts by how likely the policy makes both moves, and by how open the round is: where one of them is out of the
question, or the round is decided, there is nothing to learn.
What `worth` leaves out: noise becomes less with every round, what does not agree stays. And where the signal of who
won is within its error, the rest says nothing: more positions and deals do.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from foxrow.core.batch import Batch, variants
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.play import Net
from foxrow.nets.weights import critic_names, home, load

Doubles = NDArray[np.float64]
Whole = NDArray[np.int64]
REACH = (0.0, 0.4, 0.6, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)
BLUR = (1.0, 2.0, 3.0, 5.0, 8.0)  # points
ROWS = 4096  # positions that the net looks at together
SOFT = 0.5  # temperature of the play
USUAL = 1.96  # standard errors on each side of a mean


class Mind:
    """A net and its critic, for many positions."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        self.net = Net.load(game, players=players)
        _, self.layers = load(home(game, players), game)
        self.critic = critic_names(self.net.card.critic_depth)[:-1]

    def think(self, batch: Batch, slots: Whole) -> tuple[Doubles, Doubles]:
        """[slot, move] the logits of the policy, and [slot, seat of the table] what the critic, or the net if there is
        none, expects."""
        rules = self.game.rules
        frames = np.zeros(batch.n, np.int32)
        if len(rules.frames.features) > 1:
            batch.frames(frames)
        unseen = np.zeros((batch.n, self.net.unseen), np.int8)
        if self.critic:
            batch.survey(self.net.secrets, unseen)
        logits, values = np.empty((len(slots), rules.MOVES)), np.empty((len(slots), rules.SEATS))
        for at in range(0, len(slots), ROWS):
            here, part = slots[at : at + ROWS], slice(at, at + ROWS)
            seen = np.take_along_axis(batch.observations[here], rules.frames.features[frames[here]].astype(int), 1)
            liked, expected = self.net.forward(seen)
            if self.critic:
                expected = self.judge(np.concatenate((seen, unseen[here]), 1))
            liked = np.take_along_axis(liked, rules.frames.moves[frames[here]].astype(int), 1)
            logits[part] = np.where(batch.masks[here], liked, -1e9)
            seats = (np.arange(rules.SEATS) - batch.actors[here, None]) % self.players
            values[part] = np.take_along_axis(expected, seats, 1)
        return logits, values

    def judge(self, seen: NDArray[np.int8]) -> NDArray[np.float32]:
        h = seen.astype(np.float32)
        for name in self.critic:
            matrix, bias = self.layers[name]
            new = h @ matrix + bias
            h = new if name.endswith("value") else np.maximum(new, 0) + (h if "block" in name else 0)
        return h


def drawn(logits: Doubles, warmth: float, rng: np.random.Generator) -> Whole:
    """A move for each slot, at a temperature."""
    moves: Whole = (logits - warmth * np.log(-np.log(rng.random(logits.shape)))).argmax(1)
    return moves


def positions(mind: Mind, batch: Batch, rng: np.random.Generator) -> None:
    """Bring every slot to a position of its own in a round of the net, where there is something to choose."""
    slots = np.arange(batch.n)
    rounds = [0] * batch.n
    ages: list[int] = []
    while len(ages) < batch.n // 2:  # first how long rounds are
        batch.step(drawn(mind.think(batch, slots)[0], SOFT, rng), check=False)
        ages += [rounds[slot] + 1 for slot in np.flatnonzero(batch.done)]
        rounds = [0 if over else age + 1 for age, over in zip(rounds, batch.done, strict=True)]
    stop, age = rng.integers(0, int(np.mean(ages)), batch.n), np.array(rounds)
    kept, found = batch.states.copy(), np.zeros(batch.n, np.bool_)
    while not found.all():
        here = ~found & (age >= stop) & (batch.masks.sum(1) > 1)
        kept[here], found = batch.states[here], found | here
        batch.step(drawn(mind.think(batch, slots)[0], SOFT, rng), check=False)
        age = np.where(batch.done, 0, age + 1)
    batch.states[...] = kept
    batch._observe()


def tell(mind: Mind, many: int, deals: int, seed: int) -> tuple[dict[str, Doubles], Doubles]:
    """By way of telling, [position, deal, move] what a round says; and [position] how likely both moves are."""
    game, players, rng = mind.game, mind.players, np.random.default_rng(seed)
    kinds = variants(game, players, {})
    base = Batch(game, many, kinds, seed=seed)
    positions(mind, base, rng)
    slots = np.arange(many)
    logits, _ = mind.think(base, slots)
    odds = np.exp(logits - logits.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    pair = np.empty((many, 2), np.int64)
    pair[:, 0] = logits.argmax(1)
    logits[slots, pair[:, 0]] = -1e18
    pair[:, 1] = drawn(np.where(base.masks, logits, -1e18), 1.0, rng)
    likely = odds[slots, pair[:, 0]] * odds[slots, pair[:, 1]]
    batch = Batch(game, many * deals * 2, kinds, seed=seed + 1)
    batch.branch(base, np.repeat(slots, deals * 2), alike=2)
    every = np.arange(batch.n)
    me = np.repeat(base.actors.astype(int), deals * 2)
    moves = np.repeat(pair[:, None], deals, 1).ravel()
    reach = np.array(REACH)[:, None]
    told, fading = np.zeros((len(REACH), batch.n)), np.ones((len(REACH), 1))
    last = mind.think(batch, every)[1][every, me]
    won, points = np.zeros(batch.n), np.zeros((batch.n, players))
    most = np.zeros(batch.n, np.bool_)
    left = every
    while len(left):
        batch.step(moves, check=False)
        ended, left = left[batch.done[left]], left[~batch.done[left]]
        change = np.zeros(batch.n)
        won[ended], points[ended] = batch.rewards[ended, me[ended]], batch.scores[ended, :players]
        best = batch.scores[ended, :players].argmax(1)
        most[ended] = batch.rewards[ended, best] == batch.rewards[ended].max(1)
        change[ended] = won[ended] - last[ended]
        moves = batch.masks.argmax(1)  # of rounds that are over, any
        if len(left):
            logits, values = mind.think(batch, left)
            now = values[np.arange(len(left)), me[left]]
            change[left], last[left] = now - last[left], now
            moves[left] = drawn(logits, SOFT, rng)
        told += fading * change
        fading = fading * reach
    ways = {"who won": won}
    if most.all():
        for blur in BLUR:
            near = np.exp((points - points.max(1, keepdims=True)) / blur)
            ways[f"blurred by {blur:g} points"] = (near / near.sum(1, keepdims=True))[every, me]
    ways |= {f"λ = {far}": told[k] for k, far in enumerate(REACH)}
    return {name: values.reshape(many, deals, 2) for name, values in ways.items()}, likely


def products(one: Doubles, other: Doubles) -> Doubles:
    """[position] of what two moves differ by, each from another half of the deals."""
    half = one.shape[1] // 2
    (a, b), (c, d) = (
        (apart[:, :half].mean(1), apart[:, half:].mean(1)) for apart in (x[..., 0] - x[..., 1] for x in (one, other))
    )
    found: Doubles = (a * d + b * c) / 2
    return found


def show(told: Sequence[tuple[dict[str, Doubles], Doubles]], title: str) -> Table:
    table = Table("credit by", "signal", "noise", "agrees", "worth", title=title)
    ways = {name: np.concatenate([ways[name] for ways, _ in told]) for name in told[0][0]}
    truth = ways["who won"]
    weight = np.concatenate([likely for _, likely in told]) * truth.var((1, 2))
    weight /= weight.sum()
    true = float(weight @ products(truth, truth))
    luck = float(weight @ truth.var(1, ddof=1).mean(1))
    for name, values in ways.items():
        each = products(values, values)
        signal, shared = float(weight @ each), float(weight @ products(values, truth))
        error = USUAL * float(((weight * (each - signal)) ** 2).sum()) ** 0.5
        noise = float(weight @ values.var(1, ddof=1).mean(1))
        clear = signal > 0 and true > 0
        agrees = f"{shared / (signal * true) ** 0.5:.2f}" if clear else "?"
        worth = f"{shared**2 / noise / (true**2 / luck):.1f}" if clear else "?"
        table.add_row(name, f"{signal:.4f} ± {error:.4f}", f"{noise:.4f}", agrees, worth)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--positions", type=int, default=600)
    parser.add_argument("--deals", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = games()[given.game]
    mind = Mind(game, given.players)
    parts = max(1, given.positions // 100)
    told = [tell(mind, 100, given.deals, given.seed + part) for part in track(range(parts), "positions")]
    Console().print(show(told, f"{game.name}, {given.players} players: {100 * parts} positions, {given.deals} deals"))


if __name__ == "__main__":
    main()
