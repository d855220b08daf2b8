"""Records out of a stream of bytes: one a line (JSON Lines), or a single one over many lines. Memory is bounded."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from foxrow.core.errors import FoxrowError
from foxrow.match.record import MOST_BYTES


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
    """Every document, as soon as it is there. One that is too long comes cut off, but never of a legal length."""
    lines = (line for line in bounded_lines(stream) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    if not breaks_off(first):
        yield first
        yield from lines
        return
    # It may be the first line of a document that was written with indents. Which lines then follow?
    parts = [first]
    size = len(first)
    for line in lines:
        if is_record(line) or (len(parts) == 1 and line[:1] not in b' \t"}]'):
            yield from parts  # no: these are lines of their own
            yield line
            yield from lines
            return
        if size <= MOST_BYTES:
            parts.append(line)
            size += len(line)
    yield b"".join(parts)


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines; of one that is too long only the beginning, just longer than allowed."""
    while line := stream.readline(MOST_BYTES + 1):
        yield line
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES + 1)  # the rest of it is thrown away


def breaks_off(line: bytes) -> bool:
    """Whether a line is the beginning of JSON that could go on in the next."""
    try:
        text = line.decode("utf-8").removeprefix("\ufeff").rstrip()
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except (ValueError, RecursionError):
        pass
    return False


def is_record(line: bytes) -> bool:
    """Whether a line by itself is a whole record."""
    if not line.lstrip().startswith(b"{") or b'"format"' not in line:
        return False
    try:
        return "format" in json.loads(line)
    except (ValueError, RecursionError):
        return False
