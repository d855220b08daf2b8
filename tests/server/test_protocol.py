"""The documents and the client's types are what the server speaks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import msgspec

import foxrow.match
import foxrow.server
from foxrow.match import events as ev
from foxrow.server import messages as ms
from foxrow.server.calls import CALLS
from foxrow.server.entries import Scribe
from foxrow.server.openapi import document
from foxrow.server.reference import updated
from foxrow.server.typescript import typescript
from foxrow.server.visit import STATUS

ROOT = Path(__file__).parents[2]


def test_the_clients_types_are_up_to_date() -> None:
    assert (ROOT / "web/src/lib/protocol.ts").read_text(encoding="utf-8") == typescript()


def test_the_reference_is_up_to_date() -> None:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    assert updated(page) == page


def test_every_call_is_in_the_table_for_people() -> None:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8").partition("## Reference")[0]
    for call in CALLS:
        path = call.path[1:].replace("{table}", "{id}")
        assert f"`{call.method} {path}" in page, call.path


def test_every_code_that_is_sent_is_explained() -> None:
    sent = set(STATUS)
    for package in (foxrow.match, foxrow.server):
        for file in Path(package.__path__[0]).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Refusal", "refusal") and node.args:
                    parts = [part for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                    sent |= {part.value for part in parts if isinstance(part.value, str) and len(part.value) > 3}
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8").partition("## The fair shuffle")[0]
    missing = {code for code in sent if f"`{code}`" not in page}
    assert missing <= {"playing", "over"}, missing


def test_close_codes_are_explained() -> None:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    source = (ROOT / "src/foxrow/server/socket.py").read_text(encoding="utf-8")
    for code in set(re.findall(r"\b400\d\b", source)):
        assert code in page


def test_every_event_has_an_entry_of_its_own() -> None:
    """Nothing of an event goes out that its entry does not name."""
    entries = {entry.__name__ for entry in ms.AnyEntry.__args__}
    events = {event.__name__ for event in ev.AnyEvent.__args__}
    assert {name for name in events if name not in entries} == {"Created"}
    assert {name for name in entries if name not in events} == {"Opened"}
    fields = {field.name for entry in ms.AnyEntry.__args__ for field in msgspec.structs.fields(entry)}
    assert not fields & {"secret", "person", "host", "ref", "blocked_persons"}


def test_a_new_table_tells_the_hash_of_its_secret_alone() -> None:
    from foxrow.match.clock import ClockRule

    created = ev.Created(
        at=1, game="g", version=1, players=2, options={}, match={}, clock=ClockRule(), host="ann", secret="ab" * 32
    )
    raw = msgspec.json.encode(Scribe().entry(created)).decode()
    assert "ab" * 32 not in raw
    assert "ann" not in raw


def test_the_openapi_document_is_whole() -> None:
    found = document(CALLS, STATUS)
    text = msgspec.json.encode(found).decode()
    for name in re.findall(r"#/components/schemas/(\w+)", text):
        assert name in found["components"]["schemas"]
    assert sum(len(methods) for methods in found["paths"].values()) == len(CALLS)
