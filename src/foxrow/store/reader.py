"""What is read, whichever the database: the same questions in words that every one of ours understands."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from foxrow.store.interface import Said, TableRow


class Reader(ABC):
    """The half of a store that reads."""

    @abstractmethod
    def _rows(self, sql: str, *arguments: Any) -> list[Any]:
        """The answer to a question whose arguments stand as ?1, ?2, … or all as ?."""

    def log(self, table: str, after: int = 0) -> list[bytes]:
        rows = self._rows("SELECT body FROM events WHERE table_id = ? AND seq > ? ORDER BY seq", table, after)
        return [row[0] for row in rows]

    def table(self, table: str) -> TableRow | None:
        rows = self._tables("WHERE t.id = ?", table)
        return rows[0] if rows else None

    def _tables(self, where: str, *arguments: Any) -> list[TableRow]:
        columns = "t.id, t.game, t.status, t.listed, t.host, t.created, t.ended, t.card"
        return [
            TableRow(row[0], row[1], row[2], bool(row[3]), row[4], row[5], row[6], row[7])
            for row in self._rows(f"SELECT {columns} FROM tables t {where}", *arguments)
        ]

    def seats(self, table: str) -> list[tuple[int, str, str | None]]:
        return self._rows(
            "SELECT s.seat, s.person, coalesce(s.name, p.name) FROM seats s"
            " LEFT JOIN people p ON p.person = s.person WHERE s.table_id = ? AND s.person IS NOT NULL ORDER BY s.seat",
            table,
        )

    def held_names(self, table: str) -> dict[int, str | None]:
        rows = self._rows("SELECT seat, held FROM seats WHERE table_id = ? AND held IS NOT NULL", table)
        return {seat: held or None for seat, held in rows}

    def running(self) -> list[str]:
        return [row[0] for row in self._rows("SELECT id FROM tables WHERE status != 'over' ORDER BY created, id")]

    def lobby(self, limit: int, before: tuple[int, str]) -> list[TableRow]:
        return self._tables(
            "WHERE t.status IN ('open', 'playing') AND t.listed = 1 AND t.created <= ?1"
            " AND (t.created < ?1 OR t.id > ?2) ORDER BY t.created DESC, t.id LIMIT ?3",
            *before,
            limit,
        )

    def tables_of(self, person: str, limit: int) -> list[TableRow]:
        return self._tables(
            "WHERE t.status != 'over' AND (t.host = ?1 OR t.id IN"
            " (SELECT table_id FROM seats WHERE person = ?1)) ORDER BY t.created DESC, t.id LIMIT ?2",
            person,
            limit,
        )

    def finished(
        self,
        *,
        viewer: str | None,
        game: str | None,
        person: str | None,
        name: str | None,
        before: tuple[int, str],
        limit: int,
    ) -> list[TableRow]:
        own = "t.id IN (SELECT table_id FROM seats WHERE person = ?)"
        also, given = "", []
        if game is not None:
            also, given = " AND t.game = ?", [game]
        if person is not None:
            also, given = f"{also} AND {own}", [*given, person]
        if name is not None:
            also += (
                " AND t.id IN (SELECT table_id FROM seats WHERE name = ? UNION ALL"
                " SELECT s.table_id FROM people p JOIN seats s ON s.person = p.person"
                " WHERE p.name = ? AND s.name IS NULL)"
            )
            given = [*given, name, name]

        def page(which: str, *arguments: Any) -> list[TableRow]:
            where = f"WHERE {which} AND t.ended <= ? AND (t.ended < ? OR t.id > ?){also}"
            rest = (before[0], *before, *given, limit)
            return self._tables(f"{where} ORDER BY t.ended DESC, t.id LIMIT ?", *arguments, *rest)

        # One after the other, each by its index: a list of few listed tables among many is no look at all of them.
        found = {row.table: row for row in page("t.listed = 1 AND t.ended IS NOT NULL")}
        if viewer is not None:
            found |= {row.table: row for row in page(f"{own} AND t.ended IS NOT NULL", viewer)}
        return sorted(found.values(), key=lambda row: (-(row.ended or 0), row.table))[:limit]

    def played(self, person: str, limit: int) -> list[tuple[TableRow, list[int]]]:
        sitting: dict[str, list[int]] = {}
        for table, seat in self._rows("SELECT table_id, seat FROM seats WHERE person = ? ORDER BY seat", person):
            sitting.setdefault(table, []).append(seat)
        rows = self._tables(
            "WHERE t.id IN (SELECT table_id FROM seats WHERE person = ?) AND t.ended IS NOT NULL"
            " ORDER BY t.ended DESC, t.id LIMIT ?",
            person,
            limit,
        )
        return [(row, sitting[row.table]) for row in rows if row.table in sitting]

    def person(self, person: str) -> tuple[bool, str | None]:
        rows = self._rows("SELECT name FROM people WHERE person = ?", person)
        return (True, rows[0][0]) if rows else (False, None)

    def names(self, persons: Sequence[str]) -> dict[str, str | None]:
        if not persons:
            return {}
        marks = ", ".join("?" * len(persons))
        return dict(self._rows(f"SELECT person, name FROM people WHERE person IN ({marks})", *persons))

    def mutes(self, person: str) -> set[str]:
        return {row[0] for row in self._rows("SELECT other FROM mutes WHERE person = ?", person)}

    def said(self, table: str, limit: int) -> list[Said]:
        rows = self._rows(
            "SELECT at, seat, person, phrase, text, request FROM said WHERE table_id = ? ORDER BY id DESC LIMIT ?",
            table,
            limit,
        )
        return [Said(*row) for row in reversed(rows)]

    def record(self, record: str) -> dict[str, Any] | None:
        rows = self._rows("SELECT body FROM records WHERE id = ?", record)
        return json.loads(rows[0][0]) if rows else None

    def records_of(self, person: str) -> tuple[int, int]:
        query = "SELECT count(*), coalesce(sum(length(body)), 0) FROM records WHERE person = ?"
        count, size = self._rows(query, person)[0]
        return count, size

    def records_size(self) -> int:
        return int(self._rows("SELECT coalesce(sum(length(body)), 0) FROM records")[0][0])

    def meta(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return rows[0][0] if rows else None
