"""LINX's features: the fields, what they say, and that they say everything."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from foxrow.core.chance import streams
from foxrow.core.contract import Choice
from foxrow.core.position import Position
from foxrow.games.linx import GAME
from foxrow.games.linx.tests.positions import position
from foxrow.games.linx.view import FEATURE_FIELDS, FEATURES

KINDS: list[tuple[int, dict[str, Choice]]] = [
    (2, {}),
    (3, {}),
    (3, {"layout": "corners"}),
    (4, {}),
    (4, {"teams": True}),
]


def fields(p: Position, seat: int) -> dict[str, Any]:
    """The features by name, planes as [plane, row, column]."""
    values = GAME.rules.features(p.masked(seat), seat)
    found: dict[str, Any] = {}
    at = 0
    for name, size, _ in FEATURE_FIELDS:
        part = values[at : at + size]
        found[name] = part.reshape(-1, 6, 6) if size % 36 == 0 else part
        at += size
    assert at == FEATURES
    return found


def span(inside: Any) -> list[int]:
    """Columns or rows of a dealt box, which holds 0: from there up to the gap, and the others below 0."""
    above = next((i for i in range(6) if not inside[i]), 6)
    return [i - 6 for i in range(above, 6) if inside[i]] + list(range(above))


def rebuilt(p: Position, seat: int) -> dict[str, Any]:
    """The seat's view out of its features alone: what cannot be rebuilt would be missing there."""
    f = fields(p, seat)
    players = int(f["players"][0])
    seats = [(seat + i) % players for i in range(players)]  # relative to absolute
    columns = span(f["box"][0].any(axis=0))
    rows = span(f["box"][0].any(axis=1))
    board = []
    for y in rows:
        for x in columns:
            under = f["under"][:, y % 6, x % 6]
            if under.any():
                symbol = int(under.argmax())
                owner = int(under[symbol]) - 1
                whose = None if owner == 4 else seats[owner]
                lid = next(seats[i] for i in range(4) if f["face_down"][i, y % 6, x % 6])
                board.append({"at": [x, y], "owner": whose, "tile": "RPS"[symbol], "down": False})
                board.append({"at": [x, y], "owner": lid, "tile": "RPS"[(symbol + 1) % 3], "down": True})
            elif f["faces"][:, y % 6, x % 6].any():
                symbol = int(f["faces"][:, y % 6, x % 6].argmax())
                whose = next((seats[i] for i in range(4) if f["face_up"][i, y % 6, x % 6]), None)
                assert (whose is None) == bool(f["nobodys"][0, y % 6, x % 6])
                board.append({"at": [x, y], "owner": whose, "tile": "RPS"[symbol], "down": False})
    hands: list[Any] = [None] * players
    remaining: list[Any] = [None] * players
    piles: list[Any] = [None] * players
    for i, other in enumerate(seats):
        known = [c for c, n in zip("RPS", f["known"][3 * i :], strict=False) for _ in range(n)]
        hands[other] = {"n": int(f["held"][i]), "known": known}
        remaining[other] = {c: int(n) for c, n in zip("RPS", f["remaining"][3 * i : 3 * i + 3], strict=True)}
        piles[other] = {"n": int(f["stock"][i])}
    hands[seat] = [c for c, n in zip("RPS", f["hand"], strict=True) for _ in range(n)]
    return {
        "board": board,
        "hands": hands,
        "remaining": remaining,
        "piles": piles,
        "first": seats[int(f["first"].argmax())],
        "to_act": seats[int(f["active"].argmax())] if f["active"].any() else None,
        "limit": int(f["limit"][0]),
        "passes": int(f["passes"][0]),
        "over": bool(f["over"][0]),
    }


@pytest.mark.parametrize(("players", "options"), KINDS)
def test_the_view_can_be_rebuilt_from_its_features(players: int, options: dict[str, Choice]) -> None:
    for seed in range(3):
        p = Position.deal(GAME, players, seed=seed, first=seed % players, options=options)
        chance = random.Random(seed)
        while True:
            for seat in range(players):
                view = p.view(seat)
                found = rebuilt(p, seat)
                assert found == {key: view[key] for key in found}
                assert fields(p, seat)["teams"][0] == bool(options.get("teams"))
                assert [int(n) for n in fields(p, seat)["visible"][:players]] == p.scores()[seat:] + p.scores()[:seat]
            if p.over:
                break
            p.play(chance.choice(p.legal()))


def test_the_truth_and_the_view_have_the_same_features() -> None:
    p = GAME.new(4, seed=2)
    while not p.over:
        for seat in range(4):
            truth = GAME.rules.features(p.state, seat)
            assert np.array_equal(truth, GAME.rules.features(p.masked(seat), seat))
        p.play(p.legal()[-1])


def test_every_number_is_written() -> None:
    p = GAME.new(3, seed=2)
    first, second = np.zeros(FEATURES, np.int8), np.full(FEATURES, 99, np.int8)
    for out in (first, second):
        GAME.rules._globals["features"](p.state, 1, out)
    assert np.array_equal(first, second)


def test_planes_and_moves_share_their_cells() -> None:
    p = position("0R@0,0 0P@1,1 1S@1,0 1R#1,0", ["RS", "P"])
    f = fields(p, 0)
    places = {move % 36 for move in GAME.rules.legal(p.state) if move < 108}
    assert {i for i in range(36) if f["open"].reshape(36)[i]} == places
    assert {tuple(at) for at in np.argwhere(f["line_up"][0])} == {(5, 5), (2, 2)}  # [row, column] −1,−1 and 2,2
    f = fields(p, 1)
    assert f["line_up"][1].sum() == 2
    assert f["line_up"][0].sum() == 0
    assert f["face_down"][0, 0, 1] == 1
    assert f["points"].tolist() == [-1, -1, -1, -1]


@pytest.mark.parametrize(("players", "options"), KINDS)
def test_what_stops_a_line_does(players: int, options: dict[str, Choice]) -> None:
    """Against the rules: every legal move is made, and then looked whether that seat could still complete its line."""
    seen = 0
    for seed in range(6):
        p = Position.deal(GAME, players, seed=seed, options=options)
        chance = random.Random(seed)
        while not p.over:
            assert p.to_act is not None
            f = fields(p, p.to_act)
            for i in range(1, players):
                other = (p.to_act + i) % players
                if not f["line_up"][i].any():
                    assert not f["stops"][i - 1].any()
                    continue
                for move in GAME.rules.legal(p.state):
                    after = p.copy()
                    after.play_move(move)
                    if move < GAME.rules.MOVES - 1 and not after.over:
                        stopped = not fields(after, other)["line_up"][0].any()
                        assert bool(f["stops"][i - 1].reshape(36)[move % 36]) == stopped
                        seen += 1
            p.play(chance.choice(p.legal()))
    assert seen > 100


def test_forks_covers_and_chances() -> None:
    p = position("0R@0,0 1S@1,0 0R#1,0 1S@2,0 1P@2,1", ["RRS", "PP"], ["PPSS", "RRRR"])
    f = fields(p, 0)
    assert f["forks"][0, 1, 0] == 2  # below the rock: up and down the column
    assert f["forks"][0].max() == 2 and f["forks"][0, 3, 3] == 0
    p = position("1S@0,0 0R#0,0 1P@1,0 1P@2,0", ["SS", "RP"])
    covers = np.argwhere(fields(p, 0)["covers"]).tolist()
    assert covers == [[0, 0, 1], [0, 0, 2], [0, 0, 5]]  # each paper leaves the other as third; −1,0 has no tile yet
    p = position("1S@0,0 0R#0,0 1S@1,0 0R#1,0 1P@2,0 1R@0,1", ["SP", "RP"])
    assert fields(p, 0)["line_down"][0, 0, 2] == 100  # it holds the scissors
    p = position("1S@0,0 0R#0,0 1S@1,0 0R#1,0 1P@2,0 1R@0,1", ["RP", "RP"], ["SS", "RP"])
    assert fields(p, 0)["line_down"][0, 0, 2] == 0
    chance = int(fields(p, 1)["line_down"][1, 0, 2])
    assert 0 < chance < 100  # the other seat cannot know


def test_what_others_hold_is_as_likely_as_it_says() -> None:
    p = Position.deal(GAME, 4, seed=3)
    chance = random.Random(3)
    for _ in range(8):
        p.play(chance.choice(p.legal()))
    f = fields(p, 0)
    said = f["holds"].reshape(4, 3)
    assert said[0].tolist() == [100 * (n > 0) for n in f["hand"]]
    seen = np.zeros((4, 3))
    for rng in streams(1, 400):
        deal: Any = p.masked(0)
        GAME.rules.fill(deal, rng)
        seen += deal.hands > 0
    assert np.abs(seen / 4 - said)[1:].max() < 10
    assert 0 < said[1:].min() < said[1:].max()
