"""The sounds, as the browser makes them: short, without clicks, about as loud as each other, and each its own."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.web.sounds import Sound, rendered


@pytest.fixture(scope="module")
def sounds(browser: Browser) -> dict[str, Sound]:
    return rendered(browser)


def test_they_are_short_and_two_at_once_do_not_clip(sounds: dict[str, Sound]) -> None:
    assert {name: sound.seconds for name, sound in sounds.items() if sound.seconds > 0.2} == {}
    assert {name: sound.peak for name, sound in sounds.items() if not 0.1 < sound.peak < 0.5} == {}


def test_they_come_from_nothing_and_end_in_nothing(sounds: dict[str, Sound]) -> None:
    edges = {name: sound.edges for name, sound in sounds.items()}
    assert {name: (first, last) for name, (first, last) in edges.items() if first > 0.2 or last > 0.05} == {}


def test_none_is_much_louder_than_another(sounds: dict[str, Sound]) -> None:
    loud = {name: sound.loudness for name, sound in sounds.items()}
    middle = float(np.median(list(loud.values())))
    assert {name: decibels for name, decibels in loud.items() if abs(decibels - middle) > 4} == {}


def test_none_is_lower_than_a_small_speaker_can_make(sounds: dict[str, Sound]) -> None:
    assert {name: sound.pitch() for name, sound in sounds.items() if sound.pitch() < 180} == {}


def test_no_two_are_alike(sounds: dict[str, Sound]) -> None:
    pairs = {(a, b): sounds[a].apart(sounds[b]) for a, b in combinations(sounds, 2)}
    assert {pair: apart for pair, apart in pairs.items() if apart < 0.3} == {}


@pytest.mark.parametrize(
    ("name", "notes"),
    [("turn", [(0.0, 523), (0.1, 698)]), ("jackpot", [(0.0, 587), (0.06, 740), (0.12, 880)]), ("win", [(0.0, 392)])],
)
def test_notes_have_the_pitch_that_is_meant(
    sounds: dict[str, Sound], name: str, notes: list[tuple[float, int]]
) -> None:
    found = [sounds[name].pitch(at, 0.06) for at, _ in notes]
    assert found == pytest.approx([pitch for _, pitch in notes], rel=0.04)
