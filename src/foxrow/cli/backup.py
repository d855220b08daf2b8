"""`foxrow backup` and `foxrow restore`: the whole database to a file and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foxrow.core.errors import FoxrowError

Database = Annotated[
    str | None,
    typer.Option("--database", envvar="FOXROW_DATABASE", metavar="FILE", help="The server's SQLite file."),
]


def file_of(database: str | None, instead: str) -> Path:
    """The SQLite file that is meant."""
    from foxrow.cli.place import database as usual
    from foxrow.store import StoreError, is_address

    named = database or usual()
    try:
        if is_address(named):
            raise FoxrowError(
                f"this is for SQLite files; of a PostgreSQL database {instead} (docs/deploy.md shows how)"
            )
    except StoreError as error:
        raise FoxrowError(str(error)) from None
    return Path(named)


def backup(
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The file to write; an older one is replaced.")],
    database: Database = None,
) -> None:
    """Copy the server's database, also while it runs."""
    from rich.console import Console
    from rich.progress import Progress

    from foxrow.store import backup as store

    source = file_of(database, "pg_dump makes a copy")
    if target.resolve() == source.resolve():
        raise FoxrowError("the backup cannot be the database itself")
    try:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("Copying", total=None)
            store.backup(source, target, lambda done, of: progress.update(task, completed=done, total=of))
    except store.BackupError as error:
        raise FoxrowError(str(error)) from None
    typer.echo(f"{target}: {target.stat().st_size:,} bytes, checked.")


def restore(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A file that `foxrow backup` wrote.")],
    database: Database = None,
) -> None:
    """Put a backup in the database's place."""
    from foxrow.store import backup as store

    target = file_of(database, "pg_restore puts a copy in its place")
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.resolve() == source.resolve():
        raise FoxrowError("the backup is the database itself")
    try:
        kept = store.restore(source, target)
    except store.BackupError as error:
        raise FoxrowError(str(error)) from None
    typer.echo(f"{target} is restored." + (f" The database before is kept as {kept.name}." if kept else ""))
