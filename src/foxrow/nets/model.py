"""The network as PyTorch trains it. `weights` says what its layers are."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from foxrow.nets.weights import Layers, names

FLOOR = 0.2  # a feature that hardly ever varies is not blown up
UNIT = 64  # tensor cores want rows of a multiple of this


def padded(n: int) -> int:
    """A width that tensor cores like; what is beyond `n` stays zero."""
    return -(-n // UNIT) * UNIT


class Model(nn.Module):
    """Features in, logits of moves and values of seats out, both padded. Features are centred and scaled."""

    def __init__(self, features: int, moves: int, seats: int, width: int, depth: int) -> None:
        super().__init__()
        self.width, self.depth = width, depth
        self.features, self.moves = features, moves
        features, moves = padded(features), padded(moves)
        self.mean: Tensor
        self.scale: Tensor
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self.enter = nn.Linear(features, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.policy = nn.Linear(width, moves)
        self.value = nn.Linear(width, seats)
        for layer in (self.enter, *self.blocks):
            nn.init.orthogonal_(layer.weight, 2**0.5 if layer is self.enter else 1.0)
            nn.init.zeros_(layer.bias)
        for layer, gain in ((self.policy, 0.01), (self.value, 0.1)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        x = (features.float() - self.mean) * self.scale
        h = torch.relu(self.enter(x))
        for block in self.blocks:
            h = h + torch.relu(block(h))
        return self.policy(h), self.value(h)

    def fit_scale(self, features: Tensor) -> None:
        """Take the fixed numbers from a sample of positions."""
        _fit(self.mean, self.scale, features)

    def layers(self) -> Layers:
        """For a file: the scaling is folded into the first layer."""
        out: dict[str, Any] = {}
        layers = [self.enter, *self.blocks, self.policy, self.value]
        for name, layer in zip(names(self.depth), layers, strict=True):
            matrix = layer.weight.detach().double().cpu().numpy().T
            bias = layer.bias.detach().double().cpu().numpy()
            if name == "enter":
                matrix = matrix * self.scale.double().cpu().numpy()[:, None]
                bias = bias - self.mean.double().cpu().numpy() @ matrix
                matrix = matrix[: self.features]
            if name == "policy":
                matrix, bias = matrix[:, : self.moves], bias[: self.moves]
            out[name] = (matrix.astype(np.float32), bias.astype(np.float32))
        return out

    @torch.no_grad()
    def read(self, layers: Layers) -> None:
        """From a file: the other way round, with the scaling that is set now."""
        mine = [self.enter, *self.blocks, self.policy, self.value]
        for name, layer in zip(names(self.depth), mine, strict=True):
            matrix, bias = (torch.from_numpy(part).to(self.mean.device) for part in layers[name])
            if name == "enter":
                bias = bias + self.mean[: self.features] @ matrix
                matrix = matrix / self.scale[: self.features, None]
            rows, columns = matrix.shape
            layer.weight[:columns, :rows].copy_(matrix.T)
            layer.bias[:columns].copy_(bias)


class Critic(nn.Module):
    """What every seat may expect, by one that sees the seat's features and the others' secrets. It never plays."""

    def __init__(self, features: int, secrets: int, seats: int, width: int, depth: int) -> None:
        super().__init__()
        self.mean: Tensor
        self.scale: Tensor
        self.register_buffer("mean", torch.zeros(features + secrets))
        self.register_buffer("scale", torch.ones(features + secrets))
        self.enter = nn.Linear(features + secrets, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.value = nn.Linear(width, seats)
        for layer, gain in ((self.enter, 2**0.5), *((block, 1.0) for block in self.blocks), (self.value, 0.1)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, features: Tensor, secrets: Tensor) -> Tensor:
        x = torch.cat((features, secrets), 1)
        h = torch.relu(self.enter((x.float() - self.mean) * self.scale))
        for block in self.blocks:
            h = h + torch.relu(block(h))
        value: Tensor = self.value(h)
        return value

    def fit_scale(self, features: Tensor, secrets: Tensor) -> None:
        """Take the fixed numbers from a sample of positions."""
        _fit(self.mean, self.scale, torch.cat((features, secrets), 1))


def _fit(mean: Tensor, scale: Tensor, sample: Tensor) -> None:
    mean.copy_(sample.float().mean(0))
    scale.copy_(1 / sample.float().std(0).clamp(min=FLOOR))
