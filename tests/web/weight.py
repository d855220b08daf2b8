"""How long the page is busy with a move, by the browser's own trace.

What counts is the processor time of the longest single task on the page's main thread: unlike its length on the clock
it says the same on a busy machine. `python -m tests.web.weight` prints it for the fullest tables of every game;
`python -m tests.web.weight --throttled` slows the browser down for real and prints its long tasks by the clock, which
wants a machine with nothing else to do. Keys of games after it: only these.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from foxrow.core.position import Position
from foxrow.core.registry import games
from tests.web.browser import FLAGS, found
from tests.web.host import Host
from tests.web.rehearsal import SEAT, Rehearsal, crowded
from tests.web.sitting import DESK, PHONE, Sitting

SLOWDOWN = 4  # a phone, against the machine at hand
LONG = 50.0  # milliseconds: a task that a finger notices
MARK = "step "
# The yardstick: one task that lays out so many plain buttons. On the machine where the boards were tuned that is
# LONG / SLOWDOWN milliseconds of processor time.
BUTTONS = 420
YARDSTICK = """n => {
  const box = document.createElement('div');
  box.style.cssText = 'position: fixed; inset: 0; overflow: hidden; visibility: hidden';
  for (let i = 0; i < n; i++) {
    const button = document.createElement('button');
    button.className = 'btn';
    button.append(document.createElement('span'));
    button.firstChild.textContent = `${i} of ${n}`;
    box.append(button);
  }
  document.body.append(box);
  const high = box.scrollHeight;
  box.remove();
  return high;
}"""
# Not by Playwright's waiting, whose own script is a long task in the page.
CLICK = """async button => {
  let found;
  while (!(found = document.querySelector(button))) await new Promise(then => setTimeout(then, 20));
  setTimeout(() => found.click());
}"""


def busy(trace: dict[str, Any]) -> dict[str, float]:
    """The longest task between each mark and the next, in milliseconds of processor time."""
    events: list[dict[str, Any]] = trace["traceEvents"]
    work = Counter((one["pid"], one["tid"]) for one in events if one.get("name") == "UpdateLayoutTree")
    main = work.most_common(1)[0][0]
    on_main = [one for one in events if (one.get("pid"), one.get("tid")) == main]
    tasks = [(one["ts"], one.get("tdur", 0) / 1000) for one in on_main if one.get("name", "").endswith("RunTask")]
    marks = sorted((one["ts"], one["name"]) for one in on_main if one.get("name", "").startswith(MARK))
    ends = pairwise([*marks, (float("inf"), "")])
    return {name: max((ms for ts, ms in tasks if at <= ts < end), default=0.0) for (at, name), (end, _) in ends}


class Scale:
    """A browser's page at a full table, on which moves are weighed."""

    def __init__(self, browser: Browser, person: Sitting, round_: Position, last: int) -> None:
        self.browser = browser
        self.person = person
        self.round = round_
        self.moves = round_.moves[-last:]
        self.start = round_.copy().undo(last)
        self.rehearsal = Rehearsal(person, round_.game, round_.players)

    def _mark(self, name: str) -> None:
        self.person.page.evaluate("name => performance.mark(name)", MARK + name)

    def take(self) -> dict[str, float]:
        """Opening the table, and the last moves of the round once more: what each cost, and the yardstick ("")."""
        show, page = self.rehearsal, self.person.page
        show.leave(self.start.copy())
        self.browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline", "blink.user_timing"])
        self._mark("open")
        show.come_back()
        show.settle(1000)
        self._mark("")
        page.evaluate(YARDSTICK, BUTTONS)
        show.settle(100)
        self.play(450)
        self._mark("end")
        found = busy(json.loads(self.browser.stop_tracing()))
        found.pop(f"{MARK}end")
        return {name.removeprefix(MARK): ms for name, ms in found.items()}

    def play(self, pause: int) -> None:
        """The last moves of the round."""
        show, page = self.rehearsal, self.person.page
        for number, move in enumerate(self.moves):
            self._mark(f"{number} {move}")
            assert show.position is not None
            if show.position.to_act == SEAT:
                # By the list of moves, without the pointer's own events: the whole way of an own move.
                page.evaluate(CLICK, f'.movelist button[data-move="{move}"][aria-disabled=false]')
            else:
                show.play(move)
            show.settle(pause)


def best(takes: list[dict[str, float]]) -> dict[str, float]:
    """Of each step the least that it ever cost: what it needs, without what disturbed it."""
    return {name: min(take[name] for take in takes) for name in takes[0]}


LONG_TASKS = """new PerformanceObserver(seen => (window.long ??= []).push(...seen.getEntries())).observe(
  {type: 'longtask', buffered: true})"""
# Before its document is read no script of the page has run: what is long then is the browser's change of pages, with
# the scripts that Playwright puts into the new one. It is named, and not counted.
NAVIGATION = "navigation"
SEEN = """() => {
  const marks = performance.getEntriesByType('mark');
  const [{domInteractive}] = performance.getEntriesByType('navigation');
  const step = at => at < domInteractive ? 'navigation' : (marks.findLast(one => one.startTime <= at)?.name ?? '');
  const seen = (window.long ?? []).map(one => [one.duration, step(one.startTime), one.startTime]);
  window.long = [];
  return seen;
}"""
Long = tuple[float, str, float]


def throttled(scale: Scale) -> tuple[list[Long], list[Long]]:
    """The browser's own long tasks on a processor so many times slower, by the clock: while the page with the full
    table opens, and while the last moves are made on it. Each with the step it fell into, and when it began."""
    page = scale.person.page
    session = scale.person.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    scale.rehearsal.open(scale.start.copy(), 6000)

    def seen() -> list[Long]:
        return [(ms, step.removeprefix(MARK), at) for ms, step, at in page.evaluate(SEEN)]

    opening = seen()
    scale.play(900)
    moves = seen()
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return opening, moves


def main() -> int:
    by_clock = "--throttled" in sys.argv
    wanted = [one for one in games().values() if one.key in sys.argv] or list(games().values())
    with tempfile.TemporaryDirectory() as data, Host(Path(data)) as host, sync_playwright() as driver:
        host.rest()
        browser = driver.chromium.launch(args=list(FLAGS), executable_path=found())
        for game in wanted:
            round_ = crowded(game, game.players[-1], 24)
            for size in (DESK, PHONE):
                person = Sitting(browser, host.address, size=size, motion=True)
                scale = Scale(browser, person, round_, 24)
                name = f"{game.key}, {round_.players} players, {size['width']}x{size['height']}"
                if by_clock:
                    person.page.add_init_script(LONG_TASKS)
                    for _ in range(3):
                        opening, moves = throttled(scale)
                        print(f"{name}: opening {told(opening)}; {len(scale.moves)} moves {told(moves)}", flush=True)
                else:
                    print(f"{name}: {weighed(scale)}", flush=True)
                person.context.close()
        browser.close()
    return 0


def told(tasks: list[Long]) -> str:
    longest = ", ".join(f"{ms:.0f} ({step or f'{at / 1000:.2f} s'})" for ms, step, at in sorted(tasks)[:-6:-1])
    return f"{sum(step != NAVIGATION for _, step, _ in tasks)} long tasks{longest and ': ' + longest}"


def weighed(scale: Scale) -> str:
    costs = best([scale.take() for _ in range(3)])
    yardstick = costs.pop("")
    worst = max(costs, key=costs.__getitem__)
    long = sum(ms * SLOWDOWN > LONG for ms in costs.values())
    return (
        f"longest task {costs[worst]:.1f} ms ({worst}), x{SLOWDOWN} = {costs[worst] * SLOWDOWN:.0f} ms;"
        f" {long} of {len(costs)} steps over {LONG:.0f} ms; yardstick {yardstick:.1f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
