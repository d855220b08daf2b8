"""`python -m foxrow.nets GAME --minutes M [--resume [FILE]]`: training with all its knobs; `foxrow train` has fewer."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from foxrow.core.errors import FoxrowError
from foxrow.core.registry import game
from foxrow.nets.league import League
from foxrow.nets.plan import TINY, Plan


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m foxrow.nets", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--folder", type=Path, default=Path("runs"))
    parser.add_argument("--device", choices=("cpu", "cuda"))
    parser.add_argument("--resume", nargs="?", const=True, default=False, help="a checkpoint, or the newest")
    parser.add_argument("--tiny", action="store_true", help="a run of seconds on any machine")
    parser.add_argument("--players", type=int, nargs="+")
    parser.add_argument("--no-graphs", action="store_true", help="no CUDA graphs")
    parser.add_argument("--compile", action="store_true", help="by torch.compile")
    parser.add_argument("--exploit", type=Path, help="weights of a bot; the net learns to beat that one alone")
    parser.add_argument("--league", type=Path, help="a folder that a bot and its exploiter share")
    parser.add_argument("--population", type=Path, nargs="+", default=[], help="weights of others to play against")
    parser.add_argument("--challenge", action="store_true", help="be the league's exploiter")
    parser.add_argument("--test", action="store_true", help="test against the rule of thumb at the end")
    fields = {f.name: f for f in dataclasses.fields(Plan) if f.type in ("int", "float")}
    for name, field in fields.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int if field.type == "int" else float)
    given = parser.parse_args()
    try:
        from foxrow.nets.train import train
    except ImportError as error:
        sys.exit(f"training needs torch: pip install 'foxrow[train]' ({error})")
    plan = TINY if given.tiny else Plan()
    changes = {name: getattr(given, name) for name in fields if getattr(given, name) is not None}
    if given.players:
        changes["players"] = tuple(given.players)
    if given.no_graphs:
        changes["graphs"] = False
    if given.compile:
        changes["compile"] = True
    resume = Path(given.resume) if isinstance(given.resume, str) else given.resume
    plan = dataclasses.replace(plan, **changes)
    card = game(given.game)
    league = League(given.league, card) if given.league else None
    exploit = league.wait() if league and given.challenge else given.exploit
    trainer = train(
        card,
        plan,
        given.folder,
        device=given.device,
        resume=resume,
        exploit=exploit,
        league=league,
        population=given.population,
    )
    if given.test:
        print({name: round(value, 4) for name, value in trainer.test(32768).items()}, flush=True)
        print({name: f"{value:.1f} ms" for name, value in trainer.profile().items()}, flush=True)


try:
    main()
except FoxrowError as error:
    sys.exit(str(error))
