"""Players that are programs: one protocol, from random moves to deep search. See `bots.make`."""

from foxrow.bots.analysis import Analyst, Verdict
from foxrow.bots.factory import make, prepare, warm
from foxrow.bots.levels import levels
from foxrow.bots.protocol import Bot, BotError, Budget, Choice, Reason

__all__ = [
    "Analyst",
    "Bot",
    "BotError",
    "Budget",
    "Choice",
    "Reason",
    "Verdict",
    "levels",
    "make",
    "prepare",
    "warm",
]
