"""`foxrow train`: a net learns a game by playing itself, or learns to beat one bot."""

from __future__ import annotations

import dataclasses
import importlib.util
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foxrow.core.errors import FoxrowError
from foxrow.core.registry import game as find_game

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's key; foxrow games lists them.")],
    minutes: Annotated[float, typer.Option(help="How long to train, in minutes.")] = 6.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the folder's checkpoint, else from the game's own weights.")
    ] = False,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Go on from this checkpoint (.pt) or these weights (.npz) instead.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where weights, checkpoint and curve are written.")] = Path("runs"),
    exploit: Annotated[
        Path | None,
        typer.Option(metavar="WEIGHTS", help="Learn only to beat the bot with these weights (.npz), from nothing."),
    ] = None,
    weaken: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="With --exploit: the bot makes this share of its moves at random.")
    ] = 0.0,
    players: Annotated[list[int] | None, typer.Option(help="A player count; may be repeated. All by default.")] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda; cuda where there is one.")] = None,
    tiny: Annotated[bool, typer.Option("--tiny", help="A small net and few games: a run for any machine.")] = False,
    compiled: Annotated[
        bool, typer.Option("--compile", help="By torch.compile: nearly twice as fast, after half a minute.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="For the first weights, the deals and the draws.")] = 1,
) -> None:
    """Train a net: GAME.npz to play, GAME.pt to go on from, GAME.csv the curve.

    Needs PyTorch: pip install 'foxrow[train]', on a GPU also 'foxrow[gpu]'. Copy GAME.npz to the game's folder as
    weights.npz, and the bots net and net+search:N play it; as weights-more.npz, at tables of more than two.
    """
    card = find_game(game)
    counts = tuple(sorted({card.check_players(count) for count in players})) if players else None
    if device not in (None, "cpu", "cuda"):
        raise FoxrowError(f"there is no device {device!r}: cpu or cuda")
    if not 0 < minutes < math.inf:
        raise FoxrowError("training takes some time: --minutes above 0")
    if weaken and exploit is None:
        raise FoxrowError("--weaken goes with --exploit: it is the exploited bot that is weakened")
    if importlib.util.find_spec("torch") is None:
        raise FoxrowError("training needs PyTorch: pip install 'foxrow[train]' (on a GPU also 'foxrow[gpu]')")
    from foxrow.cli.compilation import ready
    from foxrow.nets.plan import TINY, Plan, further
    from foxrow.nets.train import train as run

    ready(card)
    plan = dataclasses.replace(
        TINY if tiny else Plan(), minutes=minutes, players=counts, seed=seed, weaken=weaken, compile=compiled
    )
    if resume or checkpoint:
        plan = further(plan)
    with Show(card.name, minutes) as show:
        trainer = run(
            card,
            plan,
            folder,
            device=device,
            resume=checkpoint or resume,
            exploit=exploit,
            say=show.say,
            watch=show.watch,
        )
        tested = trainer.test()
    rival = f"{exploit}" if exploit else "the rule of thumb"
    ways = {
        "sample": f"moves by lot: {{}} of the wins against {rival}",
        "best": f"best moves: {{}} of the wins against {rival}",
        "before": "best moves: {} of the wins against the weights that the run began with",
    }
    for name, share in tested.items():
        count, _, how = name.partition("_")
        typer.echo(f"{count[1:]} players, {ways[how].format(f'{share:.1%}')}")
    typer.echo(f"Wrote {folder / trainer.name}.npz, .pt and .csv after {trainer.samples:,} moves.")


class Show:
    """A moving bar and the newest numbers for a person, plain lines for a log; both on standard error."""

    def __init__(self, name: str, minutes: float) -> None:
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(30),
                TextColumn("{task.fields[moves]:,} moves"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self._task = self._bar.add_task(f"Training {name} for {minutes:g} min", total=1.0, moves=0)

    def __enter__(self) -> Show:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, line: str) -> None:
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False)
        else:
            print(line, file=sys.stderr, flush=True)

    def watch(self, share: float, moves: int) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=share, moves=moves)
