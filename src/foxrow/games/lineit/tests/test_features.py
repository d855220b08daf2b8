"""Line-it's features hold all that a view holds: the table can be read back from the numbers alone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from foxrow.core.position import Position
from foxrow.games.lineit.tests.positions import COLOURS, LINEIT, Card, position
from foxrow.games.lineit.view import END, FEATURE_FIELDS, FEATURES


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
    plane = f["lines"][100 * i : 100 * i + 100]
    numbers: list[Card] = cards([min(n, 1) for n in plane])
    if f["falling"][i]:
        numbers.reverse()
    assert not numbers or plane[int(numbers[-1]) - 1] == END
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
            ahead = [n for n in range(1, 101) if n > numbers[-1]] if numbers else list(range(1, 101))
            behind = [n for n in range(1, 101) if n < numbers[-1]] if numbers else []
            rooms = {(1, 0): len(ahead), (0, 1): len(behind), (0, 0): max(len(ahead), len(behind))}
            assert f["room"][i] == rooms[f["rising"][i], f["falling"][i]]
            assert f["colours"][4 * i : 4 * i + 4] == [sum((n - 1) % 4 == k for n in numbers) for k in range(4)]
            wins = [f["pots"][k] if f["colours"][4 * i + k] == 2 else 0 for k in range(4)]
            assert f["prizes"][4 * i : 4 * i + 4] == wins
        check_prospects(f, view, seat, [c for c in deck(p) if not isinstance(c, str)])
        assert cards(f["sought"]) == sort(
            [n for i in range(1, p.players) for n in view["market"] if not isinstance(n, str) and goes_on(f, i, n)]
        )
        for name, size, _ in FEATURE_FIELDS:  # nobody sits there
            if size % 5 == 0 and name not in ("jackpots", "sought"):
                share = size // 5
                assert f[name][share * p.players :] == [0] * share * (5 - p.players)


def check_prospects(f: dict[str, list[int]], view: dict[str, Any], seat: int, unseen: list[Card]) -> None:
    """What each seat has before it, out of the table as people see it."""
    players = view["players"]

    def ahead(numbers: list[int], found: list[Any]) -> list[int]:
        """How far each number that goes on the line is from its end."""
        found = [n for n in found if not isinstance(n, str)]
        if not numbers:
            return [0] * len(found)
        far = [n - numbers[-1] for n in found]
        if len(numbers) > 1:
            far = [d if numbers[1] > numbers[0] else -d for d in far]
        return [d for d in (far if len(numbers) > 1 else map(abs, far)) if d > 0]

    hopes = []
    for other in range(players):
        i = (other - seat) % players
        line_, hand = view["lines"][other], view["hands"][other]
        numbers = [n for n in line_ if not isinstance(n, str)]
        bet = next((int(n[1:]) for n in line_ if isinstance(n, str)), 0)
        after = len(line_) - 1 - next((k for k, n in enumerate(line_) if isinstance(n, str)), len(line_) - 1)
        order = [(view["first"] + k) % players for k in range(players)]
        turns = 0
        if view["phase"] == "turn":
            turns = view["deck"]["n"] // (players + 2) + (order.index(other) >= order.index(view["active"]))
        fit, offered = ahead(numbers, hand), ahead(numbers, view["market"])
        assert f["needs"][i] == max(0, bet - after)
        assert f["turns"][i] == turns
        assert (f["fits"][i], f["gap"][i]) == (len(fit), min(fit, default=101))
        assert (f["offers"][i], f["offer_gap"][i]) == (len(offered), min(offered, default=101))
        assert f["to_come"][i] == len(ahead(numbers, unseen))
        laid = len(fit) + min(turns, f["room"][i] // 8)
        points = view["scores"][other] - view["line_scores"][other] + max(0, len(numbers) + laid - 3)
        points += bet if after + laid >= bet else -bet
        for n in hand:
            if ahead(numbers, [n]) and sum((m - n) % 4 == 0 for m in numbers) == 2:
                points += len(view["jackpots"][COLOURS[(n - 1) % 4]])
        hopes.append(points)
    for name, lead, points in (("total", "lead", view["scores"]), ("hope", "hope_lead", hopes)):
        for other in range(players):
            i = (other - seat) % players
            best = max(points[rival] for rival in range(players) if rival != other)
            assert f[name][i] == max(-127, min(127, points[other]))
            assert f[lead][i] == max(-127, min(127, points[other] - best))


def goes_on(f: dict[str, list[int]], i: int, number: int) -> bool:
    """Whether a number goes on the i-th seat's line and passes fewer than ten over."""
    numbers = [n for n in line(f, i) if not isinstance(n, str)]
    if not numbers:
        return False
    far = number - int(numbers[-1])
    return 0 < (far if f["rising"][i] else -far if f["falling"][i] else abs(far)) <= 10


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
