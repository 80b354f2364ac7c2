"""After a commit: informs caches of changes, and queues memories for embedding."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.memories.memory import Change
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.system import Queue
from remembrancer.usecases.retrieval.after_response import Afterwards


@dataclass(frozen=True, slots=True)
class Announcer:
    """Sends announcements; each is recoverable: caches that miss one are no longer trusted, and maintenance queues
    again.
    """

    cache: AgentCache
    embed_queue: Queue

    async def changed(
        self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID], afterwards: Afterwards
    ) -> None:
        """Runs before the answer, so that the caller's next read is current."""
        try:
            await self.cache.changed(org_id, agent_id, change, gone)
        except StoreError:
            afterwards.add("announce_change", lambda: self.cache.changed(org_id, agent_id, change, gone))

    def embed(self, org_id: UUID, memory_ids: Sequence[UUID], afterwards: Afterwards) -> None:
        """Runs after the answer; maintenance finds memories whose message was lost."""
        messages = [{"org_id": str(org_id), "memory_id": str(memory_id)} for memory_id in memory_ids]
        if messages:
            afterwards.add("queue_embedding", lambda: self.embed_queue.send(messages))
