"""Linko's `fill` against every deal that agrees with the view, counted by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import cast

from foxrow.core.chance import streams
from foxrow.core.position import Position
from foxrow.games.linko.state import State
from foxrow.games.linko.tests.positions import position


def world(s: State) -> tuple[tuple[int, ...], ...]:
    """What the seat cannot see: the others' hands, and the order of the pile."""
    hands = [tuple(hand) for hand in s.hands[: int(s.players)].tolist()]
    return (*hands, tuple(s.pile[int(s.drawn) : int(s.end)].tolist()))


def brute_force(p: Position, seat: int) -> Counter[tuple[tuple[int, ...], ...]]:
    """Each assignment of the distinct unseen cards to the unknown places, once."""
    s = p.state
    known = [[int(n) for n in s.known[other]] for other in range(p.players)]
    pool: list[int] = []
    for other in range(p.players):
        if other != seat:
            for value in range(14):
                pool += [value] * (int(s.hands[other, value]) - known[other][value])
    pool += [int(c) for c in s.pile[int(s.drawn) : int(s.end)]]
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in permutations(pool):
        cards = list(order)
        hands = []
        for other in range(p.players):
            if other == seat:
                hands.append(tuple(int(n) for n in s.hands[other]))
                continue
            hand = list(known[other])
            for _ in range(int(s.held[other]) - sum(known[other])):
                hand[cards.pop(0)] += 1
            hands.append(tuple(hand))
        found[(*hands, tuple(cards))] += 1
    return found


def reached() -> Position:
    """Three seats, up to eight unseen cards, some known."""
    p = position(
        [[9, 9, 1], [5, 3, "X"], [3, 11]],
        [[], [[5, 5]], []],
        display=[4, 6, 6, 10, 12, 12],
        pile=[2, 3, 3, 7, 8],
    )
    return p.play("9 9", "take", "show 4", "pile", "X")


def test_fill_reaches_every_deal_as_often_as_it_should() -> None:
    p = reached()
    for seat in range(3):
        exact = brute_force(p, seat)
        total = sum(exact.values())
        draws = 30_000
        seen: Counter[tuple[tuple[int, ...], ...]] = Counter()
        rngs = streams(seat, draws)
        for i in range(draws):
            view = p.masked(seat)
            p.game.rules.fill(view, rngs[i])
            seen[world(cast(State, view))] += 1
        assert set(seen) <= set(exact)
        assert len(exact) > 100
        # Pearson's statistic over its mean: 1 for a right sampler, with a spread of √(2 / cells).
        chi2 = sum((seen[w] - draws * n / total) ** 2 / (draws * n / total) for w, n in exact.items())
        cells = len(exact) - 1
        assert abs(chi2 / cells - 1) < 6 * (2 / cells) ** 0.5


def test_fill_keeps_what_is_known() -> None:
    p = reached()
    for rng in streams(5, 200):
        view = p.masked(2)
        p.game.rules.fill(view, rng)
        assert all(int(view.hands[1, v]) >= int(p.state.known[1, v]) for v in range(14))  # type: ignore[attr-defined]
        assert int(view.hands[1].sum()) == int(p.state.held[1])  # type: ignore[attr-defined]
