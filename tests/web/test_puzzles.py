"""Puzzles in the browser: found, missed, shown, remembered; on a desktop and on phones."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from foxrow.bots.puzzles import puzzles
from foxrow.core.registry import games
from tests.web.sitting import DESK, HANDS, PHONE, Sitting
from tests.web.test_access import violations

Sit = Callable[..., Sitting]
GAMES = [key for key, game in sorted(games().items()) if puzzles(game)]


def percent(chance: float) -> int:
    """As the page rounds it."""
    return math.floor(100 * chance + 0.5)


def make(me: Sitting, move: str) -> None:
    """From the list, which a phone has in a sheet, and of whose groups one is open at a time."""
    if me.sheets:
        me.page.locator(".tools [data-open-moves]").tap()
    button = me.page.locator(f'.movelist [data-move="{move}"]')
    button.wait_for(state="attached")
    button.evaluate("one => one.closest('details')?.setAttribute('open', '')")
    button.evaluate("one => one.click()")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("key", GAMES)
def test_a_puzzle_is_missed_found_and_remembered(sit: Sit, key: str, size: dict[str, int]) -> None:
    me = sit(size=size, seed=41)
    page = me.page
    there = puzzles(games()[key])
    me.open("learn")
    link = page.locator(f'[data-game="{key}"] [data-puzzles]')
    expect(link).to_contain_text(f"0/{len(there)}")
    me.press(link)
    state = page.locator("[data-find]")
    expect(state).to_have_attribute("data-find", "asked")
    assert violations(me) == []
    assert me.narrow() == []
    assert not me.scrolls()
    best, second = list(there[0].worth)[:2]

    make(me, second)
    expect(state).to_have_attribute("data-find", "wrong")
    assert f"{percent(there[0].worth[second])}%" in me.sentence
    make(me, best)
    expect(state).to_have_attribute("data-find", "found")
    assert "Well found" in me.sentence
    ahead = percent(there[0].worth[best]) - percent(there[0].worth[second])
    assert f"That is {ahead}% ahead of the next best" in me.sentence
    hands = page.locator(f"{HANDS.format('move')}, {HANDS.format('pick')}")
    expect(hands).to_have_count(0)  # the board shows what comes of it
    assert violations(me) == []
    assert me.collisions() == []
    make(me, second)  # what else there is may still be tried, there, too
    expect(page.locator(".ask").first).to_contain_text("where the best move has")
    expect(hands.first).to_be_visible()

    me.press(page.locator("[data-next]:visible"))
    expect(page.locator(".shell")).to_have_attribute("data-number", "2")
    expect(state).to_have_attribute("data-find", "asked")
    me.press(page.locator("[data-show]:visible"))
    expect(state).to_have_attribute("data-find", "shown")
    assert "Best is" in me.sentence
    if me.sheets:
        page.locator("[data-open-panel]").tap()
    marks = page.locator("a.done:visible")
    expect(marks).to_have_text(["1"])
    page.reload()
    expect(state).to_have_attribute("data-find", "asked")
    me.open("learn")
    expect(link).to_contain_text(f"1/{len(there)}")  # found, not told
    assert (link.get_attribute("href") or "").endswith(f"puzzles/{key}/2")


def test_a_verdict_that_comes_late_is_about_the_puzzle_it_was_asked_for(sit: Sit) -> None:
    me = sit(seed=44)
    page = me.page
    key = GAMES[0]
    there = puzzles(games()[key])
    me.open(f"puzzles/{key}/1")
    state = page.locator("[data-find]")
    expect(state).to_have_attribute("data-find", "asked")
    held: list[Route] = []
    page.route("**/puzzle/verdict?*", lambda route: held.append(route), times=1)
    make(me, next(iter(there[0].worth)))
    page.keyboard.press("n")
    expect(page.locator(".shell")).to_have_attribute("data-number", "2")
    expect(state).to_be_focused()  # who came by keyboard is here
    held.pop().continue_()
    page.wait_for_timeout(500)
    expect(state).to_have_attribute("data-find", "asked")
    assert page.evaluate("localStorage.getItem('foxrow:puzzles')") is None

    # And while the next one loads there is none to try a move in.
    page.route(f"**/puzzle?game={key}&number=3", lambda route: held.append(route), times=1)
    page.keyboard.press("n")
    expect(state).to_have_count(0)
    held.pop().continue_()
    expect(page.locator(".shell")).to_have_attribute("data-number", "3")
    page.keyboard.press("h")
    expect(state).to_have_attribute("data-find", "shown")
    make(me, next(iter(there[2].worth)))
    expect(page.locator(".ask").first).not_to_contain_text("Well found")  # it was told


def test_a_puzzle_that_cannot_be_loaded_is_asked_for_again(sit: Sit) -> None:
    me = sit(seed=45, cuts=True)
    page = me.page
    page.route("**/api/puzzle?*", lambda route: route.abort(), times=1)
    me.open(f"puzzles/{GAMES[0]}/1")
    page.locator("#main button").click()
    expect(page.locator("[data-find]")).to_have_attribute("data-find", "asked")


def test_every_puzzle_stands_on_its_board(sit: Sit) -> None:
    """Nothing scrolls, nothing overlaps, nothing is said in the console, whatever the table."""
    me = sit(size=PHONE, seed=42)
    for key in GAMES:
        there = puzzles(games()[key])
        for number in sorted({1, len(there) // 2, len(there)}):
            me.open(f"puzzles/{key}/{number}")
            me.page.wait_for_selector("[data-find]")
            me.page.wait_for_timeout(300)
            assert not me.scrolls(), (key, number)
            assert me.collisions() == [], (key, number)


def test_a_puzzle_that_there_is_not(sit: Sit) -> None:
    me = sit(seed=43)
    for path in (f"puzzles/{GAMES[0]}/99999", f"puzzles/{GAMES[0]}/-1", "puzzles/nothing/1"):
        me.open(path)
        expect(me.page.locator("#main")).to_contain_text("There is no such puzzle.")
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in ("422", "400"))]
