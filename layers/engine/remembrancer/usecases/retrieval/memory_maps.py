"""The memory maps of one instance: searched during a request, read from the store after its response.

A map that another instance has read comes from the cache, in packed form: then the first request is answered from it.
A map is valid for one state of its agent's memories, named by the cache's change counter. When the current state
differs by additions only, they are read and appended while the query is embedded. When memories were removed or
changed, or the state is unknown, the store is searched and the map is refreshed after the response.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map import memory_map
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import MapRows
from remembrancer.domain.retrieval.freshness import StoreState, Verdict, by_additions, compare, decide
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.search import Cursor, MapSource
from remembrancer.ports.system import Clock
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.deadline import Deadline, let_finish
from remembrancer.usecases.retrieval.known_agents import AgentKey, AgentMap, KnownAgents, UnfinishedMap
from remembrancer.usecases.retrieval.map_segments import MapSegments

Value = TypeVar("Value")

MOST_MEMORIES = 20_000
"""Agents with more have no map: Postgres searches."""
MOST_BYTES = 200_000_000
"""Of all maps of an instance."""
SLICE_MS = 100.0
"""The most time after one response for building a map."""
PAGE_ROWS = 250
"""Memories in one page; a page blocks the event loop for some milliseconds."""
MOST_ADDITIONS = 50
"""Most new memories read while the query is embedded; with more, the store is searched."""
INLINE_ROWS = 2_000
"""Maps with more memories are built and searched on a thread; below, the hand-over takes longer than the work."""
STALE_SECONDS = 2.0
"""Seconds for which a map may answer without additions that the store failed to deliver in time."""
VERIFY_SECONDS = 10.0
"""Seconds between comparisons of the cache's change counter with the store's, since an announcement may have been lost.
"""
TOO_LARGE_SECONDS = 60.0
"""Seconds before an agent that was too large is counted again."""
SHARE_SECONDS = 30.0
"""Least seconds between two writes of an agent's map for other instances: each is of the whole map."""
OLDEST_SECONDS = 900.0
"""Age from which a map is made anew."""
USED_SECONDS = 300.0
"""Seconds between announcements that a map is in use, without which the cache drops it."""
MOST_UNSHARED = 25
"""Most additions to a map before other instances get it anew."""


@dataclass(frozen=True, slots=True)
class MapUse:
    """A map that may answer now; `behind` counts the newer writes, all of them additions."""

    map: MemoryMap
    behind: int = 0


class MemoryMaps:
    """Maps of agents with up to `most_memories`; the least recently used are evicted when all take more than
    `most_bytes`.
    """

    def __init__(
        self,
        source: MapSource,
        cache: AgentCache,
        clock: Clock,
        *,
        dimensions: int,
        most_memories: int = MOST_MEMORIES,
        most_bytes: int = MOST_BYTES,
        slice_ms: float = SLICE_MS,
        segments: MapSegments | None = None,
        agents: KnownAgents | None = None,
        note: Callable[[int], None] = lambda nbytes: None,
    ) -> None:
        """`slice_ms` bounds the refresh work after one response; `most_memories` 0 disables maps.

        `segments` are the maps of other instances, None where none travel. The maps are kept with `agents`. `note`
        receives the bytes of all maps whenever one has changed.
        """
        self._source = source
        self._cache = cache
        self._clock = clock
        self._reads = BackgroundReads(clock)
        self._dimensions = dimensions
        self._most_memories = most_memories
        self._most_bytes = most_bytes
        self._slice_seconds = slice_ms / 1000
        self._segments = segments
        self._agents = KnownAgents() if agents is None else agents
        self._note = note
        self._arriving: dict[AgentKey, asyncio.Task[MemoryMap | None]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="maps")

    @property
    def nbytes(self) -> int:
        """Estimated bytes of all loaded maps, each as of its last change; a map that is being built counts 0."""
        return sum(agent.mapped.nbytes for agent in self._agents)

    def find(self, org_id: UUID, agent_id: UUID) -> MemoryMap | None:
        """The agent's map, current or not."""
        agent = self._find((org_id, agent_id))
        return agent.map if agent is not None else None

    def arriving(self, org_id: UUID, agent_id: UUID) -> "asyncio.Task[MemoryMap | None] | None":
        """Begins to read the map that another instance has made, where this one has none; None: it does not try.

        The map is found from then on, also when the task is no longer waited for, which must not be cancelled.
        """
        agent = self._find((org_id, agent_id))
        if self._segments is None or not self._most_memories:
            return None
        if agent is not None and (agent.unfinished is not None or self._clock.monotonic() < agent.too_large_until):
            return None
        task = self._arriving.get((org_id, agent_id))
        if task is None:
            task = self._arriving[(org_id, agent_id)] = asyncio.ensure_future(self._arrived(org_id, agent_id))
            task.add_done_callback(lambda _: self._arriving.pop((org_id, agent_id), None))
            let_finish(task)
        return task

    async def current(self, known: MemoryMap, change: Change | None, deadline: Deadline) -> MapUse | None:
        """The map to answer with at `change`, after reading the additions that it lacks; None: search the store."""
        agent = self._find((known.org_id, known.agent_id))
        verdict = decide(known.change, stored=StoreState(change)).verdict
        if change is None or agent is None or agent.map is None or verdict > Verdict.EXTEND:
            return None
        if verdict is Verdict.USE:
            return MapUse(known)
        if agent.unfinished is not None:
            return None
        if agent.behind_since is None:
            agent.behind_since = self._clock.monotonic()
        added = await deadline.run("additions", self._with_additions(agent, change))
        if added.report.status == "ok":
            return added.value
        if self._clock.monotonic() - agent.behind_since > STALE_SECONDS:
            return None
        return MapUse(known, change.version - known.change.version)

    def is_due(self, org_id: UUID, agent_id: UUID, change: Change | None) -> bool:
        """Whether `refresh` has work to do, and no read from the store failed lately."""
        if self._reads.resting:
            return False
        agent = self._find((org_id, agent_id))
        if agent is None or change is None:
            return True
        return (
            self._is_unverified(agent)
            or agent.unfinished is not None
            or self._is_wanted(agent, change)
            or self._is_to_share(agent)
        )

    async def refresh(self, org_id: UUID, agent_id: UUID, change: Change | None) -> None:
        """Brings the map closer to current, after the response to a request that saw `change`."""
        agent = self._agents.of((org_id, agent_id)).mapped
        if agent.lock.locked() or self._reads.resting:
            return
        async with agent.lock:
            change = await self._verified(agent, org_id, agent_id, change)
            if change is not None and self._is_wanted(agent, change):
                await self._read(agent, org_id, agent_id, self._clock.monotonic() + self._slice_seconds)
            await self._share(agent, change)
        self._bound(agent)

    def drop(self, org_id: UUID, agent_id: UUID) -> None:
        """Forgets the map, and what was read of it: of a store that was restored, or with vectors of another model."""
        agent = self._agents.find((org_id, agent_id))
        if agent is not None:
            agent.mapped = AgentMap()

    def _find(self, key: AgentKey) -> AgentMap | None:
        agent = self._agents.find(key)
        return agent.mapped if agent is not None else None

    @staticmethod
    def is_small(size: int) -> bool:
        """Whether a map has so few memories that it is searched on the event loop."""
        return size <= INLINE_ROWS

    async def run(self, size: int, work: Callable[[], Value]) -> Value:
        """Runs on the maps' thread, unless the map is small."""
        if self.is_small(size):
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Stops the thread after its current work."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def _with_additions(self, agent: AgentMap, change: Change) -> MapUse | None:
        async with agent.lock:
            known = agent.map
            if known is None or not by_additions(known.change, change):
                return None
            if compare(known.change, change) is Verdict.EXTEND:
                version = known.change.version
                page = await self._source.page(
                    known.org_id, known.agent_id, Cursor(version, _LAST), since=version, limit=MOST_ADDITIONS
                )
                if page is None or page.next is not None or not by_additions(page.change, change):
                    return None
                if page.rows.model != known.model:
                    return None
                known = agent.map = memory_map.extended(known, page.rows, page.change)
                agent.behind_since = None
            return MapUse(known) if known.change.version >= change.version else None

    async def _arrived(self, org_id: UUID, agent_id: UUID) -> MemoryMap | None:
        """The map of the cache; when it is as old as this instance's oldest, it is read anew after the response."""
        assert self._segments is not None
        try:
            decoded = await self._segments.read(org_id, agent_id)
        except StoreError:
            return None
        if decoded is None or len(decoded.map) > self._most_memories:
            return None
        agent = self._agents.of((org_id, agent_id)).mapped
        if agent.map is None and agent.unfinished is None:
            now = self._clock.monotonic()
            agent.map = decoded.map
            agent.made_at = now - max((self._clock.now() - decoded.read_at).total_seconds(), 0.0)
            agent.shared, agent.shared_at = decoded.map.change, now
            self._bound(agent)
        return agent.map

    async def _share(self, agent: AgentMap, change: Change | None) -> None:
        """Stores the map for other instances, if it is that of `change`, the state in the store.

        A removal during the write, of which the cache does not know, removes the stored map again.
        """
        found, segments = agent.map, self._segments
        if found is None or segments is None or change is None or not by_additions(found.change, change):
            return
        if not self._is_to_share(agent):
            return
        now = self._clock.monotonic()
        # Before it is known to be stored, so that the next attempt comes after a pause.
        agent.shared, agent.shared_at = None, now
        with suppress(StoreError):
            generation = await segments.share(found, self._clock.now() - timedelta(seconds=now - agent.made_at))
            agent.shared = found.change
            if generation is not None and not await self._is_as_stored(found):
                await segments.drop(found.org_id, found.agent_id, generation)

    async def _is_as_stored(self, found: MemoryMap) -> bool:
        """Whether the store has had no removal since; False where it does not say."""
        try:
            stored = await self._reads.read(self._source.change(found.org_id, found.agent_id))
        except StoreError:
            return False
        return stored is not None and by_additions(found.change, stored)

    def _is_to_share(self, agent: AgentMap) -> bool:
        found, shared = agent.map, agent.shared
        if self._segments is None or found is None:
            return False
        waited = self._clock.monotonic() - agent.shared_at
        is_newer = (
            shared is None
            or not by_additions(shared, found.change)
            or found.change.version - shared.version >= MOST_UNSHARED
        )
        return waited > (SHARE_SECONDS if is_newer else USED_SECONDS)

    async def _verified(self, agent: AgentMap, org_id: UUID, agent_id: UUID, change: Change | None) -> Change | None:
        """The store's counters where the cache has none, and from time to time otherwise; then updates the cache."""
        if change is not None and not self._is_unverified(agent):
            return change
        stored = await self._reads.read(self._source.change(org_id, agent_id))
        agent.verified_at = self._clock.monotonic()
        if stored is not None and stored != change:
            with suppress(StoreError):
                await self._cache.changed(org_id, agent_id, stored)
        return stored

    def _is_unverified(self, agent: AgentMap) -> bool:
        return agent.verified_at is None or self._clock.monotonic() - agent.verified_at > VERIFY_SECONDS

    def _is_wanted(self, agent: AgentMap, change: Change) -> bool:
        now = self._clock.monotonic()
        if not self._most_memories or now < agent.too_large_until:
            return False
        is_old = agent.map is not None and now - agent.made_at > OLDEST_SECONDS
        if is_old or _is_of_another_life(agent, change):
            agent.map = agent.unfinished = None
        return agent.map is None or compare(agent.map.change, change) is not Verdict.USE or agent.map.is_worn

    async def _read(self, agent: AgentMap, org_id: UUID, agent_id: UUID, until: float) -> None:
        """Reads page by page until all is read or the time is over; continues after another response."""
        unfinished = agent.unfinished = agent.unfinished or await self._begun(agent, org_id, agent_id)
        while unfinished is not None:
            asked = self._source.page(org_id, agent_id, unfinished.next, since=unfinished.since, limit=PAGE_ROWS)
            page = await self._reads.read(asked)
            if page is None or unfinished.size + len(page.rows.memories) > self._most_memories:
                self._give_up(agent)
                return
            if unfinished.model not in {None, page.rows.model}:
                # Another model serves since then: everything is read again, after the next response.
                agent.map = agent.unfinished = None
                return
            unfinished.parts.append(page.rows)
            if page.next is None:
                agent.map = await self._made(unfinished, page.change, page.live)
                if not len(unfinished.base.rows):
                    agent.made_at, agent.shared = self._clock.monotonic(), None
                agent.unfinished = agent.behind_since = None
                return
            unfinished.next = page.next
            if self._clock.monotonic() > until:
                return

    async def _begun(self, agent: AgentMap, org_id: UUID, agent_id: UUID) -> UnfinishedMap | None:
        known = agent.map
        if known is not None and not known.is_worn:
            return UnfinishedMap(known, known.change.version, Cursor(known.change.version, _LAST))
        change = await self._reads.read(self._source.change(org_id, agent_id))
        if change is None or await self._is_too_large(org_id, agent_id):
            self._give_up(agent)
            return None
        # A memory removed during the read has a later change counter, and is read again in its new state.
        return UnfinishedMap(memory_map.empty(org_id, agent_id, self._dimensions), change.version, Cursor(-1, _LAST))

    async def _is_too_large(self, org_id: UUID, agent_id: UUID) -> bool:
        one_more = self._most_memories + 1
        return await self._reads.read(self._source.size(org_id, agent_id, most=one_more)) == one_more

    async def _made(self, unfinished: UnfinishedMap, change: Change, live: int | None) -> MemoryMap | None:
        """The finished map; None when its size is wrong: an erased memory has no change counter to find it by."""
        made = await self.run(
            unfinished.size, lambda: memory_map.extended(unfinished.base, MapRows.joined(unfinished.parts), change)
        )
        return made if len(made) == live else None

    def _give_up(self, agent: AgentMap) -> None:
        agent.map = agent.unfinished = None
        agent.too_large_until = self._clock.monotonic() + TOO_LARGE_SECONDS

    def _bound(self, agent: AgentMap) -> None:
        """Counts this agent's map, and drops the least recently used if all take too much. The others are not counted
        again, since a request waits for this where its map has just arrived.
        """
        agent.nbytes = agent.map.nbytes if agent.map is not None else 0
        total = self.nbytes
        for other in self._agents:
            if total <= self._most_bytes:
                break
            if other.mapped is not agent and other.mapped.nbytes:
                total -= other.mapped.nbytes
                other.mapped = AgentMap()
        self._note(total)


def _is_of_another_life(agent: AgentMap, change: Change) -> bool:
    """Whether the store was restored: memories that a restore removed or brought back have no new change counter."""
    lives = {agent.map.change.life} if agent.map is not None else set()
    if agent.unfinished is not None:
        lives.add(Change(agent.unfinished.since, 0).life)
    return bool(lives - {change.life})


_LAST = UUID(int=(1 << 128) - 1)
