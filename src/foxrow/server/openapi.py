"""The OpenAPI document, from the table of calls and the types of their bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

import foxrow
from foxrow.server import messages as ms

if TYPE_CHECKING:
    from foxrow.server.visit import Call

GENERAL = ("too_many", "failed", "busy")  # what every call may refuse with
WRITING = ("not_allowed", "no_space")
BODY = ("malformed", "wrong_type", "too_large")


def document(calls: Sequence[Call], statuses: Mapping[str, int]) -> dict[str, Any]:
    types = [kind for call in calls for kind in (call.body, call.answer) if kind not in (None, dict)]
    types = list(dict.fromkeys([*types, ms.Error]))
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    named = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for call in calls:
        codes = [*GENERAL, *call.codes]
        if call.method != "GET":
            codes += WRITING
        if call.body is not None:
            codes += BODY
        if call.query:
            codes.append("malformed")
        by_status: dict[int, list[str]] = {}
        for code in codes:
            by_status.setdefault(statuses.get(code, 422), []).append(code)
        good: dict[str, Any] = {"description": "done"}
        if call.answer is not None:
            schema = {"type": "object"} if call.answer is dict else named[call.answer]
            good["content"] = {"application/json": {"schema": schema}}
        operation: dict[str, Any] = {
            "summary": call.words,
            "operationId": call.handle.__name__,
            "responses": {
                str(call.status): good,
                **{
                    str(status): {
                        "description": ", ".join(sorted(set(found))),
                        "content": {"application/json": {"schema": named[ms.Error]}},
                    }
                    for status, found in sorted(by_status.items())
                },
            },
        }
        parameters: list[dict[str, Any]] = [
            {"name": query.name, "in": "query", "description": query.words, "schema": query.schema}
            for query in call.query
        ]
        if "{table}" in call.path:
            parameters.append(
                {
                    "name": "table",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,40}$"},
                }
            )
        if parameters:
            operation["parameters"] = parameters
        if call.body is not None:
            operation["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": named[call.body]}},
            }
        paths.setdefault(call.path, {})[call.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Foxrow", "version": foxrow.__version__},
        "paths": paths,
        "components": {"schemas": components},
    }
