"""One person in front of a browser, for any game: makes tables, plays through the list of moves, reads the screen."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from foxrow.core.contract import Game

PHONE = {"width": 360, "height": 640}
SMALLEST = {"width": 320, "height": 568}
DESK = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}
TURNED = {"width": 1024, "height": 768}
MOVE = ".movelist button[data-move][aria-disabled=false]"
# On the board: what makes a move, or is a step towards one.
HANDS = ":is(.mat, .hand-tray) [data-{}]:not([aria-disabled=true]):visible"
# The table shows when the whole of it is there; a long list of moves comes in pieces.
LAID = """document.querySelector('.mat:not([aria-busy])')
    && !document.querySelector('.coming, .movelist[aria-busy="true"]')"""
# What happens next at a table, asked in one breath: a match has hundreds of moves, and every question takes its time.
HAPPENS = f"""move => document.querySelector('[data-curtain]') ? 'curtain'
    : document.querySelector(move) ? {LAID} && 'turn'
    : document.querySelector('[data-result], [data-next]') && 'over'"""
# What a browser says by itself when the network is cut, which some tests do on purpose.
CUT = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_CONNECTION_REFUSED", "WebSocket connection to")


class Sitting:
    def __init__(
        self,
        browser: Browser,
        address: str,
        size: dict[str, int] | None = None,
        dark: bool = False,
        locale: str = "en-GB",
        seed: int = 1,
        motion: bool = False,
        cuts: bool = False,
        tips: bool = False,
    ) -> None:
        self.address = address
        self.faults: list[str] = []
        self.cuts = cuts
        self.rng = random.Random(seed)
        self.size = size or DESK
        width, height = self.size["width"], self.size["height"]
        self.touch = width < 1100
        # Moves and log come from below, opened by tools: where there is no room beside the table (rooms.css).
        self.sheets = width < (960 if width > height >= 560 else 1100)
        self.context = browser.new_context(
            viewport=self.size,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            locale=locale,
            has_touch=self.touch,
            reduced_motion="no-preference" if motion else "reduce",
            accept_downloads=True,
        )
        if not tips:
            self.context.add_init_script("localStorage.setItem('foxrow:tips', 'off')")
        self.context.set_default_timeout(120_000)  # a first start compiles the rules, and the machine may be busy
        self.page: Page = self.context.new_page()
        self._watch(self.page)

    def _watch(self, page: Page) -> None:
        host = urlsplit(self.address).netloc

        def note(fault: str) -> None:
            if not (self.cuts and any(word in fault for word in CUT)):
                self.faults.append(fault)

        page.on("console", lambda said: note(f"console: {said.text}") if said.type == "error" else None)
        page.on("pageerror", lambda error: note(f"error: {error}"))
        page.on("request", lambda sent: self._same_host(sent.url, host))
        page.on("response", lambda got: note(f"{got.status}: {got.url}") if got.status >= 400 else None)

    def _same_host(self, url: str, host: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != host:
            self.faults.append(f"another host: {url}")

    def open(self, path: str = "") -> None:
        self.page.goto(self.address + path)
        self.page.wait_for_selector("#main, .mat, .home")

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """An API call with this person's cookie."""
        answer = self.context.request.fetch(
            f"{self.address}api/{path}",
            method=method,
            headers={"Origin": self.address.rstrip("/")},
            data=body,
        )
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json()

    def make(self, game: Game, seats: list[dict[str, Any]] | None = None, **wanted: Any) -> str:
        """A short table: me against one bot, the shortest match the game knows."""
        body: dict[str, Any] = {"game": game.key, "seats": seats or [{"kind": "me"}, {"kind": "bot", "level": 1}]}
        if game.match.setting:
            body["match"] = max(game.match.low, 0)
        return str(self.call("POST", "tables", {**body, **wanted})["id"])

    def go_to_table(self, table: str) -> None:
        self.open(f"t/{table}")

    @property
    def status(self) -> str:
        return self.page.locator(".shell").get_attribute("data-status") or ""

    @property
    def moves(self) -> Locator:
        return self.page.locator(MOVE)

    @property
    def sentence(self) -> str:
        return self.page.locator(".ask").first.inner_text()

    def turn(self, patience: float = 240.0) -> bool:
        """Waits until it is my turn (true) or the round is over (false)."""
        while True:
            try:
                found = self.page.wait_for_function(HAPPENS, arg=MOVE, timeout=1000 * patience).json_value()
            except TimeoutError:
                said = self.page.locator("body").inner_text()[:400]
                raise AssertionError(f"nothing happens: {self.status!r}, {said!r}") from None
            if found != "curtain":
                return bool(found == "turn")
            self.page.locator("[data-curtain]").click()

    def laid(self) -> None:
        """The table shows when the whole of it is there."""
        self.page.wait_for_function(f"() => {LAID}")

    def legal(self) -> list[str]:
        """The moves on the list, as it stands."""
        found: list[str] = self.moves.evaluate_all("all => all.map(one => one.dataset.move)")
        return found

    def choose(self, move: str | None = None) -> str:
        """Makes a move through the list of moves: this one, or any."""
        wanted = move or self.rng.choice(self.legal())
        ply = self.page.locator(".shell").get_attribute("data-ply")
        button = self.page.locator(f'.movelist button[data-move="{wanted}"]')
        if self.sheets:
            self.page.locator("[data-open-moves]").tap()
        group = self.page.locator(f'.movelist details:not([open]):has(button[data-move="{wanted}"]) > summary')
        if group.count():
            group.click()
        self.press(button)
        self._moved(ply)
        return wanted

    def press(self, target: Locator) -> None:
        """A finger or the mouse, whichever this person has; it must be in sight and in nothing's shadow."""
        if self.touch:
            target.tap()
        else:
            target.click()

    def drag(self, piece: Locator, place: Locator) -> None:
        """By the mouse, or by a finger that stays on the glass."""
        ends = [piece.bounding_box(), place.bounding_box()]
        (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends if box]
        way = [(x + (to_x - x) * i / 6, y + (to_y - y) * i / 6) for i in range(7)]
        if not self.touch:
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            for point in way:
                self.page.mouse.move(*point)
            self.page.mouse.up()
            return
        glass = self.context.new_cdp_session(self.page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            where = [{"x": x, "y": y} for x, y in points]
            glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

        touch("touchStart", way[0])
        for point in way:
            touch("touchMove", point)
        touch("touchEnd")

    def _moved(self, before: str | None) -> None:
        """The position changes when the move is on disk and the new view is here."""
        self.page.wait_for_function(
            """before => document.querySelector('.shell').dataset.ply !== before
                || document.querySelector('[data-result], [data-curtain]')""",
            arg=before,
            timeout=60_000,
        )

    def lay_hands_on(self) -> str:
        """Makes a move on the board itself: picks what can be picked, and sooner or later what makes a move."""
        ply = self.page.locator(".shell").get_attribute("data-ply")
        for _ in range(60):
            moves, picks = self.page.locator(HANDS.format("move")), self.page.locator(HANDS.format("pick"))
            moving = moves.count()
            if moving and (self.rng.random() < 0.6 or not picks.count()):
                target = moves.nth(self.rng.randrange(moving))
                made = target.get_attribute("data-move") or ""
                self.press(target)
                self._moved(ply)
                return made
            self.press(picks.nth(self.rng.randrange(picks.count())))
        raise AssertionError(f"no move was found on the board: {self.sentence!r}")

    def finish_round(self, limit: int = 400, move: Callable[[], object] | None = None) -> int:
        """Plays to the end of the round; how many moves were mine."""
        for count in range(limit):
            if not self.turn():
                return count
            (move or self.choose)()
        raise AssertionError("the round does not end")

    def finish_match(self, move: Callable[[], object] | None = None) -> None:
        for _ in range(40):
            self.finish_round(move=move)
            if self.page.locator("[data-result]").count():
                self.press(self.page.locator("[data-result]"))
            expect(self.page.locator(".result")).to_be_visible()
            if self.status == "over":
                return
            self.press(self.page.locator("[data-next]"))
            self.page.wait_for_selector(".result", state="detached")
        raise AssertionError("the match does not end")

    def tab_to(self, selector: str, limit: int = 200) -> None:
        """By the Tab key alone."""
        self.page.wait_for_selector(selector)
        for _ in range(limit):
            if self.page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {selector}")

    def outside(self) -> list[str]:
        """What can be touched on the table but is not whole in the window, by its words, in what is painted next: sizes
        that follow from others are set just before that."""
        found: list[str] = self.page.evaluate(
            """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
            [...document.querySelectorAll(':is(.mat, .hand-tray) button')].filter(one => {
                const box = one.getBoundingClientRect();
                return box.width && (box.left < -1 || box.right > innerWidth + 1
                    || box.top < -1 || box.bottom > innerHeight + 1);
            }).map(one => one.ariaLabel || one.innerText))"""
        )
        return found

    def narrow(self, least: int = 44) -> list[str]:
        """What can be pressed and is too small for a finger; what is drawn around a target to widen it counts."""
        found: list[str] = self.page.evaluate(
            """(least) => [...document.querySelectorAll("button:not(:disabled), a[href], select, input, [data-cell]")]
                .filter((target) => target.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
                .filter((target) => !target.closest("[inert], .vh, p"))
                .flatMap((target) => {
                    const box = target.getBoundingClientRect();
                    const wider = ["::before", "::after"].map((part) => getComputedStyle(target, part));
                    const size = (side) =>
                        Math.max(box[side], ...wider.map((style) => parseFloat(style[side]) || 0));
                    const [width, height] = [size("width"), size("height")];
                    return width >= least - 0.5 && height >= least - 0.5
                        ? [] : [`${target.outerHTML.slice(0, 80)}: ${width} × ${height}`];
                })""",
            least,
        )
        return found

    def collisions(self) -> list[str]:
        """Areas of the table that lie over each other, and what stands over the sentence."""
        found: list[str] = self.page.evaluate(
            """() => {
            const flows = one => !/absolute|fixed/.test(getComputedStyle(one).position);
            const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
            const parts = one =>
                getComputedStyle(one).display === 'contents' ? [...one.children].flatMap(parts) : [one];
            const all = [...document.querySelectorAll('.mat > *, .hand-tray')].flatMap(parts).filter(flows)
                .map(one => [one.className, one.getBoundingClientRect()]);
            const areas = all.flatMap(([a, box], i) => all.slice(i + 1)
                .filter(([, other]) => meet(box, other)).map(([b]) => `${a} and ${b}`));
            const said = document.querySelector('.ask > span:last-child').getBoundingClientRect();
            const over = [...document.querySelectorAll('.hand-tray button')]
                .filter(one => !one.matches('.toast') && meet(said, one.getBoundingClientRect()))
                .map(one => `${one.ariaLabel || one.innerText} over the sentence`);
            const tall = [...document.querySelectorAll('.mat')].filter(one => one.scrollHeight > one.clientHeight + 2);
            return [...areas, ...over, ...tall.map(() => 'more than the mat holds')];
        }"""
        )
        return found

    def scrolls(self) -> bool:
        return bool(
            self.page.evaluate(
                """document.documentElement.scrollHeight > innerHeight + 1
                || document.documentElement.scrollWidth > innerWidth + 1"""
            )
        )
