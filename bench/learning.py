"""How fast a game is learned, and where the time goes: `python bench/learning.py GAME [--minibatch 196608]`.

On a GPU that nobody else uses. Goes on from the game's own weights, with a net and a critic of their size, for some
dozens of turns; then one turn by its parts, and another by its kernels. Nothing is saved.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

try:
    import torch
except ImportError:
    raise SystemExit("this needs PyTorch: pip install 'foxrow[train,gpu]'") from None

from foxrow.core.registry import game, games
from foxrow.nets.plan import Plan, further
from foxrow.nets.train import Trainer
from foxrow.nets.weights import home, load

WARM = 4  # turns until everything is compiled, and its graphs are recorded after the third
SHOWN = 16  # kernels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("--games", type=int, default=Plan.games)
    parser.add_argument("--length", type=int, default=Plan.length)
    parser.add_argument("--minibatch", type=int, default=Plan.minibatch)
    parser.add_argument("--turns", type=int, default=24)
    given = parser.parse_args()
    if not torch.cuda.is_available():
        parser.error("PyTorch finds no CUDA device here")
    torch.backends.cuda.matmul.allow_tf32 = True
    chosen = game(given.game)
    card, _ = load(home(chosen), chosen)
    plan = Plan(
        games=given.games, length=given.length, minibatch=given.minibatch, width=card.width, depth=card.depth,
        critic=card.critic, critic_depth=card.critic_depth, compile=True,
    )  # fmt: skip
    trainer = Trainer(chosen, further(plan), "cuda", Path("runs"))
    trainer.resume(home(chosen))
    trainer._remember()
    trainer._meet_the_past()
    for i in range(WARM):
        trainer.turn(0.0, 0.5)
        if i == WARM - 2:
            trainer._record()
    torch.cuda.synchronize()
    before, begin = trainer.samples, time.perf_counter()
    for _ in range(given.turns):
        trainer.turn(0.0, 0.5)
    torch.cuda.synchronize()
    made, passed = trainer.samples - before, time.perf_counter() - begin
    print(f"{chosen.name}: {made / passed / 1e6:.2f} M samples/s, {made / given.turns / 1e6:.2f} million a turn")
    print(", ".join(f"{name} {ms:.0f} ms" for name, ms in trainer.profile().items()))
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        trainer.turn(0.0, 0.5)
        torch.cuda.synchronize()
    for kernel in sorted(profile.key_averages(), key=lambda kernel: -kernel.device_time_total)[:SHOWN]:
        print(f"{kernel.device_time_total / 1e3:8.2f} ms {kernel.count:6d} × {kernel.key[:80]}")


if __name__ == "__main__":
    main()
