"""`foxrow balance`: what would be refused after the games is refused before them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from foxrow.arena import run
from foxrow.cli.balance import balance
from foxrow.core.errors import FoxrowError
from foxrow.core.registry import games

GAME = next(iter(games().values()))


@pytest.fixture
def nobody_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: Any) -> None:
        raise AssertionError("a game has begun")

    monkeypatch.setattr(run, "play", play)


def report(out: Path, *bots: str, number: int = 2) -> None:
    balance(GAME.key, players=[GAME.players[0]], bot=list(bots), games=number, out=out, workers=1)


@pytest.mark.usefixtures("nobody_plays")
@pytest.mark.parametrize("where", ["file", "file/deeper", "folder"])
def test_a_report_that_cannot_be_written_is_refused_before_the_first_game(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder" / f"{GAME.key}.csv").mkdir(parents=True)
    with pytest.raises(FoxrowError, match=r"cannot write the report: .*--out"):
        report(tmp_path / where, "random")
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "folder" / f"{GAME.key}.html").exists()


@pytest.mark.usefixtures("nobody_plays")
def test_the_report_before_stays_until_the_next_is_there(tmp_path: Path) -> None:
    (tmp_path / f"{GAME.key}.csv").write_text("before")
    with pytest.raises(AssertionError, match="a game has begun"):
        report(tmp_path, "random")
    assert (tmp_path / f"{GAME.key}.csv").read_text() == "before"
    assert not (tmp_path / f"{GAME.key}.html").exists()


@pytest.mark.parametrize("number", [1, 3])
def test_a_bot_that_is_named_twice_plays_once(tmp_path: Path, number: int) -> None:
    report(tmp_path, "greedy", "random", "greedy", number=number)
    with (tmp_path / f"{GAME.key}.csv").open(newline="") as file:
        lengths = [row for row in csv.DictReader(file) if row["measure"] == "game_length_moves"]
    standard = [(row["bot"], row["n"]) for row in lengths if row["variant"] == "standard"]
    assert standard == [("greedy", str(number)), ("random", str(number))]
    assert "</html>" in (tmp_path / f"{GAME.key}.html").read_text("utf-8")
