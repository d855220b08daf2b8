"""Writes the reference part of docs/protocol.md from the types: `python -m foxrow.server.reference [FILE]`."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
from msgspec import inspect as shape

from foxrow.server import messages
from foxrow.server.calls import CALLS
from foxrow.server.typescript import alias, comment, description, optional, structs, text

BEGIN, END = "<!-- written by `python -m foxrow.server.reference` -->", "<!-- end -->"


def kind_of(struct: type[msgspec.Struct]) -> str:
    if issubclass(struct, messages.Entry):
        return "entry"
    if issubclass(struct, messages.Request):
        return "from the client"
    if issubclass(struct, messages.Frame):
        return "from the server"
    return "part"


def rows(struct: type[msgspec.Struct]) -> list[str]:
    info = shape.type_info(struct)
    assert isinstance(info, shape.StructType)
    name = f"`{struct.__name__}`" + (f" `{info.tag_field}: {info.tag}`" if info.tag_field else "")
    words = comment(struct.__doc__ or "", "").removeprefix("/** ").removesuffix(" */\n")
    lines = [f"\n**{name}** ({kind_of(struct)}) {words}".rstrip(), ""]
    for field in info.fields:
        mark = "?" if optional(field, sent_by_server=not info.forbid_unknown_fields) else ""
        kind = alias(field.type) or text(field.type)
        tail = description(field.type)
        lines.append(f"- `{field.encode_name}{mark}: {kind}`{': ' if tail else ''}{tail}")
    return lines


def reference() -> str:
    parts = [
        BEGIN,
        "## Reference",
        "### HTTP",
        "",
        "| call | body | answer | status | may refuse with |",
        "|---|---|---|---|---|",
    ]
    for call in CALLS:
        query = "?" + "&".join(query.name for query in call.query) if call.query else ""
        body = f"`{call.body.__name__}`" if call.body is not None else ""
        answer = "" if call.answer is None else "JSON" if call.answer is dict else f"`{call.answer.__name__}`"
        codes = ", ".join(f"`{code}`" for code in call.codes)
        parts.append(
            f"| `{call.method} {call.path[1:]}{query}` {call.words} | {body} | {answer} | {call.status} | {codes} |"
        )
    parts += ["", "### Types"]
    for struct in structs():
        parts += rows(struct)
    return "\n".join([*parts, END]) + "\n"


def updated(page: str) -> str:
    """The page with its reference as it must be now."""
    head = page.partition(BEGIN)[0].rstrip()
    return f"{head}\n\n{reference()}"


def main(arguments: list[str]) -> int:
    target = Path(arguments[0] if arguments else "docs/protocol.md")
    target.write_text(updated(target.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
