"""Part of step 4: the map of an agent's memories in this instance, where it may answer now."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import compress

import numpy as np

from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.lexical_index.bm25 import Wanted
from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import LexicalAnswer, SearchAnswer, Similar
from remembrancer.usecases.query.plan import Plan
from remembrancer.usecases.query.similarity import Vectors, cosines
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.deadline import Outcome
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps, matches

MAP_MS = 15.0
"""How long a map's search waits for the agent's state, and then for the newest memories, which the map may lack."""


@dataclass(frozen=True, slots=True)
class MapSearch:
    """Serves the MemorySearch port for the scope of its one agent; its memories come without their vectors."""

    maps: MemoryMaps
    map: MemoryMap
    model: str

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """Exact; a map has the vectors of one model."""
        found = self.map
        if model != self.model:
            return SearchAnswer([], "map")
        eligible = found.eligible(filters, end_user=scope.end_user, now=now)
        answer = await self.maps.run(len(found), lambda: found.nearest(vector, eligible, limit))
        similarity = answer.similarity[answer.places].tolist()
        places = answer.places.tolist()
        return SearchAnswer(
            [Similar(found.row(place), cosine) for place, cosine in zip(places, similarity, strict=True)], "map"
        )

    async def matching(
        self, scope: Scope, query: Wanted, filters: Filters, *, limit: int, now: datetime
    ) -> LexicalAnswer:
        """As the store."""
        if not query:
            return LexicalAnswer()
        found = self.map
        eligible = found.eligible(filters, end_user=scope.end_user, now=now)
        end_user = scope.end_user
        answer = await self.maps.run(len(found), lambda: found.matching(query, eligible, limit, end_user=end_user))
        return LexicalAnswer(matches(found, answer))

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Of the agent, as the store."""
        return self.map.known(terms, end_user=scope.end_user)

    def cosines(self, memories: Sequence[Memory], vectors: Mapping[str, Vectors]) -> dict[int, float]:
        """As of memories that have their vectors with them."""
        found, matrix = self.map, vectors.get(self.model)
        best = cosines([memory for memory in memories if memory.id.int not in found.places], vectors)
        here = [number for memory in memories if (number := memory.id.int) in found.places]
        if matrix is None or not here:
            return best
        places = np.array([found.places[number] for number in here], np.intp)
        values = np.clip((found.vectors.buffer[places] @ matrix.T).max(axis=1), 0.0, 1.0)
        embedded = found.columns.embedded[places].tolist()
        return best | dict(compress(zip(here, values.tolist(), strict=True), embedded))


def hot(snapshot: AgentSnapshot, known: MemoryMap | None, plan: Plan) -> AgentSnapshot:
    """With the hot memories where the cache only named them, as who knows their state is told."""
    if known is None or not snapshot.hot_ids:
        return snapshot
    rows = (known.memory(known.places[number]) for number in snapshot.hot_ids if number in known.places)
    scope = plan.scope
    seen = [row for row in rows if row.is_visible(agent_id=scope.agent_id, end_user=scope.end_user, now=plan.now)]
    return replace(snapshot, hot=seen)


async def current(
    maps: MemoryMaps,
    plan: Plan,
    reading: "asyncio.Future[Outcome[AgentSnapshot]]",
    *,
    model: str,
    bound_ms: float,
    afterwards: Afterwards,
) -> MapSearch | None:
    """The map of the plan's agent, as of the state that is being read; None where the store has to answer.

    Nobody waits where there is no map. Whatever brings it closer to being current follows after the response.
    """
    org_id, agent_id = plan.scope.org_id, plan.scope.agent_id
    if agent_id is None:
        return None
    known = maps.find(org_id, agent_id)
    if known is not None:
        await plan.searching.soon(bound_ms).wait(reading)
    seen = _seen(reading)

    async def follow() -> None:
        if (then := _seen(reading)) is not None:
            await maps.refresh(org_id, agent_id, then.change)

    if known is None or maps.is_due(org_id, agent_id, seen.change if seen else None):
        # Where it would have to be done before the response, the store goes on answering.
        afterwards.add("refresh_map", follow, may_wait=False)
    if known is None or seen is None:
        return None
    use = await maps.current(known, seen.change, plan.searching.soon(bound_ms))
    # A query has the time to ask the store for what a map lacks.
    return MapSearch(maps, use.map, model) if use and not use.behind else None


def as_stored(maps: MemoryMaps, plan: Plan) -> Callable[[], Awaitable[None]]:
    """The map of the plan's agent made anew from the store, and the cache told its state."""
    org_id, agent_id = plan.scope.org_id, plan.scope.agent_id
    assert agent_id is not None
    return lambda: maps.refresh(org_id, agent_id, None)


def _seen(reading: "asyncio.Future[Outcome[AgentSnapshot]]") -> AgentSnapshot | None:
    """None while it is not known."""
    return reading.result().value if reading.done() and not reading.cancelled() else None
