"""A game of another package: installed, it is there, and nothing in Foxrow had to change."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(file.parent for where in ("bench", "examples") for file in (ROOT / where).glob("*/pyproject.toml"))
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
env = foxrow.batch(game.key, 64, players=2, seed=2)
wins = np.zeros(2)
for _ in range(200):
    step = env.step(np.where(env.actors == 0, env.policy_moves(), env.random_moves()))
    wins += step.rewards[:, :2].sum(0)
assert wins[0] > wins[1] + 50, wins  # the rule of thumb beats chance
"""


def about(package: Path) -> tuple[dict[str, str], str, str]:
    """A package, the key of its game, and where its card is."""
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    ((key, card),) = project["entry-points"]["foxrow.games"].items()
    return project, key, card


def run(package: Path, folder: Path, *arguments: str) -> str:
    """What Python prints where the package is installed."""
    project, key, card = about(package)
    name, version = project["name"], project["version"]
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"  # what an installer leaves
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[foxrow.games]\n{key} = {card}\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    env["PYTHONPATH"] = os.pathsep.join([str(folder), str(package / "src")])
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_game_found_by_its_entry_point(package: Path, tmp_path: Path) -> None:
    run(package, tmp_path, "-c", CODE, about(package)[1])


def test_the_example_passes_the_contract_suite(tmp_path: Path) -> None:
    """All that docs/adding-a-game.md promises, for a game with secrets that is not ours."""
    example = ROOT / "examples" / "summit"
    suite = ("tests/contract", str(example))
    said = run(example, tmp_path, "-m", "pytest", "-p", "no:cacheprovider", *suite, "-k", about(example)[1])
    assert int(said.rpartition(" passed")[0].split()[-1]) > 150  # every test asks for every case
