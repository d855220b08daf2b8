"""Linko, in text: moves, set-ups, views, and the table as a terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from foxrow.core.contract import Choice
from foxrow.core.document import entries, entry, keys, seats
from foxrow.core.errors import IllegalMove, ParseError, SetupError, quoted
from foxrow.core.fields import fields
from foxrow.core.record import TRUTH, one
from foxrow.games.linko.rules import (
    BACK,
    DISCARD,
    IGNORE,
    JOKER_ROW,
    LEAVE,
    PILE,
    SHOW,
    TAKE,
    card_value,
    finish,
    move_row,
)
from foxrow.games.linko.state import (
    ATTACKER,
    CARDS,
    COPIES,
    DISPLAY,
    DRAW,
    JOKERS,
    LAY,
    OVER,
    VALUES,
    VICTIM,
    State,
    View,
    row,
    row_jokers,
    row_numbers,
    row_size,
    row_value,
)

CARD = re.compile(r"[1-9]|1[0-3]|X", re.IGNORECASE)
SHOWN = re.compile(rf"show ?({CARD.pattern})", re.IGNORECASE)
WORDS = {"take": TAKE, "leave": LEAVE, "ignore": IGNORE, "back": BACK, "discard": DISCARD, "pile": PILE}
NAMES = {move: word for word, move in WORDS.items()}


def deck(players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    """L1: eight of each number from 1 to 13, then five jokers."""
    return _deck()


@cache
def _deck() -> tuple[str, ...]:
    return tuple(card_text(card_value(i)) for i in range(CARDS))


def card_text(value: int) -> str:
    return "X" if value == 0 else str(value)


# Moves --------------------------------------------------------------------------------------------------


def move_text(s: State, move: int) -> str:
    if move < TAKE:
        return _laid(move)
    if move >= SHOW:
        return f"show {card_text(move - SHOW)}"
    return NAMES[move]


@cache
def _laid(move: int) -> str:
    return row_text(move_row(move))


@cache
def row_text(packed: int) -> str:
    return " ".join(map(str, row_cards(packed)))


def row_cards(packed: int) -> list[int | str]:
    return list(_row_cards(packed))


@cache  # a few hundred rows, and every view shows many of them
def _row_cards(packed: int) -> list[int | str]:
    return [row_value(packed)] * row_numbers(packed) + ["X"] * row_jokers(packed)


def parse_move(s: State, text: object) -> int:
    if not isinstance(text, str):
        raise ParseError("not_text", "a move is a text like '7 7', 'take' or 'show 9'")
    words = text.lower().split()
    if len(words) == 1 and words[0] in WORDS:
        return WORDS[words[0]]
    if found := SHOWN.fullmatch(" ".join(words)):
        return SHOW + parse_card(found[1])
    if not words or not all(CARD.fullmatch(word) for word in words):
        raise ParseError("not_a_move", f"{quoted(text)} is no move: lay cards like '7 7 X', or say take, show 9, …")
    cards = [parse_card(word) for word in words]
    jokers = cards.count(0)
    values = set(cards) - {0}
    if len(values) > 1:
        raise IllegalMove("mixed_values", "a row holds cards of one value, and jokers")  # L5
    if len(cards) - jokers > COPIES or jokers > JOKERS:
        raise IllegalMove("not_in_hand", "there are not that many of these cards")
    if not values:
        return JOKER_ROW + jokers
    return ((values.pop() - 1) * COPIES + len(cards) - jokers - 1) * (JOKERS + 1) + jokers


def parse_card(word: str) -> int:
    return 0 if word.upper() == "X" else int(word)


def why_not(s: State, move: int) -> tuple[str, str]:
    """Why a move that is none here is none: a code for programs, a sentence for people."""
    asked = {
        LAY: "lay a row of cards first",
        ATTACKER: "a row is hit: take it or leave it",
        VICTIM: "the hit row is yours: take it back or discard it",
        DRAW: "cards are to be drawn: from the pile or from the display",
    }[int(s.stage)]
    if s.stage == LAY and move < TAKE:
        return "not_in_hand", "you do not hold these cards"
    if s.stage == DRAW and move == PILE:
        return "pile_empty", "the pile is empty"
    if s.stage == DRAW and move >= SHOW:
        return "not_in_display", f"there is no {card_text(move - SHOW)} in the display"
    if s.stage == ATTACKER and move == IGNORE:
        return "must_hit", "a hit cannot be ignored at this table"
    return "other_phase", asked


# Set-ups and views --------------------------------------------------------------------------------------


def read_setup(data: object, players: int, options: Mapping[str, Choice]) -> State:
    """A position at the start of a turn. A set-up that is already decided is over."""
    setup = keys(data, "", needs=("hands", "stacks", "display", "pile", "discard", "active"))
    s = one(State)
    left = [JOKERS] + [COPIES] * (VALUES - 1)  # cards the set-up may still name

    def use(card: object, place: str) -> int:
        value = setup_card(card, place)
        if left[value] == 0:
            most = JOKERS if value == 0 else COPIES
            raise SetupError(place, f"the deck has only {most} cards {card_text(value)}")
        left[value] -= 1
        return value

    for seat, place, cards in seats(setup["hands"], "hands", players):
        for at, card in entries(cards, place):
            s.hands[seat, use(card, at)] += 1
            s.held[seat] += 1
    for seat, place, rows in seats(setup["stacks"], "stacks", players):
        for at, cards in entries(rows, place):
            values = [use(card, where) for where, card in entries(cards, at)]
            kinds = set(values) - {0}
            if not values:
                raise SetupError(at, "a row holds at least one card")
            if len(kinds) > 1:
                raise SetupError(at, "a row holds cards of one value, and jokers")
            jokers = values.count(0)
            s.rows[seat, s.height[seat]] = row(max(kinds, default=0), len(values) - jokers, jokers)
            s.height[seat] += 1
            s.laid[seat] += len(values)
    for at, card in entries(setup["display"], "display"):
        s.display[use(card, at)] += 1
        s.shown += 1
        if s.shown > DISPLAY:
            raise SetupError(at, f"the display holds at most {DISPLAY} cards")
    for at, card in entries(setup["pile"], "pile"):
        s.pile[s.end] = use(card, at)
        s.end += 1
    for at, card in entries(setup["discard"], "discard"):
        s.discard[use(card, at)] += 1
    s.missing[:] = left
    s.players = players
    s.active = entry(setup, "active", range(players))
    s.first = s.active
    s.victim = -1
    s.stage = LAY
    s.optional = int(bool(options.get("optional_snatch", False)))
    if 0 in s.held[:players] or (s.end == 0 and s.shown == 0):  # L13, L14
        finish(s)
    return s


def setup_card(card: object, place: str) -> int:
    if card == "X":
        return 0
    if isinstance(card, int) and not isinstance(card, bool) and 1 <= card < VALUES:
        return card
    raise SetupError(place, f"a card is a number from 1 to {VALUES - 1} or 'X', not {quoted(card)}")


def write_setup(s: State) -> dict[str, Any]:
    """The whole position; there is none in the middle of a hit."""
    if s.stage not in (LAY, OVER):
        raise SetupError("", "a set-up cannot express the middle of a hit")
    return {
        "hands": [cards_json(s.hands[seat]) for seat in range(int(s.players))],
        **_table_json(s),
        "pile": [card_json(int(value)) for value in s.pile[int(s.drawn) : int(s.end)]],
        "active": int(s.active),
    }


def write_view(v: View) -> dict[str, Any]:
    v = fields(v)

    players, seer, victim = v.players, v.seer, v.victim
    hands, held, known = v.hands, v.held.tolist(), v.known
    return {
        "hands": [
            cards_json(hands[seat]) if seat == seer else {"n": held[seat], "known": cards_json(known[seat])}
            for seat in range(players)
        ],
        **_table_json(v),
        "pile": {"n": v.end - v.drawn},
        "active": v.active,
        "first": v.first,
        "victim": None if victim < 0 else victim,
        "draws": v.draws,
    }


def _table_json(s: State) -> dict[str, Any]:
    """What lies open for all."""
    rows, heights = s.rows, s.height.tolist()
    return {
        "stacks": [
            [_row_cards(row).copy() for row in rows[seat, : heights[seat]].tolist()] for seat in range(int(s.players))
        ],
        "display": cards_json(s.display),
        "discard": cards_json(s.discard),
    }


def cards_json(counts: Iterable[Any]) -> list[int | str]:
    """Counts by value as cards, numbers first, jokers last."""
    by_value = counts.tobytes() if isinstance(counts, np.ndarray) else bytes(counts)
    numbers = _numbers.get(by_value)
    if numbers is None:
        if len(_numbers) >= NUMBERS_KEPT:
            _numbers.clear()
        numbers = bytes(value for value in range(1, VALUES) for _ in range(by_value[value]))
        _numbers[by_value] = numbers
    return [*numbers, *["X"] * by_value[0]]


# Counts -> numbers. Most of a table is as it was before the move, and the same for every seat. Bytes, not lists: the
# collector does not look at them.
_numbers: dict[bytes, bytes] = {}
NUMBERS_KEPT = 1 << 14


def card_json(value: int) -> int | str:
    return "X" if value == 0 else value


# The table ----------------------------------------------------------------------------------------------


def table(s: State, names: Sequence[str]) -> str:
    """The table as text, from a view or from the truth."""

    def cards(counts: Iterable[Any]) -> str:
        return " ".join(map(str, cards_json(counts))) or "–"

    pile = int(s.end) - int(s.drawn)
    lines = [f"Display  {cards(s.display)}", f"Pile     {pile} cards", f"Discard  {cards(s.discard)}", ""]
    width = max(map(len, names))
    for seat, name in enumerate(names):
        turn = "▸" if s.stage != OVER and seat == s.active else " "
        held, laid = int(s.held[seat]), int(s.laid[seat])
        lines.append(f"{turn} {name:<{width}}  {laid - held:+d} points: {laid} laid, {held} in hand")
        if s.seer in (TRUTH, seat):
            lines.append(f"  {'':<{width}}  hand   {cards(s.hands[seat])}")
        elif s.known[seat].any():
            lines.append(f"  {'':<{width}}  holds  {cards(s.known[seat])} and {held - int(s.known[seat].sum())} more")
        stack = " | ".join(row_text(int(s.rows[seat, i])) for i in range(int(s.height[seat])))
        lines.append(f"  {'':<{width}}  stack  {stack or '–'}")
    lines += ["", _situation(s, names)]
    return "\n".join(lines)


def _situation(s: State, names: Sequence[str]) -> str:
    """One sentence: who is to do what."""
    stage = int(s.stage)
    if stage == OVER:
        return "The round is over."
    active = names[int(s.active)]
    if stage == LAY:
        return f"{active} lays a row."
    victim = names[int(s.victim)]
    if stage == DRAW:
        return f"{victim} draws {int(s.draws)} more."
    top = int(s.rows[int(s.victim), int(s.height[int(s.victim)]) - 1])
    hit = f"{active} hit {victim}’s {row_text(top)}"
    cards = "card" if row_size(top) == 1 else f"{row_size(top)} cards"
    return f"{hit}: take or leave?" if stage == ATTACKER else f"{hit}: {victim} takes the {cards} back or discards?"
