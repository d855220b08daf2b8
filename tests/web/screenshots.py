"""Pictures of every screen: `python -m tests.web.screenshots [FOLDER]` (default build/screenshots).

Phone, small phone, tablet both ways and desktop, light and dark; each game at its moments, told apart by the view's
phase, with every number of players. To be looked at beside the mock-ups. `--only desktop-light` (or another) takes one
kind alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from foxrow.core.contract import Game
from foxrow.core.position import Position
from foxrow.core.registry import games
from tests.web.browser import FLAGS, found
from tests.web.host import Host
from tests.web.rehearsal import SEAT, Rehearsal, fullest
from tests.web.sitting import DESK, HANDS, PHONE, TABLET, TURNED, Sitting

SIZES = {
    "desktop": DESK,
    "tablet": TABLET,
    "turned": TURNED,
    "phone": {"width": 390, "height": 844},
    "compact": PHONE,
}
PAGES = ["", "learn", "watch", "replays", "settings", "about", "fair", "shortcuts"]
LEVEL = 2


def shoot(person: Sitting, folder: Path, name: str) -> None:
    person.page.wait_for_timeout(500)
    person.page.screenshot(path=folder / f"{name}.png")
    print(f"  {name}", flush=True)


def moments(round_: Position) -> Iterator[tuple[str, Position]]:
    """The first position, the fullest, and of each phase one from the middle of the round: mine to act, and not."""
    moves = len(round_.moves)
    yield "first", round_.copy().undo(moves)
    seen = set()
    for ply in range(moves // 3, moves):
        position = round_.copy().undo(moves - ply)
        whose = "mine" if position.to_act == SEAT else "theirs"
        moment = f"{position.phase}-{whose}"
        if moment not in seen:
            seen.add(moment)
            yield moment, position
    late = next((ply for ply in range(moves - 1, 0, -1) if round_.copy().undo(moves - ply).to_act == SEAT), None)
    if late is not None:
        yield "late", round_.copy().undo(moves - late)


def table(person: Sitting, game: Game, players: int, folder: Path, tail: str) -> None:
    """The waiting room, then every phase of a round that the rule of thumb has played."""
    level = {"kind": "bot", "level": LEVEL}
    name = f"{game.key}-{players}"
    waiting = person.make(game, seats=[{"kind": "me"}, {"kind": "open"}, *[level] * (players - 2)])
    person.go_to_table(waiting)
    person.page.wait_for_selector(".share")
    shoot(person, folder, f"{name}-waiting-{tail}")
    rehearsal = Rehearsal(person, game, players)
    for moment, position in moments(fullest(game, players, deals=2)):
        rehearsal.show(position)
        shoot(person, folder, f"{name}-{moment}-{tail}")
        pick = person.page.locator(HANDS.format("pick"))
        if moment.endswith("mine") and pick.count():
            person.press(pick.nth(pick.count() // 2))
            shoot(person, folder, f"{name}-{moment}-picked-{tail}")
        if moment == "first" and person.sheets:
            person.page.locator("[data-open-moves]").tap()
            shoot(person, folder, f"{name}-moves-{tail}")
            person.page.keyboard.press("Escape")
            person.page.evaluate("document.activeElement.blur()")  # no ring of a keyboard that a phone has not
    rehearsal.end()


def ending(person: Sitting, game: Game, folder: Path, tail: str) -> None:
    """A real match to its end, its result and its review from both sides."""
    finished = person.make(game)
    person.go_to_table(finished)
    person.finish_round()
    shoot(person, folder, f"{game.key}-end-{tail}")
    person.page.locator("[data-result]").click()
    shoot(person, folder, f"{game.key}-result-{tail}")
    if person.status != "over":
        person.page.locator("[data-next]").click()
        person.page.wait_for_selector(".result", state="detached")
        person.finish_match()
    person.open(f"r/{finished}?move=9")
    person.page.wait_for_selector("[data-step]")
    shoot(person, folder, f"{game.key}-review-mine-{tail}")
    person.page.locator(".eyes button:last-child").click()
    shoot(person, folder, f"{game.key}-review-open-{tail}")


def every(browser: Browser, address: str, folder: Path, only: str) -> None:
    for size, box in SIZES.items():
        for dark in (False, True):
            tail = f"{size}-{'dark' if dark else 'light'}"
            if only not in ("", tail):
                continue
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
                for players in game.players:
                    if not dark or players == game.players[-1]:  # the dark has no shapes of its own
                        table(person, game, players, folder, tail)
                ending(person, game, folder, tail)
            person.context.close()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.screenshots")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/screenshots"))
    parser.add_argument("--only", default="")
    wanted = parser.parse_args(arguments)
    folder: Path = wanted.folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, Host(Path(data)) as host, sync_playwright() as driver:
        path = found()
        browser = driver.chromium.launch(args=list(FLAGS), executable_path=path)
        every(browser, host.address, folder, wanted.only)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
