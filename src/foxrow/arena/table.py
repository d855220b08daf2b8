"""The table of a run: win rates with intervals over deals, margins, seats, time, ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result

Z = 1.96  # 95 %


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, and the 95 % interval around it."""

    mean: float
    low: float
    high: float


def share(values: Sequence[float]) -> Estimate:
    """A share of wins. All games of a deal are one value: they share their luck.

    Two deals are thought in addition, one won and one lost (Agresti and Coull), so that no interval has width 0.
    """
    n = len(values)
    if n == 0:
        return Estimate(0.0, 0.0, 1.0)
    mean = sum(values) / n
    padded = [*values, 0.0, 1.0]
    middle = sum(padded) / (n + 2)
    spread = math.sqrt(sum((value - middle) ** 2 for value in padded) / (n + 1) / (n + 2))
    return Estimate(mean, max(0.0, min(mean, middle - Z * spread)), min(1.0, max(mean, middle + Z * spread)))


def average(values: Sequence[float]) -> Estimate:
    """Any other mean over deals."""
    return ratio([(value, 1) for value in values])


def ratio(deals: Sequence[tuple[float, int]]) -> Estimate:
    """A mean of what there is several times in a deal, from its sum and number in each. What comes in one deal hangs
    together, so the interval is over deals: a ratio estimate."""
    n = len(deals)
    total = sum(number for _, number in deals)
    mean = sum(values for values, _ in deals) / total if total else 0.0
    apart = sum((values - mean * number) ** 2 for values, number in deals)
    spread = math.sqrt(apart / (n - 1) * n) / total if n > 1 else math.inf
    return Estimate(mean, mean - Z * spread, mean + Z * spread)


@dataclass(frozen=True)
class Row:
    """One bot."""

    name: str
    games: int  # seats it played
    wins: Estimate  # share of wins for each seat played
    margin: Estimate
    by_seat: tuple[float | None, ...]  # share of wins in each seat, the starting one first
    ms: float  # for a move
    rating: tuple[float, float]  # openskill: mean and deviation
    forfeits: int
    reasons: tuple[str, ...]  # of its forfeits, each once

    def document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "games": self.games,
            "win_rate": round(self.wins.mean, 5),
            "interval": [round(self.wins.low, 5), round(self.wins.high, 5)],
            "margin": round(self.margin.mean, 4),
            "margin_interval": [_finite(self.margin.low), _finite(self.margin.high)],
            "win_rate_by_seat": [None if rate is None else round(rate, 5) for rate in self.by_seat],
            "ms_per_move": round(self.ms, 4),
            "rating": {"mu": round(self.rating[0], 4), "sigma": round(self.rating[1], 4)},
            "forfeits": self.forfeits,
            "forfeit_reasons": list(self.reasons),
        }


def _finite(number: float) -> float | None:
    return round(number, 4) if math.isfinite(number) else None


@dataclass(frozen=True)
class Table:
    """A whole run, or as much as there is of it."""

    plan: Plan
    rows: tuple[Row, ...]
    games: int
    deals: int
    seats: tuple[float, ...]  # share of wins of each seat, the starting one first
    moves: float  # of a game

    def document(self) -> dict[str, Any]:
        return {
            "game": self.plan.game,
            "players": self.plan.players,
            "options": dict(self.plan.options),
            "seed": self.plan.seed,
            "games": self.games,
            "deals": self.deals,
            "fair_share": round(self.plan.fair, 5),
            "seat_win_rates": [round(rate, 5) for rate in self.seats],
            "moves_per_game": round(self.moves, 2),
            "bots": [row.document() for row in self.rows],
        }


def tabulate(plan: Plan, deals: Sequence[Sequence[Result]]) -> Table:
    """Count complete deals. The order of work does not matter: the deals come in theirs."""
    games = [result for deal in deals for result in deal]
    seats = range(plan.players)
    ratings = rate(plan, games)
    rows = []
    for bot, name in enumerate(plan.names):
        wins, margins = [], []  # a value a deal
        by_seat: list[list[float]] = [[] for _ in seats]
        for deal in deals:
            places = [(result, seat) for result in deal for seat in seats if result.lineup[seat] == bot]
            if not places:
                continue
            wins.append(sum(result.shares[seat] for result, seat in places) / len(places))
            whole = [(result, seat) for result, seat in places if result.lost is None]
            if whole:
                margins.append(sum(result.margins[seat] for result, seat in whole) / len(whole))
            for result, seat in places:
                by_seat[seat].append(result.shares[seat])
        own = [(result, seat) for result in games for seat in seats if result.lineup[seat] == bot]
        asked = sum(result.asked[seat] for result, seat in own)
        reasons = [result.lost[1] for result, seat in own if result.lost and result.lost[0] == seat]
        rows.append(
            Row(
                name,
                len(own),
                share(wins),
                average(margins),
                tuple(sum(rates) / len(rates) if rates else None for rates in by_seat),
                sum(result.ms[seat] for result, seat in own) / max(1, asked),
                ratings[bot],
                len(reasons),
                tuple(dict.fromkeys(reasons)),
            )
        )
    n = max(1, len(games))
    return Table(
        plan,
        tuple(rows),
        len(games),
        len(deals),
        tuple(sum(result.shares[seat] for result in games) / n for seat in seats),
        sum(len(result.moves) for result in games) / n,
    )


def rate(plan: Plan, games: Sequence[Result]) -> list[tuple[float, float]]:
    """Ratings by Plackett and Luce (openskill), game after game. A bot in two seats gains or loses by their mean."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in plan.bots]
    for result in games:
        seen = dict.fromkeys(result.lineup)  # bots, each once
        if len(seen) < 2:
            continue
        shares = [[result.shares[seat] for seat, other in enumerate(result.lineup) if other == bot] for bot in seen]
        ranks = [-sum(each) / len(each) for each in shares]
        new = model.rate([[ratings[bot]] for bot in seen], ranks=ranks)
        for bot, (rating,) in zip(seen, new, strict=True):
            ratings[bot] = rating
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]
