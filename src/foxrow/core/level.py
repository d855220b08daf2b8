"""A strength of play for people to choose: data that each game fills in, `play.LEVELS`, weakest first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """How a bot of this level thinks, and where it errs as people do."""

    key: str  # the same word for the same step in every game
    name: str  # for people
    about: str  # one sentence for the person who chooses
    simulations: int  # games it imagines before a move; 0: it plays by the rule of thumb
    crowd: int | None = None  # the same where more than two play; None: as many
    match: int | None = None  # the same in rounds whose points count for a match; None: as many
    horizon: int | None = (
        None  # moves that it looks beyond those it weighs, with two players; None: as the game's search
    )
    naive: int | None = None  # of 100 imagined moves, so many are any move at all; None: as in the game's search
    forgets: int = 0  # of 100 cards it has seen go into other hands, so many are forgotten
    overlooks: int = 0  # of 100 moves, so many do not come to its mind
    misjudges: float = 0.0  # typical error of what it thinks a move is worth, in wins
    net: bool = False  # the game's net guides its search; without good weights it searches as the others do

    def thought(self, players: int, *, match: bool = False) -> int:
        """Games it imagines before a move at a table of so many, in a round that counts for a match or for itself."""
        if match and self.match is not None:
            return self.match
        return self.simulations if self.crowd is None or players == 2 else self.crowd
