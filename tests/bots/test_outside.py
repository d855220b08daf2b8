"""Programs at the table: those that behave, and every way not to."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from foxrow import bots
from foxrow.arena.plan import Plan
from foxrow.arena.round import Players, play_deal
from foxrow.arena.table import tabulate
from foxrow.bots import outside
from foxrow.bots.outside import Outside
from foxrow.core.contract import Game
from foxrow.core.registry import games

GAMES = list(games().values())
GAME = GAMES[0]
EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)

GOOD = """
import json, sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello": print("hello Good", flush=True)
    if word == "move": {act}
"""


def program(tmp_path: Path, act: str, *, text: str = GOOD, budget: bots.Budget | None = None) -> bots.Choice:
    """Ask a program for its first move."""
    file = tmp_path / "bot.py"
    file.write_text(text.replace("{act}", act))
    bot = Outside(GAME, [sys.executable, str(file)])
    position = GAME.new(GAME.players[0], seed=1)
    assert position.to_act is not None
    view = position.masked(position.to_act)
    try:
        bot.start(position.to_act, position.players, position.options)
        return bot.choose(view, GAME.rules.legal(view), budget)
    finally:
        bot.close()


@each_game
@pytest.mark.parametrize("words", [[sys.executable, str(EXAMPLES / "lavish.py")], ["perl", str(EXAMPLES / "last.pl")]])
def test_the_examples_play_whole_rounds(game: Game, words: list[str]) -> None:
    bot = Outside(game, words, seed=3)
    try:
        for players in (game.players[0], game.players[-1]):
            position = game.new(players, seed=1)
            bot.start(0, players, position.options)
            while (seat := position.to_act) is not None:
                view = position.masked(seat)
                position.play_move(bot.choose(view, game.rules.legal(view)).move)
            bot.finish(position.scores(), position.winners() or [])
    finally:
        bot.close()


@each_game
def test_the_model_bot_beats_random_seats(game: Game) -> None:
    plan = Plan(game.key, (f"{sys.executable} {EXAMPLES / 'lavish.py'}", "random"), 2, 60).check()
    players = Players(plan)
    try:
        table = tabulate(plan, [play_deal(plan, players, deal) for deal in range(plan.deals)])
    finally:
        players.close()
    assert table.rows[0].wins.mean > 0.6 and not table.rows[0].forfeits


def test_a_program_that_may_not_be_run_is_told_from_none(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("print()")
    with pytest.raises(bots.BotError, match=r"may not be run: chmod \+x"):
        bots.make(str(file), GAME, outside=True)
    with pytest.raises(bots.BotError, match="there is no bot"):
        bots.make(str(file), GAME)
    with pytest.raises(bots.BotError, match="there is no bot"):
        bots.make(str(tmp_path / "no.py"), GAME, outside=True)


def test_a_program_that_never_starts_is_given_up(tmp_path: Path) -> None:
    file, count = tmp_path / "bot.py", tmp_path / "count"
    file.write_text(f"open({str(count)!r}, 'a').write('x')")
    bot = Outside(GAME, [sys.executable, str(file)])
    for said in (*["it ended with status 0"] * 3, "it was given up", "it was given up"):
        with pytest.raises(bots.BotError, match=said):
            bot.start(0, 2, {})
    assert count.read_text() == "xxx"


def test_a_program_that_behaves(tmp_path: Path) -> None:
    choice = program(tmp_path, 'print("# a remark"); print("move " + json.loads(rest)["legal"][0], flush=True)')
    assert choice.move in GAME.rules.legal(GAME.new(GAME.players[0], seed=1).state)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("1 / 0", "ended with status 1: ZeroDivisionError"),
        ("sys.exit(3)", "ended with status 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
        ("import time; time.sleep(60)", "did not answer within"),
        ("print('resign', flush=True)", "'resign' where a move was asked for"),
        ("print('move upside down', flush=True)", "'upside down' is refused"),
        ("print('move', flush=True)", "is refused"),
        ("sys.stdout.write('x' * 100000); sys.stdout.flush()", "a line without an end"),
        ("print('# hm\\n' * 5000, flush=True)", "remarks without an end"),
        ("sys.stdout.buffer.write(bytes([255, 254, 10])); sys.stdout.flush()", "where a move was asked for"),
        ("import os, time; os.close(1); time.sleep(60)", "it closed its output"),
    ],
)
def test_every_way_to_misbehave_has_a_reason(tmp_path: Path, act: str, reason: str) -> None:
    with pytest.raises(bots.BotError, match=reason):
        program(tmp_path, act, budget=bots.Budget(ms=600 if "sleep" in act else 10_000))


# A wrapper whose child goes on, with the pipes open, when the wrapper is gone; it leaves the child's number behind.
WRAPPER = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(__file__).with_suffix(".child").write_text(str(child.pid))
input(); print("hello wrapper", flush=True)
input(); input()
{act}
"""


@pytest.mark.parametrize(("act", "reason"), [("sys.exit(3)", "status 3"), ("time.sleep(600)", "did not answer")])
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for the child where Linux lists it")
def test_what_a_program_started_ends_with_it(tmp_path: Path, act: str, reason: str) -> None:
    with pytest.raises(bots.BotError, match=reason):
        program(tmp_path, act, text=WRAPPER, budget=bots.Budget(ms=600))
    child = Path("/proc", (tmp_path / "bot.child").read_text())
    while runs(child):
        time.sleep(0.05)


def runs(process: Path) -> bool:
    """Whether a process under /proc is there, and not just waiting to be buried."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("pause", ["", "time.sleep(0.001)"])
def test_a_program_that_talks_and_never_listens_stops_nobody(tmp_path: Path, pause: str) -> None:
    """It neither fills the pipe to it until writing blocks, nor keeps the reading busy for ever."""
    file = tmp_path / "bot.py"
    file.write_text(
        f"import time\ninput(); print('hello deaf', flush=True)\nwhile True: print('no', flush=True); {pause or 0}\n"
    )
    bot = Outside(GAME, [sys.executable, str(file)])
    position = GAME.new(GAME.players[0], seed=1)
    assert position.to_act is not None
    view = position.masked(position.to_act)
    bot.start(position.to_act, position.players, position.options)
    for _ in range(500):  # more than a pipe holds
        bot.finish([0] * 400, [0])
    with pytest.raises(bots.BotError, match="'no' where a move was asked for"):
        bot.choose(view, GAME.rules.legal(view), None)


def test_programs_that_never_say_hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "HELLO_SECONDS", 0.5)
    with pytest.raises(bots.BotError, match="did not answer"):
        program(tmp_path, "", text="import time; time.sleep(60)")
    monkeypatch.setattr(outside, "HELLO_SECONDS", 10.0)
    with pytest.raises(bots.BotError, match="answered hello with 'what'"):
        program(tmp_path, "", text="input(); print('what now', flush=True); input()")
    with pytest.raises(bots.BotError, match="ended with status 0"):
        program(tmp_path, "", text="")


def test_a_program_that_cannot_start() -> None:
    bot = Outside(GAME, ["/dev/null"])
    with pytest.raises(bots.BotError, match="did not start"):
        bot.start(0, GAME.players[0], {})
