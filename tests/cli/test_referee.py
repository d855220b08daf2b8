"""`foxrow referee` answers every line, whatever is fed to it: an answer or one error, never a traceback."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foxrow.cli import main
from foxrow.core.registry import games

Feed = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    p = next(iter(games().values())).new(2, seed=1)
    for _ in range(5):
        p.play(p.legal()[0])
    return p.record()


@pytest.fixture
def feed(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Feed:
    """Feed it some bytes, as a file or through a pipe; its exit status and its answers."""

    def run(data: bytes, *options: str, pipe: bool = False) -> tuple[int, list[dict[str, Any]]]:
        file = tmp_path / "records.jsonl"
        file.write_bytes(data)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with pytest.raises(SystemExit) as done:
            main(["referee", "-" if pipe else str(file), *options])
        out, err = capsysbinary.readouterr()
        assert b"Traceback" not in err
        assert b"unforeseen" not in err
        return int(done.value.code or 0), [json.loads(line) for line in out.splitlines()]

    return run


def test_one_record_one_object(feed: Feed, record: dict[str, Any]) -> None:
    for text in (
        json.dumps(record),
        json.dumps(record, indent=2),
        json.dumps(record, indent=0),
        f"\n\n{json.dumps(record)}\n\n",
    ):
        for pipe in (False, True):
            status, (answer,) = feed(text.encode(), pipe=pipe)
            assert status == 0
            assert list(answer) == ["over", "to_act", "phase", "legal", "scores", "winners"]


def test_trace_and_view(feed: Feed, record: dict[str, Any]) -> None:
    _, (answer,) = feed(json.dumps(record).encode(), "--trace", "--view", "1")
    assert len(answer["trace"]) == 5
    assert answer["view"]["seat"] == 1
    assert all(entry["view"]["seat"] == 1 for entry in answer["trace"])
    status, (answer,) = feed(json.dumps(record).encode(), "--view", "5")
    assert (status, answer["error"]["kind"]) == (2, "record")
    assert feed(b"{}", "--view", "-1") == (2, [])


def rubbish(good: bytes) -> list[tuple[bytes, str]]:
    """Lines that are no records, and what is said of them."""
    return [
        (b"not json", "not JSON"),
        (b"{", "ends too early"),
        (good[:60], "not JSON"),
        (good[: len(good) // 2], ""),
        (b"[" * 10**6, "nested"),
        (b'{"a":' * 10**5, "nested"),
        (b"1" * 10**5, "too long"),
        (b"\x00\x01\x02\xff\xfe", "UTF-8"),
        (b"\xff" * 1000, "UTF-8"),
        (b'"\xed\xa0\x80"', "UTF-8"),
        (b"NaN", "NaN"),
        (good.replace(b'"first": 0', b'"first": NaN'), "NaN"),
        (good.replace(b'"first": 0', b'"first": 1e400'), "first"),
        (good.replace(b'"first": 0', b'"first": 0, "first": 0'), "twice"),
        (b"null", "object"),
        (b"[]", "object"),
        (b'"text"', "object"),
        (b"{}", "format"),
        (good + good, "Extra data"),
        (b'{"format": "\\ud800"}', "half a letter"),
        (good.replace(b'"moves": [', b'"moves": ["\\uDFFF", '), "half a letter"),
        (b'{"format": "\\ud83e\\udd8a"}', "format"),
        (b"x" * (5 << 20), "longer"),
    ]


def test_every_line_is_answered_also_after_one_that_failed(feed: Feed, record: dict[str, Any]) -> None:
    good = json.dumps(record).encode()
    bad = rubbish(good)
    lines = [line for text, _ in bad for line in (text, b"", good)]
    for first in (b"", good + b"\n"):  # whatever comes first
        status, found = feed(first + b"\r\n".join(lines))
        assert status == 2
        found = found[1 if first else 0 :]
        assert len(found) == 2 * len(bad)
        for (text, says), wrong, right in zip(bad, found[::2], found[1::2], strict=True):
            assert wrong["error"]["kind"] in ("record", "parse"), text[:80]
            assert says in wrong["error"]["reason"], (text[:80], wrong)
            assert len(json.dumps(wrong)) < 1000
            assert "error" not in right


@pytest.mark.parametrize("number", range(23))
def test_rubbish_alone_is_one_error(feed: Feed, record: dict[str, Any], number: int) -> None:
    text, says = rubbish(json.dumps(record).encode())[number]
    status, (answer,) = feed(text)
    assert status == 2
    assert says in answer["error"]["reason"]
    assert {"move", "text", "kind", "reason"} <= set(answer["error"])


def test_truncated_and_empty_files(feed: Feed, record: dict[str, Any]) -> None:
    pretty = json.dumps(record, indent=2).encode()
    for text in (b"", b"\n \n", pretty[: len(pretty) // 2], pretty[:-2], pretty[:30]):
        status, (answer,) = feed(text)
        assert status == 2
        assert answer["error"]["kind"] == "record"
        assert answer["error"]["move"] == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b'{"a":1\n', "column 7"),
        (b'{"a":1,\n{}\n', "column 8"),
        (b'{"a":\r\n', "column 6"),
        (b'{"a": "Ann\n', "column 7"),
        (b'{\n "a": 1\n "b": 2\n}\n', "line 3 column 2"),
    ],
)
def test_the_place_where_a_text_is_no_json(feed: Feed, text: bytes, place: str) -> None:
    status, (answer, *_) = feed(text)
    assert status == 2
    assert answer["error"]["place"] == place
    assert not answer["error"]["reason"].endswith((" at", "at)"))
    early = "ends too early" in answer["error"]["reason"]
    assert early == ("line" not in place)


def test_values_are_shown_as_their_json_has_them(feed: Feed, record: dict[str, Any]) -> None:
    for value, says in ((None, "null"), (True, "true"), ({"a": "b"}, '{"a": "b"}'), ("Ä", '"Ä"'), ("x" * 99, "…")):
        status, (answer,) = feed(json.dumps({**record, "first": value}).encode())
        assert status == 2
        assert says in answer["error"]["reason"]


def test_a_hundred_megabytes_in_one_line(tmp_path: Path, record: dict[str, Any]) -> None:
    """They are refused, the next line is answered, and the memory they take is bounded."""
    file = tmp_path / "long.jsonl"
    with file.open("wb") as out:
        out.write(b'{"format": "foxrow/1", "moves": [')
        for _ in range(100):
            out.write(b'"7", ' * (200 << 10))
        out.write(b'"7"]}\n' + json.dumps(record).encode() + b"\n")
    script = (
        "import sys; from foxrow.cli import main\n"
        "try:\n    main(['referee', sys.argv[1]])\n"
        "finally:\n"
        "    if sys.platform == 'linux':\n"
        "        status = open('/proc/self/status').read()\n"  # getrusage would count the parent's memory before exec
        "        print(int(status.split('VmHWM:')[1].split()[0]) >> 10, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, check=False)
    long, short = map(json.loads, done.stdout.splitlines())
    assert "longer" in long["error"]["reason"]
    assert "error" not in short
    assert done.returncode == 2
    if sys.platform == "linux":  # others do not say, or in other units
        assert int(done.stderr.split()[-1]) < 700


def test_answers_come_while_the_pipe_is_open(record: dict[str, Any]) -> None:
    """A program that sends a record and waits for its answer is not left waiting, whatever it sends."""
    good = json.dumps(record).encode() + b"\n"
    command = [sys.executable, "-m", "foxrow", "referee", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        for text, fine in ((b"rubbish\n", False), (good, True), (b"{\n", False), (good, True), (b"{}\n", False)):
            run.stdin.write(text)
            run.stdin.flush()
            assert ("error" not in json.loads(run.stdout.readline())) == fine
        run.stdin.close()
        assert run.wait() == 2


def test_a_reader_that_leaves_is_no_error(record: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes((json.dumps(record).encode() + b"\n") * 3000)
    command = [sys.executable, "-m", "foxrow", "referee", str(file), "--trace"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        said = run.stderr.read()
        run.wait()
    assert b"Error" not in said
    assert b"Traceback" not in said


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (str(tmp_path / "missing"), str(tmp_path), "a\udcffb", "a\0b"):
        with pytest.raises(SystemExit) as done:
            main(["referee", name])
        out, err = capsys.readouterr()
        assert (done.value.code, out) == (2, "")
        assert err.startswith("foxrow: cannot read")
        assert err.count("\n") == 1
