"""Which games there are: the folders of `foxrow.games`, and other packages' entry points `foxrow.games`."""

from __future__ import annotations

import copyreg
import dataclasses
import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from foxrow.core.contract import Game
from foxrow.core.errors import GameError, quoted


@cache
def games() -> dict[str, Game]:
    """All games by key, in alphabetical order of their names."""
    import foxrow.games

    cards = [
        importlib.import_module(f"{foxrow.games.__name__}.{module.name}").GAME
        for module in pkgutil.iter_modules(foxrow.games.__path__)
        if module.ispkg
    ]
    cards += [entry.load() for entry in entry_points(group="foxrow.games")]
    found: dict[str, Game] = {}
    for card in sorted(cards, key=lambda card: card.name.lower()):
        if card.key in found:
            raise GameError(f"two games call themselves {card.key!r}: {found[card.key].package}, {card.package}")
        found[card.key] = card
    return found


def game(key: str) -> Game:
    """The game with this key."""
    try:
        return games()[key]
    except (KeyError, TypeError):
        raise GameError(f"there is no game {quoted(key)}; there are: {', '.join(games())}") from None


def _found_again(card: Game) -> tuple[Any, ...]:
    """A copy of a card, also one in another process, is the card: its rules are loaded where it is."""
    if games().get(card.key) is card:
        return game, (card.key,)
    return Game, tuple(getattr(card, field.name) for field in dataclasses.fields(card))


copyreg.pickle(Game, _found_again)
