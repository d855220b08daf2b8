"""Earlier versions of a net, side by side: a few of one shape answer together, each its own stretch of positions."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from foxrow.nets.model import Model

State = dict[str, Tensor]


class Rivals(nn.Module):
    """The policies of `many` nets that look like `model`. Their matrices lie in one block each, and already in the
    precision that the GPU multiplies with: four small nets one by one would keep it waiting."""

    def __init__(self, model: Model, many: int, precision: torch.dtype) -> None:
        super().__init__()
        self.many = many
        self.met: list[State] = [{}] * many  # who they are now
        self.precision = precision
        self.mean, self.scale = model.mean, model.scale
        self.stack: Any = []  # of every layer the matrices [rival, in, out] and biases [rival, 1, out]
        for layer in (model.enter, *model.blocks, model.policy):
            wide, narrow = layer.weight.shape
            room = {"dtype": precision, "device": layer.weight.device}
            self.stack.append((torch.zeros(many, narrow, wide, **room), torch.zeros(many, 1, wide, **room)))

    @torch.no_grad()
    def invite(self, at: int, state: State) -> None:
        """From now on the rival at that place is this one."""
        self.met[at] = state
        names = ["enter", *(f"blocks.{i}" for i in range(len(self.stack) - 2)), "policy"]
        for name, (matrix, bias) in zip(names, self.stack, strict=True):
            matrix[at].copy_(state[f"{name}.weight"].T)
            bias[at, 0].copy_(state[f"{name}.bias"])

    def forward(self, features: Tensor) -> Tensor:
        """Logits of as many stretches of positions as there are rivals."""
        x = ((features.float() - self.mean) * self.scale).to(self.precision)
        x = x.view(self.many, -1, x.shape[1])
        (enter, enter_bias), *blocks, (policy, policy_bias) = self.stack
        h = torch.relu(torch.baddbmm(enter_bias, x, enter))
        for matrix, bias in blocks:
            h = h + torch.relu(torch.baddbmm(bias, h, matrix))
        return torch.baddbmm(policy_bias, h, policy).flatten(0, 1)
