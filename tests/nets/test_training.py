"""Training at tiny size. Torch is an extra of several gigabytes; without it there is nothing to train."""

from __future__ import annotations

import dataclasses
import importlib.util
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError
from foxrow.core.registry import games
from foxrow.nets.league import League
from foxrow.nets.plan import TINY
from foxrow.nets.play import Net
from foxrow.nets.weights import FILE, MORE, WeightsError

torch = pytest.importorskip("torch", reason="training is an extra: pip install foxrow[train]")

from foxrow.nets.train import Trainer, train  # noqa: E402  # needs torch

HERE = [game for game in games().values() if game.package.startswith("foxrow.games.")]
each_game = pytest.mark.parametrize("game", HERE, ids=lambda game: game.key)
QUICK = dataclasses.replace(TINY, minutes=0.01, games=24, minibatch=96)
EXAMPLE = Path(__file__).parents[2] / "examples" / "train_torch.py"


@each_game
def test_a_tiny_run_learns_saves_and_goes_on(game: Game, tmp_path: Path) -> None:
    said: list[str] = []
    first = train(game, QUICK, tmp_path, device="cpu", say=said.append)
    assert first.samples > 0 and said
    net = Net.load(game, tmp_path / f"{game.key}.npz")
    seen = first.field.observations[0]
    with torch.no_grad():
        logits, values = first.average(seen)
    ours, worth = net.forward(seen[:, : game.rules.FEATURES].numpy())
    for exact, kept in ((logits[:, : game.rules.MOVES].numpy(), ours), (values.numpy(), worth)):
        error = np.sqrt(((exact - kept) ** 2).mean())  # a file has its weights in steps
        assert error < 0.02 * max(1.0, np.abs(exact).max())
    again = train(game, QUICK, tmp_path, device="cpu", resume=True, say=said.append)
    assert again.samples > first.samples and again.spent > first.spent
    told = (tmp_path / f"{game.key}.csv").read_text().splitlines()
    assert len(told) == 1 + len(first.curve) + len(again.curve[len(first.curve) :])  # a curve goes on, too
    assert again.curve[: len(first.curve)] == first.curve and len(again.curve) > len(first.curve) > 0


def test_a_checkpoint_that_is_not_written_to_its_end_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a kill."""
    game = HERE[0]
    trainer = Trainer(game, QUICK, "cpu", tmp_path, say=lambda _: None)
    trainer.save()
    before = (tmp_path / f"{game.key}.pt").read_bytes()

    def full(data: object, path: Path) -> None:
        path.write_bytes(before[:1000])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match="No space"):
        trainer.save()
    assert (tmp_path / f"{game.key}.pt").read_bytes() == before
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".npz", ".pt"]


def test_a_run_goes_on_from_the_net_of_its_smallest_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(game for game in HERE if game.players[0] == 2 and len(game.players) > 2)
    full = dataclasses.replace(QUICK, players=game.players[1:])
    monkeypatch.setitem(vars(game), "folder", tmp_path)
    train(game, QUICK, tmp_path, device="cpu", say=lambda _: None)
    (tmp_path / f"{game.key}.npz").rename(tmp_path / FILE)
    begun: list[str] = []
    monkeypatch.setattr(Trainer, "resume", lambda self, path: begun.append(path.name))
    train(game, full, tmp_path / "one", device="cpu", resume=True, say=lambda _: None)
    (tmp_path / MORE).write_bytes((tmp_path / FILE).read_bytes())
    for number, plan in enumerate((full, QUICK, dataclasses.replace(QUICK, players=game.players[:2]))):
        train(game, plan, tmp_path / f"{number}", device="cpu", resume=True, say=lambda _: None)
    assert begun == [FILE, MORE, FILE, FILE]


@each_game
def test_values_turn_with_the_seats(game: Game, tmp_path: Path) -> None:
    trainer = Trainer(game, QUICK, "cpu", tmp_path, say=lambda _: None)
    players, actors = trainer.field.players, trainer.field.actors[0]
    by_seat = torch.rand(len(players), game.rules.SEATS) * (trainer.seats < players[:, None])
    turned = trainer._from_actor(by_seat, actors, players)
    assert torch.equal(trainer._by_seat(turned, actors, players), by_seat)
    assert torch.equal(turned[:, 0], by_seat.gather(1, actors.long()[:, None])[:, 0])


@each_game
def test_the_example_of_the_docs_trains(game: Game) -> None:
    spec = importlib.util.spec_from_file_location(EXAMPLE.stem, EXAMPLE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert -1 <= example.train(game.key, 2) <= 1


@each_game
def test_wild_games_begin_by_lot_and_nothing_is_learned_from_that(game: Game, tmp_path: Path) -> None:
    """Moves by lot are the first ones of a round, three at most here; all others are the net's own."""
    plan = dataclasses.replace(QUICK, wild=0.5, opening=3, length=400, past=0.25, thumb=0.0)
    trainer = Trainer(game, plan, "cpu", tmp_path, say=lambda _: None)
    trainer._remember()
    trainer._meet_the_past()
    trainer._collect()
    wild = plan.games // 2
    assert trainer.learned[:, wild : trainer.first_past].all()
    by_lot = ~trainer.learned[:, :wild]
    assert by_lot.any()
    rounds = 0
    for slot in range(wild):
        begun = [0, *(t for t in range(1, plan.length) if trainer.field.done[t, slot]), plan.length]
        for start, end in pairwise(begun):
            lots = by_lot[start:end, slot].tolist()
            assert sum(lots) <= 3 and all(lots[: sum(lots)])
            rounds += 1
    assert rounds > wild  # some began anew on the way


FORESEEING = dataclasses.replace(QUICK, games=96, foresee=48, runners=4, redeals=3, horizon=6, span=2, lesson=32)


@each_game
def test_what_is_foreseen_is_what_happens(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All runners are legal, and a move that ends the round gets what it ends with, on every deal."""
    trainer = Trainer(game, FORESEEING, "cpu", tmp_path, say=lambda _: None)
    trainer._remember()
    trainer._meet_the_past()
    foresight = trainer.foresight
    assert foresight is not None
    looked: list[Any] = []
    race = foresight._race

    def watched(slots: Any, moves: Any) -> Any:
        results = race(slots, moves)
        looked.append((slots, moves, results.clone()))
        return results

    monkeypatch.setattr(foresight, "_race", watched)
    rules, field = game.rules, trainer.field
    ends = 0
    while ends < 5 and len(looked) < 120:
        trainer._collect()
        before = field.env.states.tobytes()
        foresight.look()
        assert field.env.states.tobytes() == before
        slots, moves, results = looked[-1]
        assert bool(field.masks[field.now, slots].gather(1, moves).all())
        frames = field.frames[field.now] if field.framed else torch.zeros(field.n, dtype=torch.long)
        for r, slot in enumerate(slots.tolist()):
            for k, move in enumerate(moves[r].tolist()):
                states = rules.states(1)
                states[0] = field.env.states[slot]
                seat, players = rules.actor(states[0]), int(states[0].players)
                rules.step(states[0], int(field._meant[int(frames[slot]), move]))
                if (winners := rules.winners(states[0])) is not None:
                    share = players / len(winners) if seat in winners else 0.0
                    expected = (share - 1) / (players - 1)
                    assert results[r, :, k].tolist() == pytest.approx([expected] * FORESEEING.redeals, abs=1e-5)
                    ends += 1
        field.wrap()
    assert ends >= 5


@each_game
def test_a_run_learns_from_what_it_foresees(game: Game, tmp_path: Path) -> None:
    """What gained becomes more probable, what lost less; and nothing else teaches the policy here."""
    plan = dataclasses.replace(FORESEEING, policy=0.0, entropy=0.0, last_entropy=0.0, rate=2e-3, minutes=0.03, length=4)
    said: list[str] = []
    trainer = train(game, plan, tmp_path, device="cpu", say=said.append)
    assert "foreseen=" in said[-1]
    foresight = trainer.foresight
    assert foresight is not None
    foresight.look()
    lesson = foresight.memory
    optimiser = torch.optim.Adam(trainer.model.parameters(), lr=1e-3)
    losses = []
    for _ in range(8):
        loss = foresight.loss(lesson, trainer.model(lesson.observations)[0])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


def test_an_exploiter_meets_one_frozen_bot_only(tmp_path: Path) -> None:
    """A bot whose moves are all at random is easy to beat: what it loses shows in the exploiter's own test."""
    game = HERE[-1]
    train(game, QUICK, tmp_path, device="cpu", say=lambda _: None)
    weights = tmp_path / f"{game.key}.npz"
    before = weights.read_bytes()
    plan = dataclasses.replace(QUICK, minutes=0.02, weaken=1.0, players=(game.players[0],))
    shares: list[float] = []
    trainer = train(
        game,
        plan,
        tmp_path,
        device="cpu",
        exploit=weights,
        say=lambda _: None,
        watch=lambda share, _: shares.append(share),
    )
    assert trainer.past == [] and trainer.rivals.met == [{}]
    assert not trainer.learned.all()  # the other seat's moves are not its own
    assert weights.read_bytes() == before
    assert {path.suffix for path in tmp_path.glob(f"{game.key}-exploiter.*")} >= {".npz", ".pt"}
    Net.load(game, tmp_path / f"{game.key}-exploiter.npz")
    assert shares[0] == 0.0 and shares == sorted(shares) and shares[-1] <= 1.0
    assert set(trainer.test(games=16)) == {f"p{game.players[0]}_sample", f"p{game.players[0]}_best"}
    again = train(game, plan, tmp_path, device="cpu", exploit=weights, resume=True, say=lambda _: None)
    assert again.samples > trainer.samples


def test_a_frozen_bot_plays_as_the_bot_does(tmp_path: Path) -> None:
    """The most probable legal move by torch and by the player without torch; weakened, any legal one."""
    game = HERE[0]
    train(game, QUICK, tmp_path, device="cpu", say=lambda _: None)
    weights = tmp_path / f"{game.key}.npz"
    net = Net.load(game, weights)
    trainer = Trainer(game, QUICK, "cpu", tmp_path, say=lambda _: None, exploit=weights)
    field = trainer.field
    logits, _ = net.forward(field.observations[0][:, : game.rules.FEATURES].numpy())
    masks = field.masks[0][:, : game.rules.MOVES].numpy()
    mine = torch.zeros_like(field.masks[0], dtype=torch.float32)  # what the exploiter thinks does not matter
    chosen = trainer._frozen_moves(field.observations[0], field.masks[0], field.players, mine)
    best = np.where(masks, logits, -np.inf)
    assert np.allclose(best.max(1), best[np.arange(len(best)), chosen.numpy()], atol=0.02)
    wild = Trainer(game, dataclasses.replace(QUICK, weaken=1.0), "cpu", tmp_path, say=lambda _: None, exploit=weights)
    anything = wild._frozen_moves(field.observations[0], field.masks[0], field.players, mine)
    assert bool(field.masks[0].gather(1, anything[:, None]).all())
    assert not torch.equal(anything, chosen)


@pytest.mark.parametrize("suffix", ["pt", "npz"])
def test_a_net_may_grow_and_keeps_its_mind(tmp_path: Path, suffix: str) -> None:
    game = HERE[0]
    small = train(game, QUICK, tmp_path, device="cpu", say=lambda _: None)
    small.average.load_state_dict(small.model.state_dict())
    small.save()
    large = Trainer(game, dataclasses.replace(QUICK, width=48), "cpu", tmp_path, say=lambda _: None)
    large.resume(tmp_path / f"{game.key}.{suffix}")
    seen = small.field.observations[0]
    with torch.no_grad():
        for ours, theirs in zip(large.model(seen), small.model(seen), strict=True):
            moves = slice(game.rules.MOVES)  # what is beyond means nothing
            assert torch.allclose(ours[:, moves], theirs[:, moves], atol=1e-4 if suffix == "pt" else 0.05)
    large.run()
    assert large.samples > small.samples
    assert large.model.policy.weight[:, 32:].abs().max() > 0  # the new units have a say now
    assert set(large.test(games=16)) >= {f"p{game.players[0]}_before", f"p{game.players[-1]}_before"}


def test_minibatches_are_of_one_size() -> None:
    plan = dataclasses.replace(QUICK, games=49152, length=48, minibatch=65536)
    assert plan.parts == 32 and plan.games % plan.parts == 0
    assert dataclasses.replace(plan, games=7, minibatch=100).parts == 1


def test_moves_are_drawn_as_often_as_the_policy_says(tmp_path: Path) -> None:
    trainer = Trainer(HERE[0], QUICK, "cpu", tmp_path, say=lambda _: None)
    torch.manual_seed(5)
    logits, masks = torch.randn(70) * 2, torch.rand(70) < 0.3
    moves, logs = trainer._draw_plain(logits.expand(60000, -1), masks.expand(60000, -1))
    assert bool(masks[moves].all())
    odds = torch.where(masks, logits, -1e9).softmax(0)
    often = torch.bincount(moves, minlength=70) / 60000
    assert torch.allclose(often, odds, atol=0.01)
    assert torch.allclose(logs.exp(), odds[moves], atol=1e-6)
    only = torch.zeros(70, dtype=torch.bool)
    only[-1] = True
    moves, logs = trainer._draw_plain(logits.expand(5000, -1), only.expand(5000, -1))
    assert bool((moves == 69).all() and (logs == 0).all())


def test_a_barrier_reaches_moves_that_entropy_has_given_up(tmp_path: Path) -> None:
    """A policy that is all but certain, and nothing to learn but doubt: what comes back of the moves never made?"""

    def regained(entropy: float, barrier: float) -> float:
        plan = dataclasses.replace(QUICK, policy=0.0, value=0.0, critic=0, wild=0.0, rate=0.1)
        plan = dataclasses.replace(plan, entropy=entropy, barrier=barrier)
        trainer = Trainer(HERE[0], plan, "cpu", tmp_path, say=lambda _: None)
        with torch.no_grad():
            trainer.model.policy.weight.zero_()
            trainer.model.policy.bias.copy_(torch.linspace(0, 2000, len(trainer.model.policy.bias)))
        trainer._collect()
        masks = trainer.field.masks[: plan.length].flatten(0, 1)

        def far() -> float:
            seen = trainer.field.observations[: plan.length].flatten(0, 1)
            with torch.no_grad():
                logs = torch.where(masks, trainer.model(seen)[0], -1e9).log_softmax(1)
            return float((torch.where(masks, -logs, 0.0).sum(1) / masks.sum(1)).mean())

        before = far()
        nothing = torch.zeros(plan.length, plan.games)
        for _ in range(4):
            trainer._learn(nothing, torch.zeros(*nothing.shape, HERE[0].rules.SEATS), 0.0)
        return before - far()

    assert regained(entropy=0.1, barrier=0.0) < 1 < 5 < regained(entropy=0.0, barrier=0.1)


def test_calm_is_for_tables_of_more_than_two(tmp_path: Path) -> None:
    """Nothing to learn but doubt: a calm of 0 lets go of it at larger tables, and not at two."""
    game = HERE[0]

    def moved(players: int, calm: float) -> float:
        plan = dataclasses.replace(QUICK, policy=0.0, value=0.0, critic=0, entropy=0.1, players=(players,), calm=calm)
        trainer = Trainer(game, plan, "cpu", tmp_path, say=lambda _: None)
        trainer._collect()
        before = trainer.model.policy.weight.clone()
        nothing = torch.zeros(plan.length, plan.games)
        trainer._learn(nothing, torch.zeros(*nothing.shape, game.rules.SEATS), 0.0)
        return float((trainer.model.policy.weight - before).abs().sum().detach())

    assert moved(2, 0.0) > 0
    assert moved(game.players[-1], 1.0) > 0
    assert moved(game.players[-1], 0.0) == 0


@each_game
def test_a_blurred_win_is_a_win_by_points(game: Game, tmp_path: Path) -> None:
    """The less blur, the nearer to who won; with some of it whoever has more points has more, and all add up to 0."""
    plan = dataclasses.replace(QUICK, games=64, length=256)
    trainer = Trainer(game, plan, "cpu", tmp_path, say=lambda _: None)
    for t in range(plan.length):
        trainer.field.step(t, trainer.field.random_moves())
    won, ended = trainer.field.rewards[1:], trainer.field.done[1:]
    assert ended.any()
    assert torch.equal(trainer._rewards(0.0), won)
    blurred = trainer._rewards(1.0)
    if not trainer.by_points:
        assert torch.equal(blurred, won)
        return
    assert torch.allclose(trainer._rewards(1e-4), won, atol=1e-5)
    assert not blurred[~ended].any() and not (blurred * (trainer.seats >= trainer.field.players[:, None])).any()
    assert torch.allclose(blurred.sum(-1), torch.zeros(()), atol=1e-5)
    points = trainer.field.scores[1:][ended][:, :2].float()  # of the seats that are always taken
    more = points[:, 0] - points[:, 1]
    assert torch.equal((blurred[ended][:, 0] - blurred[ended][:, 1]).sign(), more.sign())
    assert (blurred.abs() < 1).all()


def test_points_decide_in_some_games_and_not_in_all(tmp_path: Path) -> None:
    decided = {Trainer(game, QUICK, "cpu", tmp_path, say=lambda _: None).by_points for game in HERE}
    assert decided == {True, False}


def test_what_cannot_be_resumed_is_explained(tmp_path: Path) -> None:
    game = HERE[0]
    trainer = Trainer(game, QUICK, "cpu", tmp_path, say=lambda _: None)
    with pytest.raises(WeightsError, match="no checkpoint at"):
        trainer.resume(tmp_path / "none.pt")
    (tmp_path / "bad.pt").write_bytes(b"not a checkpoint")
    with pytest.raises(WeightsError, match="is no checkpoint"):
        trainer.resume(tmp_path / "bad.pt")
    trainer.save()
    whole = (tmp_path / f"{game.key}.pt").read_bytes()
    (tmp_path / "cut.pt").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeightsError, match="is no checkpoint"):
        trainer.resume(tmp_path / "cut.pt")
    narrow = Trainer(game, dataclasses.replace(QUICK, width=16), "cpu", tmp_path, say=lambda _: None)
    with pytest.raises(WeightsError, match="width is 32"):
        narrow.resume(tmp_path / f"{game.key}.pt")
    if not torch.cuda.is_available():
        with pytest.raises(FoxrowError, match="no CUDA"):
            train(game, QUICK, tmp_path, device="cuda", say=lambda _: None)


def test_in_a_league_the_bot_meets_what_was_trained_to_beat_it(tmp_path: Path) -> None:
    game, often = HERE[0], dataclasses.replace(QUICK, snapshot=0.0, renew=0.0, rivals=2, past=0.5)
    folder = tmp_path / "league"
    run = partial(train, game, device="cpu", say=lambda _: None)
    bot = run(often, tmp_path, league=League(folder, game))
    assert not bot.challengers
    league = League(folder, game)
    two = dataclasses.replace(often, players=(game.players[0],))
    exploiter = run(two, tmp_path, exploit=league.wait(), league=league)
    left = sorted(folder.glob("*-challenger-*.npz"))
    assert left and exploiter.frozen is not None
    assert exploiter.turns == 0  # the last one left, it has begun again
    steady = run(dataclasses.replace(two, again=0), tmp_path, exploit=league.wait(), league=league)
    assert steady.turns > 0
    left = sorted(folder.glob("*-challenger-*.npz"))
    again = run(often, tmp_path, resume=True, league=League(folder, game))
    assert len(again.challengers) == min(len(left), often.keep)
    again._meet_the_past()
    assert any(again.rivals.met[1] is known for known in again.challengers)  # the second is a challenger
    seen = again.field.observations[0]
    net = Net.load(game, left[-1])
    theirs, _ = net.forward(seen[:, : game.rules.FEATURES].numpy())
    again.rivals.invite(1, again.challengers[-1])
    with torch.no_grad():
        logits = again.rivals(torch.cat((seen, seen)))[len(seen) :]
    assert np.allclose(logits[:, : game.rules.MOVES].numpy(), theirs, atol=0.02)


def test_a_league_without_a_bot_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foxrow.nets.league.PATIENCE", 0.0)
    with pytest.raises(WeightsError, match="start one"):
        League(tmp_path, HERE[0]).wait()


@each_game
def test_weights_alone_keep_their_critic(game: Game, tmp_path: Path) -> None:
    plan = dataclasses.replace(QUICK, critic=16, critic_depth=2)
    first = train(game, plan, tmp_path, device="cpu", say=lambda _: None)
    assert first.critic is not None
    again = Trainer(game, plan, "cpu", tmp_path, say=lambda _: None)
    again.resume(tmp_path / f"{game.key}.npz")
    assert again.critic is not None and again.unsettled == 0
    seen, secrets = first.field.observations[0], first.field.secrets[0]
    with torch.no_grad():
        for ours, theirs in zip(again.critic(seen, secrets), first.critic(seen, secrets), strict=True):
            assert torch.allclose(ours, theirs, atol=0.1)
    other = Trainer(game, dataclasses.replace(plan, critic=24), "cpu", tmp_path, say=lambda _: None)
    other.resume(tmp_path / f"{game.key}.npz")
    assert other.unsettled > 0  # another critic has to learn first


def test_a_population_is_met_beside_the_past(tmp_path: Path) -> None:
    game = HERE[0]
    train(game, QUICK, tmp_path, device="cpu", say=lambda _: None)
    other = tmp_path / f"{game.key}.npz"
    plan = dataclasses.replace(QUICK, rivals=2, past=0.5)
    run = partial(train, game, plan, tmp_path / "run", device="cpu", say=lambda _: None)
    trainer = run(population=[other])
    assert trainer.rivals.met[1] is trainer.population[0] and trainer.rivals.met[0] in trainer.past
    assert set(trainer.test(games=16)) >= {f"p{game.players[-1]}_crowd"}
    with pytest.raises(WeightsError, match="width is 32"):
        train(game, dataclasses.replace(plan, width=16), tmp_path, device="cpu", population=[other], say=lambda _: None)


@each_game
def test_who_has_sense_makes_no_move_that_the_net_would_never_make(game: Game, tmp_path: Path) -> None:
    train(game, QUICK, tmp_path, device="cpu", say=lambda _: None)
    other = tmp_path / f"{game.key}.npz"
    plan = dataclasses.replace(QUICK, rivals=2, past=0.5, crowd=0.5, sense=0.5)
    trainer = Trainer(game, plan, "cpu", tmp_path / "run", say=lambda _: None)
    trainer.meet(other)
    trainer._remember()
    trainer._meet_the_past()
    assert trainer.sense.flatten().tolist() == [0.0, 0.5]  # one of the past, which has none, and one of the population
    at = slice(trainer.first_past, trainer.first_thumb)
    seen, masks, players = trainer.field.observations[0, at], trainer.field.masks[0, at], trainer.field.players[at]
    wanted = masks.float().argmax(1)  # the net is sure that the first legal move is the only one
    sure = 1e6 * torch.nn.functional.one_hot(wanted, masks.shape[1])
    moves = trainer._rivals_moves(seen, masks, players, sure)
    half = len(moves) // 2
    assert (moves[half:] == wanted[half:]).all() and not (moves[:half] == wanted[:half]).all()
    assert masks.gather(1, moves[:, None]).all()
    assert trainer.crowd is not None
    assert (trainer._drawn_moves(trainer.crowd, seen, masks, sure) == wanted).all()
    trainer.plan = dataclasses.replace(plan, crowd=1.0)
    trainer._meet_the_past()
    assert all(met is trainer.population[0] for met in trainer.rivals.met)
