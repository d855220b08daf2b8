"""Every figure of docs/strength.md, one arena run after the other. It can be stopped and goes on where it was.

    python bench/strength.py                    all figures, the cheapest first (hours on two cores)
    python bench/strength.py --part levels      one part: rungs, levels, tables, budget, nets
    python bench/strength.py --game KEY --scale 0.2     one game, a fifth of the games
    python bench/strength.py --seed NAME        the same on other deals
    python bench/strength.py --show             the figures there are, as Markdown; nothing is played
    python bench/strength.py --show --plot FILE.svg     and strength over the budget as a picture

Results are kept in the state folder as `foxrow arena` keeps its own, and belong to the code that made them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from foxrow.arena.plan import Plan
from foxrow.arena.results import Results, ResultsError, default_path
from foxrow.arena.run import run
from foxrow.arena.table import Table, tabulate
from foxrow.bots import levels
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.nets.weights import home
from foxrow.search.searcher import warm

BUDGETS = (30, 100, 300, 1000, 10000)  # simulations, for the plot; the last step is a rung too
RUNGS = (
    ("greedy", "random", 400, 0.75),
    ("search:1000", "random", 400, 0.97),
    ("search:10000", "search:1000", 400, 0.60),
    ("search:1000", "greedy", 400, None),
)
NETS = (
    ("net", "greedy", 400, None),
    ("net", "search:1000", 400, 0.60),
    ("net", "search:10000", 400, None),
    ("net+search:400", "net", 400, 0.60),
    ("net+search:400", "search:1000", 400, None),
    ("net+search:400", "search:10000", 400, 0.65),
)


@dataclass(frozen=True)
class Claim:
    """A run, and what it must show."""

    part: str
    plan: Plan
    least: float | None = None
    most: float | None = None

    @property
    def cost(self) -> float:
        """What it takes to play, roughly: simulations. A level counts as its number squared, ten times."""
        kinds = [bot.partition(":") for bot in self.plan.bots]
        each = [
            int(n) if kind.endswith("search") else 10 * int(n) ** 2 if kind == "level" else 0 for kind, _, n in kinds
        ]
        return float(sum(each) * self.plan.games)

    def words(self, table: Table) -> str:
        wins = table.rows[0].wins
        wanted = "reported" if self.least is None else f"≥ {self.least:.0%}"
        if self.most is not None:
            wanted = f"{self.least:.0%} to {self.most:.0%}"
        held = self.least is None or (wins.mean >= self.least and (self.most is None or wins.mean <= self.most))
        bots = " against ".join(self.plan.names)
        first = f"{table.seats[0]:.0%}"
        return (
            f"| {self.plan.card.name} | {self.plan.players} | {bots} | {wanted} | {wins.mean:.1%} "
            f"({wins.low:.1%} to {wins.high:.1%}) | {table.games} | {first} | {'yes' if held else 'NO'} |"
        )


HEAD = (
    "| game | players | first against the others | wanted | its share of wins (95 %) | games | first seat | held |\n"
    "|---|---|---|---|---|---|---|---|"
)


def claims(game: Game, scale: float, seed: str) -> Iterator[Claim]:
    """All that is claimed of a game."""

    def plan(first: str, other: str, played: int, players: int) -> Plan:
        return Plan(game.key, (first, other), players, max(4, int(played * scale)), seed)

    for first, other, played, least in RUNGS:
        yield Claim("rungs", plan(first, other, played, 2), least)
    for number in range(2, len(levels(game)) + 1):
        yield Claim("levels", plan(f"level:{number}", f"level:{number - 1}", 400, 2), 0.58, 0.78)
    for players in game.players:
        if players > 2:
            yield Claim("tables", plan("search:1000", "greedy", 100 * players, players), 2 / players)
    for less, more in pairwise(BUDGETS):
        yield Claim("budget", plan(f"search:{more}", f"search:{less}", 200, 2))
    if home(game).exists():
        for first, other, played, least in NETS:
            yield Claim("nets", plan(first, other, played, 2), least)
        most = game.players[-1]
        yield Claim("nets", plan("net", "search:1000", 200 * most, most), 1.5 / most)
        yield Claim("nets", plan("net", "search:10000", 200 * most, most))


def plot(tables: list[tuple[Claim, Table]], path: Path) -> None:
    """Strength over the budget: each step's share of wins as rating points, added up from the least budget."""
    import math

    import altair as alt
    import vl_convert

    data = []
    for game in games().values():
        points = 0.0
        data.append({"game": game.name, "simulations": BUDGETS[0], "rating": 0.0})
        for claim, table in tables:
            if claim.part == "budget" and claim.plan.game == game.key and table.games:
                rate = min(0.99, max(0.01, table.rows[0].wins.mean))
                points += 400 * math.log10(rate / (1 - rate))
                budget = int(claim.plan.bots[0].partition(":")[2])
                data.append({"game": game.name, "simulations": budget, "rating": points})
    chart = (
        alt.Chart(alt.Data(values=data))  # type: ignore[no-untyped-call]
        .mark_line(point=True)
        .encode(
            x=alt.X("simulations:Q", scale=alt.Scale(type="log"), title="simulations a move"),
            y=alt.Y("rating:Q", title=f"rating points above {BUDGETS[0]} simulations"),
            color=alt.Color("game:N", title=None),
        )
        .properties(width=460, height=280)
    )
    path.write_text(vl_convert.vegalite_to_svg(chart.to_dict(format="vega-lite")), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game")
    parser.add_argument("--part", choices=["rungs", "levels", "tables", "budget", "nets"])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", default="strength", help="other deals")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    print(HEAD)
    tables = []
    wanted = [
        claim
        for game in games().values()
        if args.game in (None, game.key)
        for claim in claims(game, args.scale, args.seed)
        if args.part in (None, claim.part)
    ]
    for claim in wanted if args.show else sorted(wanted, key=lambda claim: claim.cost):
        path = default_path(claim.plan.check())
        if args.show and not path.exists():
            continue
        try:
            results = Results(claim.plan, path)
        except ResultsError as error:  # somebody is just playing it
            print(error, file=sys.stderr)
            continue
        if not args.show:
            warm(claim.plan.card.rules)
            run(results, workers=args.workers)
        table = tabulate(claim.plan, results.deals())
        results.close()
        tables.append((claim, table))
        if table.games:
            print(claim.words(table))
            sys.stdout.flush()
    if args.plot:
        plot(tables, args.plot)


if __name__ == "__main__":
    main()
