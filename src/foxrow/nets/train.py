"""Self-play: a net learns a game from nothing by playing itself and its own past, thousands of games at a time.

Proximal policy optimisation. What is special here:
- one stream of moves a game, whoever makes them: the value has a number for every seat, so an advantage is estimated
  over all moves of the game and read off at the seat that moved;
- what a move was worth is judged by a critic that sees all hands and only helps to learn: it knows more of a round's
  luck, so less of it is taken for the move's doing (the net's own value learns the same targets);
- a share of the games is against earlier versions, so that what was learned against them is not forgotten, and one
  against the game's rule of thumb, whose mistakes the net itself no longer makes; another begins with moves by lot, so
  that two nets which always find the same moves still meet positions whose end is open;
- where asked for, some positions of every turn are looked into: several moves are played on, and what they lead to is
  learned from beside the one that was made (`foresight`);
- the reward is the win; early on, where points decide it, blurred by them, since a close round is decided by luck;
- all player counts and options are mixed, so one net plays them all.

An exploiter is the same with one difference: all its games are against one frozen bot, as that one plays (its most
probable move). What it wins is a lower bound on how far the bot can be beaten by somebody who knows it.
"""

from __future__ import annotations

import copy
import csv
import itertools
import json
import pickle
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from foxrow.core.batch import Variant
from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.nets.field import Field
from foxrow.nets.league import League
from foxrow.nets.learning import Learning
from foxrow.nets.model import Model
from foxrow.nets.plan import Plan
from foxrow.nets.selfplay import Say, Watch
from foxrow.nets.weights import Card, Layers, WeightsError, home, load, save, whole


class Trainer(Learning):
    """One training run of one game."""

    league: League | None = None
    renewed = 0.0  # when a league's exploiter began again
    before: Model | None = None  # what a resumed run began with
    crowd: Model | None = None  # somebody else of the population

    def run(self) -> None:
        """Train for the planned minutes; weights, a checkpoint and the curve are in the folder at the end."""
        plan = self.plan
        self._remember()
        self._exchange()
        self._meet_the_past()
        begin = self.renewed = last_said = last_snapshot = last_check = time.perf_counter()
        if self.watch:
            self.watch(0.0, self.samples)
        said_samples, first = self.samples, self.turns
        length = plan.minutes * 60
        facts = self.facts
        while (passed := time.perf_counter() - begin) < length:
            share = passed / length
            self.rate.fill_(plan.rate + (plan.last_rate - plan.rate) * share)
            if self.device != "cuda":
                self.optimiser.param_groups[0]["lr"] = float(self.rate)
            facts = self.turn(plan.blur + (plan.last_blur - plan.blur) * share, share)
            if self.turns % 8 == 1:
                self._meet_the_past()
            if self.turns - first == 2 and plan.graphs and self.device == "cuda":
                self._record()
            now = time.perf_counter()
            if self.watch:
                self.watch(min(1.0, (now - begin) / length), self.samples)
            if now - last_snapshot >= plan.snapshot:
                self._remember()
                self._exchange()
                last_snapshot = now
            if now - last_said >= min(10.0, length / 4):
                value_loss, critic_loss, deal_loss, mean_entropy, drift, clipped, foreseen = (
                    facts.tolist()
                )  # waits for the GPU
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
                if self.foresight is not None:
                    row |= {"foreseen": foreseen, **self.foresight.facts()}
                if now - last_check >= plan.check:
                    row |= self.test()
                    last_check = time.perf_counter()
                    self.save()
                self.curve.append(row)
                self.say(" ".join(f"{key}={value:.4g}" for key, value in row.items()))
                last_said, said_samples = time.perf_counter(), self.samples
        self.spent += time.perf_counter() - begin
        self.save()

    def turn(self, blur: float, share: float) -> Tensor:
        """Play, and learn from it; rewards are blurred so far, and `share` of the time is over."""
        self._collect()
        if self.foresight is not None:
            self.foresight.look()
        advantages, targets = self._advantages(blur)
        facts = self._learn(advantages, targets, share)
        self.field.wrap()
        return facts

    # the league -----------------------------------------------------------------------------------------

    @torch.no_grad()
    def _exchange(self) -> None:
        """Leave what others wait for, take what they have left."""
        if self.league is None:
            return
        if self.frozen is None:
            self.league.leave_bot(self.card(), self.layers())
            for card, layers in self.league.new_challengers():
                self._same_shape(asdict(card), self.league.folder)
                self.challengers.append(self._rival(layers).state_dict())
            del self.challengers[: -self.plan.keep]
            return
        bot = self.league.new_bot()
        if bot is not None:
            self.frozen.read(bot)
        if time.perf_counter() - self.renewed >= self.plan.renew:
            self.renewed = time.perf_counter()
            left = self.league.leave_challenger(self.card(), self.layers())
            if self.plan.again and left % self.plan.again == 0:
                self._begin_again()

    def meet(self, path: Path) -> None:
        """Let somebody else join the games against the past: weights of the same shape, a copy of a search perhaps."""
        card, layers = load(path, self.game)
        self._same_shape(asdict(card), path)
        rival = self._rival(layers)
        self.population.append(rival.state_dict())
        self.crowd = self.crowd or rival

    def _rival(self, layers: Layers) -> Model:
        """A net of other weights, in the shape of those that are kept."""
        rules, plan = self.game.rules, self.plan
        net = Model(rules.FEATURES, rules.MOVES, rules.SEATS, plan.width, plan.depth).to(self.device)
        net.mean.copy_(self.model.mean)
        net.scale.copy_(self.model.scale)
        net.read(layers)
        return net.requires_grad_(False)

    def _begin_again(self) -> None:
        """From the bot's own weights, less sure of them: what beats it is not far from what it knows."""
        assert self.frozen is not None
        self.model.load_state_dict(self._rival(self.frozen.layers()).state_dict())
        for parameter in self.model.policy.parameters():
            parameter.mul_(0.5)
        for state in self.optimiser.state.values():
            for name in ("exp_avg", "exp_avg_sq", "step"):
                state[name].zero_()
        self.turns = 0

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
        self._learn(advantages, targets, 1.0)
        self.field.wrap()
        marks.append(clock())
        for t in range(self.plan.length):
            self.field.step(t, self.field.random_moves())
        marks.append(clock())
        self.field.wrap()
        collect, advantage, learn, games = (b - a for a, b in itertools.pairwise(marks))
        return {"collect": collect, "of_it_games": games, "advantages": advantage, "learn": learn}

    # testing --------------------------------------------------------------------------------------------

    @torch.no_grad()
    def test(self, games: int = 8192, most: int = 1500) -> dict[str, float]:
        """Against the game's rule of thumb: the share of wins at the fewest and the most players, one net a table. An
        exploiter is tested against the bot that it exploits.

        `…_sample` draws from the policy, `…_best` takes its most probable move; `…_before` does so against the weights
        that the run began with, `…_crowd` among the first of the population, as the run meets it. A fair share is
        1 / players.
        """
        told: dict[str, float] = {}
        games = min(games, self.plan.games)
        for players in sorted({self.kinds[0].players, self.kinds[-1].players}):
            kind = next(kind for kind in self.kinds if kind.players == players)
            for name, best in (("sample", False), ("best", True)):
                told[f"p{players}_{name}"] = self.duel(kind, games, most, best, against=self.frozen)
            if self.before is not None:
                told[f"p{players}_before"] = self.duel(kind, games, most, True, against=self.before)
            if self.crowd is not None:
                told[f"p{players}_crowd"] = self.duel(kind, games, most, True, against=self.crowd)
        return told

    @torch.no_grad()
    def duel(
        self, kind: Variant, games: int, most: int, best: bool, seed: int = 12345, against: Model | None = None
    ) -> float:
        """The share of wins of one net among greedy seats, or another's; the first round of every game counts."""
        field = Field(self.game, games, [kind], [1.0], 1, seed, self.device)
        seat = torch.arange(games, device=self.device) % kind.players
        result = torch.zeros(games, device=self.device)
        open_ = torch.ones(games, dtype=torch.bool, device=self.device)
        for turn in range(most):
            with self._autocast():
                logits, _ = self.average(field.observations[0])
            if best:
                mine = torch.where(field.masks[0], logits.float(), -1e9).argmax(1)
            else:
                mine, _ = self._draw_plain(logits, field.masks[0])
            if against is not None and against is self.frozen:
                theirs = self._frozen_moves(field.observations[0], field.masks[0], field.players, logits)
            elif against is not None and against is self.crowd:
                theirs = self._drawn_moves(against, field.observations[0], field.masks[0], logits)
            elif against is not None:
                theirs = self._best_moves(against, field.observations[0], field.masks[0])
            else:
                theirs = field.policy_moves()
            moves = torch.where(field.actors[0].long() == seat, mine, theirs)
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

    def layers(self) -> Layers:
        """What plays, and its critic."""
        return self.average.layers() | (self.critic.layers() if self.critic else {})

    def save(self) -> None:
        """`GAME.pt` to go on, `GAME.npz` to play, `GAME.csv` the curve; of an exploiter, `GAME-exploiter.…`."""
        key = self.name
        moments = {
            name: [part.bfloat16().cpu() for part in (state["exp_avg"], state["exp_avg_sq"])] + [state["step"].cpu()]
            for name, state in (
                (name, self.optimiser.state.get(parameter)) for name, parameter in self.model.named_parameters()
            )
            if state
        }
        checkpoint = {
            "card": asdict(self.card()),
            "model": {name: value.cpu() for name, value in self.model.state_dict().items()},
            "critic": self.critic and {k: v.bfloat16().cpu() for k, v in self.critic.state_dict().items()},
            "moments": moments,
            "spent": self.spent,
            "curve": self.curve,
        }
        with whole(self.folder / f"{key}.pt") as part:
            torch.save(checkpoint, part)
        save(self.folder / f"{key}.npz", self.card(), self.layers())
        if self.curve:
            columns = list(dict.fromkeys(key for row in self.curve for key in row))
            with whole(self.folder / f"{key}.csv") as part, part.open("w", newline="") as file:
                writer = csv.DictWriter(file, columns)
                writer.writeheader()
                writer.writerows(self.curve)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint, or from weights alone."""
        self._restore(path)
        self.average.load_state_dict(self.model.state_dict())
        if self.frozen is None:
            self.before = copy.deepcopy(self.average)
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
            mine = self.card()
            if self.critic is not None and all(
                getattr(made, part) == getattr(mine, part) for part in ("critic", "critic_depth", "secrets")
            ):
                self.critic.read(layers)
                self.unsettled = 0
            return
        try:
            data = torch.load(path, map_location=self.device, weights_only=True)
            card, spent = dict(data["card"]), float(data["spent"])
        except FileNotFoundError:
            raise WeightsError(f"there is no checkpoint at {path}") from None
        except (OSError, RuntimeError, ValueError, KeyError, TypeError, EOFError, pickle.UnpicklingError) as error:
            raise WeightsError(f"{path} is no checkpoint: {str(error).splitlines()[0]}") from None
        self._same_shape(card, path)
        self.model.take(data["model"])
        self.samples, self.spent = int(card["samples"]), spent
        self.curve = list(data.get("curve", ()))  # the older ones had none
        self.unsettled = self.plan.settle if self.critic is not None else 0
        if self.critic is not None and (known := data.get("critic")):
            if known["enter.weight"].shape == self.critic.enter.weight.shape:
                self.critic.load_state_dict(known, strict=False)  # the older ones had no head for deals
                self.unsettled = 0
        for name, parameter in self.model.named_parameters():
            if name in data["moments"] and card["width"] == self.plan.width:
                average, square, steps = data["moments"][name]
                self.optimiser.state[parameter] = {
                    "exp_avg": average.float().to(self.device),
                    "exp_avg_sq": square.float().to(self.device),
                    "step": steps.to(self.device if self.device == "cuda" else "cpu"),
                }

    def _same_shape(self, card: dict[str, Any], path: Path) -> None:
        mine = asdict(self.card())
        for key in ("game", "version", "features", "width", "depth"):
            if card[key] != mine[key] and not (key == "width" and card[key] < mine[key]):  # it may grow
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
    league: League | None = None,
    population: Sequence[Path] = (),
    watch: Watch | None = None,
) -> Trainer:
    """Train a net. `resume=True` goes on from the folder's checkpoint, else from the game's own weights: those for the
    smallest table of the plan.

    With `exploit`, a file of weights, the net learns only to beat that bot; it begins from nothing, or resumes. With
    a `league` the bot meets what its exploiter finds (`League`); the exploiter's `exploit` is `league.wait()`. Others
    of the `population`, files of weights, play in a part of the games against the past (`imitation` makes such).
    """
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if device == "cuda" and not torch.cuda.is_available():
        raise FoxrowError("PyTorch finds no CUDA device here; --device cpu trains slowly, but it trains")
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
    else:
        torch.set_num_threads(1)  # small matrices: more threads only wait for each other
    folder.mkdir(parents=True, exist_ok=True)  # what cannot be written is said before the work
    begin = time.perf_counter()
    trainer = Trainer(game, plan, device, folder, say, exploit=exploit, watch=watch)
    trainer.league = league
    for other in population:
        trainer.meet(other)
    if resume is True:
        places = [folder / f"{trainer.name}.pt"] + ([] if exploit else [home(game, min(plan.players or game.players))])
        found = [path for path in places if path.exists()]
        if not found:
            raise WeightsError(f"there is nothing to resume from: no {' and no '.join(map(str, places))}")
        trainer.resume(found[0])
    elif resume:
        trainer.resume(resume)
    say(f"{game.key} on {device}: ready after {time.perf_counter() - begin:.1f} s; {json.dumps(asdict(plan))}")
    trainer.run()
    return trainer
