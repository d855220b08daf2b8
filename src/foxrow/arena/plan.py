"""What an arena run is: which bots meet in which seats on which deals. Everything follows from it and its seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from foxrow.bots.factory import Maker, learned, maker
from foxrow.bots.outside import command
from foxrow.core.contract import Choice, Game
from foxrow.core.errors import GameError
from foxrow.core.registry import game as find_game

RESEARCH = {"batch", "cuda", "lanes", "steps"}  # modules of the core that no bot plays through


@dataclass(frozen=True)
class Plan:
    """A run. Fewer bots than seats: the last one takes the seats left over. More: every group of them meets."""

    game: str
    bots: tuple[str, ...]
    players: int
    games: int  # at least so many; the last pair is always finished
    seed: str = "0"
    options: Mapping[str, Choice] = field(default_factory=dict)
    ms: float | None = None  # the most a move may take; who takes longer plays weaker, or loses if from outside

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process goes the plan alone, not what was worked out from it."""
        return (Plan, tuple(getattr(self, name) for name in self.__dataclass_fields__))

    @cached_property
    def card(self) -> Game:
        return find_game(self.game)

    @cached_property
    def lineups(self) -> list[tuple[int, ...]]:
        """The games of one deal: in each, the bot of every seat. Every bot gets every seat."""
        bots, players = len(self.bots), self.players
        groups = (
            combinations(range(bots), players)
            if bots > players
            else [tuple(range(bots)) + (bots - 1,) * (players - bots)]
        )
        return [tuple(group[turn:] + group[:turn]) for group in groups for turn in range(players if bots > 1 else 1)]

    @property
    def deals(self) -> int:
        return -(-self.games // len(self.lineups))

    @property
    def names(self) -> list[str]:
        """The bots' names; a second one of the same kind is told apart."""
        return [
            name if name not in self.bots[:i] else f"{name} ({self.bots[:i].count(name) + 1})"
            for i, name in enumerate(self.bots)
        ]

    @property
    def fair(self) -> float:
        """The share of wins that every seat would have if all were equal."""
        return 1 / self.players

    def check(self) -> Plan:
        """Refuse what cannot be played, before anything is played."""
        self.card.check_players(self.players)
        self.card.check_options(self.options, self.players)
        if not self.bots:
            raise GameError("an arena needs a bot")
        if self.games < 1:
            raise GameError(f"an arena plays at least one game, not {self.games}")
        for bot in self.bots:
            maker(bot, self.card, outside=True)
        return self

    def makers(self) -> list[Maker]:
        return [maker(bot, self.card, outside=True) for bot in self.bots]

    def number(self, *what: object) -> int:
        """A seed for something in this run."""
        text = "/".join(map(str, (self.game, self.players, self.seed, *what)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1

    def deal_seed(self, deal: int) -> str:
        """The seed of a deal: the same for all who play it."""
        return hashlib.sha256(f"{self.game}/{self.players}/{self.seed}/{deal}".encode()).hexdigest()

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What must be equal for two runs to be one: all but the number of games."""
        return {
            "game": self.game,
            "bots": list(self.bots),
            "players": self.players,
            "seed": self.seed,
            "options": dict(self.options),
            "ms": self.ms,
            "code": self._code(),
        }

    def _code(self) -> str:
        """A hash of all that decides a move: a result of older code is another result.

        The nets count where a bot asks one; what plays many games at once for research never does.
        """
        import foxrow

        home = Path(str(foxrow.__file__)).parent
        game = self.card.folder
        digest = hashlib.sha256()
        sources = [file for room in ("core", "search", "bots") for file in (home / room).glob("*.py")]
        sources = [file for file in sources if not (file.parent.name == "core" and file.stem in RESEARCH)]
        sources += game.glob("*.py")
        if any(learned(bot, self.card) for bot in self.bots):
            sources += [*(home / "nets").glob("*.py"), *game.glob("*.npz")]
        for source in sorted(sources, key=lambda file: (file.parent.name, file.name)):
            digest.update(source.read_bytes())
        for bot in self.bots:
            for word in command(bot) or ():
                if Path(word).is_file():
                    digest.update(Path(word).read_bytes())
        return digest.hexdigest()[:16]

    @property
    def key(self) -> str:
        """A short name for the run."""
        text = json.dumps(self.identity, sort_keys=True)
        return f"{self.game}-{self.players}p-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
