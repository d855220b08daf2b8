"""`python install.py`: the packages of requirements.lock into the Python that runs this, with a bar instead of a minute
of silence. `make` calls it; when something went wrong, pip's last words are shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

LOCK = "requirements.lock"
PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--no-color", "--progress-bar", "off", "--require-hashes")
WIDE = 24  # of the bar, in letters


def show(done: int, of: int, what: str) -> None:
    """The bar: on a terminal one line that changes, elsewhere a line for every tenth."""
    done = min(done, of)
    if sys.stdout.isatty():
        print(f"\r{'━' * (WIDE * done // of):·<{WIDE}} {what:<40.40}", end="", flush=True)
    elif done * 10 // of > (done - 1) * 10 // of:
        print(f"{done} of {of} packages", flush=True)


def main() -> int:
    wanted = len(re.findall(r"^[\w.-]+==", Path(LOCK).read_text("utf-8"), re.MULTILINE))
    print("Foxrow sets itself up in .venv: a minute or two, once.", flush=True)
    found, said = 0, []
    with subprocess.Popen(
        [sys.executable, *PIP, "-r", LOCK], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            if match := re.match(
                r"(?:Collecting|Processing|Requirement already satisfied:|Ignoring) (?:.*/)?([\w.]+)", line
            ):
                found += 1
                show(found, wanted, match[1])
            elif line.startswith("Installing"):
                show(wanted, wanted, "unpacking")
            else:
                said.append(line)
    if sys.stdout.isatty():
        print()
    if pip.returncode:
        print(
            "".join(said[-20:]),
            "The packages could not be installed: is there a network? `make` tries again.",
            sep="\n",
        )
    return pip.returncode


if __name__ == "__main__":
    sys.exit(main())
