"""A fourth game is one new folder: no key of a game occurs outside its own."""

from __future__ import annotations

import re
from pathlib import Path

from foxrow.core.registry import games

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("src", "tests", "bench", "web/src", "web/tests", "web/messages")  # prose (docs, README) may name the games
CODE = {".py", ".pyi", ".ts", ".js", ".svelte", ".css", ".sql", ".json", ".html"}
BUILT = ROOT / "src" / "foxrow" / "server" / "static"  # by the bundler, out of all of them


def sources() -> list[str]:
    """All files with code in them, by their paths from the root."""
    return [
        file.relative_to(ROOT).as_posix()
        for room in ROOMS
        for file in (ROOT / room).rglob("*")
        if file.suffix in CODE and BUILT not in file.parents
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
