"""Line-it, what a report tells apart: kinds of moves, and how a game ends."""

from __future__ import annotations

from foxrow.games.lineit.rules import CLOSE, DONE, KEEP, PLAY, THIRD, move_card
from foxrow.games.lineit.state import FINAL, State, colour, figure, is_bet

LONG = 9  # number cards; longer lines are told apart no further


def move_kind(s: State, move: int) -> str:
    if move == DONE:
        return "done"
    if move == CLOSE:
        return closing(int(s.numbers[int(s.active)]))
    word = "take" if move < KEEP else "keep" if move < PLAY else "play"
    card = move_card(move)
    return f"{word} bet +{figure(card)}" if is_bet(card) else f"{word} number"


def closing(numbers: int) -> str:
    """By the length of the line, three cards a step."""
    if numbers >= LONG:
        return f"close {LONG} numbers or more"
    low = numbers // 3 * 3
    return f"close {low} to {low + 2} numbers"


def ending(s: State) -> str:
    """T11: one seat has most points, or they share."""
    points = sorted((int(score) for score in s.score[: int(s.players)]), reverse=True)
    return "shared win" if points[0] == points[1] else "one winner"


def questions(s: State, move: int) -> list[tuple[str, str]]:
    """What a player asks before this move, and what the move answers."""
    seat = int(s.active)
    if s.stage == FINAL:
        return [("the end: a card from the hand", "no" if move == DONE else "yes")]
    numbers = int(s.numbers[seat])
    found = []
    if numbers:
        size = f"{LONG} numbers or more" if numbers >= LONG else f"{numbers // 3 * 3} to {numbers // 3 * 3 + 2} numbers"
        with_bet = ", bet open" if s.bet[seat] > s.after[seat] else ""
        found.append((f"a line of {size}{with_bet}: close it", "close" if move == CLOSE else "go on"))
    if move in (CLOSE, DONE):
        return found
    card = move_card(move)
    if move < PLAY:
        place = "line" if move < KEEP else "hand"
        if is_bet(card):
            found.append((f"a bet +{figure(card)} in the market", f"take it, into the {place}"))
        else:
            found.append(("a number from the market: where to", f"into the {place}"))
            found += [(f"a bet +{bet} in the market", "leave it") for bet in offered_bets(s)]
            wins = move < KEEP and s.colours[seat, colour(card)] == THIRD - 1 and s.pots[colour(card)] > 0
            found.append(("a number from the market: a jackpot", "wins one" if wins else "wins none"))
    elif is_bet(card):
        found.append(("a bet is played: numbers in the line", "none" if not numbers else "some"))
    return found


def offered_bets(s: State) -> list[int]:
    """The figures of the bets in the market."""
    return sorted({figure(int(card)) for card in s.market[: int(s.offered)] if is_bet(int(card))})
