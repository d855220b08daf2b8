"""What a round counts for in a match: bots that are told play for the match, and those that are not for the round."""

from __future__ import annotations

import importlib
import math
import random
from typing import Any

import numpy as np
import pytest

from foxrow.bots import Analyst, Choice, make
from foxrow.bots.learned import net_of
from foxrow.bots.searching import weighed
from foxrow.core.contract import Game
from foxrow.core.position import Position
from foxrow.core.registry import games
from foxrow.core.stakes import Stakes
from foxrow.nets.searcher import Guidance, NetSearch
from foxrow.nets.searcher import template as race
from foxrow.nets.treesearch import Growing, TreeSearch
from foxrow.nets.treesearch import template as tree
from foxrow.search.searcher import TREE, Settings
from tests.bots.test_analysis import ended as last_winners
from tests.bots.test_analysis import last_decision
from tests.bots.test_learned import middle

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
ADDED_UP = [game for game in GAMES if weighed(game, Stakes((0, 0), 0))]


def ended(game: Game, players: int, seed: int) -> Position:
    position, lot = game.new(players, seed=seed), random.Random(seed)
    while not position.over:
        position.play_move(lot.choice(game.rules.legal(position.state)))
    return position


def judged(game: Game, position: Position, stakes: tuple[float, ...]) -> tuple[list[float], list[float]]:
    """Shares and leads as a search has them."""
    n, seats = position.players, game.rules.SEATS
    share, gap = np.zeros(seats), np.zeros(seats)
    found: Any = game.rules.template(TREE)
    room = np.zeros(seats, np.int32), np.zeros(seats, np.int32)
    found.judge(position.state, *room, share, gap, 1, np.array(stakes, np.float64))
    return share[:n].tolist(), gap[:n].tolist()


def test_the_games_whose_points_add_up_say_how_far_they_spread() -> None:
    assert [game for game in GAMES if game.match.kind == "cycles"] == ADDED_UP


@each_game
def test_without_stakes_the_round_is_won_as_its_rules_say(game: Game) -> None:
    for players in game.players:
        position = ended(game, players, players)
        winners = position.winners()
        assert winners
        assert judged(game, position, ())[0] == [seat in winners and 1 / len(winners) for seat in range(players)]


@each_game
def test_in_the_last_round_the_total_wins(game: Game) -> None:
    for players in game.players:
        position = ended(game, players, 10 + players)
        scores = position.scores()
        level = tuple(float(max(scores) - score) for score in scores)
        shares, leads = judged(game, position, (0.0, *level))  # all are equal in the end
        assert shares == [1 / players] * players and leads == [0.0] * players
        for seat in range(players):
            more = [points + 3 * (other == seat) for other, points in enumerate(level)]
            shares, leads = judged(game, position, (0.0, *more))
            assert shares == [float(other == seat) for other in range(players)]
            assert leads[seat] == 3.0


@each_game
def test_before_it_everybody_has_a_share_by_what_they_are_ahead(game: Game) -> None:
    for players in game.players:
        position = ended(game, players, 20 + players)
        before = [float(3 * seat) for seat in range(players)]
        shares, _ = judged(game, position, (6.0, *before))
        totals = [score + points for score, points in zip(position.scores(), before, strict=True)]
        weights = [math.exp((total - max(totals)) / 6.0) for total in totals]
        assert shares == pytest.approx([weight / sum(weights) for weight in weights])
        far, _ = judged(game, position, (6.0, 30_000.0, *before[1:]))
        assert far == pytest.approx([1.0] + [0.0] * (players - 1))


def test_the_curve_is_as_wide_as_what_is_to_come_and_steep_enough_for_a_search() -> None:
    for game in ADDED_UP:
        spread = importlib.import_module(f"{game.package}.play").SPREAD
        last, one, two, many = (weighed(game, Stakes((6, -2), left)) for left in (0, 1, 2, 8))
        assert last == (0.0, 6.0, -2.0)
        # A logistic curve of this scale has the standard deviation of a round's lead.
        assert one[0] * math.pi / math.sqrt(3) == pytest.approx(spread)
        assert one[1:] == two[1:] == (6.0, -2.0)
        assert two[0] == many[0] == pytest.approx(math.sqrt(2) * one[0])
        assert many[1:] == (3.0, -1.0)  # a lead is worth as much as on the wide curve: half, in points, before 8 rounds
        assert weighed(game, None) == ()


@pytest.mark.parametrize("with_net", [True, False], ids=["net", "search"])
@pytest.mark.parametrize("game", ADDED_UP, ids=lambda game: game.key)
def test_an_analyst_tells_chances_of_the_match(game: Game, with_net: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lead counts the less, the more follows. Before many rounds they are of the round, and so they are for whoever
    has as good as won or lost the match: else all moves would be equally good there."""
    if not with_net:
        monkeypatch.setattr("foxrow.bots.analysis.net_of", lambda game, players: None)
    position = middle(game, game.players[0], 6)
    seat = position.to_act
    assert seat is not None
    view, move = position.masked(seat), game.rules.legal(position.state)[-1]
    analyst = Analyst(game, rollouts=48, simulations=60)

    def chance(lead: int, left: int) -> float:
        ahead = tuple(lead if one == seat else 0 for one in range(position.players))
        verdict = analyst.judge(view, move, position.options, Stakes(ahead, left))
        advice = analyst.advise(view, position.options, Stakes(ahead, left))
        other = analyst.instead(view, move, move, position.options, Stakes(ahead, left))
        assert verdict and advice and other
        assert verdict.made <= verdict.chance and advice.chance <= 1 and other.chance == verdict.chance
        return verdict.chance

    spread = round(importlib.import_module(f"{game.package}.play").SPREAD)
    level = (0,) * position.players
    assert [analyst.wins(Stakes(level, left), seat) for left in (0, 1, 2, 3)] == ["match"] * 3 + ["round"]
    assert analyst.wins(None, seat) == "round"
    assert chance(-spread, 0) < chance(0, 0) < chance(spread, 0)
    assert chance(spread, 0) > chance(spread, 1) > chance(spread, 2)
    alone = analyst.judge(view, move, position.options)
    assert alone and alone.wins == "round"
    for lead, left in ((0, 3), (2 * spread, 0), (-2 * spread, 0), (4 * spread, 2), (-4 * spread, 2)):
        ahead = tuple(lead if one == seat else 0 for one in range(position.players))
        assert analyst.judge(view, move, position.options, Stakes(ahead, left)) == alone
    told = analyst.judge(view, move, position.options, Stakes(level, 0))
    assert told and told.wins == "match"


RACED = [game for game in GAMES if game.match.kind == "points" and len(game.players) > 1]


@each_game
def test_a_round_of_a_race_is_worth_what_its_winner_leaves_to_each(game: Game) -> None:
    for players in game.players:
        position = ended(game, players, 30 + players)
        plain, leads = judged(game, position, ())
        worth = np.random.default_rng(players).random((players, players))
        shares, same = judged(game, position, (-1.0, *worth.ravel()))
        assert shares == pytest.approx(list(np.array(plain) @ worth))
        assert same == leads


def test_only_what_a_seat_prefers_counts_in_a_race() -> None:
    for game in RACED:
        told = np.array(weighed(game, Stakes((1, 0, 0), goal=2))[1:]).reshape(3, 3)
        assert told.diagonal().tolist() == [1.0] * 3  # to win is best for all
        assert told[1, 0] == told[2, 0] == 0.0  # all others are as bad for the leader
        assert told[0, 1] == told[0, 2] == 0.0  # and the leader's win is the worst for the others
        assert 0.0 < told[2, 1] == told[1, 2] < 1.0
        assert weighed(game, Stakes((1, 1, 1), goal=2)) == ()  # to win is all that counts
        plainly = np.array(weighed(game, Stakes((1, 0, 0), goal=2), plainly=True)[1:]).reshape(3, 3)
        assert plainly.sum(1) == pytest.approx([1.0] * 3)


@pytest.mark.parametrize("game", RACED, ids=lambda game: game.key)
def test_chances_in_a_race_are_of_the_match_once_somebody_needs_one_more_and_it_is_open(game: Game) -> None:
    analyst = Analyst(game)
    told = {
        (0, 0, 0, 2): "round round round",  # two are missing yet
        (1, 0, 0, 2): "match match match",
        (1, 1, 0, 2): "match match match",
        (2, 0, 0, 4): "round round round",
        (3, 2, 0, 4): "match match round",  # who has none must win four before the first wins one
        (9, 0, 0, 10): "round round round",  # it is as good as over
    }
    for (*ahead, goal), words in told.items():
        stakes = Stakes(tuple(ahead), goal=goal)
        assert [analyst.wins(stakes, seat) for seat in range(3)] == words.split(), ahead


@each_game
def test_shares_of_a_race_count_by_their_proportions(game: Game) -> None:
    """A net expects something of every seat by itself, and that need not add up to one."""
    found: Any = game.rules.template(TREE)
    for players in game.players:
        worth = np.random.default_rng(players).random((players, players))
        stakes = np.array((-1.0, *worth.ravel()))
        share = np.zeros(game.rules.SEATS)
        share[:players] = np.random.default_rng(9).random(players)
        wanted = share[:players] / share.sum() @ worth
        found.raced(share, players, stakes)
        assert share[:players] == pytest.approx(wanted)
        nothing = np.zeros(game.rules.SEATS)
        found.raced(nothing, players, stakes)
        assert not nothing.any()


@pytest.mark.parametrize("game", RACED, ids=lambda game: game.key)
def test_what_a_net_expects_counts_in_a_race_as_wins_do(game: Game) -> None:
    """Where every winner of the round is worth the same, so is every position, whoever judges it."""
    players = game.players[-1]
    position = middle(game, players, 8)
    view, net = position.masked(position.to_act), net_of(game, players)
    assert net is not None
    same = (-1.0, *[0.25] * players**2)
    races = NetSearch(net, guidance=Guidance(horizon=2, span=1, stakes=same))
    trees = TreeSearch(net, growing=Growing(rollout=0.0, stakes=same))
    for search in (races, trees):
        looked = [one.wins for one in search.think(view, simulations=64) if one.visits]
        assert looked and looked == pytest.approx([0.25] * len(looked))


@pytest.mark.parametrize("bot", ["search:60", "net+search:24", "level:8", "level:5"])
@pytest.mark.parametrize("game", RACED, ids=lambda game: game.key)
def test_where_all_are_level_a_round_of_a_race_is_a_round_like_any(game: Game, bot: str) -> None:
    for players in game.players[1:]:
        position = middle(game, players, 8)
        view, legal = position.masked(position.to_act), game.rules.legal(position.state)
        told, other = (make(bot, game, seed=3) for _ in range(2))
        told.plays_for(Stakes((1,) * players, goal=2))
        for one in (told, other):
            one.start(int(position.to_act or 0), players, position.options)
        assert told.choose(view, legal) == other.choose(view, legal)


@pytest.mark.parametrize("game", RACED, ids=lambda game: game.key)
def test_who_cannot_win_a_round_stops_whoever_would_win_the_match(game: Game) -> None:
    """Last decisions whose outcomes are certain, between others: whoever of them needs one more does not get it."""
    found, players = 0, game.players[-1]
    for seed in range(1500):
        position = last_decision(game, seed, players)
        if position is None:
            continue
        seat = position.to_act
        assert seat is not None
        results = {move: last_winners(position, move) for move in game.rules.legal(position.state)}
        winners = {tuple(one) for one in results.values()}
        if len(winners) < 2 or any(len(one) != 1 or seat in one for one in winners):
            continue
        view, legal = position.masked(seat), game.rules.legal(position.state)
        for leader in (one[0] for one in winners):
            ahead = tuple(int(other == leader) for other in range(players))
            bot = make("search:200", game, seed=5)
            bot.plays_for(Stakes(ahead, goal=2))
            bot.start(seat, players, position.options)
            assert leader not in results[bot.choose(view, legal).move]
            advice = Analyst(game, rollouts=64).advise(view, position.options, Stakes(ahead, goal=2))
            assert advice is not None and leader not in results[advice.best]
            assert 0.0 < advice.chance < 0.5  # somebody else has drawn level, and there is a next round
        found += 1
        if found == 3:
            return
    pytest.fail("there were too few such positions")


def test_stakes_of_another_table_are_dropped() -> None:
    for game in ADDED_UP:
        bot, plain = (make("search:40", game, seed=2) for _ in range(2))
        bot.plays_for(Stakes((3, 1), 0))
        position = middle(game, game.players[-1], 5)
        view = position.masked(position.to_act)
        legal = game.rules.legal(view)
        assert bot.choose(view, legal) == plain.choose(view, legal)


@pytest.mark.parametrize("bot", ["search:80", "level:6", "level:2"])
def test_a_last_round_that_begins_equal_is_a_round_like_any(bot: str) -> None:
    for game in ADDED_UP:
        for players in game.players:
            position = middle(game, players, 8)
            view, legal = position.masked(position.to_act), game.rules.legal(position.state)
            told, other = (make(bot, game, seed=3) for _ in range(2))
            told.plays_for(Stakes((4,) * players, 0))
            for one in (told, other):
                one.start(int(position.to_act or 0), players, position.options)
            # Fours more for everybody change nobody's lead.
            assert told.choose(view, legal) == other.choose(view, legal)


@pytest.mark.parametrize("bot", ["search:80", "net+search:24", "level:8", "level:5"])
@pytest.mark.parametrize("game", ADDED_UP, ids=lambda game: game.key)
def test_bots_expect_what_is_left_of_the_match(game: Game, bot: str) -> None:
    """Who cannot be caught up with wins, who cannot catch up does not, and the next round is one of its own again."""
    position = middle(game, game.players[0], 6)
    seat = position.to_act
    assert seat is not None
    view, legal = position.masked(seat), game.rules.legal(position.state)
    player = make(bot, game, seed=4)

    def chosen(stakes: Stakes | None) -> Choice:
        player.plays_for(stakes)
        player.start(seat, position.players, position.options)
        return player.choose(view, legal)

    def expected(*points: int, left: int) -> float:
        wins = chosen(Stakes(points, left)).reasons[0].wins
        assert wins is not None
        return wins

    lead = [500 if other == seat else 0 for other in range(position.players)]
    behind = [500 - points for points in lead]
    assert expected(*lead, left=0) == 1.0
    assert expected(*behind, left=0) == 0.0
    assert expected(*behind, left=1) == pytest.approx(0.0, abs=1e-6)
    assert 0.0 < expected(*[0] * position.players, left=3) < 1.0
    plain = make(bot, game, seed=4)
    plain.start(seat, position.players, position.options)
    assert chosen(None) == plain.choose(view, legal)


@each_game
def test_every_search_takes_them_from_behind_its_own_knobs(game: Game) -> None:
    assert len(Settings().knobs()) == game.rules.template(TREE).STAKES
    assert len(Guidance().knobs(0)) == race(game.rules).STAKES
    assert len(Growing().knobs(True, True)) == tree(game.rules).STAKES
