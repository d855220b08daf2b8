"""Bots that learned a game: the net alone, and the net inside a search. Where there is no good net, search plays."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from foxrow.bots.protocol import Budget, Choice, Reason
from foxrow.bots.searching import Searching
from foxrow.core.contract import Game
from foxrow.core.record import View
from foxrow.core.rules import Tell
from foxrow.nets.play import Net, pick, temperature
from foxrow.nets.searcher import Guidance, NetSearch
from foxrow.nets.treesearch import Growing, TreeSearch
from foxrow.nets.weights import WeightsError, home
from foxrow.search.searcher import Search, Settings, fingerprint

INSTEAD = 200  # simulations of the search that plays for a net without weights: milliseconds, too

log = logging.getLogger(__name__)
_nets: dict[Path, tuple[tuple[int, int] | None, Net | None]] = {}  # by file: how it was when read, what was in it

Nets = Mapping[int, Net | None]  # by the number of players; None: search plays there


def net_of(game: Game, players: int) -> Net | None:
    """The game's net for a table, a file read once; None, and a warning the first time, when it is missing or bad."""
    path = home(game, players)
    try:
        stat = path.stat()
        mark = (stat.st_size, stat.st_mtime_ns)
    except OSError:
        mark = None
    if path not in _nets or _nets[path][0] != mark:
        try:
            _nets[path] = (mark, Net.load(game, path))
        except WeightsError as error:
            log.warning("%s: the net cannot play, search plays instead: %s", game.name, error)
            _nets[path] = (mark, None)
    return _nets[path][1]


def nets_of(game: Game) -> Nets:
    """The nets for all tables of a game."""
    return {players: net_of(game, players) for players in game.players}


def game_guidance(game: Game) -> Guidance | Growing:
    """How a game's net looks ahead: in a tree as its `play.GROWING` says, else in races by its `play.GUIDANCE`."""
    play = importlib.import_module(f"{game.package}.play")
    if hasattr(play, "GROWING"):
        return Growing(**play.GROWING)
    return Guidance(**getattr(play, "GUIDANCE", {}))


def at_table(guidance: Guidance, players: int, partners: int) -> Guidance:
    """A horizon is so many decisions at two players: as many rounds ahead take more of them at a bigger table."""
    horizon, span = guidance.horizon * players // 2, guidance.span * players // 2
    return replace(guidance, partners=partners, horizon=horizon, span=span)


def warm_guided(net: Net, tell: Tell | None = None) -> None:
    """Compile the search that the game's net uses, or load it from the cache folder."""
    search = TreeSearch(net) if isinstance(game_guidance(net.game), Growing) else NetSearch(net)
    search.warm(tell)


class Learned(Searching):
    """The net's own choice: its most probable move, or as the game has it, one by lot. It does not look ahead.

    At tables without a net, a short search plays.
    """

    def __init__(self, game: Game, nets: Nets, *, seed: int = 0, name: str = "net") -> None:
        super().__init__(game, seed=seed, simulations=INSTEAD, name=name)
        self._nets = nets

    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        state: Any = view
        net = self._nets.get(int(state.players))
        if net is None or len(legal) == 1:
            return super().choose(view, legal, budget)
        odds, _ = net.evaluate(view, legal)
        order = sorted(range(len(legal)), key=lambda i: (-odds[i], legal[i]))
        lot = temperature(self._game, int(state.players))
        if lot > 0:  # the same view and seed draw the same
            chosen = pick(odds, np.random.default_rng([self._seed, fingerprint(view)]), lot)
            order.sort(key=lambda i: i != chosen)
        return Choice(legal[order[0]], tuple(Reason(legal[i], note=f"net {odds[i]:.0%}") for i in order))


class Guided(Searching):
    """Search by net: it says which moves are worth a try and judges what comes of them, in races or in a tree.

    At tables without a net, plain search plays.
    """

    def __init__(
        self,
        game: Game,
        nets: Nets,
        *,
        seed: int = 0,
        simulations: int | None = None,
        ms: float | None = None,
        threads: int = 1,
        settings: Settings | None = None,
        name: str | None = None,
    ) -> None:
        self._nets = nets
        name = name or (f"net+search:{simulations}" if simulations else f"net+search:{ms:g}ms")
        super().__init__(game, seed=seed, simulations=simulations, ms=ms, threads=threads, settings=settings, name=name)

    def _new_search(self, seats: int) -> Search:
        net = self._nets.get(self._players)
        if net is None:
            return super()._new_search(seats)
        guidance = game_guidance(self._game)
        if isinstance(guidance, Growing):
            growing = replace(guidance, partners=seats, stakes=self._stakes)
            return TreeSearch(net, seed=self._seed, growing=growing, threads=self._threads)
        guidance = replace(at_table(guidance, self._players, seats), stakes=self._stakes)
        return NetSearch(net, seed=self._seed, guidance=guidance, threads=self._threads)
