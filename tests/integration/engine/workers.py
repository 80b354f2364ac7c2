"""The workers on the test's servers, as bootstrap makes them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from psycopg import AsyncConnection

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflictSearch
from remembrancer.adapters.postgres.memories.consolidation import PostgresConsolidation
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.lexical_index import PostgresLexicalIndex
from remembrancer.adapters.postgres.upkeep.ageing import PostgresAgeing
from remembrancer.adapters.postgres.upkeep.backlog import PostgresBacklog
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.result_cache import RedisPopularResults
from remembrancer.ports.system import Clock, Queue
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.conflicts import ConflictFinder
from remembrancer.usecases.memories.embed import MemoryEmbedder
from remembrancer.usecases.upkeep.maintenance import Maintenance, RunLimits
from remembrancer.usecases.usage.apply_side_effects import SideEffects
from tests.integration.engine.later import SentMessages
from tests.integration.engine.tenant import Tenant

IDLE = timedelta(minutes=5)


def consolidation(database: Database, *, exact_rows: int = 5000) -> PostgresConsolidation:
    return PostgresConsolidation(database, new_id=uuid4, exact_rows=exact_rows)


def memory_embedder(database: Database, redis: RedisClient) -> MemoryEmbedder:
    """With the embedder that knows words only, and texts in clear."""
    return MemoryEmbedder(
        store=PostgresEmbeddingStore(database),
        conflicts=ConflictFinder(PostgresConflictSearch(database, new_id=uuid4), Keyless()),
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
    database: Database,
    redis: RedisClient,
    queue: Queue,
    *,
    capture_queue: Queue | None = None,
    clock: Clock | None = None,
    idle: timedelta = IDLE,
    bounds: RunLimits | None = None,
) -> Maintenance:
    return Maintenance(
        backlog=PostgresBacklog(database),
        ageing=PostgresAgeing(database),
        index=PostgresLexicalIndex(database),
        cache=RedisAgentCache(redis),
        embed_queue=queue,
        capture_queue=capture_queue or SentMessages(),
        clock=clock or SystemClock(),
        idle=idle,
        bounds=bounds or RunLimits(),
    )


async def only_due(observer: AsyncConnection[Any], *tenants: Tenant) -> None:
    """Whatever other tests have left in the database would take most of a run's time."""
    await observer.execute(
        "UPDATE organizations SET maintenance_due_at = now() + interval '1 day' WHERE org_id != ALL(%s)",
        [[one.org_id for one in tenants]],
    )
