"""axe-core on every screen, both themes; sizes of text and targets; what the first load weighs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from foxrow.core.registry import games
from tests.web.sitting import PHONE, Sitting

Sit = Callable[..., Sitting]
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
PAGES = ["", "learn", "watch", "replays", "settings", "about", "fair", "shortcuts"]
themes = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def violations(person: Sitting) -> list[str]:
    person.page.evaluate(AXE.read_text())
    found = person.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:160]} {json.dumps(node['any'][:1])[:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@themes
def test_no_violations_on_the_pages(sit: Sit, dark: bool) -> None:
    for size in (None, PHONE):
        me = sit(dark=dark, size=size)
        for path in [*PAGES, *(f"{kind}/{key}" for key in games() for kind in ("rules", "strategy"))]:
            me.open(path)
            me.page.wait_for_timeout(200)
            assert violations(me) == [], path


@themes
@pytest.mark.parametrize("key", sorted(games()))
def test_no_violations_at_the_table(sit: Sit, key: str, dark: bool) -> None:
    me = sit(dark=dark, seed=11)
    waiting = me.make(games()[key], seats=[{"kind": "me"}, {"kind": "open"}])
    me.go_to_table(waiting)
    me.page.wait_for_selector(".share")
    assert violations(me) == []
    table = me.make(games()[key])
    me.go_to_table(table)
    assert me.turn()
    assert violations(me) == []
    me.choose()
    me.turn()
    assert violations(me) == []
    me.finish_match()
    assert violations(me) == []
    me.open(f"r/{table}")
    me.page.wait_for_selector("[data-step]")
    me.page.locator("[data-step]").click()
    me.page.wait_for_timeout(300)
    assert violations(me) == []


@pytest.mark.parametrize("key", sorted(games()))
def test_targets_are_large_enough_and_no_text_is_tiny(sit: Sit, key: str) -> None:
    me = sit(size=PHONE, seed=12)
    me.open()
    tiny = """() => [...document.querySelectorAll('body *')].filter(e => {
        const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        return text && e.getClientRects().length && !e.closest('.vh, svg, option')
            && parseFloat(getComputedStyle(e).fontSize) < 12; }).map(e => e.outerHTML.slice(0, 160))"""
    assert me.narrow() == []
    me.go_to_table(me.make(games()[key]))
    for _ in range(5):
        if not me.turn():
            break
        assert me.narrow() == []
        assert me.page.evaluate(tiny) == []
        me.choose()


def test_the_first_load_and_each_board_are_light() -> None:
    static = Path(str(files("foxrow.server") / "static"))
    scripts = {file.name: file.read_text() for file in (static / "assets").glob("*.js")}
    weight = {name: len(gzip.compress(text.encode(), 9)) for name, text in scripts.items()}

    def needs(name: str, seen: set[str]) -> set[str]:
        """What the browser fetches before a script runs: its static imports, and theirs."""
        if name not in seen:
            seen.add(name)
            for found in re.findall(r'(?:from|import)\s*"\./([\w.-]+\.js)"', scripts[name]):
                needs(found, seen)
        return seen

    entry = re.search(r'src="\./assets/([\w.-]+\.js)"', (static / "index.html").read_text())
    assert entry is not None
    first = needs(entry.group(1), set())
    languages = sorted((size for name, size in weight.items() if re.match(r"(en|fr|it|de)-", name)), reverse=True)
    total = sum(weight[name] for name in first) + sum(languages[: len(games()) + 1])
    assert total <= 90 * 1024, total
    table = needs(next(name for name in scripts if name.startswith("Table-")), set(first))
    for name in scripts:
        if name.startswith("play-"):
            extra = needs(name, set()) - table
            assert sum(weight[one] for one in extra) <= 40 * 1024, name
