"""Self-play: a net learns a game from nothing by playing itself and its own past, thousands of games at a time.

Proximal policy optimisation. What is special here:
- one stream of moves a game, whoever makes them: the value has a number for every seat, so an advantage is estimated
  over all moves of the game and read off at the seat that moved;
- what a move was worth is judged by a critic that sees all hands and only helps to learn: it knows more of a round's
  luck, so less of it is taken for the move's doing (the net's own value learns the same targets);
- a share of the games is against earlier versions, so that what was learned against them is not forgotten, and one
  against the game's rule of thumb, whose mistakes the net itself no longer makes;
- the reward is the win; early on, where scores and wins go together, the margin of points adds a hint that fades out;
- all player counts and options are mixed, so one net plays them all.

An exploiter is the same with one difference: all its games are against one frozen bot, as that one plays (its most
probable move). What it wins is a lower bound on how far the bot can be beaten by somebody who knows it.
"""

from __future__ import annotations

import csv
import itertools
import json
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from foxrow.core.batch import Variant, all_variants
from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.nets.field import Field
from foxrow.nets.model import Critic, Model
from foxrow.nets.secrets import secrets
from foxrow.nets.weights import Card, WeightsError, home, load, save

Say = Callable[[str], None]
Watch = Callable[[float, int], None]  # the share of the time that is over, and the moves learned from


@dataclass(frozen=True)
class Plan:
    """How to train. The defaults are for a large GPU."""

    minutes: float = 6.0
    games: int = 49152  # at once
    length: int = (
        64  # moves of each between two updates: a good part of a round, or the value's errors are what is learned
    )
    minibatch: int = 65536  # moves
    epochs: int = 1
    width: int = 512
    depth: int = 4
    rate: float = 5e-4  # of learning, at the start
    last_rate: float = 1e-4  # and at the end
    clip: float = 0.2
    trust: float = 0.985  # λ of what the values should have said
    reach: float = 0.96  # λ of the advantages
    critic: int = 512  # width of the critic; 0: the net's own value is the critic
    critic_depth: int = 3
    settle: int = 24  # turns in which a new critic learns alone, beside a net that has learned already
    entropy: float = 0.02
    last_entropy: float = 0.005
    value: float = 0.5  # weight of the value's loss
    deals: float = 0.1  # and of how the critic tells the true deal from a possible one
    margin: float = 0.3  # of the reward that points give at the start
    fade: float = 0.5  # share of the time until it is gone
    past: float = 0.2  # share of the games against earlier versions
    thumb: float = 0.08  # share of the games against the rule of thumb
    rivals: int = 4  # earlier versions at once
    keep: int = 24  # earlier versions that are kept
    snapshot: float = 12.0  # seconds between two of them
    check: float = 60.0  # seconds between two tests against the rule of thumb
    small: float = 3.0  # how often the smallest table is played, for each time of a middling one
    full: float = 2.0  # and the full one
    seed: int = 1
    compile: bool = False  # by torch.compile: faster, after half a minute
    graphs: bool = True  # CUDA graphs: the GPU does not wait for Python
    players: tuple[int, ...] | None = None  # None: all
    soften: float = 1.0  # what a resumed policy's logits are multiplied by: below 1, one that is too sure tries again
    weaken: float = 0.0  # an exploited bot makes this share of its moves at random: to see that an exploiter works


def further(plan: Plan) -> Plan:
    """For a net that has learned already: no hint by points, smaller steps, less at random."""
    return replace(plan, margin=0.0, rate=3e-4, entropy=0.01)


TINY = Plan(minutes=0.05, games=64, length=8, minibatch=256, width=32, depth=2, snapshot=1.0, check=1e9, rivals=1)


def shares(game: Game, kinds: Sequence[Variant], small: float, full: float) -> list[float]:
    """How often each variant is played: the smallest and the full table most, options at their defaults most."""
    counts = sorted({kind.players for kind in kinds})
    weight = dict.fromkeys(counts, 1.0)
    weight[counts[-1]] = full
    weight[counts[0]] = small
    defaults = {option.key: option.default for option in game.options}
    odds = [0.4 ** sum(value != defaults[key] for key, value in kind.options.items()) for kind in kinds]
    total = {count: sum(o for o, kind in zip(odds, kinds, strict=True) if kind.players == count) for count in counts}
    return [weight[kind.players] * o / total[kind.players] for o, kind in zip(odds, kinds, strict=True)]


class Trainer:
    """One training run of one game."""

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
        torch.manual_seed(plan.seed)
        frozen = load(exploit, game) if exploit else None
        if frozen:
            plan = replace(plan, past=1.0, thumb=0.0, rivals=1)
        self.name = f"{game.key}-exploiter" if frozen else game.key
        self.watch = watch
        self.game, self.plan, self.device, self.folder, self.say = game, plan, device, folder, say
        rules = game.rules
        self.kinds = all_variants(game, plan.players)
        self.secrets = secrets(game, self.kinds)
        self.field = Field(
            game,
            plan.games,
            self.kinds,
            shares(game, self.kinds, plan.small, plan.full),
            plan.length,
            plan.seed,
            device,
            self.secrets if plan.critic else None,
        )
        self.model = Model(rules.FEATURES, rules.MOVES, rules.SEATS, plan.width, plan.depth).to(device)
        self.critic: Critic | None = None
        if plan.critic:
            others = len(self.secrets) * (rules.SEATS - 1)
            self.critic = Critic(rules.FEATURES, others, rules.SEATS, plan.critic, plan.critic_depth).to(device)
        fused = device == "cuda"
        self.rate = torch.tensor(plan.rate, device=device)
        self.optimiser = torch.optim.Adam(
            [*self.model.parameters(), *(self.critic.parameters() if self.critic else ())],
            lr=self.rate if fused else plan.rate,
            eps=1e-5,
            fused=fused,
            capturable=fused,
        )
        self._thinking: list[Any] = []  # CUDA graphs of `_think`, one a time
        self._learning: Any = None  # and of `_update`
        self.past: list[dict[str, Tensor]] = []
        self.rivals = [
            Model(rules.FEATURES, rules.MOVES, rules.SEATS, plan.width, plan.depth).to(device).requires_grad_(False)
            for _ in range(plan.rivals)
        ]
        self.frozen: Model | None = None  # the bot that an exploiter plays, and plays only
        if frozen:
            card, layers = frozen
            self.frozen = Model(rules.FEATURES, rules.MOVES, rules.SEATS, card.width, card.depth)
            self.frozen.read(layers)
            self.frozen.to(device).requires_grad_(False)
            self.rivals = [self.frozen]
        self.part: list[Tensor] = []  # the minibatch: observations … there, and the weight of the entropy
        self.facts = torch.zeros(6, device=device)
        self.weight = torch.tensor(plan.entropy, device=device)
        self.samples = 0
        self.unsettled = 0  # turns in which the critic learns alone
        self.lot = np.random.default_rng(plan.seed)
        self.spent = 0.0  # seconds of training, earlier runs included
        self.curve: list[dict[str, float]] = []
        self.margin_scale, self.margin_worth = 1.0, 0.0
        n, length, seats = plan.games, plan.length, rules.SEATS
        self.moves = torch.zeros(length, n, dtype=torch.long, device=device)
        self.logp = torch.zeros(length, n, device=device)
        self.values = torch.zeros(length + 1, n, seats, device=device)  # by seat of the table
        self.learned = torch.ones(length, n, dtype=torch.bool, device=device)  # moves of the learning net
        # at the end lie the games against the past, in one stretch a rival, and then those against the rule of thumb;
        # there the net has one seat
        self.first_thumb = n - int(n * plan.thumb)
        self.first_past = self.first_thumb - int(n * plan.past) // plan.rivals * plan.rivals
        self.thumb = torch.zeros(n - self.first_thumb, dtype=torch.long, device=device)  # the rule of thumb's moves
        self.home = torch.randint(1 << 30, (n,), device=device) % self.field.players
        self.seats = torch.arange(seats, device=device)
        self._forward: Any = torch.compile(self.model) if plan.compile else self.model
        self._judge: Any = torch.compile(self.critic) if plan.compile and self.critic else self.critic
        self._draw = torch.compile(self._draw_plain) if plan.compile else self._draw_plain
        self._loss = torch.compile(self._loss_plain) if plan.compile else self._loss_plain
        self._look_around()

    # playing --------------------------------------------------------------------------------------------

    def _autocast(self) -> Any:
        return torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda")

    def _draw_plain(self, logits: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """A move drawn from the policy, and its log probability."""
        logits = torch.where(masks, logits.float(), -1e9)
        noise = torch.empty_like(logits).exponential_().clamp(min=1e-20)
        moves = (logits - noise.log()).argmax(1)
        return moves, logits.gather(1, moves[:, None])[:, 0] - logits.logsumexp(1)

    def _by_seat(self, relative: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        """Values counted from the seat to act → by seat of the table; 0 where nobody sits."""
        at = torch.remainder(self.seats - actors.long()[:, None], players[:, None])
        return relative.gather(1, at) * (self.seats < players[:, None])

    def _from_actor(self, by_seat: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        at = torch.remainder(self.seats + actors.long()[:, None], players[:, None])
        return by_seat.gather(1, at)

    def _think(self, t: int) -> None:
        """Choose the moves of time t and note what the net thought of it."""
        field, plan = self.field, self.plan
        actors = field.actors[t]
        with self._autocast():
            logits, values = self._forward(field.observations[t])
            if self.critic is not None:
                values, _ = self._judge(field.observations[t], field.secrets[t])
        self.values[t].copy_(self._by_seat(values.float(), actors, field.players))
        if t == plan.length:
            return
        moves, logp = self._draw(logits, field.masks[t])
        self.logp[t].copy_(logp)
        mine = actors.long() == self.home
        width = (self.first_thumb - self.first_past) // plan.rivals
        for k, rival in enumerate(self.rivals):
            at = slice(self.first_past + k * width, self.first_past + (k + 1) * width)
            if self.frozen is not None:
                theirs = self._frozen_moves(field.observations[t, at], field.masks[t, at])
            else:
                with self._autocast():
                    logits, _ = rival(field.observations[t, at])
                theirs, _ = self._draw_plain(logits, field.masks[t, at])
            moves[at] = torch.where(mine[at], moves[at], theirs)
        at = slice(self.first_thumb, None)
        moves[at] = torch.where(mine[at], moves[at], self.thumb)
        self.learned[t, self.first_past :] = mine[self.first_past :]
        self.moves[t].copy_(moves)

    def _frozen_moves(self, observations: Tensor, masks: Tensor) -> Tensor:
        """As the bot plays: its most probable move, or, weakened, now and then any legal one."""
        assert self.frozen is not None
        with self._autocast():
            logits, _ = self.frozen(observations)
        moves = torch.where(masks, logits.float(), -1e9).argmax(1)
        if self.plan.weaken > 0:
            any_move = torch.where(masks, torch.rand_like(logits, dtype=torch.float32), -1.0).argmax(1)
            moves = torch.where(torch.rand(len(moves), device=moves.device) < self.plan.weaken, any_move, moves)
        return moves

    @torch.no_grad()
    def _collect(self) -> None:
        """Play `length` moves in every game."""
        for t in range(self.plan.length + 1):
            if len(self.thumb):
                self.thumb.copy_(self.field.policy_moves()[self.first_thumb :])
            if self._thinking:
                self._thinking[t].replay()
            else:
                self._think(t)
            if t < self.plan.length:
                self.field.step(t, self.moves[t])
        self.samples += int(self.plan.length * self.plan.games)

    @torch.no_grad()
    def _draw_graphs(self) -> None:
        """Record `_think` of every time, after it has run once."""
        made: list[Any] = []
        for t in range(self.plan.length + 1):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=made[0].pool() if made else None):
                self._think(t)
            made.append(graph)
        self._thinking = made

    @torch.no_grad()
    def _advantages(self, margin: float) -> tuple[Tensor, Tensor]:
        """Advantage of each move for its seat, and what the values should have said, from the seat to act on."""
        field, plan = self.field, self.plan
        n, length = plan.games, plan.length
        gain = near = torch.zeros_like(self.values[0])
        advantages = torch.empty_like(self.logp)
        targets = torch.empty_like(self.values[:length])
        for t in range(length - 1, -1, -1):
            going = (~field.done[t + 1]).float()[:, None]
            reward = self._reward(t + 1, margin)
            surprise = reward + going * self.values[t + 1] - self.values[t]
            gain = surprise + plan.trust * going * gain
            near = surprise + plan.reach * going * near
            actors = field.actors[t]
            advantages[t] = near.gather(1, actors.long()[:, None])[:, 0]
            targets[t] = self._from_actor(gain + self.values[t], actors, field.players)
        assert advantages.shape == (length, n)
        return advantages, targets

    def _reward(self, t: int, margin: float) -> Tensor:
        reward = self.field.rewards[t]
        if margin <= 0:
            return reward
        return (1 - margin) * reward + margin * self._margins(t)

    def _margins(self, t: int) -> Tensor:
        """How far each seat's points are above the mean, in units of what is usual."""
        players = self.field.players[:, None]
        there = (self.seats < players).float()
        points = self.field.scores[t].float() * there
        return (points - points.sum(1, keepdim=True) / players) * there / self.margin_scale

    # learning -------------------------------------------------------------------------------------------

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
        entropy_weight: Tensor,
    ) -> tuple[Tensor, Tensor]:
        plan = self.plan
        with self._autocast():
            logits, values = self.model(observations)
            judged = values
            if self.critic is not None:
                judged, true = self.critic(observations, secrets)
                _, possible = self.critic(observations, supposed)
        logits = torch.where(masks, logits.float(), -1e9)
        logs = logits.log_softmax(1)
        new = logs.gather(1, moves[:, None])[:, 0]
        ratio = (new - logp).exp()
        bounded = ratio.clamp(1 - plan.clip, 1 + plan.clip)
        many = learned.sum().clamp(min=1)
        gain = torch.minimum(ratio * advantages, bounded * advantages)
        entropy = -(logs.exp() * torch.where(masks, logs, 0.0)).sum(1)
        policy_loss = -(gain * learned).sum() / many
        mean_entropy = (entropy * learned).sum() / many
        value_loss = ((values.float() - targets).square() * there).sum() / there.sum()
        critic_loss = ((judged.float() - targets).square() * there).sum() / there.sum()
        loss = policy_loss + plan.value * value_loss - entropy_weight * mean_entropy
        deal_loss = torch.zeros_like(value_loss)
        if self.critic is not None:
            softplus = torch.nn.functional.softplus
            deal_loss = 0.5 * (softplus(-true.float()).mean() + softplus(possible.float()).mean())
            loss = loss + plan.value * critic_loss + plan.deals * deal_loss
        drift = (((ratio - 1) - (new - logp)) * learned).sum() / many
        clipped = (((ratio - 1).abs() > plan.clip) * learned).sum() / many
        return loss, torch.stack([value_loss, critic_loss, deal_loss, mean_entropy, drift, clipped]).detach()

    def _update(self) -> None:
        """One step of learning on the minibatch in `self.part`."""
        loss, facts = self._loss(*self.part)
        loss.backward()
        for net in (self.model, self.critic):
            if net is not None:
                torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5, foreach=True)
        self.optimiser.step()
        self.facts.copy_(facts)

    def _learn(self, advantages: Tensor, targets: Tensor, entropy: float) -> Tensor:
        field, plan = self.field, self.plan
        learned = self.learned.float()
        if self.unsettled > 0:
            self.unsettled -= 1
            learned = torch.zeros_like(learned)
        many = learned.sum().clamp(min=1)
        mean = (advantages * learned).sum() / many
        spread = (((advantages - mean).square() * learned).sum() / many).sqrt()
        advantages = (advantages - mean) / (spread + 1e-5)
        parts = max(1, plan.length * plan.games // plan.minibatch)
        there = (self.seats < field.players[:, None]).float().expand(plan.length, -1, -1)
        whole = (
            field.observations,
            field.secrets,
            field.supposed,
            field.masks,
            self.moves,
            self.logp,
            advantages,
            targets,
            learned,
            there,
        )
        self.weight.fill_(entropy)
        told = torch.zeros_like(self.facts)
        for _ in range(plan.epochs):
            for part in self.lot.permutation(parts):
                at = slice(int(part), None, parts)  # every stretch of games is in every part
                cut = [x[: plan.length, at] for x in whole]
                if self.part and self.part[0].shape[0] == cut[0].shape[0] * cut[0].shape[1]:
                    for mine, new in zip(self.part, cut, strict=False):
                        mine.view(new.shape).copy_(new)
                else:
                    self.part = [*(x.flatten(0, 1).clone() for x in cut), self.weight]
                    self._learning = None
                if self._learning is not None:
                    self._learning.replay()
                else:
                    self.optimiser.zero_grad(set_to_none=True)
                    self._update()
                told += self.facts
        return told / (parts * plan.epochs)

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

    # the run --------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Train for the planned minutes; weights, a checkpoint and the curve are in the folder at the end."""
        plan = self.plan
        self._remember()
        self._meet_the_past()
        begin = last_said = last_snapshot = last_check = time.perf_counter()
        if self.watch:
            self.watch(0.0, self.samples)
        said_samples, turns = self.samples, 0
        length = plan.minutes * 60
        facts = self.facts
        while (passed := time.perf_counter() - begin) < length:
            share = passed / length
            self.rate.fill_(plan.rate + (plan.last_rate - plan.rate) * share)
            if self.device != "cuda":
                self.optimiser.param_groups[0]["lr"] = float(self.rate)
            margin = plan.margin * self.margin_worth * max(0.0, 1 - share / plan.fade) if plan.fade else 0.0
            entropy = plan.entropy + (plan.last_entropy - plan.entropy) * share
            self._collect()
            advantages, targets = self._advantages(margin)
            facts = self._learn(advantages, targets, entropy)
            self.field.wrap()
            turns += 1
            if turns % 8 == 1:
                self._meet_the_past()
            if turns == 2 and plan.graphs and self.device == "cuda":
                self._record()
            now = time.perf_counter()
            if self.watch:
                self.watch(min(1.0, (now - begin) / length), self.samples)
            if now - last_snapshot >= plan.snapshot:
                self._remember()
                last_snapshot = now
            if now - last_said >= min(10.0, length / 4):
                value_loss, critic_loss, deal_loss, mean_entropy, drift, clipped = facts.tolist()  # waits for the GPU
                now = time.perf_counter()
                row = {
                    "seconds": self.spent + now - begin,
                    "samples": float(self.samples),
                    "samples_per_second": (self.samples - said_samples) / (now - last_said),
                    "value_loss": value_loss,
                    "critic_loss": critic_loss,
                    "deal_loss": deal_loss,  # ln 2: it knows nothing
                    "entropy": mean_entropy,
                    "drift": drift,
                    "clipped": clipped,
                }
                if now - last_check >= plan.check:
                    row |= self.test()
                    last_check = time.perf_counter()
                    self.save()
                self.curve.append(row)
                self.say(" ".join(f"{key}={value:.4g}" for key, value in row.items()))
                last_said, said_samples = time.perf_counter(), self.samples
        self.spent += time.perf_counter() - begin
        self.save()

    def profile(self) -> dict[str, float]:
        """Where the time of one turn goes, in milliseconds; the games go on."""

        def clock() -> float:
            if self.device == "cuda":
                torch.cuda.synchronize()
            return time.perf_counter() * 1e3

        marks = [clock()]
        self._collect()
        marks.append(clock())
        advantages, targets = self._advantages(0.0)
        marks.append(clock())
        self._learn(advantages, targets, self.plan.last_entropy)
        self.field.wrap()
        marks.append(clock())
        for t in range(self.plan.length):
            self.field.step(t, self.field.random_moves())
        marks.append(clock())
        self.field.wrap()
        collect, advantage, learn, games = (b - a for a, b in itertools.pairwise(marks))
        return {"collect": collect, "of_it_games": games, "advantages": advantage, "learn": learn}

    def _look_around(self) -> None:
        """Random games first: how features vary, how far apart scores lie, whether points and wins go together."""
        field, plan = self.field, self.plan
        seen: list[Tensor] = []
        hidden: list[Tensor] = []
        margins: list[Tensor] = []
        rewards: list[Tensor] = []
        steps = 0
        while steps < 400 and (steps < 64 or sum(int(m.shape[0]) for m in margins) < 256):
            t = steps % plan.length
            if t == 0 and steps:
                field.wrap()
            field.step(t, field.random_moves())
            if steps % 7 == 0:
                some = slice(None, None, max(1, plan.games // 2048))
                seen.append(field.observations[t, some].clone())
                hidden.append(field.secrets[t, some].clone())
            if bool(field.done[t + 1].any()):
                ended = field.done[t + 1]
                margins.append(self._margins(t + 1)[ended].flatten())
                rewards.append(field.rewards[t + 1][ended].flatten())
            steps += 1
        self.model.fit_scale(torch.cat(seen))
        if self.critic is not None:
            self.critic.fit_scale(torch.cat(seen), torch.cat(hidden))
        if margins:
            margin, reward = torch.cat(margins), torch.cat(rewards)
            self.margin_scale = 2.0 * float(margin.std().clamp(min=1e-3))
            together = float(torch.corrcoef(torch.stack([margin, reward]))[0, 1])
            self.margin_worth = 1.0 if together > 0.5 else 0.0
            self.say(f"margin_scale={self.margin_scale:.3g} points_and_wins={together:.3g} variants={len(self.kinds)}")
        field.reset(plan.seed)

    def _remember(self) -> None:
        """Keep the net of now; when there are too many, one from the middle goes. An exploiter needs no past."""
        if self.frozen is not None:
            return
        self.past.append({key: value.clone() for key, value in self.model.state_dict().items()})
        if len(self.past) > self.plan.keep:
            del self.past[int(torch.randint(1, len(self.past) - 1, (1,)))]

    def _meet_the_past(self) -> None:
        """Other rivals: the newest, and others by lot."""
        if self.frozen is not None:
            return
        for k, rival in enumerate(self.rivals):
            at = len(self.past) - 1 if k == 0 else int(torch.randint(len(self.past), (1,)))
            rival.load_state_dict(self.past[at])

    # testing --------------------------------------------------------------------------------------------

    @torch.no_grad()
    def test(self, games: int = 8192, most: int = 1500) -> dict[str, float]:
        """Against the game's rule of thumb: the share of wins at the fewest and the most players, one net a table. An
        exploiter is tested against the bot that it exploits.

        `…_sample` draws from the policy, `…_best` takes its most probable move; a fair share is 1 / players.
        """
        told: dict[str, float] = {}
        games = min(games, self.plan.games)
        for players in sorted({self.kinds[0].players, self.kinds[-1].players}):
            kind = next(kind for kind in self.kinds if kind.players == players)
            for name, best in (("sample", False), ("best", True)):
                told[f"p{players}_{name}"] = self.duel(kind, games, most, best)
        return told

    @torch.no_grad()
    def duel(self, kind: Variant, games: int, most: int, best: bool, seed: int = 12345) -> float:
        """The share of wins of one net among greedy (or frozen) seats; the first round of every game counts."""
        field = Field(self.game, games, [kind], [1.0], 1, seed, self.device)
        seat = torch.arange(games, device=self.device) % kind.players
        result = torch.zeros(games, device=self.device)
        open_ = torch.ones(games, dtype=torch.bool, device=self.device)
        for turn in range(most):
            with self._autocast():
                logits, _ = self.model(field.observations[0])
            logits = torch.where(field.masks[0], logits.float(), -1e9)
            if not best:
                logits = logits - torch.empty_like(logits).exponential_().clamp(min=1e-20).log()
            if self.frozen is not None:
                theirs = self._frozen_moves(field.observations[0], field.masks[0])
            else:
                theirs = field.policy_moves()
            moves = torch.where(field.actors[0].long() == seat, logits.argmax(1), theirs)
            field.step(0, moves)
            ended = field.done[1] & open_
            reward = field.rewards[1].gather(1, seat[:, None])[:, 0]
            result = torch.where(ended, (reward * (kind.players - 1) + 1) / kind.players, result)  # share of the win
            open_ &= ~ended
            field.wrap()
            if turn % 32 == 31 and not bool(open_.any()):
                break
        finished = ~open_
        return float(result[finished].mean()) if bool(finished.any()) else 0.0

    # files ----------------------------------------------------------------------------------------------

    def card(self) -> Card:
        return Card(
            self.game.key,
            self.game.version,
            self.game.rules.FEATURES_VERSION,
            self.plan.width,
            self.plan.depth,
            self.samples,
            self.critic.width if self.critic else 0,
            self.critic.depth if self.critic else 0,
            tuple(self.secrets.tolist()),
        )

    def save(self) -> None:
        """`GAME.npz` to play, `GAME.pt` to go on, `GAME.csv` the curve; of an exploiter, `GAME-exploiter.…`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        key = self.name
        layers = self.model.layers() | (self.critic.layers() if self.critic else {})
        save(self.folder / f"{key}.npz", self.card(), layers)
        moments = {
            name: [part.bfloat16().cpu() for part in (state["exp_avg"], state["exp_avg_sq"])] + [state["step"].cpu()]
            for name, state in (
                (name, self.optimiser.state.get(parameter)) for name, parameter in self.model.named_parameters()
            )
            if state
        }
        torch.save(
            {
                "card": asdict(self.card()),
                "model": {name: value.cpu() for name, value in self.model.state_dict().items()},
                "critic": self.critic and {k: v.bfloat16().cpu() for k, v in self.critic.state_dict().items()},
                "moments": moments,
                "spent": self.spent,
            },
            self.folder / f"{key}.pt",
        )
        if self.curve:
            columns = list(dict.fromkeys(key for row in self.curve for key in row))
            with (self.folder / f"{key}.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, columns)
                writer.writeheader()
                writer.writerows(self.curve)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint, or from weights alone."""
        self._restore(path)
        with torch.no_grad():
            for parameter in self.model.policy.parameters():
                parameter.mul_(self.plan.soften)

    def _restore(self, path: Path) -> None:
        if path.suffix == ".npz":
            made, layers = load(path, self.game)
            self._same_shape(asdict(made), path)
            self.model.read(layers)
            self.samples = made.samples
            self.unsettled = self.plan.settle if self.critic is not None else 0
            return
        try:
            data = torch.load(path, map_location=self.device, weights_only=True)
            card, spent = dict(data["card"]), float(data["spent"])
        except FileNotFoundError:
            raise WeightsError(f"there is no checkpoint at {path}") from None
        except (OSError, RuntimeError, ValueError, KeyError, TypeError, EOFError, pickle.UnpicklingError) as error:
            raise WeightsError(f"{path} is no checkpoint: {str(error).splitlines()[0]}") from None
        self._same_shape(card, path)
        self.model.load_state_dict(data["model"])
        self.samples, self.spent = int(card["samples"]), spent
        self.unsettled = self.plan.settle if self.critic is not None else 0
        if self.critic is not None and (known := data.get("critic")):
            if known["enter.weight"].shape == self.critic.enter.weight.shape:
                self.critic.load_state_dict(known, strict=False)  # the older ones had no head for deals
                self.unsettled = 0
        for name, parameter in self.model.named_parameters():
            if name in data["moments"]:
                average, square, steps = data["moments"][name]
                self.optimiser.state[parameter] = {
                    "exp_avg": average.float().to(self.device),
                    "exp_avg_sq": square.float().to(self.device),
                    "step": steps.to(self.device if self.device == "cuda" else "cpu"),
                }

    def _same_shape(self, card: dict[str, Any], path: Path) -> None:
        mine = asdict(self.card())
        for key in ("game", "version", "features", "width", "depth"):
            if card[key] != mine[key]:
                raise WeightsError(f"{path}: {key} is {card[key]}, and this run has {mine[key]}")


def train(
    game: Game,
    plan: Plan,
    folder: Path,
    *,
    device: str | None = None,
    resume: Path | bool = False,
    say: Say = print,
    exploit: Path | None = None,
    watch: Watch | None = None,
) -> Trainer:
    """Train a net. `resume=True` goes on from the folder's checkpoint, else from the game's own weights.

    With `exploit`, a file of weights, the net learns only to beat that bot; it begins from nothing, or resumes.
    """
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if device == "cuda" and not torch.cuda.is_available():
        raise FoxrowError("PyTorch finds no CUDA device here; --device cpu trains slowly, but it trains")
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
    else:
        torch.set_num_threads(1)  # small matrices: more threads only wait for each other
    begin = time.perf_counter()
    trainer = Trainer(game, plan, device, folder, say, exploit=exploit, watch=watch)
    if resume is True:
        places = [folder / f"{trainer.name}.pt"] + ([] if exploit else [home(game)])
        found = [path for path in places if path.exists()]
        if not found:
            raise WeightsError(f"there is nothing to resume from: no {' and no '.join(map(str, places))}")
        trainer.resume(found[0])
    elif resume:
        trainer.resume(resume)
    say(f"{game.key} on {device}: ready after {time.perf_counter() - begin:.1f} s; {json.dumps(asdict(plan))}")
    trainer.run()
    return trainer
