"""What makes a table comfortable, for every game: reasons, announcements, sizes, clocks, ways back, installing it."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import expect

from foxrow.core.registry import games
from tests.web.rehearsal import LISTED, SEAT, Rehearsal, fullest
from tests.web.sitting import DESK, PHONE, Sitting
from tests.web.test_access import violations

Sit = Callable[..., Sitting]
every_game = pytest.mark.parametrize("key", sorted(games()))
# A desktop at 200 %, phones on their side, tablets both ways, small windows beside others, laptops, a wide screen.
SHAPES = {
    "zoomed": (720, 450),
    "landscape": (740, 360),
    "long": (932, 430),
    "tablet": (768, 1024),
    "turned": (1024, 768),
    "window": (900, 640),
    "beside": (1100, 700),
    "laptop": (1366, 650),
    "desktop": (1280, 800),
    "wide": (2560, 1440),
}


# Areas of the table that hold less than stands in them, and words of a button that run over its border.
SPILT = """() => [...document.querySelectorAll('.mat > section, .hand-tray .btn')].filter(one =>
    one.scrollHeight > one.clientHeight + 2 || one.matches('.btn') && one.scrollWidth > one.clientWidth + 1)
    .map(one => `${one.innerText} runs over ${one.className}`)"""


@every_game
@pytest.mark.parametrize("shape", SHAPES)
def test_a_table_of_any_shape_does_not_scroll_and_can_be_played(sit: Sit, key: str, shape: str) -> None:
    width, height = SHAPES[shape]
    me = sit(size={"width": width, "height": height}, locale="de-DE", seed=13)
    game = games()[key]
    bots = [{"kind": "bot", "level": 1}] * (game.players[-1] - 1)
    me.go_to_table(me.make(game, seats=[{"kind": "me"}, *bots]))
    for _ in range(4):
        if not me.turn():
            break
        assert not me.scrolls()
        assert me.outside() == []
        assert me.collisions() == []
        me.lay_hands_on()


# Cards and tiles that lie on those of another area of the table.
LIES_ON = """() => {
    const areas = [...document.querySelectorAll('.mat > section')]
        .map(area => [area, [...area.querySelectorAll('.card, .slot, .who strong')]
            .filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())]);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    return areas.flatMap(([area, pieces], i) => areas.slice(i + 1)
        .filter(([, others]) => pieces.some(one => others.some(other => meet(one, other))))
        .map(([other]) => `${area.ariaLabel} lies on ${other.ariaLabel}`));
}"""


@every_game
@pytest.mark.parametrize(
    ("width", "height", "locale"), [(320, 568, "de-DE"), (320, 568, "it-IT"), (640, 360, "de-DE"), (740, 360, "fr-FR")]
)
def test_at_a_full_table_on_the_smallest_phone_nothing_lies_over_something_else(
    sit: Sit, key: str, width: int, height: int, locale: str
) -> None:
    game = games()[key]
    for players in game.players[-2:]:
        me = sit(size={"width": width, "height": height}, locale=locale, seed=22)
        round_ = fullest(game, players, deals=2)
        rehearsal = Rehearsal(me, game, players)
        found: set[str] = set()
        for back in range(1, len(round_.moves) + 1, 3):
            rehearsal.glance(round_.copy().undo(back))
            found.update([*me.collisions(), *me.outside(), *me.page.evaluate(SPILT), *me.page.evaluate(LIES_ON)])
        assert found == set() and not me.scrolls()


def test_on_a_phone_on_its_side_a_result_has_the_whole_width_and_its_score_in_sight(sit: Sit) -> None:
    me = sit(size={"width": 640, "height": 360})
    me.go_to_table(me.make(next(iter(games().values()))))
    me.finish_round()
    me.press(me.page.locator("[data-result]"))
    box = me.page.locator(".result").bounding_box()
    assert box
    assert box["width"] == 640
    for row in me.page.locator(".result tbody tr").all():
        expect(row).to_be_in_viewport(ratio=1)


# What can be chosen in the hand, and where something lies over the lower part of it.
LIES_UNDER = """() => [...document.querySelectorAll('.hand-tray [data-pick]')].filter((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(12, box.width / 2), box.bottom - 8];
    return document.elementFromPoint(x, y)?.closest('[data-pick]') !== one;
}).map((one) => one.ariaLabel || one.innerText)"""


@every_game
@pytest.mark.parametrize("size", [PHONE, {"width": 390, "height": 844}], ids=["small phone", "phone"])
def test_on_a_phone_no_hand_moves_the_board_and_nothing_in_it_is_covered(
    sit: Sit, key: str, size: dict[str, int]
) -> None:
    game = games()[key]
    players = game.players[-1]
    me = sit(size=size, seed=24)
    round_ = fullest(game, players, deals=2)
    rehearsal = Rehearsal(me, game, players)
    heights, covered = set(), set()
    for ply in range(len(round_.moves)):
        if round_.at(ply).to_act == SEAT:
            rehearsal.glance(round_.at(ply))
            heights.add(round(me.page.locator(".mat").bounding_box()["height"]))  # type: ignore[index]
            covered.update(me.page.evaluate(LIES_UNDER))
    assert covered == set()
    assert len(heights) == 1


@every_game
def test_everything_at_a_full_table_on_a_small_phone_is_wide_enough_for_a_finger(sit: Sit, key: str) -> None:
    game = games()[key]
    me = sit(size=PHONE, seed=3)
    bots = [{"kind": "bot", "level": 1}] * (game.players[-1] - 1)
    me.go_to_table(me.make(game, seats=[{"kind": "me"}, *bots]))
    for _ in range(10):
        if not me.turn():
            break
        assert me.narrow() == []
        me.choose()


@every_game
def test_names_and_what_stands_below_them_are_whole_on_a_small_desktop(sit: Sit, key: str) -> None:
    me = sit(size={"width": 1280, "height": 800}, seed=18)
    me.go_to_table(me.make(games()[key], seats=[{"kind": "me"}, *[{"kind": "bot", "level": 1}] * 3]))
    cut = """[...document.querySelectorAll('.mat .who :is(strong, .meta > span)')].filter(one => {
        const box = one.getBoundingClientRect();
        const top = document.elementFromPoint(box.right - 3, box.top + box.height / 2);
        return box.width && (one.scrollWidth > one.clientWidth + 1 && one.matches('strong')
            || !one.closest('.who').contains(top));
    }).map(one => one.innerText)"""
    for _ in range(8):
        if not me.turn():
            break
        me.page.wait_for_timeout(200)
        assert me.page.evaluate(cut) == []
        me.choose()


@every_game
def test_what_cannot_be_done_says_why_when_it_is_tried(sit: Sit, key: str) -> None:
    me = sit(size=PHONE, seed=14)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()
    # Forced: the hand presses it all the same, although it says that it is off.
    me.page.locator(":is(.mat, .hand-tray) button[aria-disabled=true]:visible").first.tap(force=True)
    expect(me.page.locator(".toast")).to_be_visible()
    assert len(me.page.locator(".toast").inner_text().split()) > 2
    toast, tray = (me.page.locator(one).bounding_box() for one in (".toast", ".hand-tray"))
    assert toast
    assert tray
    assert toast["y"] >= tray["y"] - 8, "it covers what lies on the table"


@every_game
def test_that_it_is_not_my_turn_is_not_said_any_more_when_it_is(sit: Sit, key: str) -> None:
    me = sit(size=PHONE)
    game = games()[key]
    rehearsal = Rehearsal(me, game, game.players[0])
    round_ = fullest(game, game.players[0], deals=1)
    turns = [round_.copy().undo(back).to_act for back in range(len(round_.moves), 0, -1)]
    ply = next(ply for ply, (seat, then) in enumerate(itertools.pairwise(turns)) if seat != SEAT and then == SEAT)
    rehearsal.glance(round_.copy().undo(len(round_.moves) - ply))
    me.page.keyboard.press("h")
    expect(me.page.locator(".toast")).to_have_text("It is not your turn.")
    rehearsal.play(round_.moves[ply])
    assert me.turn()
    assert me.page.locator(".toast").count() == 0


@every_game
def test_every_option_is_explained_where_it_is_chosen(sit: Sit, key: str) -> None:
    game = games()[key]
    words = json.loads((files(game.package) / "web" / "messages" / "en.json").read_text())
    me = sit()
    me.open()
    me.page.locator(".fr .btn.world").click()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_role("button", name=game.name, exact=True).click()
    for option in game.options:
        players = (option.players or game.players)[0]
        dialog.get_by_role("button", name=str(players), exact=True).click()
        expect(dialog).to_contain_text(words[f"option_{option.key}"])
        expect(dialog).to_contain_text(words[f"option_{option.key}_note"])


@every_game
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["mouse", "touch"])
def test_what_has_a_place_to_go_can_be_dragged_there(sit: Sit, key: str, size: dict[str, int]) -> None:
    me = sit(size=size, seed=17)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()
    page = me.page
    if not page.locator(".mat [data-cell]").count():
        pytest.skip("nothing is dragged in this game")
    piece = page.locator(".hand-tray [data-pick]").first
    name = piece.get_attribute("data-pick")
    me.press(piece)
    cell = page.locator(".mat [data-cell][data-move]").first
    place, move = cell.get_attribute("data-cell"), cell.get_attribute("data-move")
    page.reload()
    assert me.turn()
    ply = page.locator(".shell").get_attribute("data-ply")
    me.drag(
        page.locator(f'.hand-tray [data-pick="{name}"]').first,
        page.locator(f'.mat [data-cell="{place}"]'),
    )
    page.wait_for_function("before => document.querySelector('.shell').dataset.ply !== before", arg=ply)
    assert me.turn(), move


@every_game
def test_every_move_is_announced_in_words(sit: Sit, key: str) -> None:
    me = sit(seed=15)
    me.go_to_table(me.make(games()[key]))
    assert me.turn()
    me.choose()
    heard = me.page.locator("[data-announce]")
    expect(heard).not_to_be_empty()
    assert heard.get_attribute("aria-live") == "polite"
    # The same words stand in the log.
    assert len(heard.inner_text().split()) > 1


@every_game
def test_who_goes_home_finds_the_table_there_and_comes_back_to_the_same_seat(sit: Sit, key: str) -> None:
    me = sit(seed=16)
    table = me.make(games()[key])
    me.go_to_table(table)
    assert me.turn()
    legal = sorted(me.legal())
    me.page.locator(".bar a").first.click()
    me.page.locator(f'.cont[href$="t/{table}"]').click()
    assert me.turn()
    assert sorted(me.legal()) == legal


@every_game
def test_an_open_table_is_found_on_the_home_page_and_a_listed_game_can_be_watched(sit: Sit, key: str) -> None:
    host, guest = sit(), sit(size=PHONE)
    seats = [{"kind": "me", "name": "Ilse"}, {"kind": "open"}]
    table = host.make(games()[key], seats=seats, listed=True)
    guest.open()
    expect(guest.page.locator(".lobby")).to_contain_text("Ilse")
    host.open()  # to the host it is a table of hers, not one to join
    expect(host.page.locator(f'.contz a[href$="t/{table}"]')).to_be_visible()
    expect(host.page.locator(f'.lobby a[href$="t/{table}"]')).to_have_count(0)
    guest.open(f"t/{table}")
    guest.page.locator("[data-sit]").tap()
    guest.page.wait_for_selector(".hand-tray")
    third = sit()
    third.open("watch")
    expect(third.page.locator(f'a[href$="t/{table}"]').first).to_be_visible()


@every_game
def test_the_strongest_bots_play_for_who_wants_to_look_on(sit: Sit, key: str) -> None:
    me = sit(seed=19, size=PHONE)
    me.open("watch")
    me.press(me.page.locator(f'.bots [data-game="{key}"]'))
    me.page.wait_for_url("**/t/*")
    me.page.wait_for_selector(".mat:not([aria-busy])")
    table = me.call("GET", f"tables/{me.page.url.rsplit('/', 1)[1]}")
    top = max(one["level"] for one in next(c for c in me.call("GET", "games")["games"] if c["key"] == key)["levels"])
    assert {(seat["kind"], seat["level"]) for seat in table["seats"]} == {("bot", top)}
    expect(me.page.locator(".ask").first).not_to_be_empty()


def test_every_game_says_how_long_it_takes_on_phones_too(sit: Sit) -> None:
    me = sit(size=PHONE)
    me.open()
    covers = me.page.locator(".cover")
    expect(covers).to_have_count(len(games()))
    said = [re.findall(r"(\d+) min", cover.inner_text()) for cover in covers.all()]
    assert all(len(one) == 1 for one in said)
    low, high = (one(int(minutes) for (minutes,) in said) for one in (min, max))
    expect(me.page.locator(".hero")).to_contain_text(f"{low} to {high} minutes")


@pytest.mark.parametrize("key", sorted(games()))
def test_what_rules_say_to_programs_is_folded(sit: Sit, key: str) -> None:
    me = sit(size=PHONE)
    me.open(f"rules/{key}")
    last = me.page.locator("article details")
    expect(last.locator("summary h2")).to_be_visible()
    shuffle = last.get_by_text("To check a shuffle:")
    expect(shuffle).to_be_hidden()
    me.press(last.locator("summary"))
    expect(shuffle).to_be_visible()
    assert me.narrow() == []


def test_the_list_of_my_games_says_how_many_i_have_won(sit: Sit) -> None:
    game = next(game for game in games().values() if game.match.kind == "single")
    me = sit(seed=20)
    me.open("replays")
    expect(me.page.locator("[data-tally]")).to_have_count(0)
    me.go_to_table(me.make(game))
    me.finish_match()
    for size in (me.size, PHONE):
        me.page.set_viewport_size(size)  # type: ignore[arg-type]
        me.open("replays")
        expect(me.page.locator("[data-tally] dd")).to_contain_text("/1")
        assert violations(me) == [] and not me.page.evaluate("document.documentElement.scrollWidth > innerWidth")


@every_game
def test_a_clock_is_shown_where_the_table_has_one(sit: Sit, key: str) -> None:
    me = sit(seed=17)
    clock = {"kind": "game", "seconds": 300, "increment": 5}
    me.go_to_table(me.make(games()[key], clock=clock))
    assert me.turn()
    expect(me.page.locator("[role=timer]").first).to_contain_text(":")


def test_sound_is_muted_with_one_press_and_stays_so(sit: Sit) -> None:
    me = sit()
    me.go_to_table(me.make(next(iter(games().values()))))
    assert me.turn()
    button = me.page.locator(".bar [aria-pressed]").first
    before = button.get_attribute("aria-pressed")
    button.click()
    me.page.reload()
    assert me.turn()
    assert me.page.locator(".bar [aria-pressed]").first.get_attribute("aria-pressed") != before


def test_the_page_can_be_installed(sit: Sit) -> None:
    me = sit()
    me.open()
    me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    session = me.context.new_cdp_session(me.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    # A test's own context is a private one, of which no page can be installed.
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in found if one["errorId"] != "in-incognito"] == []


CUT = """() => [...document.querySelectorAll('.mat :is(.chip, .chip *, .meta > span)')].filter(one =>
    one.getBoundingClientRect().width > 1 && getComputedStyle(one).overflow !== 'visible'
        && one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"""
# What two buttons say that do different things.
ALIKE = """() => [...document.querySelectorAll('.hand-tray .btn, .tools button')]
    .filter(one => one.checkVisibility()).map(one => one.innerText.split('\\n')[0])
    .filter((text, i, all) => text && all.indexOf(text) !== i)"""


@every_game
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR", "it-IT", "de-DE"])
def test_on_a_small_phone_no_sentence_takes_a_third_line_and_no_word_is_cut(sit: Sit, key: str, locale: str) -> None:
    """With a third line the table above would jump, under the finger that was about to touch it."""
    game = games()[key]
    me = sit(size=PHONE, locale=locale, seed=19)
    round_ = fullest(game, game.players[-1], deals=2)
    rehearsal = Rehearsal(me, game, game.players[-1])
    lines = """() => {
        const said = document.querySelector('.ask > span:last-child');
        const one = parseFloat(getComputedStyle(said).lineHeight);
        return [Math.round(said.getBoundingClientRect().height / one), said.innerText];
    }"""
    found: dict[str, int] = {}
    words: set[str] = set()
    for back in range(1, len(round_.moves) + 1):
        position = round_.copy().undo(back)
        if position.to_act == SEAT or back % 4 == 0:
            rehearsal.glance(position)
            count, text = me.page.evaluate(lines)
            found[text] = count
            words.update(me.page.evaluate(CUT))
            words.update(me.page.evaluate(ALIKE))
    assert found
    assert {text: count for text, count in found.items() if count > 2} == {}
    assert words == set()


# By their size: small phones, phone, phone on its side, tablets both ways, small window, small desktop, wide screen.
PLACES = [
    (320, 568, "fr-FR"), (360, 640, "de-DE"), (360, 640, "it-IT"), (390, 844, "en-GB"), (740, 360, "de-DE"),
    (600, 960, "de-DE"), (1024, 768, "de-DE"), (900, 640, "de-DE"), (1280, 800, "fr-FR"), (2560, 1440, "en-GB"),
]  # fmt: skip
COVERED = """() => {
    const tip = document.querySelector('.tip');
    if (!tip) return null;
    const box = tip.getBoundingClientRect();
    const all = [...document.querySelectorAll('button, a[href], .ask, .bar h1, .mat .who')];
    const covered = all.filter(one => {
        const its = one.getBoundingClientRect();
        return !tip.contains(one) && its.width && getComputedStyle(one).visibility !== 'hidden'
            && Math.min(its.right, box.right) - Math.max(its.left, box.left) > 1
            && Math.min(its.bottom, box.bottom) - Math.max(its.top, box.top) > 1;
    }).map(one => one.ariaLabel || one.innerText);
    const whole = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    return [tip.innerText, whole, covered];
}"""


@every_game
@pytest.mark.parametrize(("width", "height", "locale"), PLACES)
def test_a_tip_covers_nothing(sit: Sit, key: str, width: int, height: int, locale: str) -> None:
    game = games()[key]
    me = sit(size={"width": width, "height": height}, locale=locale, tips=True)
    round_ = fullest(game, game.players[-1], deals=2)
    rehearsal = Rehearsal(me, game, game.players[-1])
    seen = set()
    for back in range(len(round_.moves), 0, -1):
        position = round_.copy().undo(back)
        if position.to_act != SEAT:
            continue
        rehearsal.glance(position)
        while found := me.page.evaluate(COVERED):
            text, whole, covered = found
            assert whole, text
            assert covered == [], text
            seen.add(text)
            me.page.locator(".tip button").click()
            me.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert len(seen) > 3


# A number is covered where something else lies over most of it: it is asked for in three places.
HIDDEN = """() => [...document.querySelectorAll('.mat .num')].filter(one => {
    const box = one.getBoundingClientRect();
    const seen = [0.2, 0.5, 0.8].filter(part => {
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * part);
        return top && (one.contains(top) || top.contains(one));
    });
    return box.width > 1 && getComputedStyle(one).visibility !== 'hidden' && seen.length < 2;
}).map(one => one.innerText + ' ' + one.className)"""


@every_game
def test_on_a_small_desktop_no_word_on_the_table_is_cut_and_no_number_covered(sit: Sit, key: str) -> None:
    game = games()[key]
    for players in game.players[2:]:
        me = sit(size={"width": 1280, "height": 800}, seed=20)
        round_ = fullest(game, players, deals=2)
        rehearsal = Rehearsal(me, game, players)
        words: set[str] = set()
        for back in range(1, len(round_.moves) + 1, 3):
            rehearsal.glance(round_.copy().undo(back))
            words.update(me.page.evaluate(CUT))
            words.update(me.page.evaluate(HIDDEN))
        assert words == set()


# What the side column cuts: panels by its end, phrases and words by their panel's.
CLIPPED = """() => [...document.querySelectorAll('.side > .panel, .phrases button, .movelist .none')].filter(one => {
    const box = one.getBoundingClientRect();
    const around = one.parentElement.closest('.phrases, .panel, .side').getBoundingClientRect();
    return box.top < around.bottom - 4 && box.bottom > around.bottom + 1;
}).map(one => one.innerText.split('\\n')[0])"""


@every_game
def test_on_a_low_desktop_all_lies_inside_the_border_and_the_side_column_cuts_no_line(sit: Sit, key: str) -> None:
    game = games()[key]
    me = sit(size={"width": 1280, "height": 720}, seed=20)
    round_ = fullest(game, game.players[-1], deals=2)
    rehearsal = Rehearsal(me, game, game.players[-1])
    over = """() => {
        const mat = document.querySelector('.mat').getBoundingClientRect();
        return [...document.querySelectorAll('.mat > section')].filter(one => {
            const box = one.getBoundingClientRect();
            return box.left < mat.left + 9 || box.right > mat.right - 9 || box.top < mat.top + 9;
        }).map(one => `${one.ariaLabel} lies on the border`);
    }"""
    found: set[str] = set()
    for back in range(1, len(round_.moves) + 1, 3):
        rehearsal.glance(round_.copy().undo(back))
        found.update([*me.page.evaluate(CLIPPED), *me.page.evaluate(over)])
    assert found == set()


# What only some games need, and not in every deal: one of the prepared turns at least must show it.


def _turns(sit: Sit, key: str) -> Iterator[Sitting]:
    """The reader's turns in a prepared round, from its end to its beginning."""
    game = games()[key]
    me = sit(seed=21)
    round_ = fullest(game, game.players[0])
    rehearsal = Rehearsal(me, game, game.players[0])
    for back in range(1, len(round_.moves) + 1):
        position = round_.copy().undo(back)
        if position.to_act == SEAT:
            rehearsal.glance(position)
            yield me


def _somewhere(sit: Sit, shows: Callable[[Sitting], bool]) -> bool:
    return any(shows(me) for key in games() for me in _turns(sit, key))


def test_a_move_that_the_list_gives_in_short_is_shown_on_the_board_when_pointed_at(sit: Sit) -> None:
    def shows(me: Sitting) -> bool:
        short = me.page.locator(".movelist button.short:visible")
        if short.count() == 0:
            return False  # every move is told in full
        short.first.hover()
        expect(me.page.locator(".mat .shown")).to_have_count(1)
        me.page.mouse.move(2, 2)
        expect(me.page.locator(".mat .shown")).to_have_count(0)
        me.choose()
        expect(me.page.locator(".mat .shown")).to_have_count(0)
        return True

    assert _somewhere(sit, shows)


def test_the_list_opens_at_what_is_chosen_on_the_board(sit: Sit) -> None:
    def shows(me: Sitting) -> bool:
        page = me.page
        if page.locator(".movelist details").count() < 2:
            return False  # the list is short
        picks = page.locator(".hand-tray [data-pick]")
        for at in [*range(picks.count()), 0]:
            if picks.nth(at).get_attribute("aria-pressed") != "true":
                me.press(picks.nth(at))
            expect(page.locator(".mat [data-move]").first).to_be_visible()
            lit = page.locator(".mat [data-move]").evaluate_all("all => all.map(one => one.dataset.move).sort()")
            expect(page.locator(".movelist details[open]")).to_have_count(1)
            page.wait_for_function(
                """lit => JSON.stringify([...document.querySelectorAll('.movelist details[open] [data-move]')]
                    .map(one => one.dataset.move).sort()) === JSON.stringify(lit)""",
                arg=lit,
            )
        return True

    assert _somewhere(sit, shows)


def test_what_is_chosen_for_the_reader_stays_chosen_when_it_is_pressed(sit: Sit) -> None:
    """Where only one kind of piece is left in the hand, there is nothing to choose: a press leaves it chosen."""

    def shows(me: Sitting) -> bool:
        chosen = me.page.locator(".hand-tray [aria-pressed=true]")
        if chosen.count() == 0:
            return False
        me.press(chosen.first)
        expect(chosen).to_have_count(1)
        return True

    assert _somewhere(sit, shows)


@every_game
def test_a_long_log_stays_at_its_newest_line(sit: Sit, key: str) -> None:
    """It keeps so many lines: when one comes and the oldest goes, its height need not change."""
    game = games()[key]
    me = sit(size={"width": 1280, "height": 800}, seed=23)
    round_ = fullest(game, game.players[0])
    rehearsal = Rehearsal(me, game, game.players[0])
    rehearsal.show(round_.at(0))
    moves = round_.moves[:200]
    for move in moves:
        rehearsal.play(move)
    last = me.page.locator(".log > li:last-child time")
    expect(last).to_have_text(str(len(moves)))
    rehearsal.settle()
    below = """() => {
        const log = document.querySelector('.log');
        const [line, box] = [log.lastElementChild, log.closest('.panel')].map(one => one.getBoundingClientRect());
        return line.bottom - box.bottom;
    }"""
    assert me.page.evaluate(below) <= 1


@every_game
def test_the_list_and_the_log_keep_up_with_moves_that_come_quicker_than_frames(sit: Sit, key: str) -> None:
    """Counted in frames from the last move's arrival: what waited for views of before must not be drawn first."""
    game = games()[key]
    me = sit(size={"width": 1280, "height": 800}, seed=25)
    round_ = fullest(game, game.players[0])
    ours = max(at for at in range(len(round_.moves)) if round_.at(at).to_act == SEAT)
    shown = f"document.querySelector('.log > li:last-child time')?.innerText === ply && {LISTED}"
    behind = """([ply, legal]) => new Promise(done => {
        const shown = () => SHOWN;
        let frames = 0;
        const look = () => document.querySelector('.shell').dataset.ply.split('.')[1] !== ply
            ? requestAnimationFrame(look) : shown() || ++frames > 300 ? done(frames) : requestAnimationFrame(look);
        look();
    })""".replace("SHOWN", shown)
    rehearsal = Rehearsal(me, game, game.players[0])
    rehearsal.show(round_.at(0))
    for move in round_.moves[:ours]:
        rehearsal.play(move)
    legal = ",".join(sorted(round_.at(ours).view(SEAT)["legal"]))
    assert me.page.evaluate(behind, [str(ours), legal]) < 12 + len(legal.split(",")) // 3


@every_game
def test_in_a_review_on_a_small_desktop_no_part_of_the_table_lies_over_another(sit: Sit, key: str) -> None:
    game = games()[key]
    me = sit(size={"width": 1280, "height": 800}, seed=24)
    me.open()
    for players in (game.players[0], game.players[-1]):
        round_ = fullest(game, players, deals=1)
        kept = me.call("POST", "records", {"record": round_.record()})["id"]
        me.open(f"r/{kept}?move={len(round_.moves) * 2 // 3}")
        me.page.wait_for_selector("[data-step]")
        me.page.wait_for_timeout(400)
        assert me.collisions() == []
    me.faults[:] = [fault for fault in me.faults if "404" not in fault]  # a record that was brought has no table
