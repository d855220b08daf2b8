"""Line-it's features hold all that a view holds: the table can be read back from the numbers alone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from foxrow.core.position import Position
from foxrow.games.lineit.tests.positions import COLOURS, LINEIT, Card, position
from foxrow.games.lineit.view import FEATURE_FIELDS, FEATURES


def fields(p: Position, seat: int) -> dict[str, list[int]]:
    numbers = [int(n) for n in LINEIT.rules.features(p.masked(seat), seat)]
    assert len(numbers) == FEATURES
    found = {}
    at = 0
    for name, size, _ in FEATURE_FIELDS:
        found[name] = numbers[at : at + size]
        at += size
    return found


def cards(plane: list[int]) -> list[Card]:
    """A plane over kinds as cards, in the deck's order."""
    names: list[Card] = [*range(1, 101), "+3", "+4", "+5"]
    return [names[kind] for kind, n in enumerate(plane) for _ in range(n)]


def line(f: dict[str, list[int]], i: int) -> list[Card]:
    """A line in its order: numbers along their way, the bet before the last `after` of them."""
    numbers: list[Card] = cards(f["lines"][100 * i : 100 * i + 100])
    if f["way"][i] < 0:
        numbers.reverse()
    if f["bet"][i]:
        numbers.insert(len(numbers) - f["after"][i], f"+{f['bet'][i]}")
    return numbers


def sort(found: list[Card]) -> list[Card]:
    return sorted(found, key=lambda card: (isinstance(card, str), card))


def read_back(f: dict[str, list[int]], seat: int) -> dict[str, Any]:
    """The view's JSON; the order within market, hands and jackpots is the deck's."""
    players = f["players"][0]
    place = [(seat + i) % players for i in range(players)]  # of the i-th seat from the seer
    where = [place.index(other) for other in range(players)]
    jackpots = cards(f["jackpots"])
    scores = [f["score"][i] + 100 * f["hundreds"][i] for i in where]
    return {
        "deck": {"n": f["stock"][0]},
        "market": cards(f["market"]),
        "lines": [line(f, i) for i in where],
        "hands": [cards(f["hands"][103 * i : 103 * i + 103]) for i in where],
        "jackpots": {name: [c for c in jackpots if (int(c) - 1) % 4 == k] for k, name in enumerate(COLOURS)},
        "first": place[f["first"].index(1)],
        "taken": bool(f["taken"][0]),
        "played": bool(f["played"][0]),
        "lap": f["lap"][0],
        "line_scores": [f["worth"][i] for i in where],
        "to_act": place[f["active"].index(1)] if 1 in f["active"] else None,
        "phase": ("turn", "final", "over")[f["stage"].index(1)],
        "scores": [score + f["worth"][i] for score, i in zip(scores, where, strict=True)],
        "players": players,
    }


def check(p: Position) -> None:
    for seat in range(p.players):
        f = fields(p, seat)
        found = read_back(f, seat)
        view = p.view(seat)
        view["market"] = sort(view["market"])
        view["hands"] = [sort(hand) for hand in view["hands"]]
        view["jackpots"] = {name: sorted(pot) for name, pot in view["jackpots"].items()}
        assert found == {key: view[key] for key in found}
        assert set(view) - set(found) == {"game", "options", "active", "seat", "legal", "over", "winners"}
        assert cards(f["deck"]) == sort([c if isinstance(c, str) else int(c) for c in deck(p)])
        assert f["pots"] == [len(view["jackpots"][name]) for name in COLOURS]
        assert f["held"][: p.players] == [len(view["hands"][(seat + i) % p.players]) for i in range(p.players)]
        assert f["offered"] == [len(view["market"])]
        for i in range(p.players):
            numbers = [c for c in view["lines"][(seat + i) % p.players] if not isinstance(c, str)]
            assert f["numbers"][i] == len(numbers)
            assert f["last"][i] == (numbers[-1] if numbers else 0)
            assert f["colours"][4 * i : 4 * i + 4] == [sum((n - 1) % 4 == k for n in numbers) for k in range(4)]
        for name, size, _ in FEATURE_FIELDS:  # nobody sits there
            if size % 5 == 0 and name != "jackpots":
                share = size // 5
                assert f[name][share * p.players :] == [0] * share * (5 - p.players)


def deck(p: Position) -> list[Card]:
    """T12: what a perfect memory knows of the deck."""
    return [
        LINEIT.rules.text.cards_json([card])[0]
        for card in range(1, 104)
        for _ in range(int(p.masked(0).left[card]))  # type: ignore[attr-defined]
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_whole_game_can_be_read_back(players: int) -> None:
    p = LINEIT.new(players, seed=players, first=1)
    chance = random.Random(players)
    while not p.over:
        if len(p.moves) % 6 == 0 or p.phase == "final":
            check(p)
        moves = [move for move in p.legal() if move != "close" or chance.random() < 0.1] or ["close"]
        p.play(chance.choice(moves))
    check(p)


@pytest.mark.parametrize("score", [-999, -101, -100, -99, -1, 0, 99, 100, 127, 128, 999])
def test_scores_beyond_a_byte(score: int) -> None:
    check(position([1, 2], scores=[score, -score]))
    check(position([], scores=[score, 0], lines=[list(range(1, 101)), []], active=1, taken=True))
