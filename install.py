"""`python install.py`: the packages of requirements.lock into the Python that runs this, with a bar instead of a minute
of silence. `make` calls it; when something went wrong, pip's last words are shown.

`python install.py --train`: torch as well, for the tests of training, but only where a build without CUDA is to be had
(macOS, Windows, a wheel that pip finds on the machine). With CUDA it is gigabytes, which no test asks of anybody."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

LOCK = "requirements.lock"
PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--no-color", "--progress-bar", "off")
TORCH = "torch==2.13.0"  # what the tests of training were run with
HEAVY = re.compile(r"nvidia|cuda|triton|rocm")  # what a build for GPUs brings along
WIDE = 24  # of the bar, in letters


def show(done: int, of: int, what: str) -> None:
    """The bar: on a terminal one line that changes, elsewhere a line for every tenth."""
    done = min(done, of)
    if sys.stdout.isatty():
        print(f"\r{'━' * (WIDE * done // of):·<{WIDE}} {what:<40.40}", end="", flush=True)
    elif done * 10 // of > (done - 1) * 10 // of:
        print(f"{done} of {of} packages", flush=True)


def training() -> None:
    """Torch, if it is light here. Without it the tests of training are skipped, and say so."""
    if importlib.util.find_spec("torch"):
        return
    look = [sys.executable, *PIP, "--quiet", "--only-binary", ":all:", "--dry-run", "--report", "-", TORCH]
    told = subprocess.run(look, capture_output=True, text=True)
    names = [one["metadata"]["name"] for one in json.loads(told.stdout)["install"]] if told.returncode == 0 else []
    if not names or any(HEAVY.match(name) for name in names):
        print(f"Tests of training are skipped: they need {TORCH}, and there is no build of it without CUDA here.")
        return
    print(f"Installing {TORCH} for the tests of training: a minute, once.", flush=True)
    made = subprocess.run([sys.executable, *PIP, "--only-binary", ":all:", TORCH], capture_output=True, text=True)
    if made.returncode:
        print(made.stderr[-2000:], "Tests of training are skipped.", sep="\n")


def main() -> int:
    if sys.argv[1:] == ["--train"]:
        training()
        return 0
    wanted = len(re.findall(r"^[\w.-]+==", Path(LOCK).read_text("utf-8"), re.MULTILINE))
    print("Foxrow sets itself up in .venv: a minute or two, once.", flush=True)
    found, said = 0, []
    with subprocess.Popen(
        [sys.executable, *PIP, "--require-hashes", "-r", LOCK],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
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
