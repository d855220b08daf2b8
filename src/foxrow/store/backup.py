"""Copies of the whole database, made while the server runs, and the way back."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from foxrow.store.interface import StoreBusy
from foxrow.store.lock import FileLock, Locked, sync_folder
from foxrow.store.migrations import LATEST, version
from foxrow.store.sqlite import private, understood

Progress = Callable[[int, int], None]  # pages done, pages in all


class BackupError(Exception):
    """One sentence for the operator."""


def backup(database: Path, target: Path, progress: Progress | None = None) -> None:
    """A consistent copy of a database, also of one in use. The target appears whole or not at all."""
    if not database.exists():
        raise BackupError(f"there is no database {database}")
    try:
        with copied(database, target, progress) as part:
            os.replace(part, target)
            sync_folder(target.parent)
    except (sqlite3.Error, OSError) as failed:
        raise BackupError(f"the backup failed and nothing was written: {failed}") from failed


def restore(source: Path, database: Path) -> Path | None:
    """Put a backup in the database's place; the database that was there is kept, also if nobody can read it any more,
    and its new name given."""
    check(source)
    try:
        lock = FileLock(beside(database, ".lock"))
    except Locked:
        raise BackupError("a server uses this database: stop it first") from None
    try:
        with copied(source, database) as part:
            kept = put_aside(database)
            os.replace(part, database)
            sync_folder(database.parent)
            return kept
    except (sqlite3.Error, OSError) as failed:
        raise BackupError(f"the restore failed: {failed}") from failed
    finally:
        lock.release()


@contextmanager
def copied(source: Path, target: Path, progress: Progress | None = None) -> Iterator[Path]:
    """A checked copy beside the place where it shall be. Whatever comes of it, nothing stays there under this name."""
    part = beside(target, ".part")
    remove(part)
    try:
        private(part)
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(
                new,
                pages=2000,
                progress=lambda _, rest, all_: progress(all_ - rest, all_) if progress else None,
            )
            new.execute("PRAGMA journal_mode = DELETE")
        check(part)
        _sync(part)
        yield part
    finally:
        remove(part)


def put_aside(database: Path) -> Path | None:
    """The database under a name of its own, if there is one: as one file, or, where it is damaged, as it lies there."""
    if database.exists() and whole(database):
        with closing(sqlite3.connect(database)) as before:
            before.execute("PRAGMA journal_mode = DELETE")  # folds the WAL in, so that one file is all
    number = 1
    while any(file.exists() for file in files(beside(database, f".before-restore-{number}"))):
        number += 1
    spare = beside(database, f".before-restore-{number}")
    kept = None
    for file, place in zip(files(database), files(spare), strict=True):
        if file.exists():
            os.replace(file, place)
            kept = spare
    return kept


def whole(database: Path) -> bool:
    """Whether it may be opened for writing. Of a damaged one, SQLite would throw the log away that may yet save it."""
    try:
        check(database)
    except BackupError as broken:
        cause = broken.__cause__
        if isinstance(cause, sqlite3.Error) and isinstance(understood(cause), StoreBusy):
            raise  # another program has it
        return False
    return True


def files(database: Path) -> list[Path]:
    """A database, and what SQLite may have beside it."""
    return [beside(database, end) for end in ("", "-journal", "-wal", "-shm")]


def beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)


def remove(database: Path) -> None:
    for file in files(database):
        file.unlink(missing_ok=True)


def check(database: Path) -> None:
    """Whole, ours, and not newer than this program."""
    if not database.exists():
        raise BackupError(f"there is no file {database}")
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
            number = version(connection)
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as broken:
        raise BackupError(f"{database} is no database that can be read: {broken}") from broken
    if answer != "ok":
        raise BackupError(f"{database} is damaged: {answer}")
    if not {"events", "tables", "people"} <= names:
        raise BackupError(f"{database} is not a Foxrow database")
    if number > LATEST:
        raise BackupError(f"{database} is of version {number}, this program knows {LATEST}: use a newer Foxrow")


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())
