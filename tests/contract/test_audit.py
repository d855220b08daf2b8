"""Any game: thousands of games end in time, and every list of moves holds moves. Also with checked array bounds."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from foxrow.core.chance import stream
from tests.contract import audit
from tests.contract.walk import Case, cases

GAMES = 1500
MOST = 5000  # moves of a game; random ones have some hundreds


def audited(case: Case, randomness: int, games: int = GAMES) -> int:
    """The verdict on many games."""
    rules = case.game.rules
    template = rules.template("tests.contract.audit")
    verdict: int = template.audit(
        rules.states(1),
        stream(randomness),
        np.zeros(len(rules.deck(case.players, case.options)), np.int32),
        np.zeros(rules.MAX_LEGAL, np.int32),
        np.zeros(rules.FEATURES, np.int8),
        case.players,
        np.array(case.game.option_codes(case.options), np.int32),
        games,
        randomness,
        MOST,
        len(case.game.phases) - 1,
    )
    return verdict


@pytest.mark.parametrize("randomness", [100, 20])
def test_games_end_and_lists_are_sound(case: Case, randomness: int) -> None:
    assert audited(case, randomness) == audit.FINE


def test_no_array_is_read_or_written_beyond_its_end() -> None:
    """In a process of its own, because Numba compiles bounds checks in or not; its code has a cache folder of its own,
    and is not made fast: that would take longer than to run it.

    Random play, the policy, views, fills and features of every case.
    """
    run = subprocess.run(
        [sys.executable, "-m", "tests.contract.test_audit"],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def main() -> None:
    """What the checked process does."""
    from tests.contract.walk import positions, seers

    for case in cases():
        assert audited(case, 50, 300) == audit.FINE
        rules = case.game.rules
        for step in positions(case, 20):
            rules.scores(step.state), rules.winners(step.state)
            for seer in seers(case):
                view = rules.mask(step.state, seer)
                if seer >= 0:
                    rules.features(view, seer)
                rules.fill(view, stream(1))


if __name__ == "__main__":
    main()
