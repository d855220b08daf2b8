"""In which rooms a person sits or listens: what concerns one person asks those, and not every room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foxrow.server.room import Room


class Whereabouts:
    def __init__(self) -> None:
        self._rooms: dict[str, set[Room]] = {}  # by person
        self._persons: dict[Room, set[str]] = {}  # as last noted

    def of(self, person: str) -> list[Room]:
        return list(self._rooms.get(person, ()))

    def note(self, room: Room, persons: set[str]) -> None:
        """These are in the room, and nobody else. With nobody in it a room is forgotten here."""
        before = self._persons.pop(room, set())
        for person in persons - before:
            self._rooms.setdefault(person, set()).add(room)
        for person in before - persons:
            self._rooms[person].remove(room)
            if not self._rooms[person]:
                del self._rooms[person]
        if persons:
            self._persons[room] = persons
