"""The searches of one retrieval, by vector and by words: in the turn cache, in the agent's map or in the store."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.lexical_index import bm25, subjects
from remembrancer.domain.lexical_index.bm25 import Wanted
from remembrancer.domain.memories.memory import Change, Memory, Vector
from remembrancer.domain.memory_map.memory_map import Matching, MemoryMap, Nearest
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.errors import StoreError, StoreUnavailable
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.identity import AgentState, Directory
from remembrancer.ports.memories import Embedder
from remembrancer.ports.search import LexicalAnswer, MapSource, MemorySearch, SearchAnswer, Similar, Stemmer
from remembrancer.settings import Bounds
from remembrancer.usecases.retrieval.deadline import SKIPPED, Deadline, Outcome, abandon, found_by, is_short
from remembrancer.usecases.retrieval.evidence import Evidence, InMap
from remembrancer.usecases.retrieval.memory_maps import MapUse, MemoryMaps
from remembrancer.usecases.retrieval.prefetch import Prefetcher

KNOWN_MS = 5.0
"""How long the names that an agent knows are waited for, before the query is embedded with all of them."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked of the memories."""

    request: AssembleRequest
    scope: Scope
    filters: Filters
    rows: int
    turn: str
    now: datetime
    deadline: Deadline


@dataclass(frozen=True, slots=True)
class Searched:
    """What came of it, by whatever way."""

    embedded: Outcome[Vector] = SKIPPED
    cold: Outcome[SearchAnswer] = SKIPPED
    words: Outcome[LexicalAnswer] = SKIPPED
    tier: str = "none"
    strategy: str = ""
    behind: int = 0
    remembered: Turn | None = None
    evidence: Sequence[Evidence] = ()
    found: InMap | None = None


@dataclass(frozen=True, slots=True)
class Searches:
    """Where an agent's memories are searched."""

    directory: Directory
    embedder: Embedder
    search: MemorySearch
    stemmer: Stemmer
    source: MapSource
    maps: MemoryMaps
    bounds: Bounds
    prefetcher: Prefetcher | None = None

    async def run(
        self,
        search: Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        state: "asyncio.Future[Outcome[AgentState | None]]",
        known: MemoryMap | None,
        embedding: "asyncio.Future[Outcome[Vector]] | None",
    ) -> Searched:
        """From the turn cache, from the map, or from the store.

        Waits for the cache only where its answer may save the search, and then not for long, or as long as the query is
        being embedded anyway.
        """
        if not search.request.query:
            return Searched()
        if known is None and not search.turn:
            return await self._in_store(search, embedding or self.embed(search, known))
        return await self._by_cache(search, snapshot, state, known, embedding)

    async def _by_cache(
        self,
        search: Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        state: "asyncio.Future[Outcome[AgentState | None]]",
        known: MemoryMap | None,
        embedding: "asyncio.Future[Outcome[Vector]] | None",
    ) -> Searched:
        if embedding is not None:
            # Until it is there, waiting costs the vectors nothing, and a search in the store costs more than the words.
            await search.deadline.within(self.bounds.hot_ms).wait(snapshot, embedding)
        await search.deadline.within(self.bounds.cache_wait_ms).wait(snapshot)
        seen = arrived(snapshot)
        if seen is not None and seen.turn is not None:
            return await self._as_before(search, seen, seen.turn, known)
        embedding = embedding or self.embed(search, known)
        try:
            use = None
            if known is not None:
                change = await self._change(search, snapshot, state)
                use = await self.maps.current(known, change, search.deadline.within(self.bounds.additions_ms))
            if use is None:
                return await self._in_store(search, embedding)
            return await self._in_map(search, use, embedding)
        except BaseException:
            abandon(embedding)
            raise

    async def anew(self, search: Search, searched: Searched) -> Searched:
        """In the store, for who has searched in caches that were wrong; what a search in the store gave stays."""
        if searched.tier not in {"map", "turn_cache"}:
            return searched
        embedding = self.embed(search, None) if searched.embedded.value is None else _known(searched.embedded)
        return await self._in_store(search, embedding)

    async def _change(
        self,
        search: Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        state: "asyncio.Future[Outcome[AgentState | None]]",
    ) -> Change | None:
        """How far the agent's memories have come: by the cache, or by the store where it is late or does not know.

        The store's word costs it far less than a search.
        """

        def known() -> Change | None:
            seen = arrived(snapshot)
            if seen is not None and seen.change is not None:
                return seen.change
            stored = state.result().value if state.done() else None
            return stored.change if stored is not None else None

        return await search.deadline.within(self.bounds.hot_ms).first(known, snapshot, state)

    def embed(self, search: Search, known: MemoryMap | None) -> "asyncio.Future[Outcome[Vector]]":
        """Begins with the next turn of the event loop, ahead of all that is begun after it."""

        async def embed() -> Vector:
            vectors = await self.embedder.embed([await self._what_is_asked(search, known)])
            return _usable(vectors, self.embedder.dimensions)

        embedding = asyncio.ensure_future(embed())
        return asyncio.ensure_future(search.deadline.within(self.bounds.cold_ms).run("embed", embedding))

    async def _what_is_asked(self, search: Search, known: MemoryMap | None) -> str:
        """The query without the names of those whose words are remembered: that they said it is evidence of its own."""
        query = search.request.query
        named = subjects.named(query)
        if not named.certain or not named.names:
            return query

        async def remembered() -> frozenset[str]:
            organization = await self.directory.organization(search.request.org_id)
            if organization is None:
                return frozenset()
            hashes = {bm25.speaker_hash(organization.term_key, name): name for name in named.names}
            asked = list(hashes)
            if known is None:
                terms = await self.search.known(search.scope, asked)
            else:
                terms = known.known(asked, end_user=search.request.end_user)
            return frozenset(hashes[term] for term in terms)

        found = await search.deadline.soon(KNOWN_MS).run("names", remembered())
        return subjects.without(query, named, found.value or frozenset())

    async def _in_store(self, search: Search, embedding: "asyncio.Future[Outcome[Vector]]") -> Searched:
        """Vectors and words at once; embedding and vector search are one chain under one bound."""

        def nearest(vector: Vector) -> Coroutine[Any, Any, SearchAnswer]:
            return self.search.nearest(
                search.scope, vector, search.filters, model=self.embedder.model, limit=search.rows, now=search.now
            )

        words = asyncio.ensure_future(self._lexical(search))
        try:
            embedded = await embedding
            cold: Outcome[SearchAnswer] = SKIPPED
            if embedded.value is not None and "cold" not in search.request.options.skip and search.rows:
                cold = await self._nearest(search, embedded.value, nearest)
            matched = await words
        except BaseException:
            abandon(words)
            raise
        is_found = cold.report.status == "ok" or matched.report.status == "ok"
        strategy = cold.value.strategy if cold.value else ""
        return Searched(embedded, cold, matched, tier="postgres" if is_found else "none", strategy=strategy)

    async def _nearest(
        self, search: Search, own: Vector, nearest: Callable[[Vector], Coroutine[Any, Any, SearchAnswer]]
    ) -> Outcome[SearchAnswer]:
        """With the query's own vector, and beside it with those made after the turn before, which never spoil it."""
        deadline = search.deadline.within(self.bounds.cold_ms)

        async def search_one(vector: Vector) -> Outcome[SearchAnswer]:
            return await deadline.run("cold", nearest(vector), count=found_by, short=is_short)

        vectors = await self._prefetched(search)
        first, *others = await asyncio.gather(*(search_one(vector) for vector in (own, *vectors)))
        answers = [outcome.value for outcome in (first, *others) if outcome.value is not None]
        if first.value is None or len(answers) == 1:
            return first
        best: dict[int, Similar] = {}
        for similar in (similar for answer in answers for similar in answer.found):
            known = best.get(similar.memory.id.int)
            if known is None or known.similarity < similar.similarity:
                best[similar.memory.id.int] = similar
        found = sorted(best.values(), key=lambda similar: (-similar.similarity, similar.memory.id))
        return Outcome(SearchAnswer(found, first.value.strategy), replace(first.report, count=len(found)))

    async def _prefetched(self, search: Search) -> Sequence[Vector]:
        if self.prefetcher is None or search.request.session_id is None:
            return ()
        deadline = search.deadline.soon(self.bounds.cache_wait_ms)
        found = await deadline.run("hypotheses", self.prefetcher.vectors(search.request))
        return () if found.value is None else list(found.value)

    async def _lexical(self, search: Search) -> Outcome[LexicalAnswer]:
        if "lexical" in search.request.options.skip or not search.rows:
            return SKIPPED

        async def match() -> LexicalAnswer:
            wanted = await self._wanted(search.request)
            return await self.search.matching(search.scope, wanted, search.filters, limit=search.rows, now=search.now)

        deadline = search.deadline.within(self.bounds.lexical_ms)
        return await deadline.run("lexical", match(), count=found_by, short=is_short)

    async def _wanted(self, request: AssembleRequest) -> Wanted:
        organization = await self.directory.organization(request.org_id)
        if organization is None:
            return Wanted()
        return bm25.wanted(request.query, key=organization.term_key, stem=self.stemmer.stem)

    async def _in_map(self, search: Search, use: MapUse, embedding: "asyncio.Future[Outcome[Vector]]") -> Searched:
        """Words while the query is being embedded, then vectors; both search the places that pass the filters."""
        found, skip, end_user = use.map, search.request.options.skip, search.request.end_user
        eligible = found.eligible(search.filters, end_user=end_user, now=search.now)
        words: Outcome[Matching | None] = SKIPPED
        cold: Outcome[Nearest] = SKIPPED

        async def matching() -> Matching | None:
            wanted = await self._wanted(search.request)
            if not wanted:
                return None
            return await self.maps.run(
                len(found), lambda: found.matching(wanted, eligible, search.rows, end_user=end_user)
            )

        async def nearest(vectors: Sequence[Vector]) -> Nearest:
            # Hot memories want their similarity also where the request skips this search.
            limit = 0 if "cold" in skip else search.rows
            return await self.maps.run(
                len(found), lambda: Nearest.joined([found.nearest(vector, eligible, limit) for vector in vectors])
            )

        if "lexical" not in skip and search.rows:
            words = await search.deadline.within(self.bounds.lexical_ms).run(
                "lexical", matching(), count=lambda answer: 0 if answer is None else len(answer.places)
            )
        embedded = await embedding
        if embedded.value is not None and search.rows:
            # Of the turn before, beside the query's own, which they never spoil.
            vectors = () if "cold" in skip else await self._prefetched(search)
            cold = await search.deadline.within(self.bounds.cold_ms).run(
                "cold", nearest([embedded.value, *vectors]), count=lambda answer: len(answer.places)
            )
        return Searched(
            embedded,
            SKIPPED if "cold" in skip else Outcome(None, cold.report),
            Outcome(None, words.report),
            tier="map",
            strategy="map",
            behind=use.behind,
            found=InMap(found, cold.value, words.value),
        )

    async def _as_before(self, search: Search, seen: AgentSnapshot, turn: Turn, known: MemoryMap | None) -> Searched:
        """The turn's memories again, those that are still there: no embedding, no search."""
        at_hand: dict[int, Memory] = {memory.id.int: memory for memory in seen.hot}
        vectors = {identifier: memory.vector for identifier, memory in at_hand.items()}
        if known is not None and _is_as_it_was(known, seen):
            for item in turn.found:
                place = known.place(item.memory_id)
                if place is not None:
                    at_hand[item.memory_id.int] = known.row(place)
                    vectors[item.memory_id.int] = known.vector(place)
        absent = [item.memory_id for item in turn.found if item.memory_id.int not in at_hand]

        async def rows() -> SearchAnswer:
            request = search.request
            stored = await self.source.rows(request.org_id, request.agent_id, absent) if absent else ()
            at_hand.update((memory.id.int, memory) for memory in stored)
            vectors.update((memory.id.int, memory.vector) for memory in stored)
            return SearchAnswer([Similar(at_hand[key], 0.0) for key in keys if key in at_hand], "turn_cache")

        keys = [item.memory_id.int for item in turn.found]
        deadline = search.deadline.within(self.bounds.cold_ms)
        cold = await deadline.run("cold", rows(), count=found_by, short=is_short)
        evidence = [
            Evidence(
                at_hand[item.memory_id.int],
                item.dense,
                item.lexical,
                item.hot,
                item.subject,
                vectors[item.memory_id.int],
            )
            for item in turn.found
            if item.memory_id.int in at_hand
        ]
        return Searched(cold=cold, tier="turn_cache", remembered=turn, evidence=evidence)


def _known(embedded: Outcome[Vector]) -> "asyncio.Future[Outcome[Vector]]":
    known: asyncio.Future[Outcome[Vector]] = asyncio.get_running_loop().create_future()
    known.set_result(embedded)
    return known


def _usable(vectors: NDArray[np.float32], dimensions: int) -> Vector:
    """The one vector that was asked for; StoreUnavailable for anything that could not be compared with others."""
    if vectors.shape != (1, dimensions) or not 0.9 < float(vectors[0] @ vectors[0]) < 1.1:
        raise StoreUnavailable("the embedder gave no unit vector", cause="InvalidVector")
    return np.asarray(vectors[0], dtype=np.float32)


def arrived(snapshot: "asyncio.Future[AgentSnapshot]") -> AgentSnapshot | None:
    """None when it is not there, or failed; a bug flies."""
    if not snapshot.done() or snapshot.cancelled():
        return None
    error = snapshot.exception()
    if error is not None and not isinstance(error, StoreError):
        raise error
    return None if error is not None else snapshot.result()


def _is_as_it_was(known: MemoryMap, seen: AgentSnapshot) -> bool:
    """Whether nothing went since the map was read."""
    return seen.change is not None and seen.change.removals == known.change.removals
