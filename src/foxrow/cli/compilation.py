"""A line on the terminal while machine code is made: a first start must not look hung."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.progress import Progress, TaskID

    from foxrow.bots import Analyst
    from foxrow.core.contract import Game


def ready(game: Game, *, bots: Sequence[str] | None = None, analyst: Analyst | None = None) -> float:
    """Compile a game's rules (and what its bots or an analyst need) or load them, and say so when it takes time; how
    many seconds."""
    started = time.perf_counter()
    with preparing(game.name) as line:
        if bots is not None:
            from foxrow.bots.factory import prepare

            prepare(game, bots, line.tell)
        elif analyst is not None:
            analyst.warm(line.tell)
        else:
            game.rules.compile(line.tell)
    return time.perf_counter() - started


@contextmanager
def preparing(name: str) -> Iterator[Line]:
    """Shown as soon as something is compiled; who only loads what is on disk hears nothing, however long it takes."""
    from foxrow.core.compiled import misses

    line = Line(name)
    misses.append(line.show)
    try:
        yield line
    finally:
        misses.remove(line.show)
        line.close()


class Line:
    """One line on standard error: a moving bar for a person, plain words for a log."""

    def __init__(self, name: str) -> None:
        self.words = f"Preparing {name} for this machine"
        self.at = ("", 0, 1)  # what is prepared now, how many are done, of how many
        self.shown = False
        self.bar: Progress | None = None
        self.task: TaskID | None = None

    def tell(self, what: str, done: int, of: int) -> None:
        """As `Rules.compile` calls it, before each function."""
        self.at = what, done, of
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, completed=done, total=of, what=what)

    def show(self) -> None:
        if self.shown:
            return
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
        what, done, of = self.at
        self.task = self.bar.add_task(self.words, completed=done, total=of, what=what)
        self.bar.start()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
