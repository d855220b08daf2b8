"""A net that plays as somebody does, learned from records of that one's games.

Self-play meets its own kind alone, and at a full table the others decide what is good: what wins among nets need not
win among searches. A copy of a search is as fast as any net, so a run in training can meet it in millions of games
(`--population`), and keeps what is good against both.

    foxrow arena GAME net search:1000 --players 4 --games 2000 --records games.jsonl
    python -m foxrow.nets.imitation games.jsonl --of search:1000 --out copy.npz

Much of what a search chooses is luck, and one choice says little about what it would choose the next time. So a record
may say beside its `moves` what was thought of each: in `thoughts`, for every move null, or how often the search visited
the moves that it considered, `[["7", 812], ["6 6", 140]]` (`bench/thoughts.py` plays such games). Then a copy learns
from choice and visits alike. In the end its odds are made as sure, or unsure, as the choices kept aside say.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.core.position import Position
from foxrow.core.registry import game as find_game
from foxrow.nets.model import Model, padded
from foxrow.nets.weights import Card, home, load, save

CHUNK = 64  # records that a process replays at a time
HELD = 20  # of so many records one is kept aside, to see what was learned and what only learned by heart
PART = 4096  # decisions of a step
RATE = 5e-4
MOST = 24  # moves of a decision that are learned from, those of most visits
SHARPER = np.geomspace(0.1, 4.0, 60)  # what a copy's logits may be multiplied by in the end


@dataclass(frozen=True)
class Examples:
    """Decisions: what was seen, what was allowed, what was chosen; all as a net calls them, in the position's frame."""

    features: NDArray[np.int8]
    masks: NDArray[np.bool_]
    moves: NDArray[np.int64]  # [decision, MOST] what was chosen, and what else was thought of
    share: NDArray[np.float32]  # [decision, MOST] of all visits; without thoughts, all of the chosen one
    held: NDArray[np.bool_]  # of a record that is kept aside


def examples(lines: Sequence[str], of: str, processes: int | None = None) -> tuple[Game, Examples]:
    """The decisions of one player, by name, in records of rounds. Where there was one legal move, none was made."""
    chunks = [(first, lines[first : first + CHUNK], of) for first in range(0, len(lines), CHUNK)]
    if not chunks:
        raise FoxrowError("there are no records")
    game = find_game(str(_read(lines[0])["game"]))
    if len(chunks) == 1:
        found = [_decisions(*chunks[0])]
    else:
        with ProcessPoolExecutor(processes or os.cpu_count(), mp_context=get_context("spawn")) as pool:
            found = list(pool.map(_decisions, *zip(*chunks, strict=True)))
    parts = [np.concatenate(part) for part in zip(*found, strict=True)]
    if not len(parts[0]):
        raise FoxrowError(f"{of!r} decides nothing in these records")
    return game, Examples(*parts)


def _read(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
        if record["format"] == "foxrow/1":
            return dict(record)
    except (ValueError, KeyError, TypeError):
        pass
    raise FoxrowError(f"this is no record of a round: {line[:60]!r}")


def _decisions(first: int, lines: Sequence[str], of: str) -> tuple[NDArray[Any], ...]:
    rows: list[NDArray[np.int8]] = []
    masks: list[NDArray[np.bool_]] = []
    moves: list[list[int]] = []
    share: list[list[float]] = []
    held: list[bool] = []
    rules = find_game(str(_read(lines[0])["game"])).rules
    for number, line in enumerate(lines, first):
        record = _read(line)
        position = _begin(record)
        thoughts = record.get("thoughts", [[]] * len(record["moves"]))
        if len(thoughts) != len(record["moves"]):
            raise FoxrowError(f"record {number + 1} has {len(thoughts)} thoughts about {len(record['moves'])} moves")
        for text, thought in zip(record["moves"], thoughts, strict=True):
            seat = rules.actor(position.state)
            decided = record["players"][seat] == of and thought is not None
            if decided and len(legal := rules.legal(position.state)) > 1:
                view: Any = position.masked(seat)
                frame = rules.frame(view, seat)
                named = rules.frames.moves[frame]
                mask = np.zeros(rules.MOVES, np.bool_)
                mask[named[legal]] = True
                rows.append(rules.features(view, seat)[rules.frames.features[frame]])
                masks.append(mask)
                visits = dict(islice(({text: 0.0} | dict(thought or [(text, 1.0)])).items(), MOST))
                total = sum(visits.values()) or 1.0
                room = MOST - len(visits)
                moves.append([int(named[rules.parse(position.state, other)]) for other in visits] + [0] * room)
                share.append([visited / total for visited in visits.values()] + [0.0] * room)
                held.append(number % HELD == 0)
            position.play(text)
    return (
        np.array(rows, np.int8).reshape(-1, rules.FEATURES),
        np.array(masks, np.bool_).reshape(-1, rules.MOVES),
        np.array(moves, np.int64).reshape(-1, MOST),
        np.array(share, np.float32).reshape(-1, MOST),
        np.array(held, np.bool_),
    )


def _begin(record: dict[str, Any]) -> Position:
    game, names, options = find_game(str(record["game"])), record["players"], record["options"]
    if "setup" in record:
        return Position.from_setup(game, record["setup"], len(names), names=names, options=options)
    deal = record["deal"]
    return Position.deal(
        game,
        len(names),
        seed=bytes.fromhex(deal["seed"]),
        round=deal["round"],
        first=record["first"],
        names=names,
        options=options,
    )


def imitate(
    game: Game, seen: Examples, *, players: int = 2, rounds: int = 4, device: str = "cpu", seed: int = 1
) -> Model:
    """Learn to choose as they did. It begins from the game's own net for such tables: it knows what a good move is."""
    torch.manual_seed(seed)
    rules = game.rules
    card, layers = load(home(game, players), game)
    model = Model(rules.FEATURES, rules.MOVES, rules.SEATS, card.width, card.depth).to(device)
    features, masks, moves, share = _tensors(seen, slice(None), device)
    model.fit_scale(features[: 1 << 16])
    model.read(layers)
    shown = torch.from_numpy(np.flatnonzero(~seen.held)).to(device)
    steps = rounds * -(-len(shown) // PART)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    fall = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=max(1, steps))
    for _ in range(rounds):
        for part in shown[torch.randperm(len(shown), device=device)].split(PART):
            loss = _surprise(model(features[part])[0], masks[part], moves[part], share[part]).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            fall.step()
    _sharpen(model, seen)
    return model


def _tensors(seen: Examples, some: Any, device: str) -> tuple[Any, ...]:
    """Features, masks, moves and shares, as wide as a model wants them."""
    rows = (torch.from_numpy(part[some]).to(device) for part in (seen.features, seen.masks))
    wide = [torch.nn.functional.pad(row, (0, padded(row.shape[1]) - row.shape[1])) for row in rows]
    return *wide, *(torch.from_numpy(part[some]).to(device) for part in (seen.moves, seen.share))


def _surprise(logits: Any, masks: Any, moves: Any, share: Any) -> Any:
    """At what was chosen and at what else was thought of, in equal parts."""
    logs = torch.where(masks, logits, -1e9).log_softmax(1).gather(1, moves)
    return -0.5 * (logs[:, 0] + (logs * share).sum(1))


@torch.no_grad()
def _answers(model: Model, seen: Examples) -> tuple[Any, Any]:
    """Logits in decisions of games that it did not learn from, and what was chosen there."""
    features, masks, moves, _ = _tensors(seen, np.flatnonzero(seen.held)[: 1 << 15], str(model.mean.device))
    return torch.where(masks, model(features)[0], -1e9), moves[:, 0]


@torch.no_grad()
def _sharpen(model: Model, seen: Examples) -> None:
    """Make it as sure as it may be: so that what was chosen in games that it did not learn from surprises it least."""
    logits, chosen = _answers(model, seen)
    if len(chosen):
        best = min(SHARPER, key=lambda much: float(torch.nn.functional.cross_entropy(logits * much, chosen)))
        for parameter in model.policy.parameters():
            parameter.mul_(float(best))


def likeness(model: Model, seen: Examples) -> tuple[float, float]:
    """In decisions of games that it did not learn from: how often its favourite is what was chosen, and how much the
    choice surprises it, in nats."""
    logits, chosen = _answers(model, seen)
    surprise = torch.nn.functional.cross_entropy(logits, chosen)
    return float((logits.argmax(1) == chosen).float().mean()), float(surprise)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m foxrow.nets.imitation", description=__doc__)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--of", required=True, help="the player's name in the records")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=4, help="how often each decision is seen")
    parser.add_argument("--seed", type=int, default=1, help="another one makes another copy")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    lines = [line for path in given.records for line in path.read_text("utf-8").splitlines() if line.strip()]
    game, seen = examples(lines, given.of)
    players = min(len(_read(line)["players"]) for line in lines)
    model = imitate(game, seen, players=players, rounds=given.rounds, device=given.device, seed=given.seed)
    card = Card(game.key, game.version, game.rules.FEATURES_VERSION, model.width, model.depth, int((~seen.held).sum()))
    save(given.out, card, model.layers())
    alike, surprise = likeness(model, seen)
    print(f"{len(lines):,} records, {len(seen.moves):,} decisions; as {given.of} in {alike:.1%}, {surprise:.3f} nats")


if __name__ == "__main__":
    main()
