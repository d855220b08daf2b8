"""What a write is in SQL, whichever the database; events alone go another way, many at once."""

from __future__ import annotations

from typing import Any

from foxrow.store.interface import (
    AddRecord,
    AddSaid,
    Append,
    ForgetPerson,
    HoldNames,
    PutMeta,
    PutMute,
    PutPerson,
    PutSeat,
    PutTable,
    ShowNames,
    Write,
)

SAID = 200  # lines that are kept of what is said at a table
IN_TURN = (HoldNames, ShowNames, ForgetPerson, PutMute)  # not to be parted from what was written before and after

PUT_TABLE = (
    "INSERT INTO tables (id, game, status, listed, host, created, ended, card)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET"
    " status = excluded.status, ended = excluded.ended, card = excluded.card"
)
PUT_SEAT = (
    "INSERT INTO seats (table_id, seat, person, name) VALUES (?1, ?2, ?3, ?4)"
    " ON CONFLICT (table_id, seat) DO UPDATE SET person = excluded.person, name = excluded.name, held = NULL"
)
PUT_PERSON = (
    "INSERT INTO people (person, name, created, seen) VALUES (?1, ?2, ?3, ?3)"
    " ON CONFLICT (person) DO UPDATE SET name = coalesce(excluded.name, people.name), seen = excluded.seen"
)
HOLD_NAMES = (
    "UPDATE seats SET held = coalesce((SELECT name FROM people WHERE person = ?1), '')"
    " WHERE person = ?1 AND name IS NULL AND held IS NULL"
    " AND table_id IN (SELECT id FROM tables WHERE status = 'playing')"
)
SHOW_NAMES = "UPDATE seats SET held = NULL WHERE table_id = ?1"
FORGET = (
    "DELETE FROM people WHERE person = ?1",
    "DELETE FROM said WHERE person = ?1",
    "DELETE FROM mutes WHERE person = ?1 OR other = ?1",
    "DELETE FROM records WHERE person = ?1",
    "UPDATE seats SET person = NULL, name = NULL, held = NULL WHERE person = ?1",
)
MUTE = "INSERT INTO mutes (person, other) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
UNMUTE = "DELETE FROM mutes WHERE person = ?1 AND other = ?2"
ADD_SAID = "INSERT INTO said (table_id, at, seat, person, phrase, text, request) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
TRIM_SAID = (
    "DELETE FROM said WHERE table_id = ?1 AND id <="
    " (SELECT id FROM said WHERE table_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)"
)
ADD_RECORD = "INSERT INTO records (id, person, game, added, body) VALUES (?1, ?2, ?3, ?4, ?5)"
PUT_META = "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


def statements(write: Write) -> list[tuple[str, tuple[Any, ...]]]:
    """A write's statements, in their order."""
    match write:
        case PutTable(row):
            listed = int(row.listed)
            values = (row.table, row.game, row.status, listed, row.host, row.created, row.ended, row.card)
            return [(PUT_TABLE, values)]
        case PutSeat(table, seat, person, name):
            return [(PUT_SEAT, (table, seat, person, name))]
        case PutPerson(person, name, now):
            return [(PUT_PERSON, (person, name, now))]
        case HoldNames(person):
            return [(HOLD_NAMES, (person,))]
        case ShowNames(table):
            return [(SHOW_NAMES, (table,))]
        case ForgetPerson(person):
            return [(sql, (person,)) for sql in FORGET]
        case PutMute(person, other, on):
            return [(MUTE if on else UNMUTE, (person, other))]
        case AddSaid(table, said):
            line = (table, said.at, said.seat, said.person, said.phrase, said.text, said.request)
            return [(ADD_SAID, line), (TRIM_SAID, (table, SAID))]
        case AddRecord(record, person, game, now, body):
            return [(ADD_RECORD, (record, person, game, now, body))]
        case PutMeta(key, value):
            return [(PUT_META, (key, value))]
        case Append():
            raise TypeError("appended with its group")
