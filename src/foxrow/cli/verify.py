"""`foxrow verify`: the proof in a finished match, checked with the shuffle alone; then its moves, by the rules."""

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
    """Check that nobody chose the cards of a finished match, and that it was played by the rules.

    The first needs the shuffle alone; the second is what the referee says, and needs the game.
    """
    from foxrow.cli.documents import documents, source
    from foxrow.cli.show import printable
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
    given = match.get("fair")
    fair = given if isinstance(given, dict) else {}
    if server is not None:
        told = fair.get("server")
        if not isinstance(told, dict) or told.get("commit") != server.lower():
            found.append("the server's commitment is not the one that you were told")
    if commit is not None:
        seats = fair.get("seats")
        parts = [part for part in seats if isinstance(part, dict)] if isinstance(seats, list) else []
        mine = [part for part in parts if part.get("commit") == commit.lower()]
        if not mine:
            found.append("your commitment is not in the proof")
        elif not mine[0].get("seed"):
            found.append("your seed is not in the deal: it was never revealed")
    for fault in found:
        typer.echo(printable(f"✗ {fault}"))
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
    right = judge(match)
    typer.echo("Not proven by this: that the operator did not look at the hands.")
    if not right:
        sys.exit(2)


def judge(match: dict[str, Any]) -> bool:
    """Whether the rules allow what was played; a game that is not installed here is told and not held against it."""
    from foxrow.cli.compilation import ready
    from foxrow.cli.show import printable
    from foxrow.core.errors import quoted
    from foxrow.core.registry import games
    from foxrow.match.fairness import drawn_first
    from foxrow.match.referee import Referee

    game = match.get("game")
    if isinstance(game, str) and game not in games():
        typer.echo(printable(f"  the game {quoted(game)} is not installed here: its moves were not checked"))
        return True
    answer = Referee(meet=ready).judge(match)
    if "error" in answer:
        error = answer["error"]
        place = error.get("place") or f"round {error.get('round', 0)}, move {error['move']}"
        typer.echo(printable(f"✗ the moves: {place}: {error['reason']}"))
        return False
    played = match["rounds"]
    count = sum(len(part["moves"]) for part in played)
    end = (
        "it goes to " + ", ".join(f"seat {seat}" for seat in answer["winners"])
        if answer["over"]
        else "it was not ended"
    )
    typer.echo(f"✓ the rules allow all {count} moves of {len(played)} round{'s' * (len(played) != 1)}; {end}")
    if played:
        first, seats = played[0].get("first", 0), len(match["players"])
        drawn = drawn_first(bytes.fromhex(match["seed"]), seats)
        why = "as the seed draws it" if first == drawn else f"the seed would have drawn seat {drawn}"
        typer.echo(f"  seat {first} started: {why}, unless the table named somebody (a rematch does)")
    return True


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
