"""Any game: it plays as it always did. `python -m tests.contract.golden --write` accepts a change."""

from __future__ import annotations

from tests.contract.golden import difference, path
from tests.contract.walk import Case, cases

WRITE = "python -m tests.contract.golden --write"


def test_playthrough_is_golden(case: Case) -> None:
    assert path(case).exists(), f"there is none yet: {WRITE} makes it, to be read before it is kept"
    assert "\n".join(difference(case)) == "", f"where that was meant: {WRITE}"


def test_no_golden_file_is_left_over() -> None:
    folders = {path(case).parent for case in cases()}
    expected = {path(case) for case in cases()}
    assert {file for folder in folders if folder.exists() for file in folder.iterdir()} <= expected
