"""Any game: the rules as plain Python and as machine code give the same, move by move.

A process with FOXROW_PURE=1 plays the same games and sends a digest of each; a game that differs is replayed there
position by position, to say where.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import numpy as np

from foxrow.core.chance import stream
from foxrow.core.registry import games
from tests.contract.walk import Case, Step, cases, raw, seers, walk

GAMES = 120  # of each case: some two thousand in all
LOOKED_AT = 3  # of them with what the seats see


def digests(case: Case, seed: int) -> list[bytes]:
    """For each position of a game: the state and all that the rules say of it, and perhaps what the seats see."""
    rules = case.game.rules
    found = []
    for number, step in enumerate(walk(case, seed)):
        state = step.state
        facts = (step.legal, step.move, int(rules.actor(state)), int(rules.phase(state)))
        digest = hashlib.sha256(raw(state))
        digest.update(repr((facts, rules.scores(state), rules.winners(state))).encode())
        if seed < LOOKED_AT and number % 9 == 0:
            for part in looks(case, step, number):
                digest.update(part)
        found.append(digest.digest()[:8])
    return found


def looks(case: Case, step: Step, number: int) -> Iterator[bytes]:
    """What everybody sees, as a record, filled, as numbers, and what the policy would do."""
    rules = case.game.rules
    for seer in seers(case):
        view = rules.mask(step.state, seer)
        yield raw(view)
        if seer >= 0:
            yield rules.features(view, seer).tobytes()
        if seer >= 0 and seer == rules.actor(view):
            legal = np.array(step.legal, np.int32)
            yield str(int(rules.policy(view, legal, len(legal), stream(number)))).encode()
        rules.fill(view, stream(number))
        yield raw(view)


def whole(found: list[bytes]) -> str:
    return hashlib.sha256(b"".join(found)).hexdigest()


def pure(*args: str) -> subprocess.Popen[str]:
    env = {**os.environ, "FOXROW_PURE": "1", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.contract.test_pure", *args]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def test_plain_python_is_machine_code() -> None:
    halves = [pure("games", str(part)) for part in range(2)]  # one for each core of a small machine
    compiled = {str(case): [whole(digests(case, seed)) for seed in range(GAMES)] for case in cases()}
    plain: dict[str, list[str]] = {}
    for half in halves:
        out, _ = half.communicate()
        assert half.returncode == 0
        plain |= json.loads(out)
    assert plain.keys() == compiled.keys()
    for case in cases():
        for seed in range(GAMES):
            if plain[str(case)][seed] != compiled[str(case)][seed]:
                out, _ = pure("positions", str(case), str(seed)).communicate()
                pairs = zip(json.loads(out), (digest.hex() for digest in digests(case, seed)), strict=False)
                at = next(i for i, (one, two) in enumerate(pairs) if one != two)
                raise AssertionError(f"{case}, game {seed}: plain Python and machine code differ at position {at}")


def quicken() -> None:
    """Plain rules read fields all the time, and `np.record` looks for each in Python, past an exception, and whether it
    is a record itself, which none is. Here a field is a property that takes it from the record by its name: the same
    value, and whole games in a quarter of the time."""
    names = {name for game in games().values() for name in game.rules.states(1).dtype.names}
    record: Any = np.record
    del record.__getattribute__, record.__getitem__
    for name in names:
        setattr(record, name, property(itemgetter(name)))


def main(what: str, *args: str) -> None:
    """What the plain process does."""
    from foxrow.core.rule import PURE

    assert PURE
    quicken()
    with np.errstate(over="raise"):  # a small integer that wraps would go unnoticed, and compiled code does not wrap
        if what == "games":
            mine = cases()[int(args[0]) :: 2]
            print(json.dumps({str(case): [whole(digests(case, seed)) for seed in range(GAMES)] for case in mine}))
        else:
            case = next(case for case in cases() if str(case) == args[0])
            print(json.dumps([digest.hex() for digest in digests(case, int(args[1]))]))


if __name__ == "__main__":
    main(*sys.argv[1:])
