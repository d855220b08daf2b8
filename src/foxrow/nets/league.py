"""A league: a folder where a bot in training meets nets that learn only to beat it.

Two runs of one game share the folder. The bot leaves its weights there every few seconds; the exploiter plays against
the newest of them and, each time it has had its time, leaves its own as a challenger and begins again from the bot's,
or goes on (`Plan.again`): the first finds what is near, the other what takes long to learn. The bot plays a share of
its games against the challengers, so a hole that one of them found is closed.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from foxrow.core.contract import Game
from foxrow.nets.weights import Card, Layers, WeightsError, load, save

PATIENCE = 180.0  # seconds to wait for a bot that has only just started


class League:
    """One run's side of the folder."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.folder, self.game = folder, game
        self.bot = folder / f"{game.key}.npz"
        self._read: dict[Path, int] = {}  # when what was read had been written
        self._left = 0

    def leave_bot(self, card: Card, layers: Layers) -> None:
        save(self.bot, card, layers)

    def leave_challenger(self, card: Card, layers: Layers) -> int:
        """How many it has left."""
        self._left += 1
        save(self.folder / f"{self.game.key}-challenger-{os.getpid()}-{self._left}.npz", card, layers)
        return self._left

    def new_bot(self) -> Layers | None:
        """The bot's weights, if they are newer than the last that were asked for."""
        found = self._new(self.bot)
        return found and found[1]

    def new_challengers(self) -> list[tuple[Card, Layers]]:
        """The challengers that came since the last time."""
        found = (self._new(path) for path in sorted(self.folder.glob(f"{self.game.key}-challenger-*.npz")))
        return [one for one in found if one]

    def wait(self) -> Path:
        """Where the bot's weights are, once they are."""
        end = time.monotonic() + PATIENCE
        while not self.bot.exists():
            if time.monotonic() > end:
                raise WeightsError(f"no bot came to {self.folder}: start one, foxrow.nets … --league {self.folder}")
            time.sleep(0.5)
        return self.bot

    def _new(self, path: Path) -> tuple[Card, Layers] | None:
        if not path.exists() or self._read.get(path) == (written := path.stat().st_mtime_ns):
            return None
        self._read[path] = written
        return load(path, self.game)
