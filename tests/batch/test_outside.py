"""A game of another package: installed, it is there, and nothing in Foxrow had to change."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

PACKAGE = next((Path(__file__).parents[2] / "bench").glob("*/pyproject.toml")).parent
CODE = """
import sys
import numpy as np
import foxrow
from foxrow.core.record import TRUTH
game = foxrow.game(sys.argv[1])
assert game in foxrow.list_games()
position = game.new(seed=1)
while not position.over:
    position.play(position.legal()[0])
assert foxrow.load(position.record()).winners() == position.winners()
again = foxrow.load({**{k: v for k, v in position.record().items() if k != "deal"},
                     "setup": game.rules.text.write_setup(position.state), "moves": []})
assert again.over and again.winners() == position.winners()
env = foxrow.batch(game.key, 64, seed=2)
wins = np.zeros(2)
for _ in range(200):
    step = env.step(np.where(env.actors == 0, env.policy_moves(), env.random_moves()))
    wins += step.rewards.sum(0)
assert wins[0] > 50, wins  # the rule of thumb beats chance
"""


def test_a_game_found_by_its_entry_point(tmp_path: Path) -> None:
    about = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    (entry,) = about["entry-points"]["foxrow.games"].items()
    info = tmp_path / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"  # what an installer leaves
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
    (info / "entry_points.txt").write_text(f"[foxrow.games]\n{entry[0]} = {entry[1]}\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(PACKAGE / "src")])}
    done = subprocess.run([sys.executable, "-c", CODE, entry[0]], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
