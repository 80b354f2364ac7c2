"""What comes right by itself: memories whose embedding message was lost, and an index that was left untidy."""

from dataclasses import dataclass
from datetime import timedelta

from remembrancer.ports.embedding import Backlog
from remembrancer.ports.search import LexicalIndex
from remembrancer.ports.system import Clock, Queue

STALE_AFTER = timedelta(minutes=1)
UNTIDY_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Maintained:
    """What one run did: memories queued again, agents whose index was merged."""

    queued: int
    merged: int


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The use case of the scheduled run; bounded, the next run goes on."""

    backlog: Backlog
    index: LexicalIndex
    embed_queue: Queue
    clock: Clock
    most: int = 1000
    most_merged: int = 200

    async def run(self) -> Maintained:
        """Every organization in turn, until a bound is reached."""
        now = self.clock.now()
        queued = merged = 0
        for org_id in await self.backlog.organizations():
            if queued < self.most:
                stale = await self.backlog.stale(org_id, now - STALE_AFTER, self.most - queued)
                await self.embed_queue.send(
                    [{"org_id": str(org_id), "memory_id": str(memory_id)} for memory_id, _ in stale]
                )
                queued += len(stale)
            for agent_id in await self.index.untidy(org_id, now - UNTIDY_AFTER, self.most_merged - merged):
                await self.index.merge(org_id, agent_id)
                merged += 1
        return Maintained(queued, merged)
