"""Usage counts from the events of assembly and query, each counted once."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.errors import StoreError
from remembrancer.ports.usage import UsageEvent, UsageStore


@dataclass(frozen=True, slots=True)
class SideEffects:
    """The use case of the side-effects worker."""

    store: UsageStore

    async def apply(self, events: Sequence[UsageEvent]) -> set[UUID]:
        """One statement a table for each organization; ids of events that failed and are to be delivered again."""
        failed: set[UUID] = set()
        for org_id in sorted({event.org_id for event in events}):
            chosen = [event for event in events if event.org_id == org_id]
            try:
                await self.store.apply(org_id, chosen)
            except StoreError:
                failed |= {event.event_id for event in chosen}
        return failed
