"""The other commands: what they print, and that whatever is wrong is one line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from foxrow import __version__
from foxrow.bots import Analyst
from foxrow.cli import COMMANDS, main
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.match import fairness
from foxrow.match.record import Match
from foxrow.match.rounds import setting


@pytest.fixture(params=games().values(), ids=lambda game: str(game.key))
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


Foxrow = Callable[..., Done]


@pytest.fixture
def foxrow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Foxrow:
    """Run a command, with what a person types."""

    def run(*args: str, typed: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"))
        status: object = 0
        try:
            main(list(args))
        except SystemExit as done:
            status = done.code or 0
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert isinstance(status, int)
        return Done(status, out, err)

    return run


def refused(done: Done) -> str:
    """The one line that says what is wrong."""
    assert (done.status, done.out) == (2, "")
    lines = [line for line in done.err.splitlines() if not line.startswith("Preparing")]
    assert len(lines) == 1
    assert lines[0].startswith("foxrow: ")
    return lines[0]


def test_games_lists_all(foxrow: Foxrow) -> None:
    done = foxrow("games")
    assert done.status == 0
    for game in games().values():
        assert f"{game.name} ({game.key})" in done.out
        assert all(option.key in done.out for option in game.options)


def test_games_as_json(foxrow: Foxrow) -> None:
    cards: list[dict[str, Any]] = json.loads(foxrow("games", "--json").out)
    assert [card["key"] for card in cards] == list(games())
    for card in cards:
        game = games()[card["key"]]
        assert card["players"] == list(game.players)
        assert [option["key"] for option in card["options"]] == [option.key for option in game.options]
        assert card["match"]["kind"] == game.match.kind
        assert card["match"]["setting"] == game.match.setting


def test_help_and_version(foxrow: Foxrow) -> None:
    text = foxrow("--help").out
    assert all(name in text for name in COMMANDS)
    assert foxrow("--version").out == f"foxrow {__version__}\n"
    for name in ("play", "show", "analyse", "referee", "bench", "games"):
        done = foxrow(name, "--help")
        assert done.status == 0
        assert f"foxrow {name}" in done.out
    done = foxrow("gamse")
    assert done.status == 2
    assert "No such command" in done.err


@pytest.mark.parametrize("args", [["--help"], ["games"]])
def test_help_and_games_are_instant(args: list[str]) -> None:
    """Processor time under 0.4 s: what else the machine does is not the command's fault."""
    script = (
        "import sys, time\n"
        "from foxrow.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(time.process_time(), file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, *args]
    times = [float(subprocess.run(command, capture_output=True, check=True).stderr) for _ in range(3)]
    assert min(times) < 0.4


@pytest.fixture
def file(game: Game, tmp_path: Path) -> Path:
    p = game.new(2, seed=3, names=["Ann", "Ben\x1b[2J\u2665"])
    for _ in range(6):
        p.play(p.legal()[-1])
    path = tmp_path / "round.json"
    path.write_text(json.dumps(p.record(), indent=1), "utf-8")
    return path


def test_show(game: Game, file: Path, foxrow: Foxrow) -> None:
    done = foxrow("show", str(file))
    assert done.status == 0
    assert game.name in done.out
    assert "after move 6 of 6" in done.out
    assert "\x1b[2J" not in done.out
    assert "after move 2 of 6" in foxrow("show", str(file), "--at", "2", "--seat", "1").out
    assert "after move 0 of 6" in foxrow("show", "-", "--at", "0", typed=file.read_text("utf-8")).out
    assert "no position after 7" in refused(foxrow("show", str(file), "--at", "7"))
    assert "no seat 2" in refused(foxrow("show", str(file), "--seat", "2"))
    assert "no record 2" in refused(foxrow("show", str(file), "--line", "2"))
    assert "one round" in refused(foxrow("show", str(file), "--round", "0"))
    assert "cannot read" in refused(foxrow("show", str(file.parent / "missing")))
    assert "not JSON" in refused(foxrow("show", "-", typed="rubbish"))
    assert "half a letter" in refused(foxrow("show", "-", typed=file.read_text("utf-8").replace("Ann", "\\ud800")))
    assert "move 1" in refused(
        foxrow("show", "-", typed=file.read_text("utf-8").replace('"moves": [', '"moves": ["?",'))
    )


def proven(game: Game) -> dict[str, Any]:
    """A match that has begun, with its proof."""
    seed, players = bytes(32), game.players[0]
    dealt = fairness.deal_seed(seed, [seed] * players)
    match = Match(game, ["Ann"] * players, {}, setting(game, None), dealt.hex())
    match.next_round()
    proof = fairness.proof(seed, [fairness.commitment(seed)] * players, [seed] * players)
    return {**match.record(), "fair": proof}


def test_verify_has_an_answer_for_every_proof(game: Game, foxrow: Foxrow) -> None:
    good = proven(game)
    mine = fairness.commitment(bytes(32))
    asked = ("verify", "-", "--server", mine, "--commit", mine)
    fair = good["fair"]
    assert "start" in foxrow(*asked, typed=json.dumps(good)).out
    wrong: list[Any] = [
        None,
        [],
        7,
        {},
        {**fair, "server": []},
        {**fair, "seats": None},
        {**fair, "seats": 7},
        {**fair, "server": {**fair["server"], "commit": "\u202e" * 64}},
        {**fair, "seats": [{**fair["seats"][0], "commit": "ä"}, *fair["seats"][1:]]},
    ]
    for bad in wrong:
        done = foxrow(*asked, typed=json.dumps({**good, "fair": bad}))
        assert (done.status, done.err) == (2, "")
        assert done.out.startswith("✗ ")
    others: list[Any] = [[], None, 7]
    for other in others:
        done = foxrow(*asked, typed=json.dumps({**good, "game": other}))
        assert (done.status, done.err) == (2, "")
        assert "✗ the moves: game: " in done.out


def test_what_an_error_repeats_of_a_file_moves_no_cursor(game: Game, foxrow: Foxrow) -> None:
    """Some letters are orders to a terminal: U+009B begins one, U+202E turns what follows around."""
    evil = "\x9b2J\u202e"
    good = proven(game)
    for name, command in (("game", "show"), (evil, "show"), ("game", "analyse")):
        said = refused(foxrow(command, "-", typed=json.dumps({**good, name: evil})))
        assert "\ufffd2J\ufffd" in said
    part = good["rounds"][0]
    for bad in ({"game": evil}, {evil: 1}, {"rounds": [{**part, "moves": [evil]}]}):
        done = foxrow("verify", "-", typed=json.dumps({**good, **bad}))
        assert "\ufffd2J\ufffd" in done.out
        assert not set(evil) - set("2J") & set(done.out + done.err)


def test_analyse(game: Game, file: Path, foxrow: Foxrow) -> None:
    """What is said of a decision is what the analyst says, and every player with a decision has an accuracy."""
    done = foxrow("analyse", str(file), "--json", "--rollouts", "32")
    assert done.status == 0
    told = [json.loads(line) for line in done.out.splitlines()]
    position = game.new(2, seed=3)
    analyst = Analyst(game, rollouts=32)
    for number, text in enumerate(json.loads(file.read_text("utf-8"))["moves"], 1):
        seat = position.to_act
        assert seat is not None
        view = position.masked(seat)
        verdict = analyst.judge(view, game.rules.parse(view, text), position.options)
        if verdict is not None:
            one = told.pop(0)
            assert (one["move"], one["seat"], one["made"], one["mark"]) == (number, seat, text, verdict.mark)
            assert one["best"] == game.rules.move_text(view, verdict.best)
            assert one["chance"] <= one["best_chance"] == round(verdict.chance, 4)
        position.play(text)
    assert not told
    words = foxrow("analyse", str(file), "--all", "--rollouts", "32").out
    assert "Ann: " in words and "% accuracy" in words and "\x1b[2J" not in words
    match = Match(game, ["Ann", "Ben"], game.check_options({}, 2), setting(game, None), "7" * 64)
    match.next_round()
    while not match.rounds[0].over and len(match.rounds[0].moves) < 4:
        match.rounds[0].play(match.rounds[0].legal()[0])
    done = foxrow("analyse", "-", "--json", "--rollouts", "16", typed=json.dumps(match.record()))
    assert {json.loads(line)["wins"] for line in done.out.splitlines()} == {analyst.wins(match.stakes(), 0)}
    assert "no record 2" in refused(foxrow("analyse", str(file), "--line", "2"))
    record = json.loads(file.read_text("utf-8"))
    wrong = json.dumps(record | {"moves": [*record["moves"], "nonsense"]})
    assert "move 7" in refused(foxrow("analyse", "-", typed=wrong))
    assert "not JSON" in refused(foxrow("analyse", "-", typed="rubbish"))


def test_show_on_a_terminal_without_the_characters(file: Path) -> None:
    env = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "foxrow", "show", str(file)]
    done = subprocess.run(command, env=env, capture_output=True, check=True)
    assert b"after move 6 of 6" in done.stdout


def test_play_a_whole_round(game: Game, foxrow: Foxrow) -> None:
    """The first move of the list, again and again."""
    typed = "?\n\ntable\nundo\nnonsense\n#0\n#999\n" + "#1\n" * 3 + "undo\n" + "#1\n" * 3000
    length = [] if game.match.setting is None else ["--match", str(game.match.low)]
    done = foxrow("play", game.key, "--seed", "1", *length, typed=typed)
    assert done.status == 0
    assert "won" in done.out
    assert "Scores:" in done.out
    assert "the list has the numbers" in done.out
    assert "nothing of yours to take back" in done.out


def test_play_can_be_left(game: Game, foxrow: Foxrow) -> None:
    for typed in ("quit\n", "q\n", "", "#1\n"):
        done = foxrow("play", game.key, "--players", str(game.players[-1]), typed=typed)
        assert done.status == 0
        assert done.out.rstrip().endswith("Good-bye.")


def test_play_takes_options(game: Game, foxrow: Foxrow) -> None:
    for option in game.options:
        players = (option.players or game.players)[0]
        for choice in option.choices:
            done = foxrow("play", game.key, "--players", str(players), "-o", f"{option.key}={choice}", typed="q\n")
            assert done.status == 0
        assert option.key in refused(foxrow("play", game.key, "--players", str(players), "-o", f"{option.key}=maybe"))
    assert "no option" in refused(foxrow("play", game.key, "-o", "colour=red"))
    assert "players" in refused(foxrow("play", game.key, "--players", "17"))
    assert "match" in refused(foxrow("play", game.key, "--match", "1000"))


def test_play_names_the_games_there_are(foxrow: Foxrow) -> None:
    assert all(key in refused(foxrow("play", "chess")) for key in games())
