"""The Chromium that the tests drive: the machine's own, else one that can be fetched here.

`python tests/web/browser.py` makes sure there is one, as far as the machine allows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def found() -> str | None:
    """The path of a Chromium on this machine, or none: then Playwright's own is tried."""
    named = os.environ.get("FOXROW_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def playwrights_own() -> bool:
    return subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False).returncode == 0


def from_debian() -> bool:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return False
    steps = (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"])
    return all(subprocess.run(step, check=False).returncode == 0 for step in steps)


def main() -> int:
    if found() or playwrights_own() or from_debian():
        return 0
    print("No Chromium here, and none could be installed: the browser tests need one (FOXROW_CHROMIUM=path).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
