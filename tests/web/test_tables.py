"""People at one table: joining by link, watching, reloads, cuts, one device, takebacks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from foxrow.core.position import Position
from foxrow.core.registry import games
from tests.web.rehearsal import SEAT, Rehearsal, fullest
from tests.web.sitting import DESK, PHONE, TURNED, Sitting

Sit = Callable[..., Sitting]
every_game = pytest.mark.parametrize("key", sorted(games()))
BUSY = ("503", "console: Failed to load resource: the server responded with a status of 503")
TWO = [{"kind": "me"}, {"kind": "open"}]


@every_game
def test_a_friend_joins_by_link_and_a_third_watches(sit: Sit, key: str) -> None:
    host, friend, third, fourth = sit(), sit(size=PHONE, seed=2), sit(), sit(size=PHONE)
    host.open()
    host.page.locator(".fr .btn.world").click()
    host.page.get_by_role("dialog").get_by_role("button", name=games()[key].name, exact=True).click()
    host.page.get_by_role("dialog").get_by_role("button", name="2", exact=True).click()
    host.page.get_by_role("dialog").locator(".btn.go").click()
    host.page.wait_for_url("**/t/*")
    link = host.page.locator(".share input").input_value()
    assert link == host.page.url
    expect(host.page.locator(".share svg[role=img]")).to_be_visible()

    third.page.goto(link)
    friend.page.goto(link)
    friend.page.locator(".label .field").fill("Noor")
    friend.page.locator("[data-sit]").tap()
    for person in (host, friend):
        person.page.wait_for_selector(".hand-tray", timeout=30_000)
    expect(third.page.locator(".hand-tray .ask")).to_be_visible(timeout=30_000)
    expect(host.page.locator(".mat")).to_contain_text("Noor")

    for _ in range(6):
        for person in (host, friend):
            if person.moves.count():
                person.choose()
    assert third.moves.count() == 0
    expect(third.page.locator(".movelist")).to_contain_text("You are watching")
    fourth.page.goto(link)  # on a phone, with tools for who looks on, and no other
    expect(fourth.page.locator(".tools button").first).to_be_visible()
    expect(fourth.page.locator(".tools button[aria-disabled=true]")).to_have_count(0)
    expect(friend.page.locator(".tools")).to_contain_text("Undo")
    expect(fourth.page.locator(".tools")).not_to_contain_text("Undo")
    expect(third.page.locator(".log li").nth(1)).to_be_visible()

    host.page.locator(".phrases button").first.click()
    expect(third.page.locator(".toast")).to_be_visible()


@pytest.mark.parametrize(
    "key", sorted(key for key, game in games().items() if "line_scores" in Position.deal(game, 3, seed=0).view(None))
)
def test_a_line_that_was_closed_is_not_told_as_one_that_never_was(sit: Sit, key: str) -> None:
    """Who has points, and nothing before them, has closed what there was."""
    round_ = fullest(games()[key], 3)
    told: set[str] = set()
    me = sit()
    rehearsal = Rehearsal(me, games()[key], 3)
    for ply in range(len(round_.moves)):
        view = round_.at(ply).view(SEAT)
        if view["lines"][1] or view["scores"][1] < 0 or len(told) == (2 if view["scores"][1] else 1):
            continue
        rehearsal.show(round_.at(ply))
        said = "line closed" if view["scores"][1] else "no line"
        expect(me.page.locator("article.other").first.locator("ol")).to_have_text(said)
        told.add(said)
    assert len(told) == 2


@every_game
def test_a_reload_comes_back_to_the_same_position(sit: Sit, key: str) -> None:
    me = sit(seed=4)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()  # one move is all that no game can end in
    me.choose()
    assert me.turn()
    legal = me.legal()
    me.page.reload()
    assert me.turn()
    assert me.legal() == legal
    assert me.page.locator(".log li").count() >= 2


@every_game
def test_a_log_reads_the_same_after_a_reload(sit: Sit, key: str) -> None:
    me = sit(seed=12)
    for own in (8, 5, 2):  # a round may end before
        me.go_to_table(me.make(games()[key]))
        if all(me.turn() and me.choose() for _ in range(own)) and me.turn():
            break
    lines = me.page.locator(".log li")
    count = lines.count()
    assert count > 2
    me.page.wait_for_timeout(300)
    told = lines.all_inner_texts()
    me.page.reload()
    expect(lines).to_have_text(told, use_inner_text=True)


@every_game
def test_a_move_made_while_the_line_is_cut_is_played_exactly_once(sit: Sit, key: str) -> None:
    me = sit(seed=6, cuts=True)
    lines: list[WebSocketRoute] = []
    deaf = False

    def line(route: WebSocketRoute) -> None:
        lines.append(route)
        server = route.connect_to_server()
        route.on_message(lambda text: server.send(text))
        # The server hears the move, the answer is lost.
        server.on_message(lambda text: None if deaf else route.send(text))

    me.page.route_web_socket("**/socket", line)
    table = me.make(games()[key])
    me.go_to_table(table)
    assert me.turn()
    deaf = True
    wanted = me.moves.first.get_attribute("data-move") or ""
    me.moves.first.click()
    me.page.wait_for_timeout(400)
    deaf = False
    lines[-1].close(code=1011, reason="cut")
    expect(me.page.locator(".strip")).to_be_visible()
    expect(me.page.locator(".strip")).to_be_hidden(timeout=20_000)
    me.turn()
    assert len(lines) >= 2
    mine = me.page.locator(".log li", has_text="You").count()
    assert mine >= 1, wanted
    log = me.page.locator(".log li time").all_inner_texts()
    assert len(log) == len(set(log)), "a move stands twice in the log"


@every_game
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_hint_is_a_move_that_can_be_made_and_goes_with_the_position(sit: Sit, key: str, size: dict[str, int]) -> None:
    me = sit(size=size, seed=3)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()
    while len(me.legal()) == 1:  # then there is nothing to ask about
        me.choose()
        assert me.turn()
    hint, ask = me.page.locator(".hint"), me.page.locator("[data-hint]:visible")
    expect(hint).to_have_count(0)
    legal = me.legal()
    me.press(ask)
    best = hint.locator("button").first
    expect(best).to_be_visible(timeout=120_000)
    me.faults = [fault for fault in me.faults if not fault.startswith(BUSY)]  # its search was still being compiled
    assert best.get_attribute("data-move") in legal
    expect(me.page.locator("[data-pointed]").first).to_be_attached()  # on the board, too
    expect(best).to_contain_text("%")
    expect(me.page.locator("[data-announce]", has_text="Best:")).to_have_count(1)
    assert me.legal() == legal  # all the others are there as before
    ply = me.page.locator(".shell").get_attribute("data-ply")
    me.press(best)
    me._moved(ply)
    expect(hint).to_have_count(0)


def test_who_is_away_is_not_said_to_think(sit: Sit) -> None:
    host, friend = sit(seed=3), sit(seed=2)
    table = host.make(next(iter(games().values())), seats=TWO, first=1)
    host.go_to_table(table)
    friend.go_to_table(table)
    friend.page.locator("[data-sit]").click()
    host.page.wait_for_selector(".hand-tray", timeout=30_000)
    assert friend.turn()
    expect(host.page.locator(".ask").first).not_to_contain_text("away")
    friend.open("about")
    expect(host.page.locator(".ask").first).to_contain_text("is away")
    friend.go_to_table(table)
    expect(host.page.locator(".ask").first).not_to_contain_text("away")


@every_game
def test_who_plays_from_the_list_by_keyboard_is_there_again_at_every_turn(sit: Sit, key: str) -> None:
    me = sit(seed=5)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()
    me.page.keyboard.press("m")
    for _ in range(3):
        me.page.wait_for_function("() => document.activeElement.closest('.movelist') !== null")
        me.page.keyboard.press("ArrowDown")
        ply = me.page.locator(".shell").get_attribute("data-ply")
        me.page.keyboard.press("Enter")
        me._moved(ply)
        if not me.turn():
            return


def test_among_people_there_are_no_hints(sit: Sit) -> None:
    host, friend = sit(), sit(seed=2)
    table = host.make(next(iter(games().values())), seats=TWO)
    host.go_to_table(table)
    friend.go_to_table(table)
    friend.page.locator("[data-sit]").click()
    for person in (host, friend):
        person.page.wait_for_selector(".hand-tray", timeout=30_000)
        assert person.page.locator("[data-hint]").count() == 0
        person.page.keyboard.press("h")
        assert person.page.locator(".hint, .toast").count() == 0


@every_game
def test_two_people_on_one_device_have_a_curtain_between_their_turns(sit: Sit, key: str) -> None:
    me = sit(size=TURNED, seed=8)
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Ben"}]
    me.go_to_table(me.make(games()[key], seats=seats))
    seen, moved = set(), False
    for _ in range(40):
        me.page.wait_for_selector("[data-curtain], [data-result], .movelist button[data-move]", state="attached")
        curtain = me.page.locator("[data-curtain]")
        if curtain.count():
            assert me.page.locator(".hand-tray").count() == 0, "a hand is in the page behind the curtain"
            assert me.page.locator("[data-move]").count() == 0
            seen.add(me.page.locator(".curtain .pass").inner_text())
            if moved:  # who comes reads what was done last, in the words of the log
                news = me.page.locator(".curtain .news").inner_text()
                assert re.match("(Ann|Ben) ", news) and "You" not in news
                curtain.click()
                expect(me.page.locator(".log")).to_contain_text(news.partition(".")[0])
            else:
                curtain.click()
        if len(seen) == 2 or not me.turn():
            break
        me.choose()
        moved = True
    assert len(seen) == 2
    me.finish_match()
    expect(me.page.locator(".result .pod")).to_have_count(2)


@every_game
def test_the_end_of_a_round_on_one_device_is_told_in_names(sit: Sit, key: str) -> None:
    """Everybody looks at it together, and nobody would know who "You" is."""
    me = sit(size=PHONE, seed=8)
    seats = [{"kind": "me", "name": name} for name in ("Grandmother", "Grandfather", "Godmother Ann")]
    me.go_to_table(me.make(games()[key], seats=seats))
    me.finish_round()
    names = re.compile("Grandmother|Grandfather|Godmother Ann")
    expect(me.page.locator(".ask").first).to_contain_text(names)
    expect(me.page.get_by_text(re.compile("^You(r line)?$"))).to_have_count(0)
    wide = """all => all.filter((one) => one.getBoundingClientRect().right
        > one.parentElement.getBoundingClientRect().right + 1).map((one) => one.innerText)"""
    assert me.page.locator(".hand-tray strong").evaluate_all(wide) == []
    me.press(me.page.locator("[data-result]"))
    result = me.page.locator(".result")
    expect(result.get_by_role("heading").first).to_contain_text(names)
    expect(result).not_to_contain_text(re.compile(r"\bYou\b"))


@every_game
def test_a_table_on_one_device_is_set_without_typing_a_name(sit: Sit, key: str) -> None:
    me = sit(size=PHONE)
    me.open()
    me.page.locator(".fr .btn").last.tap()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_role("button", name=games()[key].name, exact=True).tap()
    dialog.get_by_role("button", name="2", exact=True).tap()
    dialog.locator(".btn.go").tap()
    me.page.wait_for_url("**/t/*")
    expect(me.page.locator(".curtain .pass")).to_contain_text("Guest")
    assert me.turn()


def test_everybody_on_one_device_may_have_a_name(sit: Sit) -> None:
    me = sit(size=PHONE)
    me.open()
    me.page.locator(".fr .btn").last.tap()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_role("button", name="2", exact=True).tap()
    for seat, name in enumerate(("Ada", "Bo"), 1):
        dialog.get_by_label(f"Nickname for seat {seat}").fill(name)
    dialog.locator(".btn.go").tap()
    me.page.wait_for_url("**/t/*")
    assert me.page.locator(".curtain .pass").inner_text() in ("Pass to Ada", "Pass to Bo")
    assert me.turn()


def test_an_invitation_says_what_is_not_as_usual_and_how_many_rounds_there_are(sit: Sit) -> None:
    """A variant is a switch below length and clock; where none is on, none is spoken of."""
    game, option = next(
        (game, one) for game in games().values() for one in game.options if one.choices == (False, True)
    )
    me = sit(size=PHONE, seed=28)
    page = me.page
    dialog = page.get_by_role("dialog")
    about = []
    for on in (False, True):
        me.open()
        page.locator(".fr .btn.world").tap()
        dialog.get_by_role("button", name=game.name, exact=True).tap()
        dialog.get_by_role("button", name=str(game.players[1]), exact=True).tap()
        switch = dialog.locator(f'[data-option="{option.key}"]')
        clock = dialog.locator("label", has_text="no clock").bounding_box()
        box = switch.bounding_box()
        assert clock and box and box["y"] > clock["y"]
        name = (switch.locator("xpath=..").locator("span").inner_text()).splitlines()[0]
        if on:
            switch.tap()
        dialog.locator(".btn.go").tap()
        page.wait_for_url("**/t/*")
        expect(page.locator(".wait .about")).to_contain_text(f"{game.players[1]} rounds")
        about.append(page.locator(".wait .about").inner_text())
        assert (name in about[-1]) == on
        assert me.call("GET", f"tables/{page.url.rsplit('/', 1)[1]}")["options"][option.key] is on


def test_free_chat_is_offered_where_somebody_else_may_come(sit: Sit) -> None:
    me = sit(seed=29)
    page = me.page
    game = next(iter(games().values()))
    chat = page.locator("details .switch", has_text="Free chat")
    for others in ("open", "bot:1"):
        me.open()
        page.locator(".fr .btn.world").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name=str(game.players[0]), exact=True).click()
        dialog.get_by_label(f"Seat {game.players[0]}", exact=True).select_option(others)
        dialog.locator("summary").click()
        expect(chat).to_have_count(1 if others == "open" else 0)
    beside: list[tuple[dict[str, Any], int]] = [({"kind": "bot", "level": 1}, 0), ({"kind": "open"}, 1)]
    for other, offered in beside:
        me.go_to_table(me.make(game, seats=[{"kind": "me"}, other]))
        page.wait_for_selector("main")
        page.get_by_role("button", name="Menu", exact=False).click()
        expect(page.get_by_role("button", name="Allow free chat")).to_have_count(offered)


def test_switching_the_language_needs_no_reload(sit: Sit) -> None:
    me = sit()
    me.open()
    me.page.evaluate("window.same = true")
    for code, word in (("fr", "Trois jeux"), ("it", "Tre giochi"), ("de", "Drei schnelle"), ("en", "Three quick")):
        me.page.locator(f".langs [lang={code}]").click()
        expect(me.page.locator("h1")).to_contain_text(word)
        assert me.page.evaluate("document.documentElement.lang") == code
    assert me.page.evaluate("window.same")


@every_game
@pytest.mark.parametrize("locale", ["fr-FR", "it-IT", "de-DE"])
def test_the_table_speaks_every_language(sit: Sit, key: str, locale: str) -> None:
    me = sit(locale=locale, size=PHONE)
    me.go_to_table(me.make(games()[key]))
    for _ in range(4):
        if not me.turn():
            break
        assert not me.scrolls()
        assert "_" not in me.sentence
        me.choose()


@every_game
def test_a_move_can_be_taken_back_where_the_rules_of_the_house_allow_it(sit: Sit, key: str) -> None:
    me = sit(seed=9)
    page, toast = me.page, me.page.locator(".toast")
    button = page.get_by_role("button", name="Take my move back")
    legal: list[str] = []
    for _ in range(12):  # a round may be over before a move comes that shows nobody a card
        me.go_to_table(me.make(games()[key], seats=[{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Ben"}]))
        back = False
        assert me.turn()
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).to_have_attribute("title", "There is no move of yours to take back.")
        while not back and me.turn():
            legal = me.legal()
            before = page.locator(".shell").get_attribute("data-ply")
            me.choose()
            if not me.turn():
                break
            expect(button).to_have_attribute("aria-disabled", "false")
            page.keyboard.press("u")
            page.wait_for_function(
                """before => document.querySelector('.shell').dataset.ply === before
                    || document.querySelector('.toast')""",
                arg=before,
            )
            back = page.locator(".shell").get_attribute("data-ply") == before
            if not back:  # A card has left a pile: that cannot be unseen, and the table says so.
                assert len(toast.inner_text().split()) > 2
                toast.click()
        if back:
            break
    assert me.turn()
    assert me.legal() == legal
    expect(page.locator(".log li.event").last).to_contain_text("back")


@pytest.mark.parametrize("width", [390, 320])
def test_lists_of_tables_fit_a_phone_with_long_names_in_them(sit: Sit, width: int) -> None:
    host, me = sit(), sit(size={"width": width, "height": 844}, locale="de-DE")
    game = next(game for game in games().values() if len(game.players) > 2)
    long = ["Wilhelmine Schmetterling", "Maximilian-Ferdinand-Leo", "Gwendolyn Montgomery-Fox"]
    seats = [{"kind": "me", "name": name} for name in long]
    host.make(game, seats=seats, listed=True)
    host.make(game, seats=[*seats[:2], {"kind": "open"}], listed=True)
    # The same as a finished one, without playing it.
    card = host.call("GET", "lobby")["playing"][0]
    result = {"reason": "finished", "winners": [0, 1], "totals": [3, 3, 1]}
    over = {"tables": [{**card, "status": "over", "result": result, "ended": card["created"]}], "more": None}
    me.page.route("**/api/finished*", lambda route: route.fulfill(json=over))
    for path, rows in (("", ".lobby"), ("watch", "main"), ("replays", "main")):
        me.open(path)
        expect(me.page.locator(f"{rows} .join").first).to_be_visible()
        expect(me.page.locator(rows)).to_contain_text(long[1])
        assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        for box in (button.bounding_box() for button in me.page.locator(f"{rows} .join").all()):
            assert box and box["x"] + box["width"] <= width, path
        for box in (text.bounding_box() for text in me.page.locator(f"{rows} li .txt").all()):
            assert box and box["width"] >= width / 4, path


@pytest.mark.parametrize("table", ["there-is-no-such-table", "abcdef", "x" * 60])
def test_a_table_that_does_not_exist_says_so(sit: Sit, table: str) -> None:
    me = sit(cuts=True)
    me.page.goto(f"{me.address}t/{table}")
    expect(me.page.locator(".state")).to_be_visible()
    expect(me.page.locator(".strip")).to_have_count(0)
    me.faults = [fault for fault in me.faults if "404" not in fault]  # the answer: no such table
    me.page.locator(".state .go").click()
    expect(me.page.locator(".home")).to_be_visible()


def _three(sit: Sit, **wanted: object) -> list[Sitting]:
    """People at a table that is being played: the host, Noor and Teo."""
    people = [sit(size=PHONE, seed=3), sit(seed=2), sit(seed=4)]
    game = next(game for game in games().values() if 3 in game.players)
    table = people[0].make(game, seats=[*TWO, {"kind": "open"}], first=1, **wanted)
    people[0].go_to_table(table)
    for person, name in zip(people[1:], ("Noor", "Teo"), strict=True):
        person.go_to_table(table)
        person.page.locator(".label .field").fill(name)
        person.page.locator("[data-sit]").first.click()
        expect(person.page.locator("[data-sit]")).to_have_count(0)
    for person in people:
        person.page.wait_for_selector(".hand-tray", timeout=30_000)
    return people


def test_who_is_removed_for_good_is_asked_about_first_and_keeps_their_name_in_what_they_did(sit: Sit) -> None:
    host, friend, third = _three(sit)
    assert friend.turn()
    friend.choose()
    deed = third.page.locator(".log li:not(.event)", has_text="Noor").first
    expect(deed).to_be_visible()
    told = deed.inner_text()

    host.page.locator(".bar button").last.tap()
    host.page.get_by_role("button", name="Remove and block Noor").tap()
    dialog = host.page.get_by_role("dialog", name="Remove Noor?")
    dialog.get_by_role("button", name="Cancel").tap()
    expect(dialog).to_have_count(0)
    expect(friend.page.locator(".state")).to_have_count(0)
    host.page.locator(".bar button").last.tap()
    host.page.get_by_role("button", name="Remove and block Noor").tap()
    dialog.get_by_role("button", name="Remove and block Noor").tap()

    gone = third.page.locator(".log .event", has_text="Noor was removed")
    expect(gone).to_contain_text("plays on")
    expect(deed).to_have_text(told, use_inner_text=True)
    assert "Noor" not in third.page.locator(".mat").inner_text()
    third.page.reload()  # then nobody knows the name, but it was not the bot's deed
    expect(third.page.locator(".log .event", has_text="Guest 2 was removed")).to_be_visible()
    friend.page.locator(".state .go").click()
    expect(friend.page.locator(".home")).to_be_visible()


def test_everybody_has_the_same_fox_on_every_screen(sit: Sit) -> None:
    host, friend, third = sit(), sit(seed=2), sit(seed=4)
    game = next(game for game in games().values() if 3 in game.players)
    table = host.make(game, seats=[*TWO, {"kind": "open"}])
    coats = """name => [...document.querySelectorAll('.av')]
        .filter(fox => fox.closest('li, .who, section, article')?.innerText.includes(name))
        .map(fox => [...fox.classList].find(one => one.startsWith('coat')))[0]"""
    for person in (host, friend, third):
        person.go_to_table(table)
    friend.page.locator(".label .field").fill("Noor")
    friend.page.locator("[data-sit]").first.click()
    found = []
    for person in (host, friend, third):
        expect(person.page.locator(".wait li", has_text="Noor")).to_be_visible()
        found.append(person.page.evaluate(coats, "Noor"))
    third.page.locator("[data-sit]").first.click()
    for person in (host, third):
        person.page.wait_for_selector(".hand-tray", timeout=30_000)
        # The board comes in pieces, the others' seats among the last.
        found.append(person.page.wait_for_function(coats, arg="Noor").json_value())
    assert found[0] is not None and set(found) == {found[0]}


def test_who_wants_a_rematch_is_told_to_the_others(sit: Sit) -> None:
    host, friend, third = _three(sit, leave="end")
    third.page.locator(".bar button").last.click()
    third.page.get_by_role("button", name="Leave the table").click()
    third.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    for person in (host, friend):
        person.press(person.page.locator("[data-result]"))
        expect(person.page.locator("[data-next]")).to_have_text("Rematch")
    friend.page.locator("[data-next]").click()
    expect(friend.page.locator("[data-next]")).to_contain_text("Waiting for")
    expect(host.page.locator("[data-next]")).to_contain_text("Noor wants one")
    host.page.locator("[data-next]").tap()
    expect(host.page.locator(".wait")).to_be_visible()  # the third seat is free


def test_in_another_tab_it_is_said_that_the_data_are_deleted(sit: Sit) -> None:
    me = sit()
    me.go_to_table(me.make(next(iter(games().values()))))
    assert me.turn()
    tab = me.context.new_page()
    tab.goto(f"{me.address}settings")
    tab.get_by_role("button", name="Delete my data").click()
    tab.get_by_role("dialog").get_by_role("button", name="Delete my data").click()
    expect(tab.locator(".home")).to_be_visible()
    state = me.page.locator(".state")
    expect(state).to_contain_text("nobody now")
    expect(me.page.locator(".shell")).to_have_count(0)
    me.page.get_by_role("link", name="Learn").first.click()
    expect(state).to_have_count(0)
    expect(me.page.locator("h1")).to_have_text("Learn")


def test_going_back_closes_what_lies_over_a_table_and_then_leaves_it(sit: Sit) -> None:
    me = sit(size=PHONE)
    page, over = me.page, me.page.locator("dialog, .side .panel.open")
    table = me.make(next(iter(games().values())))
    me.open("about")
    me.open()
    page.locator(f'a[href$="{table}"]').first.tap()
    assert me.turn()
    tools, menu = page.locator(".tools button"), page.locator(".bar button").last
    for opens in (tools.first, tools.last, menu):
        opens.tap()
        expect(over).to_have_count(1)
        page.go_back()
        expect(over).to_have_count(0)
        expect(page.locator(".hand-tray")).to_be_visible()
    # Closed by hand, or one after the other, it leaves nothing to go back to.
    tools.first.tap()
    page.locator(".panel.open .sheet-close").tap()
    expect(over).to_have_count(0)
    menu.tap()
    page.get_by_role("button", name="Link to this table").tap()
    expect(page.locator("dialog .share")).to_be_visible()
    page.go_back()
    expect(over).to_have_count(0)
    menu.tap()
    page.locator("dialog").get_by_role("link", name="settings").tap()
    page.wait_for_url("**/settings")
    page.go_back()
    assert me.turn()
    expect(over).to_have_count(0)
    page.go_back()
    expect(page.locator(".home")).to_be_visible()


def test_a_home_page_that_no_server_answers_offers_nothing_that_cannot_begin(sit: Sit) -> None:
    me = sit(cuts=True, locale="en-GB")
    me.page.route("**/api/**", lambda route: route.abort())
    me.open()
    expect(me.page.locator("p.away")).to_be_visible()
    begins = me.page.locator(".cover .btn, .fr .btn")
    expect(begins).to_have_count(2 * len(games()) + 2)
    for button in begins.all():
        expect(button).to_be_disabled()
    expect(me.page.locator(".cover .pick:visible")).to_have_count(len(games()))  # how many play, not a nameless level
    me.page.unroute("**/api/**")
    me.page.evaluate("dispatchEvent(new Event('online'))")
    expect(me.page.locator("p.away")).to_have_count(0)
    for button in begins.all():
        expect(button).to_be_enabled()


def test_without_a_network_the_page_says_so_and_comes_back(sit: Sit) -> None:
    me = sit(cuts=True)
    me.open()
    me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    me.page.wait_for_timeout(500)
    me.context.set_offline(True)
    me.page.goto(me.address + "watch")
    expect(me.page.locator(".state")).to_be_visible()
    me.context.set_offline(False)
    me.page.locator(".state .btn").click()
    expect(me.page.locator("h1")).to_be_visible()


def test_who_stays_is_told_that_somebody_left(sit: Sit) -> None:
    """From then on somebody with another name moves in that seat: a bot."""
    host, friend = sit(size=PHONE), sit(seed=2)
    table = host.make(next(iter(games().values())), seats=TWO)
    host.go_to_table(table)
    friend.go_to_table(table)
    friend.page.locator(".label .field").fill("Noor")
    friend.page.locator("[data-sit]").click()
    host.page.wait_for_selector(".hand-tray", timeout=30_000)
    friend.laid()
    friend.page.get_by_role("button", name="Menu").click()
    friend.page.get_by_role("button", name="Leave the table").click()
    friend.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(host.page.locator(".toast")).to_contain_text("Noor left; Rena plays on.")


def test_who_is_invited_reads_which_seats_play_together(sit: Sit) -> None:
    game, option = next((game, one) for game in games().values() for one in game.options if one.partners)
    seats: list[dict[str, Any]] = [*TWO, {"kind": "bot", "level": 1}, {"kind": "open"}]
    host, friend = sit(), sit(size=PHONE)
    all_four = ["Team 1 · Host", "Team 2 · Free", "Team 1 · Bot.*", "Team 2 · Free"]
    for on, teams in ((option.partners[0], all_four), (option.default, [])):
        table = host.make(game, seats=seats, options={option.key: on})
        for person in (host, friend):
            person.go_to_table(table)
            told = person.page.locator(".wait li small")
            expect(told.nth(1)).to_contain_text("Free")
            expect(told.filter(has_text="Team")).to_have_text([re.compile(team) for team in teams])


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "it-IT"])
def test_where_partners_play_a_review_says_who_is_with_whom(sit: Sit, locale: str) -> None:
    """To a seat's eyes the others are with it or against it; who only looks on is nobody's partner."""
    game, option = next((game, one) for game in games().values() for one in game.options if one.partners)
    round_ = Position.deal(game, max(option.players or game.players), seed=1, options={option.key: option.partners[0]})
    rng = random.Random(1)
    while not round_.over:
        round_.play(rng.choice(round_.legal()))
    me = sit(size=PHONE, locale=locale)
    me.open()
    me.open(f"r/{me.call('POST', 'records', {'record': round_.record()})['id']}")
    me.faults.clear()  # an imported record has no table, which is asked for
    chips, eyes = me.page.locator(".mat article .chip"), me.page.locator(".eyes button")
    one, two = ({"fr-FR": f"Équipe {n}", "it-IT": f"Squadra {n}"}.get(locale, f"Team {n}") for n in (1, 2))
    expect(chips).to_have_text([one, two, one, two])
    wide = """all => all.filter((one) =>
        one.getBoundingClientRect().right > one.closest("article").getBoundingClientRect().right)"""
    assert chips.evaluate_all(wide) == []
    me.press(eyes.first)
    expect(chips).to_have_count(3)
    expect(me.page.locator(".mat article").first.locator(".chip")).to_have_count(0)
    assert chips.evaluate_all(wide) == []
