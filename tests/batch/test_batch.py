"""Batches: the same games by the same seed, errors that name the slot and change nothing, rewards that add up."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, cast

import numpy as np
import pytest

import foxrow
from foxrow.core.batch import Batch, BatchError, SlotError, all_variants
from foxrow.core.contract import Game
from foxrow.core.errors import GameError
from foxrow.core.registry import games

GAMES = list(games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def raw(env: Any) -> bytes:
    data: bytes = np.ascontiguousarray(env.states).tobytes()
    return data


def of_all(game: Game, n: int = 24, **more: Any) -> Batch:
    return Batch(game, n, all_variants(game), seed=5, **more)


@each_game
def test_a_slot_is_a_round_of_the_rules(game: Game) -> None:
    """Every slot, replayed alone by the plain functions of the rules, gives what the batch says."""
    env = of_all(game, 12)
    rules = game.rules
    for _ in range(150):
        moves = env.random_moves()
        alone = env.states.copy()
        step = env.step(moves)
        for slot in range(env.n):
            state: Any = alone[slot]
            rules.apply(state, int(moves[slot]))
            over = rules.actor(state) < 0
            assert bool(step.done[slot]) == over
            players = int(state.players)
            if over:
                winners = rules.winners(state)
                assert winners
                assert [s for s in range(players) if step.rewards[slot, s] > 0] == winners or len(winners) == players
                assert list(step.scores[slot, :players]) == rules.scores(state)
                assert abs(step.rewards[slot].sum()) < 1e-6
                state = env.states[slot]  # the next deal
            else:
                assert not step.rewards[slot].any()
            seat = rules.actor(state)
            assert step.actors[slot] == seat
            assert np.array_equal(step.observations[slot], rules.features(rules.mask(state, seat), seat))
            assert np.flatnonzero(step.masks[slot]).tolist() == sorted(rules.legal(state))


@each_game
def test_the_same_seed_gives_the_same_games(game: Game) -> None:
    a, b, c = of_all(game), of_all(game), Batch(game, 24, all_variants(game), seed=6)
    assert raw(a) == raw(b) != raw(c)
    start = raw(a)
    for _ in range(40):
        a.step(a.random_moves())
        b.step(b.random_moves())
    assert raw(a) == raw(b)
    a.reset()
    assert raw(a) == start
    a.reset(6)
    assert raw(a) == raw(c)


@each_game
def test_threads_and_wandering_change_nothing(game: Game) -> None:
    n = 1200
    one, many = of_all(game, n, threads=1), of_all(game, n, threads=4)
    assert many._workers == 4 and len(many._spans) > 4
    ended = 0
    for _ in range(60):
        ended += int(one.step(one.random_moves()).done.sum())
    assert many.wander(60) == ended
    assert raw(one) == raw(many)
    assert np.array_equal(one.observations, many.observations)
    assert np.array_equal(one.masks, many.masks)
    many.close()


@each_game
def test_an_illegal_move_names_its_slot_and_nothing_moves(game: Game) -> None:
    env = of_all(game)
    moves = env.random_moves()
    before, observed = raw(env), env.observations.copy()
    illegal = int(np.flatnonzero(~env.masks[17])[0])
    for bad in (illegal, -1, game.rules.MOVES, 2**40):
        wrong = moves.astype(np.int64)
        wrong[17] = bad
        with pytest.raises(SlotError, match="slot 17") as caught:
            env.step(wrong)
        assert caught.value.slot == 17
    for nonsense in (moves.astype(float), moves[:-1], moves > 0, "moves", moves[None]):
        with pytest.raises(BatchError):
            env.step(nonsense)
    assert raw(env) == before
    assert np.array_equal(env.observations, observed)
    env.step(moves)


def test_bad_arguments_are_explained() -> None:
    key = GAMES[0].key
    with pytest.raises(GameError, match="there is no game"):
        foxrow.batch("tic-tac-toe", 4)
    for players in (1, 99, True, 2.0, ()):
        with pytest.raises(GameError):
            foxrow.batch(key, 4, players=players)  # type: ignore[arg-type]
    for n in (0, -3, 2.5, True, "4"):
        with pytest.raises(BatchError, match="at least one slot"):
            foxrow.batch(key, n)  # type: ignore[arg-type]
    with pytest.raises(BatchError, match="a device"):
        foxrow.batch(key, 4, device="abacus")  # type: ignore[arg-type]
    with pytest.raises(BatchError, match="a seed"):
        foxrow.batch(key, 4, seed="x")  # type: ignore[arg-type]
    with pytest.raises(BatchError, match="first seat"):
        foxrow.batch(key, 4, first=7)
    with pytest.raises(BatchError, match="threads"):
        foxrow.batch(key, 4, threads=0)
    with pytest.raises(GameError, match="no option"):
        foxrow.batch(key, 4, colour="blue")


@each_game
def test_wrong_arrays_are_explained(game: Game) -> None:
    env = foxrow.batch(game, 8, players=2, seed=1)
    assert isinstance(env, Batch)
    many = game.rules.SECRETS or game.rules.FEATURES
    columns, out = np.zeros((game.rules.FRAMES, 4), np.int32), np.zeros((8, 4), np.int8)
    env.survey(columns, out)
    for bad, room in (
        ([0, 1], out), (columns.astype(np.int64), out), (columns[0], out), (columns + many, out), (columns - 1, out),
        (columns, None), (columns, out[:7]), (columns, out[:, :3]), (columns, out.astype(np.int16)),
    ):  # fmt: skip
        for call in (env.survey, env.suppose):
            with pytest.raises(BatchError):
                call(bad, room)  # type: ignore[arg-type]
    for moves in (-1, 1.5, "3", None, True):
        with pytest.raises(BatchError, match="whole number"):
            env.wander(moves)  # type: ignore[arg-type]
    with pytest.raises(BatchError, match="device='cuda'"):
        env.step(env.random_moves(), into=env.reset())  # type: ignore[arg-type]


def test_a_closed_batch_plays_no_more() -> None:
    with foxrow.batch(next(iter(games())), 600, seed=1, threads=2) as env:
        step = env.random_step()
    assert step.actors.shape == (600,)
    for call in (env.random_step, env.reset, lambda: env.wander(2), lambda: env.step(step.actors)):
        with pytest.raises(BatchError, match="closed"):
            call()
    env.close()


@each_game
def test_variants_are_dealt_out(game: Game) -> None:
    env: Any = foxrow.batch(game.key, 60, players=game.players, seed=1, observe=False, masks=False)
    assert sorted(set(env.players)) == sorted(game.players)
    assert env.observations.shape[0] == env.masks.shape[0] == 0
    env.rounds([1.0] + [0.0] * (len(env.kinds) - 1))
    env.reset()
    assert set(env.states.players) == {env.kinds[0].players}
    with pytest.raises(BatchError, match="shares"):
        env.rounds([1.0, -1.0, 3.0, 4.0, 5.0, 6.0])
    fixed: Any = foxrow.batch(game.key, 8, players=game.players[-1], first=0)
    assert set(fixed.states.first) == {0}


@each_game
def test_many_slots_are_dealt_out_in_step(game: Game) -> None:
    """As the shares say, in every stretch; and neighbours, which a GPU steps together, play the same variant."""
    env: Any = foxrow.batch(game.key, 32768, players=game.players, observe=False, masks=False)
    shares = np.arange(1.0, len(env.kinds) + 1)
    env.rounds(shares)
    together = env.variants.reshape(-1, 8)
    assert (together == together[:, :1]).all()
    for stretch in (env.variants, env.variants[8192:10240], env.variants[::16]):
        found = np.bincount(stretch, minlength=len(shares)) / len(stretch)
        assert np.allclose(found, shares / shares.sum(), rtol=0.25)
    few: Any = foxrow.batch(game.key, 64, players=game.players, observe=False, masks=False)
    few.rounds(shares)
    assert set(few.variants) == set(range(len(shares)))


@each_game
def test_one_slot_more_or_less_does_not_matter(game: Game) -> None:
    few, many = Batch(game, 3, all_variants(game)[:1], seed=9), Batch(game, 7, all_variants(game)[:1], seed=9)
    for _ in range(30):
        moves = many.random_moves()
        few.step(moves[:3])
        many.step(moves)
    assert raw(few) == np.ascontiguousarray(many.states[:3]).tobytes()


def test_the_rule_of_thumb_plays_legally() -> None:
    for game in GAMES:
        env = of_all(game)
        for _ in range(60):
            env.step(env.policy_moves())


def test_no_gpu_is_a_clear_word() -> None:
    """In a process of its own: CUDA must not be loaded by anything else here."""
    code = (
        "import sys, foxrow\n"
        f"foxrow.batch({GAMES[0].key!r}, 4)\n"
        "assert 'numba.cuda' not in sys.modules, 'the CPU loads CUDA'\n"
        "from foxrow.core.batch import BatchError\n"
        "try:\n"
        f"    foxrow.batch({GAMES[0].key!r}, 4, device='cuda')\n"
        "except BatchError as error:\n"
        "    print(error)\n"
        "else:\n"
        "    print('a GPU')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() in ("there is no CUDA device here", "a GPU") or "foxrow[gpu]" in done.stdout


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.key)
def test_every_variant_of_one_player_count(game: Game) -> None:
    """Options that have no meaning there are left out."""
    whole = all_variants(game)
    for count in game.players:
        assert all_variants(game, [count]) == [kind for kind in whole if kind.players == count]


@each_game
def test_branches_go_on_from_what_a_seat_sees(game: Game) -> None:
    """The seat to act sees in a branch what it saw; neighbours that are alike have one deal, others have others."""
    rules, kinds = game.rules, all_variants(game)
    trunk, branches = Batch(game, 12, kinds, seed=5), Batch(game, 36, kinds, seed=6)
    trunk.wander(9)
    before = trunk.states.tobytes()
    slots = np.repeat(np.array([0, 0, 3, 7, 7, 11]), 6)
    step = branches.branch(trunk, slots, alike=2)
    assert trunk.states.tobytes() == before
    assert np.array_equal(step.observations, trunk.observations[slots])
    assert np.array_equal(step.masks, trunk.masks[slots]) and not step.done.any()
    for state, slot in zip(branches.states, slots, strict=True):
        seat = rules.actor(state)
        here, there = (cast(Any, rules.mask(s, seat)).tobytes() for s in (state, trunk.states[slot]))
        assert here == there
    deals = [state.tobytes() for state in branches.states]
    assert deals[::2] == deals[1::2] and len(set(deals)) > len(set(slots.tolist()))
    for _ in range(300):  # and on, into the next rounds, with as many players as there
        step = branches.step(branches.random_moves())
        assert [int(state.players) for state in branches.states] == trunk.players[slots].tolist()
    branches.reset()
    assert [int(state.players) for state in branches.states] == branches.players.tolist()
