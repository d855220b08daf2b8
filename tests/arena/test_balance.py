"""The balance report: its numbers add up, and its page needs nothing from outside."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from foxrow.arena.balance import COLUMNS, Condition, conditions, rows, tally, write_csv
from foxrow.arena.page import page
from foxrow.arena.round import Players, play_deal
from foxrow.core.contract import Game
from foxrow.core.registry import games


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_a_report(game: Game, tmp_path: Path) -> None:
    at = Condition(game.players[0], (), "random")
    plan = at.plan(game, 6, "0")
    count = tally(plan, at, [play_deal(plan, Players(plan), deal) for deal in range(6)])
    assert count.games == sum(count.endings.values()) == 6
    assert sum(len(parts) for parts in count.seats) == 6 * plan.players
    assert sum(sum(parts) for parts in count.seats) == pytest.approx(6)
    assert sum(count.lengths) == len(count.choices) == sum(map(len, count.by_phase.values()))
    choices = sum(n > 1 for n in count.choices)
    assert sum(len(kind.made) for kind in count.kinds.values()) == choices
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
