"""Copies of the whole database, made while the server runs, and the way back."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from foxrow.store.lock import FileLock, Locked, sync_folder
from foxrow.store.migrations import LATEST, version
from foxrow.store.sqlite import private

Progress = Callable[[int, int], None]  # pages done, pages in all


class BackupError(Exception):
    """One sentence for the operator."""


def backup(database: Path, target: Path, progress: Progress | None = None) -> None:
    """A consistent copy of a database, also of one in use. The target appears whole or not at all."""
    if not database.exists():
        raise BackupError(f"there is no database {database}")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        private(part)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(
                copy,
                pages=2000,
                progress=lambda _, rest, all_: progress(all_ - rest, all_) if progress else None,
            )
            copy.execute("PRAGMA journal_mode = DELETE")
        check(part)
        _sync(part)
        os.replace(part, target)
        sync_folder(target.parent)
    except (sqlite3.Error, OSError) as failed:
        part.unlink(missing_ok=True)
        raise BackupError(f"the backup failed and nothing was written: {failed}") from failed


def restore(source: Path, database: Path) -> Path | None:
    """Put a backup in the database's place; the database that was there is kept and its new name given."""
    check(source)
    try:
        lock = FileLock(database.with_name(database.name + ".lock"))
    except Locked:
        raise BackupError("a server uses this database: stop it first") from None
    try:
        part = database.with_name(database.name + ".part")
        part.unlink(missing_ok=True)
        private(part)
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
        check(part)
        _sync(part)
        kept: Path | None = None
        if database.exists():
            with closing(sqlite3.connect(database)) as before:
                before.execute("PRAGMA journal_mode = DELETE")  # folds the WAL in, so that one file is all
            number = 1
            while (spare := database.with_name(f"{database.name}.before-restore-{number}")).exists():
                number += 1
            os.replace(database, spare)
            kept = spare
        for rest in ("-wal", "-shm"):
            database.with_name(database.name + rest).unlink(missing_ok=True)
        os.replace(part, database)
        sync_folder(database.parent)
        return kept
    except (sqlite3.Error, OSError) as failed:
        raise BackupError(f"the restore failed: {failed}") from failed
    finally:
        lock.release()


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
