"""Whose bot is next, where more of them wait than there are workers.

Tables where somebody is go first, and all the others get what is left. Persons and tables cost nothing to make, so
turns go by what does cost something: the addresses from which people listen take turns, and so do the hosts behind
each. Whoever sits at a table and is away has no address; all of those together have the turns of one.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
AWAY = ""  # in place of an address


class Place(NamedTuple):
    """Where a bot plays, as far as its turn depends on it."""

    host: str
    addresses: Collection[str] = ()  # from which somebody listens
    seated: bool = False  # a person plays, here or away

    @property
    def somebody(self) -> bool:
        return self.seated or bool(self.addresses)


Hosts = OrderedDict[str, deque[Item]]  # whose turn is next comes first, here and below
Row = OrderedDict[str, Hosts[Item]]  # by address
Spot = tuple[bool, str, str]  # whether somebody is there, address, host


class Turns(Generic[Item]):
    def __init__(self) -> None:
        self._rows: dict[bool, Row[Item]] = {True: OrderedDict(), False: OrderedDict()}  # by whether somebody is there
        self._spots: dict[Item, Spot] = {}

    def __len__(self) -> int:
        return len(self._spots)

    def add(self, item: Item, place: Place) -> None:
        self._put(item, (place.somebody, self._address(place), place.host))

    def move(self, item: Item, place: Place) -> None:
        """Somebody has come or gone where this one waits. By an address it keeps its turn, whoever else comes."""
        spot = self._spots.get(item)
        if spot is None or spot[1] != AWAY:
            return
        new = (place.somebody, self._address(place), place.host)
        if new != spot:
            self.remove(item)
            self._put(item, new)

    def remove(self, item: Item) -> None:
        """Of one that waits no longer this is none."""
        spot = self._spots.pop(item, None)
        if spot is not None:
            somebody, address, host = spot
            self._rows[somebody][address][host].remove(item)
            self._tidy(*spot)

    def next(self, may: Callable[[str], bool]) -> tuple[Item, str] | None:
        """Take the one whose turn it is, and its host; hosts that may not are passed over and keep their turn."""
        for somebody, row in self._rows.items():
            for address, hosts in row.items():
                host = next(filter(may, hosts), None)
                if host is not None:
                    item = hosts[host].popleft()
                    del self._spots[item]
                    hosts.move_to_end(host)
                    row.move_to_end(address)
                    self._tidy(somebody, address, host)
                    return item, host
        return None

    def _put(self, item: Item, spot: Spot) -> None:
        somebody, address, host = self._spots[item] = spot
        self._rows[somebody].setdefault(address, OrderedDict()).setdefault(host, deque()).append(item)

    def _tidy(self, somebody: bool, address: str, host: str) -> None:
        """Who waits for nothing is not in line."""
        row = self._rows[somebody]
        if not row[address][host]:
            del row[address][host]
        if not row[address]:
            del row[address]

    def _address(self, place: Place) -> str:
        """The one of a table's with the fewest in line: a busy one that looks on must not slow a table down."""
        row = self._rows[True]
        return min(place.addresses, key=lambda address: len(row.get(address, ())), default=AWAY)
