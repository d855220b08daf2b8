"""The arena: pairs, intervals, results that outlive a kill, forfeits, the test that may stop."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from foxrow.arena.halt import Halt
from foxrow.arena.plan import Plan
from foxrow.arena.results import Results, ResultsError
from foxrow.arena.round import Players, Result, play_deal, record
from foxrow.arena.run import run
from foxrow.arena.sprt import judge
from foxrow.arena.table import share, tabulate
from foxrow.bots import BotError
from foxrow.core.errors import GameError
from foxrow.core.position import Position
from foxrow.core.registry import games
from foxrow.match.record import read

GAMES = list(games().values())
GAME = GAMES[0]
FEW = GAME.players[0]


def plan(*bots: str, games: int = 8, players: int = FEW, **more: Any) -> Plan:
    return Plan(GAME.key, bots, players, games, **more).check()


def played(a_plan: Plan) -> list[list[Result]]:
    players = Players(a_plan)
    return [play_deal(a_plan, players, deal) for deal in range(a_plan.deals)]


def without_time(deals: list[list[Result]]) -> list[list[dict[str, Any]]]:
    return [[{**result.line(), "ms": None} for result in deal] for deal in deals]


def test_every_bot_gets_every_seat() -> None:
    assert plan("random", "greedy").lineups == [(0, 1), (1, 0)]
    assert plan("random", "greedy", "greedy", "random").names == ["random", "greedy", "greedy (2)", "random (2)"]
    four = Plan(GAME.key, ("random", "greedy"), 4, 8)
    assert four.lineups == [(0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1)]
    three = Plan(GAME.key, ("a", "b", "c"), 2, 8)
    assert three.lineups == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert Plan(GAME.key, ("a",), 2, 3).lineups == [(0, 0)]
    assert plan("random", "greedy", games=9).deals == 5  # the last pair is finished


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_games_of_a_deal_have_the_same_cards_and_can_be_replayed(game: Any) -> None:
    a_plan = Plan(game.key, ("random", "greedy"), game.players[0], 4).check()
    deals = played(a_plan)
    for deal in deals:
        documents = [record(a_plan, result) for result in deal]
        assert len({json.dumps(document["deal"]) for document in documents}) == 1
        for document, result in zip(documents, deal, strict=True):
            position = read(document).replay()
            assert isinstance(position, Position)
            assert position.over
            assert tuple(position.scores()) == result.scores
            assert sum(result.shares) == pytest.approx(1.0)
    assert len({record(a_plan, deal[0])["deal"]["seed"] for deal in deals}) == len(deals)


def test_the_same_plan_gives_the_same_games_wherever_they_are_played(tmp_path: Path) -> None:
    a_plan = plan("search:15", "level:2", games=6, seed="x")
    here = without_time(played(a_plan))
    results = Results(a_plan, tmp_path / "r.jsonl")
    run(results, workers=2)
    assert without_time(results.deals()) == here
    results.close()
    assert without_time(played(plan("search:15", "level:2", games=6, seed="y"))) != here


def test_a_killed_run_goes_on_without_a_lost_or_doubled_game(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    games_wanted = 200
    args = ["arena", GAME.key, "random", "greedy", "--games", str(games_wanted), "--results", str(file), "--json"]
    args += ["--workers", "1"]
    command = [sys.executable, "-m", "foxrow", *args]
    kills = 0
    for wait in (20, 90):  # games to wait for before the kill
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < until:
            if file.exists() and file.read_bytes().count(b"\n") > wait:
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
                break
            time.sleep(0.01)
        process.wait()
    with file.open("ab") as end:
        end.write(b'{"deal": 77, "ga')  # as if the kill came within a line
    last = subprocess.run(command, capture_output=True, text=True, check=True)
    assert kills >= 1
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    found = [(line["deal"], line["game"]) for line in lines[1:]]
    assert len(found) == len(set(found)) == games_wanted
    assert sorted(found) == [(deal, game) for deal in range(games_wanted // 2) for game in range(2)]
    a_plan = plan("random", "greedy", games=games_wanted)
    table = json.loads(last.stdout)
    expected = tabulate(a_plan, played(a_plan)).document()
    for key in ("games", "seat_win_rates", "moves_per_game"):
        assert table[key] == expected[key]
    assert [bot["win_rate"] for bot in table["bots"]] == [bot["win_rate"] for bot in expected["bots"]]


def runs(process: Path) -> bool:
    """Whether a process under /proc is there, and not just waiting to be buried."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes where Linux lists them")
def test_the_workers_of_a_killed_run_end_too(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    words = ["arena", GAME.key, "random", "greedy", "--games", "4000", "--results", str(file), "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "foxrow", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") > 1):
        time.sleep(0.01)
    tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
    children = [Path("/proc", number) for task in tasks for number in task.read_text().split()]
    process.kill()
    process.wait()
    assert len(children) >= 2
    for child in children:
        while runs(child):
            time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes where Linux lists them")
@pytest.mark.parametrize("presses", [1, 2])
@pytest.mark.parametrize("early", [True, False], ids=["while processes start", "while they play"])
def test_ctrl_c_once_finishes_the_games_in_hand_and_twice_ends_them(tmp_path: Path, presses: int, early: bool) -> None:
    file, said = tmp_path / "run.jsonl", tmp_path / "said"
    words = ["arena", GAME.key, "search:1000", "random", "--games", "60", "--results", str(file), "--workers", "2"]
    with said.open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "foxrow", *words], stdout=subprocess.DEVNULL, stderr=err, start_new_session=True
        )
    workers: set[Path] = set()
    while len(workers) < 2 or not (early or file.read_bytes().count(b"\n") > 1):
        assert process.poll() is None
        tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
        children = {Path("/proc", number) for task in tasks for number in task.read_text().split()}
        workers = {child for child in children if b"spawn_main" in (child / "cmdline").read_bytes()}
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    while b"Finishing the games in hand; Ctrl-C again stops at once.\n" not in said.read_bytes():
        assert process.poll() is None
    if presses == 2:
        os.killpg(process.pid, signal.SIGINT)
    assert process.wait() == 130
    text = said.read_text()
    assert text.endswith("Stopped. The same command goes on from here.\n")
    assert "Traceback" not in text
    assert not any(runs(worker) for worker in workers)
    games = [json.loads(line)["game"] for line in file.read_text().splitlines()[1:]]
    assert early or games


def test_a_halted_run_has_kept_the_games_in_hand() -> None:
    halt = Halt()
    results = Results(plan("random", "greedy", games=2000), None)
    run(results, workers=1, tell=lambda *_: halt.call(), halt=halt)
    some = len(results.deals())
    assert 0 < some < 1000
    run(results, workers=1, halt=halt)
    assert len(results.deals()) == some


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    Results(plan("random", "greedy"), file).close()
    with pytest.raises(ResultsError, match="another run"):
        Results(plan("random", "random"), file)
    Results(plan("random", "random"), file, fresh=True).close()
    file.write_text("what is this\n")
    with pytest.raises(ResultsError, match="line 1"):
        Results(plan("random", "greedy"), file)
    first = Results(plan("random", "greedy"), file, fresh=True)
    with pytest.raises(ResultsError, match="another run is writing"):
        Results(plan("random", "greedy"), file)
    first.close()


def test_more_games_go_on_from_fewer(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    few = Results(plan("random", "greedy", games=4), file)
    run(few, workers=1)
    few.close()
    more = Results(plan("random", "greedy", games=10), file)
    assert more.found == 4
    assert more.missing() == [2, 3, 4]
    more.close()


def test_fewer_games_leave_the_others_where_they_are(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    more = Results(plan("random", "greedy", games=10), file)
    run(more, workers=1)
    assert more.beyond == 0
    more.close()
    few = Results(plan("random", "greedy", games=4), file)
    assert (few.found, few.beyond, few.missing()) == (10, 6, [])
    assert len(few.deals()) == 2
    few.close()


HEAD = json.dumps(
    {"format": "foxrow-arena/1", **Plan(GAME.key, ("random", "greedy"), FEW, 8).identity}, separators=(",", ":")
)


@pytest.mark.parametrize(
    "content",
    [
        b"one line without an end, and precious",
        json.dumps({"my": "thesis"}).encode(),
        b"3\n",
        b"[]\n",
        b"[" * 100_000 + b"\n",
        "Gr\u00fc\u00dfe\n".encode("latin-1"),
        b"\x89PNG\r\n\x1a\n\x00\xff",
        HEAD.encode()[:40] + b"?",
    ],
    ids=["no line end", "JSON without one", "a number", "a list", "too deep", "latin-1", "a picture", "almost a run"],
)
def test_a_file_that_no_run_has_written_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "mine"
    file.write_bytes(content)
    with pytest.raises(ResultsError, match=r"line 1: .* name another file"):
        Results(plan("random", "greedy"), file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("size", [0, 1, 40, len(HEAD)])
def test_a_kill_in_the_middle_of_the_first_line_costs_nothing(tmp_path: Path, size: int) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(HEAD[:size])
    Results(plan("random", "greedy"), file).close()
    assert file.read_text() == HEAD + "\n"


def a_run(file: Path) -> list[bytes]:
    """The lines of four games."""
    results = Results(plan("random", "greedy", games=4), file)
    run(results, workers=1)
    results.close()
    return file.read_bytes().splitlines(keepends=True)


def test_lines_that_end_as_windows_has_them_lose_no_game(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    lines = a_run(file)
    assert len(lines) == 5
    foreign = b"".join(line.replace(b"\n", b"\r\n") for line in lines)
    file.write_bytes(foreign)
    for _ in range(3):
        results = Results(plan("random", "greedy", games=4), file)
        assert (results.found, results.missing()) == (4, [])
        results.close()
        assert file.read_bytes() == foreign
    file.write_bytes(foreign + b'{"deal":2,')
    more = Results(plan("random", "greedy", games=6), file)
    run(more, workers=1)
    more.close()
    assert file.read_bytes().startswith(foreign)
    again = Results(plan("random", "greedy", games=6), file)
    assert (again.found, again.missing()) == (6, [])
    again.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"lost": []},
        {"lost": [0]},
        {"lost": ["0", "it broke"]},
        {"lost": [FEW, "nobody sits there"]},
        {"shares": []},
        {"shares": [1.0]},
        {"shares": "ab"},
        {"shares": ["1", "0"]},
        {"scores": [1.5, 2]},
        {"ms": None},
        {"lineup": [0]},
        {"lineup": [1, 0]},
        {"lineup": [0, 9]},
        {"deal": "0"},
        {"deal": -1},
        {"game": 9},
        {"game": True},
        {"moves": [1]},
        {"more": 1},
    ],
    ids=str,
)
def test_a_damaged_line_is_refused_by_its_number(tmp_path: Path, wrong: dict[str, Any]) -> None:
    file = tmp_path / "r.jsonl"
    lines = a_run(file)
    lines[3] = json.dumps({**json.loads(lines[3]), "deal": 0, "game": 0, "lineup": [0, 1], **wrong}).encode() + b"\n"
    file.write_bytes(b"".join(lines))
    with pytest.raises(ResultsError, match=r"line 4: .* take the line out, and its game is played again"):
        Results(plan("random", "greedy", games=4), file)
    assert file.read_bytes() == b"".join(lines)
    file.write_bytes(b"".join(lines[:3] + lines[4:]))  # as it said
    again = Results(plan("random", "greedy", games=4), file)
    assert again.missing() == [1]
    again.close()


@pytest.mark.parametrize("junk", ["Gr\u00fc\u00dfe".encode("latin-1"), b"", b"[]", b"null", b'{"deal": 1}'])
def test_what_is_no_game_is_refused_by_its_line(tmp_path: Path, junk: bytes) -> None:
    file = tmp_path / "r.jsonl"
    lines = a_run(file)
    lines.insert(2, junk + b"\n")
    file.write_bytes(b"".join(lines))
    with pytest.raises(ResultsError, match="line 3"):
        Results(plan("random", "greedy", games=4), file)
    assert file.read_bytes() == b"".join(lines)


def test_a_folder_that_is_a_file_is_said_to_be_no_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ResultsError, match="cannot write"):
        Results(plan("random", "greedy"), tmp_path / "file" / "r.jsonl")


def test_a_bot_that_breaks_down_loses_with_a_reason(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('hello'): print('hello Bad', flush=True)\n"
        "    if line.startswith('move'): sys.exit(4)\n"
    )
    a_plan = plan(f"{sys.executable} {bot}", "random", games=4)
    results = Results(a_plan, None)
    run(results, workers=1)
    row, other = tabulate(a_plan, results.deals()).rows
    assert row.forfeits == 4
    assert row.wins.mean == 0.0
    assert other.wins.mean == 1.0
    assert "ended with status 4" in row.reasons[0]


@pytest.mark.parametrize(
    ("bots", "more"),
    [(("nobody",), {}), ((), {}), (("random",), {"players": 99}), (("random",), {"options": {"no": True}})],
)
def test_a_plan_that_cannot_be_played(bots: tuple[str, ...], more: dict[str, Any]) -> None:
    with pytest.raises((GameError, BotError)):
        plan(*bots, **more)


def test_no_games_are_no_arena() -> None:
    with pytest.raises(GameError, match="at least one game, not 0"):
        plan("random", games=0)


def made_up(rate: float, pairs: int, seed: int) -> list[list[Result]]:
    """Pairs of games as if the first bot won with this probability."""
    lot = random.Random(seed)
    deals = []
    for deal in range(pairs):
        wins = [float(lot.random() < rate) for _ in range(2)]
        deals.append(
            [
                Result(deal, i, (i, 1 - i), (w, 1 - w) if i == 0 else (1 - w, w), (0, 0), (0, 0), (1, 1), (0, 0), ())
                for i, w in enumerate(wins)
            ]
        )
    return deals


def test_intervals_cover_the_truth_in_95_of_100_runs() -> None:
    covered = 0
    for seed in range(200):
        table = tabulate(plan("random", "greedy"), made_up(0.7, 50, seed))
        covered += table.rows[0].wins.low <= 0.7 <= table.rows[0].wins.high
    assert 0.92 <= covered / 200 <= 0.99


def test_no_interval_has_no_width() -> None:
    sure = share([1.0] * 50)
    assert sure.mean == sure.high == 1.0
    assert 0.85 < sure.low < 0.99
    assert not any(math.isnan(x) for x in (share([]).low, share([0.5]).high))


def test_the_sequential_test_decides_rightly_and_early() -> None:
    a_plan = plan("random", "greedy")
    right = [judge(a_plan, made_up(0.6, 600, seed), 0.05).decided for seed in range(20)]
    assert right.count("first") >= 18
    assert [judge(a_plan, made_up(0.4, 600, seed), 0.05).decided for seed in range(20)].count("second") >= 18
    equal = [judge(a_plan, made_up(0.5, 900, seed), 0.05).decided for seed in range(20)]
    assert equal.count("neither") >= 15
    assert judge(a_plan, made_up(0.9, 5, 1), 0.05).decided is None


def test_a_run_stops_when_it_is_decided(tmp_path: Path) -> None:
    results = Results(plan("greedy", "random", games=2000), None)
    verdict = run(results, workers=1, sprt=0.05)
    assert verdict is not None
    assert verdict.decided == "first"
    assert len(results.deals()) < 500
    results.close()


def test_ratings_follow_strength() -> None:
    a_plan = plan("random", "greedy", games=40)
    table = tabulate(a_plan, played(a_plan))
    assert table.rows[1].rating[0] > table.rows[0].rating[0]


def test_the_command_writes_records_for_the_referee(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    args = ["arena", GAME.key, "greedy", "random", "--games", "4", "--json", "--workers", "1"]
    args += ["--records", str(file), "--results", str(tmp_path / "r.jsonl")]
    done = subprocess.run([sys.executable, "-m", "foxrow", *args], capture_output=True, text=True, check=True)
    table = json.loads(done.stdout)
    assert [bot["name"] for bot in table["bots"]] == ["greedy", "random"]
    assert set(table["bots"][0]) >= {"win_rate", "interval", "margin", "rating", "ms_per_move", "win_rate_by_seat"}
    referee = subprocess.run(
        [sys.executable, "-m", "foxrow", "referee", str(file)], capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in referee.stdout.splitlines()]
    assert len(answers) == 4
    assert all(answer["over"] for answer in answers)
