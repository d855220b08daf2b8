"""`python -m foxrow.server [DATABASE] [PORT]`: a bare server, for tests and measurements; people use `foxrow serve`.

Limits and settings may be given as JSON in FOXROW_SETTINGS: {"pace": 0, "limits": {"calls": 1e9}}.
"""

from __future__ import annotations

import json
import os
import sys

from foxrow.server.run import serve
from foxrow.server.settings import Limits, Settings

if __name__ == "__main__":
    given = json.loads(os.environ.get("FOXROW_SETTINGS", "{}"))
    limits = Limits(**given.pop("limits", {}))
    database = sys.argv[1] if len(sys.argv) > 1 else "foxrow.db"
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    settings = Settings(database=database, limits=limits, **given)
    sys.exit(
        serve(settings, port=port, tell=lambda line: print(line, flush=True), say=lambda line: print(line, flush=True))
    )
