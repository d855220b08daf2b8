"""Plain Python and machine code play the same games, to the last byte of the state."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import hashlib
import numpy as np
from foxrow.core.chance import below, shuffle, streams
from foxrow.games.linx import GAME

rules = GAME.rules
digest = hashlib.sha256()
with np.errstate(over="raise"):
    for number, rng in enumerate(streams(5, 25)):
        players = 2 + number % 3
        order = np.arange(15 * players, dtype=np.int32)
        shuffle(rng, order)
        s = rules.states(1)[0]
        options = np.array([number % 2, number % 2 if players == 4 else 0], np.int32)
        rules.deal(s, order, players, number % players, options)
        while rules.actor(s) >= 0:
            seat = int(rules.actor(s))
            view = rules.mask(s, seat)
            legal = np.array(rules.legal(view), np.int32)
            chosen = rules.policy(view, legal, len(legal), rng)
            rules.fill(view, rng)
            digest.update(legal.tobytes() + view.tobytes() + rules.features(s, seat).tobytes())
            rules.apply(s, chosen if below(rng, 2) else int(legal[below(rng, len(legal))]))
            digest.update(s.tobytes() + repr((rules.scores(s), rules.winners(s))).encode())
print(digest.hexdigest())
"""


def run(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_plain_python_and_machine_code_agree() -> None:
    plain = run(FOXROW_PURE="1")
    assert len(plain) == 64
    assert run(FOXROW_PURE="") == plain
