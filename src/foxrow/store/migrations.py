"""The database's shape, one numbered step after the other. A step that has been released is never changed."""

from __future__ import annotations

import sqlite3

STEPS: tuple[str, ...] = (
    # 1: tables, their logs, people
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE people (
        person TEXT PRIMARY KEY, name TEXT, created INTEGER NOT NULL, seen INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, status TEXT NOT NULL, listed INTEGER NOT NULL,
        host TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER, card BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE seats (
        table_id TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT, name TEXT,
        PRIMARY KEY (table_id, seat)
    ) WITHOUT ROWID;
    CREATE TABLE events (
        table_id TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    """,
    # 2: talking, and not hearing it
    """
    CREATE TABLE said (
        id INTEGER PRIMARY KEY, table_id TEXT NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL,
        person TEXT NOT NULL, phrase TEXT, text TEXT
    );
    CREATE INDEX said_by_table ON said (table_id, id);
    CREATE INDEX said_by_person ON said (person);
    CREATE TABLE mutes (
        person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)
    ) WITHOUT ROWID;
    """,
    # 3: imported records; lists by status and by person
    """
    CREATE TABLE records (
        id TEXT PRIMARY KEY, person TEXT, game TEXT NOT NULL, added INTEGER NOT NULL, body BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX records_by_person ON records (person);
    CREATE INDEX tables_by_status ON tables (status, created);
    CREATE INDEX tables_by_end ON tables (ended) WHERE ended IS NOT NULL;
    CREATE INDEX tables_by_host ON tables (host, status);
    CREATE INDEX seats_by_person ON seats (person);
    """,
    # 4: names that are not shown yet (an empty text: none is shown), requests that are recognised when repeated
    """
    ALTER TABLE seats ADD COLUMN held TEXT;
    ALTER TABLE said ADD COLUMN request TEXT;
    """,
    # 5: finished games by name, and the listed ones, without a look at all
    """
    CREATE INDEX people_by_name ON people (name) WHERE name IS NOT NULL;
    CREATE INDEX seats_by_name ON seats (name) WHERE name IS NOT NULL;
    CREATE INDEX tables_listed_by_end ON tables (ended, id) WHERE listed = 1 AND ended IS NOT NULL;
    """,
)
LATEST = len(STEPS)


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, to: int = LATEST) -> int:
    """Bring a database to a version, each step whole or not at all; gives the version it had."""
    was = version(connection)
    if was > LATEST:
        raise ValueError(f"the database is of version {was}, this program knows {LATEST}: use a newer Foxrow")
    for number in range(was, to):
        # executescript commits before it begins, so that each step brings its own transaction.
        connection.executescript(f"BEGIN IMMEDIATE;\n{STEPS[number]}\nPRAGMA user_version = {number + 1};\nCOMMIT;")
    return was
