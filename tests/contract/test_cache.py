"""Compiled code is kept: a second process compiles nothing, also none of the templates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from foxrow.core.registry import games

MODULES = ("foxrow.core.chance",)
TEMPLATES = ("foxrow.core.kernels", "foxrow.core.look")


def use_everything() -> dict[str, list[int]]:
    """Compile all functions and run all templates; per function that was compiled or loaded, its hits and misses."""
    import numpy as np

    from foxrow.core.chance import stream, streams
    from foxrow.match.referee import Referee

    judge = Referee(trace=True)
    stats: dict[str, list[int]] = {}
    for key, game in games().items():
        rules = game.rules
        rules.compile()
        players = game.players[0]
        position = game.new(players, seed=1)
        position.legal(), position.scores(), position.winners(), position.view(0)
        rules.fill(position.masked(0), stream(1))
        order = np.zeros(len(rules.deck(players, {})), np.int32)
        codes = np.array(game.option_codes({}), np.int32)
        room = (rules.states(1), streams(1, 1), order, np.zeros(rules.MAX_LEGAL, np.int32), players, codes)
        rules.kernels.play_many(*room, 100, 50)
        position.play(position.legal()[0])
        assert "error" not in judge.judge(position.record())
        modules: list[ModuleType] = [*rules._modules.values(), *map(rules.template, TEMPLATES)]
        for module in modules:
            for name, value in vars(module).items():
                dispatcher: Any = value
                if hasattr(dispatcher, "stats") and dispatcher.signatures:
                    hits, misses = (
                        sum(kind.values()) for kind in (dispatcher.stats.cache_hits, dispatcher.stats.cache_misses)
                    )
                    stats[f"{key}: {module.__name__}.{name}"] = [hits, misses]
    return stats


def test_a_second_process_compiles_nothing() -> None:
    assert use_everything()
    run = subprocess.run(
        [sys.executable, "-m", "tests.contract.test_cache"], env=os.environ, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    stats: dict[str, list[int]] = json.loads(run.stdout)
    assert len(stats) >= 10 * len(games())
    compiled = [name for name, (_, misses) in stats.items() if misses]
    assert compiled == []
    assert all(hits for hits, _ in stats.values())


def test_what_runs_on_while_its_files_are_replaced_does_not_file_old_code_as_new(tmp_path: Path) -> None:
    from foxrow.core.rule import cache_folder

    loaded, later = tmp_path / "loaded", tmp_path / "later"
    for room in (loaded, later):
        room.mkdir()
        (room / "rules.py").write_text("WINS = 1")
    before = cache_folder({"__file__": str(loaded / "rules.py")})
    for room in (loaded, later):
        (room / "rules.py").write_text("WINS = 2")
    assert cache_folder({"__file__": str(loaded / "rules.py")}) == before
    built: dict[str, object] = {"__file__": str(later / "rules.py"), "__built_from__": (str(loaded),)}
    code = f"from foxrow.core.rule import cache_folder; print(cache_folder({built!r}))"
    run = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=True)
    assert run.stdout.strip() != str(cache_folder(built))  # another process knows the new files alone


def test_without_a_folder_that_can_be_written_there_is_one_for_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder can be made in a file")
    code = "import os; from foxrow.core.rule import _cache_root as root; print(root(), os.access(root(), os.W_OK))"
    env = {**os.environ, "FOXROW_CACHE": str(tmp_path / "file" / "cache")}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    folder, writable = run.stdout.split()
    assert writable == "True"
    assert not Path(folder).is_relative_to(tmp_path)


if __name__ == "__main__":
    print(json.dumps(use_everything()))
