"""Where tables outlive the process: an append-only log per table, people's names apart from it.

`Store` is the interface; SQLite is the embedded one (WAL, full sync, group commit), PostgreSQL the one for a server
that another host may take over from.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from foxrow.store.address import is_address, shown
from foxrow.store.interface import Store, StoreBusy, StoreError, StoreFull
from foxrow.store.sqlite import SqliteStore


def open_store(database: Path | str, standby: Callable[[], None] | None = None) -> Store:
    """The store of a file, or of an address like postgresql://user@host/name. There one waits while another process is
    active, if there is a `standby` to call then; else Locked is raised, as for a file."""
    if not is_address(database):
        return SqliteStore(database)
    shown(database)  # or it cannot be read
    try:
        from foxrow.store.postgres import PostgresStore
    except ModuleNotFoundError:
        raise StoreError("PostgreSQL needs a package more: pip install 'foxrow[postgres]'") from None
    return PostgresStore(str(database), standby=standby)


__all__ = ["SqliteStore", "Store", "StoreBusy", "StoreError", "StoreFull", "is_address", "open_store", "shown"]
