"""Which names there are."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from foxrow.core.registry import games
from foxrow.match.refusal import Refusal
from foxrow.server.brains import levels
from foxrow.server.names import clean_name

LEVELS = sorted({level.key for key in games() for level in levels(key)})
MESSAGES: dict[str, dict[str, str]] = {
    file.stem: json.loads(file.read_text("utf-8"))
    for file in (Path(__file__).parents[2] / "web" / "messages").glob("*.json")
}
UNREADABLE = {
    "a filler": "\u3164",
    "an empty pattern": "\u2800",
    "marks alone": "\u0301\u0302",
    "nothing": "",
    "blanks": " \u00a0\u3000",
    "no width": "\u200b",
    "joiners": "a\u200db",
    "another direction": "\u202eAnn",
    "an isolate": "\u2066Ann\u2069",
    "a soft hyphen": "An\u00adn",
    "fillers between": "A\u115fn",
    "a tower of marks": "A" + "\u0301\u0316\u0317\u0318" * 3,
    "a mark first": "\u0301Ann",
    "a mark after a blank": "A \u0301\u0301\u0301",
    "half a letter": "\ud800",
    "no letter": "\uffff",
    "for private use": "\ue000",
    "a control": "A\x00",
    "tags": "A\U000e0041",
    "too long": "A" * 25,
    "a selector": "A\U000e0100",
    "selectors alone": "\ufe0f\ufe0f",
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_is_no_name(what: str) -> None:
    with pytest.raises(Refusal) as refused:
        clean_name(UNREADABLE[what])
    assert refused.value.code == "bad_name"


@pytest.mark.parametrize(
    "name",
    ["bot 3", "Bot", "BOT-3", "b o t 4", "\uff22\uff4f\uff54 1", "b\u00f3t 3", "level 5", "3 \u00b7 gentle", *LEVELS],
)
def test_nobody_is_called_like_a_bot(name: str) -> None:
    with pytest.raises(Refusal):
        clean_name(name)


@pytest.mark.parametrize("name", ["ВОТ 3", "Воt", "В0Т", "lеvеl 2", "LeveI 4", "1eve1 2", "gent1e", "ехреrt", "ΒΟΤ 1"])
def test_nobody_is_called_like_a_bot_in_letters_that_look_so(name: str) -> None:
    with pytest.raises(Refusal):
        clean_name(name)


@pytest.mark.parametrize("language", sorted(MESSAGES))
def test_nobody_is_called_as_a_client_shows_a_bot_s_level(language: str) -> None:
    shown = [
        text for key, text in MESSAGES[language].items() if re.fullmatch("level_(n|" + "|".join(LEVELS) + ")", key)
    ]
    assert len(shown) == len(LEVELS) + 1
    for text in shown:
        with pytest.raises(Refusal):
            clean_name(text.replace("{n}", "3"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ann \t B  ", "Ann B"),
        (unicodedata.normalize("NFD", "Zoë Müller"), "Zoë Müller"),
        ("Ольга", "Ольга"),
        ("李雷", "李雷"),
        ("नमस्ते", "नमस्ते"),
        ("มานี", "มานี"),
        ("🦊", "🦊"),
        ("❤\ufe0f Eve", "❤ Eve"),
        ("Botho", "Botho"),
        ("Tony Stark", "Tony Stark"),
        ("Meister", "Meister"),
        ("Вова 3", "Вова 3"),
        ("Abbot 3", "Abbot 3"),
        ("007", "007"),
        ("!", "!"),
        ("A" * 24, "A" * 24),
    ],
)
def test_names_of_all_scripts_are_kept_in_one_form(given: str, kept: str) -> None:
    assert clean_name(given) == kept
