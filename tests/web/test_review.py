"""The analysis in a review: asked for, followed, and what it says of each move, on a desktop and on phones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from foxrow.core.position import Position
from foxrow.core.registry import games
from tests.server.test_replay import match_of, of_many_rounds
from tests.web.rehearsal import fullest
from tests.web.sitting import DESK, PHONE, Sitting
from tests.web.test_access import violations
from tests.web.test_puzzles import make

Sit = Callable[..., Sitting]
# An imported record has no table, and a server that still compiles its search is busy: both are asked, and told.
EXPECTED = ("404", "503")


def shortest() -> Position:
    """A round of the game whose rounds are the shortest: every decision takes its time."""
    rounds = [fullest(game, game.players[0], deals=1) for game in games().values()]
    return min(rounds, key=lambda round_: len(round_.moves))


def verdicts(person: Sitting, kept: str, moves: int) -> list[dict[str, Any] | None]:
    """All of them, once the page has asked for them: the server has kept them."""
    found: list[dict[str, Any] | None] = []
    while len(found) < moves:
        found += person.call("GET", f"tables/{kept}/analysis?round=0&from={len(found)}")["verdicts"]
    return found


def expect_figures(person: Sitting, round_: Position, found: list[dict[str, Any] | None]) -> None:
    panel = person.page.locator("[data-played=complete]:visible")
    for seat in range(round_.players):
        mine = [one for i, one in enumerate(found) if one and round_.at(i).to_act == seat]
        mistakes = sum(one["mark"] in ("?", "??") for one in mine)
        accuracy = sum(one["accuracy"] for one in mine) / len(mine)
        expect(panel.locator("dd[data-mistakes]").nth(seat)).to_have_attribute("data-mistakes", str(mistakes))
        shown = panel.locator("dd[data-accuracy]").nth(seat).get_attribute("data-accuracy")
        assert abs(int(shown or -1) - accuracy) <= 0.51


TALL = {"width": 390, "height": 844}


@pytest.mark.parametrize("size", [DESK, PHONE, TALL], ids=["desktop", "small phone", "phone"])
def test_a_review_says_what_the_moves_were_worth(sit: Sit, size: dict[str, int]) -> None:
    me = sit(size=size, seed=31)
    me.open()
    round_ = shortest()
    moves = len(round_.moves)
    kept = me.call("POST", "records", {"record": round_.record()})["id"]
    me.open(f"r/{kept}")
    page = me.page
    page.wait_for_selector("[data-step]")
    if me.sheets:
        page.locator("[data-judge]").tap()
    asked: list[Route] = []
    # The first page is held back until it is seen that something goes on.
    page.route("**/analysis?*", lambda route: asked.append(route), times=1)
    me.press(page.locator("[data-analyse]:visible"))
    expect(page.locator("progress:visible").first).to_be_visible()
    asked.pop().continue_()
    expect(page.locator("[data-played=complete]:visible")).to_be_visible(timeout=300_000)
    expect(page.locator("[data-announce]").first).to_contain_text("analysis is complete")
    assert violations(me) == []
    assert me.narrow() == []
    assert not me.scrolls()
    found = verdicts(me, kept, moves)
    expect_figures(me, round_, found)

    marks = {i + 1: one["mark"] for i, one in enumerate(found) if one and one["mark"]}
    written = page.locator(".mv:has([data-mark])").evaluate_all(
        "all => all.map(one => [Number(one.dataset.ply), one.querySelector('[data-mark]').dataset.mark])"
    )
    if not me.sheets:  # all moves are listed there
        assert dict(written) == marks

    bad = {i + 1: one["chance"] - one["made"] for i, one in enumerate(found) if one and "?" in one["mark"]}
    links = page.locator("[data-costly]:visible")
    expect(links).to_have_count(min(3, len(bad)))
    worst = int(links.first.get_attribute("data-costly") or 0)
    assert bad[worst] == pytest.approx(max(bad.values()))
    me.press(links.first)
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(worst))
    assert "Better: “" in me.sentence
    if size == TALL:  # a strip of those around it, this one in the middle
        now = page.locator('[aria-current="step"]')
        expect(now).to_have_attribute("data-ply", str(worst))
        expect(now.locator("[data-mark]")).to_have_attribute("data-mark", marks[worst])
        box = now.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert violations(me) == []
    assert me.collisions() == []
    assert not me.scrolls()

    # The decisions that went wrong, to be made once more.
    if me.sheets:
        page.locator("[data-judge]").tap()
    me.press(page.locator("[data-better]:visible"))
    state = page.locator("[data-find]")
    expect(state).to_have_attribute("data-find", "asked")
    at = min(bad)
    assert "Find a better one" in me.sentence
    assert violations(me) == []
    assert not me.scrolls()
    make(me, round_.moves[at - 1])  # as bad as it was
    expect(state).to_have_attribute("data-find", "wrong", timeout=60_000)
    verdict = found[at - 1]
    assert verdict is not None
    make(me, verdict["best"])
    expect(state).to_have_attribute("data-find", "found", timeout=60_000)
    me.press(page.locator("[data-next]:visible"))
    if len(bad) > 1:
        expect(state).to_have_attribute("data-find", "asked")
        me.press(page.locator("[data-show]:visible"))
        expect(state).to_have_attribute("data-find", "shown", timeout=60_000)
        at = sorted(bad)[1]
        me.press(page.locator("[data-end]"))
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(at))

    page.reload()  # asked for once, it is there again
    page.wait_for_selector("[data-step]")
    if me.sheets:
        page.locator("[data-judge]").tap()
    expect(page.locator("[data-played=complete]:visible")).to_be_visible()
    if not me.sheets:  # on so low a screen the chart has no room
        chart = page.locator(".hand-tray .chart > svg")
        page.locator(".charts button").last.click()
        expect(chart).to_have_attribute("aria-label", re.compile("^Score"))
        page.locator(".charts button").first.click()
        expect(chart).to_have_attribute("aria-label", re.compile("^Chance to win"))
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]


def test_a_long_match_is_analysed_where_its_views_are_still_to_come(sit: Sit) -> None:
    """The last round of a match too long to come whole: the words of its worst moves need views that are fetched."""
    me = sit(size=DESK, seed=32)
    me.open()
    game = of_many_rounds()
    record = match_of(game, game.match.high, 1_200)
    kept = me.call("POST", "records", {"record": record})["id"]
    rounds = [part["moves"] for part in record["rounds"]]
    assert len(me.call("GET", f"tables/{kept}/replay?open=1")["rounds"][-1]["views"]) < len(rounds[-1])
    me.open(f"r/{kept}?round={len(rounds)}")
    page = me.page
    page.wait_for_selector("[data-step]")
    me.press(page.locator("[data-analyse]:visible"))
    expect(page.locator("[data-played=complete]:visible")).to_be_visible(timeout=300_000)
    links = page.locator("[data-costly]:visible")
    expect(links).to_have_count(3)  # moves by lot: there are always so many bad ones
    for link in links.all():
        assert len(link.locator(".what").inner_text().splitlines()[0]) > 8  # in words
    me.press(page.locator(".eyes button").first)  # another's eyes: all views are fetched anew
    expect(links).to_have_count(3)
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]


def answered(body: Any) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=body)


def blunders(round_: Position, most: int) -> list[dict[str, Any] | None]:
    """Verdicts by which every decision among the first moves is one: what matters is the way through them."""
    blunder = {"chance": 0.9, "made": 0.1, "mark": "??", "accuracy": 10.0, "tried": []}
    legal = [round_.at(i).legal() for i in range(len(round_.moves))]
    return [{**blunder, "best": moves[0]} if i < most and len(moves) > 1 else None for i, moves in enumerate(legal)]


def test_decisions_to_make_again_come_one_after_the_other(sit: Sit) -> None:
    """In every game, whatever the moves: words are of the decision on the screen, never of the next one on its way."""
    me = sit(size=DESK, seed=33)
    me.open()
    page = me.page
    for game in games().values():
        round_ = fullest(game, game.players[1], deals=1)
        kept = me.call("POST", "records", {"record": round_.record()})["id"]
        answer = {"round": 0, "from": 0, "verdicts": blunders(round_, 12)}
        page.route(f"**/{kept}/analysis?*", answered(answer))
        me.open(f"r/{kept}")
        page.wait_for_selector("[data-step]")
        me.press(page.locator("[data-analyse]:visible"))
        me.press(page.locator("[data-better]:visible"))
        total = int(re.findall(r"\d+", page.locator(".bar h1 small").inner_text())[1])
        assert total > 3
        for number in range(1, total + 1):
            expect(page.locator(".bar h1 small")).to_contain_text(f"{number} of {total}")
            expect(page.locator("[data-find=asked] .ask")).to_contain_text("Find a better one")
            page.keyboard.press("n")
        expect(page.locator("[data-place]")).to_be_visible()
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]


@pytest.mark.parametrize("size", [DESK, {"width": 360, "height": 740}], ids=["desktop", "phone"])
def test_a_result_leads_to_ones_own_costliest_move(sit: Sit, size: dict[str, int]) -> None:
    """By one press, with the analysis on its way; others' moves, which cost more, are listed after one's own."""
    me = sit(size=size, seed=34)
    page = me.page
    game = next(iter(games().values()))
    table = me.make(game)
    me.go_to_table(table)
    me.finish_match()
    last = me.call("GET", f"tables/{table}/replay?open=1")["rounds"][-1]
    seats = last["seats"]
    mine, other = ([i for i, one in enumerate(seats) if one == seat] for seat in (0, 1))
    loss = {mine[0]: 0.2, mine[1]: 0.4, other[0]: 0.8}
    usual = {"mark": "?", "accuracy": 20.0, "tried": [], "chance": 0.9, "wins": "round"}
    found = [
        {**usual, "best": last["moves"][i], "made": 0.9 - loss[i]} if i in loss else None for i in range(len(seats))
    ]
    asked: list[Route] = []
    page.route(f"**/{table}/analysis?*", lambda route: asked.append(route))
    me.press(page.locator("[data-how]"))
    page.wait_for_selector("[data-step]")
    expect(page.locator("[data-place]")).to_have_attribute("data-place", "0")
    expect(page.locator(".hand-tray .ask")).to_contain_text(f"0 of {len(seats)} moves analysed")
    asked.pop().fulfill(json={"round": 0, "from": 0, "verdicts": found})
    own = mine[1] + 1
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(own))
    assert "Better: “" in me.sentence
    if me.sheets:
        judge = page.locator("[data-judge]")
        expect(judge).to_have_text("Analysis")
        judge.tap()
    listed = page.locator("[data-costly]:visible").evaluate_all("all => all.map(one => Number(one.dataset.costly))")
    assert listed == [own, mine[0] + 1, other[0] + 1]
    assert violations(me) == []
    assert not me.scrolls()


def test_who_goes_elsewhere_while_the_analysis_runs_is_left_there(sit: Sit) -> None:
    me = sit(size=DESK, seed=35)
    me.open()
    page = me.page
    round_ = shortest()
    kept = me.call("POST", "records", {"record": round_.record()})["id"]
    asked: list[Route] = []
    page.route(f"**/{kept}/analysis?*", lambda route: asked.append(route))
    me.open(f"r/{kept}?how=1")
    page.wait_for_selector("[data-step]")
    expect(page.locator(".hand-tray .ask")).to_contain_text("moves analysed")
    page.keyboard.press("End")
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(len(round_.moves)))
    asked.pop().fulfill(json={"round": 0, "from": 0, "verdicts": blunders(round_, len(round_.moves))})
    expect(page.locator("[data-played=complete]")).to_be_visible()
    expect(page.locator("[data-place]")).to_have_attribute("data-place", str(len(round_.moves)))
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]


def test_the_eyes_that_were_asked_for_last_are_those_that_look(sit: Sit) -> None:
    me = sit(size=DESK, seed=36)
    me.open()
    page = me.page
    kept = me.call("POST", "records", {"record": shortest().record()})["id"]
    me.open(f"r/{kept}")
    eyes = page.locator(".eyes button")
    me.press(eyes.first)
    expect(eyes.first).to_have_attribute("aria-pressed", "true")
    late: list[Route] = []
    page.route(f"**/{kept}/replay?open=1", lambda route: late.append(route))
    me.press(eyes.last)
    me.press(eyes.nth(1))
    expect(eyes.nth(1)).to_have_attribute("aria-pressed", "true")
    with page.expect_response(f"**/{kept}/replay?open=1"):
        late.pop().continue_()
    page.wait_for_timeout(500)
    expect(eyes.nth(1)).to_have_attribute("aria-pressed", "true")
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]


@pytest.mark.parametrize("size", [PHONE, TALL], ids=["small phone", "phone"])
def test_everybodys_eyes_are_in_sight_on_a_phone_and_names_that_are_not_show_it(sit: Sit, size: dict[str, int]) -> None:
    me = sit(size=size, locale="de-CH", seed=39)
    me.open()
    page = me.page
    for game in games().values():
        for players in (game.players[0], game.players[-1]):
            kept = me.call("POST", "records", {"record": fullest(game, players, deals=1).record()})["id"]
            me.open(f"r/{kept}")
            row, every = page.locator(".eyes"), page.locator(".eyes button")
            expect(every).to_have_count(players + 1)
            whole, last = row.bounding_box(), every.last.bounding_box()
            assert whole and last and last["x"] + last["width"] <= whole["x"] + whole["width"] + 0.5 <= size["width"]
            hides = row.evaluate("row => row.scrollWidth > row.clientWidth + 1")
            expect(page.locator(".eyes.behind")).to_have_count(int(hides))
            expect(page.locator(".eyes.before")).to_have_count(0)
            me.press(every.nth(players - 1))  # the last name: into sight, and the first ones out of it
            expect(every.nth(players - 1)).to_have_attribute("aria-pressed", "true")
            named, last = every.nth(players - 1).bounding_box(), every.last.bounding_box()
            assert named and last and named["x"] + named["width"] <= last["x"] + 0.5
            expect(page.locator(".eyes.before")).to_have_count(int(hides))
            expect(page.locator(".eyes.behind")).to_have_count(0)
            me.press(every.last)
            expect(every.last).to_have_attribute("aria-pressed", "true")
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]


# What a list of moves says, and which of it is wider or taller than its place.
LISTED = """() => [...document.querySelectorAll('.mv')].map((one) => {
    const said = one.querySelector('.tx');
    const [words, place] = [said.getBoundingClientRect(), one.getBoundingClientRect()];
    const fits = one.scrollWidth <= one.clientWidth + 1 && words.bottom <= place.bottom - 2 && place.height < 50;
    return [Number(one.dataset.ply), said.innerText, fits];
})"""


@pytest.mark.parametrize("size", [DESK, {"width": 960, "height": 700}, TALL], ids=["desktop", "tablet", "phone"])
def test_the_moves_of_a_round_are_listed_in_the_readers_language(sit: Sit, size: dict[str, int]) -> None:
    """What has letters in the notation has words, other ones in each language; cards and places stay what they are."""
    rounds = {key: fullest(game, game.players[-1], deals=1) for key, game in games().items()}
    written: dict[str, dict[str, set[str]]] = {}
    for locale in ("en-GB", "de-CH", "fr-FR", "it-IT"):
        me = sit(size=size, locale=locale, seed=38)
        me.open()
        for round_ in rounds.values():
            kept = me.call("POST", "records", {"record": round_.record()})["id"]
            for place in (1, len(round_.moves)):
                me.open(f"r/{kept}?move={place}")
                me.page.wait_for_selector(".mv.now")
                found = me.page.evaluate(LISTED)
                assert [said for _, said, fits in found if not fits] == []
                for number, said, _ in found:
                    move = round_.moves[number - 1]
                    written.setdefault(move, {}).setdefault(locale, set()).add(said)
        me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]
    assert len(written) > 60
    for move, languages in written.items():
        assert len(languages) == 4
        assert all(len(said) == 1 for said in languages.values())  # the same, wherever in the round one stands
        if re.search("[a-z@#]", move):
            assert len({*map(frozenset, languages.values())}) >= 3, f"{move}: {languages}"
            assert {move} not in languages.values()
        figures = re.findall(r"\d+", move)
        assert all(re.findall(r"\d+", next(iter(said))) == figures for said in languages.values())


# Words in what is drawn of others' hands: where two lie over each other, or one is not whole in its card.
ILLEGIBLE = """() => [...document.querySelectorAll('.mat [role=img]')].flatMap((hand) => {
    const words = [];
    const walk = document.createTreeWalker(hand, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        const card = walk.currentNode.parentElement;
        if (card.checkVisibility() && walk.currentNode.data.trim())
            words.push([walk.currentNode.data, card.getBoundingClientRect(), range.getBoundingClientRect()]);
    }
    return words.filter(([, card, box], i) => box.right > card.right + 1 || box.bottom > card.bottom + 1
        || words.slice(i + 1).some(([, over]) => over.left < box.right - 1 && over.right > box.left + 1
            && over.top < box.bottom - 1 && over.bottom > box.top + 1)).map(([word]) => word);
})"""


# Parts of the table that are higher than what they were given: they lie over the next one.
SPILT = """() => [...document.querySelectorAll(".mat > :is(section, div)")]
    .filter((part) => part.scrollHeight > part.clientHeight + 2).map((part) => part.className)"""


@pytest.mark.parametrize("size", [PHONE, {"width": 375, "height": 812}], ids=["small", "usual"])
@pytest.mark.parametrize("key", sorted(games()))
def test_at_a_full_table_the_others_open_hands_can_be_read_on_a_phone(sit: Sit, key: str, size: dict[str, int]) -> None:
    round_ = fullest(games()[key], games()[key].players[-1], deals=2)
    me = sit(size=size, seed=37)
    me.open()
    kept = me.call("POST", "records", {"record": round_.record()})["id"]
    for part in (3, 4, 6):
        me.open(f"r/{kept}?move={len(round_.moves) * part // 8}")
        me.page.wait_for_selector(".mat:not([aria-busy]) [role=img]", state="attached")
        me.page.wait_for_timeout(300)
        assert me.page.evaluate(ILLEGIBLE) == []
        assert me.page.evaluate(SPILT) == []
        assert me.collisions() == []
    me.faults[:] = [fault for fault in me.faults if not any(code in fault for code in EXPECTED)]
