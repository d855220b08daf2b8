"""What an operator may set. Every limit has a number here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


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
    sockets_of_address: int = 200
    sockets_of_person: int = 24
    tables_of_person: int = 40  # not over
    tables: int = 20_000  # not over, in all
    spectators: int = 100  # of one table
    records_of_person: int = 200
    records_size: int = 16 * 1024 * 1024  # bytes of all of them
    replays: float = 2.0  # replays (or pages of one) a second that one address may look at, over time
    replays_burst: int = 60
    says: float = 0.5  # phrases and chat lines a second of one person
    says_burst: int = 8
    bots_of_person: int = 4  # bot moves thought about at once for tables of one host


@dataclass(frozen=True)
class Settings:
    database: Path = Path("foxrow.db")
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
