"""Who wins whole matches, told from the rounds of an arena run.

    foxrow arena KEY net+search:400 net --games 1600 --results rounds.jsonl
    python bench/matches.py rounds.jsonl [--match 1]

People play matches (`match.rounds`): everybody starts as often and scores add up, or a race to a number of won rounds.
The arena plays rounds, in which bots know of nothing else, so a match is as many of them as it takes, on deals of their
own, with the seats that the rules say. All deals are put into groups by lot, each group is played in all seats like any
deal, and the share is the mean over many such groupings; its interval is that of a single one, so rather too wide.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result
from foxrow.arena.table import Estimate, share
from foxrow.match.rounds import Round, length, setting, winners

GROUPINGS = 100


def read(path: Path) -> tuple[Plan, list[list[Result]]]:
    """A run and its complete deals."""
    head, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    plan = Plan(head["game"], tuple(head["bots"]), head["players"], len(lines), head["seed"], head["options"])
    deals: dict[int, list[Result]] = {}
    for line in lines:
        deals.setdefault(line["deal"], []).append(Result.read(line))
    return plan, [deal for deal in deals.values() if len(deal) == len(plan.lineups)]


def match_share(plan: Plan, deals: Sequence[Sequence[Result]], match: dict[str, int]) -> float:
    """The first bot's share of the matches on these deals: one for each way to sit."""
    n, shares = plan.players, []
    for seats in plan.lineups:
        rounds: list[Round] = []
        won = None
        for number, deal in enumerate(deals):
            first = number % n
            lineup = seats[first:] + seats[:first]  # an arena's seats count from the one that starts
            result = next(result for result in deal if result.lineup == lineup)
            turned = [(seat - first) % n for seat in range(n)]
            scores = tuple(result.scores[seat] for seat in turned)
            best = tuple(seat for seat in range(n) if result.shares[turned[seat]] > 0)
            rounds.append(Round(first, (), scores, best))
            won = winners(plan.card, n, plan.options, match, rounds)
            if won is not None:
                break
        assert won is not None
        shares.append(sum(seats[seat] == 0 for seat in won) / len(won))
    return sum(shares) / len(shares) / seats.count(0)


def estimate(plan: Plan, deals: list[list[Result]], match: dict[str, int]) -> tuple[Estimate, int]:
    """The first bot's share of matches, and of how many deals in one grouping."""
    most = length(plan.card, plan.players, match) or plan.players * (match["points"] - 1) + 1
    groups = len(deals) // most
    means, ends = [], []
    for number in range(GROUPINGS):
        order = random.Random(number).sample(deals, groups * most)
        found = share([match_share(plan, order[i : i + most], match) for i in range(0, len(order), most)])
        means.append(found.mean)
        ends.append((found.mean - found.low, found.high - found.mean))
    mean = sum(means) / GROUPINGS
    low, high = (sum(end[i] for end in ends) / GROUPINGS for i in (0, 1))
    return Estimate(mean, mean - low, mean + high), groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", type=Path)
    parser.add_argument("--match", type=int, help="cycles or points; by default as the game has it")
    args = parser.parse_args()
    plan, deals = read(args.rounds)
    match = setting(plan.card, args.match)
    rounds = share(
        [
            sum(result.shares[seat] for result in deal for seat in range(plan.players) if result.lineup[seat] == 0)
            / sum(result.lineup.count(0) for result in deal)
            for deal in deals
        ]
    )
    whole, groups = estimate(plan, deals, match)
    print(f"{plan.card.name}, {plan.players} players, {plan.bots[0]} against {plan.bots[1]}")
    print(f"  rounds   {rounds.mean:.1%} ({rounds.low:.1%} to {rounds.high:.1%}), {len(deals)} deals")
    print(f"  matches  {whole.mean:.1%} ({whole.low:.1%} to {whole.high:.1%}), {groups} groups of deals, {match}")


if __name__ == "__main__":
    main()
