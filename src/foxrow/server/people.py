"""Everybody this server knows, and by what name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from foxrow.match.refusal import Refusal
from foxrow.server.identity import new_id
from foxrow.server.room import now_ms
from foxrow.store.interface import HoldNames, PutPerson, Store

KEPT = 50_000  # names in memory


class People:
    """`put` writes, and comes back when it is on disk."""

    def __init__(self, store: Store, put: Callable[..., Awaitable[None]]) -> None:
        self._store = store
        self._put = put
        self._names: dict[str, str | None] = {}  # persons seen by this process
        self._going: set[str] = set()  # persons who are being forgotten

    def known(self, person: str) -> bool:
        """Whether the person exists (and has not been forgotten)."""
        if person in self._going:
            return False
        if person in self._names:
            return True
        known, name = self._store.person(person)
        if known:
            if len(self._names) > KEPT:
                self._names.clear()
            self._names[person] = name
        return known

    def name_of(self, person: str | None) -> str | None:
        if person is None or not self.known(person):
            return None
        return self._names[person]

    def label(self, person: str | None, name: str | None) -> str | None:
        """A name that is the seat's alone."""
        return None if name == self.name_of(person) else name

    async def new(self, name: str | None = None) -> str:
        person = new_id()
        await self._put(PutPerson(person, name, now_ms()))
        self._names[person] = name
        return person

    async def rename(self, person: str, name: str) -> None:
        self.require(person)  # a name would bring them back
        await self._put(HoldNames(person), PutPerson(person, name, now_ms()))
        self.require(person)
        self._names[person] = name

    def require(self, person: str) -> None:
        if not self.known(person):
            raise Refusal("no_person")

    @contextmanager
    def going(self, person: str) -> Iterator[None]:
        """Nobody knows the person while they are being forgotten."""
        self._going.add(person)
        try:
            yield
        finally:
            self._going.discard(person)

    def forget(self, person: str) -> None:
        self._names.pop(person, None)
