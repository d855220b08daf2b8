"""The rules page of every game, in every language of the client: the same rules and rulings, in the same order."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games

LANGUAGES = sorted(file.stem for file in (Path(__file__).parents[2] / "web/messages").glob("*.json"))
OTHERS = [one for one in LANGUAGES if one != "en"]
# A rule's number, or the mark of a ruling: it is a mark in every language, and the page puts the reader's word for it.
MARKS = re.compile(r"\*\*([A-Z]\d+|Ruling)\.\*\*")


def page(game: Game, language: str) -> str:
    name = "rules.md" if language == "en" else f"rules.{language}.md"
    return (files(game.package) / name).read_text("utf-8")


def headings(text: str) -> list[int]:
    """How many rules stand under each heading: chapters begin at the same rules."""
    return [len(MARKS.findall(part)) for part in re.split(r"^## ", text, flags=re.MULTILINE)]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("key", sorted(games()))
def test_the_rules_are_whole_in_every_language(key: str, language: str) -> None:
    english, other = page(games()[key], "en"), page(games()[key], language)
    assert MARKS.findall(other) == MARKS.findall(english)
    assert headings(other) == headings(english)
    # Moves and options are the same words everywhere, and so is every figure of a rule.
    assert re.findall(r"`[^`]+`", other) == re.findall(r"`[^`]+`", english)
    for number, theirs in rules(other).items():
        ours = rules(english)[number]
        assert figures(theirs) == figures(ours), number


def rules(text: str) -> dict[str, str]:
    parts = re.split(r"\*\*([A-Z]\d+)\.\*\*", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def figures(text: str) -> list[int]:
    return sorted(int(one) for one in re.findall(r"\d+", text))


@pytest.mark.parametrize("key", sorted(games()))
def test_rules_are_numbered_without_a_gap(key: str) -> None:
    numbers = [int(mark[1:]) for mark in MARKS.findall(page(games()[key], "en")) if mark != "Ruling"]
    assert numbers == list(range(1, len(numbers) + 1))
