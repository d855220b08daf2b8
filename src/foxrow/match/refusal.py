"""Why a table does not do what it was asked: a code for programs, never prose."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """Nothing has changed."""

    def __init__(self, code: str, /, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data = data
