"""One game of the arena, from the deal to its line in the results."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from foxrow.arena.plan import Plan
from foxrow.bots.factory import Maker
from foxrow.bots.outside import Outside
from foxrow.bots.protocol import Bot, BotError, Budget
from foxrow.core.position import Position
from foxrow.core.stakes import Stakes


@dataclass(frozen=True)
class Result:
    """How one game went. Seats count from the one that started."""

    deal: int
    game: int  # of the deal's games
    lineup: tuple[int, ...]  # the bot in each seat
    shares: tuple[float, ...]  # each seat's share of the win; they add up to 1
    scores: tuple[int, ...]
    margins: tuple[float, ...]  # each seat's points ahead of its best rival
    asked: tuple[int, ...]  # choices made
    ms: tuple[float, ...]  # time spent on them
    moves: tuple[str, ...]
    lost: tuple[int, str] | None = None  # the seat that broke down, and how: it lost, the others share the win

    def line(self) -> dict[str, Any]:
        return {**self.__dict__, "ms": [round(ms, 3) for ms in self.ms]}

    @classmethod
    def read(cls, line: Any) -> Result:
        """From a line of a file, which may hold anything: a ValueError says what is wrong with it."""
        if not isinstance(line, dict) or line.keys() != cls.__dataclass_fields__.keys():
            raise ValueError("this is no game of an arena")
        wrong = [key for key in ("deal", "game") if type(line[key]) is not int]
        wrong += [key for key, kinds in LISTS.items() if not holds(line[key], kinds)]
        seats = range(0 if wrong else len(line["lineup"]))
        wrong = wrong or [key for key in BY_SEAT if len(line[key]) != len(seats)]
        if not wrong and not loss(line["lost"], seats):
            wrong.append("lost")
        if wrong:
            raise ValueError(f"what it says of {', '.join(wrong)} cannot be")
        sequences = {key: tuple(value) for key, value in line.items() if isinstance(value, list)}
        return cls(**{**line, **sequences})


BY_SEAT: dict[str, tuple[type, ...]] = {
    "lineup": (int,),
    "shares": (int, float),
    "scores": (int,),
    "margins": (int, float),
    "asked": (int,),
    "ms": (int, float),
}
LISTS: dict[str, tuple[type, ...]] = {**BY_SEAT, "moves": (str,)}


def holds(value: object, kinds: tuple[type, ...]) -> bool:
    """Whether it is a list of nothing else. (To JSON and Python, true is a number; to us it is none.)"""
    return isinstance(value, list) and all(type(one) in kinds for one in value)


def loss(value: object, seats: range) -> bool:
    """Whether it says that nobody broke down, or who did, and how."""
    return value is None or (isinstance(value, list) and [*map(type, value)] == [int, str] and value[0] in seats)


class Players:
    """The bots of one process. Programs from outside stay on between games, all others are made anew."""

    def __init__(self, plan: Plan) -> None:
        self._makers: list[Maker] = plan.makers()
        self._programs: dict[tuple[int, int], Outside] = {}

    def take(self, bot: int, seat: int, seed: int) -> Bot:
        if (bot, seat) in self._programs:
            return self._programs[bot, seat]
        made = self._makers[bot](seed)
        if isinstance(made, Outside):
            self._programs[bot, seat] = made
        return made

    def close(self) -> None:
        for program in self._programs.values():
            program.close()
        self._programs.clear()


def deal_position(plan: Plan, deal: int, lineup: tuple[int, ...]) -> Position:
    names = plan.names
    return Position.deal(
        plan.card,
        plan.players,
        seed=plan.deal_seed(deal),
        names=[names[bot] for bot in lineup],
        options=plan.options,
    )


def play_deal(plan: Plan, players: Players, deal: int) -> list[Result]:
    """All games of one deal."""
    return [play_game(plan, players, deal, game) for game in range(len(plan.lineups))]


def play_game(plan: Plan, players: Players, deal: int, game: int, stakes: Stakes | None = None) -> Result:
    """One of a deal's games; in a match, with what it counts for."""
    lineup = plan.lineups[game]
    position = deal_position(plan, deal, lineup)
    rules, state = plan.card.rules, position.state
    seats = range(plan.players)
    bots = [players.take(lineup[seat], seat, plan.number(deal, game, seat)) for seat in seats]
    budget = None if plan.ms is None else Budget(ms=plan.ms)
    asked, ms = [0] * plan.players, [0.0] * plan.players
    moves: list[str] = []
    lost: tuple[int, str] | None = None
    acting = 0
    try:
        for acting in seats:
            bots[acting].plays_for(stakes)
            bots[acting].start(acting, plan.players, position.options)
        while (acting := int(rules.actor(state))) >= 0:
            view = rules.mask(state, acting)
            legal = rules.legal(view)
            before = time.perf_counter()
            move = bots[acting].choose(view, legal, budget).move
            ms[acting] += (time.perf_counter() - before) * 1000
            asked[acting] += 1
            if move not in legal:
                raise BotError(f"its move {move} is not legal")
            moves.append(rules.move_text(state, move))
            rules.apply(state, move)
            for bot in bots:
                bot.saw(acting, move)
    except BotError as error:
        lost = (acting, error.reason)
    scores = rules.scores(state)
    winners = [seat for seat in seats if seat != lost[0]] if lost else rules.winners(state) or []
    for bot in bots:
        bot.finish(scores, winners)
    return Result(
        deal,
        game,
        lineup,
        tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats),
        tuple(scores),
        tuple(margin(scores, winners, seat) for seat in seats),
        tuple(asked),
        tuple(ms),
        tuple(moves),
        lost,
    )


def margin(scores: list[int], winners: list[int], seat: int) -> float:
    """Points ahead of the best on the other side (partners are no rivals); 0 when all share the win."""
    rivals = [score for other, score in enumerate(scores) if (other in winners) != (seat in winners)]
    return float(scores[seat] - max(rivals)) if rivals else 0.0


def record(plan: Plan, result: Result) -> dict[str, Any]:
    """The game as the referee reads it."""
    names = plan.names
    return {
        "format": "foxrow/1",
        "game": plan.game,
        "players": [names[bot] for bot in result.lineup],
        "options": plan.card.check_options(plan.options, plan.players),
        "first": 0,
        "deal": {"seed": plan.deal_seed(result.deal), "round": 0},
        "moves": list(result.moves),
    }
