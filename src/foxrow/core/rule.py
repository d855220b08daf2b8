"""`@rule` and `@part`: the same plain function as Python, as Numba machine code, and as a CUDA device function.

FOXROW_PURE=1 leaves the functions as they are, for debugging and for tests that compare the two. Numba turns a CPU
function into a device function by itself when a kernel calls it, so CUDA needs no second decorator.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import platformdirs

P = ParamSpec("P")
R = TypeVar("R")

PURE = os.environ.get("FOXROW_PURE", "") not in ("", "0")
PACKAGE = Path(__file__).resolve().parent.parent


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """A function of the contract, or a loop over such: compiled on its first call; machine code is kept on disk."""
    if PURE:
        return function
    import numba

    from foxrow.core.compiled import Rule

    numba.config.CACHE_DIR = str(cache_folder(function.__globals__))
    return Rule(function)


def arithmetic(function: Callable[P, R]) -> Callable[P, R]:
    """As `rule`, for sums of many floats: their order is the compiler's, so the last bits are the machine's own."""
    if PURE:
        return function
    import numba

    from foxrow.core.compiled import Rule

    numba.config.CACHE_DIR = str(cache_folder(function.__globals__))
    return Rule(function, fastmath=True)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """A piece of rules: compiled into the rules that use it."""
    if PURE:
        return function
    from foxrow.core.compiled import Part

    return Part(function)


def cache_folder(module: dict[str, object]) -> Path:
    """Where machine code of a module is kept: a folder named by a hash of all sources it may be built from.

    Numba looks only at the function's own file, so a change in a game's rules would leave a stale search.
    """
    home = Path(str(module["__file__"])).resolve().parent
    rooms = (PACKAGE / "core", PACKAGE / "search", home, *map(Path, module.get("__built_from__", ())))  # type: ignore[call-overload]
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())  # other machine code, other folder
    for room in sorted(set(rooms)):
        digest.update(_digest(room))
    return _cache_root() / digest.hexdigest()[:16]


@cache
def _digest(room: Path) -> bytes:
    """A room is read when something of it is first loaded, and not again: a server that runs on while its files are
    replaced must not leave machine code of the old ones where that of the new ones is looked for."""
    digest = hashlib.sha256()
    for source in sorted(room.glob("*.py")):
        digest.update(f"{source.name}\0".encode() + source.read_bytes())
    return digest.digest()


@cache
def _cache_root() -> Path:
    """The user's cache folder, as each system names it; FOXROW_CACHE overrides. Where neither can be written, machine
    code lives as long as this process."""
    chosen = os.environ.get("FOXROW_CACHE")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("foxrow", appauthor=False)
    with suppress(OSError):
        root.mkdir(parents=True, exist_ok=True)
    return root if os.access(root, os.W_OK) else Path(tempfile.mkdtemp(prefix="foxrow-"))
