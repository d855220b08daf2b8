"""A round for people: what it says of itself, and what it refuses."""

from __future__ import annotations

import pytest

from foxrow.core.errors import GameError
from foxrow.core.registry import games

GAME = next(iter(games().values()))


def test_it_says_how_many_moves_were_made() -> None:
    p = GAME.new(players=2, seed=1)
    assert "0 moves" in repr(p)
    assert "1 move," in repr(p.play(p.legal()[0]))
    assert "2 moves" in repr(p.play(p.legal()[0]))


def test_it_goes_back_only_to_what_was() -> None:
    p = GAME.new(players=2, seed=1)
    for _ in range(3):
        p.play(p.legal()[0])
    assert [len(p.at(k).moves) for k in range(4)] == [0, 1, 2, 3]
    for wrong in (-1, 4):
        with pytest.raises(GameError, match=f"3 moves made: {wrong} cannot be gone back to, only 0 to 3"):
            p.at(wrong)
        with pytest.raises(GameError, match=f"3 moves made: {wrong} cannot be taken back, only 0 to 3"):
            p.undo(wrong)
    for nonsense in (1.0, "1", None, True):
        with pytest.raises(GameError, match="whole numbers"):
            p.at(nonsense)  # type: ignore[arg-type]


def test_a_seed_is_a_number_a_text_or_bytes() -> None:
    assert GAME.new(seed=7) == GAME.new(seed="7") != GAME.new(seed=b"7" * 32)
    for wrong in (1.5, True, [1], object()):
        with pytest.raises(GameError, match="a seed is a whole number, a text or bytes"):
            GAME.new(seed=wrong)  # type: ignore[arg-type]
