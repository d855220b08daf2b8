"""The arena's table, as wide as whoever reads it; and what becomes of the games that are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, play_deal
from foxrow.arena.table import Table, tabulate
from foxrow.cli.arena import arena, picture, print_table
from foxrow.core.errors import GameError
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


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept that name no file."""
    monkeypatch.setenv("FOXROW_STATE", str(tmp_path))
    return tmp_path / "arena"


def games_of(out: str) -> int:
    number: int = json.loads(out)["games"]
    return number


def test_asking_for_fewer_games_loses_none(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def ask(number: int, *, fresh: bool = False) -> tuple[int, str]:
        arena(GAME.key, ["greedy", "random"], games=number, workers=1, as_json=True, fresh=fresh)
        said = capsys.readouterr()
        return games_of(said.out), said.err

    ask(12)
    (file,) = kept.iterdir()
    twelve = file.read_bytes()
    shown, words = ask(4)
    assert shown == 4 and "12 games are there already; these are the first 4 of them" in words
    assert file.read_bytes() == twelve
    assert ask(16)[1] == "12 games are there already; going on from them.\n"
    assert file.read_bytes().startswith(twelve)
    assert ask(4, fresh=True) == (4, "")
    assert file.read_bytes().count(b"\n") == 5


def test_the_same_run_once_more_is_played_anew_unless_its_file_was_named(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tmp_path / "r.jsonl"
    said = []
    for path in (None, named):
        for _ in range(2):
            arena(GAME.key, ["greedy", "random"], games=4, workers=1, as_json=True, results=path)
            said.append(capsys.readouterr().err)
    assert said[:3] == ["", "", ""]
    assert "4 games are there already; these are all of them" in said[3]


def test_nobody_at_the_table_is_refused() -> None:
    with pytest.raises(GameError, match="0"):
        arena(GAME.key, ["random", "random"], players=0)
