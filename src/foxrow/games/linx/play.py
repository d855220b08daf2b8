"""LINX, a good rule of thumb: what the greedy bot plays, and the rollouts of a search.

Win if you can. Else weigh each placement: whether somebody can win before your next turn, how many lines of yours it
leaves one tile short, the draw, the symbols you keep.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foxrow.core.chance import Rng, below
from foxrow.core.level import Level
from foxrow.core.rule import part, rule
from foxrow.games.linx.grid import CELLS, completing, lowest
from foxrow.games.linx.rules import DOWN, open_cells
from foxrow.games.linx.state import SYMBOLS, View, beaten_by, covered, face_up
from foxrow.games.linx.threat import dangers, gain, pairs, risk

# Beside what `threat` counts; found in the same way.
DRAW = 8  # two tiles for a short hand
SHORT = 3  # tiles in a short hand
VARY = 8  # each tile of the symbol in hand: to play the common ones keeps all three


@rule
def policy(v: View, legal: NDArray[np.int32], n: int, rng: Rng) -> int:
    if n == 1:
        return int(legal[0])
    seat = int(v.active)
    win = winning_move(v, seat)
    if win >= 0:
        return win
    theirs = dangers(v, seat)
    mine = pairs(v, seat)
    draw = DRAW if v.stock[seat] > 0 and v.held[seat] <= SHORT else 0
    best = -1_000_000
    choice = int(legal[0])
    for i in range(n):
        move = int(legal[i])
        worth = VARY * int(v.hands[seat, move % DOWN // CELLS])
        worth += gain(v, seat, move, mine) - risk(v, seat, move, theirs)
        if move < DOWN:
            worth += draw
        worth = worth * 8 + below(rng, 8)  # equals are chosen by lot
        if worth > best:
            best = worth
            choice = move
    return choice


@part
def winning_move(v: View, seat: int) -> int:
    """A move that makes a line (X9), −1 if there is none."""
    ends = completing(face_up(v, seat)) & open_cells(v)
    lids = completing(int(v.covers[seat])) & ~covered(v)
    for symbol in range(SYMBOLS):
        if v.hands[seat, symbol] > 0:
            if ends != 0:
                return symbol * CELLS + lowest(ends)
            targets = lids & int(v.faces[beaten_by(symbol)])
            if targets != 0:
                return DOWN + symbol * CELLS + lowest(targets)
    return -1


# Its net alone plays by lot with two players, as its policy says: it costs next to nothing, and is hard to learn by
# heart. At larger tables, where nobody plays against it alone, it makes the likeliest move.
TEMPERATURE = {2: 1.0}
GROWING = {"explore": 1.0}  # LINX is decided by reading ahead: its net looks ahead in a tree, not in races


# Levels for people. With two players each wins about two games of three against the one before it (docs/strength.md).

LEVELS = (
    Level(
        "gentle",
        "Gentle",
        "Looks at its next tile only and misses most lines, its own and yours.",
        simulations=8,
        horizon=1,
        naive=100,
        forgets=100,
        overlooks=70,
        misjudges=0.5,
    ),
    Level(
        "easy",
        "Easy",
        "Sees a few tiles ahead and forgets most hands that were shown.",
        simulations=40,
        horizon=5,
        naive=40,
        forgets=90,
        overlooks=28,
        misjudges=0.07,
    ),
    Level(
        "casual",
        "Casual",
        "Plays like a guest who knows the rules well: it sees most lines, not all.",
        simulations=66,
        naive=28,
        forgets=85,
        overlooks=20,
        misjudges=0.064,
    ),
    Level(
        "steady",
        "Steady",
        "Guards against your lines, but overlooks a good tile now and then.",
        simulations=92,
        forgets=68,
        overlooks=10,
        misjudges=0.051,
    ),
    Level(
        "solid",
        "Solid",
        "Plans covers ahead and seldom misses a threat.",
        simulations=134,
        forgets=45,
        overlooks=6,
        misjudges=0.039,
    ),
    Level(
        "strong",
        "Strong",
        "Makes two threats at once when you let it.",
        simulations=250,
        forgets=15,
        overlooks=3,
        misjudges=0.021,
    ),
    Level(
        "expert",
        "Expert",
        "Remembers every hand that was shown and weighs thousands of rounds before a tile.",
        simulations=3000,
    ),
    Level(
        "master",
        "Master",
        "Has learned from billions of rounds against itself, and reads ahead; beat it and tell your friends.",
        simulations=100,
        crowd=400,
        net=True,
    ),
)
