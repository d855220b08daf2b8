"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_tells_the_truth() -> None:
    tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried.attempted >= 4
    assert tried.failed == 0


def test_every_file_it_points_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README.read_text("utf-8")):
        assert (README.parent / target).exists(), target
