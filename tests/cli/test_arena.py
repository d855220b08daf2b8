"""The arena's table, as wide as whoever reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console

from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, play_deal
from foxrow.arena.table import Table, tabulate
from foxrow.cli.arena import picture, print_table
from foxrow.core.registry import games

GAME = next(iter(games().values()))
LONG = "python3 /home/somebody/bots/a_long_name.py --depth 4"


@pytest.fixture(scope="module")
def table() -> Table:
    plan = Plan(GAME.key, ("random", "greedy"), 2, 4)
    found = tabulate(plan, [play_deal(plan, Players(plan), deal) for deal in range(2)])
    first, second = found.rows
    reason = f"its move {'x' * 60!r} is refused: this is no move, and a long story about why it is none follows here"
    return replace(found, rows=(replace(first, name=LONG, forfeits=3, reasons=(reason,)), second))


def lines(table: Table, width: int) -> list[str]:
    console = Console(width=width, force_terminal=True, color_system=None)
    with console.capture() as said:
        console.print(picture(table, None, width))
    return said.get().splitlines()


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_names_are_whole_and_columns_make_room_for_them(table: Table, width: int) -> None:
    said = lines(table, width)
    row = next(line for line in said if LONG in line)
    assert "0.0 %" in row and row.split()[-1] == "3"
    assert all(len(line) <= width for line in said)
    assert any("greedy" in line and "100.0 %" in line for line in said)


def test_what_matters_least_goes_first(table: Table) -> None:
    heads = [next(line for line in lines(table, width) if "wins" in line).split() for width in (200, 125, 115, 80)]
    assert "rating" in heads[0] and "ms/move" in heads[0]
    assert "rating" not in heads[1] and "ms/move" in heads[1]
    assert "ms/move" not in heads[2] and "margin" in heads[2]
    assert heads[3] == ["bot", "wins", "forfeits"]


def test_who_reads_it_from_a_pipe_gets_everything(
    table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_table(table, None)
    said = capsys.readouterr().out
    assert LONG in said and "rating" in said and "ms/move" in said
    assert table.rows[0].reasons[0] in said
    assert not [line for line in said.splitlines() if len(line) > 300]
