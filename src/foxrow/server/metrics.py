"""Counters, gauges and histograms in Prometheus' text format. Labels never hold ids, names or cards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Histogram:
    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds


class Metrics:
    def __init__(self) -> None:
        self._counters: dict[str, dict[str, int]] = {}
        self._gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self._histograms: dict[str, Histogram] = {}
        self._help: dict[str, str] = {}

    def counter(self, name: str, words: str) -> None:
        self._counters[name] = {}
        self._help[name] = words

    def count(self, name: str, labels: str = "", by: int = 1) -> None:
        values = self._counters[name]
        values[labels] = values.get(labels, 0) + by

    def gauge(self, name: str, words: str, value: Callable[[], float]) -> None:
        self._gauges[name] = (words, value)

    def histogram(self, name: str, words: str) -> Histogram:
        self._help[name] = words
        return self._histograms.setdefault(name, Histogram())

    def text(self) -> str:
        lines: list[str] = []
        for name, values in self._counters.items():
            lines += [f"# HELP foxrow_{name} {self._help[name]}", f"# TYPE foxrow_{name} counter"]
            lines += [
                f"foxrow_{name}{{{labels}}} {n}" if labels else f"foxrow_{name} {n}" for labels, n in values.items()
            ]
            if not values:
                lines.append(f"foxrow_{name} 0")
        for name, (words, value) in self._gauges.items():
            lines += [f"# HELP foxrow_{name} {words}", f"# TYPE foxrow_{name} gauge", f"foxrow_{name} {value():g}"]
        for name, histogram in self._histograms.items():
            lines += [f"# HELP foxrow_{name} {self._help[name]}", f"# TYPE foxrow_{name} histogram"]
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), histogram.counts, strict=True):
                total += count
                lines.append(f'foxrow_{name}_bucket{{le="{bound}"}} {total}')
            lines += [f"foxrow_{name}_sum {histogram.sum:.6f}", f"foxrow_{name}_count {total}"]
        return "\n".join(lines) + "\n"
