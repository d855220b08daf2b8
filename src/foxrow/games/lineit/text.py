"""Line-it, in text: moves, set-ups, views, and the table as a terminal shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from foxrow.core.contract import Choice
from foxrow.core.document import entries, entry, flag, keys, number, seats
from foxrow.core.errors import ParseError, SetupError, quoted
from foxrow.core.fields import fields
from foxrow.core.record import one
from foxrow.games.lineit.rules import (
    CLOSE,
    DONE,
    KEEP,
    LAPS,
    PLAY,
    TAKE,
    deck_card,
    extend,
    fits,
    line_worth,
    move_card,
)
from foxrow.games.lineit.state import (
    CARDS,
    COLOURS,
    COPIES,
    FINAL,
    HAND,
    KINDS,
    NUMBERS,
    OVER,
    SPARE,
    TURN,
    State,
    View,
    colour,
    figure,
    is_bet,
    line_length,
)

COLOUR_NAMES = ("heart", "diamond", "leaf", "star")
SYMBOLS = "♥♦♣★"
BETS = tuple(range(NUMBERS + 1, KINDS + 1))
POINTS = range(-999, 1000)  # scores that a set-up may start from

VERBS = {"take": TAKE, "keep": KEEP, "play": PLAY}
WORDS = {"close": CLOSE, "done": DONE}
CARD_MOVE = re.compile(r"(take|keep|play) ?(\+ ?[345]|[1-9][0-9]?|100)")


def deck(players: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    """T1: 1 to 100, then +3 +3 +4 +4 +5 +5."""
    return tuple(card_text(deck_card(i)) for i in range(CARDS))


def card_text(card: int) -> str:
    return f"+{figure(card)}" if is_bet(card) else str(card)


# Moves --------------------------------------------------------------------------------------------------


def move_text(s: State, move: int) -> str:
    if move >= CLOSE:
        return "close" if move == CLOSE else "done"
    verb = ("take", "keep", "play")[move // KINDS]
    return f"{verb} {card_text(move_card(move))}"


def parse_move(s: State, text: object) -> int:
    if not isinstance(text, str):
        raise ParseError("not_text", "a move is a text like 'take 37', 'keep +4', 'play 12', 'close' or 'done'")
    words = " ".join(text.lower().split())
    if words in WORDS:
        return WORDS[words]
    if found := CARD_MOVE.fullmatch(words):
        return VERBS[found[1]] + parse_card(found[2]) - 1
    raise ParseError("not_a_move", f"{quoted(text)} is no move: take 37, keep +4, play 12, close or done")


def parse_card(word: str) -> int:
    if word.startswith("+"):
        return NUMBERS - 2 + int(word[1:])
    return int(word)


def why_not(s: State, move: int) -> tuple[str, str]:
    """Why a move that is none here is none: a code for programs, a sentence for people."""
    seat = int(s.active)
    if move == CLOSE:
        if s.stage == FINAL:
            return "no_closing", "nobody closes now: all lines are closed when the last cards are played"
        return "no_line", "there is no card in your line to close"
    if move == DONE:
        return "must_take", "take a market card first, into your line or into your hand"
    card = move_card(move)
    if move >= PLAY:
        if s.played:
            return "already_played", "you have played a card from your hand this turn"
        if card not in s.hands[seat]:
            return "not_in_hand", f"you do not hold the {card_text(card)}"
        return why_no_fit(s, seat, card)
    if s.stage == FINAL:
        return "other_phase", "there is no market any more: play a card from your hand, or say done"
    if s.taken:
        return "already_taken", "you have taken your market card this turn"
    if card not in s.market:
        return "not_in_market", f"there is no {card_text(card)} in the market"
    if move >= KEEP:
        return "hand_full", f"your hand is full: it holds {HAND} cards at most"
    return why_no_fit(s, seat, card)


def why_no_fit(s: State, seat: int, card: int) -> tuple[str, str]:
    if is_bet(card):
        return "second_bet", "your line holds a bet already, and a line holds one at most"
    if s.way[seat] > 0:
        return "does_not_fit", f"your line rises: after {int(s.last[seat])} only higher numbers fit"
    return "does_not_fit", f"your line falls: after {int(s.last[seat])} only lower numbers fit"


# Set-ups and views --------------------------------------------------------------------------------------


def read_setup(data: object, players: int, options: Mapping[str, Choice]) -> State:
    """A position within a turn. Cards that it does not name are out of the game."""
    needs = ("deck", "market", "lines", "hands", "scores", "jackpots", "first", "active", "taken", "played")
    setup = keys(data, "", needs=needs)
    s = one(State)
    s.players = players
    s.stage = TURN
    s.first = entry(setup, "first", range(players))
    s.active = entry(setup, "active", range(players))
    s.taken = flag(setup, "taken")
    s.played = flag(setup, "played")
    spare = [0] + [1] * NUMBERS + [COPIES] * len(BETS)  # copies the set-up may still name

    def use(value: object, place: str) -> int:
        card = setup_card(value, place)
        if spare[card] == 0:
            many = f"only {COPIES} cards" if is_bet(card) else "only one card"
            raise SetupError(place, f"the deck has {many} {card_text(card)}")
        spare[card] -= 1
        return card

    cards = [use(value, at) for at, value in entries(setup["deck"], "deck")]
    s.stock = len(cards)
    s.deck[: len(cards)] = cards[::-1]
    for card in cards:
        s.left[card] += 1
    read_market(s, [(at, use(value, at)) for at, value in entries(setup["market"], "market")])
    for seat, place, values in seats(setup["lines"], "lines", players):
        for at, value in entries(values, place):
            read_line_card(s, seat, use(value, at), at)
    for seat, place, values in seats(setup["hands"], "hands", players):
        for at, value in entries(values, place):
            if s.held[seat] == HAND:
                raise SetupError(at, f"a hand holds {HAND} cards at most")
            s.hands[seat, s.held[seat]] = use(value, at)
            s.held[seat] += 1
    for seat, place, value in seats(setup["scores"], "scores", players):
        s.score[seat] = number(value, place, POINTS)
    jackpots = keys(setup["jackpots"], "jackpots", needs=COLOUR_NAMES)
    for kind, name in enumerate(COLOUR_NAMES):
        for at, value in entries(jackpots[name], f"jackpots.{name}"):
            card = use(value, at)
            if is_bet(card) or colour(card) != kind:
                raise SetupError(at, f"only {name} cards lie under this jackpot, and {card_text(card)} is none")
            s.jackpots[kind, s.pots[kind]] = card
            s.pots[kind] += 1
    return s


def setup_card(value: object, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= NUMBERS:
        return value
    for card in BETS:
        if isinstance(value, str) and value == card_text(card):
            return card
    raise SetupError(place, f"a card is a number from 1 to {NUMBERS} or '+3', '+4', '+5', not {quoted(value)}")


def read_market(s: State, cards: list[tuple[str, int]]) -> None:
    """T2, T3: never more than a full market, and a card for each turn that is left."""
    most = int(s.players) + SPARE
    for at, card in cards:
        if s.offered == most:
            raise SetupError(at, f"a market of {int(s.players)} players holds {most} cards at most")
        s.market[s.offered] = card
        s.offered += 1
    had = (int(s.active) - int(s.first)) % int(s.players) + int(s.taken)  # seats that have taken their card
    turns = int(s.players) - had
    if len(cards) < turns:
        raise SetupError("market", f"seats that still take a card: {turns}; cards in the market: {len(cards)}")


def read_line_card(s: State, seat: int, card: int, place: str) -> None:
    """T5: a line was laid card by card, so each must fit. What it won on the way (T8) is in the scores."""
    if not fits(s, seat, card):
        raise SetupError(place, "a line holds one bet at most" if is_bet(card) else "a line rises or falls strictly")
    extend(s, seat, card)


def write_setup(s: State) -> dict[str, Any]:
    """The whole position; there is none once the last round is over."""
    if s.stage != TURN:
        raise SetupError("", "a set-up cannot express the final phase")
    return {
        "deck": cards_json(s.deck[: int(s.stock)][::-1]),
        **_table_json(s),
        "scores": [int(points) for points in s.score[: int(s.players)]],
    }


def write_view(v: View) -> dict[str, Any]:
    v = fields(v)
    return {
        "deck": {"n": int(v.stock)},
        **_table_json(v),
        "lap": int(v.lap),
        "line_scores": [line_worth(v, seat) for seat in range(int(v.players))],
    }


def _table_json(s: State) -> dict[str, Any]:
    """What lies open for all, or lay open before (T12)."""
    players = range(int(s.players))
    return {
        "market": cards_json(s.market[: int(s.offered)]),
        "lines": [cards_json(s.lines[seat, : line_length(s, seat)]) for seat in players],
        "hands": [cards_json(s.hands[seat, : int(s.held[seat])]) for seat in players],
        "jackpots": {name: cards_json(pot_cards(s, kind)) for kind, name in enumerate(COLOUR_NAMES)},
        "first": int(s.first),
        "active": int(s.active),
        "taken": bool(s.taken),
        "played": bool(s.played),
    }


def pot_cards(s: State, kind: int) -> list[int]:
    return [int(card) for card in s.jackpots[kind, : int(s.pots[kind])]]


def cards_json(cards: Iterable[Any]) -> list[int | str]:
    return [card_text(int(card)) if is_bet(card) else int(card) for card in cards]


# The table ----------------------------------------------------------------------------------------------


def table(s: State, names: Sequence[str]) -> str:
    """The table as text, from a view or from the truth."""

    def cards(list_of: Iterable[Any]) -> str:
        return " ".join(face(int(card)) for card in list_of) or "–"

    pots = "   ".join(f"{SYMBOLS[kind]} {' '.join(map(str, pot_cards(s, kind))) or '–'}" for kind in range(COLOURS))
    lines = [
        f"Market    {cards(s.market[: int(s.offered)])}",
        f"Jackpots  {pots}",
        f"Deck      {int(s.stock)} cards",
        "",
    ]
    width = max(map(len, names))
    for seat, name in enumerate(names):
        turn = "▸" if s.stage != OVER and seat == s.active else " "
        points, worth = int(s.score[seat]), line_worth(s, seat)
        token = ", first" if s.stage != OVER and seat == s.first else ""
        total = f"{points + worth} points: {points} scored, {worth:+d} in the line{token}"
        way = {1: "↑ ", -1: "↓ ", 0: ""}[int(s.way[seat])]
        lines += [
            f"{turn} {name:<{width}}  {total}",
            f"  {'':<{width}}  line  {way}{cards(s.lines[seat, : line_length(s, seat)])}",
            f"  {'':<{width}}  hand  {cards(s.hands[seat, : int(s.held[seat])])}",
        ]
    lines += ["", _situation(s, names)]
    return "\n".join(lines)


def face(card: int) -> str:
    """A card as the table shows it: with its colour."""
    return card_text(card) if is_bet(card) else f"{card}{SYMBOLS[colour(card)]}"


def _situation(s: State, names: Sequence[str]) -> str:
    """One sentence: who is to do what."""
    if s.stage == OVER:
        return "The game is over."
    name = names[int(s.active)]
    if s.stage == FINAL:
        return f"Last cards, lap {int(s.lap)} of {LAPS}: {name} plays a card or is done."
    if s.taken:
        return f"{name} has taken a card."
    return f"{name} takes a market card."
