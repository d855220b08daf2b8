"""Which database is meant, what is wrong with it in one line, and no password in any of them."""

from __future__ import annotations

import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from foxrow.store import StoreError, is_address, open_store, shown
from foxrow.store.postgres_migrations import LATEST
from tests.postgres import PASSWORD, Cluster

SECRET = "tr0ub4dor"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("foxrow.db", "foxrow.db"),
        ("C:/games/foxrow.db", "C:/games/foxrow.db"),
        (Path("postgresql:/x"), "postgresql:/x"),
        ("postgresql://db.example/foxrow", "postgresql://db.example/foxrow"),
        (f"postgres://ann:{SECRET}@db:5433/foxrow", "postgresql://ann@db:5433/foxrow"),
        (f"postgresql://ann:{SECRET}%2F%40x@[::1]:5433/foxrow?sslmode=require", "postgresql://ann@[::1]:5433/foxrow"),
        (f"postgresql://ann@a:1,b:2/foxrow?password={SECRET}", "postgresql://ann@a:1,b:2/foxrow"),
        ("postgresql:///foxrow?host=/run/postgresql", "postgresql:///foxrow"),
    ],
)
def test_an_address_is_shown_without_its_password(given: str | Path, told: str) -> None:
    assert shown(given) == told
    assert is_address(given) == told.startswith("postgresql://")


@pytest.mark.parametrize(
    "given",
    [
        *(f"postgresql://ann:1{letter}{SECRET}@db/foxrow" for letter in "/?#["),
        f"postgresql://ann:{SECRET}/x@db/foxrow",
        f"postgresql://ann:1/{SECRET}@db/foxrow",
        f"postgresql+psycopg://ann:{SECRET}@db/foxrow",
        f"postgresq://ann:{SECRET}@db/foxrow",
        f"mysql://ann:{SECRET}@db/foxrow",
    ],
)
def test_what_cannot_be_read_is_told_and_not_repeated(given: str) -> None:
    for ask in (shown, open_store):
        with pytest.raises(StoreError) as refused:
            ask(given)
        assert "postgresql://user@host/name" in str(refused.value)
        assert SECRET not in "".join(traceback.format_exception(refused.value, limit=0))


def refusal(address: str) -> str:
    with pytest.raises(StoreError) as refused:
        open_store(address).close()
    told = str(refused.value)
    assert "\n" not in told
    assert PASSWORD not in told and SECRET not in told
    return told


def test_what_is_wrong_is_told_in_a_line(
    cluster: Cluster, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no PostgreSQL answers at postgresql://ann@127.0.0.1:1/x" in refusal(
        f"postgresql://ann:{SECRET}@127.0.0.1:1/x"
    )
    assert "no PostgreSQL answers" in refusal(f"postgresql://ann:{SECRET}@/x?host={tmp_path}")
    assert "cannot be used" in refusal(f"postgresql://ann:{SECRET}@127.0.0.1/x?sslmode=perhaps")
    assert "createdb" in refusal(cluster.address("nothing"))
    assert "does not exist" in refusal(cluster.address(database, "nobody"))
    right = cluster.address(database, f"locked:{PASSWORD.replace('/', '%2F')}")
    assert "password" in refusal(cluster.address(database, "locked"))
    assert "password" in refusal(cluster.address(database, f"locked:{SECRET}"))
    outside = "may make tables"  # this user may not; the password was right
    assert outside in refusal(right)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert outside in refusal(cluster.address(database, "locked"))  # and need not stand in the address
    monkeypatch.delenv("PGPASSWORD")
    cluster.sql(database, "CREATE TABLE theirs (x int)", "SELECT")
    assert "not a Foxrow database" in refusal(cluster.address(database))
    cluster.sql("postgres", "DROP DATABASE IF EXISTS latin", "SELECT")
    cluster.sql("postgres", "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'", "SELECT")
    assert "UTF8" in refusal(cluster.address("latin"))


def test_a_newer_database_is_left_alone(cluster: Cluster, database: str) -> None:
    open_store(cluster.address(database)).close()
    cluster.sql(database, f"UPDATE foxrow_version SET version = {LATEST + 1}", "SELECT")
    assert "newer Foxrow" in refusal(cluster.address(database))
    assert cluster.sql(database, "SELECT version FROM foxrow_version") == [(LATEST + 1,)]


def test_without_the_driver_it_is_told_what_to_install_and_files_need_none(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['asyncpg'] = None\n"
        "from foxrow.store import open_store\n"
        "open_store(sys.argv[1]).close()\n"
        "try: open_store('postgresql://db/foxrow')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "a.db")], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "StoreError PostgreSQL needs a package more: pip install 'foxrow[postgres]'"


def test_a_file_asks_for_no_driver(tmp_path: Path) -> None:
    script = (
        "import sys; from foxrow.store import open_store\n"
        "open_store(sys.argv[1]).close(); assert 'asyncpg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.db")], check=True)
