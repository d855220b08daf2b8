"""What the server asks of a database, whichever it is.

Writes are small facts (the dataclasses here). `submit` takes several that must stand or fall together; its
callback
comes after they are on disk, never before. Reads see everything that was acknowledged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class StoreError(Exception):
    """Nothing of what was submitted has been written. `code` is for clients."""

    code = "busy"


class StoreFull(StoreError):
    """No room on the disk."""

    code = "no_space"


class StoreBusy(StoreError):
    """Somebody else holds the database, or it is away."""

    code = "busy"


class StoreUnsure(StoreError):
    """The one exception: the store was closed before its database could say whether it was written. Nobody knows."""


# ---- rows --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableRow:
    """The index entry of a table: what lists need, made from its log and never more than it."""

    table: str
    game: str
    status: str  # open, playing or over
    listed: bool
    host: str
    created: int
    ended: int | None
    card: bytes  # JSON: options, match, clock, seats' kinds and levels, result


@dataclass(frozen=True)
class Said:
    at: int
    seat: int
    person: str
    phrase: str | None
    text: str | None
    request: str | None = None  # as in an event: by which a repetition is recognised


# ---- writes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Append:
    """Events of one table, numbered from `seq` without a gap. A number that exists already is an error."""

    table: str
    seq: int
    events: Sequence[bytes]


@dataclass(frozen=True)
class PutTable:
    """A table's index entry, new or changed."""

    row: TableRow


@dataclass(frozen=True)
class PutSeat:
    """Who sits there (None: nobody any more) and the name of that seat alone, if it has one."""

    table: str
    seat: int
    person: str | None
    name: str | None = None


@dataclass(frozen=True)
class PutPerson:
    person: str
    name: str | None
    now: int


@dataclass(frozen=True)
class HoldNames:
    """Before a new name: at tables where a round may be played, the old one goes on being shown."""

    person: str


@dataclass(frozen=True)
class ShowNames:
    """At this table, names are shown as they are now."""

    table: str


@dataclass(frozen=True)
class ForgetPerson:
    """Name, chat, mutes, imported records and the link from seats to the person are gone; logs stay."""

    person: str


@dataclass(frozen=True)
class PutMute:
    person: str
    other: str
    on: bool


@dataclass(frozen=True)
class AddSaid:
    table: str
    said: Said


@dataclass(frozen=True)
class AddRecord:
    record: str  # its id
    person: str
    game: str
    now: int
    body: bytes


@dataclass(frozen=True)
class PutMeta:
    key: str
    value: str


Write = (
    Append
    | PutTable
    | PutSeat
    | PutPerson
    | HoldNames
    | ShowNames
    | ForgetPerson
    | PutMute
    | AddSaid
    | AddRecord
    | PutMeta
)
Then = Callable[[StoreError | None], None]
Job = tuple[Sequence[Write], Then]
Deliver = Callable[[list[tuple[Then, StoreError | None]]], None]


class Store(Protocol):
    """Thread-safe. Reads block the caller for a moment, `submit` never does."""

    def submit(self, writes: Sequence[Write], then: Then) -> None:
        """All of `writes` or none; `then` hears of it once they are on disk (or why not)."""

    def submit_all(self, jobs: Sequence[Job]) -> None:
        """Several submissions at once: each whole or not at all, and the writer is woken once."""

    def write(self, *writes: Write) -> None:
        """The same, waiting for it; StoreError if it failed."""

    def deliver_by(self, deliver: Deliver) -> None:
        """How callbacks are called, a whole group at once; without it, in the writer's own thread."""

    @property
    def away(self) -> bool:
        """Whether the database cannot be reached now: reads and writes are refused."""

    def when_over(self, tell: Callable[[str], None]) -> None:
        """How it is told, from any thread, that this process may never write again, and why in a few words: another one
        has taken its place. What it has in memory is worth nothing from then on."""

    def log(self, table: str, after: int = 0) -> list[bytes]:
        """A table's events after number `after`."""

    def table(self, table: str) -> TableRow | None: ...

    def seats(self, table: str) -> list[tuple[int, str, str | None]]:
        """(seat, person, name) of those who sit there; the seat's own name or else the person's."""

    def held_names(self, table: str) -> dict[int, str | None]:
        """Seats whose person has a new name that is not shown yet, with the name that is."""

    def running(self) -> list[str]:
        """Tables that are not over, oldest first."""

    def lobby(self, limit: int, before: tuple[int, str]) -> list[TableRow]:
        """Listed tables that are not over, newest first; `before`: when the last table of the page before was made, and
        its id."""

    def tables_of(self, person: str, limit: int) -> list[TableRow]:
        """Where the person sits or is the host and the game is not over, newest first."""

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
        """Finished tables, newest first: listed ones and the viewer's own; by a person or by a name.

        `before`: when the last table of the page before ended, and its id.
        """

    def played(self, person: str, limit: int) -> list[tuple[TableRow, list[int]]]:
        """Finished tables where the person sits, newest first, with their seats there."""

    def person(self, person: str) -> tuple[bool, str | None]:
        """Whether the person is known, and their name."""

    def names(self, persons: Sequence[str]) -> dict[str, str | None]: ...

    def mutes(self, person: str) -> set[str]: ...

    def said(self, table: str, limit: int) -> list[Said]:
        """The last phrases and lines, oldest first."""

    def record(self, record: str) -> dict[str, Any] | None:
        """An imported record."""

    def records_of(self, person: str) -> tuple[int, int]:
        """How many records the person has imported, and how many bytes they are together."""

    def records_size(self) -> int:
        """How many bytes all imported records are together."""

    def meta(self, key: str) -> str | None: ...

    def close(self) -> None:
        """Write everything that was submitted, then stop."""
