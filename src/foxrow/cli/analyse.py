"""`foxrow analyse`: what the moves of a record were worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from foxrow.bots import Analyst, Verdict
    from foxrow.core.stakes import Stakes
    from foxrow.match.record import RoundRecord

WORDS = {"!": "a fine move", "?!": "a slip", "?": "a mistake", "??": "a blunder"}


class Judged(NamedTuple):
    number: int  # of the move, from 1
    seat: int
    made: str
    best: str
    verdict: Verdict


def analyse(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A file with a record; - is standard input.")],
    line: Annotated[int, typer.Option(min=1, metavar="K", help="Which record of a file with one a line.")] = 1,
    round: Annotated[
        int | None, typer.Option(min=0, metavar="R", help="Which round of a match, from 0; else its last.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Name every decision, not only what stands out.")] = False,
    rollouts: Annotated[
        int | None, typer.Option(min=16, metavar="N", help="Of the net for each decision; more is slower and surer.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a decision.")] = False,
) -> None:
    """Say what the moves of a round were worth: the mistakes, what was better, and how well each player did.

    Judged from what each player could know, by the game's net with rollouts on deals that agree with it. An estimate: a
    move counts as worse only where that is beyond doubt. Where a match can still be decided, chances are to win it.
    """
    from foxrow.bots import Analyst
    from foxrow.cli.compilation import ready
    from foxrow.cli.show import chosen_round

    chosen, match, number = chosen_round(record, line, round)
    analyst = Analyst(chosen.game) if rollouts is None else Analyst(chosen.game, rollouts=rollouts)
    ready(chosen.game, analyst=analyst)
    chosen.replay()  # what is wrong with it is said before any work is done
    stakes = match.stakes(number) if match else None
    judged = list(_judged(chosen, analyst, stakes))
    if as_json:
        for one in judged:
            typer.echo(json.dumps(_json(one)))
        return
    if any(one.verdict.wins == "match" for one in judged):
        typer.echo(f"Round {number + 1} of a match: chances are to win the match, of whom it is still open to.")
    _table(chosen, [one for one in judged if every or one.verdict.mark])
    _players(chosen, judged)


def _judged(chosen: RoundRecord, analyst: Analyst, stakes: Stakes | None) -> Iterator[Judged]:
    from rich.console import Console
    from rich.progress import track

    rules = chosen.game.rules
    position = chosen.replay(0)
    console = Console(file=sys.stderr)
    for number, text in enumerate(track(chosen.moves, "moves", console=console, transient=True), 1):
        seat = position.to_act
        assert seat is not None
        view = position.masked(seat)
        if verdict := analyst.judge(view, rules.parse(view, text), position.options, stakes):
            yield Judged(number, seat, text, rules.move_text(view, verdict.best), verdict)
        position.play(text)


def _json(one: Judged) -> dict[str, object]:
    found = one.verdict
    return {
        "move": one.number,
        "seat": one.seat,
        "made": one.made,
        "chance": round(found.made, 4),
        "best": one.best,
        "best_chance": round(found.chance, 4),
        "mark": found.mark,
        "accuracy": round(found.accuracy, 1),
        "wins": found.wins,
    }


def _table(chosen: RoundRecord, judged: list[Judged]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from foxrow.cli.show import printable

    if not judged:
        typer.echo("No move stands out.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("move", "player", "made", "", "to win", "better", "to win"):
        table.add_column(heading, justify="right" if heading in ("move", "to win") else "left")
    for one in judged:
        found = one.verdict
        name = Text(printable(chosen.names[one.seat]))
        word = f"{found.mark} {WORDS[found.mark]}" if found.mark else ""
        better = [Text(one.best), Text(f"{found.chance:.0%}")] if found.loss > 0 else []
        table.add_row(str(one.number), name, Text(one.made), word, f"{found.made:.0%}", *better)
    Console().print(table)


def _players(chosen: RoundRecord, judged: list[Judged]) -> None:
    from foxrow.cli.show import printable

    for seat, name in enumerate(chosen.names):
        mine = [one.verdict for one in judged if one.seat == seat]
        if mine:
            mistakes = sum(one.mark in ("?", "??") for one in mine)
            accuracy = sum(one.accuracy for one in mine) / len(mine)
            words = f"{_many(mistakes, 'mistake')} in {_many(len(mine), 'decision')}"
            typer.echo(f"{printable(name)}: {accuracy:.0f} % accuracy, {words}")


def _many(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
