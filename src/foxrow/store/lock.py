"""One process at a time: two servers on one SQLite file would each believe to know every table."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO


class Locked(Exception):
    """Another process has it."""


class FileLock:
    """Held until `release` or the end of the process, also a violent one."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("a+b")
        try:
            if sys.platform == "win32":
                import msvcrt

                self._file.seek(0)
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as busy:
            self._file.close()
            raise Locked(str(path)) from busy

    def release(self) -> None:
        if sys.platform == "win32":
            import msvcrt

            self._file.seek(0)
            msvcrt.locking(self._file.fileno(), msvcrt.LK_UNLCK, 1)
        self._file.close()


def sync_folder(folder: Path) -> None:
    """Make a rename in it durable, where the system has a way to."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
