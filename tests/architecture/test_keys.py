"""A fourth game is one new folder: no key of a game occurs outside its own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from foxrow.core.registry import games

ROOT = Path(__file__).resolve().parents[2]
CODE = (".py", ".pyi", ".ts", ".js", ".svelte", ".css", ".toml", ".sh", ".sql", ".json", ".html", ".yml", ".yaml")
FREE = ("docs/", "bench/results", "README", "CHANGELOG", "CITATION")  # prose may name the games


def sources() -> list[str]:
    """Tracked files with code in them, and new ones that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        name
        for name in listed.stdout.splitlines()
        if (ROOT / name).is_file() and name.endswith(CODE) and not name.startswith(FREE)
    ]


def test_no_key_of_a_game_outside_its_folder() -> None:
    found: list[str] = []
    texts = {name: (ROOT / name).read_text("utf-8", errors="replace") for name in sources()}
    for game in games().values():
        word = re.compile(rf"(?<![A-Za-z]){re.escape(game.key)}(?![A-Za-z])")
        home = f"src/{game.package.replace('.', '/')}/"
        found += [name for name, text in texts.items() if not name.startswith(home) and word.search(text)]
    assert found == []


def test_games_do_not_import_each_other() -> None:
    for game in games().values():
        home = ROOT / "src" / game.package.replace(".", "/")
        others = [other.package for other in games().values() if other is not game]
        for source in home.rglob("*.py"):
            text = source.read_text("utf-8")
            assert not any(other in text for other in others), source
