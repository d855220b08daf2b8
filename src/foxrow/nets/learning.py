"""Learning from what was played: one step of proximal policy optimisation after the other."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from foxrow.core.contract import Game
from foxrow.nets.foresight import Foresight, Lesson
from foxrow.nets.plan import Plan
from foxrow.nets.selfplay import Say, SelfPlay, Watch


class Learning(SelfPlay):
    """Self-play, and what makes a better player of it."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        device: str,
        folder: Path,
        say: Say = print,
        *,
        exploit: Path | None = None,
        watch: Watch | None = None,
    ) -> None:
        super().__init__(game, plan, device, folder, say, exploit=exploit, watch=watch)
        fused = device == "cuda"
        self.rate = torch.tensor(plan.rate, device=device)
        self.optimiser = torch.optim.Adam(
            [*self.model.parameters(), *(self.critic.parameters() if self.critic else ())],
            lr=self.rate if fused else plan.rate,
            eps=1e-5,
            fused=fused,
            capturable=fused,
        )
        self.average = copy.deepcopy(self.model).requires_grad_(False)  # a step wavers, their mean does not: it plays
        self.turns = 0  # of learning in this run
        self.part: list[Tensor] = []  # the minibatch: observations … there, the weights, and the lesson
        self.facts = torch.zeros(7, device=device)
        self.foresight = Foresight(self) if plan.foresee else None
        self.weights = torch.tensor([plan.entropy, plan.barrier], device=device)  # of entropy and barrier, now
        self.unsettled = 0  # turns in which the critic learns alone
        self.spent = 0.0  # seconds of learning, earlier runs included
        self.curve: list[dict[str, float]] = []
        self.lot = np.random.default_rng(plan.seed)
        self._learning: Any = None  # a CUDA graph of `_update`
        self._loss = torch.compile(self._loss_plain) if plan.compile else self._loss_plain

    def _loss_plain(
        self,
        observations: Tensor,
        secrets: Tensor,
        supposed: Tensor,
        masks: Tensor,
        moves: Tensor,
        logp: Tensor,
        advantages: Tensor,
        targets: Tensor,
        learned: Tensor,
        there: Tensor,
        weights: Tensor,
        *lesson: Tensor,
    ) -> tuple[Tensor, Tensor]:
        plan = self.plan
        with self._autocast():
            logits, values = self.model(observations)
            judged = values
            if self.critic is not None:
                seen = self.critic.look(observations)
                judged, true = self.critic.judge(seen, secrets)
                some = len(supposed)  # the first times of every game
                _, possible = self.critic.judge(seen[:some], supposed)
        logits = torch.where(masks, logits.float(), -1e9)
        logs = logits.log_softmax(1)
        new = logs.gather(1, moves[:, None])[:, 0]
        ratio = (new - logp).exp()
        bounded = ratio.clamp(1 - plan.clip, 1 + plan.clip)
        many = learned.sum().clamp(min=1)
        gain = torch.minimum(ratio * advantages, bounded * advantages)
        legal = torch.where(masks, logs, 0.0)
        entropy = -(logs.exp() * legal).sum(1)
        far = -legal.sum(1) / masks.sum(1).clamp(min=1)  # how far the moves that are hardly ever made are out of reach
        policy_loss = -(gain * learned).sum() / many
        mean_entropy = (entropy * learned).sum() / many
        doubt = weights[1] * far - weights[0] * entropy
        calmed = torch.where(there.sum(1) > 2, plan.calm, 1.0) * learned
        doubt_loss = (doubt * calmed).sum() / many
        value_loss = ((values.float() - targets).square() * there).sum() / there.sum()
        critic_loss = ((judged.float() - targets).square() * there).sum() / there.sum()
        loss = plan.policy * policy_loss + plan.value * value_loss + doubt_loss
        foreseen = torch.zeros_like(value_loss)
        if self.foresight is not None:
            taught = Lesson(*lesson)
            with self._autocast():
                logits, _ = self.model(taught.observations)
            foreseen = self.foresight.loss(taught, logits)
            loss = loss + plan.heed * foreseen
        deal_loss = torch.zeros_like(value_loss)
        if self.critic is not None:
            softplus = torch.nn.functional.softplus
            deal_loss = 0.5 * (softplus(-true[:some].float()).mean() + softplus(possible.float()).mean())
            loss = loss + plan.value * critic_loss + plan.deals * deal_loss
        drift = (((ratio - 1) - (new - logp)) * learned).sum() / many
        clipped = (((ratio - 1).abs() > plan.clip) * learned).sum() / many
        return loss, torch.stack([value_loss, critic_loss, deal_loss, mean_entropy, drift, clipped, foreseen]).detach()

    def _update(self) -> None:
        """One step of learning on the minibatch in `self.part`."""
        loss, facts = self._loss(*self.part)
        loss.backward()
        for net in (self.model, self.critic):
            if net is not None:
                torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5, foreach=True)
        self.optimiser.step()
        self.facts.copy_(facts)

    def _learn(self, advantages: Tensor, targets: Tensor, share: float) -> Tensor:
        """From all that was played; `share` of the time is over."""
        field, plan = self.field, self.plan
        learned = self.learned.float()
        if self.unsettled > 0:
            self.unsettled -= 1
            learned = torch.zeros_like(learned)
        many = learned.sum().clamp(min=1)
        mean = (advantages * learned).sum() / many
        spread = (((advantages - mean).square() * learned).sum() / many).sqrt()
        advantages = (advantages - mean) / (spread + 1e-5)
        parts = plan.parts
        there = (self.seats < field.players[:, None]).float().expand(plan.length, -1, -1)
        whole = (
            field.observations,
            field.secrets,
            field.supposed[: field.doubts],
            field.masks,
            self.moves,
            self.logp,
            advantages,
            targets,
            learned,
            there,
        )
        self.weights[0] = plan.entropy + (plan.last_entropy - plan.entropy) * share
        self.weights[1] = plan.barrier + (plan.last_barrier - plan.barrier) * share
        told = torch.zeros_like(self.facts)
        for _ in range(plan.epochs):
            for part in self.lot.permutation(parts):
                at = slice(int(part), None, parts)  # every stretch of games is in every part
                cut = [x[: plan.length, at] for x in whole]
                if self.part and self.part[0].shape[0] == cut[0].shape[0] * cut[0].shape[1]:
                    for mine, new in zip(self.part, cut, strict=False):
                        mine.view(new.shape).copy_(new)
                else:
                    self.part = [
                        *(x.flatten(0, 1).clone() for x in cut),
                        self.weights,
                        *(self.foresight.lesson if self.foresight else ()),
                    ]
                    self._learning = None
                if self.foresight is not None:
                    self.foresight.teach()
                if self._learning is not None:
                    self._learning.replay()
                else:
                    self.optimiser.zero_grad(set_to_none=True)
                    self._update()
                told += self.facts
        self._keep_average()
        return told / (parts * plan.epochs)

    @torch.no_grad()
    def _keep_average(self) -> None:
        self.turns += 1
        new = max(1 - self.plan.average, 1 / self.turns)
        for mean, now in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(now, new)

    def _learning_graph(self) -> None:
        """Record `_update`, after it has run; recording does not learn."""
        self.optimiser.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._update()
        self._learning = graph

    def _record(self) -> None:
        """From now on replay what the first turns did."""
        try:
            self._draw_graphs()
            self._learning_graph()
        except RuntimeError as error:
            self._thinking, self._learning = [], None
            self.say(f"no CUDA graphs: {error}")
