"""Records out of a stream of bytes: one a line (JSON Lines), or a single one over many lines. Memory is bounded."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from foxrow.core.errors import FoxrowError
from foxrow.match.record import MOST_BYTES

MARK = b"\xef\xbb\xbf"  # some editors begin a file with it
TOKENS = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*)("?)|([{\[])|[}\]]')  # a text, and whether it ends; brackets


@contextmanager
def source(file: str) -> Iterator[BinaryIO]:
    """A file that a person named; - is standard input."""
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115  (closed below; the `try` must not cover the reading)
    except (OSError, ValueError) as error:
        raise FoxrowError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from None
    with stream:
        yield stream


def documents(stream: BinaryIO) -> Iterator[bytes]:
    """Every document, as soon as it is there. One that is too long comes cut off, but never of a legal length.

    After a first document on a single line all others are lines, whatever is in them: somebody may wait for an answer
    before the next line is written.
    """
    parts: list[bytes] = []  # a document that was written over many lines, as far as it is there
    size = depth = 0
    lined: bool | None = None  # not known yet
    for line in bounded_lines(stream):
        if not line.strip() and len(line) <= MOST_BYTES:
            continue
        if parts and stands_alone(line):
            lined = not indented(parts)
            yield from parts if lined else [b"".join(parts)]
            parts = []
        if not parts:
            depth = opened(line) if not lined and line.removeprefix(MARK).lstrip()[:1] in (b"{", b"[") else 0
            if depth <= 0 or len(line) > MOST_BYTES:
                lined = lined is None or lined
                yield line
                continue
            size = 0
        else:
            depth += opened(line)
        if size <= MOST_BYTES:
            parts.append(line)
            size += len(line)
        if depth <= 0:
            yield b"".join(parts)
            parts, lined = [], False
    if parts:
        yield from [b"".join(parts)] if indented(parts) else parts


def indented(parts: list[bytes]) -> bool:
    """Whether a document whose end is missing was written over many lines. Else these were lines of their own."""
    return any(line[:1] in b" \t}]" for line in parts[1:])


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines; of one that is too long only the beginning, just longer than allowed."""
    while line := stream.readline(MOST_BYTES + 1):
        yield line
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES + 1)  # the rest of it is thrown away


def opened(line: bytes) -> int:
    """How many more brackets a line opens than it closes; none where it breaks off in a text."""
    depth = 0
    for text, end, opening in TOKENS.findall(line):
        if text:
            if not end:
                return 0
        else:
            depth += 1 if opening else -1
    return depth


def stands_alone(line: bytes) -> bool:
    """Whether a line begins a document, and is no part of one that was written over many lines."""
    if line.lstrip().startswith(b"{") and b'"format"' in line:
        return True
    return line[:1] in (b"{", b"[") and line.rstrip()[-1:] in (b"}", b"]") and opened(line) == 0
