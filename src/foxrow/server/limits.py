"""Buckets of tokens: so much at once, so much over time."""

from __future__ import annotations

import time
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network


@lru_cache(10_000)
def source(address: str) -> str:
    """Whose address this is: of IPv6 the first 64 bits, since whoever has one has all the others behind them."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return str(known)
    return str(known.ipv4_mapped or ip_network((known, 64), strict=False))


class Bucket:
    """One source's allowance."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst, self._left = rate, burst, float(burst)
        self._at = time.monotonic()

    def take(self, amount: float = 1.0) -> float:
        """0.0 when there was as much to take, else the seconds until there will be; whatever is more than a whole
        allowance takes all of it."""
        amount = min(amount, self._burst)
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= amount:
            self._left -= amount
            return 0.0
        return (amount - self._left) / self._rate if self._rate > 0 else 60.0


class Buckets:
    """A bucket for each source; the ones not heard of for longest are forgotten."""

    def __init__(self, rate: float, burst: int, sources: int = 10_000) -> None:
        self._rate, self._burst, self._sources = rate, burst, sources
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, source: str, amount: float = 1.0) -> float:
        bucket = self._buckets.get(source)
        if bucket is None:
            bucket = self._buckets[source] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self._sources:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(source)
        return bucket.take(amount)


class Counts:
    """How many of something each source has open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: dict[str, int] = {}

    def enter(self, source: str) -> bool:
        count = self._counts.get(source, 0)
        if count >= self._most:
            return False
        self._counts[source] = count + 1
        return True

    def leave(self, source: str) -> None:
        count = self._counts.get(source, 0) - 1
        if count > 0:
            self._counts[source] = count
        else:
            self._counts.pop(source, None)
