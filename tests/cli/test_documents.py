"""Records out of a stream: lines, or one document over many lines."""

from __future__ import annotations

import io
import json

import pytest

from foxrow.cli.documents import documents
from foxrow.match.record import MOST_BYTES

RECORD = {"format": "foxrow/1", "players": ["A", "B"], "moves": ["1", "2"], "deal": {"round": 0}}
LINE = json.dumps(RECORD).encode()


def split(data: bytes) -> list[bytes]:
    return [document.strip() for document in documents(io.BytesIO(data))]


@pytest.mark.parametrize("indent", [0, 1, 2, 4, "\t"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_document_over_many_lines(indent: int | str, newline: bytes) -> None:
    text = json.dumps(RECORD, indent=indent).encode().replace(b"\n", newline)
    (found,) = split(text + newline)
    assert json.loads(found) == RECORD


def test_a_document_broken_by_hand() -> None:
    text = LINE.replace(b', "', b',\n "')
    (found,) = split(text)
    assert json.loads(found) == RECORD


def test_lines() -> None:
    assert split(LINE + b"\n\n" + LINE) == [LINE, LINE]
    assert split(b"") == []
    assert split(b"\n \n\t\n") == []


def test_a_broken_first_line_does_not_swallow_the_next() -> None:
    for broken in (b"{", b'{"format":', b'{"format": "foxrow/1",', b"[", b'{"moves": ["1",'):
        assert split(broken + b"\n" + LINE + b"\n" + LINE) == [broken, LINE, LINE]
        assert split(broken + b"\n \t" + LINE + b"\n" + LINE) == [broken, LINE, LINE]
        assert split(broken + b"\nrubbish\n" + LINE) == [broken, b"rubbish", LINE]
        assert split(broken + b"\n{}\n[]") == [broken, b"{}", b"[]"]
    assert split(b'{\n"a": 1,\n' + LINE) == [b"{", b'"a": 1,', LINE]


def test_every_line_that_was_cut_off_is_told() -> None:
    """Also where the lines begin with spaces: two documents never become one."""
    for cut in (b'{"format": "foxrow/1", "moves": [', b'{"format": "foxrow/1", "moves": ["1', b'{"moves": ['):
        assert split(b"\n".join([cut] * 4)) == [cut] * 4
        assert split(b"\n ".join([LINE, cut, LINE])) == [LINE, cut, LINE]
    cut = b'{"format": "foxrow/1", "game":'
    assert split(b"\n \t".join([cut] * 10)) == [cut] * 10


@pytest.mark.parametrize("indent", [0, 2, "\t"])
def test_documents_over_many_lines_after_each_other(indent: int | str) -> None:
    text = json.dumps(RECORD, indent=indent).encode()
    assert [json.loads(one) for one in split(b"\n\n".join([text, LINE, text, text]))] == [RECORD] * 4
    half = text[: text.index(b'"B"')]
    if indent:
        assert split(half + b"\n" + LINE) == [half.strip(), LINE]


@pytest.mark.parametrize("mark", [b"{", b"[", b",", b'"1"', b'"deal"', b"]"])
def test_a_line_may_break_anywhere_between_words(mark: bytes) -> None:
    (found,) = split(LINE.replace(mark, b"\n" + mark))
    assert json.loads(found) == RECORD


def test_brackets_in_texts_are_none() -> None:
    for name in ("{", "[[", '\\"{', "}", "\\"):
        lines = [json.dumps({**RECORD, "players": [name, "B"]}, indent=indent).encode() for indent in (1, None)]
        assert [json.loads(one)["players"][0] for one in split(b"\n".join(lines * 2))] == [name] * 4


def test_a_line_that_begins_with_endless_space_is_told() -> None:
    for first in (b" " * (MOST_BYTES + 1), b"\t" * (3 * MOST_BYTES)):
        found = [len(document) for document in documents(io.BytesIO(first + LINE + b"\n" + LINE))]
        assert found == [MOST_BYTES + 1, len(LINE)]


def test_a_line_that_is_too_long_comes_cut_off() -> None:
    long = b"x" * (3 * MOST_BYTES)
    found = split(long + b"\n" + LINE + b"\n" + long)
    assert [len(found[0]), found[1], len(found[2])] == [MOST_BYTES + 1, LINE, MOST_BYTES + 1]
    exact = b"y" * MOST_BYTES
    assert [len(document) for document in split(exact + b"\n" + LINE)] == [MOST_BYTES, len(LINE)]
    assert [len(document) for document in split(exact + b"y\n" + LINE)] == [MOST_BYTES + 1, len(LINE)]


def test_a_document_that_is_too_long_comes_cut_off() -> None:
    text = b"{\n" + b' "a": 1,\n' * (MOST_BYTES // 4)
    (found,) = split(text)
    assert MOST_BYTES < len(found) < MOST_BYTES + 100
