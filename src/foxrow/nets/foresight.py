"""What the moves of a position lead to, by playing them on: a race (see `race`) in thousands of positions at once.

Self-play sees what one move led to on one deal, and most of that is luck. Here, in some positions of every turn,
several moves are tried side by side on the same deals, each dealt anew from what the seat knows, and the net plays on
for all seats. What two moves then differ by is their own doing, so a few deals tell what a thousand games would.

What is learned is a step towards what gained: the log odds of a move rise in proportion to its gain over the others, or
fall, whatever they are now (neural replicator dynamics). So a move that the net had all but given up comes back as fast
as any, and luck that is left in a gain cancels out over positions, which it does not where odds grow with its exponent.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from foxrow.nets.field import Field
from foxrow.nets.plan import shares
from foxrow.nets.selfplay import SelfPlay, lots

CURIOUS = 0.5  # of the net's logits: what moves are drawn by that are tried beside its favourite
FAR = 3.0  # warmths that a gain counts at most
GONE = -9.0  # log odds below which a bad move need not become worse


class Lesson(NamedTuple):
    """What races showed, [position, …]."""

    observations: Tensor
    masks: Tensor
    moves: Tensor  # [runner]
    logs: Tensor  # [runner] of their probabilities at that time
    gains: Tensor  # [runner] in warmths; 0 where there is no such runner


class Foresight:
    """Races in the positions where the games of a run are now, and a memory of what they showed."""

    def __init__(self, play: SelfPlay) -> None:
        self.play, plan = play, play.plan
        self.field = Field(
            play.game,
            plan.foresee * plan.redeals * plan.runners,
            play.kinds,
            shares(play.game, play.kinds, plan.small, plan.full),
            1,
            plan.seed + 1,
            play.device,
            play.secrets if play.critic is not None else None,
            doubts=0,
        )
        self._forward = torch.compile(play.model, dynamic=False) if plan.compile else play.model
        self._judge = torch.compile(play.critic, dynamic=False) if plan.compile and play.critic else play.critic
        self.memory = self._room(plan.foresee * plan.recall)
        self.lesson = self._room(plan.lesson)  # what is learned from beside the next minibatch
        self.known = 0  # positions in it
        self.next = 0  # where the next turn's go
        self.told = torch.zeros(3, device=play.device)

    def _room(self, n: int) -> Lesson:
        """For n positions."""
        field, device, runners = self.play.field, self.play.device, self.play.plan.runners
        return Lesson(
            torch.zeros(n, field.observations.shape[-1], dtype=torch.int8, device=device),
            torch.zeros(n, field.masks.shape[-1], dtype=torch.bool, device=device),
            torch.zeros(n, runners, dtype=torch.long, device=device),
            torch.zeros(n, runners, device=device),
            torch.zeros(n, runners, device=device),
        )

    def teach(self) -> None:
        """The next lesson: some of what is known, by lot."""
        some = torch.randint(self.known, (len(self.lesson.moves),), device=self.play.device)
        for mine, new in zip(self.memory, self.lesson, strict=True):
            torch.index_select(mine, 0, some, out=new)

    def facts(self) -> dict[str, float]:
        """Of the last turn: the error of a gain, the best move's gain over the favourite, how often it is another."""
        return dict(zip(("error", "gain", "other"), self.told.tolist(), strict=True))

    def loss(self, lesson: Lesson, logits: Tensor) -> Tensor:
        """Less where moves that gained have become more probable, up to e times for each look."""
        logs = torch.where(lesson.masks, logits.float(), -1e9).log_softmax(1).gather(1, lesson.moves)
        return -(lesson.gains * (logs - lesson.logs).clamp(-1.0, 1.0)).mean()

    @torch.no_grad()
    def look(self) -> None:
        """Race the moves of some positions of now, and remember the outcome in the place of what is oldest."""
        play, plan = self.play, self.play.plan
        source = play.field
        masks = source.masks[source.now]
        slots = torch.multinomial((masks.sum(1) > 1).float() + 1e-9, plan.foresee)  # where there is a choice
        observations, masks = source.observations[source.now, slots], masks[slots]
        with play._autocast():
            logits, _ = self._forward(observations)
        logs = torch.where(masks, logits.float(), -1e9).log_softmax(1)
        moves = self._runners(logs, masks)
        running = masks.gather(1, moves)
        moves = torch.where(running, moves, moves[:, :1])
        results = self._race(slots, moves)
        results -= self._mean(results, running[:, None])[..., None]  # what the deal gives to all of them is luck
        gains = results.mean(1)
        noise = self._mean(results.var(1) / plan.redeals, running)
        warmth = (plan.warmth**2 + noise).sqrt()[:, None]  # who is less sure steps less far
        logs = logs.gather(1, moves)
        worth = (gains / warmth).clamp(-FAR, FAR)
        worth = torch.where(running & ((worth > 0) | (logs > GONE)), worth, 0.0)
        place = slice(self.next, self.next + plan.foresee)
        for mine, found in zip(self.memory, (observations, masks, moves, logs, worth), strict=True):
            mine[place] = found
        self.next = place.stop % len(self.memory[0])
        self.known = max(self.known, place.stop)
        best, which = torch.where(running, gains, -1e9).max(1)
        self.told = torch.stack([noise.sqrt().mean(), (best - gains[:, 0]).mean(), (which > 0).float().mean()])

    def _mean(self, numbers: Tensor, running: Tensor) -> Tensor:
        return torch.where(running, numbers, 0.0).sum(-1) / running.sum(-1)

    def _runners(self, logs: Tensor, masks: Tensor) -> Tensor:
        """The favourite first, and others by lot; of those that are not legal none before one that is."""
        keys = torch.where(masks, CURIOUS * logs + lots(logs), -torch.inf)
        keys.scatter_(1, logs.argmax(1, keepdim=True), torch.inf)
        return keys.topk(self.play.plan.runners, 1).indices

    def _race(self, slots: Tensor, moves: Tensor) -> Tensor:
        """[position, deal, runner] what the seat to act gets."""
        play, plan, field = self.play, self.play.plan, self.field
        each = plan.redeals * plan.runners
        field.branch(play.field, slots.repeat_interleave(each), plan.runners)
        seats = field.actors[0].long()
        next_moves = moves[:, None].expand(-1, plan.redeals, -1).reshape(-1)
        results = torch.zeros(field.n, device=play.device)
        values = torch.zeros_like(results)
        open_ = torch.ones(field.n, dtype=torch.bool, device=play.device)
        for turn in range(plan.horizon + 1):
            field.step(0, next_moves)
            ended = field.done[1] & open_
            results = torch.where(ended, field.rewards[1].gather(1, seats[:, None])[:, 0], results)
            open_ = open_ & ~ended
            field.wrap()
            with play._autocast():
                logits, worth = self._forward(field.observations[0])
                if turn > plan.horizon - plan.span and self._judge is not None:
                    worth, _ = self._judge(field.observations[0], field.secrets[0])
            if turn > plan.horizon - plan.span:
                worth = play._by_seat(worth.float(), field.actors[0], field.players).gather(1, seats[:, None])[:, 0]
                values += torch.where(open_, worth, results) / plan.span
            next_moves = play._as_played(logits, field.masks[0], field.players)
        return values.view(-1, plan.redeals, plan.runners)
