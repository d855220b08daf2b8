"""`foxrow verify`: the proof in a finished match's record, checked with the shuffle alone."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Any

import typer

from foxrow.core.errors import FoxrowError


def verify(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A match that was exported; - is standard input.")],
    commit: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Your own commitment, as your client showed it: it must be in the proof."),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The server's commitment, as your client was told it when the table opened."),
    ] = None,
    deal: Annotated[bool, typer.Option("--deal", help="Also print the order of the cards of each round.")] = False,
) -> None:
    """Check that nobody chose the cards of a finished match."""
    from foxrow.cli.documents import documents, source
    from foxrow.match import fairness
    from foxrow.match.record import parse

    with source(record) as stream:
        text = next(iter(documents(stream)), None)
    if text is None:
        raise FoxrowError(f"{record} is empty")
    match = parse(text)
    if not isinstance(match, dict):
        raise FoxrowError("a match record is a JSON object")
    found = fairness.faults(match)
    for option, value in (("--commit", commit), ("--server", server)):
        if value is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
            raise FoxrowError(f"{option} is 64 hex digits")
    if server is not None:
        told = match.get("fair", {}).get("server", {})
        if not isinstance(told, dict) or told.get("commit") != server.lower():
            found.append("the server's commitment is not the one that you were told")
    if commit is not None:
        seats = [part for part in match.get("fair", {}).get("seats", []) if isinstance(part, dict)]
        mine = [part for part in seats if part.get("commit") == commit.lower()]
        if not mine:
            found.append("your commitment is not in the proof")
        elif not mine[0].get("seed"):
            found.append("your seed is not in the deal: it was never revealed")
    for fault in found:
        typer.echo(f"✗ {fault}")
    if found:
        sys.exit(2)
    part = fairness.taking_part(match)
    typer.echo("✓ every seed is the one that the record says was committed to")
    if server is None:
        typer.echo(
            "  that the server's was chosen before the deal: ask with --server and what your client was told then"
        )
    typer.echo("✓ the deal's seed is the hash of all of them")
    who = ", ".join(f"seat {seat}" for seat in part) or "no client: the server alone chose the seed"
    typer.echo(f"  in the deal: the server and {who}")
    if deal:
        print_deal(match)
    typer.echo("Not proven by this: that the operator did not look at the hands. Of the moves, ask foxrow referee.")


def print_deal(match: dict[str, Any]) -> None:
    """The cards of each round in the order in which they are dealt: the canonical deck, shuffled by the seed."""
    from foxrow.core.shuffle import shuffled
    from foxrow.match.record import MatchRecord, read

    known = read(match)
    if not isinstance(known, MatchRecord):
        raise FoxrowError("a proof is of a match, not of a single round")
    deck = known.game.rules.deck(len(known.names), known.options)
    for number in range(len(known.rounds)):
        order = shuffled(bytes.fromhex(known.seed), number, len(deck))
        typer.echo(f"  round {number}: {' '.join(deck[card] for card in order)}")
