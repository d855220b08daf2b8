"""Who somebody is, without accounts: a random id in a signed cookie."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict

COOKIE = "foxrow"
LIFE = 400 * 24 * 3600  # seconds; what browsers allow
TOKEN = re.compile(r"^([A-Za-z0-9_-]{22})\.([0-9]{10})\.([A-Za-z0-9_-]{43})$")
CODE_LIFE = 600
NEWCOMER_LIFE = 120
NEWCOMERS = 10_000


def new_id() -> str:
    """128 random bits in 22 letters: persons, tables, records. It tells nothing, not even when it was
    made."""
    return secrets.token_urlsafe(16)


class Signer:
    """Makes and reads the tokens in cookies."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _signature(self, text: str) -> str:
        return self._letters(f"foxrow person {text}")

    def _letters(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def id_for(self, kind: str, person: str, ref: str | None) -> str:
        """The id of what a person asks for by a call: of the same call sent again, the same one; as hard to guess as
        any."""
        return new_id() if ref is None else self._letters(f"foxrow {kind} {person} {ref}")[:22]

    def token(self, person: str, now: float | None = None) -> str:
        text = f"{person}.{int(now if now is not None else time.time()):010d}"
        return f"{text}.{self._signature(text)}"

    def person(self, token: str | None, now: float | None = None) -> str | None:
        """Whom a token names; None if it is forged, broken or too old."""
        match = TOKEN.match(token) if token is not None and len(token) < 100 else None
        if match is None:
            return None
        person, made, signature = match.groups()
        if not hmac.compare_digest(self._signature(f"{person}.{made}"), signature):
            return None
        age = (now if now is not None else time.time()) - int(made)
        return person if -300 < age < LIFE else None


class Newcomers:
    """Who was made by a call whose answer may not have arrived: sent again from the same address with the same `ref`,
    it makes nobody else. They live in memory, and not for long."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, str], tuple[asyncio.Task[str], float]] = OrderedDict()

    def add(self, address: str, ref: str, person: asyncio.Task[str], now: float) -> None:
        self._made.pop((address, ref), None)
        self._made[address, ref] = person, now + NEWCOMER_LIFE
        while len(self._made) > NEWCOMERS or next(iter(self._made.values()))[1] <= now:
            self._made.popitem(last=False)

    def find(self, address: str, ref: str, now: float) -> asyncio.Task[str] | None:
        person, end = self._made.get((address, ref), (None, 0.0))
        return person if end > now else None


class DeviceCodes:
    """One-time codes that make another device the same person. They live in memory: a restart ends them."""

    def __init__(self) -> None:
        self._codes: dict[str, tuple[str, float]] = {}

    def make(self, person: str, now: float) -> tuple[str, float]:
        self._codes = {code: (who, end) for code, (who, end) in self._codes.items() if end > now and who != person}
        code = secrets.token_urlsafe(12)
        self._codes[code] = (person, now + CODE_LIFE)
        return code, now + CODE_LIFE

    def claim(self, code: str, now: float) -> str | None:
        person, end = self._codes.pop(code, ("", 0.0))
        return person if end > now else None

    def forget(self, person: str) -> None:
        self._codes = {code: (who, end) for code, (who, end) in self._codes.items() if who != person}
