"""Line-it's `fill` against every order of the deck, counted by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import cast

import pytest

from foxrow.core.chance import streams
from foxrow.core.position import Position
from foxrow.games.lineit.state import State
from foxrow.games.lineit.tests.positions import LINEIT, Card, position, setup_of


def filled(p: Position, seat: int | None, seed: int, n: int) -> list[State]:
    found = []
    for rng in streams(seed, n):
        view = p.masked(seat)
        LINEIT.rules.fill(view, rng)
        found.append(cast(State, view))
    return found


def order(s: State) -> tuple[str, ...]:
    """The deck, top card first."""
    cards = [int(card) for card in s.deck if card != 0][::-1]
    return tuple(LINEIT.rules.text.card_text(card) for card in cards)


@pytest.mark.parametrize(
    ("deck", "orders"), [([1, 2, 3, 4, 5], 120), ([7, "+3", "+3", 9, "+5"], 60), (["+4", "+4"], 1), ([100], 1), ([], 1)]
)
def test_fill_reaches_every_order_as_often_as_it_should(deck: list[Card], orders: int) -> None:
    exact = Counter(tuple(map(str, cards)) for cards in permutations(deck))
    assert len(exact) == orders
    p = position([50, 60], deck=deck, hands=[[70], ["+5" if "+5" not in deck else 71]])
    for seat in (0, 1, None):
        draws = 40 * len(exact)
        seen = Counter(map(order, filled(p, seat, 10 if seat is None else seat, draws)))
        assert set(seen) == set(exact)
        # Pearson's statistic: its mean is the number of free cells, its spread the root of twice that.
        total = sum(exact.values())
        chi2 = sum((seen[w] - draws * n / total) ** 2 / (draws * n / total) for w, n in exact.items())
        cells = len(exact) - 1
        assert abs(chi2 - cells) <= 6 * (2 * cells) ** 0.5


def test_fill_of_a_real_deck_holds_the_same_cards_in_another_order() -> None:
    p = LINEIT.new(4, seed=5)
    truth = tuple(map(str, setup_of(p)["deck"]))
    decks = [order(s) for s in filled(p, 2, 1, 50)]
    assert all(sorted(deck) == sorted(truth) for deck in decks)
    assert len(set(decks)) == 50


def test_fill_knows_what_a_perfect_memory_knows() -> None:
    """Closed lines, discarded bets and won jackpots are gone: they never come back into the deck."""
    p = position([9, "+3", 40], lines=[[1, 5], []], jackpots={"heart": [93]}, deck=[20, 21, 22, 23], first=1, active=0)
    p.play("take 9", "close", "done")
    view = filled(p, 0, 1, 1)[0]
    assert int(view.stock) == 0  # all four are the new market
    assert order(view) == ()
    assert [int(n) for n in view.left] == [0] * 104
