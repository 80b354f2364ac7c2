"""Searches an agent's memories in the memory map of this instance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.made_items import MadeItems
from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.memory_map.memory_map import Matching, MemoryMap
from remembrancer.domain.retrieval.candidates import FoundMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import VectorHits, WordHits
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps


@dataclass(frozen=True, slots=True, eq=False)
class HeldTerms(MadeItems[tuple[int, ...]]):
    """The query's terms in each of these memories, read when they are asked for: answers are often completed before."""

    matching: Matching
    places: NDArray[np.intp]

    def at(self, rows: Sequence[int]) -> list[tuple[int, ...]]:
        """The terms of several rows are read in one step."""
        places = self.places[list(rows)]
        terms = self.matching.terms(places)
        return [terms.get(place, ()) for place in places.tolist()]

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True)
class MapIndex:
    """Serves the MemoryIndex port for the scope of its one agent; its memories come without their vectors."""

    maps: MemoryMaps
    map: MemoryMap

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> VectorHits:
        """Exact vector search; a map holds the vectors of one model."""
        found = self.map
        if model != found.model or limit < 1:
            return VectorHits([], [], "map")
        eligible = found.eligible(filters, end_user=scope.end_user, now=now)
        answer = await self.maps.run(len(found), lambda: found.nearest(vector, eligible, limit))
        return VectorHits(FoundMemories(found, answer.places), answer.similarity[answer.places], "map")

    async def matching(
        self,
        scope: Scope,
        query: QueryTerms,
        filters: Filters,
        *,
        limit: int,
        now: datetime,
        names_terms: bool = True,
    ) -> WordHits:
        """Lexical search, with the same results as the store's."""
        if not query or limit < 1:
            return WordHits()
        found, end_user = self.map, scope.end_user
        eligible = found.eligible(filters, end_user=end_user, now=now)
        matching = await self.maps.run(len(found), lambda: found.matching(query, eligible, limit, end_user=end_user))

        def columns(answers: Sequence[VectorHits]) -> WordHits:
            """The scores of the best, and of the memories that vector search found."""
            scores, places = matching.scores, matching.places
            if answers:
                left = scores.matched
                left[places] = False
                for answer in answers:
                    others = self._places(answer.memories)
                    others = others[left[others]]
                    left[others] = False
                    places = np.concatenate([places, others])
            return WordHits(
                FoundMemories(found, places),
                scores.content[places],
                scores.context[places],
                scores.subject[places],
                HeldTerms(matching, places) if names_terms else (),
                information=scores.information,
                called=query.called,
                with_found=columns,
            )

        return columns(())

    def _places(self, memories: Sequence[Memory]) -> NDArray[np.intp]:
        """The positions of the memories that are in the map."""
        if isinstance(memories, FoundMemories) and memories.map is self.map:
            return memories.places
        known = (self.map.places.get(memory.id.int) for memory in memories)
        return np.array([place for place in known if place is not None], np.intp)

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """The agent's known words, with the same results as the store's."""
        return self.map.known(terms, end_user=scope.end_user)
