"""The proof of the shuffle: what it accepts and every way to break it."""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import pytest

from foxrow.match import fairness

SERVER, ANN, BEN = b"s" * 32, b"a" * 32, b"b" * 32


def match() -> dict[str, Any]:
    commits = [fairness.commitment(ANN), None, fairness.commitment(BEN)]
    seeds = [ANN, None, BEN]
    return {
        "players": ["Ann", "bot", "Ben"],
        "seed": fairness.deal_seed(SERVER, seeds).hex(),
        "fair": fairness.proof(SERVER, commits, seeds),
    }


def test_the_seed_is_one_hash_in_the_documented_order() -> None:
    assert fairness.deal_seed(SERVER, [ANN, None, BEN]) == (
        hashlib.sha256(b"foxrow-seed/1" + SERVER + ANN + bytes(32) + BEN).digest()
    )


def test_an_honest_proof_has_no_faults() -> None:
    assert fairness.faults(match()) == []
    assert fairness.taking_part(match()) == [0, 2]


def test_a_client_that_never_revealed_is_left_out_and_shown() -> None:
    commits = [fairness.commitment(ANN), fairness.commitment(BEN)]
    record = {
        "players": ["Ann", "Ben"],
        "seed": fairness.deal_seed(SERVER, [ANN, None]).hex(),
        "fair": fairness.proof(SERVER, commits, [ANN, None]),
    }
    assert fairness.faults(record) == []
    assert fairness.taking_part(record) == [0]


def change(record: dict[str, Any], path: list[Any], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(record)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["seed"], "0" * 64),
        (["fair"], None),
        (["fair", "version"], "foxrow-seed/9"),
        (["fair", "server"], None),
        (["fair", "server", "seed"], "00" * 32),
        (["fair", "server", "seed"], None),
        (["fair", "server", "commit"], "00" * 32),
        (["fair", "server", "commit"], 7),
        (["fair", "seats"], "none"),
        (["fair", "seats"], []),
        (["fair", "seats", 0], None),
        (["fair", "seats", 0], "x"),
        (["fair", "seats", 0, "seed"], "00" * 32),
        (["fair", "seats", 0, "seed"], "zz"),
        (["fair", "seats", 0, "seed"], None),
        (["fair", "seats", 0, "commit"], fairness.commitment(BEN)),
        (["fair", "seats", 0, "commit"], "ä" * 64),
        (["fair", "server", "commit"], "\ud800"),
        (["fair", "seats", 1], {"commit": fairness.commitment(BEN), "seed": BEN.hex()}),
    ],
)
def test_every_change_is_found(path: list[Any], value: Any) -> None:
    assert fairness.faults(change(match(), path, value))


def test_the_drawn_starter_is_spread_over_all_seats() -> None:
    found = [fairness.drawn_first(bytes([n]) * 32, 3) for n in range(200)]
    assert {0, 1, 2} == set(found)
    assert min(found.count(seat) for seat in range(3)) > 40
