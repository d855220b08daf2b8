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
from foxrow.nets.secrets import in_frames, secret_size


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
        doubts: int = 1,
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
        hidden = 0 if secrets is None else padded(secret_size(game, secrets))
        self.secrets = room(hidden, dtype=torch.int8)  # what the seat to act cannot know
        # the same in a deal that it takes for possible, at the first `doubts` times, if any; behind them, at the end
        self.doubts = min(doubts, length)
        self.supposed = torch.zeros(self.doubts + 1, n, hidden, dtype=torch.int8, device=device)
        columns, named = rules.frames.features, rules.frames.moves
        self._columns: Any = None
        if secrets is not None and len(secrets) > 0:
            self._columns = in_frames(game, secrets)
        # where a game has frames, the net sees rows that are turned into them, and its moves are turned back
        self.now = 0
        self.framed = len(columns) > 1
        self.frames = room(dtype=torch.int32) if self.framed else torch.zeros(0)
        self._named = torch.from_numpy(named.astype(np.int64)).to(device)  # [frame, move] what a move is called there
        self._meant = torch.from_numpy(named.argsort(1)).to(device)  # [frame, name] the move that is called so
        self.players = torch.from_numpy(self.env.players.astype(np.int64)).to(device)
        self._parts = (self.observations, self.masks, self.actors, self.rewards, self.done, self.scores)
        self._into: list[Step] = []
        self._orders: tuple[Any, Any] = (columns, named.argsort(1).astype(np.int16))
        self._turns: list[tuple[Any, ...]] = []
        if device == "cuda":
            wrap = self.env.cuda.as_cuda_array
            self._into = [Step(*(wrap(part[t]) for part in self._parts)) for t in range(length + 1)]
            if self.framed:
                seen, masked = (torch.zeros_like(part[0]) for part in (self.observations, self.masks))
                self._flat = seen, masked  # as the board lies
                self._turns = [(*step[:2], wrap(at)) for step, at in zip(self._into, self.frames, strict=True)]
                self._into = [Step(wrap(seen), wrap(masked), *step[2:]) for step in self._into]
                self._orders = tuple(map(self.env.cuda.to_device, self._orders))
            if self._columns is not None:
                self._columns = self.env.cuda.to_device(self._columns)
                self._surveys = [[wrap(at) for at in part] for part in (self.secrets, self.supposed)]
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deal everything anew; the first positions are at time 0."""
        if self._into:
            self.env.reset(seed, into=self._into[0])
        else:
            self._keep(self.env.reset(seed), 0)
        self._look(0)

    def step(self, t: int, moves: Tensor) -> None:
        """Make the moves at time t: what follows is at t + 1; rewards, done and scores are those of these moves."""
        if self.framed:
            moves = self._meant[self.frames[t].long(), moves]
        if self._into:
            self.env.step(moves, check=False, into=self._into[t + 1])
        else:
            self._keep(self.env.step(moves.numpy(), check=False), t + 1)
        self._look(t + 1)

    def branch(self, other: Field, slots: Tensor, alike: int) -> None:
        """At time 0, where another field is now: slot i goes on from its slot `slots[i]` (see `Batch.branch`)."""
        if self._into:
            self.env.branch(other.env, slots, alike=alike, into=self._into[0])
        else:
            self._keep(self.env.branch(other.env, slots.numpy(), alike=alike), 0)
        self.players.copy_(other.players[slots])
        self._look(0)

    def wrap(self) -> None:
        """The last position becomes the first."""
        for part in (self.observations, self.masks, self.actors, self.secrets, self.supposed, self.frames):
            if len(part):
                part[0].copy_(part[-1])
        self.now = 0

    def random_moves(self) -> Tensor:
        return self._moves(self.env.random_moves())

    def policy_moves(self, first: int = 0) -> Tensor:
        """Of the games from `first` on."""
        return self._moves(self.env.policy_moves(first), first)

    def _moves(self, moves: Any, first: int = 0) -> Tensor:
        """Moves of now, as the net calls them."""
        moves = torch.as_tensor(moves, device=self.device).long()
        return self._named[self.frames[self.now, first:].long(), moves] if self.framed else moves

    def _look(self, t: int) -> None:
        """What the seats to act see at time t, besides what a step says: frames, and the others' secrets."""
        self.now = t
        if self._turns:
            seen, masked, frames = self._turns[t]
            self.env.frames(frames)
            for flat, order, turned in zip(self._into[t][:2], self._orders, (seen, masked), strict=True):
                self.env.turn(flat, order, frames, turned)
        elif self.framed:
            frames = self.frames[t].numpy()
            self.env.frames(frames)
            for order, turned in zip(self._orders, (self.observations[t], self.masks[t]), strict=True):
                self.env.turn(turned.numpy().copy(), order, frames, turned.numpy())
        if self._columns is not None:
            known, supposed = self._surveys if self._into else (self.secrets.numpy(), self.supposed.numpy())
            self.env.survey(self._columns, known[t])
            if self.doubts and (t < self.doubts or t == self.length):
                self.env.suppose(self._columns, supposed[min(t, self.doubts)])

    def _keep(self, step: Step, t: int) -> None:
        for part, new in zip(self._parts, step, strict=True):
            wide = part[t] if new.ndim == 1 else part[t, :, : new.shape[1]]
            wide.copy_(torch.from_numpy(new))
