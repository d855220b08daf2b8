"""What a bot is: it gets what its seat sees and the legal moves, and gives a move with its reasons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foxrow.core.contract import Choice as Value
from foxrow.core.errors import FoxrowError
from foxrow.core.record import View
from foxrow.core.stakes import Stakes


class BotError(FoxrowError):
    """A bot that there is not, or one that broke: crashed, hung, or said something that is no legal move."""


@dataclass(frozen=True)
class Budget:
    """The most that a bot may spend on a move. None: as much as it likes."""

    simulations: int | None = None
    ms: float | None = None


@dataclass(frozen=True)
class Reason:
    """What a bot expects of one move. A bot that does not look ahead has no numbers."""

    move: int
    visits: int = 0  # simulations that began with it
    wins: float | None = None  # expected share of a win, 0 to 1
    margin: float | None = None  # expected points ahead of the best rival
    note: str = ""  # why, in a word: "rule of thumb"


@dataclass(frozen=True)
class Choice:
    """A move, and all that was considered, the best first."""

    move: int
    reasons: tuple[Reason, ...] = ()


class Bot(ABC):
    """One player. It may keep what it thought between the moves of a round, and must play well without that."""

    name: str

    def start(self, seat: int, players: int, options: Mapping[str, Value]) -> None:
        """A new round begins, and the bot has this seat. Optional: a bot can also be asked in the middle of one."""
        return

    def plays_for(self, stakes: Stakes | None) -> None:
        """What the next round that starts counts for. Optional: a bot that is not told, or told None, plays it for
        itself."""
        return

    @abstractmethod
    def choose(self, view: View, legal: Sequence[int], budget: Budget | None = None) -> Choice:
        """Choose one of the legal moves. The view is the seat's own; nothing else may be known."""

    def saw(self, seat: int, move: int) -> None:
        """Somebody, perhaps the bot itself, made this move. Optional."""
        return

    def finish(self, scores: Sequence[int], winners: Sequence[int]) -> None:
        """The round is over. Optional."""
        return

    def close(self) -> None:
        """The bot is no longer needed."""
        return
