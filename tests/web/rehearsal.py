"""A table that plays from prepared positions: the client and its pages come from the real server, and so does the table
it sits down at; once the round runs, its frames are written here. So a test can look at a full table without playing up
to it, and at the same moves as often as it likes."""

from __future__ import annotations

import json
import random
from typing import Any

from playwright.sync_api import WebSocketRoute

from foxrow.bots.simple import Greedy
from foxrow.core.contract import Game
from foxrow.core.position import Position
from tests.web.sitting import LAID, Sitting

SEAT = 0  # whose eyes the browser has
# To hand a frame into the page is work of Playwright's in the page. A socket of the browser's has none of it, so what
# the page does with the frame is a task of its own here, too.
DELIVERY = """{
  const Routed = window.WebSocket;
  window.WebSocket = class extends Routed {
    dispatchEvent(event) {
      setTimeout(() => super.dispatchEvent(event));
      return true;
    }
  };
}"""

# The list of moves follows the board, and comes in pieces.
LISTED = "[...document.querySelectorAll('.movelist [data-move]')].map(one => one.dataset.move).sort().join() === legal"
DRAWN = f"""([ply, legal]) => document.querySelector('.shell').dataset.ply.split('.')[1] === ply && {LAID} && {LISTED}
    && document.getAnimations().every(one => one.playState !== 'running')"""
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"


def fullest(game: Game, players: int, deals: int = 6) -> Position:
    """Of some rounds that the game's rule of thumb has played, the one that ends with the most on the table."""
    best: tuple[int, Position] | None = None
    for seed in range(deals):
        position = Position.deal(game, players, seed=seed)
        bot = Greedy(game.rules, seed)
        while not position.over:
            position.play_move(bot.choose(position.masked(position.to_act), game.rules.legal(position.state)).move)
        size = len(json.dumps(position.view(None)))
        if best is None or size > best[0]:
            best = (size, position)
    assert best is not None
    return best[1]


def lying(view: object, depth: int = 0) -> int:
    """How much lies on a table: what stands in lists of lists counts most (rows, lines, a grid)."""
    if isinstance(view, dict):
        return sum(lying(one, depth) for one in view.values())
    if isinstance(view, list):
        return sum(lying(one, depth + 1) for one in view)
    return 0 if view is None else int(8**depth)


def crowded(game: Game, players: int, moves: int, deals: int = 3) -> Position:
    """A round played by people who want nothing but a full table, up to so many moves after it was two thirds as full
    as it ever got: at Linko with five, more than sixty cards laid. They look one move further, whatever it is, because
    what a move costs is often settled by the next."""
    best: tuple[int, list[int], Position] | None = None
    for seed in range(deals):
        rng = random.Random(seed)
        position = Position.deal(game, players, seed=seed)

        def worth(move: int, position: Position = position, rng: random.Random = rng) -> tuple[bool, int, float]:
            after = position.copy()
            after.play_move(move)
            goes_on = not after.over
            if goes_on:
                after.play_move(rng.choice(list(game.rules.legal(after.state))))
            return goes_on, lying(after.view(None)), rng.random()

        sizes = []
        while not position.over:
            position.play_move(max(game.rules.legal(position.state), key=worth))
            sizes.append(lying(position.view(None)))
        if best is None or max(sizes) > best[0]:
            best = (max(sizes), sizes, position)
    assert best is not None
    most, sizes, position = best
    full = next(at for at, size in enumerate(sizes, 1) if 3 * size >= 2 * most)
    return position.undo(max(0, len(sizes) - full - moves))


class Rehearsal:
    """One person at a table of bots, and a script for it."""

    def __init__(self, person: Sitting, game: Game, players: int) -> None:
        self.person = person
        self.frozen = False
        self._line: WebSocketRoute | None = None
        self._seq = 10**6
        self.position: Position | None = None
        self._opening = False
        person.page.route_web_socket("**/socket", self._connect)
        person.page.add_init_script(DELIVERY)
        bots = [{"kind": "bot", "level": 1}] * (players - 1)
        person.go_to_table(person.make(game, seats=[{"kind": "me"}, *bots]))
        person.page.wait_for_selector(".movelist", state="attached")
        self.frozen = True

    def _connect(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self._line = route
        route.on_message(lambda text: self._asked(text) if self.frozen else server.send(text))
        server.on_message(lambda text: self._told(route, text))

    def _told(self, route: WebSocketRoute, text: str | bytes) -> None:
        frame = json.loads(text)
        if self._opening and frame["type"] == "welcome":
            self._opening = False
            self.frozen = True
            assert self.position is not None
            frame |= {"views": [self.position.view(SEAT)], "ply": len(self.position.moves), "entries": []}
            frame["seq"] = self._seq
            route.send(json.dumps(frame))
        elif not self.frozen:
            route.send(text)

    def _send(self, frame: dict[str, Any]) -> None:
        assert self._line is not None
        self._line.send(json.dumps(frame))

    def _asked(self, text: str | bytes) -> None:
        request = json.loads(text)
        if request["type"] == "ping":
            self._send({"type": "pong"})
        elif request["type"] == "move":
            self.play(request["text"], ref=request["ref"])

    def _update(self, entries: list[dict[str, Any]], **more: Any) -> None:
        assert self.position is not None
        self._seq += 1
        frame = {
            "type": "update",
            "seq": self._seq,
            "entries": entries,
            "round": 0,
            "ply": len(self.position.moves),
            "views": [self.position.view(SEAT)],
            **{key: value for key, value in more.items() if value is not None},
        }
        self._send(frame)

    def leave(self, position: Position) -> None:
        """Goes to the home page without loading anything anew; back at the table, this position is the first."""
        self.position = position
        self.frozen, self._opening = False, True
        self.person.page.evaluate("document.querySelector('.bar a').click()")
        self.person.page.wait_for_selector("footer", state="attached")
        self.settle()

    def come_back(self) -> None:
        self.person.page.evaluate("history.back()")
        self._opened()

    def open(self, position: Position, pause: int) -> None:
        """Loads the page anew, and the first thing it hears of is this position; meanwhile nobody looks, because
        looking is work for the page, too."""
        self.position = position
        self.frozen, self._opening = False, True
        self.person.page.reload()
        self.settle(pause)

    def _opened(self) -> None:
        self.person.laid()
        self.settle()

    def show(self, position: Position) -> None:
        """Jumps to a position, without a move."""
        self.position = position
        self._update([])
        self.settle()

    def glance(self, position: Position) -> None:
        """As `show`, for somebody without animations: until the page has drawn it, and no longer."""
        self.position = position
        self._update([])
        view = position.view(SEAT)
        legal = sorted(view["legal"]) if view["to_act"] == SEAT else []
        self.person.page.wait_for_function(DRAWN, arg=[str(len(position.moves)), ",".join(legal)])
        self.person.page.evaluate(FRAMES)

    def play(self, move: str, ref: str | None = None) -> None:
        """One move arrives, as the server would tell it."""
        assert self.position is not None
        seat, ply = self.position.to_act, len(self.position.moves)
        self.position.play(move)
        entry = {"kind": "moved", "seq": self._seq + 1, "at": 0, "round": 0, "ply": ply, "seat": seat, "text": move}
        self._update([{**entry, "by": "person"}], ref=ref)

    def end(self) -> None:
        """The page's next table is the server's again."""
        self.person.page.goto("about:blank")
        self.frozen = False

    def settle(self, pause: int = 350) -> None:
        """Until the page has drawn and its animations are over."""
        self.person.page.wait_for_timeout(pause)
