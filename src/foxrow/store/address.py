"""Which database is meant: a file, or the address of a PostgreSQL database."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from foxrow.store.interface import StoreError

SCHEMES = ("postgresql://", "postgres://")
HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[^\[\]:@]*)(:[0-9]*)?")


def is_address(database: Path | str) -> bool:
    """Whether PostgreSQL is meant; StoreError if it is neither that nor a file."""
    text = str(database)
    if text.startswith(SCHEMES):
        return True
    if isinstance(database, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", text):
        scheme = text.partition(":")[0]
        raise StoreError(f"the database is a file, or an address like postgresql://user@host/name; not {scheme}:…")
    return False


def shown(database: Path | str) -> str:
    """For people and logs: without a password. StoreError if it cannot be told where the password ends."""
    if not is_address(database):
        return str(database)
    text = str(database)
    try:
        parts = urlsplit(text)
    except ValueError:
        raise unreadable() from None
    before, at, hosts = parts.netloc.rpartition("@")
    # A password with one of / ? # @ [ : written as it is would be taken for a host, a port or a name, and shown.
    rest = f"{parts.path}{parts.query}{parts.fragment}"
    if "@" in rest or "#" in text or not all(HOST.fullmatch(host) for host in hosts.split(",")):
        raise unreadable()
    return f"postgresql://{before.partition(':')[0]}{at}{hosts}{parts.path}"


def unreadable() -> StoreError:
    return StoreError(
        "the database's address cannot be read: it is like postgresql://user@host/name, and in a password letters such"
        " as / ? # @ are written as %2F %3F %23 %40"
    )
