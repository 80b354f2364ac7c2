"""One warm instance of the writing side, and an agent, for tests that change memories."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import EVERYBODY, Principal
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.embed import EmbedMessage, MemoryEmbedder
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.revise import Reviser
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from tests.builders import SetClock
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import MODEL, Tenant, word_vector
from tests.integration.engine.workers import memory_embedder

_KEPT = "SELECT indexed_documents, content_words, context_words, vectors FROM agents WHERE agent_id = %s"
_COUNTED = """
    SELECT count(*), coalesce(sum(t.content_words), 0)::bigint, coalesce(sum(t.context_words), 0)::bigint,
           (SELECT count(*) FROM memory_vectors v WHERE v.agent_id = %s)
    FROM memories m LEFT JOIN term_documents t USING (org_id, agent_id, document)
    WHERE m.agent_id = %s AND m.status = 'active'"""


@dataclass(frozen=True, slots=True)
class Desk:
    """One warm instance of the writing side, and an agent."""

    tenant: Tenant
    reviser: Reviser
    embedder: MemoryEmbedder
    cache: RedisAgentCache
    clock: SetClock
    queue: SentMessages

    async def revise(
        self, memory_id: UUID, *, version: int | None = None, principal: Principal | None = None, **changes: Any
    ) -> StoredMemory:
        later = LaterWork()
        stored = await self.reviser.revise(
            memory_id, changes, principal or self.tenant.principal, version=version, afterwards=later
        )
        if "queue_embedding" in later.names:
            await later.do("queue_embedding")
        return stored

    async def forget(self, memory_id: UUID, *, principal: Principal | None = None) -> StoredMemory:
        return await self.reviser.forget(memory_id, principal or self.tenant.principal, LaterWork())

    async def restore(self, memory_id: UUID, *, principal: Principal | None = None) -> StoredMemory:
        later = LaterWork()
        stored = await self.reviser.restore(memory_id, principal or self.tenant.principal, later)
        if "queue_embedding" in later.names:
            await later.do("queue_embedding")
        return stored

    async def embed(self, *memory_ids: UUID) -> None:
        failed = await self.embedder.embed([EmbedMessage(self.tenant.org_id, one) for one in memory_ids])
        assert failed == {}

    async def hot(self) -> dict[UUID, str]:
        snapshot = await self.cache.read(self.tenant.org_id, self.tenant.agent_id, EVERYBODY, 50)
        return {memory.id: memory.content for memory in snapshot.hot}

    async def by_words(self, query: str) -> set[UUID]:
        search = PostgresSearch(self.tenant.database, model=MODEL)
        terms = self.tenant.wanted(query)
        found = await search.matching(self.tenant.scope(), terms, Filters(), limit=50, now=SystemClock().now())
        return {matched.memory.id for matched in found.found}

    async def by_meaning(self, query: str, filters: Filters | None = None) -> set[UUID]:
        search = PostgresSearch(self.tenant.database, model=MODEL)
        vector = await word_vector(query)
        answer = await search.nearest(
            self.tenant.scope(), vector, filters or Filters(), model=MODEL, limit=50, now=SystemClock().now()
        )
        return {similar.memory.id for similar in answer.found}

    async def assert_counts_are_true(self) -> None:
        agent_id = self.tenant.agent_id
        kept = await self.tenant.fetch(_KEPT, agent_id)
        assert kept == await self.tenant.fetch(_COUNTED, agent_id, agent_id)

    async def unsupersede(
        self,
        memory_id: UUID,
        *,
        keep_both: bool = False,
        version: int | None = None,
        principal: Principal | None = None,
        once: Once | None = None,
    ) -> StoredMemory:
        later = LaterWork()
        stored = await self.reviser.unsupersede(
            memory_id,
            {"keep_both": keep_both},
            principal or self.tenant.principal,
            later,
            version=version,
            once=once,
        )
        if "queue_embedding" in later.names:
            await later.do("queue_embedding")
        return stored


def desk_of(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Desk:
    cache, queue, clock = RedisAgentCache(redis), SentMessages(), SetClock(start=None)
    reviser = Reviser(
        memories=MemoryReader(PostgresMemories(tenant.database), Keyless()),
        life=PostgresMemoryLife(tenant.database),
        directory=PostgresDirectory(tenant.database),
        redactor=Redactor(find_phones),
        deriver=Deriver(counter, SnowballStemmer(), Keyless()),
        announcer=Announcer(cache, queue),
        clock=clock,
        new_id=uuid4,
    )
    return Desk(tenant, reviser, memory_embedder(tenant.database, redis), cache, clock, queue)
