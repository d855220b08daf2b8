"""How a net is trained: the knobs, and how often each kind of table is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foxrow.core.batch import Variant
from foxrow.core.contract import Game


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
    average: float = 0.98  # of the weights that play and are saved: what a turn leaves of those before it
    clip: float = 0.2
    trust: float = 0.985  # λ of what the values should have said
    reach: float = 0.96  # λ of the advantages
    critic: int = 512  # width of the critic; 0: the net's own value is the critic
    critic_depth: int = 3
    settle: int = 24  # turns in which a new critic learns alone, beside a net that has learned already
    entropy: float = 0.02
    last_entropy: float = 0.005
    barrier: float = 0.0  # of how improbable legal moves are on average: entropy lets go of what is hardly ever tried,
    last_barrier: float = 0.0  # this does not, so that a net which is sure and wrong can still learn it
    calm: float = 1.0  # what both count at tables of more than two: a wide policy is for who may be learned by heart
    value: float = 0.5  # weight of the value's loss
    deals: float = 0.1  # and of how the critic tells the true deal from a possible one
    policy: float = 1.0  # of what the moves that were made turned out to be worth
    foresee: int = 0  # positions of a turn in which several moves are played on (`foresight`); 0: none
    runners: int = 8  # how many moves,
    redeals: int = 8  # on how many deals,
    horizon: int = 40  # and how far, until values stand for the rest,
    span: int = 10  # the mean of the last so many
    heed: float = 1.0  # weight of what was foreseen
    warmth: float = 0.05  # the gain that counts as one
    recall: int = 32  # turns that what was foreseen is learned from
    lesson: int = 2048  # positions of them beside every minibatch
    blur: float = 1.0  # spreads of points that blur who won (see `SelfPlay._rewards`), at the start
    last_blur: float = 0.0  # and at the end
    past: float = 0.2  # share of the games against earlier versions
    thumb: float = 0.08  # share of the games against the rule of thumb
    wild: float = 0.25  # share of the games that begin with moves by lot: else two good nets play one game for ever
    opening: int = 6  # moves by lot at most
    rivals: int = 4  # earlier versions at once,
    crowd: float = 0.5  # of them the share that is of the population, or a league's challengers, if there are any
    sense: float = 0.0  # what the net's own opinion counts in how the population plays: a copy that draws its moves
    # now and then makes one that nobody who looks ahead would
    keep: int = 24  # earlier versions that are kept
    snapshot: float = 12.0  # seconds between two of them
    renew: float = 75.0  # seconds after which a league's exploiter leaves its weights as a challenger
    again: int = 1  # challengers after which it begins again from the bot's weights; 0: it always goes on
    check: float = 60.0  # seconds between two tests against the rule of thumb
    small: float = 3.0  # how often the smallest table is played, for each time of a middling one
    full: float = 2.0  # and the full one
    seed: int = 1
    compile: bool = False  # by torch.compile: faster, after half a minute
    graphs: bool = True  # CUDA graphs: the GPU does not wait for Python
    players: tuple[int, ...] | None = None  # None: all
    soften: float = 1.0  # what a resumed policy's logits are multiplied by: below 1, one that is too sure tries again
    weaken: float = 0.0  # an exploited bot makes this share of its moves at random: to see that an exploiter works

    @property
    def parts(self) -> int:
        """Minibatches of a turn: of equal size, or a CUDA graph of one would not fit the others."""
        parts = max(1, self.length * self.games // self.minibatch)
        while self.games % parts:
            parts -= 1
        return parts


def further(plan: Plan) -> Plan:
    """For a net that has learned already: less blur, smaller steps, less at random."""
    return replace(plan, blur=0.5, rate=3e-4, entropy=0.01)


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
