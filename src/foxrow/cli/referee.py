"""`foxrow referee`: an answer for every record."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer


def referee(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, or one a line; - is standard input.")],
    trace: Annotated[bool, typer.Option(help="Answer every position before a move, too.")] = False,
    view: Annotated[
        int | None, typer.Option(min=0, metavar="SEAT", help="Add what this seat may see (counted from 0).")
    ] = None,
) -> None:
    """Replay records and print, for each, what the rules say of the position: one JSON object a line.

    A record that breaks a rule is answered by an error, and the exit status is then 2.
    """
    from foxrow.cli.compilation import ready
    from foxrow.cli.documents import documents, source
    from foxrow.match.referee import Referee

    judge = Referee(trace=trace, seat=view, meet=ready)
    answered = failed = 0
    with source(file) as stream, rare_collections():
        for text in documents(stream):
            answer = judge.answer(text)
            failed += "error" in answer
            answered += 1
            write(answer)
    if not answered:
        write(judge.answer(b""))
    if failed or not answered:
        sys.exit(2)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Answers have many parts and no cycles: looking for some would take a third of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def write(answer: dict[str, Any]) -> None:
    """One line, at once: whoever feeds records through a pipe waits for it."""
    if "error" in answer:  # may quote any text, also halves of characters: ASCII can show them
        line = json.dumps(answer).encode()
    else:
        from msgspec.json import encode

        line = encode(answer)
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()
