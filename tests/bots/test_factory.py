"""Bots by name, for every game: each makes legal moves with reasons, and the same ones from the same seed."""

from __future__ import annotations

import pytest

from foxrow import bots
from foxrow.bots.outside import Outside
from foxrow.bots.searching import Searching
from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.search.searcher import Settings

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
SPECS = ["random", "greedy", "search:20", "search:2ms", "search:20x2", "level:1", "level:4", "level:6"]


def moves(game: Game, spec: str, seed: int) -> list[str]:
    position = game.new(game.players[0], seed=7)
    players = [bots.make(spec, game, seed=seed + seat) for seat in range(position.players)]
    for seat, player in enumerate(players):
        player.start(seat, position.players, position.options)
    while (seat_to_act := position.to_act) is not None:
        view = position.masked(seat_to_act)
        choice = players[seat_to_act].choose(view, game.rules.legal(view))
        assert len({reason.move for reason in choice.reasons}) == len(choice.reasons)
        position.play_move(choice.move)
        for player in players:
            player.saw(seat_to_act, choice.move)
    return position.moves


@each_game
@pytest.mark.parametrize("spec", SPECS)
def test_a_whole_round(game: Game, spec: str) -> None:
    played = moves(game, spec, seed=1)
    if "ms" not in spec:
        assert moves(game, spec, seed=1) == played
    if spec == "random":
        assert moves(game, spec, seed=2) != played


@each_game
def test_reasons_of_a_search_are_numbers(game: Game) -> None:
    position = game.new(game.players[0], seed=1)
    view = position.masked(position.to_act)
    choice = bots.make("search:200", game).choose(view, game.rules.legal(view))
    best = choice.reasons[0]
    assert best.move == choice.move
    assert best.visits == max(reason.visits for reason in choice.reasons)
    assert best.wins is not None
    assert best.margin is not None
    assert 0 <= best.wins <= 1


@each_game
def test_a_budget_limits_a_search(game: Game) -> None:
    position = game.new(game.players[0], seed=1)
    view = position.masked(position.to_act)
    choice = bots.make("search:100000", game).choose(view, game.rules.legal(view), bots.Budget(simulations=50))
    assert sum(reason.visits for reason in choice.reasons) == 50


@pytest.mark.parametrize(
    "spec", ["", "rnadom", "search", "search:0", "search:10x0", "level:0", "level:9", "level:x", "ls"]
)
def test_a_bot_that_there_is_not(spec: str) -> None:
    with pytest.raises(bots.BotError):
        bots.make(spec, GAMES[0])


@pytest.mark.parametrize("net", ["", "net+"])
@pytest.mark.parametrize("unit", ["", "ms", "s"])
def test_a_budget_that_nobody_could_count_is_refused(net: str, unit: str) -> None:
    for digits in (10, 20, 400, 5000):
        with pytest.raises(bots.BotError, match="a search needs a budget of 1 to 1,000,000,000") as refused:
            bots.make(f"{net}search:{'9' * digits}{unit}", GAMES[0])
        assert len(str(refused.value)) < 200
    with pytest.raises(bots.BotError, match="1 to 64 threads"):
        bots.make(f"{net}search:9{unit}x{'9' * 5000}", GAMES[0])


@pytest.mark.parametrize("net", ["", "net+"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_largest_budgets_can_be_counted(game: Game, net: str) -> None:
    position = game.new(game.players[0], seed=1)
    view = position.masked(position.to_act)
    for spec in ("search:1000000000", "search:1000000000s"):
        assert bots.make(net + spec, game).choose(view, game.rules.legal(view), bots.Budget(20, 200)).reasons
        assert bots.make(net + spec, game).choose(view, game.rules.legal(view), bots.Budget(ms=20)).reasons


def test_programs_run_only_where_they_are_allowed() -> None:
    assert isinstance(bots.make("cat", GAMES[0], outside=True), Outside)
    with pytest.raises(bots.BotError):
        bots.make("cat", GAMES[0])
    with pytest.raises(bots.BotError):
        bots.make("./there-is-no-such-program", GAMES[0], outside=True)


@each_game
def test_a_bigger_table_has_a_longer_horizon(game: Game) -> None:
    """As many rounds ahead are more moves."""
    bot = Searching(game, simulations=8, settings=Settings(horizon=40))
    for players in game.players:
        bot.start(0, players, game.check_options({}, players))
        assert bot._search.settings.horizon == 20 * players
