"""Playing: thousands of games at a time, by the net, its own past, the game's rule of thumb, or one frozen bot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from foxrow.core.batch import all_variants
from foxrow.core.contract import Game
from foxrow.nets.field import Field
from foxrow.nets.model import Critic, Model
from foxrow.nets.plan import Plan, shares
from foxrow.nets.play import temperature
from foxrow.nets.rivals import Rivals
from foxrow.nets.secrets import secret_size, secrets
from foxrow.nets.weights import load

SLACK = 2e-5  # of a probability: what rounding may take from the last move
Say = Callable[[str], None]
DOUBTED = 4  # of so many moves, one is shown to the critic with a deal that is only possible
Watch = Callable[[float, int], None]  # the share of the time that is over, and the moves learned from


def lots(like: Tensor) -> Tensor:
    """What makes the largest of log odds a draw by them, and, taken so many times, one at that temperature."""
    return -(-torch.rand_like(like).clamp(min=1e-12).log()).log()


class SelfPlay:
    """The games of a run, who plays them, and what their moves were worth."""

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
            plan = replace(plan, past=1.0, thumb=0.0, wild=0.0, rivals=1)
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
            max(1, plan.length // DOUBTED),
        )
        self.model = Model(rules.FEATURES, rules.MOVES, rules.SEATS, plan.width, plan.depth).to(device)
        self.critic: Critic | None = None
        if plan.critic:
            unknown = secret_size(game, self.secrets)
            self.critic = Critic(rules.FEATURES, unknown, rules.SEATS, plan.critic, plan.critic_depth).to(device)
        self._thinking: list[Any] = []  # CUDA graphs of `_think`, one a time
        self.past: list[dict[str, Tensor]] = []
        self.challengers: list[dict[str, Tensor]] = []  # nets of a league that learned to beat this one
        self.population: list[dict[str, Tensor]] = []  # others, such as copies of a search
        self.sense = torch.zeros(plan.rivals, 1, 1, device=device)  # what the net's own opinion counts for each rival
        self.rivals = Rivals(self.model, plan.rivals, torch.bfloat16 if device == "cuda" else torch.float32)
        self.frozen: Model | None = None  # the bot that an exploiter plays, and plays only
        if frozen:
            card, layers = frozen
            self.frozen = Model(rules.FEATURES, rules.MOVES, rules.SEATS, card.width, card.depth)
            self.frozen.read(layers)
            self.frozen.to(device).requires_grad_(False)
        lot = [temperature(game, players) for players in range(rules.SEATS + 1)]
        self.temperature = torch.tensor(lot, device=device)  # of its play
        self.samples = 0
        self.spread, self.by_points = 1.0, False  # of the points in a round; whether who has most of them wins
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
        # at the beginning lie those that begin with moves by lot: `openings` in this round, of which `age` are made
        self.wild = min(int(n * plan.wild), self.first_past)
        self.age = torch.zeros(self.wild, dtype=torch.long, device=device)
        self.openings = torch.randint(plan.opening + 1, (self.wild,), device=device)
        self.home = torch.randint(1 << 30, (n,), device=device) % self.field.players
        self.seats = torch.arange(seats, device=device)
        self._forward: Any = torch.compile(self.model) if plan.compile else self.model
        self._judge: Any = torch.compile(self.critic) if plan.compile and self.critic else self.critic
        self._draw = torch.compile(self._draw_plain) if plan.compile else self._draw_plain
        answer = self._frozen_moves if self.frozen is not None else self._rivals_moves
        self._answer = torch.compile(answer) if plan.compile else answer
        self._look_around()

    def _autocast(self) -> Any:
        return torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda")

    def _draw_plain(self, logits: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """A move drawn from the policy, and its log probability."""
        logits = torch.where(masks, logits.float(), -1e9)
        logs = logits.log_softmax(1)
        reached = logs.exp().cumsum(1)
        drawn = torch.rand_like(reached[:, :1]) * (reached[:, -1:] - SLACK)
        many = logits.shape[1]
        places = torch.arange(many, device=logits.device)
        moves = torch.where(masks & (reached > drawn), places, many).amin(1)  # the first that reaches so far
        moves = moves.clamp(max=many - 1)
        return moves, logs.gather(1, moves[:, None])[:, 0]

    def _by_seat(self, relative: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        """Values counted from the seat to act → by seat of the table; 0 where nobody sits."""
        at = torch.remainder(self.seats - actors.long()[..., None], players[:, None])
        return relative.gather(-1, at) * (self.seats < players[:, None])

    def _from_actor(self, by_seat: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        at = torch.remainder(self.seats + actors.long()[..., None], players[:, None])
        return by_seat.gather(-1, at)

    def _think(self, t: int) -> None:
        """Choose the moves of time t and note what the net thought of it."""
        field, plan = self.field, self.plan
        actors = field.actors[t]
        with self._autocast():
            logits, values = self._forward(field.observations[t])
            if self.critic is not None:
                values, _ = self._judge(field.observations[t], field.secrets[t])
        self.values[t].copy_(self._by_seat(values.float(), actors, field.players))
        if self.wild and t > 0:
            begun = field.done[t, : self.wild]
            self.age.copy_(torch.where(begun, 0, self.age + 1))
            self.openings.copy_(torch.where(begun, torch.randint_like(self.openings, plan.opening + 1), self.openings))
        if t == plan.length:
            return
        moves, logp = self._draw(logits, field.masks[t])
        self.logp[t].copy_(logp)
        mine = actors.long() == self.home
        at = slice(self.first_past, self.first_thumb)
        if self.first_past < self.first_thumb:
            theirs = self._answer(field.observations[t, at], field.masks[t, at], field.players[at], logits[at])
            moves[at] = torch.where(mine[at], moves[at], theirs)
        at = slice(self.first_thumb, None)
        moves[at] = torch.where(mine[at], moves[at], self.thumb)
        self.learned[t, self.first_past :] = mine[self.first_past :]
        if self.wild:
            at = slice(0, self.wild)
            by_lot = self.age < self.openings
            moves[at] = torch.where(by_lot, self._any_move(field.masks[t, at]), moves[at])
            self.learned[t, at] = ~by_lot
        self.moves[t].copy_(moves)

    def _rivals_moves(self, observations: Tensor, masks: Tensor, players: Tensor, mine: Tensor) -> Tensor:
        """Drawn from each one's policy, times the net's own, as far as its sense goes."""
        sensed = self.sense * mine.float().unflatten(0, (self.rivals.many, -1))
        return self._draw_plain(self.rivals(observations).float() + sensed.flatten(0, 1), masks)[0]

    def _frozen_moves(self, observations: Tensor, masks: Tensor, players: Tensor, mine: Tensor) -> Tensor:
        """As the bot plays; weakened, now and then any legal one."""
        assert self.frozen is not None
        with self._autocast():
            logits, _ = self.frozen(observations)
        moves = self._as_played(logits, masks, players)
        if self.plan.weaken > 0:
            lapse = torch.rand(len(moves), device=moves.device) < self.plan.weaken
            moves = torch.where(lapse, self._any_move(masks), moves)
        return moves

    def _as_played(self, logits: Tensor, masks: Tensor, players: Tensor) -> Tensor:
        """As the bot plays, by lot or its most probable move."""
        logits = logits.float()
        return torch.where(masks, logits + self.temperature[players][:, None] * lots(logits), -1e9).argmax(1)

    def _best_moves(self, net: Model, observations: Tensor, masks: Tensor) -> Tensor:
        with self._autocast():
            logits, _ = net(observations)
        return torch.where(masks, logits.float(), -1e9).argmax(1)

    def _drawn_moves(self, net: Model, observations: Tensor, masks: Tensor, mine: Tensor) -> Tensor:
        """As somebody of the population plays."""
        with self._autocast():
            logits, _ = net(observations)
        return self._draw_plain(logits.float() + self.plan.sense * mine.float(), masks)[0]

    def _any_move(self, masks: Tensor) -> Tensor:
        """A legal move by lot."""
        return torch.where(masks, torch.rand(masks.shape, device=masks.device), -1.0).argmax(1)

    @torch.no_grad()
    def _collect(self) -> None:
        """Play `length` moves in every game."""
        for t in range(self.plan.length + 1):
            if len(self.thumb):
                self.thumb.copy_(self.field.policy_moves(self.first_thumb))
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
    def _advantages(self, blur: float) -> tuple[Tensor, Tensor]:
        """Advantage of each move for its seat, and what the values should have said, from the seat to act on."""
        field, plan, actors = self.field, self.plan, self.field.actors[:-1]
        going = (~field.done[1:]).float()[..., None]
        near = self._rewards(blur) + going * self.values[1:] - self.values[:-1]  # the surprise of every move
        gain = near.clone()
        for t in range(plan.length - 2, -1, -1):  # and, fading, of those after it
            gain[t].addcmul_(going[t], gain[t + 1], value=plan.trust)
            near[t].addcmul_(going[t], near[t + 1], value=plan.reach)
        targets = self._from_actor(gain + self.values[:-1], actors, field.players)
        return near.gather(-1, actors.long()[..., None])[..., 0], targets

    def _rewards(self, blur: float) -> Tensor:
        """What rounds ended with: who won, or, blurred by so many spreads of points, who came how close to it.

        Much of who wins a close round is luck, and the points say how close it was: a move that brings some shows in
        every round, not only in those that it decides. Only where nothing but points decides.
        """
        players = self.field.players[:, None]
        if blur <= 0 or not self.by_points:
            return self.field.rewards[1:]
        there = self.seats < players
        points = self.field.scores[1:].float().masked_fill(~there, -torch.inf)  # all alike where no round ended
        chances = (points / (blur * self.spread)).softmax(-1)
        return (chances * players - 1) / (players - 1).clamp(min=1) * there

    def _look_around(self) -> None:
        """Random games first: how features vary, how far apart scores lie, whether points and wins go together."""
        field, plan = self.field, self.plan
        seen: list[Tensor] = []
        hidden: list[Tensor] = []
        leads: list[Tensor] = []
        by_points = True
        steps = 0
        while steps < 400 and (steps < 64 or sum(map(len, leads)) < 256):
            t = steps % plan.length
            if t == 0 and steps:
                field.wrap()
            field.step(t, field.random_moves())
            if steps % 7 == 0:
                some = slice(None, None, max(1, plan.games // 2048))
                seen.append(field.observations[t, some].clone())
                hidden.append(field.secrets[t, some].clone())
            if bool((ended := field.done[t + 1]).any()):
                there = self.seats < field.players[ended, None]
                points, rewards = (
                    part[t + 1, ended].float().masked_fill(~there, -torch.inf) for part in (field.scores, field.rewards)
                )
                most, won = (part == part.amax(1, keepdim=True) for part in (points, rewards))
                by_points &= bool((most == won).all())
                leads.append(
                    (points - points.where(there, 0.0).sum(1, keepdim=True) / there.sum(1, keepdim=True))[there]
                )
            steps += 1
        self.model.fit_scale(torch.cat(seen))
        if self.critic is not None:
            self.critic.fit_scale(torch.cat(seen), torch.cat(hidden))
        if leads:
            self.spread, self.by_points = float(torch.cat(leads).std().clamp(min=1e-3)), by_points
            self.say(f"spread={self.spread:.3g} by_points={by_points} variants={len(self.kinds)}")
        field.reset(plan.seed)

    def _remember(self) -> None:
        """Keep the net of now; when there are too many, one from the middle goes. An exploiter needs no past."""
        if self.frozen is not None:
            return
        self.past.append({key: value.clone() for key, value in self.model.state_dict().items()})
        if len(self.past) > self.plan.keep:
            del self.past[int(torch.randint(1, len(self.past) - 1, (1,)))]

    def _meet_the_past(self) -> None:
        """Other rivals: the newest, others by lot, and, if there are any, challengers and others of the population."""
        if self.frozen is not None:
            return
        crowd = self.challengers + self.population
        old = round(self.plan.rivals * (1 - self.plan.crowd)) if crowd else self.plan.rivals
        for k in range(self.plan.rivals):
            known = self.past if k < old else crowd
            at = len(known) - 1 if k == 0 < old else int(torch.randint(len(known), (1,)))
            self.rivals.invite(k, known[at])
            self.sense[k] = self.plan.sense if k >= old and at >= len(self.challengers) else 0.0
