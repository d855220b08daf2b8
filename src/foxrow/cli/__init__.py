"""The `foxrow` command. Only the command that is asked for is imported, so that help is instant."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer

from foxrow.core.errors import FoxrowError

# A command: where its function is, and its line in the help.
COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("foxrow.cli.serve:serve", "Run the server: play in the browser, alone, with bots or with friends."),
    "play": ("foxrow.cli.play:play", "Play a game here in the terminal."),
    "games": ("foxrow.cli.games:list_games", "List the games, their players and options."),
    "show": ("foxrow.cli.show:show", "Show the table of a record at any move."),
    "analyse": ("foxrow.cli.analyse:analyse", "Say what the moves of a record were worth, and what was better."),
    "referee": ("foxrow.cli.referee:referee", "Replay records and say what the rules say of them."),
    "verify": ("foxrow.cli.verify:verify", "Check that nobody chose the cards of a finished match."),
    "backup": ("foxrow.cli.backup:backup", "Copy the server's database, also while it runs."),
    "restore": ("foxrow.cli.backup:restore", "Put a backup in the database's place."),
    "arena": ("foxrow.cli.arena:arena", "Let bots play each other and see who is better."),
    "balance": ("foxrow.cli.balance:balance", "Report how a game plays: seats, length, endings, moves."),
    "train": ("foxrow.cli.train:train", "Train a net by self-play, or one that exploits another bot."),
    "bench": ("foxrow.cli.bench:bench", "Measure how fast the rules run on one core."),
}
BARE = ["serve", "--open"]  # what `foxrow` alone does

# What must be instant goes past typer, which loads a library for every argument it checks (0.4 s).
QUICK: dict[tuple[str, ...], tuple[str, dict[str, Any]]] = {
    ("games",): ("foxrow.cli.games:list_games", {}),
    ("games", "--json"): ("foxrow.cli.games:list_games", {"as_json": True}),
    ("--version",): ("foxrow.cli:version", {"show": True}),
}

Command = Callable[..., None]


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its status: 0 fine, 2 a mistake in what was given."""
    args = (sys.argv[1:] if args is None else args) or BARE
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without the character shows a "?", it does not crash
            stream.reconfigure(errors="replace")
    if tuple(args) in QUICK:
        target, options = QUICK[tuple(args)]
        guarded(load(target))(**options)
    else:
        app(args)(args, prog_name="foxrow")


def app(args: list[str]) -> typer.Typer:
    """The app with all commands in its help, but only the wanted one loaded (completion needs them all)."""
    wanted = next((arg for arg in args if not arg.startswith("-")), None)
    whole = "_FOXROW_COMPLETE" in os.environ
    commands = typer.Typer(
        help="Play, study and research tabletop games.",
        epilog="foxrow COMMAND --help tells more about a command.",
        rich_markup_mode=None,  # rich would take longer than everything else together
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    commands.callback(invoke_without_command=True)(version)
    for name, (target, words) in COMMANDS.items():
        command = guarded(load(target)) if whole or name == wanted else listed
        commands.command(name, help=words)(command)
    return commands


def listed() -> None:
    """Stands in the help for a command that is not asked for, so never runs."""


def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if show:
        from foxrow import __version__

        typer.echo(f"foxrow {__version__}")
        sys.exit()


def load(target: str) -> Command:
    module, _, name = target.partition(":")
    command: Command = getattr(import_module(module), name)
    return command


def guarded(command: Command) -> Command:
    """Whatever goes wrong is one line for a person, never a traceback (FOXROW_DEBUG=1 shows it)."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except FoxrowError as error:
            fail(str(error))
        except KeyboardInterrupt:
            sys.exit(130)
        except BrokenPipeError:  # the reader has gone (`| head`): nothing is left to say, and nobody to hear it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except OSError as error:  # a full disk, a file that cannot be read
            fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", 1)
        except Exception as error:
            if os.environ.get("FOXROW_DEBUG"):
                raise
            fail(f"something unforeseen happened, {type(error).__name__}: {error} (FOXROW_DEBUG=1 tells more)", 1)

    return run


def fail(reason: str, status: int = 2) -> NoReturn:
    """Say in one line what is wrong, and leave. It may repeat what stood in a file of anybody's."""
    from foxrow.cli.show import printable

    typer.echo(f"foxrow: {printable(' '.join(reason.split()))}", err=True)
    sys.exit(status)
