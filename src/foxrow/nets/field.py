"""Games that a net learns from: a batch whose observations lie in torch tensors.

On a GPU the kernels write straight into the tensors; nothing is copied and nothing waits for the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from foxrow.core.batch import Batch, Step, Variant
from foxrow.core.contract import Game
from foxrow.nets.model import padded


class Field:
    """`n` games and room for `length` + 1 steps of each. Rows of observations and masks are padded with zeros."""

    def __init__(
        self,
        game: Game,
        n: int,
        kinds: Sequence[Variant],
        share: Sequence[float],
        length: int,
        seed: int,
        device: str,
        secrets: NDArray[np.int32] | None = None,
    ) -> None:
        rules = game.rules
        self.n, self.length, self.device = n, length, device
        self.seats = rules.SEATS
        self.env: Any
        if device == "cuda":
            from foxrow.core.cuda import CudaBatch

            self.env = CudaBatch(game, n, kinds, seed=seed, observe=False, masks=False)
        else:
            self.env = Batch(game, n, kinds, seed=seed)
        self.env.rounds(share)

        def room(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros(length + 1, n, *shape, dtype=dtype, device=device)

        self.observations = room(padded(rules.FEATURES), dtype=torch.int8)
        self.masks = room(padded(rules.MOVES), dtype=torch.bool)
        self.actors = room(dtype=torch.int8)
        self.rewards = room(rules.SEATS, dtype=torch.float32)
        self.done = room(dtype=torch.bool)
        self.scores = room(rules.SEATS, dtype=torch.int32)
        hidden = 0 if secrets is None else padded(len(secrets) * (rules.SEATS - 1))
        self.secrets = room(hidden, dtype=torch.int8)  # of all other seats, from the one after the seat to act on
        self.supposed = room(hidden, dtype=torch.int8)  # the same in a deal that the seat to act takes for possible
        self._columns = None if secrets is None or len(secrets) == 0 else secrets
        self.players = torch.from_numpy(self.env.players.astype(np.int64)).to(device)
        self._parts = (self.observations, self.masks, self.actors, self.rewards, self.done, self.scores)
        self._into: list[Step] = []
        if device == "cuda":
            wrap = self.env.cuda.as_cuda_array
            self._into = [Step(*(wrap(part[t]) for part in self._parts)) for t in range(length + 1)]
            if self._columns is not None:
                self._columns = self.env.cuda.to_device(self._columns)
                self._surveys = [(wrap(self.secrets[t]), wrap(self.supposed[t])) for t in range(length + 1)]
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deal everything anew; the first positions are at time 0."""
        if self._into:
            self.env.reset(seed, into=self._into[0])
        else:
            self._keep(self.env.reset(seed), 0)
        self._survey(0)

    def step(self, t: int, moves: Tensor) -> None:
        """Make the moves at time t: what follows is at t + 1; rewards, done and scores are those of these moves."""
        if self._into:
            self.env.step(moves, check=False, into=self._into[t + 1])
        else:
            self._keep(self.env.step(moves.numpy(), check=False), t + 1)
        self._survey(t + 1)

    def wrap(self) -> None:
        """The last position becomes the first."""
        for part in (self.observations, self.masks, self.actors, self.secrets, self.supposed):
            part[0].copy_(part[self.length])

    def random_moves(self) -> Tensor:
        return self._moves(self.env.random_moves())

    def policy_moves(self) -> Tensor:
        return self._moves(self.env.policy_moves())

    def _moves(self, moves: Any) -> Tensor:
        return torch.as_tensor(moves, device=self.device).long()

    def _survey(self, t: int) -> None:
        if self._columns is not None:
            both = self._surveys[t] if self._into else (self.secrets[t].numpy(), self.supposed[t].numpy())
            self.env.survey(self._columns, both[0])
            self.env.suppose(self._columns, both[1])

    def _keep(self, step: Step, t: int) -> None:
        for part, new in zip(self._parts, step, strict=True):
            wide = part[t] if new.ndim == 1 else part[t, :, : new.shape[1]]
            wide.copy_(torch.from_numpy(new))
