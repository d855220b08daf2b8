"""Lessons in the browser: gone through on the board and by the list, on a desktop and on a phone, remembered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from foxrow.core.lessons import lessons
from foxrow.core.registry import games
from tests.web.sitting import DESK, HANDS, PHONE, Sitting
from tests.web.test_access import violations
from tests.web.test_puzzles import make

Sit = Callable[..., Sitting]
GAMES = [key for key, game in sorted(games().items()) if lessons(game)]


def lies_well(me: Sitting) -> bool:
    """Nothing scrolls or overlaps, once the board has found its size."""
    me.page.wait_for_timeout(300)
    return not me.scrolls() and me.collisions() == []


def lay_hands_on_another(me: Sitting, right: tuple[str, ...]) -> None:
    """Makes a move on the board itself that is none of these."""
    for _ in range(40):
        there = me.page.locator(HANDS.format("move"))
        others = [one for one in there.all() if one.get_attribute("data-move") not in right]
        if others:
            return me.press(me.rng.choice(others))
        picks = me.page.locator(HANDS.format("pick"))
        picks.first.wait_for()
        me.press(picks.nth(me.rng.randrange(picks.count())))
    raise AssertionError("the board offers nothing else")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("key", GAMES)
def test_all_lessons_of_a_game(sit: Sit, key: str, size: dict[str, int]) -> None:
    me = sit(size=size, seed=51)
    page = me.page
    there = lessons(games()[key])
    me.open("")
    me.press(page.locator(f'.learnp [data-game="{key}"] a'))
    state = page.locator("[data-find]")
    for number, lesson in enumerate(there, 1):
        expect(page.locator(".shell")).to_have_attribute("data-number", str(number))
        expect(state).to_have_attribute("data-find", "asked")
        if me.sheets:  # what it is about comes first
            me.press(page.locator("[data-try]"))
        if number in (1, len(there)):
            assert violations(me) == []
        assert lies_well(me) and me.narrow() == [], lesson.id
        if others := set(lesson.begin().legal()) - set(lesson.steps[0].accepts):
            make(me, min(others))
            expect(state).to_have_attribute("data-find", "wrong")
            assert "Not that one:" in me.sentence
        done: list[str] = []
        for step in lesson.steps:
            move = lesson.accepted(lesson.play(done), len(done))[0]
            make(me, move)
            done.append(move)
            then = "found" if len(done) == len(lesson.steps) else "asked"
            expect(state).to_have_attribute("data-find", then)
            assert step is not lesson.steps[-1] or page.locator("[data-show]:visible").first.is_disabled()
        assert lies_well(me), lesson.id
        expect(page.locator("a.known")).to_have_count(number)
        if number < len(there):
            me.press(page.locator("[data-next]:visible").first)
    me.open("learn")
    expect(page.locator(f'[data-game="{key}"] [data-lessons]')).to_contain_text(f"{len(there)}/{len(there)}")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desktop", "phone"])
def test_every_wrong_move_on_the_board_is_answered(sit: Sit, size: dict[str, int]) -> None:
    """By hand, one after the other: what the board says of a choice gives way to the answer each time."""
    me = sit(size=size, seed=55)
    page = me.page
    for key in GAMES:
        number, lesson = next(
            (number, lesson)
            for number, lesson in enumerate(lessons(games()[key]), 1)
            if len(set(lesson.begin().legal()) - set(lesson.steps[0].accepts)) > 1
        )
        me.open(f"lessons/{key}/{number}")
        if me.touch:
            me.press(page.locator("[data-try]"))
        for _ in range(3):
            lay_hands_on_another(me, lesson.steps[0].accepts)
            expect(page.locator("[data-find]")).to_have_attribute("data-find", "wrong")
            expect(page.locator(".ask").first).to_contain_text("Not that one:")


def test_what_is_shown_is_pointed_at_and_the_last_one_leads_to_a_game(sit: Sit) -> None:
    me = sit(seed=52)
    page = me.page
    key = GAMES[0]
    there = lessons(games()[key])
    me.open(f"lessons/{key}/{len(there)}")
    state = page.locator("[data-find]")
    expect(state).to_be_focused()  # who came by keyboard is here
    page.keyboard.press("h")
    expect(page.locator("[data-pointed]").first).to_be_visible()
    expect(state).to_have_attribute("data-find", "asked")  # shown is not done
    assert page.evaluate("localStorage.getItem('foxrow:lessons')") is None
    page.keyboard.press("n")
    page.wait_for_url("**/t/*")
    expect(page.locator(".mat")).to_be_visible()


def test_what_is_shown_at_once_is_pointed_at_when_it_comes(sit: Sit) -> None:
    """The sentence stands before the rest of the board: whoever asks then is shown the move all the same."""
    me = sit(seed=53)
    me.page.add_init_script(
        """new MutationObserver((_, watch) => {
          if (!document.querySelector("[data-find]")) return;
          watch.disconnect();
          window.early = !document.querySelector(":is(.mat, .hand-tray) [data-move]");
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
        }).observe(document, { subtree: true, childList: true });"""
    )
    for key in GAMES:
        me.open(f"lessons/{key}/1")
        expect(me.page.locator("[data-pointed]").first).to_be_visible()
        assert me.page.evaluate("window.early")


def test_a_lesson_is_done_with_its_last_right_move(sit: Sit) -> None:
    """Whoever goes on while the others still move has learned it all the same."""
    me = sit(seed=56)
    page = me.page
    key, number, lesson = next(
        (key, number, lesson)
        for key in GAMES
        for number, lesson in enumerate(lessons(games()[key]), 1)
        if len(lesson.steps[-1].then) > 1
    )
    me.open(f"lessons/{key}/{number}")
    done: list[str] = []
    state = page.locator("[data-find]")
    expect(state).to_have_attribute("data-find", "asked")
    for _ in lesson.steps:
        expect(state).to_have_attribute("data-find", "asked")
        done.append(lesson.accepted(lesson.play(done), len(done))[0])
        with page.expect_response("**/api/lesson?*"):
            make(me, done[-1])
    expect(state).to_have_attribute("data-find", "busy")
    page.keyboard.press("n")
    expect(page.locator(".shell")).to_have_attribute("data-number", str(number + 1))
    expect(page.locator("a.known")).to_have_count(1)


def test_the_first_game_is_asked_for_once(sit: Sit) -> None:
    me = sit(seed=57)
    asked: list[str] = []
    me.page.on("request", lambda sent: asked.append(sent.url) if sent.method == "POST" else None)
    me.open(f"lessons/{GAMES[0]}/{len(lessons(games()[GAMES[0]]))}")
    expect(me.page.locator("[data-find]")).to_have_attribute("data-find", "asked")
    for _ in range(5):
        me.page.keyboard.press("n")
    me.page.wait_for_url("**/t/*")
    assert len([url for url in asked if url.endswith("/api/tables")]) == 1


def test_an_answer_that_does_not_come_leaves_the_lesson_as_it_is(sit: Sit) -> None:
    me = sit(seed=53, cuts=True)
    page = me.page
    key = GAMES[0]
    first = lessons(games()[key])[0]
    page.route("**/api/lesson?*", lambda route: route.abort(), times=1)
    me.open(f"lessons/{key}/1")
    page.locator("#main button").click()  # try again
    state = page.locator("[data-find]")
    expect(state).to_have_attribute("data-find", "asked")
    page.route("**/api/lesson?*", lambda route: route.abort(), times=1)
    make(me, first.steps[0].accepts[0])
    expect(page.locator(".toast")).to_be_visible()
    expect(state).to_have_attribute("data-find", "asked")
    held: list[Route] = []
    page.route("**/api/lesson?*", lambda route: held.append(route), times=1)
    make(me, first.steps[0].accepts[0])
    page.keyboard.press("n")
    expect(page.locator(".shell")).to_have_attribute("data-number", "2")
    held.pop().continue_()  # about a lesson that is gone
    page.wait_for_timeout(300)
    expect(state).to_have_attribute("data-find", "asked")


def test_a_lesson_that_there_is_not(sit: Sit) -> None:
    me = sit(seed=54)
    for path in (f"lessons/{GAMES[0]}/99999", "lessons/nothing/1"):
        me.open(path)
        expect(me.page.locator("#main")).to_contain_text("There is no such lesson.")
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in ("422", "400"))]
