"""How rounds make a match: who starts, what counts, when it is over. Data in, data out.

`cycles` (L16): every seat starts equally often, the scores add up, the highest total wins. `points` (X11): a
race to a number of won rounds. `single`: one round, and its winners are the match's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foxrow.core.contract import Choice, Game
from foxrow.core.errors import RecordError, quoted
from foxrow.core.stakes import Stakes
from foxrow.match.seats import side


@dataclass(frozen=True)
class Round:
    """A finished round."""

    first: int  # the seat that started
    moves: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]  # seats; of a team, all of its seats (X12)


def setting(game: Game, wish: object = None) -> dict[str, int]:
    """A match's setting as its record holds it: `{"cycles": 2}`. `wish` is the number; None: the default."""
    rule = game.match
    if rule.setting is None:
        if wish is not None:
            raise RecordError("match", f"a match of {game.name} is one round: there is nothing to set")
        return {}
    value = rule.default if wish is None else wish
    if isinstance(value, bool) or not isinstance(value, int) or not rule.low <= value <= rule.high:
        raise RecordError(
            f"match.{rule.setting}",
            f"must be a whole number from {rule.low} to {rule.high}, not {quoted(value)}",
        )
    return {rule.setting: value}


def read_setting(game: Game, data: object) -> dict[str, int]:
    """The setting out of a match record."""
    if not isinstance(data, dict):
        raise RecordError("match", f"must be an object, not {quoted(data)}")
    key = game.match.setting
    for unknown in data:
        if unknown != key:
            raise RecordError("match", f"there is no key {quoted(unknown)}")
    if key is not None and key not in data:
        raise RecordError("match", f"the key {quoted(key)} is missing")
    if key is None:
        return setting(game)
    if data[key] is None:
        raise RecordError(f"match.{key}", "must be a whole number, not null")
    return setting(game, data[key])


def length(game: Game, players: int, match: Mapping[str, int]) -> int | None:
    """How many rounds the match has; None when that depends on who wins them."""
    if game.match.kind == "points":
        return None
    return max(1, players * match.get("cycles", 0))  # no cycle: a single round


def next_first(rounds: Sequence[Round], players: int, start: int = 0) -> int:
    """The seat that starts the next round: left of the last starter (L16, X5); `start` for the first."""
    return (rounds[-1].first + 1) % players if rounds else start


def check_next(
    game: Game,
    players: int,
    options: Mapping[str, Choice],
    match: Mapping[str, int],
    begun: int,
    rounds: Sequence[Round],
    first: int,
) -> None:
    """Whether another round may start at `first`, after `begun` rounds of which `rounds` are over."""
    if begun > len(rounds):
        raise RecordError(f"rounds[{begun}]", "the round before it is not over")
    if winners(game, players, options, match, rounds) is not None:
        raise RecordError(f"rounds[{begun}]", "the match is over before it")
    expected = next_first(rounds, players, first)
    if first != expected:
        raise RecordError(f"rounds[{begun}].first", f"must be {expected}, left of the last starter")


def totals(game: Game, players: int, options: Mapping[str, Choice], rounds: Sequence[Round]) -> list[int]:
    """Per seat: the sum of scores, or the rounds won. Partners win a round together: both get its point."""
    if game.match.kind == "points":
        return [sum(seat in round.winners for round in rounds) for seat in range(players)]
    return [sum(round.scores[seat] for round in rounds) for seat in range(players)]


def stakes(
    game: Game, players: int, options: Mapping[str, Choice], match: Mapping[str, int], rounds: Sequence[Round]
) -> Stakes | None:
    """What the round after these counts for, where points add up over several, or several race to win some; None
    elsewhere: between two sides whoever wins the round does best for the match, however it stands."""
    if game.match.kind == "points":
        sides = {side(game, options, seat) for seat in range(players)}
        race = len(sides) > 2 and match["points"] > 1
        return Stakes(tuple(totals(game, players, options, rounds)), goal=match["points"]) if race else None
    all = length(game, players, match)
    if game.match.kind != "cycles" or all is None or all == 1 or len(rounds) >= all:
        return None
    return Stakes(tuple(totals(game, players, options, rounds)), all - len(rounds) - 1)


def winners(
    game: Game,
    players: int,
    options: Mapping[str, Choice],
    match: Mapping[str, int],
    rounds: Sequence[Round],
) -> list[int] | None:
    """The seats that won the match, ties shared; None while it goes on."""
    points = totals(game, players, options, rounds)
    if game.match.kind == "points":
        there = [seat for seat in range(players) if points[seat] >= match["points"]]
        return there or None
    if len(rounds) < (length(game, players, match) or 1):
        return None
    if game.match.kind == "single":
        return list(rounds[-1].winners)
    return [seat for seat in range(players) if points[seat] == max(points)]
