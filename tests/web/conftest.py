"""A server for all browser tests, and pages that notice every error, failed request and foreign host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.web.browser import FLAGS, found
from tests.web.host import Host
from tests.web.sitting import Sitting

expect.set_options(timeout=60_000)  # the machine may be busy


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for each file: while Playwright is up, its event loop runs in this thread, and no other could."""
    with sync_playwright() as driver:
        opened = driver.chromium.launch(args=list(FLAGS), headless=True, executable_path=found() or None)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder: Path = tmp_path_factory.mktemp("server")
    with Host(folder) as running:
        yield running


@pytest.fixture
def sit(browser: Browser, host: Host) -> Iterator[Callable[..., Sitting]]:
    """`sit()` is a new person with a browser of their own; at the end none of them has seen an error."""
    people: list[Sitting] = []

    def new(**wanted: Any) -> Sitting:
        people.append(Sitting(browser, host.address, **wanted))
        return people[-1]

    yield new
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        person.context.close()
    assert faults == []
