"""The proof that nobody chose the cards. Standard library only: a verifier needs this, the shuffle, and no rules.

The server commits to a seed before any seat is dealt, every human client commits to one too and reveals it, and the
deal's seed is one hash over all of them. What it does not prove: that the operator does not look at the hands, and that
a server together with a player, who holds back a reveal, did not choose between two deals.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

NAME = b"foxrow-seed/1"
FIRST = b"foxrow-first/1"
NOBODY = bytes(32)  # stands for a bot's seat, and for a client that took no part


def commitment(seed: bytes) -> str:
    """What may be shown before the seed is."""
    return hashlib.sha256(seed).hexdigest()


def fits(seed: bytes, commit: str) -> bool:
    return hmac.compare_digest(commitment(seed).encode(), commit.encode(errors="replace"))


def deal_seed(server: bytes, seats: Sequence[bytes | None]) -> bytes:
    """SHA-256 over the name, the server's seed and every seat's, in the order of the seats."""
    return hashlib.sha256(NAME + server + b"".join(seed or NOBODY for seed in seats)).digest()


def drawn_first(seed: bytes, players: int) -> int:
    """Who starts when nobody was named: drawn from the deal's seed, so it is proven with it."""
    return int.from_bytes(hashlib.sha256(FIRST + seed).digest(), "big") % players


def proof(server: bytes, commits: Sequence[str | None], seeds: Sequence[bytes | None]) -> dict[str, Any]:
    """What a finished match record holds under `fair`."""
    return {
        "version": NAME.decode(),
        "server": {"commit": commitment(server), "seed": server.hex()},
        "seats": [
            None if commit is None else {"commit": commit, "seed": seed.hex() if seed else None}
            for commit, seed in zip(commits, seeds, strict=True)
        ],
    }


def faults(match: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a match record's proof; empty: the seed is what was committed to."""
    fair = match.get("fair")
    if not isinstance(fair, dict):
        return ["the record holds no proof (no key 'fair')"]
    if fair.get("version") != NAME.decode():
        return [f"the proof is of an unknown version: {fair.get('version')!r:.80}"]
    found: list[str] = []

    def checked(place: str, part: Any) -> bytes | None:
        if part is None:
            return None
        if not isinstance(part, dict):
            found.append(f"{place}: not an object")
            return None
        seed, commit = part.get("seed"), part.get("commit")
        if seed is None and place != "server":
            return None  # committed and never revealed: left out of the seed, and shown as such
        try:
            raw = bytes.fromhex(str(seed))
        except ValueError:
            raw = b""
        if len(raw) != 32:
            found.append(f"{place}: the seed is not 64 hex digits")
            return None
        if not isinstance(commit, str) or not fits(raw, commit):
            found.append(f"{place}: the seed is not the one committed to")
        return raw

    seats = fair.get("seats")
    if not isinstance(seats, list):
        return ["seats: not a list"]
    if isinstance(match.get("players"), list) and len(seats) != len(match["players"]):
        found.append("seats: not one for each player")
    server = checked("server", fair.get("server"))
    given = [checked(f"seats[{seat}]", part) for seat, part in enumerate(seats)]
    if server is None:
        found.append("server: no seed")
    elif not found and deal_seed(server, given).hex() != match.get("seed"):
        found.append("seed: not the hash of the server's and the seats' seeds")
    return found


def taking_part(match: dict[str, Any]) -> list[int]:
    """The seats whose clients are in the seed."""
    seats = match.get("fair", {}).get("seats", [])
    return [seat for seat, part in enumerate(seats) if part and part.get("seed")]
