"""The hot set: the agent's best memories, cached for one round trip."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.hot_score import CAPACITY, hot_score
from remembrancer.ports.cache import AgentCache, HotEntry
from remembrancer.ports.memories import EmbeddingStore
from remembrancer.usecases.retrieval.background_reads import BackgroundReads

REFILL_SECONDS = 3.0
"""Seconds for a refill: it scans all memories of an agent; 100,000 take Postgres some tenths of a second."""


def entry(memory: Memory, now: datetime) -> HotEntry:
    """A memory with its hot score at `now`."""
    score = hot_score(
        confidence=memory.confidence, created_at=memory.created_at, retrieval_count=memory.retrieval_count, now=now
    )
    return HotEntry(memory, score)


@dataclass(frozen=True, slots=True)
class HotSets:
    """Refills expired hot sets from the store, never during a request."""

    cache: AgentCache
    store: EmbeddingStore
    reads: BackgroundReads

    async def refill(self, org_id: UUID, agent_id: UUID, now: datetime) -> None:
        """Raises StoreError."""
        as_of, memories = await self.reads.read(self.store.hot_candidates(org_id, agent_id, now, CAPACITY))
        await self.cache.put_hot(org_id, agent_id, [entry(memory, now) for memory in memories], as_of)
