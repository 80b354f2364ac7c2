"""A search in progress: what this instance has of the agent, and the tasks that are not done yet."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.freshness import Verdict, compare
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.deadline import abandon
from remembrancer.usecases.retrieval.evidence import hot_memories
from remembrancer.usecases.retrieval.query_embedding import QueryVector
from remembrancer.usecases.retrieval.search import Search, SearchResult

Value = TypeVar("Value")
Snapshot = asyncio.Future[AgentSnapshot]


@dataclass(frozen=True, slots=True)
class Reading:
    """`known` is the agent's map on this instance, `arriving` that of another one, `snapshot` the agent's data in the
    cache; None where there is none, or where it is not asked for.
    """

    search: Search
    afterwards: Afterwards
    known: MemoryMap | None
    embedding: "asyncio.Future[QueryVector] | None"
    snapshot: Snapshot | None
    arriving: "asyncio.Future[MemoryMap | None] | None" = None
    _hot: list[Sequence[Memory]] = field(default_factory=list, init=False, compare=False)

    def hot_memories(self, seen: AgentSnapshot) -> Sequence[Memory]:
        """Those of this request's snapshot that its end user may see; looked up once."""
        if not self._hot:
            self._hot.append(hot_memories(seen, self._current(seen), self.search))
        return self._hot[0]

    def lacks_hot_memories(self, seen: AgentSnapshot) -> bool:
        """Whether the cache has no hot memories, or, where a map does not give them, none that can be read."""
        return not seen.hot_ids if self._current(seen) is not None else not seen.hot

    @property
    def seen(self) -> AgentSnapshot | None:
        """The agent's cached data; None while it is pending, or when it failed. Unexpected exceptions propagate."""
        return None if self.snapshot is None else value_so_far(self.snapshot)

    async def with_arriving_map(self) -> "Reading":
        """The same with the map of another instance, where it arrives in time; a later one serves the next request."""
        if self.known is not None or self.arriving is None:
            return self
        await self.search.deadline.within(self.search.bounds.segment_ms).wait(self.arriving)
        return replace(self, known=self.arriving.result() if self.arriving.done() else None)

    def completed(self, searched: SearchResult, hot: AgentSnapshot | None) -> "Reading":
        """The same with the map that was searched: it may have arrived, or got additions, since the beginning. Reports
        how many hot memories this request may see, which are not read twice, once without that map.
        """
        completed = self
        if searched.map is not None and searched.map is not self.known:
            completed = replace(self, known=searched.map)
        if hot is not None:
            reports = self.search.deadline.account.reports
            reports["hot"] = replace(reports["hot"], count=len(completed.hot_memories(hot)))
        return completed

    def _current(self, seen: AgentSnapshot) -> MemoryMap | None:
        """The map, if it has the state that the cache names."""
        known = self.known
        return known if known is not None and compare(known.change, seen.change) is Verdict.USE else None

    def abandon(self) -> None:
        """Stops waiting for all pending tasks."""
        self.abandon_embedding()
        if self.snapshot is not None and not self.snapshot.done():
            abandon(self.snapshot)

    def abandon_embedding(self) -> None:
        """Cancels the embedding of a search that needs none, or failed; the cache's task goes on for other callers."""
        if self.embedding is not None and not self.embedding.done():
            abandon(self.embedding)


def value_so_far(future: "asyncio.Future[Value]") -> Value | None:
    """None while it is pending, or when the store failed. Unexpected exceptions propagate."""
    if not future.done() or future.cancelled():
        return None
    error = future.exception()
    if error is not None and not isinstance(error, StoreError):
        raise error
    return None if error is not None else future.result()
