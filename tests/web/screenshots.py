"""Pictures of every screen: `python -m tests.web.screenshots [FOLDER]` (default build/screenshots).

Phone, small phone and desktop, light and dark; each game at its moments, told apart by the view's phase. To be looked
at beside the mock-ups.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from foxrow.core.contract import Game
from foxrow.core.registry import games
from tests.web.browser import FLAGS, found
from tests.web.host import Host
from tests.web.sitting import DESK, PHONE, Sitting

SIZES = {"desktop": DESK, "phone": {"width": 390, "height": 844}, "compact": PHONE}
PAGES = ["", "learn", "watch", "replays", "settings", "about", "fair", "shortcuts"]
MOMENTS = (0, 2, 6, 12)  # own moves after which a table is pictured
LEVEL = 2


def shoot(person: Sitting, folder: Path, name: str) -> None:
    person.page.wait_for_timeout(500)
    person.page.screenshot(path=folder / f"{name}.png")
    print(f"  {name}", flush=True)


def table(person: Sitting, game: Game, players: int, folder: Path, tail: str) -> None:
    """One match from the waiting room to the review."""
    level = {"kind": "bot", "level": LEVEL}
    waiting = person.make(game, seats=[{"kind": "me"}, {"kind": "open"}, *[level] * (players - 2)])
    person.go_to_table(waiting)
    person.page.wait_for_selector(".share")
    shoot(person, folder, f"{game.key}-{players}-waiting-{tail}")
    finished = person.make(game, seats=[{"kind": "me"}, *[level] * (players - 1)])
    person.go_to_table(finished)
    phases: set[str] = set()
    for count in range(400):
        if not person.turn():
            break
        kinds = "+".join(sorted({(one.get_attribute("data-move") or "").split()[0][:1] for one in person.moves.all()}))
        if count in MOMENTS or (kinds not in phases and len(phases) < 6):
            phases.add(kinds)
            shoot(person, folder, f"{game.key}-{players}-move{count:02}-{tail}")
        if count == 2 and person.touch:
            person.page.locator("[data-open-moves]").tap()
            shoot(person, folder, f"{game.key}-{players}-moves-{tail}")
            person.page.keyboard.press("Escape")
        person.choose()
    shoot(person, folder, f"{game.key}-{players}-end-{tail}")
    if person.page.locator("[data-result]").count():
        person.page.locator("[data-result]").click()
    shoot(person, folder, f"{game.key}-{players}-result-{tail}")
    if person.status == "over":
        person.open(f"r/{finished}?move=9")
        person.page.wait_for_selector("[data-step]")
        shoot(person, folder, f"{game.key}-{players}-review-{tail}")


def every(browser: Browser, address: str, folder: Path) -> None:
    for size, box in SIZES.items():
        for dark in (False, True):
            tail = f"{size}-{'dark' if dark else 'light'}"
            print(tail, flush=True)
            person = Sitting(browser, address, size=box, dark=dark, seed=5)
            person.open()
            person.page.evaluate("localStorage.setItem('foxrow:tips', 'off')")
            for path in [*PAGES, *(f"rules/{key}" for key in games())]:
                person.open(path)
                shoot(person, folder, f"{(path or 'home').replace('/', '-')}-{tail}")
            person.open()
            person.page.locator(".fr .btn.world").click()
            shoot(person, folder, f"make-{tail}")
            for game in games().values():
                for players in sorted({game.players[0], game.players[-1], min(4, game.players[-1])}):
                    table(person, game, players, folder, tail)
            person.context.close()


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "build/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, Host(Path(data)) as host, sync_playwright() as driver:
        path = found()
        browser = driver.chromium.launch(args=list(FLAGS), executable_path=path)
        every(browser, host.address, folder)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
