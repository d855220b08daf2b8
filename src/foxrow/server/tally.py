"""How somebody has played so far: finished games, won ones, by game and by whom they were against."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from foxrow.core.registry import games
from foxrow.match.seats import side
from foxrow.server import messages as ms
from foxrow.store.interface import TableRow

MOST = 2000  # games, the newest


def tally(played: Iterable[tuple[TableRow, list[int]]]) -> list[ms.Tally]:
    """Of games that were played to an end, by one person in one seat. Whoever was against several bots was against the
    strongest of them; where another person was dealt in, against people, also where a bot took their place."""
    found: dict[tuple[str, int | None], list[int]] = {}
    for row, seats in played:
        game, lines = games().get(row.game), msgspec.json.decode(row.card)
        result: dict[str, Any] | None = lines["result"]
        if game is None or result is None or result["reason"] == "abandoned" or len(seats) != 1:
            continue
        sides = [side(game, lines["options"], seat) for seat in range(len(lines["seats"]))]
        own = sides[seats[0]]
        others = [seat for seat, of in zip(lines["seats"], sides, strict=True) if of != own]
        people = any(seat.get("dealt") or seat["kind"] == "person" for seat in others)  # older lines have no "dealt"
        level = None if people else max(seat["level"] for seat in others)
        won = {sides[seat] for seat in result["winners"]}
        count = found.setdefault((row.game, level), [0, 0, 0])
        count[0] += 1
        count[1] += won == {own}
        count[2] += own in won and len(won) > 1
    order = sorted(found.items(), key=lambda one: (one[0][0], one[0][1] is None, one[0][1] or 0))
    return [
        ms.Tally(game=game, level=level, played=played, won=won, shared=shared)
        for (game, level), (played, won, shared) in order
    ]
