"""Linko's features say everything that the view holds, and nothing is left over from the call before."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from foxrow.core.position import Position
from foxrow.games.linko import GAME
from foxrow.games.linko.view import FEATURE_FIELDS, FEATURES, SECRETS

PHASES = ("lay", "attacker", "victim", "draw", "over")


def fields(p: Position, seat: int) -> dict[str, list[int]]:
    values = GAME.rules.features(p.masked(seat), seat)
    found: dict[str, list[int]] = {}
    at = 0
    for name, size, _ in FEATURE_FIELDS:
        found[name] = [int(n) for n in values[at : at + size]]
        at += size
    assert at == FEATURES
    return found


def cards(counts: list[int]) -> list[Any]:
    """Counts by value, as the notation lists them: numbers first, jokers last."""
    return [value for value in range(1, 14) for _ in range(counts[value])] + ["X"] * counts[0]


def rebuilt(p: Position, seat: int) -> dict[str, Any]:
    """The seat's view out of its features alone: what cannot be rebuilt would be missing there."""
    f = fields(p, seat)
    players = f["players"][0]
    seats = [(seat + i) % players for i in range(players)]  # relative to absolute
    stacks: list[Any] = [None] * players
    hands: list[Any] = [None] * players
    rows = [f["rows"][i : i + 3] for i in range(0, len(f["rows"]), 3)]
    for i, other in enumerate(seats):
        stacks[other] = [[value] * numbers + ["X"] * jokers for value, numbers, jokers in rows[: f["height"][i]]]
        del rows[: f["height"][i]]
        hands[other] = {"n": f["held"][i], "known": cards(f["known"][14 * i : 14 * i + 14])}
        assert f["laid"][i] == sum(map(len, stacks[other]))
        for k, row in enumerate(reversed(stacks[other][-6:])):
            rank, size, jokers = f["tops"][18 * i + 3 * k : 18 * i + 3 * k + 3]
            assert (rank, size, jokers) == (14 if row[0] == "X" else row[0], len(row), row.count("X"))
        flags = f["newest"][84 * i : 84 * i + 84]
        top = stacks[other][-1:]
        assert [at for at, flag in enumerate(flags) if flag] == [
            14 * (min(len(row), 6) - 1) + (14 if row[0] == "X" else row[0]) - 1 for row in top
        ]
    hands[seat] = cards(f["hand"])
    assert f["at_least"] == [int(count > k) for count in f["hand"] for k in range(7)]
    phase = PHASES[f["stage"].index(1)]
    return {
        "players": players,
        "options": {"optional_snatch": bool(f["optional"][0])},
        "hands": hands,
        "stacks": stacks,
        "display": cards(f["display"]),
        "discard": cards(f["discard"]),
        "pile": {"n": f["pile"][0]},
        "active": seats[f["active"].index(1)],
        "first": seats[f["first"].index(1)],
        "victim": seats[f["victim"].index(1)] if 1 in f["victim"] else None,
        "draws": f["draws"][0],
        "phase": phase,
        "over": phase == "over",
    }


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize("players", GAME.players)
def test_the_view_can_be_rebuilt_from_its_features(players: int, optional: bool) -> None:
    p = Position.deal(GAME, players, seed=players, first=players - 1, options={"optional_snatch": optional})
    chance = random.Random(players)
    while True:
        for seat in range(players):
            view, found = p.view(seat), rebuilt(p, seat)
            assert found == {key: view[key] for key in found}
            f = fields(p, seat)
            assert f["shown"][0] == len(view["display"])
            assert sum(f["unseen"]) == view["pile"]["n"] + sum(
                hand["n"] - len(hand["known"]) for hand in view["hands"] if isinstance(hand, dict)
            )
        if p.over:
            break
        p.play(chance.choice(p.legal()))


def test_every_number_is_written() -> None:
    p = GAME.new(3, seed=2)
    first, second = np.zeros(FEATURES, np.int8), np.full(FEATURES, 99, np.int8)
    for out in (first, second):
        GAME.rules._globals["features"](p.state, 1, out)
    assert np.array_equal(first, second)


@pytest.mark.parametrize("players", GAME.players)
def test_secrets_are_what_the_others_see(players: int) -> None:
    """Of every other seat, in turn: its hand, what it cannot place, its hand as flags; nothing where nobody sits."""
    p = Position.deal(GAME, players, seed=players, options={})
    chance = random.Random(players)
    while not p.over:
        seat = GAME.rules.actor(p.state)
        told = np.full(SECRETS, 99, np.int8)
        GAME.rules._globals["secret"](p.state, seat, told)
        blocks = told.reshape(4, -1).tolist()
        for i in range(1, players):
            f = fields(p, (seat + i) % players)
            assert blocks[i - 1] == f["hand"] + f["unseen"] + f["at_least"]
        assert not any(map(any, blocks[players - 1 :]))
        p.play(chance.choice(p.legal()))
