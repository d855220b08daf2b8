"""How a game plays: who wins from which seat, how long it takes, how it ends, which kinds of moves pay.

A game may say what is worth telling apart in its module `study`: `move_kind(state, move) -> str` and
`ending(state) -> str`. Without it, a kind is the first word of the move's text.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foxrow.arena.plan import Plan
from foxrow.arena.round import Result, deal_position
from foxrow.arena.table import Estimate, average, ratio, share
from foxrow.core.contract import Choice, Game

MoveKind = Callable[[Any, int], str]
Ending = Callable[[Any], str]


@dataclass(frozen=True)
class Condition:
    """What a row of the report is about."""

    players: int
    options: tuple[tuple[str, Choice], ...]  # those that are not the default
    bot: str

    @property
    def variant(self) -> str:
        return ", ".join(key if value is True else f"{key}={value}" for key, value in self.options) or "standard"

    def plan(self, game: Game, games: int, seed: str) -> Plan:
        return Plan(game.key, (self.bot,), self.players, games, seed, dict(self.options)).check()


def conditions(game: Game, players: Sequence[int], bots: Sequence[str]) -> list[Condition]:
    """Every player count and strength in the standard game, and every other choice of an option with the last bot."""
    found = [Condition(count, (), bot) for bot in bots for count in players]
    for option in game.options:
        for choice in option.choices:
            if choice != option.default:
                found += [
                    Condition(count, ((option.key, choice),), bots[-1])
                    for count in players
                    if option.players is None or count in option.players
                ]
    return found


@dataclass
class Kind:
    """One kind of move: how often it could be made and was, and how the mover fared then."""

    made: list[float] = field(default_factory=list)  # the mover's share of the win, for each time it was made
    passed_by: list[float] = field(default_factory=list)  # the same, where it could have been made and was not


@dataclass
class Tally:
    """All games of one condition."""

    condition: Condition
    games: int = 0
    seats: list[list[float]] = field(default_factory=list)  # [seat] shares of the win, a value a game
    scores: list[list[int]] = field(default_factory=list)  # [seat] a list a game
    spreads: list[float] = field(default_factory=list)  # highest less lowest score, a value a game
    lengths: list[int] = field(default_factory=list)  # moves, a value a game
    choices: list[tuple[int, int]] = field(default_factory=list)  # legal moves in all, and decisions, a pair a game
    by_phase: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # the same by phase, if it came at all
    endings: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Kind] = field(default_factory=dict)


def study_module(game: Game) -> tuple[MoveKind, Ending]:
    """The game's own words for its moves and endings, or plain ones."""
    rules = game.rules

    def first_word(state: Any, move: int) -> str:
        word = re.match(r"[A-Za-z]+", rules.move_text(state, move))
        return word[0] if word else "other"

    def over(state: Any) -> str:
        return "over"

    name = f"{game.package}.study"
    if importlib.util.find_spec(name) is None:
        return first_word, over
    module = importlib.import_module(name)
    return getattr(module, "move_kind", first_word), getattr(module, "ending", over)


def tally(plan: Plan, condition: Condition, deals: Sequence[Sequence[Result]]) -> Tally:
    """Replay the games and count."""
    kind_of, ending_of = study_module(plan.card)
    rules, phases = plan.card.rules, plan.card.phases
    count = Tally(condition, seats=[[] for _ in range(plan.players)])
    for result in (result for deal in deals for result in deal):
        state = deal_position(plan, result.deal, result.lineup).state
        options: dict[str, list[int]] = {}  # legal moves of each decision, by phase
        for text in result.moves:
            move = rules.parse(state, text)
            legal = rules.legal(state)
            seat = int(rules.actor(state))
            options.setdefault(phases[rules.phase(state)], []).append(len(legal))
            made = kind_of(state, move)
            if len(legal) > 1:  # no choice says nothing about a kind
                for kind in {kind_of(state, other) for other in legal}:
                    known = count.kinds.setdefault(kind, Kind())
                    (known.made if kind == made else known.passed_by).append(result.shares[seat])
            rules.apply(state, move)
        for phase, numbers in options.items():
            count.by_phase.setdefault(phase, []).append((sum(numbers), len(numbers)))
        count.choices.append((sum(map(sum, options.values())), len(result.moves)))
        count.games += 1
        count.lengths.append(len(result.moves))
        count.endings[ending_of(state)] += 1
        count.scores.append(list(result.scores))
        count.spreads.append(max(result.scores) - min(result.scores))
        for seat, part in enumerate(result.shares):
            count.seats[seat].append(part)
    return count


COLUMNS = ("players", "variant", "bot", "measure", "item", "value", "low", "high", "n")


def rows(counts: Sequence[Tally]) -> list[dict[str, Any]]:
    """Everything the report says, one number a row."""
    found: list[dict[str, Any]] = []
    for count in counts:
        where = {"players": count.condition.players, "variant": count.condition.variant, "bot": count.condition.bot}

        def add(measure: str, item: object, value: Estimate | float, n: int, where: Mapping[str, Any] = where) -> None:
            mean, ends = (value.mean, (value.low, value.high)) if isinstance(value, Estimate) else (float(value), ())
            low, high = (
                ends if ends and all(map(math.isfinite, ends)) else (None, None)
            )  # one game says nothing of that
            found.append({**where, "measure": measure, "item": item, "value": mean, "low": low, "high": high, "n": n})

        for seat, parts in enumerate(count.seats):
            add("seat_win_share", seat + 1, share(parts), count.games)
        add("game_length_moves", "", average(list(map(float, count.lengths))), count.games)
        add("score", "mean", ratio([(sum(scores), len(scores)) for scores in count.scores]), count.games)
        every = [score for scores in count.scores for score in scores]
        for name, part in (("low 10 %", 0.1), ("median", 0.5), ("high 10 %", 0.9)):
            add("score", name, quantile(every, part), len(every))
        add("score_spread", "", average(count.spreads), count.games)
        for phase, pairs in (("all", count.choices), *sorted(count.by_phase.items())):
            add("choices_per_decision", phase, ratio(pairs), sum(decisions for _, decisions in pairs))
        for ending, n in count.endings.most_common():
            add("ending", ending, n / count.games, n)
        for name, kind in sorted(count.kinds.items()):
            possible = len(kind.made) + len(kind.passed_by)
            add("kind_per_game", name, len(kind.made) / count.games, len(kind.made))
            add("kind_made_when_possible", name, len(kind.made) / possible, possible)
            if kind.made:
                add("kind_win_share_when_made", name, sum(kind.made) / len(kind.made), len(kind.made))
            if kind.passed_by:
                fared = sum(kind.passed_by) / len(kind.passed_by)
                add("kind_win_share_when_passed_by", name, fared, len(kind.passed_by))
    return found


def quantile(values: Sequence[int], part: float) -> float:
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(part * len(ordered)))])


def write_csv(path: Path, table: Sequence[Mapping[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in table:
            writer.writerow({key: round(value, 5) if isinstance(value, float) else value for key, value in row.items()})
