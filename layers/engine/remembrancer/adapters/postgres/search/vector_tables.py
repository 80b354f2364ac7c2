"""The tables of vectors, one for each embedding model of the deployment: memory_vectors, memory_vectors_m1, …"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.migrations import LOCK
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.errors import ConfigurationError, StoreUnavailable

FIRST = "memory_vectors"
"""The table of the first model with `FIRST_DIMENSIONS`; statements name it, and `in_table` replaces the name."""
FIRST_DIMENSIONS = 384
EXACT_ROWS = 5000
"""Vectors of an agent, or of what an end user may see of it, up to which search is exact; larger ones have an index."""
Serving = Callable[[UUID], Awaitable[VectorSpace]]
"""The space whose vectors serve an organization."""
KEPT = timedelta(days=7)
"""How long the table of a model stays that the deployment no longer has, for a deployment that goes back."""

_MODELS = "SELECT model, vectors FROM embedding_models"
_SERVING = "SELECT embedding_model FROM organizations WHERE org_id = %s"
_SPACES = "SELECT model, dimensions, vectors FROM embedding_models"
_ADD = "INSERT INTO embedding_models (model, dimensions, vectors) VALUES (%s, %s, %s)"
_WANTED = "UPDATE embedding_models SET wanted_at = now() WHERE model = ANY(%s)"
_UNWANTED = """
    DELETE FROM embedding_models WHERE wanted_at < now() - %s::interval AND model <> ALL(%s) RETURNING vectors"""

# As 0001 made the first one and later migrations changed it; the index for approximate search follows.
_CREATE = """
    CREATE TABLE {table} (LIKE memory_vectors) PARTITION BY HASH (agent_id);
    ALTER TABLE {table} ALTER COLUMN embedding TYPE halfvec({dimensions});
    ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE PLAIN;
    ALTER TABLE {table} ADD PRIMARY KEY (agent_id, memory_id);
    ALTER TABLE {table} ADD FOREIGN KEY (memory_id) REFERENCES memories ON DELETE CASCADE;
    CREATE INDEX {table}_agent ON {table} (org_id, agent_id, user_id);
    CREATE INDEX {table}_memory ON {table} (memory_id);
    CREATE INDEX {table}_project ON {table} (org_id, project_id, environment, user_id);
    ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY one_organization ON {table} USING (org_id = current_org());
    GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO remembrancer_app;
    DO $$
    BEGIN
        FOR part IN 0..31 LOOP
            EXECUTE format('CREATE TABLE {table}_%1$s PARTITION OF {table}
                            FOR VALUES WITH (MODULUS 32, REMAINDER %2$s)', to_char(part, 'FM00'), part);
            EXECUTE format('ALTER TABLE {table}_%s ENABLE ROW LEVEL SECURITY', to_char(part, 'FM00'));
            EXECUTE format('ALTER TABLE {table}_%s FORCE ROW LEVEL SECURITY', to_char(part, 'FM00'));
        END LOOP;
    END $$;
    CREATE TRIGGER {table} AFTER UPDATE OF
        status, user_id, category, source, tier, tags, confidence, valid_from, expires_at, occurred_from, occurred_to
    ON memories FOR EACH ROW
    WHEN ((OLD.status, OLD.user_id, OLD.category, OLD.source, OLD.tier, OLD.tags, OLD.confidence, OLD.valid_from,
           OLD.expires_at, OLD.occurred_from, OLD.occurred_to)
          IS DISTINCT FROM
          (NEW.status, NEW.user_id, NEW.category, NEW.source, NEW.tier, NEW.tags, NEW.confidence, NEW.valid_from,
           NEW.expires_at, NEW.occurred_from, NEW.occurred_to))
    EXECUTE FUNCTION follow_memory('{table}')"""
_DROP = """
    DROP TRIGGER {table} ON memories;
    DROP TABLE {table}"""


@lru_cache(maxsize=256)
def in_table(statement: str, table: str) -> str:
    """The statement with another table of vectors; names of tables come from this module only."""
    return statement.replace(FIRST, table)


class VectorTables:
    """Finds the table of a model's vectors, and the model that serves an organization.

    Without a database there is one table, `FIRST`. Tables are read again for an unknown model only: the migration that
    creates one runs before the code that needs it.
    """

    def __init__(self, database: Database | None = None, serving: Serving | None = None) -> None:
        self._database = database
        self._serving = serving
        self._tables: dict[str, str] = {}

    async def of(self, model: str) -> str:
        """The model's table; `FIRST` for a model without one: no table has vectors of it."""
        if self._database is None:
            return FIRST
        if model not in self._tables:
            (rows,) = await self._database.read(None, (_MODELS, ()))
            # A model without a table is not looked up again and again.
            self._tables |= {model: FIRST} | dict(rows)
        return self._tables[model]

    async def serving(self, org_id: UUID, model: str) -> tuple[str, str]:
        """The model whose vectors serve the organization, and its table; `model` where nothing else is known."""
        if self._serving is not None:
            model = (await self._serving(org_id)).model
        elif self._database is not None and not model:
            (rows,) = await self._database.read(org_id, (_SERVING, (org_id,)))
            model = (rows[0][0] if rows else None) or ""
        return model, await self.of(model)

    async def all(self) -> Sequence[tuple[str, str]]:
        """Pairs (model, table), with `FIRST` under an empty name where it belongs to no model."""
        if self._database is None:
            return [("", FIRST)]
        (rows,) = await self._database.read(None, (_MODELS, ()))
        known = [(str(model), str(table)) for model, table in rows]
        return known if any(table == FIRST for _, table in known) else [("", FIRST), *known]

    async def require(self, space: VectorSpace) -> str:
        """The table for new vectors. Raises StoreUnavailable where these have another length than `FIRST` stores."""
        table = await self.of(space.model)
        if table == FIRST and space.dimensions != FIRST_DIMENSIONS:
            self._tables.pop(space.model, None)
            raise StoreUnavailable(f"The database has no table for vectors of {space.model}", cause="NotMigrated")
        return table


async def prepare_tables(url: str, spaces: Sequence[VectorSpace], *, index: str) -> list[str]:
    """Creates the tables that these models lack, as the owner; drops those of models that have not been among them for
    `KEPT`. Returns the names of the tables created.

    `index` is the statement that creates the index for approximate search, for `FIRST`. Raises ConfigurationError for a
    model whose vectors have another length than before.
    """
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            async with connection.transaction():
                created = [name for space in spaces if (name := await _prepared(connection, space, index))]
                models = [space.model for space in spaces]
                await connection.execute(_WANTED, [models])
                for (table,) in await (await connection.execute(_UNWANTED, [KEPT, models])).fetchall():
                    if table != FIRST:
                        await connection.execute(_DROP.format(table=table).encode())
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    return created


async def _prepared(connection: AsyncConnection[Any], space: VectorSpace, index: str) -> str | None:
    """The name of the table, if it had to be created."""
    known = {row[0]: row[1:] for row in await (await connection.execute(_SPACES)).fetchall()}
    if space.model in known:
        dimensions, _ = known[space.model]
        if dimensions != space.dimensions:
            raise ConfigurationError(
                f"The vectors of {space.model} have {dimensions} dimensions in the database, not {space.dimensions}"
            )
        return None
    taken = {table for _, table in known.values()}
    if space.dimensions == FIRST_DIMENSIONS and FIRST not in taken:
        await connection.execute(_ADD, [space.model, space.dimensions, FIRST])
        return None
    table = next(name for number in range(1, len(taken) + 2) if (name := f"{FIRST}_m{number}") not in taken)
    await connection.execute(_CREATE.format(table=table, dimensions=space.dimensions).encode())
    await connection.execute(in_table(index, table).encode())
    await connection.execute(_ADD, [space.model, space.dimensions, table])
    return table
