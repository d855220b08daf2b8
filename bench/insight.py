"""What strong play does, and what the other choice would have cost: the figures of docs/insight.md.

    python bench/insight.py                         all games: some minutes on one core
    python bench/insight.py --game KEY --players 2 --games 500 --weigh 150 --bot net

Who wins from which seat and how rounds end comes from games of a bot against itself. A question (a game's
`study.questions`) is weighed like this: where one comes up, the round is played on from there once for each answer,
with the move that the net likes best among those that give it, and by the net to the end. The cards are the same, so
the difference is what the answer is worth, as far as the net can judge the rest.
"""

from __future__ import annotations

import argparse
import importlib
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from foxrow.bots import make, prepare
from foxrow.core.contract import Game
from foxrow.core.record import copy
from foxrow.core.registry import games
from foxrow.nets.play import Net

Questions = Callable[[Any, int], list[tuple[str, str]]]
USUAL = 1.96  # standard errors on each side of a mean
FEW = 0.15  # of the times that a question comes up, this share is weighed: many rounds have a say


@dataclass(frozen=True)
class Outcome:
    """A round played on with one answer, and how much more that was than with the other answers."""

    wins: float
    more_wins: float
    more_points: float  # of the lead over the best rival


@dataclass
class Asked:
    """One question: how often each answer was possible and given, and what it led to where all were tried."""

    possible: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    led_to: dict[str, list[Outcome]] = field(default_factory=lambda: defaultdict(list))


def mean(values: Sequence[float]) -> tuple[float, float]:
    """A mean, and half the width of its 95 % interval."""
    m = sum(values) / len(values)
    spread = sum((value - m) ** 2 for value in values) / max(1, len(values) - 1)
    return m, USUAL * math.sqrt(spread / len(values))


def share(game: Game, state: Any, seat: int) -> float:
    winners = game.rules.winners(state) or []
    return 1 / len(winners) if seat in winners else 0.0


def play_on(net: Net, state: Any) -> None:
    """By the net to the end."""
    rules = net.game.rules
    while (seat := int(rules.actor(state))) >= 0:
        legal = rules.legal(state)
        rules.apply(state, legal[0] if len(legal) == 1 else net.choose(rules.mask(state, seat), legal))


def lead(game: Game, state: Any, seat: int) -> float:
    """Points ahead of the best rival."""
    points = game.rules.scores(state)
    return float(points[seat] - max(score for other, score in enumerate(points) if other != seat))


def weigh(net: Net, state: Any, moves: dict[str, list[int]]) -> dict[str, Outcome]:
    """What the seat to act gets with each answer."""
    rules = net.game.rules
    seat = int(rules.actor(state))
    view = rules.mask(state, seat)
    found: dict[str, tuple[float, float]] = {}
    for answer, those in moves.items():
        other = copy(state)
        rules.apply(other, those[0] if len(those) == 1 else net.choose(view, those))
        play_on(net, other)
        found[answer] = share(net.game, other, seat), lead(net.game, other, seat)
    rivals = len(found) - 1
    wins, points = (sum(numbers[k] for numbers in found.values()) for k in (0, 1))
    return {answer: Outcome(w, w - (wins - w) / rivals, p - (points - p) / rivals) for answer, (w, p) in found.items()}


def study(game: Game, players: int, rounds: int, bot: str, most: int) -> None:
    """Print the figures of one game at one player count."""
    net = Net.load(game, players=players)
    module = importlib.import_module(f"{game.package}.study")
    questions: Questions = getattr(module, "questions", lambda s, move: [])
    rules = game.rules
    lot = random.Random(f"{game.key}{players}")
    seats: list[list[float]] = [[] for _ in range(players)]
    endings: Counter[str] = Counter()
    scores: list[int] = []
    lengths: list[int] = []
    asked: dict[str, Asked] = defaultdict(Asked)
    for number in range(rounds):
        position = game.new(players, seed=f"insight/{number}")
        bots = [make(bot, game, seed=number * players + seat) for seat in range(players)]
        for seat, player in enumerate(bots):
            player.start(seat, players, position.options)
        while (acting := position.to_act) is not None:
            view = position.masked(acting)
            legal = rules.legal(view)
            move = bots[acting].choose(view, legal).move
            options: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
            for other in legal:
                for question, answer in questions(position.state, other):
                    options[question][answer].append(other)
            for question, answers in options.items():
                if len(answers) < 2:
                    continue
                known = asked[question]
                known.possible.update(list(answers))
                known.given.update(answer for asking, answer in questions(position.state, move) if asking == question)
                enough = min(len(known.led_to[answer]) for answer in answers) >= most
                if not enough and lot.random() < FEW:
                    for answer, outcome in weigh(net, position.state, answers).items():
                        known.led_to[answer].append(outcome)
            position.play_move(move)
            for player in bots:
                player.saw(acting, move)
        lengths.append(len(position.moves))
        endings[module.ending(position.state)] += 1
        scores += rules.scores(position.state)
        for seat in range(players):
            seats[seat].append(share(game, position.state, seat))
    print(f"\n## {game.name}, {players} players: {rounds} rounds of {bot}")
    print("wins by seat: " + ", ".join(f"{m:.1%} ± {e:.1%}" for m, e in map(mean, seats)))
    print("how they end: " + ", ".join(f"{name} {n / rounds:.0%}" for name, n in endings.most_common()))
    ordered = sorted(scores)
    tenth = len(ordered) // 10
    print(
        f"moves: {mean(lengths)[0]:.0f}; points: {ordered[tenth]} to {ordered[-1 - tenth]}, mean {mean(scores)[0]:.1f}"
    )
    print("| question | answer | given, of 100 | wins | more wins, of 100 | more points | weighed |")
    print("|---|---|---|---|---|---|---|")
    for question in sorted(asked):
        known = asked[question]
        for answer in sorted(known.possible):
            tried = known.led_to.get(answer, [])
            often = 100 * known.given[answer] / known.possible[answer]
            figures = "– | – | – | 0"
            if tried:
                won = mean([outcome.wins for outcome in tried])[0]
                gain, error = mean([100 * outcome.more_wins for outcome in tried])
                points, doubt = mean([outcome.more_points for outcome in tried])
                figures = f"{won:.0%} | {gain:+.1f} ± {error:.1f} | {points:+.2f} ± {doubt:.2f} | {len(tried)}"
            print(f"| {question} | {answer} | {often:.0f} | {figures} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game")
    parser.add_argument("--players", type=int, nargs="+")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--weigh", type=int, default=200, help="times that a question is played out, at most")
    parser.add_argument("--bot", default="net")
    given = parser.parse_args()
    for game in games().values():
        if given.game in (None, game.key):
            prepare(game, [given.bot, "net"])
            for players in given.players or (game.players[0], game.players[-1]):
                study(game, players, given.games, given.bot, given.weigh)


if __name__ == "__main__":
    main()
