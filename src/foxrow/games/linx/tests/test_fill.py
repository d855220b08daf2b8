"""LINX's `fill` against every deal that agrees with the view, counted by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from foxrow.core.chance import streams
from foxrow.core.position import Position
from foxrow.games.linx import GAME
from foxrow.games.linx.tests.positions import position
from foxrow.games.linx.tests.test_rules import full_grid

World = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def world(s: Any) -> World:
    """What a seat cannot see: every hand, and the order of every pile."""
    return tuple(
        (tuple(int(n) for n in s.hands[seat]), tuple(int(i) for i in s.piles[seat, : int(s.stock[seat])]))
        for seat in range(int(s.players))
    )


def colour(p: Position, seat: int, seer: int) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each way to put one colour's distinct unseen tiles into its hand and pile, once."""
    s = p.state
    seen = [int(n) for n in (s.hands if seat == seer else s.known)[seat]]
    tiles = [i for i in range(3) for _ in range(int(s.hands[seat, i]) - seen[i])]
    held = len(tiles)
    tiles += [int(i) for i in s.piles[seat, : int(s.stock[seat])]]
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for order in permutations(tiles):
        hand = list(seen)
        for i in order[:held]:
            hand[i] += 1
        found[tuple(hand), order[held:]] += 1
    return found


def reached() -> list[Position]:
    """Some tiles known, some piles empty."""
    known = position(full_grid(), ["S", "S"], ["PPSPP", "PSPPP"]).play("pass", "pass")
    three = position("-R@0,0 0P@1,0 1S@0,1", ["RR", "PS", "S"], ["SPRP", "RRP", "R"]).play("R@1,1", "P#0,0")
    return [known, three]


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("seer", [-1, 0, 1])
def test_fill_reaches_every_deal_as_often_as_it_should(number: int, seer: int) -> None:
    p = reached()[number]
    exact: Counter[World] = Counter({(): 1})
    for seat in range(p.players):
        exact = Counter({(*w, c): n * m for w, n in exact.items() for c, m in colour(p, seat, seer).items()})
    total = sum(exact.values())
    draws = 20_000
    seen: Counter[World] = Counter()
    view = p.masked(None if seer < 0 else seer)
    for rng in streams(seer + 7, draws):
        GAME.rules.fill(view, rng)  # a filled view is filled anew: what it held does not matter
        seen[world(view)] += 1
    assert set(seen) == set(exact)
    assert len(exact) >= 3
    # Pearson's statistic over its mean: 1 for a right sampler, with a spread of √(2 / cells).
    chi2 = sum((seen[w] - draws * n / total) ** 2 / (draws * n / total) for w, n in exact.items())
    cells = len(exact) - 1
    assert abs(chi2 / cells - 1) < 6 * (2 / cells) ** 0.5


@pytest.mark.parametrize("players", GAME.players)
def test_fill_agrees_with_the_view_all_through_a_game(players: int) -> None:
    p = GAME.new(players, seed=players)
    rngs = iter(streams(3, 1000))
    varied: set[World] = set()
    while not p.over:
        for seat in range(players):
            view: Any = p.masked(seat)
            GAME.rules.fill(view, next(rngs))
            varied.add(world(view))
            assert int(view.seer) == seat
            assert (view.hands[seat] == p.state.hands[seat]).all()
            for other in range(players):
                assert int(view.hands[other].sum()) == int(p.state.held[other])
                assert (view.hands[other] >= p.state.known[other]).all()
                for symbol in range(3):  # no tile is lost, none is new
                    pile = [int(i) for i in view.piles[other, : int(view.stock[other])]]
                    truth = [int(i) for i in p.state.piles[other, : int(p.state.stock[other])]]
                    assert int(view.hands[other, symbol]) + pile.count(symbol) == int(
                        p.state.hands[other, symbol]
                    ) + truth.count(symbol)
        p.play(p.legal()[len(p.moves) * 7 % len(p.legal())])
    assert len(varied) > players * len(p.moves) // 2
