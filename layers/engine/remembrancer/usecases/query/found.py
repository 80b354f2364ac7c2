"""Steps 3 and 4: embeds the query and collects candidates from every source of the tier concurrently."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.memory_rows import ids_of
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.after_response import Afterwards, schedule
from remembrancer.usecases.retrieval.deadline import abandon
from remembrancer.usecases.retrieval.reading import Reading
from remembrancer.usecases.retrieval.search import Searched
from remembrancer.usecases.retrieval.searches import Searches


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates, one entry a memory; `seen` is the content of the agent's cache.

    `began_early`: the search may have begun before the state of its scope was read.
    """

    searched: Searched
    evidence: Sequence[Evidence]
    seen: AgentSnapshot | None
    began_early: bool = False

    @property
    def as_of(self) -> Change | None:
        """The change counter of the map that was searched; None where no map was searched."""
        known = self.searched.map
        return None if known is None else known.change

    @property
    def stored(self) -> frozenset[int]:
        """Id numbers of the memories that the store itself returned in this request."""
        searched = self.searched
        if searched.is_cached:
            return searched.stored
        answers = [searched.nearest, searched.words, *searched.hypothesised.answers]
        return frozenset(identifier for answer in answers if answer for identifier in ids_of(answer.memories))


@dataclass(slots=True)
class Finding:
    """The searches of one query, which may begin before it is known whether they are needed."""

    searches: Searches
    plan: QueryPlan
    afterwards: Afterwards
    _reading: Reading | None = None
    _running: "asyncio.Task[Found] | None" = None

    def begin(self) -> None:
        """Begins what costs nothing but this instance's time: the embedding, and the search in a map."""
        if not self.searches.embedding.is_free:
            return
        self._reading = self.searches.begin(self.plan.search, self.afterwards)
        if self._reading.known is not None and self.plan.search.hypotheses is None:
            self._running = asyncio.ensure_future(self._find())

    async def found(self) -> Found:
        """The result, of what has begun or begins now."""
        if self._running is None:
            return await self._find()
        return replace(await self._running, began_early=True)

    def abandon(self) -> None:
        """Stops what has begun, without waiting."""
        if self._reading is not None:
            self._reading.abandon()
        if self._running is not None:
            abandon(self._running)

    async def _find(self) -> Found:
        return await find(self.searches, self.plan, self.afterwards, begun=self._reading)


async def find(
    searches: Searches,
    plan: QueryPlan,
    afterwards: Afterwards,
    *,
    begun: Reading | None = None,
    use_map: bool = True,
) -> Found:
    """Runs all searches until the plan's bound for searches; `begun` is one that has begun already.

    With `use_map` False, a map that contradicts the store is not searched again; it is rebuilt after the response.
    """
    search = plan.search
    reading = begun or searches.begin(search, afterwards, use_map=use_map)
    searching = asyncio.ensure_future(searches.run(reading))
    hot: AgentSnapshot | None = None
    try:
        if reading.snapshot is not None:
            hot = (await search.deadline.run("hot", reading.snapshot)).value
        searched = await searching
    finally:
        reading.abandon()
        if not searching.done():
            abandon(searching)
    reading = reading.completed(searched, hot)
    if hot is not None or not use_map:
        change = hot.change if hot is not None and use_map else None
        schedule(searches.map_refresh(search, change, is_due=not use_map), afterwards)
    # Searches apply the filters themselves. The hot set does not, and memories of a remembered turn may have changed.
    evidence = searches.evidence(reading, searched, hot, filtered=True)
    if searched.remembered is not None:
        evidence = [one for one in evidence if plan.admits(one.memory)]
    return Found(searched, evidence, hot)
