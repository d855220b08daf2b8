"""The balance report: its numbers add up, and its page needs nothing from outside."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foxrow.arena.balance import COLUMNS, Condition, Tally, conditions, rows, tally, write_csv
from foxrow.arena.page import page
from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, Result, deal_position, play_deal
from foxrow.arena.table import average
from foxrow.core.contract import Game
from foxrow.core.registry import games


def positions(plan: Plan, result: Result) -> Iterator[Any]:
    """A game's positions before each move."""
    state, rules = deal_position(plan, result.deal, result.lineup).state, plan.card.rules
    for text in result.moves:
        yield state
        rules.apply(state, rules.parse(state, text))


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_a_report(game: Game, tmp_path: Path) -> None:
    at = Condition(game.players[0], (), "random")
    plan = at.plan(game, 6, "0")
    results = [play_deal(plan, Players(plan), deal)[0] for deal in range(6)]
    count = tally(plan, at, [[result] for result in results])
    assert count.games == sum(count.endings.values()) == 6
    assert sum(len(parts) for parts in count.seats) == 6 * plan.players
    assert sum(sum(parts) for parts in count.seats) == pytest.approx(6)
    assert sum(count.lengths) == sum(n for _, n in count.choices)
    assert sum(n for pairs in count.by_phase.values() for _, n in pairs) == sum(count.lengths)
    legal = [len(game.rules.legal(state)) for result in results for state in positions(plan, result)]
    assert sum(n for n, _ in count.choices) == sum(legal)
    assert sum(len(kind.made) for kind in count.kinds.values()) == sum(n > 1 for n in legal)
    table = rows([count])
    shares = [row["value"] for row in table if row["measure"] == "seat_win_share"]
    assert sum(shares) == pytest.approx(1)
    html = page(game, [count], table, "foxrow balance")
    assert game.name in html
    assert not re.search(r'(src|href)="?https?:', html)
    assert "<script" not in html
    write_csv(tmp_path / "t.csv", table)
    with (tmp_path / "t.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert len(read) == len(table)
    assert tuple(read[0]) == COLUMNS


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_every_player_count_strength_and_variant_is_a_condition(game: Game) -> None:
    found = conditions(game, game.players, ["random", "greedy"])
    assert {(at.players, at.bot) for at in found if not at.options} == {
        (players, bot) for players in game.players for bot in ("random", "greedy")
    }
    others = sum(len(option.choices) - 1 for option in game.options)
    assert len({at.options for at in found}) == 1 + others
    for at in found:
        at.plan(game, 1, "0")


def told(games: int, length: int) -> Tally:
    """Games of two seats that end alike and in which every move has as many choices; each game has its own numbers."""
    lot = random.Random(games)
    count = Tally(Condition(2, (), "random"), games=games, seats=[[1.0, 0.0] * (games // 2), [0.0, 1.0] * (games // 2)])
    for _ in range(games):
        mean, n = lot.gauss(20, 4), lot.randint(5, length)
        legal = lot.choice((2, 6))
        count.scores.append([round(mean), round(mean)])
        count.choices.append((legal * n, n))
        count.by_phase.setdefault("play", []).append((legal * n, n))
        count.lengths.append(n)
        count.spreads.append(0.0)
    return count


def interval(count: Tally, measure: str, item: str) -> tuple[float, float]:
    (row,) = [row for row in rows([count]) if (row["measure"], row["item"]) == (measure, item)]
    return row["low"], row["high"]


def test_what_hangs_together_in_a_game_is_one_value() -> None:
    """Both seats have the same score here, so a game is worth one of them: the interval is that of the games' means."""
    count = told(200, 50)
    of_games = average([float(scores[0]) for scores in count.scores])
    assert interval(count, "score", "mean") == pytest.approx((of_games.low, of_games.high))


@pytest.mark.parametrize("phase", ["all", "play"])
def test_intervals_of_choices_cover_the_truth_in_95_of_100_runs(phase: str) -> None:
    """Half of the games have two choices everywhere, half six: four in truth, however long they are."""
    covered = 0
    for seed in range(300):
        low, high = interval(told(100 + 2 * seed, 50), "choices_per_decision", phase)
        covered += low <= 4 <= high
    assert 0.92 <= covered / 300 <= 0.98


def test_one_game_has_no_interval() -> None:
    found = {(row["measure"], row["item"]): row for row in rows([tally_of_one()])}
    for key in (("score", "mean"), ("choices_per_decision", "all"), ("game_length_moves", "")):
        assert (found[key]["low"], found[key]["high"]) == (None, None)


def tally_of_one() -> Tally:
    game = next(iter(games().values()))
    at = Condition(game.players[0], (), "random")
    plan = at.plan(game, 1, "0")
    return tally(plan, at, [play_deal(plan, Players(plan), 0)])
