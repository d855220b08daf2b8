"""Every test that asks for a `case` runs for every game, player count and option."""

from __future__ import annotations

import pytest

from tests.contract.walk import Case, cases


@pytest.fixture(params=cases(), ids=str, scope="session")
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen
