"""Writes the protocol's TypeScript types from the msgspec ones: `python -m foxrow.server.typescript [FILE]`.

With `--check` nothing is written; the exit status says whether the file is up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import inspect as shape

from foxrow.server import messages

HEADER = """\
// Written by `python -m foxrow.server.typescript` from src/foxrow/server/messages.py: do not edit.
// Numbers of milliseconds that name a point in time count from 1970, UTC.

export const PROTOCOL = {protocol};
"""

# View's own keys differ by game; a board narrows them itself.
OPEN_TYPES = {"View"}
UNIONS = ("AnyEntry", "AnyRequest", "AnyFrame")


def structs(module: ModuleType = messages) -> list[type[msgspec.Struct]]:
    """The module's own structs, in the order of the source."""
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__
    ]
    return [struct for struct in found if struct not in (messages.Entry, messages.Request, messages.Frame)]


def text(kind: shape.Type) -> str:
    """The TypeScript type of one msgspec type."""
    match kind:
        case shape.Metadata():
            return text(kind.type)
        case shape.AnyType() | shape.RawType():
            return "unknown"
        case shape.NoneType():
            return "null"
        case shape.BoolType():
            return "boolean"
        case shape.IntType() | shape.FloatType():
            return "number"
        case shape.StrType() | shape.BytesType():
            return "string"
        case shape.LiteralType():
            return " | ".join(f'"{v}"' if isinstance(v, str) else str(v).lower() for v in kind.values)
        case shape.ListType() | shape.CollectionType():
            inner = alias(kind.item_type) or text(kind.item_type)
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case shape.DictType():
            return f"Record<string, {text(kind.value_type)}>"
        case shape.UnionType():
            return " | ".join(dict.fromkeys(text(part) for part in kind.types))
        case shape.StructType():
            return kind.cls.__name__
    raise TypeError(f"no TypeScript for {kind}")


def alias(kind: shape.Type) -> str | None:
    """The name of one of the protocol's own unions."""
    if not isinstance(kind, shape.UnionType):
        return None
    members = {text(part) for part in kind.types}
    for name in UNIONS:
        if {member.__name__ for member in getattr(messages, name).__args__} == members:
            return name
    return None


def description(kind: shape.Type) -> str:
    if isinstance(kind, shape.Metadata):
        return str((kind.extra_json_schema or {}).get("description", ""))
    return ""


def comment(words: str, indent: str) -> str:
    clean = " ".join(words.split()).replace("*/", "* /")
    return f"{indent}/** {clean} */\n" if clean else ""


def optional(field: shape.Field, sent_by_server: bool) -> bool:
    """A key may be absent: unset on the way out, defaulted on the way in."""
    unset = not field.required and field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
    if unset:
        return True
    return not sent_by_server and not field.required


def interface(struct: type[msgspec.Struct]) -> str:
    info = shape.type_info(struct)
    assert isinstance(info, shape.StructType)
    own_words = struct.__doc__ or ""
    # Only structs from outside refuse unknown keys and may leave keys out; the server always sends every key.
    lines = [comment(own_words, ""), f"export interface {struct.__name__} {{\n"]
    if info.tag_field is not None:
        lines.append(f'  {info.tag_field}: "{info.tag}";\n')
    for field in info.fields:
        mark = "?" if optional(field, sent_by_server=not info.forbid_unknown_fields) else ""
        lines.append(comment(description(field.type), "  "))
        lines.append(f"  {field.encode_name}{mark}: {text(field.type)};\n")
    if struct.__name__ in OPEN_TYPES:
        lines.append("  [key: string]: unknown;\n")
    lines.append("}\n")
    return "".join(lines)


def union(name: str, members: Any) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {m.__name__}" for m in members.__args__) + ";\n"


def typescript() -> str:
    parts = [HEADER.format(protocol=messages.PROTOCOL)]
    parts += [interface(struct) for struct in structs()]
    parts += [union(name, getattr(messages, name)) for name in UNIONS]
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    named = [a for a in arguments if not a.startswith("-")]
    target = Path(named[0] if named else "web/src/lib/protocol.ts")
    new = typescript()
    if check:
        return 0 if target.exists() and target.read_text(encoding="utf-8") == new else 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
