"""Where the server's database lies when nobody says so."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def database() -> Path | str:
    """`FOXROW_DATABASE`, or a file in the folder that the system has for such data."""
    named = os.environ.get("FOXROW_DATABASE")
    if named:
        return named
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "foxrow" / "foxrow.db"
