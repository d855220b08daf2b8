"""Who wins whole matches: played by bots that are told what each round counts for, or put together from single rounds.

    python bench/matches.py KEY net+search:400 net --matches 200 [--players 2] [--deaf 1]
    foxrow arena KEY net+search:400 net --games 1600 --results rounds.jsonl
    python bench/matches.py rounds.jsonl

People play matches (`match.rounds`): everybody starts as often and scores add up, or a race to a number of won rounds.
A match has deals of its own, and is played on them in all ways to sit, like any deal of the arena. `--deaf` numbers the
bots, from 0, that play every round for itself.

The arena's bots know of nothing but their round, so of its rounds matches can be made: all deals are put into groups by
lot, and the share is the mean over many such groupings. Its interval is that of a single one, so rather too wide.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, Result, play_game
from foxrow.arena.table import Estimate, share
from foxrow.bots import Bot, prepare
from foxrow.match.rounds import Round, length, setting, stakes, winners

GROUPINGS = 100
Game = Callable[
    [int, tuple[int, ...], list[Round]], Result
]  # a match's next round, by how the bots sit from its starter


def read(path: Path) -> tuple[Plan, list[list[Result]]]:
    """A run and its complete deals."""
    head, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    plan = Plan(head["game"], tuple(head["bots"]), head["players"], len(lines), head["seed"], head["options"])
    deals: dict[int, list[Result]] = {}
    for line in lines:
        deals.setdefault(line["deal"], []).append(Result.read(line))
    return plan, [deal for deal in deals.values() if len(deal) == len(plan.lineups)]


def most_rounds(plan: Plan, match: dict[str, int]) -> int:
    return length(plan.card, plan.players, match) or plan.players * (match["points"] - 1) + 1


def match_share(plan: Plan, match: dict[str, int], game: Game) -> float:
    """The first bot's share of the matches on some deals: one for each way to sit."""
    n, shares = plan.players, []
    for seats in plan.lineups:
        rounds: list[Round] = []
        won = None
        while won is None:
            first = len(rounds) % n
            result = game(len(rounds), seats[first:] + seats[:first], rounds)  # an arena's seats count from the starter
            turned = [(seat - first) % n for seat in range(n)]
            scores = tuple(result.scores[seat] for seat in turned)
            best = tuple(seat for seat in range(n) if result.shares[turned[seat]] > 0)
            rounds.append(Round(first, (), scores, best))
            won = winners(plan.card, n, plan.options, match, rounds)
        shares.append(sum(seats[seat] == 0 for seat in won) / len(won))
    return sum(shares) / len(shares) / plan.lineups[0].count(0)


def estimate(plan: Plan, deals: list[list[Result]], match: dict[str, int]) -> tuple[Estimate, int]:
    """The first bot's share of matches that are made of rounds, and how many groups of deals one grouping has."""
    most = most_rounds(plan, match)
    groups = len(deals) // most
    means, ends = [], []
    for number in range(GROUPINGS):
        order = random.Random(number).sample(deals, groups * most)

        def made(group: list[list[Result]]) -> float:
            def game(round: int, lineup: tuple[int, ...], _: list[Round]) -> Result:
                return next(result for result in group[round] if result.lineup == lineup)

            return match_share(plan, match, game)

        found = share([made(order[i : i + most]) for i in range(0, len(order), most)])
        means.append(found.mean)
        ends.append((found.mean - found.low, found.high - found.mean))
    mean = sum(means) / GROUPINGS
    low, high = (sum(end[i] for end in ends) / GROUPINGS for i in (0, 1))
    return Estimate(mean, mean - low, mean + high), groups


class Hall(Players):
    """The bots of a match, some of which are not told."""

    def __init__(self, plan: Plan, deaf: Sequence[int]) -> None:
        super().__init__(plan)
        self._deaf = deaf

    def take(self, bot: int, seat: int, seed: int) -> Bot:
        made = super().take(bot, seat, seed)
        if bot in self._deaf:
            made.plays_for = lambda stakes: None  # type: ignore[method-assign]
        return made


def played(plan: Plan, match: dict[str, int], deaf: Sequence[int], group: int, players: Players) -> float:
    """Matches on the deals of one group, played now."""

    def game(round: int, lineup: tuple[int, ...], rounds: list[Round]) -> Result:
        known = stakes(plan.card, plan.players, plan.options, match, rounds)
        first = round % plan.players
        turned = known and replace(known, ahead=known.ahead[first:] + known.ahead[:first])
        deal = group * most_rounds(plan, match) + round
        return play_game(plan, players, deal, plan.lineups.index(lineup), turned)

    return match_share(plan, match, game)


def play(plan: Plan, match: dict[str, int], groups: int, deaf: Sequence[int]) -> None:
    prepare(plan.card, plan.bots)
    players, shares = Hall(plan, deaf), []
    for group in range(groups):
        shares.append(played(plan, match, deaf, group, players))
        now = share(shares)
        words = f"{now.mean:.1%} ({now.low:.1%} to {now.high:.1%}), {len(shares)} groups of deals, {match}"
        print(f"\r{plan.card.name}, {plan.players} players, {' against '.join(plan.bots)}: {words}", end="", flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", metavar="ROUNDS | KEY BOT BOT")
    parser.add_argument("--match", type=int, help="cycles or points; by default as the game has it")
    parser.add_argument("--matches", type=int, default=100, help="groups of deals to play")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", default="matches")
    parser.add_argument("--deaf", type=int, nargs="*", default=[])
    args = parser.parse_args()
    if len(args.what) > 1:
        key, *bots = args.what
        plan = Plan(key, tuple(bots), args.players, args.matches, args.seed).check()
        play(plan, setting(plan.card, args.match), args.matches, args.deaf)
        return
    plan, deals = read(Path(args.what[0]))
    match = setting(plan.card, args.match)
    single = share(
        [
            sum(result.shares[seat] for result in deal for seat in range(plan.players) if result.lineup[seat] == 0)
            / sum(result.lineup.count(0) for result in deal)
            for deal in deals
        ]
    )
    whole, groups = estimate(plan, deals, match)
    print(f"{plan.card.name}, {plan.players} players, {plan.bots[0]} against {plan.bots[1]}")
    print(f"  rounds   {single.mean:.1%} ({single.low:.1%} to {single.high:.1%}), {len(deals)} deals")
    print(f"  matches  {whole.mean:.1%} ({whole.low:.1%} to {whole.high:.1%}), {groups} groups of deals, {match}")


if __name__ == "__main__":
    main()
