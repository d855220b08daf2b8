"""Tablets, both ways: at every moment of a round everything has its place, is whole, and stays where it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import pytest

from foxrow.core.position import Position
from foxrow.core.registry import games
from tests.web.rehearsal import Rehearsal, fullest
from tests.web.sitting import TABLET, Sitting
from tests.web.test_access import violations
from tests.web.test_comfort import CUT, HIDDEN

Sit = Callable[..., Sitting]
every_game = pytest.mark.parametrize("key", sorted(games()))
SIZES = [(600, 960), (768, 1024), (820, 1180), (1024, 768), (1080, 810), (1180, 820)]
# Each at least as wide and as high as the one before it.
WIDER = [(1024, 768), (1180, 768), (1180, 820), (1200, 820), (1280, 820), (1366, 820), (1380, 862), (1440, 900)]
WIDER += [(1440, 1024), (1600, 1024), (1920, 1080)]
MOMENTS = 4  # of a round, from its last move back to its first

# Until nothing has moved for some frames: sizes that follow from others are set a task later.
STILL = """() => new Promise(done => {
    const where = () => [...document.querySelectorAll('.shell *')].map(one => {
        const box = one.getBoundingClientRect();
        return `${box.x} ${box.y} ${box.width} ${box.height}`;
    }).join();
    let [before, same, frames] = ['', 0, 0];
    const look = () => {
        const now = where();
        same = now === before ? same + 1 : 0;
        before = now;
        if (same > 3 || ++frames > 120) done(null);
        else requestAnimationFrame(look);
    };
    look();
})"""
# A piece that leaves its player's place, the table or the tray; a name that is cut.
LOST = """() => {
    const inside = (a, b) =>
        a.left >= b.left - 2 && a.right <= b.right + 2 && a.top >= b.top - 2 && a.bottom <= b.bottom + 2;
    const pieces = [...document.querySelectorAll(':is(.mat, .hand-tray) [data-at]')].filter(one =>
        one.getBoundingClientRect().width && !inside(one.getBoundingClientRect(),
            one.closest('article, .mat, .hand-tray').getBoundingClientRect()));
    const names = [...document.querySelectorAll('.mat article :is(strong, strong :not(.vh))')].filter(one =>
        getComputedStyle(one).overflow !== 'visible' && one.scrollWidth > one.clientWidth + 1);
    return [...pieces.map(one => one.dataset.at), ...names.map(one => one.innerText)];
}"""

# How large a field of cells is at its shorter side; nothing where a game has none.
FIELD = """() => {
    const boxes = [...document.querySelectorAll('.mat [data-cell]')].map(one => one.getBoundingClientRect());
    const span = (from, to) => Math.max(...boxes.map(one => one[to])) - Math.min(...boxes.map(one => one[from]));
    return boxes.length ? Math.min(span('left', 'right'), span('top', 'bottom')) : 0;
}"""


def resize(me: Sitting, width: int, height: int) -> None:
    me.page.set_viewport_size({"width": width, "height": height})
    me.page.evaluate(STILL)


def faults(me: Sitting) -> list[str]:
    found = [*me.outside(), *me.collisions(), *me.narrow()]
    for question in (CUT, HIDDEN, LOST):
        found += me.page.evaluate(question)
    return [*found, "it scrolls"] if me.scrolls() else found


@every_game
def test_at_every_moment_everything_is_whole_and_in_its_place(sit: Sit, key: str) -> None:
    game = games()[key]
    for players in (game.players[0], game.players[-1]):
        me = sit(size=TABLET, locale="de-DE", seed=51)
        round_ = fullest(game, players, deals=2)
        rehearsal = Rehearsal(me, game, players)
        trays = defaultdict(set)
        moves = len(round_.moves)
        for back in range(1, moves + 1, max(1, moves // MOMENTS)):
            rehearsal.glance(round_.copy().undo(back))
            for size in SIZES:
                resize(me, *size)
                assert faults(me) == [], (players, size, back)
                trays[size].add(me.page.evaluate("Math.round(document.querySelector('.hand-tray').clientHeight)"))
        # A tray that grows with its sentence would move the table under the finger.
        assert {size: heights for size, heights in trays.items() if len(heights) > 1} == {}
        assert violations(me) == []
        resize(me, TABLET["width"], TABLET["height"])
        assert violations(me) == []


@every_game
def test_a_larger_window_has_no_smaller_field(sit: Sit, key: str) -> None:
    game = games()[key]
    me = sit(size=TABLET, seed=54)
    rehearsal = Rehearsal(me, game, game.players[-1])
    rehearsal.glance(Position.deal(game, game.players[-1], seed=0))
    most = 0.0
    for size in WIDER:
        resize(me, *size)
        field = me.page.evaluate(FIELD)
        assert field >= 0.93 * most, size
        most = max(most, field)


@every_game
def test_in_a_review_no_part_of_the_table_lies_over_another(sit: Sit, key: str) -> None:
    game = games()[key]
    me = sit(size=TABLET, locale="de-DE", seed=52)
    me.open()
    for players in (game.players[0], game.players[-1]):
        round_ = fullest(game, players, deals=1)
        kept = me.call("POST", "records", {"record": round_.record()})["id"]
        me.open(f"r/{kept}?move={len(round_.moves) * 2 // 3}")
        me.page.wait_for_selector("[data-step]")
        me.laid()
        for size in SIZES:
            resize(me, *size)
            assert [*me.collisions(), *me.page.evaluate(LOST)] == [], (players, size)
            assert not me.scrolls()
    me.faults[:] = [fault for fault in me.faults if "404" not in fault]  # a record that was brought has no table


# Faces that do not stand over the middle of their blocks.
AWRY = """() => [...document.querySelectorAll(".pod")].filter(one => {
    const [face, block] = [...one.children].map(part => part.getBoundingClientRect());
    return Math.abs(face.left + face.right - block.left - block.right) > 2;
}).map(one => one.innerText)"""


def test_a_result_shows_its_picture_whole_and_what_to_do_next(sit: Sit) -> None:
    me = sit(size=TABLET, locale="de-DE", seed=53)
    game = next(iter(games().values()))
    bots = [{"kind": "bot", "level": 1}] * (game.players[-1] - 1)
    me.go_to_table(me.make(game, seats=[{"kind": "me"}, *bots]))
    me.finish_match()
    for size in [*SIZES, *WIDER]:
        resize(me, *size)
        assert me.page.evaluate(AWRY) == [], size
        cut = me.page.locator(".post").evaluate("one => one.scrollHeight > one.clientHeight + 2")
        box = me.page.locator("[data-next]").bounding_box()
        assert not cut, size
        assert box and box["y"] + box["height"] <= size[1], size
        assert not me.scrolls()
