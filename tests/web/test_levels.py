"""The levels of the bots: one list, the games' own, in the browser as in the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from foxrow.bots import levels
from foxrow.core.registry import games
from tests.web.sitting import Sitting

Sit = Callable[..., Sitting]
MESSAGES = Path(__file__).parents[2] / "web" / "messages"


@pytest.mark.parametrize("key", sorted(games()))
def test_the_browser_offers_the_levels_of_the_game_by_their_names(sit: Sit, key: str) -> None:
    wanted = [f"{number} · {level.name}" for number, level in enumerate(levels(games()[key]), 1)]
    me = sit()
    me.open()
    choice = me.page.locator(f'.cover:has([data-play="{key}"]) select').last
    choice.locator("option").nth(len(wanted) - 1).wait_for(state="attached")
    assert choice.locator("option").all_inner_texts() == wanted


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_every_level_has_a_name_of_its_own_in_every_language(language: str) -> None:
    words: dict[str, str] = json.loads((MESSAGES / f"{language}.json").read_text())
    for game in games().values():
        found = [words[f"level_{level.key}"] for level in levels(game)]
        assert len(set(found)) == len(found)
