"""Bots that learned a game: the net alone, and the net inside a search. Without good weights, plain search plays."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foxrow.bots.protocol import Bot, Budget, Choice, Reason
from foxrow.bots.searching import Searching
from foxrow.core.contract import Game
from foxrow.core.record import View
from foxrow.core.rules import Tell
from foxrow.nets.play import Net, pick, temperature
from foxrow.nets.searcher import Guidance, NetSearch
from foxrow.nets.treesearch import Growing, TreeSearch
from foxrow.nets.weights import WeightsError, home
from foxrow.search.searcher import Search, fingerprint

INSTEAD = 200  # simulations of the search that plays for a net without weights: milliseconds, too

log = logging.getLogger(__name__)
_nets: dict[str, tuple[tuple[str, int, int] | None, Net | None]] = {}  # by game: which file, and what was in it


def net_of(game: Game) -> Net | None:
    """The game's net, read once; None, and a warning the first time, when its weights are missing or bad."""
    path = home(game)
    try:
        stat = path.stat()
        mark = (str(path), stat.st_size, stat.st_mtime_ns)
    except OSError:
        mark = None
    if game.key not in _nets or _nets[game.key][0] != mark:
        try:
            _nets[game.key] = (mark, Net.load(game, path))
        except WeightsError as error:
            log.warning("%s: the net cannot play, search plays instead: %s", game.name, error)
            _nets[game.key] = (mark, None)
    return _nets[game.key][1]


def game_guidance(game: Game) -> Guidance | Growing:
    """How a game's net looks ahead: in a tree as its `play.GROWING` says, else in races by its `play.GUIDANCE`."""
    play = importlib.import_module(f"{game.package}.play")
    if hasattr(play, "GROWING"):
        return Growing(**play.GROWING)
    return Guidance(**getattr(play, "GUIDANCE", {}))


def warm_guided(net: Net, tell: Tell | None = None) -> None:
    """Compile the search that the game's net uses, or load it from the cache folder."""
    search = TreeSearch(net) if isinstance(game_guidance(net.game), Growing) else NetSearch(net)
    search.warm(tell)


class Learned(Bot):
    """The net's own choice: its most probable move, or as the game has it, one by lot. It does not look ahead."""

    def __init__(self, net: Net, *, seed: int = 0, name: str = "net") -> None:
        self.name = name
        self._net = net
        self._seed = seed

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], (Reason(legal[0], note="the only move"),))
        odds, _ = self._net.evaluate(view, legal)
        order = sorted(range(len(legal)), key=lambda i: (-odds[i], legal[i]))
        state: Any = view
        lot = temperature(self._net.game, int(state.players))
        if lot > 0:  # the same view and seed draw the same
            chosen = pick(odds, np.random.default_rng([self._seed, fingerprint(view)]), lot)
            order.sort(key=lambda i: i != chosen)
        return Choice(legal[order[0]], tuple(Reason(legal[i], note=f"net {odds[i]:.0%}") for i in order))


class Guided(Searching):
    """Search by net: it says which moves are worth a try and judges what comes of them, in races or in a tree."""

    def __init__(
        self,
        net: Net,
        *,
        seed: int = 0,
        simulations: int | None = None,
        ms: float | None = None,
        threads: int = 1,
        name: str | None = None,
    ) -> None:
        self._net = net
        spec = f"net+search:{simulations}" if simulations else f"net+search:{ms:g}ms"
        super().__init__(net.game, seed=seed, simulations=simulations, ms=ms, threads=threads, name=name or spec)

    def _new_search(self, seats: int) -> Search:
        guidance = game_guidance(self._game)
        if isinstance(guidance, Growing):
            growing = replace(guidance, partners=seats)
            return TreeSearch(self._net, seed=self._seed, growing=growing, threads=self._threads)
        far = {"horizon": guidance.horizon * self._players // 2, "span": guidance.span * self._players // 2}
        guidance = replace(guidance, partners=seats, **far)
        return NetSearch(self._net, seed=self._seed, guidance=guidance, threads=self._threads)
