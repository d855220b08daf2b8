"""A PostgreSQL database's shape, one numbered step after the other. A step that has been released is never changed.

Texts are compared byte by byte (`COLLATE "C"`), as in SQLite: pages of lists go on from an id.
"""

from __future__ import annotations

from typing import Any

STEPS: tuple[str, ...] = (
    # 1: all that SQLite's steps 1 to 5 have, and `active`: whose process may write, and what it has written last
    """
    CREATE TABLE foxrow_version (version integer NOT NULL);
    INSERT INTO foxrow_version VALUES (0);
    CREATE TABLE active (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        holder text NOT NULL, session bigint NOT NULL, written bigint NOT NULL
    ) WITH (fillfactor = 10);
    CREATE TABLE meta (key text COLLATE "C" PRIMARY KEY, value text NOT NULL);
    CREATE TABLE people (
        person text COLLATE "C" PRIMARY KEY, name text COLLATE "C", created bigint NOT NULL, seen bigint NOT NULL
    );
    CREATE TABLE tables (
        id text COLLATE "C" PRIMARY KEY, game text COLLATE "C" NOT NULL, status text COLLATE "C" NOT NULL,
        listed smallint NOT NULL, host text COLLATE "C" NOT NULL, created bigint NOT NULL, ended bigint,
        card bytea NOT NULL
    );
    CREATE TABLE seats (
        table_id text COLLATE "C" NOT NULL, seat integer NOT NULL, person text COLLATE "C", name text COLLATE "C",
        held text, PRIMARY KEY (table_id, seat)
    );
    CREATE TABLE events (
        table_id text COLLATE "C" NOT NULL, seq bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE said (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_id text COLLATE "C" NOT NULL, at bigint NOT NULL,
        seat integer NOT NULL, person text COLLATE "C" NOT NULL, phrase text, text text, request text
    );
    CREATE TABLE mutes (
        person text COLLATE "C" NOT NULL, other text COLLATE "C" NOT NULL, PRIMARY KEY (person, other)
    );
    CREATE TABLE records (
        id text COLLATE "C" PRIMARY KEY, person text COLLATE "C", game text COLLATE "C" NOT NULL,
        added bigint NOT NULL, body bytea NOT NULL
    );
    CREATE INDEX said_by_table ON said (table_id, id);
    CREATE INDEX said_by_person ON said (person);
    CREATE INDEX mutes_by_other ON mutes (other);
    CREATE INDEX records_by_person ON records (person);
    CREATE INDEX tables_by_status ON tables (status, created);
    CREATE INDEX tables_by_end ON tables (ended) WHERE ended IS NOT NULL;
    CREATE INDEX tables_by_host ON tables (host, status);
    CREATE INDEX tables_listed_by_end ON tables (ended DESC, id) WHERE listed = 1 AND ended IS NOT NULL;
    CREATE INDEX seats_by_person ON seats (person);
    CREATE INDEX seats_by_name ON seats (name) WHERE name IS NOT NULL;
    CREATE INDEX people_by_name ON people (name) WHERE name IS NOT NULL;
    """,
)
LATEST = len(STEPS)


async def version(connection: Any) -> int | None:
    """0: nothing is there yet. None: there is something, and it is not ours."""
    if await connection.fetchval("SELECT to_regclass('foxrow_version')") is not None:
        return int(await connection.fetchval("SELECT version FROM foxrow_version"))
    others = await connection.fetchval(
        "SELECT count(*) FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND relkind IN"
        " ('r', 'p', 'v', 'm') AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')"
    )
    return None if others else 0


async def migrate(connection: Any, to: int = LATEST) -> None:
    """Bring a database to a version, each step whole or not at all."""
    was = await version(connection)
    if was is None or was > LATEST:
        raise ValueError(f"the database is of version {was}, this program knows {LATEST}: use a newer Foxrow")
    for number in range(was, to):
        async with connection.transaction():
            await connection.execute(STEPS[number])
            await connection.execute("UPDATE foxrow_version SET version = $1", number + 1)
