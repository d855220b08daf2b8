"""How long the page is busy with a move, by the browser's own trace.

What counts is the processor time of the longest single task on the page's main thread: unlike its length on the clock
it says the same on a busy machine. `python -m tests.web.weight` prints it for the fullest tables of every game;
`python -m tests.web.weight --throttled` slows the browser down for real and prints its long tasks by the clock, each
with the processor time in it: the rest is time in which the page waited for the processor. Whatever else runs on the
machine waits meanwhile, as far as we may say so (Linux, root); what its host gives to others is printed as stolen.
Keys of games after it: only these.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
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
FIRST = -20  # the least nice
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


Event = dict[str, Any]


def main_thread(trace: dict[str, Any]) -> list[Event]:
    """What happened on the page's main thread: the one that our marks are on."""
    events: list[Event] = trace["traceEvents"]
    marks = Counter((one["pid"], one["tid"]) for one in events if one.get("name", "").startswith(MARK))
    main = marks.most_common(1)[0][0]
    return [one for one in events if (one.get("pid"), one.get("tid")) == main]


def busy(trace: dict[str, Any]) -> dict[str, float]:
    """The longest task between each mark and the next, in milliseconds of processor time."""
    on_main = main_thread(trace)
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
NEAR = 8.0  # milliseconds that the browser's word of a task and the trace's may differ by
SEEN = """() => {
  const marks = performance.getEntriesByType('mark');
  const [{domInteractive}] = performance.getEntriesByType('navigation');
  const step = at => at < domInteractive ? 'navigation' : (marks.findLast(one => one.startTime <= at)?.name ?? '');
  const seen = (window.long ?? []).map(one => [one.duration, step(one.startTime), one.startTime]);
  window.long = [];
  return [seen, marks.map(one => [one.name, one.startTime])];
}"""


@dataclass(frozen=True)
class Long:
    """A task that the browser itself calls long."""

    ms: float  # by the clock
    step: str  # the move it fell into, or nothing: the page was opening
    at: float  # milliseconds since the page began
    worked: float | None  # milliseconds of processor time in it; None: the trace has no such task

    def __str__(self) -> str:
        worked = "not in the trace" if self.worked is None else f"{self.worked:.0f} of the processor"
        return f"{self.ms:.0f} ({self.step or f'{self.at / 1000:.2f} s'}, {worked})"


@dataclass(frozen=True)
class Take:
    opening: list[Long]
    moves: list[Long]
    longest: Long  # of the tasks of the moves, long or not
    stolen: float  # the share of the processor time asked for that the host gave to others
    first: bool  # whether the browser came before others

    def __str__(self) -> str:
        amid = "" if self.first else ", others may have disturbed (no right to come first)"
        return (
            f"opening {told(self.opening)}; moves {told(self.moves)}, longest {self.longest};"
            f" {100 * self.stolen:.0f} % stolen{amid}"
        )


def ticks() -> tuple[int, int]:
    """Processor time asked for since the machine started, and what of it was stolen."""
    user, nice, system, _, _, irq, soft, steal = map(int, Path("/proc/stat").read_text().split(maxsplit=9)[1:9])
    return user + nice + system + irq + soft + steal, steal


def throttled(scale: Scale) -> Take:
    """The browser's own long tasks on a processor so many times slower, by the clock: while the page with the full
    table opens, and while the last moves are made on it."""
    page = scale.person.page
    session = scale.person.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    first = foremost(scale.browser)
    asked, stolen = ticks()
    # Only the outline of each task: a full trace is work, too.
    scale.browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
    scale.rehearsal.open(scale.start.copy(), 6000)
    opening, _ = page.evaluate(SEEN)
    # The page before this one, of the last take, is not to be swept during its moves.
    session.send("HeapProfiler.collectGarbage")
    scale.play(900)
    moves, marks = page.evaluate(SEEN)
    trace = main_thread(json.loads(scale.browser.stop_tracing()))
    asked, stolen = ticks()[0] - asked, ticks()[1] - stolen
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    # The page's clock and the trace's, by a mark that both know.
    name, began = marks[-1]
    ahead = next(one["ts"] for one in trace if one.get("name") == name) / 1000 - began
    tasks = [
        (one["ts"] / 1000 - ahead, one["dur"] / 1000, one.get("tdur", 0) / 1000)
        for one in trace
        if one.get("name", "").endswith("RunTask") and "dur" in one
    ]

    def known(ms: float, step: str, at: float, worked: float | None = None) -> Long:
        if worked is None:
            alike = [(lasts, work) for since, lasts, work in tasks if since < at + ms and at < since + lasts]
            lasts, worked = max(alike, default=(0.0, None))
            worked = worked if lasts > ms - NEAR else None
        return Long(ms, step.removeprefix(MARK), at, worked)

    # Cleaning up memory while the page is idle belongs to no page, and is no long task to the browser: not ours either.
    seen = {round(at) for _, _, at in moves}
    at, ms, worked = max(
        (one for one in tasks if one[0] >= marks[0][1] and (one[1] < LONG or round(one[0]) in seen)),
        key=lambda one: one[1],
    )
    step = next(str(name) for name, since in reversed(marks) if since <= at)
    return Take(
        [known(*one) for one in opening],
        [known(*one) for one in moves],
        known(ms, step, at, worked),
        stolen / asked,
        first,
    )


def foremost(browser: Browser) -> bool:
    """The browser comes before all else on the machine, and in it the pages' main threads with those that slow them
    down: for the rest (drawing, the server) a phone has further cores, or another machine. Whether we may say so.

    By niceness, not by real-time scheduling: of every second the kernel keeps 50 ms for those that a real-time thread
    holds up, whether or not its limit is lifted, and takes them at once. The browser is a session of its own, so its
    niceness as a group ends with it."""
    try:
        for one in browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]:
            process = Path(f"/proc/{one['id']}")
            if (group := process / "autogroup").exists():
                group.write_text(str(FIRST))
            for thread in (process / "task").iterdir() if one["type"] == "renderer" else ():
                if thread.name == process.name or "hrottl" in (thread / "comm").read_text():
                    os.setpriority(os.PRIO_PROCESS, int(thread.name), FIRST)
    except OSError:  # no Linux, or no right
        return False
    return True


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
                        print(f"{name}: {throttled(scale)}", flush=True)
                else:
                    print(f"{name}: {weighed(scale)}", flush=True)
                person.context.close()
        browser.close()
    return 0


def told(tasks: list[Long]) -> str:
    longest = ", ".join(str(one) for one in sorted(tasks, key=lambda one: -one.ms)[:5])
    return f"{sum(one.step != NAVIGATION for one in tasks)} long tasks{longest and ': ' + longest}"


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
