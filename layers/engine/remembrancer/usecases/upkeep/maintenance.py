"""Scheduled maintenance: queues lost work again; memories cool down, expire and are purged."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from remembrancer.domain.capture.turns import queue_message
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.search import LexicalIndex
from remembrancer.ports.system import Clock, DelayedQueue, Queue
from remembrancer.ports.upkeep import Ageing, Backlog, ModelChange, Swept, Unsettled, Visit

VISIT_EVERY = timedelta(hours=1)
UNTIDY_AFTER = timedelta(minutes=10)
AGAIN_AFTER_FAILURE = timedelta(minutes=5)
EVERY = timedelta(minutes=1)
"""How often the scheduled run takes place, as in the template."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one run: `seconds` for all of it; the other limits are for one visit of one organization."""

    seconds: float = 25.0
    queued: int = 1000
    cooled: int = 200
    expired: int = 1000
    dissolved: int = 500
    clusters: int = 100
    merged: int = 100
    forgotten: int = 5000
    retired: int = 5000


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The scheduled run.

    It looks for lost work in every organization. Other tasks run for organizations that are due, the longest overdue
    first; an organization with more work than one visit's limits is due again immediately, after the others.
    """

    backlog: Backlog
    ageing: Ageing
    index: LexicalIndex
    cache: AgentCache
    embed_queue: Queue
    capture_queue: DelayedQueue
    clock: Clock
    idle: timedelta
    """Silence after which a capture model reads a window."""
    bounds: RunLimits = field(default_factory=RunLimits)
    models: ModelChange | None = None
    model: str = ""
    """The deployment's embedding model, for `models`."""

    async def run(self) -> Mapping[str, int]:
        """Returns the amount of work done, by task name."""
        done = Counter(queued=0, queued_conversations=0, given_up=0, visited=0, failed=0)
        end = self.clock.monotonic() + self.bounds.seconds
        visits = await self.backlog.organizations()
        await self._queue_again(visits, done, end)
        await self._change_model(visits, done, end)
        while due := [visit for visit in visits if visit.due_at <= self.clock.now()]:
            for visit in due:
                if self.clock.monotonic() >= end:
                    return done
                await self._visit(visit.org_id, done)
            visits = await self.backlog.organizations()
        return done

    async def _queue_again(self, visits: Sequence[Visit], done: Counter[str], end: float) -> None:
        """Works in rounds, so that an organization with much work does not delay the others."""
        waiting = [visit.org_id for visit in visits]
        while waiting:
            unfinished = []
            for org_id in waiting:
                if self.clock.monotonic() >= end:
                    return
                try:
                    unsettled = await self._queue_conversations(org_id)
                    lost = await self.backlog.lost(org_id, self.clock.now(), self.bounds.queued)
                    await self._queue(org_id, lost.memory_ids)
                except StoreError:
                    done["failed"] += 1
                    continue
                done["queued"] += len(lost.memory_ids)
                done["queued_conversations"] += unsettled
                done["given_up"] += lost.given_up
                if self.bounds.queued in {len(lost.memory_ids), unsettled}:
                    unfinished.append(org_id)
            waiting = unfinished

    async def _change_model(self, visits: Sequence[Visit], done: Counter[str], end: float) -> None:
        """Queues memories whose vectors are of another model, in rounds; where none are left, the new ones serve."""
        models = self.models
        if models is None:
            return
        waiting = [visit.org_id for visit in visits if visit.embedding_model != self.model]
        while waiting:
            unfinished = []
            for org_id in waiting:
                if self.clock.monotonic() >= end:
                    return
                try:
                    outdated = await models.outdated(org_id, self.model, self.clock.now(), self.bounds.queued)
                    queued = await self._queue(org_id, outdated)
                    changed = None if queued else await models.serve(org_id, self.model, self.clock.now())
                    await self._told(org_id, changed or ())
                except StoreError:
                    done["failed"] += 1
                    continue
                done["queued"] += queued
                done["models_changed"] += changed is not None
                if queued == self.bounds.queued:
                    unfinished.append(org_id)
            waiting = unfinished

    async def _queue(self, org_id: UUID, memory_ids: Sequence[UUID]) -> int:
        await self.embed_queue.send([{"org_id": str(org_id), "memory_id": str(one)} for one in memory_ids])
        return len(memory_ids)

    async def _queue_conversations(self, org_id: UUID) -> int:
        """Messages for windows that become idle before the next run are received when they are."""
        now = self.clock.now()
        unsettled = await self.backlog.unsettled(org_id, now, self.bounds.queued, idle=self.idle, ahead=EVERY)
        by_delay: defaultdict[int, list[Unsettled]] = defaultdict(list)
        for one in unsettled:
            by_delay[_delay_seconds(one.idle_at - now)].append(one)
        for delay_seconds, several in sorted(by_delay.items()):
            messages = [queue_message(org_id, one.conversation_id, one.agent_id, one.user_id) for one in several]
            await self.capture_queue.send(messages, delay_seconds=delay_seconds)
        return len(unsettled)

    async def _visit(self, org_id: UUID, done: Counter[str]) -> None:
        now, bounds = self.clock.now(), self.bounds
        counts: Counter[str] = Counter()
        again = now + AGAIN_AFTER_FAILURE
        try:
            counts["cooled"] = await self._told(org_id, await self.ageing.cool(org_id, now, bounds.cooled))
            counts["expired"] = await self._told(org_id, await self.ageing.expire(org_id, now, bounds.expired))
            counts["dissolved"] = await self.ageing.dissolve_mixed_clusters(org_id, bounds.dissolved)
            refreshed, dropped = await self.ageing.refresh_clusters(org_id, now, bounds.clusters)
            counts["clusters"] = refreshed + dropped
            untidy = await self.index.untidy(org_id, now - UNTIDY_AFTER, bounds.merged)
            for agent_id in untidy:
                await self.index.merge(org_id, agent_id)
            counts["merged"] = len(untidy)
            if self.models is not None:
                stragglers = await self.models.stragglers(org_id, self.model, now, bounds.queued)
                counts["queued"] = await self._queue(org_id, stragglers)
                counts["retired"] = await self.models.retire(org_id, self.model, now, bounds.retired)
            forgotten = await self.ageing.forget(org_id, now, bounds.forgotten)
            more = (
                counts["cooled"] >= bounds.cooled
                or counts["expired"] >= bounds.expired
                or counts["dissolved"]
                or counts["clusters"] >= bounds.clusters
                or counts["merged"] >= bounds.merged
                or counts["queued"] >= bounds.queued
                or counts["retired"] >= bounds.retired
                or max(forgotten.values(), default=0) >= bounds.forgotten
            )
            again = now if more else now + VISIT_EVERY
            counts.update({f"forgotten_{name}": number for name, number in forgotten.items()})
            counts["visited"] = 1
        except StoreError:
            counts["failed"] = 1
        done.update(counts)
        try:
            await self.backlog.visited(org_id, again)
        except StoreError:
            # It is due again in the next run, which is harmless.
            done["failed"] += 1

    async def _told(self, org_id: UUID, swept: Sequence[Swept]) -> int:
        """Announces changes; an unreachable cache learns of them with the next change, and until then readers
        validate cached data.
        """
        for one in swept:
            try:
                await self.cache.changed(org_id, one.agent_id, one.change, one.gone)
            except StoreError:
                continue
        return sum(one.memories for one in swept)


def _delay_seconds(until_idle: timedelta) -> int:
    """Until a window is idle, and a second more, since clocks differ; 0 when it is, or only after the next run."""
    if not timedelta() < until_idle <= EVERY:
        return 0
    return math.ceil(until_idle.total_seconds()) + 1
