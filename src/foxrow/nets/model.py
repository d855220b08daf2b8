"""The network as PyTorch trains it. `weights` says what its layers are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from foxrow.nets.weights import Layer, Layers, critic_names, names

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

    @torch.no_grad()
    def take(self, state: dict[str, Tensor]) -> None:
        """Another net's mind. Of a narrower one too: neither its units nor the heads hear those that are new."""
        for name, mine in self.state_dict().items():
            given = state[name]
            if mine.ndim == 2 and not name.startswith("enter"):
                mine[: given.shape[0]] = 0
            mine[tuple(map(slice, given.shape))] = given

    def layers(self) -> Layers:
        """For a file: the scaling is folded into the first layer, the padding is cut off."""
        out = _layers([self.enter, *self.blocks, self.policy, self.value], names(self.depth))
        matrix, bias = _unscaled(out["enter"], self.mean, self.scale)
        out["enter"] = matrix[: self.features], bias
        matrix, bias = out["policy"]
        out["policy"] = matrix[:, : self.moves], bias[: self.moves]
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
            layer.weight[:columns] = 0
            layer.weight[:columns, :rows].copy_(matrix.T)
            layer.bias[:columns].copy_(bias)


class Critic(nn.Module):
    """What every seat may expect, by one that sees the seat's features and the others' secrets. It never plays.

    And whether these secrets are the true ones or only possible: the odds say how much more likely they are, by what
    the table looks like, than a deal drawn evenly from all that the seat cannot rule out.
    """

    def __init__(self, features: int, secrets: int, seats: int, width: int, depth: int) -> None:
        super().__init__()
        self.width, self.depth = width, depth
        self.features, self.secrets = features, secrets
        features, secrets = padded(features), padded(secrets)
        self.mean: Tensor
        self.scale: Tensor
        self.register_buffer("mean", torch.zeros(features + secrets))
        self.register_buffer("scale", torch.ones(features + secrets))
        self.enter = nn.Linear(features + secrets, width)
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.value = nn.Linear(width, seats)
        self.deal = nn.Linear(width, 1)
        heads = ((self.value, 0.1), (self.deal, 0.1))
        for layer, gain in ((self.enter, 2**0.5), *((block, 1.0) for block in self.blocks), *heads):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, features: Tensor, secrets: Tensor) -> tuple[Tensor, Tensor]:
        return self.judge(self.look(features), secrets)

    def look(self, features: Tensor) -> Tensor:
        """The first layer's part that is the same whatever the secrets are."""
        many = features.shape[1]
        x = (features.float() - self.mean[:many]) * self.scale[:many]
        return torch.nn.functional.linear(x, self.enter.weight[:, :many], self.enter.bias)

    def judge(self, seen: Tensor, secrets: Tensor) -> tuple[Tensor, Tensor]:
        many = len(self.mean) - secrets.shape[1]
        x = (secrets.float() - self.mean[many:]) * self.scale[many:]
        h = torch.relu(seen + torch.nn.functional.linear(x, self.enter.weight[:, many:]))
        for block in self.blocks:
            h = h + torch.relu(block(h))
        return self.value(h), self.deal(h)[:, 0]

    def fit_scale(self, features: Tensor, secrets: Tensor) -> None:
        """Take the fixed numbers from a sample of positions."""
        _fit(self.mean, self.scale, torch.cat((features, secrets), 1))

    @torch.no_grad()
    def read(self, layers: Layers) -> None:
        """From a file: the other way round."""
        behind = padded(self.features)
        for name, layer in zip(critic_names(self.depth), self._stack(), strict=True):
            matrix, bias = (torch.from_numpy(part).to(self.mean.device) for part in layers[name])
            if name != "critic.enter":
                layer.weight.copy_(matrix.T)
                layer.bias.copy_(bias)
                continue
            whole = torch.zeros_like(layer.weight.T)
            whole[: self.features] = matrix[: self.features]
            whole[behind : behind + self.secrets] = matrix[self.features :]
            layer.bias.copy_(bias + self.mean @ whole)
            layer.weight.copy_((whole / self.scale[:, None]).T)

    def _stack(self) -> list[nn.Linear]:
        return [self.enter, *self.blocks, self.value, self.deal]

    def layers(self) -> Layers:
        """For a file, as the net's own."""
        out = _layers(self._stack(), critic_names(self.depth))
        matrix, bias = _unscaled(out["critic.enter"], self.mean, self.scale)
        behind = padded(self.features)
        out["critic.enter"] = np.concatenate((matrix[: self.features], matrix[behind : behind + self.secrets])), bias
        return out


def _fit(mean: Tensor, scale: Tensor, sample: Tensor) -> None:
    mean.copy_(sample.float().mean(0))
    scale.copy_(1 / sample.float().std(0).clamp(min=FLOOR))


def _layers(layers: Sequence[Any], called: Sequence[str]) -> Layers:
    """Matrices [in, out] and biases by name."""
    return {
        name: (layer.weight.detach().float().cpu().numpy().T, layer.bias.detach().float().cpu().numpy())
        for name, layer in zip(called, layers, strict=True)
    }


def _unscaled(layer: Layer, mean: Tensor, scale: Tensor) -> Layer:
    """A first layer that takes features as they are."""
    matrix = layer[0].astype(np.float64) * scale.double().cpu().numpy()[:, None]
    bias = layer[1] - mean.double().cpu().numpy() @ matrix
    return matrix.astype(np.float32), bias.astype(np.float32)
