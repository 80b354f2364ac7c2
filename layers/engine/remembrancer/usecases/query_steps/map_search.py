"""Part of step 4: the map of an agent's memories in this instance, where it may answer now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remembrancer.domain.lexical import Wanted
from remembrancer.domain.memory import Change, Vector
from remembrancer.domain.memory_map import MemoryMap
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Scope
from remembrancer.ports.search import LexicalAnswer, SearchAnswer, Similar
from remembrancer.usecases.bounded import Afterwards, Stopwatch
from remembrancer.usecases.maps import MemoryMaps, matches
from remembrancer.usecases.query_steps.plan import Plan

ADDITIONS_MS = 15.0
"""How long the newest memories are waited for, which a map may lack."""


@dataclass(frozen=True, slots=True)
class MapSearch:
    """Serves the MemorySearch port for the scope of its one agent."""

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
        eligible = found.eligible(filters, user_id=scope.user_id, now=now)
        answer = await self.maps.run(len(found), lambda: found.nearest(vector, eligible, limit))
        places = answer.places.tolist()
        return SearchAnswer([Similar(found.memory(each), float(answer.similarity[each])) for each in places], "map")

    async def matching(
        self, scope: Scope, query: Wanted, filters: Filters, *, limit: int, now: datetime
    ) -> LexicalAnswer:
        """As the store."""
        if not query:
            return LexicalAnswer()
        found = self.map
        eligible = found.eligible(filters, user_id=scope.user_id, now=now)
        answer = await self.maps.run(len(found), lambda: found.matching(query, eligible, limit))
        return LexicalAnswer(matches(found, answer))

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Of the agent, as the store."""
        return self.map.known(terms)


async def current(
    maps: MemoryMaps, plan: Plan, change: Change | None, *, model: str, watch: Stopwatch, afterwards: Afterwards
) -> MapSearch | None:
    """The map of the plan's agent, as of `change`; None where the store has to answer.

    Whatever brings the map closer to being current follows after the response.
    """
    scope = plan.scope
    if scope.agent_id is None:
        return None
    org_id, agent_id = scope.org_id, scope.agent_id
    if maps.is_due(org_id, agent_id, change):
        # Where it would have to be done before the response, the store goes on answering.
        afterwards.add("refresh_map", lambda: maps.refresh(org_id, agent_id, change), may_wait=False)
    known = maps.find(org_id, agent_id)
    if known is None:
        return None
    until_ms = min(watch.elapsed_ms() + ADDITIONS_MS, plan.search_until_ms)
    use = await maps.current(known, change, until_ms=until_ms, watch=watch)
    return MapSearch(maps, use.map, model) if use else None
