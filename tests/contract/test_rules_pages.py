"""What every game has to read, in every language of the client: the same rules and rulings, in the same order, and the
same findings about how to play well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games

LANGUAGES = sorted(file.stem for file in (Path(__file__).parents[2] / "web/messages").glob("*.json"))
OTHERS = [one for one in LANGUAGES if one != "en"]
# A rule's number, or the mark of a ruling: it is a mark in every language, and the page puts the reader's word for it.
MARKS = re.compile(r"\*\*([A-Z]\d+|Ruling)\.\*\*")


def page(game: Game, language: str, kind: str = "rules") -> str:
    return (game.folder / (f"{kind}.md" if language == "en" else f"{kind}.{language}.md")).read_text("utf-8")


def headings(text: str) -> list[int]:
    """How many rules stand under each heading: chapters begin at the same rules."""
    return [len(MARKS.findall(part)) for part in re.split(r"^## ", text, flags=re.MULTILINE)]


def told(kind: str, languages: list[str]) -> list[tuple[str, str]]:
    """Which page of which game: ours in every language, those of other packages in those that they have."""
    return [
        (game.key, language)
        for game in games().values()
        for language in languages
        if (game.package.startswith("foxrow.games.") and (game.folder / f"{kind}.md").exists())
        or (game.folder / f"{kind}.{language}.md").exists()
    ]


@pytest.mark.parametrize(("key", "language"), told("rules", OTHERS))
def test_the_rules_are_whole_in_every_language(key: str, language: str) -> None:
    english, other = page(games()[key], "en"), page(games()[key], language)
    assert MARKS.findall(other) == MARKS.findall(english)
    assert headings(other) == headings(english)
    # Moves and options are the same words everywhere, and so is every figure of a rule.
    assert re.findall(r"`[^`]+`", other) == re.findall(r"`[^`]+`", english)
    for number, theirs in rules(other).items():
        ours = rules(english)[number]
        assert figures(theirs) == figures(ours), number


@pytest.mark.parametrize(("key", "language"), [*told("rules", OTHERS), *((key, "en") for key in games())])
def test_a_page_begins_with_the_game_in_five_lines_and_ends_with_what_is_for_programs(key: str, language: str) -> None:
    """Below a line across, which the page folds: how the deck lies before a shuffle, and what options are called."""
    read, _, folded = page(games()[key], language).partition("\n---\n")
    lines = re.findall(r"^- ", read.split("\n## ")[1], re.MULTILINE)
    assert len(lines) == 5
    assert "`" not in read and "mod 4" not in read
    assert folded.count("\n## ") == 1
    for option in games()[key].options:
        assert f"`{option.key}`" in folded


def rules(text: str) -> dict[str, str]:
    parts = re.split(r"\*\*([A-Z]\d+)\.\*\*", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def figures(text: str) -> list[int]:
    return sorted(int(one) for one in re.findall(r"\d+", text))


@pytest.mark.parametrize("key", sorted(games()))
def test_rules_are_numbered_without_a_gap(key: str) -> None:
    numbers = [int(mark[1:]) for mark in MARKS.findall(page(games()[key], "en")) if mark != "Ruling"]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [game for game in games().values() if (game.folder / "strategy.md").exists()])
def test_what_wins_is_the_same_in_every_language(game: Game, language: str) -> None:
    """Five findings, each with the figures of the English page, and as many chapters."""
    english, other = page(game, "en", "strategy"), page(game, language, "strategy")
    found = re.findall(r"^(\d)\. \*\*.+?\*\*(.*?)(?=^\d\. |^## )", other, re.MULTILINE | re.DOTALL)
    assert [number for number, _ in found] == ["1", "2", "3", "4", "5"]
    ours = re.split(r"^(?:\d\. |## )", english, flags=re.MULTILINE)
    theirs = re.split(r"^(?:\d\. |## )", other, flags=re.MULTILINE)
    assert [figures(part) for part in theirs] == [figures(part) for part in ours]


@pytest.mark.parametrize("game", [game for game in games().values() if (game.folder / "strategy.md").exists()])
def test_what_wins_is_what_the_docs_show(game: Game) -> None:
    """Every figure with its interval stands in docs/insight.md, where the command is that found it."""
    insight = (Path(__file__).parents[2] / "docs/insight.md").read_text("utf-8").partition(f"## {game.name}\n")[2]
    chapter = insight.partition("\n## ")[0]
    told = re.findall(r"\d+ ± \d+", page(game, "en", "strategy").partition("1. **")[2])
    assert told
    assert not [figure for figure in told if figure not in " ".join(chapter.split())]
