"""The workers on the test's servers, as bootstrap makes them."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.query_cache import RedisQueryCache
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.system import Clock, DelayedQueue, Queue
from remembrancer.ports.upkeep import Visit
from remembrancer.usecases.audit.auditor import Auditor
from remembrancer.usecases.capture.forget import ForgetSearch
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.conflicts import ConflictFinder
from remembrancer.usecases.memories.embed import MemoryEmbedder
from remembrancer.usecases.memories.near_duplicates import Consolidator
from remembrancer.usecases.upkeep.maintenance import Maintenance, RunLimits
from remembrancer.usecases.usage.apply_side_effects import SideEffects
from tests.integration.engine.later import SentMessages
from tests.integration.engine.tenant import Tenant

IDLE = timedelta(minutes=5)


def consolidation(database: Database, *, exact_rows: int = 5000) -> Consolidator:
    return Consolidator(PostgresConflicts(database, exact_rows=exact_rows), Keyless())


def memory_embedder(database: Database, redis: RedisClient) -> MemoryEmbedder:
    """With the embedder that knows words only, and texts in clear."""
    return MemoryEmbedder(
        store=PostgresEmbeddingStore(database),
        conflicts=ConflictFinder(PostgresConflicts(database), Keyless()),
        consolidator=consolidation(database),
        index=PostgresLexicalIndex(database),
        cache=RedisAgentCache(redis),
        embedder=HashEmbedder(),
        opener=Keyless(),
        clock=SystemClock(),
    )


def forget_search(database: Database, opener: Cipher | None = None) -> ForgetSearch:
    """With the same embedder."""
    return ForgetSearch(
        search=PostgresSearch(database, model=HashEmbedder().model),
        embedder=HashEmbedder(),
        stemmer=SnowballStemmer(),
        opener=opener or Keyless(),
        clock=SystemClock(),
    )


def side_effects(database: Database, redis: RedisClient) -> SideEffects:
    return SideEffects(PostgresUsage(database), RedisAgentCache(redis), RedisQueryCache(redis), SystemClock())


class UpkeepOf(PostgresUpkeep):
    """Of these organizations only: other tests leave theirs in the database, with work to do."""

    def __init__(self, database: Database, org_ids: Collection[UUID]) -> None:
        super().__init__(database)
        self._org_ids = org_ids

    async def organizations(self) -> Sequence[Visit]:
        return [visit for visit in await super().organizations() if visit.org_id in self._org_ids]


def maintenance(
    database: Database,
    redis: RedisClient,
    queue: Queue,
    *,
    of: Sequence[Tenant],
    capture_queue: DelayedQueue | None = None,
    clock: Clock | None = None,
    idle: timedelta = IDLE,
    bounds: RunLimits | None = None,
    auditor: Auditor | None = None,
) -> Maintenance:
    return Maintenance(
        upkeep=UpkeepOf(database, {tenant.org_id for tenant in of}),
        index=PostgresLexicalIndex(database),
        cache=RedisAgentCache(redis),
        embed_queue=queue,
        capture_queue=capture_queue or SentMessages(),
        clock=clock or SystemClock(),
        idle=idle,
        bounds=bounds or RunLimits(),
        auditor=auditor,
    )
