"""Numba's cache of machine code, safe for several processes that fill it at once.

Numba reads a function's index, adds an entry and writes it back, with nothing to keep two processes apart: on a first
start a server and its workers would lose each other's entries, or give one number to two files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from filelock import FileLock
from numba.core.caching import FunctionCache


class LockedCache(FunctionCache):  # type: ignore[misc]
    def save_overload(self, sig: Any, data: Any) -> None:
        folder = Path(self.cache_path)
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "writing.lock"):
            super().save_overload(sig, data)
