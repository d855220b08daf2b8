"""A line on the terminal while machine code is made: a first start must not look hung."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress, TaskID

    from foxrow.bots import Analyst
    from foxrow.core.contract import Game

PATIENCE = 0.7  # seconds; what is in the cache is loaded by then, and nobody needs to hear of it


def ready(game: Game, *, bots: Sequence[str] | None = None, analyst: Analyst | None = None) -> float:
    """Compile a game's rules (and what its bots or an analyst need) or load them, and say so when it takes time; how
    many seconds."""
    started = time.perf_counter()
    line = Line(game.name, started)
    try:
        if bots is not None:
            from foxrow.bots.factory import prepare

            prepare(game, bots, line.tell)
        elif analyst is not None:
            analyst.warm(line.tell)
        else:
            game.rules.compile(line.tell)
    finally:
        line.close()
    return time.perf_counter() - started


class Line:
    """One line on standard error: a moving bar for a person, plain words for a log."""

    def __init__(self, name: str, started: float) -> None:
        self.words = f"Preparing {name} for this machine"
        self.started = started
        self.shown = False
        self.bar: Progress | None = None
        self.task: TaskID | None = None

    def tell(self, what: str, done: int, of: int) -> None:
        """As `Rules.compile` calls it, before each function."""
        if not self.shown and time.perf_counter() - self.started > PATIENCE and done < of:
            self.show(of)
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, completed=done, what=what)

    def show(self, of: int) -> None:
        self.shown = True
        if not sys.stderr.isatty():
            print(f"{self.words} …", file=sys.stderr, flush=True)
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(20),
            TextColumn("{task.fields[what]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task(self.words, total=of, what="")
        self.bar.start()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
