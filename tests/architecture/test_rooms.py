"""Rooms import only what the architecture allows (import-linter, in pyproject.toml), and starting up stays light."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numpy", "numba", "torch", "rich", "starlette", "uvicorn", "textual", "pydantic")


def test_import_contracts_hold() -> None:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    run = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_room_has_a_place_in_the_contracts() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    named = {name for contract in contracts for key in ("source_modules", "layers") for name in contract.get(key, [])}
    rooms = {
        f"foxrow.{folder.name}"
        for folder in (ROOT / "src" / "foxrow").iterdir()
        if (folder / "__init__.py").exists() and folder.name != "cli"
    }
    assert rooms <= {part for name in named for part in (name, ".".join(name.split(".")[:2]))}


@pytest.mark.parametrize(
    "code",
    [
        "import foxrow; foxrow.list_games()",
        "from foxrow.cli import main; main(['--help'])",
        "from foxrow.cli import main; main(['games'])",
        "from foxrow.cli import main; main(['games', '--json'])",
    ],
)
def test_start_up_is_light(code: str) -> None:
    script = f"""
import sys
try:
    {code.replace("; ", chr(10) + "    ")}
except SystemExit:
    pass
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stderr.strip() == "[]"
