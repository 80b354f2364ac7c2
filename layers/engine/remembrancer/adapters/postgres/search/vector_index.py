"""The index for approximate search on each table of vectors: HNSW, or IVFFlat where a deployment chooses it."""

from typing import Any

from psycopg import AsyncConnection

from remembrancer.adapters.postgres.migrations import LOCK
from remembrancer.adapters.postgres.search.vector_tables import FIRST, in_table
from remembrancer.errors import ConfigurationError

DEFINITIONS = {
    "hnsw": """
        CREATE INDEX memory_vectors_hnsw ON memory_vectors USING hnsw (embedding halfvec_cosine_ops)
        WITH (m = 16, ef_construction = 128)""",
    "ivfflat": """
        CREATE INDEX memory_vectors_ivfflat ON memory_vectors USING ivfflat (embedding halfvec_cosine_ops)
        WITH (lists = 100)""",
}
"""IVFFlat's lists are centres of the rows at the time of creation, so choosing it builds the index from the current
rows.
"""
_EXISTING = "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname = ANY(%s)"
_TABLES = "SELECT vectors FROM embedding_models"


async def rebuild_vector_index(url: str, kind: str) -> None:
    """Rebuilds the index, one partition at a time, as the owner; searches of a partition wait meanwhile."""
    if kind not in DEFINITIONS:
        raise ConfigurationError(f"VECTOR_INDEX={kind!r} is not one of {', '.join(DEFINITIONS)}")
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            for table in await _tables(connection):
                await connection.execute(f"REINDEX INDEX {table}_{kind}".encode())
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


async def use_vector_index(url: str, kind: str) -> bool:
    """Makes this kind the only vector index of each table, as the owner; returns whether anything changed.

    Searches wait meanwhile. Safe to run concurrently. Raises ConfigurationError for an unknown kind.
    """
    if kind not in DEFINITIONS:
        raise ConfigurationError(f"VECTOR_INDEX={kind!r} is not one of {', '.join(DEFINITIONS)}")
    changed = False
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            for table in await _tables(connection):
                changed |= await _use(connection, table, kind)
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    return changed


async def _use(connection: AsyncConnection[Any], table: str, kind: str) -> bool:
    names = {f"{table}_{known}": known for known in DEFINITIONS}
    cursor = await connection.execute(_EXISTING, [list(names)])
    existing = {names[str(name)] for (name,) in await cursor.fetchall()}
    if existing == {kind}:
        return False
    async with connection.transaction():
        for other in existing - {kind}:
            await connection.execute(f"DROP INDEX {table}_{other}".encode())
        if kind not in existing:
            await connection.execute(in_table(DEFINITIONS[kind], table).encode())
    return True


async def _tables(connection: AsyncConnection[Any]) -> list[str]:
    cursor = await connection.execute(_TABLES)
    return sorted({FIRST, *(str(row[0]) for row in await cursor.fetchall())})
