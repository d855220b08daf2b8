"""Line-it, what a report tells apart: kinds of moves, and how a game ends."""

from __future__ import annotations

from foxrow.games.lineit.rules import CLOSE, DONE, KEEP, PLAY, move_card
from foxrow.games.lineit.state import State, figure, is_bet

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
