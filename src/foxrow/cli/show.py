"""`foxrow show`: the table of a record at any move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from foxrow.core.errors import FoxrowError

if TYPE_CHECKING:
    from foxrow.core.position import Position
    from foxrow.match.record import MatchRecord, RoundRecord


def show(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A file with a record; - is standard input.")],
    at: Annotated[int | None, typer.Option(min=0, metavar="N", help="After the first N moves; else after all.")] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="S", help="As this seat sees it; else all cards are open.")
    ] = None,
    line: Annotated[int, typer.Option(min=1, metavar="K", help="Which record of a file with one a line.")] = 1,
    round: Annotated[
        int | None, typer.Option(min=0, metavar="R", help="Which round of a match, from 0; else its last.")
    ] = None,
) -> None:
    """Show the table of a record at any move."""
    from foxrow.cli.compilation import ready

    chosen = chosen_round(record, line, round).round
    ready(chosen.game)
    position = chosen.replay(at)
    table = position.table(seat, open=seat is None)
    typer.echo(headline(position, len(chosen.moves)))
    typer.echo(printable(table))


class Chosen(NamedTuple):
    round: RoundRecord
    match: MatchRecord | None  # that it is of
    number: int  # among its rounds


def chosen_round(file: str, line: int, number: int | None) -> Chosen:
    """The round that a person means: of a file with many records, of a match with many rounds."""
    from foxrow.cli.documents import documents, source
    from foxrow.match.record import MatchRecord, parse, read

    with source(file) as stream:
        text = next((text for k, text in enumerate(documents(stream), 1) if k == line), None)
    if text is None:
        raise FoxrowError(f"{file} has no record {line}")
    found = read(parse(text))
    if not isinstance(found, MatchRecord):
        if number is not None:
            raise FoxrowError("the record is of one round, so --round has no meaning")
        return Chosen(found, None, 0)
    last = len(found.rounds) - 1
    if last < 0:
        raise FoxrowError("the match has no round")
    number = last if number is None else number
    if not 0 <= number <= last:
        raise FoxrowError(f"the match has {last + 1} rounds, so there is no round {number}")
    return Chosen(found.rounds[number], found, number)


def headline(position: Position, moves: int) -> str:
    """Which game, how far, and what happened last."""
    made = position.moves
    words = [position.game.name, f"{position.players} players", f"after move {len(made)} of {moves}"]
    words += [f"{key} {value}" for key, value in position.options.items() if value is not False]
    if made:
        mover = position.at(len(made) - 1).to_act
        words.append(f"last: {position.names[mover or 0]}, {made[-1]}")
    return typer.style(printable(" · ".join(words)), bold=True) + "\n"


def printable(text: str) -> str:
    """A name may hold anything; on a terminal it must not move the cursor."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
