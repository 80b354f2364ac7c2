"""Applies usage events: counts, sessions and profiles, each event once; then hot scores and popular queries."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache, QueryCache
from remembrancer.ports.system import Clock
from remembrancer.ports.usage import AppliedUsage, UsageEvent, UsageStore
from remembrancer.usecases.retrieval.hot_set import entry


@dataclass(frozen=True, slots=True)
class SideEffects:
    """Applies usage events for the side-effects worker."""

    store: UsageStore
    cache: AgentCache
    queries: QueryCache
    clock: Clock

    async def apply(self, events: Sequence[UsageEvent]) -> dict[UUID, str]:
        """One transaction for each organization; returns ids of failed events, to be delivered again, with the
        reason.
        """
        failed: dict[UUID, str] = {}
        for org_id in sorted({event.org_id for event in events}):
            chosen = [event for event in events if event.org_id == org_id]
            try:
                applied = await self.store.apply(org_id, chosen)
            except StoreError as error:
                failed |= dict.fromkeys((event.event_id for event in chosen), error.cause)
                continue
            try:
                await self._tell(org_id, applied)
            except StoreError:
                # The events are counted and must not be delivered again. A refill recomputes the hot set's scores, and
                # a popular query will be counted again.
                continue
        return failed

    async def _tell(self, org_id: UUID, applied: AppliedUsage) -> None:
        asked = Counter(event.query_key for event in applied.events if event.query_key is not None)
        await self.queries.asked(org_id, sorted(asked.items()))
        for agent_id, change in sorted(applied.changes.items()):
            await self.cache.changed(org_id, agent_id, change)
        for agent_id, memory_ids in sorted(applied.used.items()):
            now = self.clock.now()
            as_of, memories = await self.store.current(org_id, agent_id, memory_ids, now)
            await self.cache.rescore(org_id, agent_id, [entry(memory, now) for memory in memories], as_of)
