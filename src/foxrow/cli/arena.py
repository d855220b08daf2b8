"""`foxrow arena`: bots play each other, and the table says who is better and how sure that is."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foxrow.core.registry import game as find_game

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foxrow.arena.plan import Plan
    from foxrow.arena.results import Results
    from foxrow.arena.sprt import Verdict
    from foxrow.arena.table import Table


def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's key; foxrow games lists them.")],
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT…",
            help="random, greedy, search:1000, search:200ms, net, net+search:400, level:1 to level:8, or a program: "
            "'./mybot'. With fewer bots than players, the last one takes the other seats; with more, every group "
            "of as many as there are players meets.",
        ),
    ],
    players: Annotated[int | None, typer.Option(help="How many sit at the table.")] = None,
    games: Annotated[
        int,
        typer.Option(
            help="How many games, made up to whole pairs of a deal. Where more are kept, the table is of the first of "
            "them, and all stay."
        ),
    ] = 200,
    seed: Annotated[str, typer.Option(help="The same seed deals the same cards and makes the same bots.")] = "0",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="KEY=CHOICE", help="A variant; may be repeated.")
    ] = None,
    ms: Annotated[float | None, typer.Option(min=1, help="The most that a move may take, in milliseconds.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    sprt: Annotated[
        float | None,
        typer.Option(
            metavar="MARGIN",
            min=0.001,
            max=0.5,
            help="Stop when one side is proven better by this margin (0.05), or not.",
        ),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            help="Where the games are kept; a run that was killed goes on from there. By default a file of its own for "
            "every run in the user's state folder (~/.local/state/foxrow/arena; FOXROW_STATE names another); asked for "
            "once more, a run that is complete there is played anew."
        ),
    ] = None,
    records: Annotated[Path | None, typer.Option(help="Write every game as a record for the referee.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget what an earlier run has played.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; all cores by default.")] = None,
    cluster: Annotated[bool, typer.Option("--cluster", help="Spread the run over Ray (extra cluster).")] = False,
) -> None:
    """Let bots play each other. Every deal is played in all seats, so that luck cancels."""
    from foxrow.arena.halt import Halt
    from foxrow.arena.plan import Plan
    from foxrow.arena.results import Results, ResultsError, default_path
    from foxrow.arena.run import run
    from foxrow.arena.table import tabulate
    from foxrow.cli.compilation import ready
    from foxrow.cli.interruption import Interruption
    from foxrow.cli.play import chosen_options

    card = find_game(game)
    seats = len(bots) if len(bots) in card.players else card.players[0]
    seats = seats if players is None else players
    plan = Plan(game, tuple(bots), seats, games, seed, chosen_options(card, option or []), ms).check()
    if records is not None and (records.is_dir() or not records.parent.is_dir()):
        raise ResultsError(f"cannot write {records}: name a file in a folder that is there")
    ready(card, bots=bots)
    kept = Results(plan, results or default_path(plan), fresh=fresh)
    try:
        complete = not kept.missing()
        if results is None and complete and not kept.beyond:  # a finished run is not asked for again by accident
            kept.forget()
        if kept.found:
            typer.echo(f"{kept.found} games are there already; {what_now(kept, complete)}", err=True)
        began = time.perf_counter()
        halt, verdict = Halt(), None
        with (
            suppress(KeyboardInterrupt),
            Show(plan, quiet=as_json) as show,
            Interruption(halt.call, show.say) as stop,
            redirect_stdout(sys.stderr),  # Ray speaks up there; the answer must stay clean
        ):
            verdict = run(kept, workers=workers, tell=show.tell, sprt=sprt, cluster=cluster, halt=halt)
        if stop.times and kept.missing():
            typer.echo("Stopped. The same command goes on from here.", err=True)
            raise typer.Exit(130)
        deals = kept.deals()
        table = tabulate(plan, deals)
        if records is not None:
            write_records(plan, kept, records)
        if as_json:
            document = table.document() | {"seconds": round(time.perf_counter() - began, 3)}
            typer.echo(json.dumps(document | {"sprt": verdict.document() if verdict else None}))
        else:
            print_table(table, verdict)
    finally:
        kept.close()


def what_now(kept: Results, complete: bool) -> str:
    if not complete:
        return "going on from them."
    which = f"these are the first {kept.found - kept.beyond} of them" if kept.beyond else "these are all of them"
    return f"{which}. With --fresh they are forgotten and played anew."


def write_records(plan: Plan, results: Results, path: Path) -> None:
    """All games of complete deals, one a line, in their order."""
    from foxrow.arena.round import record

    lines = [json.dumps(record(plan, game)) + "\n" for deal in results.deals() for game in deal]
    path.write_text("".join(lines), "utf-8")


FOLDS_NOTHING = 10_000  # columns; Rich pads no line but those of the table
DROPPED = ("rating", "ms/move", "margin", "by seat", "95 %")  # where a terminal is narrow, in this order


def picture(table: Table, verdict: Verdict | None, width: int | None = None) -> RenderableType:
    """The table and what there is to say of it, no wider than this as far as whole names allow."""
    from rich.cells import cell_len
    from rich.console import Group
    from rich.text import Text

    columns = _columns(table)
    lines = _lines(table, verdict)
    title = f"{table.plan.card.name}, {table.plan.players} players, {table.games} games"

    def wide() -> int:
        return sum(max(map(cell_len, column)) + 3 for column in columns.values()) + 1  # with the lines between them

    for head in DROPPED:
        if width is not None and wide() > width:
            del columns[head]
    return Group(_grid(title, columns), *map(Text, lines))


def _columns(table: Table) -> dict[str, list[str]]:
    """Each with its head above, the best bot first."""
    rows = sorted(table.rows, key=lambda row: -row.wins.mean)
    columns: dict[str, list[str]] = {
        "bot": [row.name for row in rows],
        "wins": [f"{100 * row.wins.mean:.1f} %" for row in rows],
        "95 %": [f"{100 * row.wins.low:.0f} to {100 * row.wins.high:.0f}" for row in rows],
        "margin": [f"{row.margin.mean:+.1f}" for row in rows],
        "rating": [f"{row.rating[0]:.1f} ± {2 * row.rating[1]:.1f}" for row in rows],
        "by seat": [" ".join("–" if rate is None else f"{100 * rate:.0f}" for rate in row.by_seat) for row in rows],
        "ms/move": [f"{row.ms:.2f}" for row in rows],
    }
    if any(row.forfeits for row in rows):
        columns["forfeits"] = [str(row.forfeits) for row in rows]
    return {head: [head, *cells] for head, cells in columns.items()}


def _grid(title: str, columns: dict[str, list[str]]) -> RenderableType:
    from rich import box
    from rich.table import Table as Grid

    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_style="bold")
    for head, (_, *cells) in columns.items():
        # with a width of its own, no column is made narrower for another's sake
        least = max(map(len, [head, *cells]))
        grid.add_column(head, justify="left" if head == "bot" else "right", no_wrap=True, min_width=least)
    for row in zip(*(column[1:] for column in columns.values()), strict=True):
        grid.add_row(*row)
    return grid


def _lines(table: Table, verdict: Verdict | None) -> list[str]:
    plan = table.plan
    seats = " ".join(f"{100 * rate:.0f}" for rate in table.seats)
    lines = [
        f"Fair share {100 * plan.fair:.0f} %; by seat, the first one first: {seats}; {table.moves:.0f} moves a game."
    ]
    for row in table.rows:
        lines += [f"{row.name} lost a game because {reason}" for reason in row.reasons[:3]]
    if verdict is not None:
        words = {
            "first": f"{plan.names[0]} is better by the margin {verdict.margin:g}.",
            "second": f"{plan.names[0]} is worse by the margin {verdict.margin:g}.",
            "neither": f"Neither is better by the margin {verdict.margin:g}.",
            None: f"Not decided yet (margin {verdict.margin:g}).",
        }
        lines.append(words[verdict.decided])
    return lines


def print_table(table: Table, verdict: Verdict | None) -> None:
    """For a terminal as wide as it is; a file or another program gets all of it, and no line is folded."""
    from rich.console import Console

    console = Console()
    if console.is_terminal:
        console.print(picture(table, verdict, console.width))
    else:
        Console(width=FOLDS_NOTHING).print(picture(table, verdict))


class Show:
    """The live table and the bar, on standard error, for a person; a log gets nothing."""

    EVERY = 0.5  # seconds between two tables

    def __init__(self, plan: Plan, *, quiet: bool) -> None:
        self.plan = plan
        self.shown: list[Any] | None = None  # from top to bottom
        self.last = 0.0
        self.context: AbstractContextManager[Any] = nullcontext()
        if sys.stderr.isatty():
            from rich.console import Console, Group
            from rich.live import Live
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("games"), BarColumn(30), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn()
            )
            self.task = self.bar.add_task("games", total=plan.deals * len(plan.lineups))
            self.with_table = not quiet
            self.shown = ["", self.bar, ""]
            self.console = Console(stderr=True)
            self.context = Live(
                get_renderable=lambda: Group(*filter(None, self.shown or ())),
                console=self.console,
                transient=True,
                refresh_per_second=8,
            )

    def __enter__(self) -> Show:
        self.context.__enter__()
        return self

    def __exit__(self, *what: Any) -> None:
        self.context.__exit__(*what)

    def tell(self, results: Results, verdict: Verdict | None) -> None:
        if self.shown is None:
            return
        from foxrow.arena.table import tabulate

        deals = results.deals()
        self.bar.update(self.task, completed=len(deals) * len(self.plan.lineups))
        if self.with_table and time.perf_counter() - self.last > self.EVERY:
            self.last = time.perf_counter()
            self.shown[0] = picture(tabulate(self.plan, deals), verdict, self.console.width)

    def say(self, words: str) -> None:
        """A line that stays. It may be called at any moment, also in the middle of one."""
        if self.shown is None:
            os.write(sys.stderr.fileno(), f"{words}\n".encode())
        else:
            self.shown[2] = words
