"""Whole matches of every game in the registry, from the home page to the check of the shuffle."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from foxrow.core.registry import games
from tests.server.test_replay import match_of, of_many_rounds
from tests.web.sitting import PHONE, Sitting

Sit = Callable[..., Sitting]
every_game = pytest.mark.parametrize("key", sorted(games()))


@every_game
def test_a_match_through_the_list_of_moves_then_review_export_check_import_and_rematch(
    sit: Sit, key: str, tmp_path: Path
) -> None:
    me = sit(seed=7)
    table = me.make(games()[key])
    me.go_to_table(table)
    me.finish_match()
    page = me.page
    expect(page.locator(".result .pod")).to_have_count(2)
    # One round is the whole match, and only who has won it is given confetti.
    expect(page.locator(".bar h1 small")).to_have_text("Game over")
    expect(page.locator(".result .won span")).not_to_contain_text("match")
    expect(page.locator(".result thead th")).to_have_text(["Score"])
    expect(page.locator(".result .won small")).to_have_text(re.compile(r"\w.*\.$"))  # why, in every game
    won = "You" in page.locator(".pod.pl1").first.inner_text() + page.locator(".pod.pl1").last.inner_text()
    expect(page.locator(".result .conf")).to_have_count(2 if won else 0)
    expect(page.locator(".result .crown")).to_have_count(page.locator(".pod.pl1").count() if won else 0)

    me.open(f"r/{table}")
    expect(page.locator("[data-place]")).to_have_attribute("data-place", "0")
    total = int(page.locator(".of").inner_text().split("/")[1])
    for _ in range(min(total, 12)):
        page.locator("[data-step]").click()
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(min(total, 12)))
    page.keyboard.press("End")
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(total))
    with page.expect_download() as saved:
        page.locator("[data-export]").click()
    file = tmp_path / "match.json"
    saved.value.save_as(file)
    record = json.loads(file.read_text())
    assert record["format"] == "foxrow-match/1"
    assert record["game"] == key
    page.locator("[data-verify]").click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "good", timeout=20_000)
    page.keyboard.press("Escape")

    me.open("replays")
    mine = page.locator("li", has=page.locator(f'[href$="r/{table}"]'))
    expect(mine).to_contain_text("You and")
    expect(mine.get_by_text("you won")).to_have_count(int(won))
    # And back: whoever has the file can look at it.
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url(lambda url: "/r/" in url and table not in url)
    expect(page.locator("[data-place]")).to_have_attribute("data-place", "0")
    page.keyboard.press("End")
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(total))

    me.go_to_table(table)
    moments = page.locator("[data-moments] a")
    expect(moments.first).to_be_visible()
    assert 1 <= moments.count() <= 3
    where = str(moments.last.get_attribute("href"))
    moments.last.click()  # and there it happened
    expect(page.locator("[data-place]")).to_have_attribute("data-place", where.rpartition("move=")[2])

    me.go_to_table(table)
    page.locator("[data-next]").click()
    page.wait_for_url(lambda url: "/t/" in url and table not in url)
    assert me.turn()


def test_a_match_of_thousands_of_moves_is_stepped_through(sit: Sit) -> None:
    """Its views come in pages; a link into the middle, steps over the edge of a page, other eyes, another round."""
    me = sit(seed=8)
    game = of_many_rounds()
    record = match_of(game, game.match.high, 3_000, tuple("ABCDEFGH"[: game.players[-1]]))
    me.open("")
    kept = me.call("POST", "records", {"record": record})["id"]
    page = me.page
    moves = len(record["rounds"][-1]["moves"])
    place = page.locator("[data-place]")
    me.open(f"r/{kept}?round={len(record['rounds'])}&move={moves - 1}")
    expect(place).to_have_attribute("data-place", str(moves - 1))
    page.locator("[data-step]").click()
    expect(place).to_have_attribute("data-place", str(moves))
    page.keyboard.press("Home")
    expect(place).to_have_attribute("data-place", "0")
    page.keyboard.press("End")
    expect(place).to_have_attribute("data-place", str(moves))
    page.locator(".eyes button").nth(1).click()
    expect(page.locator(".eyes button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(place).to_have_attribute("data-place", str(moves))
    page.locator("select.rd").select_option(str(len(record["rounds"]) - 2))
    expect(place).to_have_attribute("data-place", "0")
    page.locator("[data-step]").click()
    expect(place).to_have_attribute("data-place", "1")
    # An imported record has no table, which the page finds out by asking.
    me.faults[:] = [fault for fault in me.faults if "404" not in fault]


def another(seed: str) -> str:
    return ("1" if seed[0] == "0" else "0") + seed[1:]


def _server(record: Any, shown: Any) -> None:
    record["fair"]["server"]["seed"] = another(record["fair"]["server"]["seed"])


def _seat(record: Any, shown: Any) -> None:
    mine = next(seat for seat in record["fair"]["seats"] if seat)
    mine["seed"] = another(mine["seed"])


def _promise(record: Any, shown: Any) -> None:
    record["fair"]["server"]["commit"] = another(record["fair"]["server"]["commit"])


def _seed(record: Any, shown: Any) -> None:
    record["seed"] = another(record["seed"])


def _cards(record: Any, shown: Any) -> None:
    shown["rounds"][0]["views"].pop(0)


@every_game
def test_a_record_that_was_tampered_with_does_not_pass_the_browsers_own_check(sit: Sit, key: str) -> None:
    """Of a match that this browser has shuffled; then its person gets up, and a bot plays it to the end."""
    me = sit(seed=9)
    page = me.page
    table = me.make(games()[key], leave="bot")
    me.go_to_table(table)
    assert me.turn()
    me.choose()
    page.locator(".bar button[aria-label^=Menu]").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog").locator(".btn.world").click()
    page.wait_for_selector("footer")
    for _ in range(1200):
        if me.call("GET", f"tables/{table}")["status"] == "over":
            break
        page.wait_for_timeout(100)
    change: Callable[[Any, Any], None] = lambda record, shown: None  # noqa: E731

    def tampered(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        if "/record" in route.request.url:
            change(told, {"rounds": [{"views": [None]}]})
        elif "open" in route.request.url and change is _cards:
            change(None, told)
        route.fulfill(response=answer, json=told)

    page.route("**/api/tables/*/record", tampered)
    page.route("**/api/tables/*/replay*", tampered)

    def verdict() -> tuple[str | None, list[int]]:
        me.open(f"r/{table}")
        page.locator("[data-verify]").click()
        page.wait_for_selector("[data-verdict]")
        lines = page.locator("[data-verdict] ~ ol > li").all()
        failed = [number for number, line in enumerate(lines) if "bad" in (line.get_attribute("class") or "")]
        return page.locator("[data-verdict]").get_attribute("data-verdict"), failed

    assert verdict() == ("good", [])
    for change in (_server, _seat, _promise, _seed, _cards):
        said, failed = verdict()
        assert said == "bad", change.__name__
        assert failed, change.__name__


@every_game
def test_a_match_by_mouse_on_the_board_itself(sit: Sit, key: str) -> None:
    me = sit(seed=21)
    me.go_to_table(me.make(games()[key]))
    me.finish_match(me.lay_hands_on)
    expect(me.page.locator(".result .pod")).to_have_count(2)


@every_game
@pytest.mark.parametrize("players", [2, 4])
def test_a_match_by_touch_on_the_board_of_a_small_phone(sit: Sit, key: str, players: int) -> None:
    me = sit(size=PHONE, seed=22)
    bots = [{"kind": "bot", "level": 1}] * (players - 1)
    me.go_to_table(me.make(games()[key], seats=[{"kind": "me"}, *bots]))

    def touch() -> None:
        assert not me.scrolls()
        assert me.outside() == []
        me.lay_hands_on()

    me.finish_match(touch)
    assert not me.scrolls()


@pytest.mark.parametrize("key", sorted(key for key, game in games().items() if game.match.setting))
def test_a_match_of_several_rounds_goes_on_after_every_one(sit: Sit, key: str) -> None:
    """Where all rounds are counted three of them, with two pauses; else as many as it takes."""
    me = sit(seed=23)
    match = games()[key].match
    bots = [{"kind": "bot", "level": 1}] * 2
    me.go_to_table(me.make(games()[key], seats=[{"kind": "me"}, *bots], match=1 if match.kind == "cycles" else 2))
    me.finish_round()
    for _ in range(40):
        me.page.locator("[data-result]").click()
        expect(me.page.locator(".result")).to_be_visible()
        if me.status == "over":
            break
        if (
            me.page.locator(".result thead th").count() > 2
        ):  # more rounds than one: the podium is where the match stands
            pods = me.page.locator(".pod").all()
            scores = [int(pod.locator("b").inner_text().replace("−", "-")) for pod in pods]
            places = [int(pod.locator("small").inner_text()[0]) for pod in pods]
            assert places == [1 + sum(other > score for other in scores) for score in scores]
        me.page.locator("[data-next]").click()
        me.page.wait_for_selector(".result", state="detached")
        expect(me.page.locator(".bar h1 small")).to_contain_text(re.compile(r"You −?\d+, (Rena|Fenn) −?\d+"))
        me.finish_round()
        expect(me.page.locator(".log .event").filter(has_text=re.compile(r"You −?\d+")).last).to_be_visible()
    assert me.status == "over"
    rounds = me.page.locator(".result thead th").count()
    assert rounds >= (3 if match.kind == "cycles" else 2)


def test_partners_share_a_place_that_every_screen_tells(sit: Sit) -> None:
    me = sit(size={"width": 1280, "height": 720}, seed=24)
    game, option = next((game, option) for game in games().values() for option in game.options if option.partners)
    players = (option.players or game.players)[-1]
    bots = [{"kind": "bot", "level": 1}] * (players - 1)
    choice = {option.key: option.partners[0]}
    me.go_to_table(me.make(game, seats=[{"kind": "me"}, *bots], options=choice))
    me.finish_match()
    small = me.page.locator(".pod small")
    assert sorted(small.all_inner_texts()) == ["1st"] * (players // 2) + ["2nd"] * (players // 2)
    # A sentence of two lines, as a long name makes it, ends above the ears.
    me.page.locator(".won span").evaluate(
        "one => (one.textContent = 'You win the match, with a friend of a long name!')"
    )
    above = """() => {
        const said = document.querySelector('.won').getBoundingClientRect();
        return [...document.querySelectorAll('.face')].every((one) => one.getBoundingClientRect().top >= said.bottom);
    }"""
    assert me.page.evaluate(above)
    for size in (PHONE, {"width": 320, "height": 568}):
        me.page.set_viewport_size(size)  # type: ignore[arg-type]
        for place in small.all():
            expect(place).to_be_visible()
        assert me.page.evaluate(above)


def test_after_a_match_against_bots_a_stronger_one_is_a_press_away(sit: Sit) -> None:
    me = sit(size=PHONE, seed=25)
    game = next(iter(games().values()))
    table = me.make(game, clock={"kind": "move", "seconds": 600})
    me.go_to_table(table)
    me.finish_match()
    me.press(me.page.locator("[data-stronger]"))
    me.page.wait_for_url(lambda url: "/t/" in url and not url.endswith(table))
    before, now = me.call("GET", f"tables/{table}"), me.call("GET", f"tables/{me.page.url.rsplit('/', 1)[1]}")
    assert [seat["level"] for seat in now["seats"]] == [None, 2]
    assert [now[key] for key in ("options", "match", "clock")] == [before[key] for key in ("options", "match", "clock")]
    me.turn()


@every_game
def test_play_now_takes_one_click_and_the_first_move_works(sit: Sit, key: str) -> None:
    me = sit(motion=True)
    me.open()
    me.page.locator(f'[data-play="{key}"]').click()
    me.page.wait_for_url("**/t/*")
    assert me.turn()
    me.choose()


@every_game
def test_a_round_by_touch_on_a_small_phone_never_scrolls(sit: Sit, key: str) -> None:
    me = sit(size=PHONE, seed=3)
    me.go_to_table(me.make(games()[key]))
    for _ in range(400):
        if not me.turn():
            break
        assert not me.scrolls()
        me.choose()
    assert not me.scrolls()


@every_game
def test_a_match_by_keyboard_alone(sit: Sit, key: str) -> None:
    me = sit(seed=5)
    me.go_to_table(me.make(games()[key]))
    page = me.page
    page.wait_for_selector(".movelist", state="attached")
    turns = 0

    def choose() -> None:
        nonlocal turns
        turns += 1
        before = page.locator(".shell").get_attribute("data-ply")
        page.keyboard.press("m")
        page.wait_for_function("() => document.activeElement?.matches('.movelist button')")
        for _ in range(turns % 3):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_function(
            """before => document.querySelector('.shell').dataset.ply !== before
                || document.querySelector('[data-result]')""",
            arg=before,
        )

    for _ in range(40):
        me.finish_round(move=choose)
        me.tab_to("[data-result]")
        page.keyboard.press("Enter")
        expect(page.locator(".result")).to_be_visible()
        if me.status == "over":
            break
        me.tab_to("[data-next]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".result", state="detached")
    assert me.status == "over"


@every_game
def test_a_game_is_begun_by_keyboard_alone(sit: Sit, key: str) -> None:
    me = sit()
    me.open()
    me.page.wait_for_selector("footer")
    me.tab_to(f'[data-play="{key}"]')
    me.page.keyboard.press("Enter")
    me.page.wait_for_url("**/t/*")
    assert me.turn()


@every_game
def test_a_newcomer_is_given_tips_one_at_a_time_and_puts_them_away(sit: Sit, key: str) -> None:
    me = sit(size=PHONE, tips=True)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()
    tip = me.page.locator(".tip")
    expect(tip).to_have_count(1)
    box, hand = tip.bounding_box(), me.page.locator(".hand-tray").bounding_box()
    assert box is not None
    assert hand is not None
    assert box["y"] + box["height"] <= hand["y"], "the tip covers the hand"
    first = tip.inner_text()
    me.page.locator("[data-open-moves]").tap()  # the tools are there as ever
    me.page.locator(".panel.open .sheet-close").tap()
    tip.locator("button").tap()
    expect(tip).to_have_count(0)
    me.page.wait_for_timeout(200)
    assert tip.count() == 0, "the next tip waits for another decision"
    me.choose()
    assert me.turn()
    if tip.count():
        assert tip.inner_text() != first
        tip.locator("button").tap()
        expect(tip).to_have_count(0)
    me.page.reload()
    assert me.turn()
    assert tip.count() == 0 or tip.inner_text() != first
