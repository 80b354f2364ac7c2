"""What comes right by itself: memories whose embedding message was lost are queued again."""

from dataclasses import dataclass
from datetime import timedelta

from remembrancer.ports.embedding import Backlog
from remembrancer.ports.system import Clock, Queue

STALE_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The use case of the scheduled run; bounded, the next run goes on."""

    backlog: Backlog
    embed_queue: Queue
    clock: Clock
    most: int = 1000

    async def run(self) -> int:
        """How many memories were queued again."""
        older_than = self.clock.now() - STALE_AFTER
        queued = 0
        for org_id in await self.backlog.organizations():
            stale = await self.backlog.stale(org_id, older_than, self.most - queued)
            await self.embed_queue.send(
                [{"org_id": str(org_id), "memory_id": str(memory_id)} for memory_id, _ in stale]
            )
            queued += len(stale)
            if queued >= self.most:
                break
        return queued
