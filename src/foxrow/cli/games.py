"""`foxrow games`: what there is."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict
from typing import Annotated, Any

import typer

from foxrow.core.contract import Choice, Game, Option
from foxrow.core.registry import games


def list_games(
    as_json: Annotated[bool, typer.Option("--json", help="Print the cards as JSON.")] = False,
) -> None:
    """List the games, their players and options."""
    cards = games().values()
    if as_json:
        typer.echo(json.dumps([card_json(game) for game in cards], indent=2))
        return
    for game in cards:
        typer.echo(card_text(game))
    typer.echo("foxrow play GAME starts one, by its key: " + ", ".join(games()) + ".")


def card_json(game: Game) -> dict[str, Any]:
    """The whole card, for programs."""
    card = asdict(game)
    del card["package"]
    card["match"]["setting"] = game.match.setting
    return card


def card_text(game: Game) -> str:
    """The card in a few lines."""
    lines = [
        f"{typer.style(game.name, bold=True)} ({game.key}), {counted(game.players)} players, by {game.publisher}",
        *textwrap.wrap(game.summary, 76),
    ]
    for option in game.options:
        lines += textwrap.wrap(option_text(option), 76, subsequent_indent="    ")
    setting = game.match.setting
    if setting is not None:
        lines.append(f"Match: {setting} from {game.match.low} to {game.match.high}, {game.match.default} by default.")
    return "\n  ".join(lines) + "\n"


def option_text(option: Option) -> str:
    choices = " or ".join(map(choice_text, option.choices))
    where = f" ({counted(option.players)} players only)" if option.players else ""
    return f"Option {option.key}{where}: {choices}, {choice_text(option.default)} by default. {option.note}"


def choice_text(choice: Choice) -> str:
    return ("yes" if choice else "no") if isinstance(choice, bool) else choice


def counted(players: tuple[int, ...]) -> str:
    """2 to 5; 3; 2 or 4."""
    low, high = min(players), max(players)
    if len(players) > 2 and len(players) == high - low + 1:
        return f"{low} to {high}"
    return " or ".join(map(str, players))
