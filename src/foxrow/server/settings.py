"""What an operator may set. Every limit has a number here and nowhere else.

An address is an IPv4 address, or a /64 of IPv6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from foxrow.core.errors import FoxrowError


@dataclass(frozen=True)
class Limits:
    body: int = 64 * 1024  # bytes of an HTTP body
    record: int = 1024 * 1024  # bytes of a record to import
    frame: int = 4 * 1024  # bytes of a socket frame from a client
    backlog: int = 256 * 1024  # bytes a socket may have waiting to be read before it is dropped
    hello: float = 10.0  # seconds until a socket must have said hello
    requests: float = 20.0  # frames a second of one socket, over time
    requests_burst: int = 60
    calls: float = 30.0  # HTTP calls a second of one address, over time
    calls_burst: int = 200
    new_tables: float = 0.5  # tables a second that one address may make, over time
    new_tables_burst: int = 30
    new_people: float = 0.5  # persons a second that one address may become
    new_people_burst: int = 50
    misses: float = 1.0  # unknown tables a second that one address may ask for: links are not to be guessed
    misses_burst: int = 60
    head_time: float = 10.0  # seconds for the head of a call to be there
    body_time: float = 30.0  # and for its body
    answer_time: float = 60.0  # and for the answer to be read
    connections_of_address: int = 100  # besides sockets; a trusted proxy may have any number
    sockets_of_address: int = 200
    sockets_of_person: int = 24
    tables_of_person: int = 40  # not over
    tables: int = 20_000  # not over, in all
    spectators: int = 100  # of one table
    spectators_of_address: int = 20  # of one table
    events: int = 30_000  # of one table's log; after that only moves, and whatever brings it to its end
    sits: int = 20  # times that one person may sit down at one table
    records_of_person: int = 200
    records_size: int = 16 * 1024 * 1024  # bytes of all of them
    records_in_all: int = 1024**3  # bytes of everybody's
    record_bytes: float = 256.0  # bytes a second of records that one address may import, over time: 22 MB a day
    record_bytes_burst: int = 16 * 1024 * 1024
    replays: float = 2.0  # replays (pages, analyses, hints, lessons, puzzles, too) a second that an address may look at
    replays_burst: int = 60
    says: float = 0.5  # phrases and chat lines a second of one person
    says_burst: int = 8
    bots_of_person: int = 4  # bot moves thought about at once for tables of one host


def limits(given: Iterable[str]) -> Limits:
    """The limits, some of them changed: `sockets_of_address=50`. FoxrowError says which is none."""
    usual = Limits()
    kinds = {one.name: type(getattr(usual, one.name)) for one in fields(Limits)}
    changed: dict[str, Any] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in kinds:
            raise FoxrowError(f"there is no limit {name!r:.40}; docs/deploy.md names them")
        try:
            changed[name] = kinds[name](value)
        except ValueError:
            raise FoxrowError(f"the limit {name} is a number, not {value!r:.40}") from None
        if not 0 < changed[name] < 1e12:
            raise FoxrowError(f"the limit {name} is a number above 0, not {value!r:.40}")
    return replace(usual, **changed)


@dataclass(frozen=True)
class Settings:
    database: Path | str = Path("foxrow.db")  # a file, or postgresql://user@host/name
    root: str = ""  # the sub-path under which a proxy shows us, without a slash at the end
    origins: tuple[str, ...] = ()  # further origins whose pages may talk to us
    secure: bool | None = None  # cookies over https only; None: as the request came
    proxies: str = "127.0.0.1"  # whose X-Forwarded-For and X-Forwarded-Proto we believe
    workers: int = 1  # bot processes; 0: bots think in a thread of this one, for a small machine
    pace: float = 1.0  # how human the bots' speed is; 0: at once
    round_pause: float = 45.0  # seconds until the next round begins by itself
    think: float = 1.5  # seconds a bot may think about a move
    open_days: float = 7.0  # an open table nobody came back to is given up
    idle_days: float = 60.0  # a running one
    limits: Limits = field(default_factory=Limits)
