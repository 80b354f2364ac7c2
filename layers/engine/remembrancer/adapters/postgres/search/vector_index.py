"""The kind of index that serves approximate search: HNSW, or IVFFlat where a deployment chooses it."""

from psycopg import AsyncConnection

from remembrancer.adapters.postgres.migrations import LOCK
from remembrancer.errors import ConfigurationError

DEFINITIONS = {
    "hnsw": """
        CREATE INDEX memory_vectors_hnsw ON memory_vectors USING hnsw (embedding halfvec_cosine_ops)
        WITH (m = 16, ef_construction = 128)""",
    "ivfflat": """
        CREATE INDEX memory_vectors_ivfflat ON memory_vectors USING ivfflat (embedding halfvec_cosine_ops)
        WITH (lists = 100)""",
}
"""IVFFlat's lists are centres of what is there when it is made: it is made anew from what there is when chosen."""
_EXISTING = "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexname = ANY(%s)"


async def rebuild_vector_index(url: str, kind: str) -> None:
    """Makes the index anew from what there is, a partition at a time, as the owner; searches of each wait meanwhile."""
    if kind not in DEFINITIONS:
        raise ConfigurationError(f"VECTOR_INDEX={kind!r} is none of {', '.join(DEFINITIONS)}")
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            await connection.execute(f"REINDEX INDEX memory_vectors_{kind}".encode())
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


async def use_vector_index(url: str, kind: str) -> bool:
    """Makes that index the only one of its purpose, as the owner; whether anything had to be done.

    Searches wait while it is made. Safe to run from several places at once. Raises ConfigurationError for a kind that
    there is not.
    """
    if kind not in DEFINITIONS:
        raise ConfigurationError(f"VECTOR_INDEX={kind!r} is none of {', '.join(DEFINITIONS)}")
    names = {f"memory_vectors_{known}": known for known in DEFINITIONS}
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            cursor = await connection.execute(_EXISTING, [list(names)])
            existing = {names[str(name)] for (name,) in await cursor.fetchall()}
            if existing == {kind}:
                return False
            async with connection.transaction():
                for other in existing - {kind}:
                    await connection.execute(f"DROP INDEX memory_vectors_{other}".encode())
                if kind not in existing:
                    await connection.execute(DEFINITIONS[kind].encode())
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    return True
