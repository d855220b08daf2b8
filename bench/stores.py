"""The two stores side by side, without a server around them: SQLite's file and a PostgreSQL on the same disk.

    python bench/stores.py --runs 5 --seconds 3

At each of so many tables one event of 200 bytes follows the other, submitted as soon as the one before is told to be on
disk. Runs are interleaved: SQLite, PostgreSQL, SQLite, … PostgreSQL is that of the tests, but with full sync; --address
names another one, with a fresh database.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.postgres import Cluster

from foxrow.store import SqliteStore, Store, StoreError, open_store
from foxrow.store.interface import Append

TABLES = (1, 16, 256)
BODY = b"x" * 200


class Load:
    def __init__(self, store: Store, tables: int, name: str) -> None:
        self.store = store
        self.took: list[float] = []
        self.ended = False
        self.left = tables
        self.done = threading.Event()
        for n in range(tables):
            self.submit(f"{name}-{n}", 1)

    def submit(self, table: str, seq: int) -> None:
        began = time.perf_counter()

        def then(error: StoreError | None) -> None:
            if error is not None:
                raise error
            self.took.append(time.perf_counter() - began)
            if not self.ended:
                self.submit(table, seq + 1)
                return
            self.left -= 1
            if not self.left:
                self.done.set()

        self.store.submit([Append(table, seq, [BODY])], then)


def measure(store: Store, tables: int, seconds: float, name: str) -> tuple[float, float, float]:
    """Submissions a second, and their time (ms): the median, and what 99 of 100 stay below."""
    load = Load(store, tables, name)
    time.sleep(seconds / 5)
    load.took.clear()  # the first ones warm it up
    began = time.perf_counter()
    time.sleep(seconds)
    took = sorted(load.took)
    speed = len(took) / (time.perf_counter() - began)
    load.ended = True
    load.done.wait()
    return speed, statistics.median(took) * 1000, took[len(took) * 99 // 100] * 1000


def reads(store: Store) -> float:
    """Microseconds for a question by index."""
    times = []
    for _ in range(1000):
        began = time.perf_counter()
        store.table("none")
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--address", help="a PostgreSQL database; without it one is started")
    arguments = parser.parse_args()
    sys.setswitchinterval(0.0001)  # as the server does
    cluster = None if arguments.address else Cluster("fsync=on", "shared_buffers=128MB")
    with tempfile.TemporaryDirectory() as folder:
        address = arguments.address or (cluster.address(cluster.fresh()) if cluster else "")
        stores: dict[str, Store] = {
            "SQLite": SqliteStore(Path(folder) / "a.db"),
            "PostgreSQL": open_store(address),
        }
        print("| tables | store | submissions/s | p50 ms | p99 ms |\n" + "|---" * 5 + "|")
        for tables in TABLES:
            found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in stores}
            for run in range(arguments.runs):
                for name, store in stores.items():
                    found[name].append(measure(store, tables, arguments.seconds, f"{tables}.{run}"))
            for name, rows in found.items():
                speed, p50, p99 = (statistics.median(row[i] for row in rows) for i in range(3))
                print(f"| {tables} | {name} | {speed:,.0f} | {p50:.2f} | {p99:.2f} |", flush=True)
            ratios = [b[0] / a[0] for a, b in zip(*found.values(), strict=True)]
            print(f"  PostgreSQL/SQLite, run by run: {', '.join(f'{ratio:.2f}' for ratio in ratios)}", flush=True)
        print("a read, µs:", {name: round(reads(store)) for name, store in stores.items()})
        for store in stores.values():
            store.close()
    if cluster is not None:
        cluster.close()


if __name__ == "__main__":
    main()
