"""Searches an agent's memories in the memory map of this instance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import Booleans
from remembrancer.domain.retrieval.candidates import FoundMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import LexicalAnswer, SearchAnswer
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps


@dataclass(frozen=True, slots=True)
class MapSearch:
    """Serves the MemorySearch port for the scope of its one agent; its memories come without their vectors."""

    maps: MemoryMaps
    map: MemoryMap
    model: str
    _eligible: list[tuple[tuple[Filters, EndUser, datetime], Booleans]] = field(default_factory=list, compare=False)

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """Exact vector search; a map holds the vectors of one model."""
        found = self.map
        if model != self.model or limit < 1:
            return SearchAnswer([], [], "map")
        eligible = self._passing(filters, scope.end_user, now)
        answer = await self.maps.run(len(found), lambda: found.nearest(vector, eligible, limit))
        return SearchAnswer(FoundMemories(found, answer.places), answer.similarity[answer.places].tolist(), "map")

    async def matching(
        self,
        scope: Scope,
        query: QueryTerms,
        filters: Filters,
        *,
        limit: int,
        now: datetime,
        names_terms: bool = True,
    ) -> LexicalAnswer:
        """Lexical search, with the same results as the store's."""
        if not query or limit < 1:
            return LexicalAnswer()
        found, end_user = self.map, scope.end_user
        eligible = self._passing(filters, end_user, now)
        matching = await self.maps.run(len(found), lambda: found.matching(query, eligible, limit, end_user=end_user))

        def columns(answers: Sequence[SearchAnswer]) -> LexicalAnswer:
            """Of the best, and of those that vector search found."""
            scores = matching.scores
            places = np.concatenate([matching.places, *(self._places(answer.memories) for answer in answers)])
            _, first = np.unique(places, return_index=True)
            places = places[np.sort(first)]
            places = places[scores.matched[places]]
            terms = matching.terms(places) if names_terms else {}
            return LexicalAnswer(
                FoundMemories(found, places),
                scores.content[places].tolist(),
                scores.context[places].tolist(),
                scores.subject[places].tolist(),
                [terms.get(place, ()) for place in places.tolist()],
                information=scores.information,
                with_found=columns,
            )

        return columns(())

    def _places(self, memories: Sequence[Memory]) -> NDArray[np.intp]:
        """Of those that are in the map."""
        if isinstance(memories, FoundMemories) and memories.map is self.map:
            return memories.places
        known = (self.map.places.get(memory.id.int) for memory in memories)
        return np.array([place for place in known if place is not None], np.intp)

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """The agent's known words, with the same results as the store's."""
        return self.map.known(terms, end_user=scope.end_user)

    def _passing(self, filters: Filters, end_user: EndUser, now: datetime) -> Booleans:
        """Rows that meet the condition, computed once: both searches of one request have the same condition."""
        condition = filters, end_user, now
        for known, eligible in self._eligible:
            if known == condition:
                return eligible
        eligible = self.map.eligible(filters, end_user=end_user, now=now)
        self._eligible.append((condition, eligible))
        return eligible
