"""Scheduled maintenance: queues lost work again; memories cool down, expire and are purged."""

import asyncio
import logging
import math
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from remembrancer.domain.capture.turns import queue_message
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.memories import EmbeddingStore
from remembrancer.ports.system import Clock, DelayedQueue, Queue
from remembrancer.ports.upkeep import LexicalIndex, Swept, Upkeep, Visit, WaitingConversation
from remembrancer.usecases.audit.auditor import LINKED, Auditor

UNTIDY_AFTER = timedelta(minutes=10)
FAILED, UNFINISHED, DONE = "failed", "unfinished", "done"
AGAIN_AFTER = {FAILED: timedelta(minutes=5), UNFINISHED: timedelta(), DONE: timedelta(hours=1)}
"""When an organization is due again, by what became of its visit; the first that applies."""
EVERY = timedelta(minutes=1)
"""How often the scheduled run takes place, as in the template."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one run: `seconds` for all of it; the other limits are for one step of one organization."""

    seconds: float = 25.0
    queued: int = 1000
    cooled: int = 200
    expired: int = 1000
    dissolved: int = 500
    clusters: int = 100
    merged: int = 100
    forgotten: int = 5000
    retired: int = 5000
    retries: int = 4
    """Of what is done each minute, where it failed: a queue or store that returns is used within seconds."""
    pause_seconds: float = 5.0
    """Before each of them."""


Step = tuple[str, int, Callable[[], Awaitable[int | Mapping[str, int]]]]
"""Name, limit, and what does the work: how much it did, or how much by other names. What reaches the limit has more."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The scheduled run: steps for each organization, of which each has its turn also when another one fails.

    The first ones run for every organization, the others for organizations that are due, the longest overdue first; an
    organization with more work than a step's limit is due again immediately, after the others.
    """

    upkeep: Upkeep
    index: LexicalIndex
    cache: AgentCache
    embed_queue: Queue
    capture_queue: DelayedQueue
    clock: Clock
    idle: timedelta
    """Silence after which a capture model reads a window."""
    bounds: RunLimits = field(default_factory=RunLimits)
    vectors: EmbeddingStore | None = None
    model: str = ""
    """The deployment's embedding model, for `vectors`."""
    auditor: Auditor | None = None

    async def run(self) -> Mapping[str, int]:
        """Returns the amount of work done, by name."""
        done = Counter(queued=0, queued_conversations=0, given_up=0, visited=0, failed=0)
        end = self.clock.monotonic() + self.bounds.seconds
        visits = await self.upkeep.organizations()
        failed = await self._every_minute(visits, done, end)
        await self._visit(visits, done, end)
        for _ in range(self.bounds.retries):
            if not failed or self.clock.monotonic() + self.bounds.pause_seconds >= end:
                break
            await asyncio.sleep(self.bounds.pause_seconds)
            failed = await self._every_minute(failed, done, end)
        return done

    async def _every_minute(self, visits: Sequence[Visit], done: Counter[str], end: float) -> Sequence[Visit]:
        """In rounds, so that an organization with much work does not delay the others; returns where it failed."""
        waiting, failed = visits, list[Visit]()
        while waiting and self.clock.monotonic() < end:
            outcomes = [(one, await self._take(self._each_minute(one), done, end)) for one in waiting]
            waiting = [one for one, outcome in outcomes if outcome == UNFINISHED]
            failed += [one for one, outcome in outcomes if outcome == FAILED]
        return failed

    async def _visit(self, visits: Sequence[Visit], done: Counter[str], end: float) -> None:
        while due := [visit for visit in visits if visit.due_at <= self.clock.now()]:
            for visit in due:
                if self.clock.monotonic() >= end:
                    return
                outcome = await self._take(self._each_visit(visit.org_id), done, end)
                done["visited"] += outcome != FAILED
                try:
                    await self.upkeep.visited(visit.org_id, self.clock.now() + AGAIN_AFTER[outcome])
                except StoreError:
                    # It is due again in the next run, which is harmless.
                    done["failed"] += 1
            visits = await self.upkeep.organizations()

    def _each_minute(self, visit: Visit) -> Iterator[Step]:
        org_id, now, limit = visit.org_id, self.clock.now(), self.bounds.queued
        yield "queued_conversations", limit, lambda: self._queue_conversations(org_id, now)
        yield "queued", limit, lambda: self._queue_lost(org_id, now)
        if (auditor := self.auditor) is not None:
            yield "audit_linked", LINKED, lambda: auditor.link(org_id)
        if (vectors := self.vectors) is not None and visit.embedding_model != self.model:
            yield "queued", limit, lambda: self._change_model(vectors, org_id, now)

    def _each_visit(self, org_id: UUID) -> Iterator[Step]:
        now, upkeep, bounds = self.clock.now(), self.upkeep, self.bounds
        yield "cooled", bounds.cooled, lambda: self._swept(org_id, upkeep.cool(org_id, now, bounds.cooled))
        yield "expired", bounds.expired, lambda: self._swept(org_id, upkeep.expire(org_id, now, bounds.expired))
        yield "dissolved", bounds.dissolved, lambda: upkeep.dissolve_mixed_clusters(org_id, bounds.dissolved)
        yield "clusters", bounds.clusters, lambda: upkeep.refresh_clusters(org_id, now, bounds.clusters)
        yield "merged", bounds.merged, lambda: self._merge(org_id, now)
        if (vectors := self.vectors) is not None:
            yield "queued", bounds.queued, lambda: self._queue_stragglers(vectors, org_id, now)
            yield "retired", bounds.retired, lambda: vectors.retire(org_id, self.model, now, bounds.retired)
        if (auditor := self.auditor) is not None:
            yield "audit_removed", bounds.forgotten, lambda: auditor.remove_old(org_id, now, bounds.forgotten)
        yield "forgotten", bounds.forgotten, lambda: self._forget(org_id, now)

    async def _take(self, steps: Iterable[Step], done: Counter[str], end: float) -> str:
        """FAILED where a step has failed, UNFINISHED where one has more to do or had no time, else DONE."""
        outcomes = {DONE}
        for name, limit, work in steps:
            if self.clock.monotonic() >= end:
                outcomes.add(UNFINISHED)
                break
            try:
                counts = await work()
            except StoreError as error:
                logger.warning("maintenance_failed", extra={"step": name, "cause": error.cause})
                done["failed"] += 1
                outcomes.add(FAILED)
                continue
            counts = {name: counts} if isinstance(counts, int) else counts
            done.update(counts)
            if max(counts.values(), default=0) >= limit:
                outcomes.add(UNFINISHED)
        return next(one for one in AGAIN_AFTER if one in outcomes)

    async def _queue_lost(self, org_id: UUID, now: datetime) -> Mapping[str, int]:
        lost = await self.upkeep.lost(org_id, now, self.bounds.queued)
        return {"queued": await self._queue(org_id, lost.memory_ids), "given_up": lost.given_up}

    async def _change_model(self, vectors: EmbeddingStore, org_id: UUID, now: datetime) -> Mapping[str, int]:
        """Queues memories whose vectors are of another model; where none are left, the new ones serve."""
        outdated = await vectors.outdated(org_id, self.model, now, self.bounds.queued)
        if outdated:
            return {"queued": await self._queue(org_id, outdated)}
        changed = await vectors.serve(org_id, self.model, now)
        await self._told(org_id, changed or ())
        return {"models_changed": int(changed is not None)}

    async def _merge(self, org_id: UUID, now: datetime) -> int:
        untidy = await self.index.untidy(org_id, now - UNTIDY_AFTER, self.bounds.merged)
        for agent_id in untidy:
            await self.index.merge(org_id, agent_id)
        return len(untidy)

    async def _forget(self, org_id: UUID, now: datetime) -> Mapping[str, int]:
        forgotten = await self.upkeep.forget(org_id, now, self.bounds.forgotten)
        return {f"forgotten_{name}": number for name, number in forgotten.items()}

    async def _queue_stragglers(self, vectors: EmbeddingStore, org_id: UUID, now: datetime) -> int:
        return await self._queue(org_id, await vectors.stragglers(org_id, self.model, now, self.bounds.queued))

    async def _queue(self, org_id: UUID, memory_ids: Sequence[UUID]) -> int:
        await self.embed_queue.send([{"org_id": str(org_id), "memory_id": str(one)} for one in memory_ids])
        return len(memory_ids)

    async def _queue_conversations(self, org_id: UUID, now: datetime) -> int:
        """Messages for windows that become idle before the next run are received when they are."""
        waiting = await self.upkeep.waiting_conversations(org_id, now, self.bounds.queued, idle=self.idle, ahead=EVERY)
        by_delay: defaultdict[int, list[WaitingConversation]] = defaultdict(list)
        for one in waiting:
            by_delay[_delay_seconds(one.idle_at - now)].append(one)
        for delay_seconds, several in sorted(by_delay.items()):
            messages = [queue_message(org_id, one.conversation_id, one.agent_id, one.user_id) for one in several]
            await self.capture_queue.send(messages, delay_seconds=delay_seconds)
        return len(waiting)

    async def _swept(self, org_id: UUID, swept: Awaitable[Sequence[Swept]]) -> int:
        return await self._told(org_id, await swept)

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
