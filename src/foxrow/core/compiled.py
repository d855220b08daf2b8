"""What `@rule` and `@part` make of a function: Numba's dispatcher, made quicker to compile and safe to share.

A game is some seventy small functions, and most of a first start is Numba compiling each of them. Two habits of Numba
make it compile more than is needed: a function called with a literal, an int8 and an int64 is compiled three times,
and every function gets a door for callers from Python and from C, though only the contract's ones are ever called so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock
from numba import types
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

OPTIONS = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


misses: list[Callable[[], None]] = []  # who wants to hear that something is not on disk, so that it is compiled


class LockedCache(FunctionCache):  # type: ignore[misc]
    """Machine code on disk, safe for several processes that fill it at once.

    Numba reads a function's index, adds an entry and writes it back, with nothing to keep two processes apart: on a
    first start a server and its workers would lose each other's entries, or give one number to two files.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            for hear in misses:
                hear()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        folder = Path(self.cache_path)
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "writing.lock"):
            super().save_overload(sig, data)


def wide(kind: Any) -> Any:
    """Whole numbers of every width, literals too, are passed on as int64 (but uint64 as it is)."""
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain != types.uint64 else plain


class Rule(CPUDispatcher):  # type: ignore[misc]
    """Called from Python and from compiled code; kept on disk."""

    def __init__(self, function: Any, **more: Any) -> None:
        super().__init__(function, targetoptions={**OPTIONS, **more})
        self._cache = LockedCache(function)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()})


class Part(Rule):
    """Called from compiled code alone, and kept within the code of its callers. From Python it runs as Python."""

    def __init__(self, function: Any) -> None:
        CPUDispatcher.__init__(self, function, targetoptions={**OPTIONS, "no_cpython_wrapper": True})

    def __call__(self, *args: Any, **kws: Any) -> Any:
        return self.py_func(*args, **kws)
