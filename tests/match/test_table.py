"""What a table does and what it refuses, without a server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from foxrow.core.registry import games
from foxrow.match import events as ev
from foxrow.match import fairness
from foxrow.match.clock import ClockRule
from foxrow.match.draw import STEP_TIME
from foxrow.match.refusal import Refusal
from foxrow.match.seats import Wish
from foxrow.match.table import Table
from tests.match.tables import Keeper, any_game, timed, two_people


def status(table: Table) -> str:
    """Now: mypy believes that a property stays what it was."""
    return table.status


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value.code


# ---- seats ---------------------------------------------------------------------------------------------------


def test_a_table_is_open_until_every_seat_is_taken() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish()])
    table = keeper.table
    assert status(table) == "open"
    assert refused(lambda: table.sit("ben", 0, 1)) == "seat_taken"
    assert refused(lambda: table.sit("ben", 9, 1)) == "no_open_seat"
    keeper.do(table.sit("ben", None, 1))
    assert status(table) == "shuffling"
    assert refused(lambda: table.sit("eve", 1, 1)) == "not_open"


def test_one_person_may_have_several_seats() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish("ann")])
    assert keeper.table.seats_of("ann") == [0, 1]
    keeper.shuffle()
    keeper.play_out()
    assert keeper.table.result is not None


def test_the_host_seats_bots_removes_and_blocks_others_cannot() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish()])
    table = keeper.table
    assert refused(lambda: table.set_seat("ben", 1, 3, 1)) == "not_host"
    keeper.do(table.sit("ben", 1, 1))
    assert refused(lambda: table.set_seat("ann", 1, 3, 1)) == "seat_taken"
    assert refused(lambda: table.remove("ben", 0, True, 4, 1)) == "not_host"
    assert refused(lambda: table.remove("ann", 0, True, 4, 1)) == "not_allowed"
    keeper.do(table.remove("ann", 1, True, 4, 1))
    assert status(table) == "open"
    assert refused(lambda: table.sit("ben", 1, 1)) == "blocked"
    keeper.do(table.set_seat("ann", 1, 3, 1))
    assert status(table) == "shuffling"
    keeper.do(table.set_seat("ann", 1, None, 1))
    assert status(table) == "open"


def test_who_leaves_before_the_deal_frees_the_seat_and_all_commit_anew() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish("ben")])
    table = keeper.table
    keeper.do(table.commit("ann", 0, fairness.commitment(b"a" * 32), 1))
    keeper.do(table.leave("ben", 1, 4, 1))
    assert status(table) == "open"
    keeper.do(table.sit("eve", 1, 1))
    assert table.draw.commits == [None, None]
    assert table.shuffle_waiting == [0, 1]


def test_leaving_a_running_game_gives_the_seat_to_a_bot_or_ends_it() -> None:
    keeper = two_people()
    keeper.do(keeper.table.leave("ben", 1, 4, 2))
    assert keeper.table.seats[1].kind == "bot"
    assert keeper.table.seats[1].level == 4
    assert status(keeper.table) == "playing"
    assert refused(lambda: keeper.table.leave("ben", 1, 4, 3)) == "not_your_seat"
    keeper.do(keeper.table.leave("ann", 0, 4, 4))
    assert keeper.table.result is not None
    assert keeper.table.result.reason == "abandoned"
    ended = two_people(leave="end")
    ended.do(ended.table.leave("ben", 1, 4, 2))
    assert ended.table.result is not None
    assert ended.table.result.reason == "abandoned"


def test_who_has_lost_on_time_and_leaves_does_not_end_the_others_match() -> None:
    rule = ClockRule(kind="move", seconds=60, at_zero="lose")
    keeper = Keeper(any_game(3), [Wish("ann"), Wish("ben"), Wish("cat")], clock=rule, leave="end", first=0)
    keeper.shuffle()
    table = keeper.table
    keeper.do(table.tick(keeper.now + 60_000))
    assert table.seats[0].out
    keeper.do(table.leave("ann", 0, 4, keeper.now + 61_000))
    assert status(table) == "playing"
    assert table.seats[0].level == 4
    assert table.seats[0].out
    keeper.do(table.leave("ben", 1, 4, keeper.now + 62_000))  # who is still in ends it
    assert table.result is not None
    assert table.result.reason == "abandoned"


def test_who_has_left_is_not_the_host_of_the_rematch() -> None:
    keeper = two_people()
    keeper.do(keeper.table.leave("ann", 0, 4, keeper.now))
    keeper.play_out()
    created = keeper.table.rematch(keeper.now)[0]
    assert isinstance(created, ev.Created)
    assert created.host == "ben"


def test_what_cannot_be_made() -> None:
    game = any_game()
    assert refused(lambda: Keeper(game, [Wish("ann")])) == "bad_players"
    assert refused(lambda: Keeper(game, [Wish("ann"), Wish()], options={"no_such": True})) == "bad_option"
    assert refused(lambda: Keeper(game, [Wish("ann"), Wish()], match=10_000)) == "bad_match"
    assert refused(lambda: Keeper(game, [Wish("ann"), Wish()], first=2)) == "bad_seats"
    assert refused(lambda: Keeper(game, [Wish("ann"), Wish()], listed=True, chat=True)) == "no_chat"


def test_partners_have_no_free_chat() -> None:
    for game in games().values():
        for option in game.options:
            for choice in option.partners:
                players = (option.players or game.players)[-1]
                wishes = [Wish("ann"), *[Wish()] * (players - 1)]
                chosen = {option.key: choice}
                assert refused(partial(Keeper, game, wishes, options=chosen, chat=True)) == "no_chat"
                keeper = Keeper(game, wishes, options=chosen)
                assert refused(partial(keeper.table.switch_chat, "ann", True, 1)) == "no_chat"


# ---- the shuffle ---------------------------------------------------------------------------------------------


def test_the_shuffle_takes_everybodys_seed() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish("ben")])
    table = keeper.table
    a, b = b"a" * 32, b"b" * 32
    assert refused(lambda: table.reveal("ann", 0, a, 1)) == "wrong_step"
    keeper.do(table.commit("ann", 0, fairness.commitment(a), 1))
    assert refused(lambda: table.commit("ann", 0, fairness.commitment(a), 1)) == "already"
    assert refused(lambda: table.commit("ann", 1, fairness.commitment(a), 1)) == "not_your_seat"
    assert refused(lambda: table.reveal("ann", 0, a, 1)) == "wrong_step"
    keeper.do(table.commit("ben", 1, fairness.commitment(b), 1))
    assert refused(lambda: table.reveal("ann", 0, b, 1)) == "wrong_reveal"
    keeper.do(table.reveal("ann", 0, a, 1))
    assert status(table) == "shuffling"
    keeper.do(table.reveal("ben", 1, b, 1))
    assert status(table) == "playing"
    assert table.draw.deal == fairness.deal_seed(bytes.fromhex(table.setting.secret), [a, b])


def test_who_is_late_is_left_out_and_named() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish("ben")])
    table = keeper.table
    keeper.do(table.commit("ann", 0, fairness.commitment(b"a" * 32), keeper.now))
    assert table.tick(keeper.now + STEP_TIME - 1) == []
    keeper.do(table.tick(keeper.now + STEP_TIME))
    assert table.draw.step == "reveal"
    keeper.do(table.tick(keeper.now + 2 * STEP_TIME))
    assert status(table) == "playing"
    assert table.draw.missing == [0, 1]
    keeper.play_out()
    assert fairness.faults(table.record(["Ann", "Ben"])) == []


def revealing(**more: Any) -> tuple[Keeper, bytes, bytes]:
    """A table where all have bound themselves, and one has shown their seed."""
    wishes = [Wish("ann"), Wish("ben"), Wish(level=1)]
    keeper = Keeper(any_game(3), wishes, **more)
    a, b = b"a" * 32, b"b" * 32
    keeper.do(keeper.table.commit("ann", 0, fairness.commitment(a), 1))
    keeper.do(keeper.table.commit("ben", 1, fairness.commitment(b), 1))
    keeper.do(keeper.table.reveal("ann", 0, a, 2))
    return keeper, a, b


def test_when_seeds_become_known_nobody_can_have_them_drawn_anew() -> None:
    keeper, a, b = revealing()
    table = keeper.table
    for level in (None, 2):
        assert refused(lambda: table.set_seat("ann", 2, level, 3)) == "not_open"  # noqa: B023
    assert refused(lambda: table.commit("ben", 1, fairness.commitment(b"c" * 32), 3)) == "wrong_step"
    keeper.do(table.reveal("ben", 1, b, 3))
    assert table.draw.deal == fairness.deal_seed(bytes.fromhex(table.setting.secret), [a, b, None])


@pytest.mark.parametrize("who", ["the one who has not revealed", "the one who has", "by the host"])
def test_who_goes_while_seeds_become_known_changes_no_seed(who: str) -> None:
    keeper, a, b = revealing()
    table = keeper.table
    if who == "the one who has not revealed":
        keeper.do(table.leave("ben", 1, 4, 3))
    elif who == "by the host":
        keeper.do(table.remove("ann", 1, False, 4, 3))
    else:
        keeper.do(table.leave("ann", 0, 4, 3))
        keeper.do(table.reveal("ben", 1, b, 3))
    gone = 0 if who == "the one who has" else 1
    assert table.seats[gone].level == 4
    keeper.do(table.tick(4))
    assert status(table) == "playing"
    seeds = [a, b if gone == 0 else None, None]
    assert table.draw.deal == fairness.deal_seed(bytes.fromhex(table.setting.secret), seeds)
    assert table.draw.missing == ([] if gone == 0 else [1])
    assert keeper.replayed().draw.deal == table.draw.deal
    keeper.play_out()
    assert fairness.faults(table.record(["", "", ""])) == []


def test_who_goes_while_seeds_become_known_may_end_the_table_by_its_setting() -> None:
    keeper, _, _ = revealing(leave="end")
    keeper.do(keeper.table.leave("ben", 1, 4, 3))
    assert keeper.table.result is not None
    assert keeper.table.result.reason == "abandoned"
    assert refused(lambda: keeper.table.record(["", "", ""])) == "never_dealt"


@pytest.mark.parametrize("late", [False, True])
def test_logs_of_earlier_versions_in_which_all_committed_anew_are_read_as_they_were(late: bool) -> None:
    keeper, _, _ = revealing()
    table = keeper.table
    changed: list[ev.AnyEvent] = [ev.Left(at=3, seat=1), ev.Seated(at=3, seat=1, level=3)]
    again = b"A" * 32
    anew: list[ev.AnyEvent] = [ev.Committed(at=4, seat=0, commit=fairness.commitment(again))]
    shown: list[ev.AnyEvent] = [ev.Revealed(at=5, seat=0, seed=again.hex())]
    dealt = ev.Dealt(at=6, round=0, first=0, missing=[0] if late else [])
    for event in [*changed, *([] if late else anew), ev.CommitsClosed(at=4), *([] if late else shown), dealt]:
        table.apply(event)
    seeds = [None if late else again, None, None]
    assert table.draw.deal == fairness.deal_seed(bytes.fromhex(table.setting.secret), seeds)


def test_a_table_of_bots_alone_needs_no_clients() -> None:
    keeper = Keeper(any_game(), [Wish(level=1), Wish(level=2)])
    keeper.shuffle()
    keeper.play_out()
    assert keeper.table.result is not None


# ---- moves ---------------------------------------------------------------------------------------------------


def test_a_move_is_for_its_position_its_seat_and_once() -> None:
    keeper = two_people()
    table = keeper.table
    seat = table.to_act
    assert seat is not None
    who, other = keeper.person(seat), keeper.person(1 - seat)
    text = keeper.legal()[0]
    assert refused(lambda: table.move(other, seat, 0, 0, text, "r", 5)) == "not_your_seat"
    assert refused(lambda: table.move(None, seat, 0, 0, text, "r", 5)) == "not_your_seat"
    assert refused(lambda: table.move(other, 1 - seat, 0, 0, text, "r", 5)) == "not_your_turn"
    assert refused(lambda: table.move(who, seat, 0, 1, text, "r", 5)) == "stale"
    assert refused(lambda: table.move(who, seat, 1, 0, text, "r", 5)) == "stale"
    assert refused(lambda: table.move(who, seat, 0, 0, "no such move", "r", 5)) == "parse"
    keeper.do(table.move(who, seat, 0, 0, text, "r", 5))
    assert table.move(who, seat, 0, 0, text, "r", 5) == []
    assert table.ply == 1
    assert keeper.replayed().move(who, seat, 0, 0, text, "r", 5) == []


@pytest.mark.parametrize("key", list(games()))
def test_a_match_replays_from_its_log_to_the_same_views_and_the_same_end(key: str) -> None:
    game = games()[key]
    for players in game.players:
        keeper = Keeper(game, [Wish("ann"), *[Wish(level=1)] * (players - 1)], match=None)
        keeper.shuffle()
        for _ in range(40):
            if status(keeper.table) == "playing":
                keeper.move()
        again = keeper.replayed()
        for seat in (None, *range(players)):
            assert keeper.table.board is not None
            assert again.board is not None
            assert again.board.view(seat) == keeper.table.board.view(seat)
        keeper.play_out()
        assert keeper.replayed().result == keeper.table.result
        assert keeper.table.result is not None
        assert keeper.table.result.winners


def test_a_record_waits_for_the_end() -> None:
    keeper = two_people()
    assert refused(lambda: keeper.table.record(["Ann", "Ben"])) == "not_over"
    keeper.play_out()
    record = keeper.table.record(["Ann", "Ben"])
    assert record["seed"] == (keeper.table.draw.deal or b"").hex()
    unplayed = Keeper(any_game(), [Wish("ann"), Wish()])
    unplayed.do(unplayed.table.give_up(9))
    assert refused(lambda: unplayed.table.record(["Ann", ""])) == "never_dealt"


# ---- taking back ---------------------------------------------------------------------------------------------


def taking_back() -> Keeper:
    """A position after a move that can be taken back."""
    keeper = two_people()
    for _ in range(200):
        seat = keeper.table.to_act
        keeper.move()
        board = keeper.table.board
        assert board is not None
        if status(keeper.table) == "playing" and board.movers[-1] == seat and not board.card_left_pile():
            return keeper
    raise AssertionError("no such position")


def test_a_takeback_needs_all_other_persons() -> None:
    keeper = taking_back()
    table = keeper.table
    assert table.board is not None
    mover = table.board.movers[-1]
    who, other = keeper.person(mover), keeper.person(1 - mover)
    before, ply = list(table.board.moves), table.ply
    assert refused(lambda: table.answer_takeback(other, 1 - mover, True, 5)) == "takeback_not_asked"
    assert refused(lambda: table.ask_takeback(other, 1 - mover, 5)) == "takeback_other_acted"
    keeper.do(table.ask_takeback(who, mover, 5))
    assert table.ply == ply
    assert refused(lambda: table.answer_takeback(who, mover, True, 5)) == "takeback_not_asked"
    keeper.do(table.answer_takeback(other, 1 - mover, False, 5))
    assert table.takeback.asked is None
    keeper.do(table.ask_takeback(who, mover, 6))
    keeper.do(table.answer_takeback(other, 1 - mover, True, 6))
    assert table.board.moves == before[:-1]
    again = keeper.replayed()
    assert again.board is not None
    for seat in (None, 0, 1):
        assert again.board.view(seat) == table.board.view(seat)


def test_who_agreed_may_still_say_no() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish("ben"), Wish("cyd")])
    keeper.shuffle()
    table = keeper.table
    while True:
        mover = table.to_act
        assert mover is not None and table.board is not None
        keeper.move()
        if table.to_act != mover and not table.board.card_left_pile():
            break
    yes, last = (seat for seat in range(3) if seat != mover)
    ply = table.ply
    keeper.do(table.ask_takeback(keeper.person(mover), mover, 5))
    keeper.do(table.answer_takeback(keeper.person(yes), yes, True, 5))
    assert refused(lambda: table.answer_takeback(keeper.person(yes), yes, True, 5)) == "already"
    keeper.do(table.answer_takeback(keeper.person(yes), yes, False, 5))
    assert table.takeback.asked is None and table.ply == ply
    # And where the last one to be asked leaves instead, the others have agreed.
    keeper.do(table.ask_takeback(keeper.person(mover), mover, 6))
    keeper.do(table.answer_takeback(keeper.person(yes), yes, True, 6))
    assert table.follow_up(6) == []
    keeper.do(table.leave(keeper.person(last), last, 1, 7))
    keeper.do(table.follow_up(7))
    assert table.takeback.asked is None and table.ply == ply - 1


def test_a_takeback_alone_with_bots_is_done_at_once() -> None:
    keeper = Keeper(any_game(), [Wish("ann"), Wish(level=1)])
    keeper.shuffle()
    for _ in range(200):
        seat = keeper.table.to_act
        keeper.move()
        board = keeper.table.board
        assert board is not None
        if seat == 0 and not board.card_left_pile():
            ply = keeper.table.ply
            keeper.do(keeper.table.ask_takeback("ann", 0, 5))
            assert keeper.table.ply == ply - 1
            return
    raise AssertionError("no such position")


def test_a_card_that_left_a_pile_cannot_go_back() -> None:
    keeper, seat = drawing()
    asked = partial(keeper.table.ask_takeback, keeper.person(seat), seat, 5)
    assert refused(asked) == "takeback_card_left_pile"


def drawing() -> tuple[Keeper, int]:
    """A table where this seat has just drawn from a pile. Not every deal comes to that before its end."""
    for _ in range(100):
        keeper = two_people()
        while (seat := keeper.table.to_act) is not None:
            before = len(keeper.log)
            keeper.move(keeper.legal()[-1])
            board = keeper.table.board
            assert board is not None
            if len(keeper.log) == before + 1 and board.card_left_pile():
                return keeper, seat
    raise AssertionError("nobody ever draws")


# ---- time ----------------------------------------------------------------------------------------------------


def test_at_zero_a_bot_makes_the_move() -> None:
    keeper = timed(kind="move", seconds=10, at_zero="bot")
    table = keeper.table
    seat = table.to_act
    assert seat is not None
    assert table.tick(keeper.now + 9_999) == []
    zero = keeper.now + 10_000
    text = keeper.legal()[0]
    assert refused(lambda: table.move(keeper.person(seat), seat, 0, 0, text, "r", zero)) == "time_up"
    keeper.do(table.tick(zero))
    assert table.bot_to_act() == (seat, None, "clock")
    assert refused(lambda: table.move(keeper.person(seat), seat, 0, 0, text, "r", zero + 1)) == "time_up"
    keeper.do(table.bot_move(seat, 0, 0, text, zero + 5))
    assert table.ply == 1
    assert table.bot_to_act() is None


def test_a_move_taken_back_after_zero_ends_what_the_clock_would_do() -> None:
    keeper = timed(kind="move", seconds=10, at_zero="bot")
    table = keeper.table
    mover = table.to_act
    assert mover is not None
    other = 1 - mover
    while table.to_act == mover:  # a turn may have several moves
        keeper.move()
    keeper.now += 10_000
    keeper.do(table.tick(keeper.now))
    assert table.bot_to_act() == (other, None, "clock")
    keeper.do(table.ask_takeback(keeper.person(mover), mover, keeper.now))
    keeper.do(table.answer_takeback(keeper.person(other), other, True, keeper.now))
    for now in (table, keeper.replayed()):
        assert now.to_act == mover
        assert now.bot_to_act() is None
        assert now.due() == keeper.now + 10_000
    keeper.move()
    assert table.to_act is not None


def test_at_zero_the_seat_loses() -> None:
    keeper = timed(kind="game", seconds=10, at_zero="lose")
    seat = keeper.table.to_act
    assert seat is not None
    keeper.do(keeper.table.tick(keeper.now + 10_000))
    assert keeper.table.result is not None
    assert keeper.table.result.reason == "forfeit"
    assert keeper.table.result.winners == [1 - seat]


def test_with_more_players_the_others_play_on_and_the_seat_cannot_win() -> None:
    from foxrow.match.clock import ClockRule

    game = any_game(3)
    keeper = Keeper(
        game, [Wish("ann"), Wish("ben"), Wish("eve")], clock=ClockRule(kind="game", seconds=10, at_zero="lose")
    )
    keeper.shuffle()
    seat = keeper.table.to_act
    assert seat is not None
    several = keeper.table.stakes
    assert (several is not None) == (game.match.kind != "single")
    keeper.do(keeper.table.tick(keeper.now + 10_000))
    assert status(keeper.table) == "playing"
    assert keeper.table.seats[seat].out
    assert keeper.table.stakes is None  # who cannot win the match may still win rounds of it
    assert keeper.table.bot_to_act() == (seat, None, "bot")
    keeper.now += 10_001
    keeper.move()
    while status(keeper.table) != "over":
        keeper.now += 1
        if status(keeper.table) == "pause":
            keeper.do(keeper.table.next_round(keeper.now))
        else:
            keeper.move()
    assert keeper.table.result is not None
    assert seat not in keeper.table.result.winners
    assert keeper.table.result.winners


def test_a_clock_goes_on_after_a_restart_where_it_stood() -> None:
    keeper = timed(kind="game", seconds=60)
    began, seat = keeper.now, keeper.table.to_act
    assert seat is not None
    away = began + 20_000
    keeper.do(keeper.table.restarted(away, away + 3_600_000))
    assert keeper.table.clock.remaining(seat, away + 3_600_000) == 40_000
    assert keeper.replayed().clock.remaining(seat, away + 3_600_000) == 40_000


# ---- the end -------------------------------------------------------------------------------------------------


def test_a_rematch_needs_everybody_and_moves_the_starter_on() -> None:
    keeper = two_people(first=1)
    assert refused(lambda: keeper.table.answer_rematch("ann", 0, True, 5)) == "not_over"
    keeper.play_out()
    table = keeper.table
    keeper.do(table.answer_rematch("ann", 0, True, 5))
    assert table.again == {0}
    assert table.rematch_agreed() is False
    keeper.do(table.answer_rematch("ben", 1, True, 5))
    assert keeper.replayed().rematch_agreed()
    created = table.rematch(6)[0]
    assert isinstance(created, ev.Created)
    assert created.first == 0
    assert created.previous == "t"
    assert created.secret != table.setting.secret
    keeper.do(table.continued("u", 6))
    assert keeper.replayed().rematch_agreed() is False
    assert refused(lambda: table.answer_rematch("ann", 0, False, 7)) == "already"


def test_a_rematch_waits_for_nobody_who_is_no_more() -> None:
    keeper = two_people()
    keeper.play_out()
    table = keeper.table
    keeper.do(table.answer_rematch("ben", 1, True, 5))
    assert not table.rematch_agreed()
    there = lambda person: person != "ann"  # noqa: E731
    assert table.rematch_agreed(there)
    assert not table.rematch_agreed(lambda person: False)
    created, *seated = table.rematch(6, 3, there)
    assert isinstance(created, ev.Created)
    assert created.host == "ben"
    assert [(event.person, event.level) for event in seated if isinstance(event, ev.Seated)] == [
        (None, 3),
        ("ben", None),
    ]


def test_every_event_comes_back_from_its_bytes() -> None:
    keeper = two_people()
    keeper.play_out()
    assert [ev.encode(ev.decode(body)) for body in keeper.log] == keeper.log
