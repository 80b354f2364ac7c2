"""Searches an agent's memories in the memory map of this instance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.memory_map.memory_map import Matching, MemoryMap
from remembrancer.domain.memory_map.rows import Booleans
from remembrancer.domain.retrieval.evidence import Vectors, cosines
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
        return SearchAnswer(
            found.rows_at(answer.places),
            answer.similarity[answer.places].tolist(),
            "map",
        )

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
        best = self._columns(matching, matching.places, names_terms=names_terms)

        def others(answer: SearchAnswer) -> LexicalAnswer:
            known = (found.places.get(memory.id.int) for memory in answer.memories)
            places = np.array([place for place in known if place is not None], np.intp)
            return self._columns(matching, places[matching.scores.matched[places]], names_terms=names_terms)

        return replace(best, information=matching.scores.information, others=others)

    def _columns(self, answer: Matching, places: NDArray[np.intp], *, names_terms: bool) -> LexicalAnswer:
        scores = answer.scores
        terms = answer.terms(places) if names_terms else {}
        return LexicalAnswer(
            self.map.rows_at(places),
            scores.content[places].tolist(),
            scores.context[places].tolist(),
            scores.subject[places].tolist(),
            [terms.get(place, ()) for place in places.tolist()],
        )

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """The agent's known words, with the same results as the store's."""
        return self.map.known(terms, end_user=scope.end_user)

    def cosines(self, memories: Sequence[Memory], vectors: Mapping[str, Vectors]) -> Mapping[int, float]:
        """Cosines of memories that are not in the map, from the vectors that they came with."""
        found, matrix = self.map, vectors.get(self.model)
        best = cosines([memory for memory in memories if memory.id.int not in found.places], vectors)
        here = [number for memory in memories if (number := memory.id.int) in found.places]
        if matrix is None or not here:
            return best
        places = np.array([found.places[number] for number in here], np.intp)
        values = np.clip((found.vectors.at(places) @ matrix.T).max(axis=1), 0.0, 1.0)
        embedded = found.columns.embedded[places].tolist()
        return best | dict(compress(zip(here, values.tolist(), strict=True), embedded))

    def vector(self, memory: Memory) -> Vector | None:
        """The vector from the map, else the one that the memory came with."""
        place = self.map.places.get(memory.id.int)
        return memory.vector if place is None else self.map.vector(place)

    def _passing(self, filters: Filters, end_user: EndUser, now: datetime) -> Booleans:
        """Rows that meet the condition, computed once: both searches of one request have the same condition."""
        condition = filters, end_user, now
        for known, eligible in self._eligible:
            if known == condition:
                return eligible
        eligible = self.map.eligible(filters, end_user=end_user, now=now)
        self._eligible.append((condition, eligible))
        return eligible
