"""A copy of a player, learned from records: what it is shown is what that player saw, and it comes to do the same."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from foxrow import bots
from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.core.registry import games

torch = pytest.importorskip("torch", reason="training is an extra: pip install foxrow[train]")

from foxrow.nets.imitation import CHUNK, MOST, examples, imitate, likeness  # noqa: E402  # needs torch

HERE = [game for game in games().values() if game.package.startswith("foxrow.games.")]
each_game = pytest.mark.parametrize("game", HERE, ids=lambda game: game.key)


def played(game: Game, seed: int, names: tuple[str, ...]) -> dict[str, Any]:
    """A round between bots of these names, as a record."""
    position = game.new(len(names), seed=seed, names=list(names))
    seats = [bots.make(name, game, seed=seat) for seat, name in enumerate(names)]
    while (seat := position.to_act) is not None:
        legal = game.rules.legal(position.state)
        position.play_move(seats[seat].choose(position.masked(seat), legal).move)
    return position.record()


@each_game
def test_examples_are_what_the_player_saw_and_did(game: Game) -> None:
    record = played(game, 5, ("greedy", "random"))
    found, seen = examples([json.dumps(record)], "greedy")
    assert found is game
    position, rules, at = game.new(2, seed=5), game.rules, 0
    for text in record["moves"]:
        if position.to_act == 0 and len(legal := rules.legal(position.state)) > 1:
            view: Any = position.masked(0)
            frame = rules.frame(view, 0)
            assert (seen.features[at] == rules.features(view, 0)[rules.frames.features[frame]]).all()
            meant = rules.frames.moves[frame].argsort()  # from what a move is called there to the move
            assert rules.move_text(position.state, int(meant[seen.moves[at, 0]])) == text
            assert sorted(meant[np.flatnonzero(seen.masks[at])].tolist()) == sorted(legal)
            at += 1
        position.play(text)
    assert at == len(seen.moves) > 0


@each_game
def test_a_copy_does_as_the_player_does(game: Game) -> None:
    lines = [json.dumps(played(game, seed, ("greedy", "greedy"))) for seed in range(CHUNK + 8)]
    _, seen = examples(lines, "greedy", processes=2)
    shown = dataclasses.replace(seen, held=~seen.held)  # few records: what it learned shows in those it learned from
    before, after = (likeness(imitate(game, seen, rounds=rounds), shown) for rounds in (0, 8))
    assert after[0] > before[0] + 0.05
    assert after[1] < before[1]


@each_game
def test_what_was_thought_of_is_learned_beside_what_was_chosen(game: Game) -> None:
    record = played(game, 5, ("greedy", "greedy"))
    position, rules = game.new(2, seed=5), game.rules
    thoughts: list[Any] = []
    wanted: list[list[tuple[str, float]]] = []
    for number, text in enumerate(record["moves"]):
        legal = position.legal()
        others = [other for other in legal if other != text]
        if number % 2 == 0:  # else more than fit
            others = others[: MOST - 1]
        if number % 3 == 0 or len(legal) == 1:
            thoughts.append(None)  # nothing to learn: a move by lot, perhaps
        else:
            thoughts.append([[text, 3 * len(others)], *([other, 1] for other in others)])
            shown = others[: MOST - 1]
            most = 3 * len(others) / (3 * len(others) + len(shown))
            wanted.append([(text, most), *((other, (1 - most) / len(shown)) for other in shown)])
        position.play(text)
    _, seen = examples([json.dumps({**record, "thoughts": thoughts})], "greedy")
    assert len(seen.moves) == len(wanted)
    position, at = game.new(2, seed=5), 0
    for text, thought in zip(record["moves"], thoughts, strict=True):
        if thought:
            seat = rules.actor(position.state)
            meant = rules.frames.moves[rules.frame(position.masked(seat), seat)].argsort()
            share: dict[str, float] = {}
            for move, part in zip(seen.moves[at], seen.share[at], strict=True):
                if part > 0:
                    share[rules.move_text(position.state, int(meant[move]))] = float(part)
            assert share == pytest.approx(dict(wanted[at]), abs=1e-6)
            at += 1
        position.play(text)


@pytest.mark.parametrize("much", [0.5, 2.5])
def test_a_copy_is_as_sure_as_the_choices_say(much: float) -> None:
    """Made surer or less sure, it would be more surprised."""
    game = HERE[0]
    lines = [json.dumps(played(game, seed, ("greedy", "random"))) for seed in range(24)]
    _, seen = examples(lines, "greedy")
    shown = dataclasses.replace(seen, held=np.arange(len(seen.held)) % 2 == 0)
    model = imitate(game, shown, rounds=6)
    _, surprise = likeness(model, shown)
    for parameter in model.policy.parameters():
        parameter.data.mul_(much)  # as `imitate` did, by as much as fits
    assert likeness(model, shown)[1] > surprise


def test_what_is_no_record_is_explained() -> None:
    for line in ("{}", "nonsense", "7"):
        with pytest.raises(FoxrowError, match="no record of a round"):
            examples([line], "x")
    with pytest.raises(FoxrowError, match="record 1 has 1 thoughts about"):
        examples([json.dumps({**played(HERE[0], 1, ("random", "random")), "thoughts": [None]})], "random")
    with pytest.raises(FoxrowError, match="no records"):
        examples([], "x")
    with pytest.raises(FoxrowError, match="decides nothing"):
        examples([json.dumps(played(HERE[0], 1, ("random", "random")))], "somebody else")
