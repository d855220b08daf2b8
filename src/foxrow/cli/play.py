"""`foxrow play`: a table in the terminal. You have a seat, bots have the others."""

from __future__ import annotations

import secrets
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from foxrow.core.errors import GameError, MoveError, ParseError
from foxrow.core.registry import game as find_game

if TYPE_CHECKING:
    from foxrow.core.contract import Choice, Game
    from foxrow.core.position import Position
    from foxrow.match.record import Match

HELP = """\
  a move         as it stands in the list, like {example}
  #3             the third move of the list
  (nothing)      the list of moves again
  table          the table again
  undo           back to your move before
  quit           leave
"""


class Quit(Exception):
    """The person has had enough."""


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's key; foxrow games lists them.")],
    players: Annotated[int | None, typer.Option(help="How many sit at the table.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="KEY=CHOICE", help="A variant; may be repeated.")
    ] = None,
    match: Annotated[
        int | None, typer.Option(help="The length of the match, as the game counts it (foxrow games).")
    ] = None,
    level: Annotated[int, typer.Option(help="How strong the others play, from 1.")] = 4,
    name: Annotated[str, typer.Option(help="Your name.")] = "Fox",
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same cards.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text instead of the full screen.")] = False,
) -> None:
    """Play a game here in the terminal. You have the first seat; ? helps."""
    from foxrow.cli.compilation import ready

    card = find_game(game)
    table = Table(card, players or card.players[0], chosen_options(card, option or []), match, name, seed, level)
    ready(card, bots=[f"level:{level}"])
    if not plain and sys.stdin.isatty() and sys.stdout.isatty():
        from foxrow.cli.tabletop import Tabletop

        Tabletop(table.match, [None, *table.bots[1:]]).run()
        return
    try:
        table.play()
    except (Quit, EOFError, KeyboardInterrupt):
        typer.echo("\nGood-bye.")


def chosen_options(game: Game, wishes: Iterable[str]) -> dict[str, Choice]:
    """`key=choice` as a person types it."""
    chosen: dict[str, Choice] = {}
    for wish in wishes:
        key, _, text = wish.partition("=")
        option = next((option for option in game.options if option.key == key.strip().lower()), None)
        if option is None:
            has = ", ".join(option.key for option in game.options) or "none"
            raise GameError(f"{game.name} has no option {key!r} (it has: {has})")
        words = {str(choice).lower(): choice for choice in option.choices}
        if True in option.choices:
            words |= {"yes": True, "on": True, "1": True, "": True, "no": False, "off": False, "0": False}
        if text.strip().lower() not in words:
            raise GameError(f"the option {key!r} may be {' or '.join(map(str, option.choices))}, not {text!r}")
        chosen[option.key] = words[text.strip().lower()]
    return chosen


class Table:
    """One person against bots, for a match."""

    def __init__(
        self,
        game: Game,
        players: int,
        options: dict[str, Choice],
        length: int | None,
        name: str,
        seed: str | None,
        level: int,
    ) -> None:
        from foxrow.bots import levels, make
        from foxrow.core.position import seed_bytes
        from foxrow.match.record import Match
        from foxrow.match.rounds import setting

        game.check_players(players)
        self.seat = 0
        self.game = game
        key = seed_bytes(seed)
        lot = secrets.randbits(62) if seed is None else int.from_bytes(key[:7], "big")
        self.bots = [make(f"level:{level}", game, seed=lot + number) for number in range(players)]
        strength = levels(game)[level - 1].name
        others = [strength] if players == 2 else [f"{strength} {number}" for number in range(2, players + 1)]
        self.names = (name, *others)
        checked = game.check_options(options, players)
        self.match: Match = Match(game, self.names, checked, setting(game, length), key.hex())

    def play(self) -> None:
        """Rounds until the match is over."""
        while not self.match.over:
            if self.match.rounds:
                self.ask("Enter deals the next round, quit leaves: ")
            self.play_round(self.match.next_round())
        winners = self.match.winners() or []
        if len(self.match.rounds) > 1:
            typer.echo(typer.style(f"The match is over. {self.won(winners)}", bold=True))

    def play_round(self, p: Position) -> None:
        typer.echo(typer.style(f"\n{self.game.name}, round {len(self.match.rounds)}", bold=True) + ", ? helps\n")
        for seat, bot in enumerate(self.bots):
            bot.plays_for(self.match.stakes())
            bot.start(seat, self.match.players, self.match.options)
        shown = -1  # moves made when the table was last shown
        while not p.over:
            if p.to_act != self.seat:
                self.play_other(p)
                continue
            if shown != len(p.moves):
                shown = len(p.moves)
                typer.echo("\n" + p.table(self.seat))
                self.list_moves(p)
            self.take_turn(p)
        typer.echo("\n" + p.table(open=True))
        typer.echo(typer.style(f"\n{self.won(p.winners() or [])}", bold=True))
        typer.echo(self.counted("Scores", p.scores()))
        if len(self.match.rounds) > 1:
            typer.echo(self.counted("Totals", self.match.totals()))

    def play_other(self, p: Position) -> None:
        """A bot moves, from what its seat sees."""
        seat = p.to_act
        assert seat is not None
        view = p.masked(seat)
        move = self.bots[seat].choose(view, self.game.rules.legal(view)).move
        p.play_move(move)
        typer.echo(f"{self.names[seat]}: {typer.style(p.moves[-1], fg='cyan')}")

    def take_turn(self, p: Position) -> None:
        """Ask until there is a move, or another position."""
        text = self.ask(f"{self.names[self.seat]}> ")
        word = text.lower()
        legal = p.legal()
        if word in ("?", "help", "h"):
            typer.echo(HELP.format(example=repr(legal[0])))
        elif word in ("", "moves", "list"):
            self.list_moves(p)
        elif word == "table":
            typer.echo(p.table(self.seat))
        elif word in ("undo", "u"):
            self.take_back(p)
        else:
            try:
                self.make(p, text, legal)
            except MoveError as error:
                typer.echo(f"{error.reason} (? helps)")

    def make(self, p: Position, text: str, legal: list[str]) -> None:
        """A move in notation, or its number in the list where that is no notation."""
        number = text.removeprefix("#").strip()
        listed = number.isdecimal() and len(number) < 6 and 1 <= int(number) <= len(legal)
        if text.startswith("#"):
            if not listed:
                raise ParseError("not_listed", f"the list has the numbers #1 to #{len(legal)}")
            text = legal[int(number) - 1]
        try:
            p.play(text)
        except ParseError:
            if not listed:
                raise
            p.play(legal[int(number) - 1])

    def take_back(self, p: Position) -> None:
        for count in range(1, len(p.moves) + 1):
            if p.at(len(p.moves) - count).to_act == self.seat:
                p.undo(count)
                return
        typer.echo("There is nothing of yours to take back.")

    def list_moves(self, p: Position) -> None:
        """All legal moves with their numbers, in columns."""
        cells = [f"#{i} {text}" for i, text in enumerate(p.legal(), 1)]
        width = max(map(len, cells)) + 3
        columns = max(1, min(8, shutil.get_terminal_size().columns // width))
        rows = -(-len(cells) // columns)
        for row in range(rows):
            typer.echo("  " + "".join(f"{cell:<{width}}" for cell in cells[row::rows]).rstrip())

    def ask(self, prompt: str) -> str:
        text = input(prompt).strip()
        if text.lower() in ("q", "quit", "exit"):
            raise Quit
        return text

    def won(self, winners: list[int]) -> str:
        names = " and ".join(self.names[seat] for seat in winners)
        if winners == [self.seat]:
            return "You have won!"
        return f"{names} {'has' if len(winners) == 1 else 'have'} won."

    def counted(self, word: str, points: list[int]) -> str:
        return f"{word}: " + ", ".join(f"{name} {n}" for name, n in zip(self.names, points, strict=True))
