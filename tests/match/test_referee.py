"""The referee says exactly what the rules say (notation.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from foxrow.core.contract import Game
from foxrow.core.registry import games
from foxrow.match.referee import Referee
from tests.contract.walk import Case, cases, walk


def text_of(case: Case, seed: int) -> dict[str, Any]:
    """A game as a record, dealt by the open shuffle and played at random."""
    from random import Random

    random = Random(seed)
    p = case.new(seed, first=seed % case.players)
    while not p.over:
        p.play_move(random.choice(case.game.rules.legal(p.state)))
    return p.record()


@pytest.fixture(params=cases(), ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


@pytest.fixture(params=games().values(), ids=lambda game: str(game.key))
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


def test_the_answer_is_the_position(case: Case) -> None:
    """Every position of a game, by the trace and by a record that stops there."""
    data = text_of(case, 1)
    answer = Referee(trace=True, seat=case.players - 1).answer(json.dumps(data))
    trace = answer.pop("trace")
    assert len(trace) == len(data["moves"])
    p = case.new(data["deal"]["seed"], first=data["first"])
    for entry, move in zip([*trace, answer], [*data["moves"], None], strict=True):
        assert entry == {
            "over": p.over,
            "to_act": p.to_act,
            "phase": p.phase,
            "legal": p.legal(),
            "scores": p.scores(),
            "winners": p.winners(),
            "view": p.view(case.players - 1),
        }
        if move is not None:
            p.play(move)
    assert answer["over"]
    assert (answer["to_act"], answer["legal"], answer["phase"]) == (None, [], "over")
    assert list(answer)[:6] == ["over", "to_act", "phase", "legal", "scores", "winners"]


def test_a_referee_keeps_nothing_from_record_to_record(case: Case) -> None:
    records = [json.dumps(text_of(case, seed)) for seed in (2, 3)]
    one = Referee(trace=True)
    both = [one.answer(text) for text in records]
    assert both == [Referee(trace=True).answer(text) for text in records]
    assert one.answer(records[0]) == both[0]


def test_forgiven_moves_give_the_same_answer(case: Case) -> None:
    data = text_of(case, 4)
    canonical = Referee(trace=True).judge(data)
    sloppy = {**data, "moves": [f" {move.upper()}  " for move in data["moves"]]}
    assert Referee(trace=True).judge(sloppy) == canonical


def test_set_ups_are_answered(case: Case) -> None:
    from foxrow.core.errors import SetupError

    rules = case.game.rules
    for step in list(walk(case, 2))[:40:4]:
        try:
            setup = rules.text.write_setup(step.state)
        except SetupError:
            continue
        data = {
            "format": "foxrow/1",
            "game": case.game.key,
            "players": ["N"] * case.players,
            "options": case.options,
            "setup": setup,
            "moves": [],
        }
        answer = Referee().judge(data)
        assert answer["legal"] == sorted(rules.move_text(step.state, move) for move in step.legal)
        assert answer["scores"] == rules.scores(step.state)
        broken = {**data, "setup": {**setup, "surprise": 1}}
        error = Referee().judge(broken)["error"]
        assert (error["move"], error["kind"]) == (0, "setup")
        assert error["place"]
        assert "surprise" in error["reason"]


def test_errors_have_kind_move_and_text(game: Game) -> None:
    data = text_of(Case(game, game.players[0], tuple(game.check_options({}, game.players[0]).items())), 1)
    judge = Referee(trace=True)

    def error(**changes: Any) -> dict[str, Any]:
        answer = judge.judge({**data, **changes})
        assert list(answer) == ["error"]
        found: dict[str, Any] = answer["error"]
        assert set(found) >= {"move", "text", "kind", "reason"}
        return found

    moves = data["moves"]
    found = error(moves=[*moves[:2], "upside down", "also wrong"])
    assert (found["move"], found["text"], found["kind"]) == (3, "upside down", "parse")
    found = error(moves=[*moves[:1], 7])
    assert (found["move"], found["text"], found["kind"]) == (2, "7", "parse")
    found = error(moves=[*moves[:1], {"a": [None]}])
    assert (found["move"], found["text"], found["kind"]) == (2, '{"a": [null]}', "parse")
    found = error(moves=[*moves, moves[0]])
    assert (found["move"], found["text"], found["kind"]) == (len(moves) + 1, moves[0], "illegal")
    found = error(moves=["x" * 10_000])
    assert len(found["text"]) <= 201
    found = error(game="chess")
    assert (found["move"], found["kind"], found["place"]) == (0, "record", "game")
    found = error(first=99)
    assert (found["move"], found["kind"], found["place"]) == (0, "record", "first")
    found = judge.answer("not json")["error"]
    assert (found["move"], found["text"], found["kind"]) == (0, None, "record")


def test_looking_from_a_seat_that_is_not_there_is_an_error(game: Game) -> None:
    data = text_of(Case(game, 2, tuple(game.check_options({}, 2).items())), 1)
    assert Referee(seat=2).judge(data)["error"]["kind"] == "record"
    assert Referee(seat=1).judge(data)["view"]["seat"] == 1


def test_a_match_is_answered_round_by_round(game: Game) -> None:
    from tests.match.test_record import shortest, whole_match

    match = whole_match(game, **shortest(game))
    answer = Referee(trace=True).judge(match.record())
    assert answer["over"]
    assert answer["winners"] == match.winners()
    assert answer["totals"] == match.totals()
    assert [entry["scores"] for entry in answer["rounds"]] == [p.scores() for p in match.rounds]
    broken = match.record()
    broken["rounds"][-1]["moves"][1] = "??"
    error = Referee().judge(broken)["error"]
    assert (error["round"], error["move"], error["kind"]) == (len(match.rounds) - 1, 2, "parse")


def test_deep_nonsense_is_an_answer(game: Game) -> None:
    """A value so deep that an error message about it would run out of stack."""
    good = text_of(Case(game, 2, tuple(game.check_options({}, 2).items())), 1)
    for depth in (100, 500, 800, 850, 900, 930, 950, 970, 990, 2000):
        deep = "[" * depth + "]" * depth
        for key in good:
            text = json.dumps({**good, key: "HERE"}).replace('"HERE"', deep)
            assert Referee().answer(text)["error"]["kind"] in ("record", "parse")
