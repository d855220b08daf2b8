"""The public surface: sorted, complete, documented, and its examples run."""

from __future__ import annotations

import doctest
import json
from importlib import import_module
from pathlib import Path

import pytest

import foxrow
from foxrow.core.errors import RecordError


def test_all_is_sorted_and_there() -> None:
    assert foxrow.__all__ == sorted(foxrow.__all__)
    assert len(set(foxrow.__all__)) == len(foxrow.__all__)
    for name in foxrow.__all__:
        assert getattr(foxrow, name) is not None
    assert set(foxrow.__all__) <= set(dir(foxrow))


def test_everything_loaded_lazily_is_exported() -> None:
    lazy = {name for names in foxrow._HOMES.values() for name in names}
    defined = {"__version__", "game", "list_games", "load"}
    assert lazy | defined == set(foxrow.__all__)


def test_every_name_is_documented() -> None:
    for name in foxrow.__all__:
        if name != "__version__":
            assert (getattr(foxrow, name).__doc__ or "").strip(), name


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = foxrow.chess  # type: ignore[attr-defined]  # mypy knows that it is not there


@pytest.mark.parametrize("module", ["foxrow", "foxrow.core.position", "foxrow.match.record"])
def test_examples_run(module: str) -> None:
    failed, _ = doctest.testmod(import_module(module))
    assert failed == 0


def test_load_takes_dict_text_bytes_and_path(tmp_path: Path) -> None:
    p = foxrow.list_games()[0].new(seed=1)
    p.play(p.legal()[0])
    record = p.record()
    text = json.dumps(record, indent=1)
    file = tmp_path / "round.json"
    file.write_text(text, "utf-8")
    for source in (record, text, text.encode(), file, str(file), "\ufeff" + text):
        loaded = foxrow.load(source)
        assert isinstance(loaded, foxrow.Position)
        assert loaded.moves == p.moves


def test_load_names_what_it_cannot_read(tmp_path: Path) -> None:
    for source in (tmp_path / "missing.json", str(tmp_path), "no such file", "a\0b"):
        with pytest.raises(RecordError) as found:
            foxrow.load(source)
        assert "\n" not in str(found.value)
    for text in ("", "{", "[]", b"\xff"):
        with pytest.raises(RecordError):
            foxrow.load(text)
