"""Golden playthroughs: a whole game as text, with what every seat sees, kept next to the game it belongs to.

    python -m tests.contract.golden            what has changed
    python -m tests.contract.golden --write    write them anew, after a change that was meant

Moves are random, so that a better policy changes nothing here. Every position has a line with a digest of all views;
whole views stand where a phase is new, now and then, and at the end. The files are in `games/<game>/tests/golden/`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from foxrow.core.position import view_json
from tests.contract.walk import Case, Step, cases, seers, shuffled, walk

SEED = 1
EVERY = 80  # moves between whole views


def path(case: Case) -> Path:
    package = Path(str(import_module(case.game.package).__file__)).parent
    return package / "tests" / "golden" / f"{case.name}.txt"


def playthrough(case: Case) -> str:
    return "\n".join(lines(case)) + "\n"


def lines(case: Case) -> Iterator[str]:
    rules = case.game.rules
    options = json.dumps(case.options)
    yield f"{case.game.name}, {case.players} players, options {options}, first {shuffled(case, SEED)[1]}"
    met: set[str] = set()
    for number, step in enumerate(walk(case, SEED, by_policy=False)):
        views = {seer: view(case, step, seer) for seer in seers(case)}
        digest = hashlib.sha256("".join(views.values()).encode()).hexdigest()[:12]
        phase = case.game.phases[rules.phase(step.state)]
        scores = " ".join(map(str, rules.scores(step.state)))
        yield f"{number}: {phase}, scores {scores}, {len(step.legal)} legal, views {digest}"
        if phase not in met or number % EVERY == 0 or step.move < 0:
            met.add(phase)
            for seer, text in views.items():
                yield f"    {'spectator' if seer < 0 else f'seat {seer}'} {text}"
        if step.move >= 0:
            yield f"  {int(rules.actor(step.state))} plays {rules.move_text(step.state, step.move)}"
        else:
            yield f"  won by {' '.join(map(str, rules.winners(step.state) or []))}"


def view(case: Case, step: Step, seer: int) -> str:
    """What a seat sees, in one line."""
    seen: dict[str, Any] = view_json(case.game, case.game.rules.mask(step.state, seer), case.options)
    for key in ("game", "players", "options"):  # in the heading already
        del seen[key]
    return json.dumps(seen, separators=(",", ":"))


def difference(case: Case) -> list[str]:
    """What has changed, as a person reads it; the first thirty lines."""
    expected = path(case).read_text("utf-8").splitlines() if path(case).exists() else []
    found = difflib.unified_diff(expected, playthrough(case).splitlines(), "golden", "now", lineterm="", n=1)
    return list(found)[:30]


def main(write: bool) -> None:
    for case in cases():
        if write:
            path(case).parent.mkdir(parents=True, exist_ok=True)
            path(case).write_text(playthrough(case), "utf-8", newline="\n")
        else:
            print("\n".join([str(case), *difference(case)]))


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
