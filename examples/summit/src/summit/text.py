"""Summit, in text: a move is the number of the card that is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foxrow.core.contract import Choice
from foxrow.core.document import entries, entry, keys, number, seats
from foxrow.core.errors import ParseError, SetupError, quoted
from foxrow.core.record import TRUTH, one
from summit.state import CARDS, HAND, OVER, State, View, lying


def deck(players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    return tuple(str(card + 1) for card in range(CARDS))


def move_text(s: State, move: int) -> str:
    return str(move + 1)


def parse_move(s: State, text: object) -> int:
    word = text.strip() if isinstance(text, str) else ""
    if word not in deck(0, {}):
        raise ParseError("card", f"a move is a card from 1 to {CARDS}, not {quoted(text)}")
    return int(word) - 1


def why_not(s: State, move: int) -> tuple[str, str]:
    return "not_in_hand", f"you do not hold the {move + 1}"


# Set-ups and views --------------------------------------------------------------------------------------


def read_setup(data: object, players: int, options: Mapping[str, Choice]) -> State:
    """Any position: all twelve cards have their place."""
    setup = keys(data, "", needs=("hands", "table", "gone", "rest", "tricks", "active"))
    s: Any = one(State)
    s.players = players
    s.valley = int(bool(options.get("valley", False)))
    placed: set[int] = set()

    def use(card: object, place: str) -> int:
        found = number(card, place, range(1, CARDS + 1))
        if found in placed:
            raise SetupError(place, f"the {found} is there twice")
        placed.add(found)
        return found - 1

    for seat, place, cards in seats(setup["hands"], "hands", players):
        for at, card in entries(cards, place):
            s.hands[seat, use(card, at)] = 1
            s.held[seat] += 1
    for seat, place, card in seats(setup["table"], "table", players):
        if card is not None:
            s.table[seat] = use(card, place) + 1
    for at, card in entries(setup["gone"], "gone"):
        s.gone[use(card, at)] = 1
    for at, card in entries(setup["rest"], "rest"):
        s.rest[s.left] = use(card, at)
        s.left += 1
    for seat, place, tricks in seats(setup["tricks"], "tricks", players):
        s.tricks[seat] = number(tricks, place, range(HAND + 1))
    s.active = entry(setup, "active", range(players))
    s.first = s.active
    if len(placed) < CARDS:
        raise SetupError("hands", f"the {min(set(range(1, CARDS + 1)) - placed)} is nowhere")
    if s.left != CARDS - HAND * players:
        raise SetupError("rest", f"nobody has {CARDS - HAND * players} cards, not {s.left}")
    if int(s.tricks.sum()) * players != int(s.gone.sum()):
        raise SetupError("tricks", "each trick that was taken has a card of everybody in `gone`")
    _check_turn(s)
    if int(s.tricks.sum()) == HAND:
        s.stage = OVER
    return s  # type: ignore[no-any-return]


def _check_turn(s: State) -> None:
    """Cards of a trick lie before whoever led and those who follow, up to the seat whose turn it is."""
    players, cards = int(s.players), lying(s)
    if cards == players:
        raise SetupError("table", "a trick of everybody's cards has been taken")
    full = HAND - int(s.tricks.sum())
    for back in range(1, players + 1):
        seat = (int(s.active) - back) % players
        if (s.table[seat] > 0) != (back <= cards):
            raise SetupError(f"table[{seat}]", "cards are played in turn, up to the seat in `active`")
        if int(s.held[seat]) != full - (back <= cards):
            raise SetupError(f"hands[{seat}]", f"holds {full - (back <= cards)} cards here, not {int(s.held[seat])}")


def write_setup(s: State) -> dict[str, Any]:
    players = range(int(s.players))
    return {
        "hands": [_numbers(s.hands[seat]) for seat in players],
        **_open(s),
        "rest": [int(card) + 1 for card in s.rest[: int(s.left)]],
        "active": int(s.active),
    }


def write_view(v: View) -> dict[str, Any]:
    return {
        "hands": [
            _numbers(v.hands[seat]) if seat == v.seer else {"n": int(v.held[seat]), "known": []}
            for seat in range(int(v.players))
        ],
        **_open(v),
        "rest": {"n": int(v.left)},
        "active": int(v.active),
        "first": int(v.first),
    }


def _open(s: State) -> dict[str, Any]:
    """What lies open for all."""
    players = range(int(s.players))
    return {
        "table": [int(s.table[seat]) or None for seat in players],
        "gone": _numbers(s.gone),
        "tricks": [int(s.tricks[seat]) for seat in players],
    }


def _numbers(flags: Any) -> list[int]:
    return [card + 1 for card in range(CARDS) if flags[card] > 0]


# The table ----------------------------------------------------------------------------------------------


def table(s: State, names: Sequence[str]) -> str:
    """The table as text, from a view or from the truth, and a sentence: who is to do what."""
    lines = []
    width = max(map(len, names))
    for seat, name in enumerate(names):
        turn = "▸" if s.stage != OVER and seat == s.active else " "
        card = int(s.table[seat]) or "–"
        mine = " ".join(map(str, _numbers(s.hands[seat]))) or "–"
        hand = mine if s.seer in (TRUTH, seat) else f"{int(s.held[seat])} cards"
        lines.append(f"{turn} {name:<{width}}  {int(s.tricks[seat])} tricks  plays {card!s:>2}  hand {hand}")
    lines += [f"Gone  {' '.join(map(str, _numbers(s.gone))) or '–'}", ""]
    lines += ["The round is over." if s.stage == OVER else f"{names[int(s.active)]} plays a card."]
    return "\n".join(lines)
