"""The fair shuffle of one table, step by step: all bind themselves to a seed, then all show it, then it is dealt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from foxrow.match import fairness
from foxrow.match.refusal import Refusal

STEP_TIME = 12_000  # ms for every client to commit, and again to reveal: it happens without anybody's click


class Draw:
    """What is known of the seeds. Per seat None: nothing, or nothing yet."""

    def __init__(self, secret: bytes, players: int) -> None:
        self.secret = secret  # the server's seed
        self.commits: list[str | None] = [None] * players
        self.seeds: list[bytes | None] = [None] * players
        self.closed = False  # all have bound themselves, and seeds become known
        self.since: int | None = None  # when the current step began
        self.missing: list[int] = []  # human seats that are not in the deal
        self.deal: bytes | None = None  # the seed of all rounds, once it is drawn

    @property
    def server_commit(self) -> str:
        return fairness.commitment(self.secret)

    @property
    def step(self) -> Literal["commit", "reveal", "done"]:
        if self.deal is not None:
            return "done"
        return "reveal" if self.closed else "commit"

    def waiting(self, humans: Sequence[int]) -> list[int]:
        """Of these seats, those that the step waits for."""
        if not self.closed:
            return [seat for seat in humans if self.commits[seat] is None]
        return [seat for seat in humans if self.commits[seat] is not None and self.seeds[seat] is None]

    def until(self) -> int | None:
        """When the step ends, whoever is still waited for."""
        return None if self.since is None else self.since + STEP_TIME

    # ---- what a client may do: Refusal otherwise -----------------------------------------------------------

    def may_commit(self, seat: int) -> None:
        if self.closed:
            raise Refusal("wrong_step")
        if self.commits[seat] is not None:
            raise Refusal("already")

    def may_reveal(self, seat: int, seed: bytes) -> None:
        commit = self.commits[seat]
        if not self.closed or commit is None:
            raise Refusal("wrong_step")
        if self.seeds[seat] is not None:
            raise Refusal("already")
        if not fairness.fits(seed, commit):
            raise Refusal("wrong_reveal")

    # ---- what happens --------------------------------------------------------------------------------------

    def commit(self, seat: int, commit: str) -> None:
        if self.closed:  # in logs of earlier versions, where seats could change until the deal
            self.anew()
        self.commits[seat] = commit

    def close(self, now: int) -> None:
        if self.closed:
            self.anew()
        self.closed = True
        self.since = now

    def reveal(self, seat: int, seed: bytes) -> None:
        self.seeds[seat] = seed

    def anew(self) -> None:
        """All bind themselves again: whoever came or went, nothing is known yet but hashes."""
        self.commits = [None] * len(self.commits)
        self.seeds = [None] * len(self.seeds)
        self.closed = False

    def drawn(self, also: dict[int, bytes] | None = None) -> tuple[bytes, list[bytes | None]]:
        """The seed of the deal, and the seats' in it; `also`: reveals that are just being made."""
        seeds = [(also or {}).get(seat, seed) for seat, seed in enumerate(self.seeds)]
        return fairness.deal_seed(self.secret, seeds), seeds

    def finish(self, missing: Sequence[int]) -> None:
        self.deal, _ = self.drawn()
        self.missing = list(missing)
        self.since = None

    def proof(self) -> dict[str, object]:
        return fairness.proof(self.secret, self.commits, self.seeds)
