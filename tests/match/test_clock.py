"""Thinking time, told by the numbers."""

from __future__ import annotations

from foxrow.match.clock import DAY, Clock, ClockRule


def test_no_clock_never_runs_out() -> None:
    clock = Clock(ClockRule(), 2)
    clock.run(0, 1000)
    assert clock.running is None
    assert clock.zero_at() is None


def test_time_for_each_move_starts_anew() -> None:
    clock = Clock(ClockRule(kind="move", seconds=30), 2)
    clock.run(0, 1000)
    assert clock.zero_at() == 31_000
    assert clock.remaining(0, 11_000) == 20_000
    clock.run(1, 11_000, moved=True)
    assert clock.left == [30_000, 30_000]
    assert clock.zero_at() == 41_000
    clock.run(1, 12_000, moved=True)  # a second move of the same turn
    assert clock.zero_at() == 42_000
    clock.run(1, 20_000)  # somebody else left: nobody has moved
    assert clock.remaining(1, 20_000) == 22_000 and clock.zero_at() == 42_000


def test_a_bank_shrinks_and_grows_by_the_increment_when_the_turn_passes() -> None:
    clock = Clock(ClockRule(kind="game", seconds=60, increment=5), 2)
    clock.run(0, 0)
    clock.run(0, 10_000, moved=True)
    assert clock.left[0] == 50_000
    clock.run(1, 20_000, moved=True)
    assert clock.left[0] == 45_000
    clock.run(0, 21_000, moved=True)
    assert clock.left == [45_000, 64_000]
    assert clock.zero_at() == 66_000
    clock.run(0, 22_000)  # somebody else left
    assert clock.left == [44_000, 64_000]


def test_a_move_that_is_taken_back_has_earned_nothing() -> None:
    clock = Clock(ClockRule(kind="game", seconds=60, increment=5), 2)
    clock.run(0, 0)
    for now in (10_000, 20_000, 30_000):
        clock.run(1, now, moved=True)
        clock.take_back(0, now + 1_000)
    assert clock.left == [30_000 + 2_000, 57_000] and clock.running == 0  # each thought for what it thought, no more
    clock.run(0, 33_000, moved=True)  # the first step of a turn, and back
    clock.take_back(0, 34_000)
    assert clock.left[0] == 29_000
    each = Clock(ClockRule(kind="move", seconds=30), 2)
    each.run(0, 0)
    each.run(1, 10_000, moved=True)
    each.take_back(0, 15_000)
    assert each.zero_at() == 45_000


def test_days() -> None:
    clock = Clock(ClockRule(kind="days", days=3), 3)
    clock.run(2, 5)
    assert clock.zero_at() == 5 + 3 * DAY


def test_time_in_which_the_server_was_away_is_nobodys() -> None:
    clock = Clock(ClockRule(kind="game", seconds=60), 2)
    clock.run(0, 0)
    clock.skip(3_600_000)
    assert clock.remaining(0, 3_610_000) == 50_000


def test_remaining_is_never_below_zero_and_a_clock_set_back_gives_no_time() -> None:
    clock = Clock(ClockRule(kind="move", seconds=10), 1)
    clock.run(0, 100_000)
    assert clock.remaining(0, 10**9) == 0
    assert clock.remaining(0, 50_000) == 10_000


def test_a_new_round_gives_everybody_full_time() -> None:
    clock = Clock(ClockRule(kind="game", seconds=60), 2)
    clock.run(0, 0)
    clock.run(1, 30_000)
    clock.reset()
    assert clock.left == [60_000, 60_000]
    assert clock.running is None
