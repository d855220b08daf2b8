"""The line that says that machine code is made: there when some is, and only then."""

from __future__ import annotations

from pathlib import Path

import numba
import pytest

from foxrow.cli.compilation import preparing
from foxrow.core.compiled import Rule
from foxrow.core.rule import PURE


def twice(x: int) -> int:
    return x * 2


@pytest.mark.skipif(PURE, reason="nothing is compiled")
def test_only_what_is_not_on_disk_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    with preparing("A game") as line:
        line.tell("nothing", 0, 3)
    assert capsys.readouterr().err == ""
    with preparing("A game"):
        assert Rule(twice)(2) == 4 and Rule(twice)(2.5) == 5.0
    assert capsys.readouterr().err == "Preparing A game for this machine …\n"
    with preparing("A game"):
        assert Rule(twice)(2) == 4
    assert capsys.readouterr().err == ""
