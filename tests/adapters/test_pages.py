"""The pages about features are what the games say."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games

DOCS = Path(__file__).parents[2] / "docs"
HERE = [game for game in games().values() if game.package.startswith("foxrow.games.")]
each_game = pytest.mark.parametrize("game", HERE, ids=lambda game: game.key)


def module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@each_game
def test_the_page_is_true(game: Game) -> None:
    written = (DOCS / "features" / f"{game.key}.md").read_text("utf-8")
    assert written == module(DOCS / "features.py").page(game), "run: python docs/features.py"
    view = importlib.import_module(f"{game.package}.view")
    assert sum(size for _, size, _ in view.FEATURE_FIELDS) == game.rules.FEATURES


@each_game
def test_the_page_names_the_games_that_there_are(game: Game) -> None:
    from foxrow.adapters import openspiel, pettingzoo

    written = (DOCS / "features" / f"{game.key}.md").read_text("utf-8")
    assert f"`{openspiel.load(game.key).get_type().short_name}`" in written
    assert f"`{pettingzoo.env(game.key).metadata['name']}`" in written.splitlines()[0]
