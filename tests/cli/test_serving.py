"""The server's commands as real processes: serve, verify, backup, restore, and how they refuse."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.match.tables import any_game
from tests.server.process import Serving, call, dealt, foxrow, given_up

GAME = any_game()
PLAYERS = GAME.players[0]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a server is stopped by SIGTERM")


def test_serve_backup_restore_verify(tmp_path: Path) -> None:
    database, copy, record = tmp_path / "a" / "foxrow.db", tmp_path / "copy.db", tmp_path / "record.json"
    database.parent.mkdir()
    with Serving(database, "--pace", "0") as server:
        table, cookie, commit = dealt(server.url, GAME.key, PLAYERS)

        made = foxrow("backup", copy, "--database", database)  # while it runs
        assert made.returncode == 0, made.stderr
        assert "checked" in made.stdout

        refused = foxrow("restore", copy, "--database", database)
        assert refused.returncode != 0
        assert len(refused.stderr.strip().splitlines()) == 1
        second = foxrow("serve", "--database", database, "--port", server.port + 1)
        assert second.returncode != 0
        assert "--database" in second.stderr

        record.write_text(json.dumps(given_up(server.url, table, cookie, PLAYERS)))
        assert server.stop() == 0
        assert f"http://localhost:{server.port}/" in server.log.read_text()
        assert cookie.partition("=")[2] not in server.log.read_text()
        assert table not in server.log.read_text()

    good = foxrow("verify", record, "--commit", commit, "--deal")
    assert good.returncode == 0, good.stderr
    assert good.stdout.count("✓") == 3
    assert foxrow("verify", record, "--commit", "0" * 64).returncode == 2
    fair = json.loads(record.read_text())
    moves = fair["rounds"][0]["moves"]
    wrong = tmp_path / "wrong.json"
    for change in (
        {"rounds": [{**fair["rounds"][0], "moves": [*moves, "rubbish"]}]},
        {"rounds": [{**fair["rounds"][0], "first": 99}]},
        {"rounds": [{"first": 0, "moves": []}, {"first": 1, "moves": []}]},
    ):
        wrong.write_text(json.dumps({**fair, **change}))
        told = foxrow("verify", wrong)
        assert told.returncode == 2, told.stdout
        assert told.stdout.count("✓") == 2  # the shuffle is proven all the same
        assert "✗ the moves" in told.stdout
    wrong.write_text(json.dumps({**fair, "game": "nothing_like_it"}))
    elsewhere = foxrow("verify", wrong)
    assert elsewhere.returncode == 0
    assert "not installed" in elsewhere.stdout
    lie = json.loads(record.read_text())
    told = lie["fair"]["server"]["commit"]
    assert foxrow("verify", record, "--server", told).returncode == 0
    assert foxrow("verify", record, "--server", "0" * 64).returncode == 2
    assert "64 hex digits" in foxrow("verify", record, "--server", "nonsense").stderr
    lie["seed"] = "0" * 64
    record.write_text(json.dumps(lie))
    assert foxrow("verify", record).returncode == 2

    # The backup is from before the end: there the table is still dealt and played, by the same people.
    restored = foxrow("restore", copy, "--database", database)
    assert restored.returncode == 0, restored.stderr
    assert "before-restore-1" in restored.stdout
    with Serving(database) as server:
        status, body, _ = call(server.url, "GET", f"/api/tables/{table}", cookie=cookie)
        assert status == 200, body
        assert json.loads(body)["status"] == "playing"
        again = given_up(server.url, table, cookie, PLAYERS)
        record.write_text(json.dumps(again))
        assert foxrow("verify", record, "--commit", commit).returncode == 0


def test_what_is_no_database_is_told_with_what_to_do(tmp_path: Path) -> None:
    database = tmp_path / "foxrow.db"
    for content in (b"not a database at all" * 1000, b"SQLite format 3\0" + b"\xa5" * 9000):
        database.write_bytes(content)
        done = foxrow("serve", "--database", database)
        assert done.returncode == 2
        assert done.stderr.startswith("foxrow: cannot start: ") and len(done.stderr.splitlines()) == 1
        assert "foxrow restore" in done.stderr and str(database) in done.stderr
        assert database.read_bytes() == content


@pytest.mark.parametrize(
    "arguments",
    [
        ("serve", "--root", "no slash"),
        ("serve", "--port", "0"),
        ("serve", "--workers", "0"),
        ("verify", "nothing.json"),
        ("backup", "copy.db", "--database", "nothing.db"),
        ("restore", "nothing.db", "--database", "other.db"),
        ("serve", "--database", "postgresql://ann:tr0ub4dor@127.0.0.1:1/foxrow"),
        ("serve", "--database", "postgresql://ann:1/tr0ub4dor@127.0.0.1/foxrow"),
        ("serve", "--database", "postgresq://ann:tr0ub4dor@127.0.0.1/foxrow"),
        ("backup", "copy.db", "--database", "postgresql://ann:tr0ub4dor@127.0.0.1/foxrow"),
        ("restore", "nothing.db", "--database", "postgresql://ann:tr0ub4dor@127.0.0.1/foxrow"),
    ],
)
def test_mistakes_are_told_in_a_line_and_leave_nothing(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = foxrow(*arguments)
    assert done.returncode != 0
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr
    assert "tr0ub4dor" not in done.stderr
    assert not [file for file in tmp_path.iterdir() if not file.name.endswith(".lock")]
