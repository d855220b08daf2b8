"""The search, for every game in the registry: it decides by the view alone, repeats itself, and stays in bounds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foxrow.core.chance import stream
from foxrow.core.contract import Game
from foxrow.core.position import Position
from foxrow.core.record import View, copy
from foxrow.core.registry import games
from foxrow.search.searcher import Search, Settings, fingerprint

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def middle(game: Game, players: int, seed: int, moves: int) -> Position:
    """A position some random moves into a round, where there is a choice."""
    position = game.new(players, seed=seed)
    rng = np.random.default_rng(seed)
    while not position.over:
        legal = game.rules.legal(position.state)
        if len(position.moves) >= moves and len(legal) > 1:
            return position
        position.play_move(int(rng.choice(legal)))
    return middle(game, players, seed + 1000, moves // 2)


def rearranged(game: Game, view: View, seed: int) -> Any:
    """Another truth that looks the same from this seat."""
    truth: Any = copy(view)
    game.rules.fill(truth, stream(seed))
    truth.seer = -2
    return truth


@each_game
@pytest.mark.parametrize("moves", [0, 5, 14])
def test_choices_do_not_change_when_hidden_cards_are_rearranged(game: Game, moves: int) -> None:
    position = middle(game, game.players[0], moves, moves)
    seat = position.to_act
    assert seat is not None
    view = position.masked(seat)
    expected = Search(game.rules, seed=5).think(view, simulations=120)
    for seed in range(3):
        truth = rearranged(game, view, seed)
        seen = game.rules.mask(truth, seat)
        assert fingerprint(seen) == fingerprint(view)
        assert Search(game.rules, seed=5).think(seen, simulations=120) == expected


@each_game
def test_same_seed_same_prospects_other_seed_others(game: Game) -> None:
    view = (position := middle(game, max(game.players), 3, 6)).masked(position.to_act)
    first = Search(game.rules, seed=1).think(view, simulations=300)
    assert Search(game.rules, seed=1).think(view, simulations=300) == first
    assert Search(game.rules, seed=1, threads=2).think(view, simulations=300) == Search(
        game.rules, seed=1, threads=2
    ).think(view, simulations=300)
    assert Search(game.rules, seed=2).think(view, simulations=300) != first


@each_game
def test_every_player_count_plays_to_the_end(game: Game) -> None:
    for players in game.players:
        position = game.new(players, seed=players)
        searches = [Search(game.rules, seed=seat) for seat in range(players)]
        while (seat := position.to_act) is not None:
            best = searches[seat].think(position.masked(seat), simulations=8)[0]
            position.play_move(best.move)
            for search in searches:
                search.saw(seat, best.move)
        assert position.winners()


@each_game
def test_prospects_cover_the_legal_moves_and_their_numbers_add_up(game: Game) -> None:
    position = middle(game, game.players[0], 9, 8)
    prospects = Search(game.rules, seed=1).think(position.masked(position.to_act), simulations=500)
    assert sorted(p.move for p in prospects) == sorted(game.rules.legal(position.state))
    assert sum(p.visits for p in prospects) == 500
    assert all(0 <= p.wins <= 1 and 0 <= p.value <= 1 for p in prospects)


@each_game
def test_a_full_tree_goes_on_learning_in_its_room(game: Game) -> None:
    position = middle(game, game.players[0], 2, 4)
    search = Search(game.rules, seed=1, most_nodes=200)
    prospects = search.think(position.masked(position.to_act), simulations=600)
    assert sum(p.visits for p in prospects) >= 400
    assert search._trees[0].used <= 200


@each_game
def test_the_truth_and_other_seats_are_refused(game: Game) -> None:
    position = game.new(game.players[0], seed=1)
    search = Search(game.rules)
    with pytest.raises(ValueError, match="truth"):
        search.think(position.state, simulations=10)
    assert position.to_act is not None
    other = (position.to_act + 1) % position.players
    with pytest.raises(ValueError, match="to act"):
        search.think(position.masked(other), simulations=10)
    with pytest.raises(ValueError, match="budget"):
        search.think(position.masked(position.to_act))


@each_game
def test_a_budget_in_milliseconds_is_kept(game: Game) -> None:
    position = middle(game, game.players[0], 4, 5)
    search = Search(game.rules, seed=1)
    before = time.perf_counter()
    search.think(position.masked(position.to_act), ms=60)
    assert 0.05 < time.perf_counter() - before < 30.0  # a busy machine may sleep in between
    assert search.simulations > 20


def test_the_tree_is_kept_where_nothing_unseen_came_to_light() -> None:
    kept = tried = 0
    for game in GAMES:
        position = game.new(game.players[0], seed=3)
        searches = [Search(game.rules, seed=seat) for seat in range(position.players)]
        while (seat := position.to_act) is not None and len(position.moves) < 40:
            view = position.masked(seat)
            best = searches[seat].think(view, simulations=150)[0]
            tried += 1
            if searches[seat].kept:
                kept += 1
                visits = sum(p.visits for p in searches[seat]._prospects(view))
                assert 150 <= visits <= 150 + searches[seat].kept
            position.play_move(best.move)
            for search in searches:
                search.saw(seat, best.move)
    assert 0 < kept < tried


@each_game
def test_two_trees_are_added_up(game: Game) -> None:
    position = middle(game, game.players[0], 6, 6)
    prospects = Search(game.rules, seed=1, threads=2).think(position.masked(position.to_act), simulations=301)
    assert sum(p.visits for p in prospects) == 301


@each_game
def test_short_sight_is_a_setting(game: Game) -> None:
    position = middle(game, game.players[0], 6, 6)
    view = position.masked(position.to_act)
    near = Search(game.rules, seed=1, settings=Settings(horizon=1)).think(view, simulations=200)
    assert near != Search(game.rules, seed=1).think(view, simulations=200)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """The machine code of the search comes from the cache folder: 0 misses."""
    code = (
        "from foxrow.core.registry import games\n"
        "from foxrow.search.searcher import TREE, warm\n"
        "rules = next(iter(games().values())).rules\n"
        "warm(rules)\n"
        "tree = rules.template(TREE)\n"
        "print(sum(sum(f.stats.cache_misses.values()) for f in (tree.grow, tree.step, tree.transplant)))\n"
    )
    if os.environ.get("FOXROW_PURE", "") not in ("", "0"):
        return
    runs = [
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True) for _ in range(2)
    ]
    assert runs[1].stdout.strip() == "0"


@each_game
def test_a_settled_search_makes_the_same_choice_with_less_work(game: Game) -> None:
    saved = 0
    for moves in (0, 6, 12):
        position = middle(game, game.players[0], 20 + moves, moves)
        view = position.masked(position.to_act)
        whole = Search(game.rules, seed=3).think(view, simulations=1500)
        search = Search(game.rules, seed=3, settings=Settings(settle=True))
        settled = search.think(view, simulations=1500)
        assert settled[0].move == whole[0].move
        assert sum(p.visits for p in settled) == search.simulations <= 1500
        saved += 1500 - search.simulations
    assert saved > 0
