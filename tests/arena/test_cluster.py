"""The cluster: the same batches over Ray's calls, here answered in this process, and a clear word without Ray.

The run on a real Ray is measured in docs/strength.md; Ray itself is an extra of 400 MB.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from foxrow.arena.plan import Plan
from foxrow.arena.results import Results
from foxrow.arena.run import run
from foxrow.core.errors import FoxrowError
from foxrow.core.registry import games

GAME = next(iter(games().values()))


class OneProcessRay(ModuleType):
    """As much of Ray as the arena uses; tasks are done when they are waited for, the last one first."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.up = False
        self.exceptions = ModuleType("ray.exceptions")
        self.exceptions.RayError = type("RayError", (Exception,), {})  # type: ignore[attr-defined]
        self.exceptions.RayTaskError = type("RayTaskError", (self.exceptions.RayError,), {})  # type: ignore[attr-defined]
        self._tasks: dict[int, tuple[Callable[..., Any], tuple[Any, ...]]] = {}

    def is_initialized(self) -> bool:
        return self.up

    def init(self, **_: Any) -> None:
        self.up = True

    def shutdown(self) -> None:
        self.up = False

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **_: Any) -> Callable[[Callable[..., Any]], Any]:
        def wrap(function: Callable[..., Any]) -> Any:
            task = ModuleType("task")

            def start(*args: Any) -> int:
                self._tasks[len(self._tasks)] = (function, args)
                return len(self._tasks) - 1

            task.remote = start  # type: ignore[attr-defined]
            return task

        return wrap

    def wait(self, tasks: list[int]) -> tuple[list[int], list[int]]:
        return [tasks[-1]], tasks[:-1]

    def get(self, task: int) -> Any:
        function, args = self._tasks[task]
        return function(*args)


def test_the_cluster_gives_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(GAME.key, ("random", "greedy"), GAME.players[0], 20).check()
    here, there = Results(plan, None), Results(plan, None)
    run(here, workers=1)
    ray = OneProcessRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    run(there, cluster=True, workers=1)
    assert not ray.up
    assert [[{**game.line(), "ms": 0} for game in deal] for deal in there.deals()] == [
        [{**game.line(), "ms": 0} for game in deal] for deal in here.deals()
    ]


def test_a_cluster_that_dies_is_a_clear_word_and_keeps_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dying(OneProcessRay):
        def get(self, task: int) -> Any:
            if task == 2:
                raise self.exceptions.RayError("the raylet died")
            return super().get(task)

    ray = Dying()
    monkeypatch.setitem(sys.modules, "ray", ray)
    plan = Plan(GAME.key, ("random", "greedy"), GAME.players[0], 40).check()
    results = Results(plan, None)
    with pytest.raises(FoxrowError, match="the same command goes on"):
        run(results, cluster=True, workers=1)
    assert not ray.up
    kept = len(list(results.deals()))
    monkeypatch.setitem(sys.modules, "ray", OneProcessRay())
    run(results, cluster=True, workers=1)
    assert kept < len(list(results.deals())) == plan.deals


def test_without_ray_there_is_a_clear_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = Plan(GAME.key, ("random", "greedy"), GAME.players[0], 4).check()
    with pytest.raises(FoxrowError, match="pip install 'foxrow\\[cluster\\]'"):
        run(Results(plan, None), cluster=True)
