"""`foxrow balance`: how a game plays, as a page to read and a table to work with."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foxrow.core.errors import FoxrowError
from foxrow.core.registry import game as find_game

if TYPE_CHECKING:
    from foxrow.arena.round import Result


def balance(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's key; foxrow games lists them.")],
    players: Annotated[list[int] | None, typer.Option(help="A player count; may be repeated. All by default.")] = None,
    bot: Annotated[
        list[str] | None, typer.Option(help="Who plays; may be repeated, weakest first. [random, greedy, search:100]")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games for each player count, variant and bot.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same report.")] = "0",
    out: Annotated[Path, typer.Option(help="The folder for GAME.html and GAME.csv.")] = Path("."),
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; all cores by default.")] = None,
) -> None:
    """Let bots play each other and report how the game plays: GAME.html and GAME.csv."""
    from rich.console import Console
    from rich.progress import Progress

    from foxrow.arena.balance import conditions, rows, tally, write_csv
    from foxrow.arena.halt import Halt
    from foxrow.arena.page import page, painter
    from foxrow.arena.run import batches, play
    from foxrow.arena.work import dismiss
    from foxrow.cli.compilation import ready

    card = find_game(game)
    counts = sorted({card.check_players(count) for count in players or card.players})
    bots = list(dict.fromkeys(bot or ["random", "greedy", "search:100"]))
    painter()
    html, csv = places(out, game)
    todo = [(at, at.plan(card, games, seed)) for at in conditions(card, counts, bots)]
    ready(card, bots=bots)
    cores = workers or os.cpu_count() or 1
    jobs = [(plan, batch) for _, plan in todo for batch in batches(range(plan.deals), cores)]
    found: dict[str, list[list[Result]]] = {plan.key: [] for _, plan in todo}
    bar = Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    try:
        with bar, closing(play(jobs, cores, Halt())) as source:
            task = bar.add_task("Playing", total=sum(plan.deals for _, plan in todo))
            for plan, played in source:
                found[plan.key] += [[result] for result in played]
                bar.advance(task, len(played))
    except KeyboardInterrupt:
        typer.echo("Stopped. Nothing is written; the same command begins anew.", err=True)
        raise typer.Exit(130) from None
    finally:
        dismiss()
    tallies = [tally(plan, at, sorted(found[plan.key], key=lambda deal: deal[0].deal)) for at, plan in todo]
    table = rows(tallies)
    command = ["foxrow", "balance", game, "--games", str(games), "--seed", seed]
    command += [word for count in counts for word in ("--players", str(count))]
    command += [word for name in bots for word in ("--bot", name)]
    html.write_text(page(card, tallies, table, shlex.join(command)), "utf-8")
    write_csv(csv, table)
    typer.echo(f"Wrote {html} and {csv}.")


def places(folder: Path, game: str) -> tuple[Path, Path]:
    """Where the page and the table go. Games are not kept, so whether that can be written is tried before them."""
    files = folder / f"{game}.html", folder / f"{game}.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            new = not file.exists()
            file.open("ab").close()
            if new:
                file.unlink()
    except OSError as error:
        raise FoxrowError(
            f"cannot write the report: {error.filename}: {error.strerror}; name another folder by --out"
        ) from None
    return files
