"""Any game: it plays as it always did. `python -m tests.contract.golden --write` accepts a change."""

from __future__ import annotations

from tests.contract.golden import difference, path
from tests.contract.walk import Case, cases


def test_playthrough_is_golden(case: Case) -> None:
    assert path(case).exists()
    assert "\n".join(difference(case)) == ""


def test_no_golden_file_is_left_over() -> None:
    folders = {path(case).parent for case in cases()}
    expected = {path(case) for case in cases()}
    assert {file for folder in folders for file in folder.iterdir()} == expected
