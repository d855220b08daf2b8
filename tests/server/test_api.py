"""The whole HTTP interface against its own description, with whatever schemathesis thinks of."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from foxrow.server.calls import CALLS
from foxrow.server.openapi import document
from foxrow.server.run import config
from foxrow.server.site import Site
from foxrow.server.visit import STATUS
from tests.server.visitor import settings as site_settings

EXAMPLES = int(os.environ.get("FOXROW_API_EXAMPLES", "12"))  # of each call


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of this process, in a thread."""
    site = Site(site_settings(tmp_path_factory.mktemp("api")))
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(config(site, host="127.0.0.1", port=port))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{port}"
    for _ in range(1200):
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/ready", timeout=1):
            break
        time.sleep(0.05)
    yield url
    server.should_exit = True
    thread.join(20)


schema = schemathesis.openapi.from_dict(document(CALLS, STATUS))


@pytest.mark.filterwarnings("ignore")
@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
def test_every_answer_is_as_described(case: schemathesis.Case[Any], address: str) -> None:
    # A random body of the right shape is still no game: 422 with a code, as described.
    case.call_and_validate(
        base_url=address,
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
            negative_data_rejection,
        ],
    )


def test_the_description_is_served(address: str, tmp_path: Path) -> None:
    with urllib.request.urlopen(f"{address}/api/openapi.json") as answer:
        assert b'"openapi":"3.1.0"' in answer.read()


def test_a_call_without_a_body_needs_no_type(address: str) -> None:
    def status(method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str | None]:
        request = urllib.request.Request(address + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers["set-cookie"]
        except urllib.error.HTTPError as error:
            return error.code, None

    name = b'{"name": "Ann"}'
    assert status("PUT", "/api/me", name) == (415, None)  # urllib says that it is a form
    made, cookie = status("PUT", "/api/me", name, **{"content-type": "application/json"})
    assert made == 200
    assert cookie is not None
    for method, path, good in (("POST", "/api/me/devices", 200), ("DELETE", "/api/me", 204)):
        assert status(method, path, cookie=cookie, origin="https://evil.example")[0] == 403
        assert status(method, path, cookie=cookie)[0] == good
