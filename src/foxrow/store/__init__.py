"""Where tables outlive the process: an append-only log per table, people's names apart from it.

`Store` is the interface; SQLite is the embedded one (WAL, full sync, group commit).
"""

from foxrow.store.interface import Store, StoreBusy, StoreError, StoreFull
from foxrow.store.sqlite import SqliteStore

__all__ = ["SqliteStore", "Store", "StoreBusy", "StoreError", "StoreFull"]
