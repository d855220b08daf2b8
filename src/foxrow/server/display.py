"""How a table looks from outside, whoever looks: its state, its line in a list, its entry in the index.

Cards are not in here: only the board's views show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec

from foxrow.match import events as ev
from foxrow.match.table import Table
from foxrow.server import messages as ms
from foxrow.store.interface import TableRow

Names = Sequence[str | None]  # of the seats


def seats(table: Table, names: Names) -> list[ms.SeatInfo]:
    return [
        ms.SeatInfo(
            kind=seat.kind,
            name=names[number] if seat.person is not None else None,
            level=seat.level,
            host=seat.person is not None and seat.person == table.host,
            out=seat.out,
        )
        for number, seat in enumerate(table.seats)
    ]


def info(table: Table, names: Names) -> ms.TableInfo:
    setting = table.setting
    return ms.TableInfo(
        id=table.id,
        game=setting.game,
        options=setting.options,
        match=setting.match,
        clock=clock_setting(setting),
        listed=setting.listed,
        chat=table.chat,
        leave=setting.leave,
        status=table.status,
        seats=seats(table, names),
        round=table.round,
        first=None if table.board is None else table.board.first,
        rounds=[
            ms.RoundResult(
                first=done.first, scores=list(done.scores), winners=list(done.winners), moves=len(done.moves)
            )
            for done in table.rounds
        ],
        totals=table.totals,
        result=result(table),
        takeback=table.takeback.asked,
        agreed=sorted(table.again if table.status == "over" else table.takeback.agreed),
        next=table.next,
        previous=setting.previous,
        created=setting.at,
    )


def card(table: Table, names: Names, person: str | None) -> ms.TableCard:
    setting = table.setting
    return ms.TableCard(
        id=table.id,
        game=setting.game,
        options=setting.options,
        match=setting.match,
        clock=clock_setting(setting),
        status=table.status,
        seats=seats(table, names),
        yours=table.seats_of(person),
        to_act=table.to_act,
        result=result(table),
        created=setting.at,
        ended=None if table.result is None else table.result.at,
    )


def shuffle(table: Table) -> ms.Shuffle:
    return ms.Shuffle(
        server=table.draw.server_commit,
        commits=list(table.draw.commits),
        seeds=[None if seed is None else seed.hex() for seed in table.draw.seeds],
        step=table.draw.step,
        waiting=table.shuffle_waiting,
        until=table.draw.until(),
    )


def clock(table: Table, now: int) -> ms.Clock | None:
    running = table.clock
    if running.rule.kind == "none" or table.board is None:
        return None
    return ms.Clock(
        running=running.running,
        left=[None if seat.by_bot else running.remaining(number, now) for number, seat in enumerate(table.seats)],
        at=now,
    )


def clock_setting(setting: ev.Created) -> ms.ClockSetting:
    rule = setting.clock
    return ms.ClockSetting(
        kind=rule.kind, seconds=rule.seconds, increment=rule.increment, days=rule.days, at_zero=rule.at_zero
    )


def result(table: Table) -> ms.Result | None:
    ended = table.result
    return None if ended is None else ms.Result(reason=ended.reason, winners=ended.winners, totals=ended.totals)


def row(table: Table) -> TableRow:
    """The table's index entry."""
    setting = table.setting
    status = {"open": "open", "shuffling": "playing", "pause": "playing"}.get(table.status, table.status)
    lines = {
        "options": setting.options,
        "match": setting.match,
        "clock": clock_setting(setting),
        "seats": [
            {"kind": seat.kind, "level": seat.level, "out": seat.out, "dealt": seat.dealt} for seat in table.seats
        ],
        "result": result(table),
    }
    return TableRow(
        table=table.id,
        game=setting.game,
        status=status,
        listed=setting.listed,
        host=setting.host,
        created=setting.at,
        ended=None if table.result is None else table.result.at,
        card=msgspec.json.encode(lines),
    )


def filed(
    row: TableRow, sitting: Iterable[tuple[int, str, str | None]], held: Mapping[int, str | None], person: str | None
) -> ms.TableCard:
    """The line in a list of a table that is not in memory, by its index entry. `held` are names that are still shown
    in place of newer ones."""
    lines: dict[str, Any] = msgspec.json.decode(row.card)
    people = {seat: (who, held.get(seat, name)) for seat, who, name in sitting}
    return ms.TableCard(
        id=row.table,
        game=row.game,
        options=lines["options"],
        match=lines["match"],
        clock=msgspec.convert(lines["clock"], ms.ClockSetting),
        status=cast("ms.TableStatus", row.status),
        seats=[
            ms.SeatInfo(
                kind=seat["kind"],
                name=people[number][1] if number in people else None,
                level=seat["level"],
                host=number in people and people[number][0] == row.host,
                out=seat["out"],
            )
            for number, seat in enumerate(lines["seats"])
        ],
        yours=[seat for seat, (who, _) in people.items() if who == person],
        to_act=None,
        result=None if lines["result"] is None else msgspec.convert(lines["result"], ms.Result),
        created=row.created,
        ended=row.ended,
    )
