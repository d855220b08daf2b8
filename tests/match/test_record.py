"""Records are read strictly: everything wrong is named with its place, and what is right replays to any point."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

import foxrow
from foxrow.core.contract import Game
from foxrow.core.errors import FoxrowError, IllegalMove, ParseError, RecordError
from foxrow.core.registry import games
from foxrow.core.stakes import Stakes
from foxrow.match.record import MATCH, MOST_BYTES, MOST_MOVES, Match, MatchRecord, RoundRecord, parse, read
from foxrow.match.referee import Referee

SEED = "0123456789abcdef" * 4


@pytest.fixture(params=games().values(), ids=lambda game: str(game.key))
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


def record(game: Game, moves: int = 8) -> dict[str, Any]:
    p = game.new(2, seed=SEED, names=["Ann", "Ben"])
    for _ in range(moves):
        p.play(p.legal()[0])
    return p.record()


def whole_match(game: Game, **setting: int) -> Match:
    """A match with random moves to its end."""
    match = Match(game, ["Ann", "Ben"], game.check_options({}, 2), setting, SEED)
    while not match.over:
        p = match.next_round()
        while not p.over:
            legal = p.legal()
            p.play(legal[len(p.moves) * 7 % len(legal)])
    return match


def shortest(game: Game) -> dict[str, int]:
    key = game.match.setting
    return {} if key is None else {key: game.match.low}


# Reading ------------------------------------------------------------------------------------------------


def test_a_record_is_read_and_replayed(game: Game) -> None:
    data = record(game)
    found = read(data)
    assert isinstance(found, RoundRecord)
    assert found.names == ("Ann", "Ben")
    assert found.deal == (SEED, 0)
    assert found.replay().record() == data
    for at in (0, 3, 8):
        assert found.replay(at).moves == data["moves"][:at]
    with pytest.raises(RecordError, match="no position after 9"):
        found.replay(9)


def test_first_options_and_round_have_defaults(game: Game) -> None:
    data = record(game, 0)
    del data["first"], data["options"], data["deal"]["round"]
    found = read(data)
    assert isinstance(found, RoundRecord)
    assert (found.first, found.deal) == (0, (SEED, 0))


MISSING = object()
WRONG: list[tuple[str, Any, str]] = [
    ("format", MISSING, "format"),
    ("format", "foxrow/2", "format"),
    ("format", 1, "format"),
    ("format", ["foxrow/1"], "format"),
    ("game", MISSING, "game"),
    ("game", "chess", "game"),
    ("game", ["x"], "game"),
    ("game", {}, "game"),
    ("game", None, "game"),
    ("players", MISSING, "players"),
    ("players", 2, "players"),
    ("players", [], "players"),
    ("players", ["Ann"], "players"),
    ("players", ["Ann"] * 9, "players"),
    ("players", ["Ann", 2], r"players\[1\]"),
    ("players", "AB", "players"),
    ("options", [], "options"),
    ("options", {"colour": "red"}, "options"),
    ("options", None, "options"),
    ("first", 2, "first"),
    ("first", -1, "first"),
    ("first", True, "first"),
    ("first", 0.0, "first"),
    ("first", "0", "first"),
    ("deal", MISSING, "neither"),
    ("deal", None, "deal"),
    ("deal", [], "deal"),
    ("deal", {}, "deal"),
    ("deal", {"seed": SEED, "round": 0, "x": 1}, "deal"),
    ("deal", {"seed": SEED[:-1], "round": 0}, "deal.seed"),
    ("deal", {"seed": SEED + "0", "round": 0}, "deal.seed"),
    ("deal", {"seed": "g" * 64, "round": 0}, "deal.seed"),
    ("deal", {"seed": "٣" * 64, "round": 0}, "deal.seed"),
    ("deal", {"seed": 7, "round": 0}, "deal.seed"),
    ("deal", {"seed": SEED, "round": -1}, "deal.round"),
    ("deal", {"seed": SEED, "round": True}, "deal.round"),
    ("deal", {"seed": SEED, "round": 1e9}, "deal.round"),
    ("deal", {"seed": SEED, "round": 10**40}, "deal.round"),
    ("setup", {}, "both"),
    ("moves", MISSING, "moves"),
    ("moves", "7", "moves"),
    ("moves", {}, "moves"),
    ("moves", ["x"] * (MOST_MOVES + 1), "moves"),
    ("comment", "hello", "comment"),
]


@pytest.mark.parametrize(("key", "value", "place"), WRONG)
def test_what_is_wrong_is_named(game: Game, key: str, value: Any, place: str) -> None:
    data = record(game)
    if value is MISSING:
        del data[key]
    else:
        data[key] = value
    with pytest.raises(RecordError, match=place) as found:
        read(data)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 250


def test_an_option_without_a_meaning_is_an_error(game: Game) -> None:
    for option in game.options:
        data = record(game, 0)
        data["options"] = {option.key: "perhaps"}
        with pytest.raises(RecordError, match="options"):
            read(data)
        for players in set(game.players) - set(option.players or game.players):
            data = {**record(game, 0), "players": ["N"] * players, "options": {option.key: option.default}}
            with pytest.raises(RecordError, match="has a meaning with"):
                read(data)


@pytest.mark.parametrize("data", [None, 3, "text", [], [1], True, 1.5])
def test_a_record_is_an_object(data: object) -> None:
    with pytest.raises(RecordError, match="object"):
        read(data)


# JSON ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "ends too early"),
        ("   ", "ends too early"),
        ("{", "ends too early"),
        ('{"format": "foxrow/1", "ga', "column 24"),
        ("hello", "column 1: this is not JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": Infinity}', "Infinity"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1, "a": 2}', "twice"),
        ("[" * 100_000, "nested"),
        ('{"a":' * 100_000, "nested"),
        ("9" * 5000, "too long"),
        ("-" + "9" * 5000, "too long"),
        ("{} {}", "Extra data"),
        (b"\xff\xfe\x00", "byte 1"),
        (b'{"a": "\xe9"}', "byte 8"),
        (b"\x00\x01\x02", "not JSON"),
        ("[\n1,\n]", "line 3 column 1"),
        (" " * (MOST_BYTES + 1), "longer"),
    ],
)
def test_text_that_is_no_json(text: str | bytes, says: str) -> None:
    with pytest.raises(RecordError, match=says) as found:
        parse(text)
    assert "\n" not in str(found.value)
    assert len(str(found.value)) < 250


def test_json_with_a_byte_order_mark_is_fine() -> None:
    assert parse(b"\xef\xbb\xbf[1]") == [1]
    assert parse("\ufeff[1]") == [1]


def test_values_of_every_size_are_named_shortly(game: Game) -> None:
    """What an error quotes is cut, and deep values do not break it."""
    deep: Any = []
    for _ in range(sys.getrecursionlimit() // 3):
        deep = [deep]
    for value in ("x" * 10**6, [0] * 10**5, 10**4000, deep):
        with pytest.raises(RecordError) as found:
            read({**record(game, 0), "first": value})
        assert len(str(found.value)) < 250


# Moves --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["upside down", "", 7, None, ["take"], {}, True, 1.5, "\ud800", "x" * 10**6])
def test_a_move_that_is_none_has_a_number(game: Game, bad: object) -> None:
    data = record(game, 4)
    data["moves"][2] = bad
    with pytest.raises(ParseError) as found:
        foxrow.load(data)
    assert found.value.number == 3
    assert str(found.value).startswith("move 3: ")


def test_blanks_in_a_move_are_forgiven_up_to_200_letters(game: Game) -> None:
    data = record(game, 4)
    canonical = data["moves"][2]
    data["moves"][2] = canonical.rjust(200)
    referee = Referee()
    assert foxrow.load(data).record()["moves"][2] == canonical
    assert "error" not in referee.judge(data)
    assert referee.played[0][2] == canonical
    data["moves"][2] = canonical.rjust(201)
    with pytest.raises(ParseError, match="move 3: a move has at most 200 letters, not 201"):
        foxrow.load(data)
    error = referee.judge(data)["error"]
    assert (error["move"], error["kind"]) == (3, "parse")


def test_a_move_after_the_end_is_illegal(game: Game) -> None:
    data = whole_match(game, **shortest(game)).rounds[0].record()
    data["moves"].append(data["moves"][0])
    with pytest.raises(IllegalMove) as found:
        foxrow.load(data)
    assert found.value.number == len(data["moves"])


# Matches ------------------------------------------------------------------------------------------------


def test_a_match_is_read_and_replayed(game: Game) -> None:
    match = whole_match(game, **shortest(game))
    data = json.loads(json.dumps(match.record()))
    again = foxrow.load(data)
    assert isinstance(again, Match)
    assert again.record() == data
    assert again.over
    assert again.winners() == match.winners()
    assert again.totals() == match.totals()
    assert "match" in repr(again)
    for k, position in enumerate(again.rounds):
        dealt = game.new(2, seed=SEED, round=k, first=k % 2)
        assert bytes(position.at(0).state) == bytes(dealt.state)


def test_every_round_of_a_match_counts_for_what_it_counted_for_then(game: Game) -> None:
    key = game.match.setting
    match = whole_match(game, **({} if key is None else {key: game.match.default}))
    record = read(match.record())
    assert isinstance(record, MatchRecord)
    for k in range(len(match.rounds)):
        before = Match(game, match.names, match.options, match.match, match.seed)
        before.rounds = match.rounds[:k]
        assert record.stakes(k) == before.stakes()


def test_X11_what_the_rounds_of_a_race_counted_for() -> None:
    """Round by round, who has won how many before it."""
    for game in games().values():
        if game.match.kind != "points" or 3 not in game.players:
            continue
        match = Match(game, ["Ann", "Ben", "Eve"], game.check_options({}, 3), {"points": 2}, SEED)
        while not match.over:
            p = match.next_round()
            while not p.over:
                legal = p.legal()
                p.play(legal[len(p.moves) * 7 % len(legal)])
        record = read(match.record())
        assert isinstance(record, MatchRecord)
        won = [0, 0, 0]
        for k, position in enumerate(match.rounds):
            assert record.stakes(k) == Stakes(tuple(won), goal=2)
            for seat in position.winners() or ():
                won[seat] += 1
        assert max(won) == 2 and len(match.rounds) > 2


def test_a_match_goes_on_where_it_stopped(game: Game) -> None:
    data = whole_match(game, **shortest(game)).record()
    data["rounds"][-1]["moves"] = data["rounds"][-1]["moves"][:3]
    match = foxrow.load(data)
    assert isinstance(match, Match)
    assert not match.over
    assert match.winners() is None
    assert len(match.rounds[-1].moves) == 3
    with pytest.raises(RecordError, match="not over"):
        match.next_round()


def test_wrong_matches_are_named(game: Game) -> None:
    good = whole_match(game, **shortest(game)).record()

    def broken(**changes: Any) -> dict[str, Any]:
        return {**json.loads(json.dumps(good)), **changes}

    rounds = good["rounds"]
    cases: list[tuple[dict[str, Any], str]] = [
        (broken(match=None), "match"),
        (broken(match={"laps": 1}), "match"),
        (broken(seed="00"), "seed"),
        (broken(rounds={}), "rounds"),
        (broken(rounds=[[]]), r"rounds\[0\]"),
        (broken(rounds=[{"first": 0}]), r"rounds\[0\].*moves"),
        (broken(rounds=[{"first": 2, "moves": []}]), r"rounds\[0\].first"),
        (broken(rounds=[{"first": 0, "moves": 3}]), r"rounds\[0\].moves"),
        (broken(rounds=[{"first": 0, "moves": [], "deal": {}}]), "deal"),
        (broken(rounds=[*rounds, {"first": len(rounds) % 2, "moves": []}]), "the match is over"),
        (broken(rounds=[{"first": 0, "moves": []}, {"first": 1, "moves": []}]), "not over"),
        (broken(rounds=[{"first": 0, "moves": ["??"]}]), "round 0, move 1"),
        (broken(deal={"seed": SEED, "round": 0}), "deal"),
    ]
    for data, says in cases:
        with pytest.raises(FoxrowError) as found:
            foxrow.load(data)
        import re

        assert re.search(says, str(found.value)), (says, str(found.value))
    missing = broken()
    del missing["seed"]
    with pytest.raises(RecordError, match="seed"):
        foxrow.load(missing)


def test_a_match_may_carry_its_proof(game: Game) -> None:
    data = {
        "format": MATCH,
        "game": game.key,
        "players": ["Ann", "Ben"],
        "match": shortest(game),
        "seed": SEED,
        "rounds": [],
    }
    pair = {"commit": SEED, "seed": SEED}
    proof = {"version": "foxrow-seed/1", "server": pair, "seats": [{"commit": SEED, "seed": None}, None]}
    found = read({**data, "fair": proof})
    assert isinstance(found, MatchRecord)
    assert found.fair == proof
    assert found.replay().rounds == []
    for place, wrong in {
        "fair": {"version": "foxrow-seed/1"},
        "fair.version": {**proof, "version": ["x" * 10**6]},
        "fair.server": {**proof, "server": None},
        "fair.server.seed": {**proof, "server": {"commit": SEED, "seed": None}},
        "fair.seats": {**proof, "seats": [None]},
        "fair.seats[1].commit": {**proof, "seats": [None, {"commit": "00", "seed": SEED}]},
    }.items():
        with pytest.raises(RecordError) as refused:
            read({**data, "fair": wrong})
        assert refused.value.place == place
