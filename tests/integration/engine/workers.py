"""The workers on the test's servers, as bootstrap makes them."""

from uuid import uuid4

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.ageing import PostgresAgeing
from remembrancer.adapters.postgres.background import PostgresEmbeddingStore
from remembrancer.adapters.postgres.consolidation import PostgresConsolidation
from remembrancer.adapters.postgres.database import Database
from remembrancer.adapters.postgres.lexical_index import PostgresLexicalIndex
from remembrancer.adapters.postgres.upkeep import PostgresBacklog
from remembrancer.adapters.postgres.usage import PostgresUsage
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.result_cache import RedisPopularResults
from remembrancer.ports.system import Clock, Queue
from remembrancer.usecases.apply_side_effects import SideEffects
from remembrancer.usecases.embed import MemoryEmbedder
from remembrancer.usecases.maintain import Bounds, Maintenance
from remembrancer.usecases.sealing import Keyless


def consolidation(database: Database, *, exact_rows: int = 5000) -> PostgresConsolidation:
    return PostgresConsolidation(database, new_id=uuid4, exact_rows=exact_rows)


def memory_embedder(database: Database, redis: RedisClient) -> MemoryEmbedder:
    """With the embedder that knows words only, and texts in clear."""
    return MemoryEmbedder(
        store=PostgresEmbeddingStore(database),
        consolidation=consolidation(database),
        index=PostgresLexicalIndex(database),
        cache=RedisAgentCache(redis),
        embedder=HashEmbedder(),
        opener=Keyless(),
        clock=SystemClock(),
    )


def side_effects(database: Database, redis: RedisClient) -> SideEffects:
    return SideEffects(PostgresUsage(database), RedisAgentCache(redis), RedisPopularResults(redis), SystemClock())


def maintenance(
    database: Database, redis: RedisClient, queue: Queue, *, clock: Clock | None = None, bounds: Bounds | None = None
) -> Maintenance:
    return Maintenance(
        backlog=PostgresBacklog(database),
        ageing=PostgresAgeing(database),
        index=PostgresLexicalIndex(database),
        cache=RedisAgentCache(redis),
        embed_queue=queue,
        clock=clock or SystemClock(),
        bounds=bounds or Bounds(),
    )
