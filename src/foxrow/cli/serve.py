"""`foxrow serve`: the server, and with `--open` the browser."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from foxrow.core.errors import FoxrowError


def serve(
    database: Annotated[
        str | None,
        typer.Option(
            envvar="FOXROW_DATABASE",
            metavar="FILE",
            help="The SQLite file, made if it is not there; or postgresql://user@host/name.",
        ),
    ] = None,
    host: Annotated[str, typer.Option(envvar="FOXROW_HOST", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(envvar="FOXROW_PORT", min=1, max=65535, help="The port; else 8000 or the next free one."),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the browser.")] = False,
    root: Annotated[
        str, typer.Option(envvar="FOXROW_ROOT", metavar="PATH", help="The sub-path that a proxy shows: /games.")
    ] = "",
    origin: Annotated[
        list[str] | None, typer.Option(metavar="ORIGIN", help="A further page that may talk to us: https://a.example.")
    ] = None,
    proxy: Annotated[
        str, typer.Option(envvar="FOXROW_PROXY", metavar="ADDRESS", help="The proxy whose headers are believed.")
    ] = "127.0.0.1",
    secure: Annotated[
        bool | None, typer.Option("--secure/--insecure", help="Cookies over https only; else as the request came.")
    ] = None,
    workers: Annotated[int, typer.Option(envvar="FOXROW_WORKERS", min=1, max=64, help="Processes for bots.")] = 1,
    limit: Annotated[
        list[str] | None,
        typer.Option(envvar="FOXROW_LIMITS", metavar="NAME=NUMBER", help="A limit; docs/deploy.md has their names."),
    ] = None,
    pace: Annotated[float, typer.Option(min=0, max=10, help="How human the bots' speed is; 0: at once.")] = 1.0,
) -> None:
    """Run the server: play in the browser, alone, with bots or with friends."""
    from foxrow.cli.place import database as usual
    from foxrow.server.run import free_port
    from foxrow.server.run import serve as run
    from foxrow.server.settings import Settings, limits
    from foxrow.store import shown
    from foxrow.store.interface import StoreError
    from foxrow.store.lock import Locked

    root = root.rstrip("/")
    if root and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+", root):
        raise FoxrowError(f"--root is a path like /games, not {root!r}")
    settings = Settings(
        database=database or usual(),
        root=root,
        origins=tuple(origin or ()),
        proxies=proxy,
        secure=secure,
        workers=workers,
        pace=pace,
        limits=limits(limit or ()),
    )
    try:
        chosen = port or free_port(host, 8000)
    except OSError as error:
        raise FoxrowError(f"cannot listen at {host}: {error.strerror or error}") from None

    def tell(address: str) -> None:
        typer.echo(f"Foxrow is at {address}  (Ctrl+C stops it; games are kept in {place})", err=True)

    def say(line: str) -> None:
        typer.echo(line, err=True)

    try:
        place = shown(settings.database)  # without a password
        status = run(settings, host=host, port=chosen, browser=open, tell=tell, say=say)
    except Locked:
        raise FoxrowError(f"another server uses {place}; give this one its own with --database") from None
    except (OSError, StoreError, ValueError) as error:
        raise FoxrowError(f"cannot start: {getattr(error, 'strerror', None) or error}") from None
    sys.exit(status)
