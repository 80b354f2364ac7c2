"""The searches of one retrieval: in the turn cache, in the agent's map, or in the store."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.lexical_index import bm25, subjects
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memories.memory_rows import ids_of
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.candidates import FoundMemories
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.freshness import by_additions
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.identity import Directory
from remembrancer.ports.search import MapSource, MemoryIndex, Stemmer, VectorHits, WordHits
from remembrancer.usecases.retrieval import terms
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.deadline import SourceOutcome, abandon, done, let_finish
from remembrancer.usecases.retrieval.evidence import meeting_filters, merge, remembered
from remembrancer.usecases.retrieval.hypothesiser import Hypothesiser
from remembrancer.usecases.retrieval.map_index import MapIndex
from remembrancer.usecases.retrieval.memory_maps import MapUse, MemoryMaps
from remembrancer.usecases.retrieval.query_embedding import NO_VECTOR, QueryEmbedding, QueryVector
from remembrancer.usecases.retrieval.reading import Reading, value_so_far
from remembrancer.usecases.retrieval.search import Hypotheses, HypothesisHits, Search, SearchResult
from remembrancer.usecases.retrieval.serving_model import is_incomplete, serving

State = asyncio.Future[SourceOutcome[AgentState | None]]


@dataclass(frozen=True, slots=True)
class Searcher:
    """Chooses where to search, for assembly and for the memory query.

    `store` is the database's search, `source` reads single rows. `hypothesiser` is None without a language model.
    `previous` embeds questions of organizations whose memories are being embedded again; hypotheses, too. `remembered`
    gives an organization that this instance has read lately, without I/O.
    """

    directory: Directory
    embedding: QueryEmbedding
    store: MemoryIndex
    stemmer: Stemmer
    cache: AgentCache
    source: MapSource
    maps: MemoryMaps
    hypothesiser: Hypothesiser | None = None
    previous: QueryEmbedding | None = None
    remembered: Callable[[UUID], Organization | None] = lambda _: None

    def begin(self, search: Search, afterwards: Afterwards) -> Reading:
        """Asks the cache, whose answer comes while this computes; starts the embedding, unless the turn is probably
        stored.
        """
        key, known, snapshot, arriving = search.agent_key, None, None, None
        if key is not None:
            # Maps hold no metadata.
            known = None if search.filters.metadata else self.maps.find(*key)
            state, end_user = known.change if known else None, search.scope.end_user
            asked = self.cache.read(
                *key, end_user, search.hot_limit, known=state, turn=search.turn, session=search.session
            )
            snapshot = asyncio.ensure_future(asked)
            if known is None and not search.filters.metadata and search.query and search.limit:
                arriving = self.maps.arriving(*key)
        waits = not search.query or not search.limit or (search.turn and search.is_asked_again)
        embedding = None if waits else self._embed(search, known, afterwards)
        return Reading(search, afterwards, known, embedding, snapshot, arriving)

    async def run(self, reading: Reading, state: State | None = None) -> SearchResult:
        """Searches the turn cache, the map, or the store.

        Waits for the cache only where its answer may save the search: for a short time, or until the query is embedded.
        `state` is the agent's state in the store.
        """
        search, snapshot = reading.search, reading.snapshot
        if not search.query or not search.limit:
            return SearchResult()
        if not search.turn:
            reading = await reading.with_arriving_map()
        if snapshot is None or (reading.known is None and not search.turn):
            return await self._search(reading, None)
        if reading.embedding is not None:
            # Until the embedding is there, waiting does not delay the vector search, and a search in the store costs
            # more than the lexical search loses.
            await search.deadline.within(search.bounds.state_ms).wait(snapshot, reading.embedding)
        await search.deadline.within(search.bounds.turn_ms).wait(snapshot)
        seen = reading.seen
        if seen is not None and seen.turn is not None and search.is_asked_again:
            return await self._as_before(reading, seen, seen.turn)
        reading = await reading.with_arriving_map()
        if reading.embedding is None:
            reading = replace(reading, embedding=self._embed(search, reading.known, reading.afterwards))
        try:
            use = await self._current_map(reading, state)
        except BaseException:
            reading.abandon_embedding()
            raise
        if use is None:
            return await self._search(reading, None)
        searched = await self._search(reading, use.map)
        return replace(searched, behind=use.behind) if use.behind else searched

    async def rows_of(self, reading: Reading, seen: AgentSnapshot, memory_ids: Sequence[UUID]) -> dict[UUID, Memory]:
        """The current rows of these memories: of the map if nothing was removed since it was read, else the store's."""
        key, known, rows = reading.search.agent_key, reading.known, dict[UUID, Memory]()
        assert key is not None
        if known is not None and _is_as_it_was(known, seen):
            places = {memory_id: place for memory_id in memory_ids if (place := known.place(memory_id)) is not None}
            rows = {memory_id: known.row(place) for memory_id, place in places.items()}
        absent = [memory_id for memory_id in memory_ids if memory_id not in rows]
        if absent:
            rows |= {memory.id: memory for memory in await self.source.rows(*key, absent)}
        return rows

    async def anew(self, reading: Reading, searched: SearchResult) -> SearchResult:
        """Searches the store after outdated caches were searched; results that came from the store are kept."""
        if not searched.is_cached:
            return searched
        if searched.embedded.vector is not None:
            embedding = done(searched.embedded)
        else:
            embedding = self._embed(reading.search, None, reading.afterwards)
        return await self._search(replace(reading, known=None, embedding=embedding), None)

    @property
    def model(self) -> str:
        """The deployment's model; that of `previous` may still serve."""
        return self.embedding.embedder.model

    def evidence(self, reading: Reading, searched: SearchResult, hot: AgentSnapshot | None) -> Sequence[Evidence]:
        """Merges search results and memories of the hot set; `hot` is None where it may not be used.

        Searches apply the filters themselves. The hot set does not, and memories of a remembered turn may have changed.
        """
        search = reading.search
        if searched.remembered is not None:
            if search.for_prompt:
                return searched.evidence
            return [item for item in searched.evidence if search.filters.admits(item.memory, now=search.now)]
        memories = () if hot is None else reading.hot_memories(hot)
        if not search.for_prompt:
            memories = meeting_filters(memories, search)
        if isinstance(memories, FoundMemories) and memories.map is not None and searched.map is None:
            # The store does not have the vectors of a map's rows. What Redis has itself is as new as the store, and
            # stays: a map without the state that Redis names may have an older text.
            of_map = memories.map
            memories = [of_map.memory(place) for place in memories.places.tolist()]
        return merge(memories, searched)

    def wanted(self, search: Search, organization: Organization) -> QueryTerms:
        """The terms that the query looks for; `called` are the names in it."""
        return terms.wanted(search.query, organization, self.stemmer, kinds=search.kinds, referred=search.referred)

    async def _current_map(self, reading: Reading, state: State | None) -> MapUse | None:
        """The map, if it is valid for the state that cache or store report first."""
        search, snapshot = reading.search, reading.snapshot
        if reading.known is None or snapshot is None:
            return None

        def known() -> Change | None:
            seen = reading.seen
            if seen is not None and seen.change is not None:
                return seen.change
            stored = state.result().value if state is not None and state.done() else None
            return stored.change if stored is not None else None

        late = [snapshot] if state is None else [snapshot, state]
        change = await search.deadline.within(search.bounds.state_ms).first(known, *late)
        use = await self.maps.current(reading.known, change, search.deadline.within(search.bounds.additions_ms))
        return use if use is None or search.for_prompt or not use.behind else None

    def _embed(self, search: Search, known: MemoryMap | None, afterwards: Afterwards) -> "asyncio.Future[QueryVector]":
        """Starts the embedding; it runs in the event loop's next iteration, before all tasks started later."""
        deadline = search.deadline.within(search.bounds.vector_ms)

        async def embed() -> QueryVector:
            kept = self.remembered(search.scope.org_id)
            read: asyncio.Future[Organization | None] = (
                asyncio.ensure_future(self.directory.organization(search.scope.org_id)) if kept is None else done(kept)
            )
            try:
                text = await self._without_speakers(search, known, kept)
                if self.previous is not None:
                    await search.deadline.soon(search.bounds.names_ms).wait(read)
                embedding = serving(value_so_far(read), self.embedding, self.previous)
                embedded = await embedding.embed(search.scope, text, deadline, afterwards)
                incomplete = is_incomplete(value_so_far(read), embedding.model)
                return replace(embedded, incomplete=True) if incomplete else embedded
            finally:
                let_finish(read)

        return asyncio.ensure_future(embed())

    async def _without_speakers(
        self, search: Search, known: MemoryMap | None, organization: Organization | None
    ) -> str:
        """Removes the names of speakers from the query: that a person said something is separate evidence.

        With the organization and a map at hand, nothing is waited for.
        """
        text = search.meaning
        named = subjects.named(text)
        if not named.certain or not named.names:
            return text

        def hashed(organization: Organization) -> dict[int, str]:
            key = organization.term_key
            return {term: name for name in named.names for term in bm25.speaker_hashes(key, name)}

        if organization is not None and known is not None:
            started = search.deadline.elapsed_ms
            hashes = hashed(organization)
            names = frozenset(hashes[term] for term in known.known(list(hashes), end_user=search.scope.end_user))
            report = SourceReport("ok", started, search.deadline.elapsed_ms - started, len(names))
            search.deadline.account.reports["names"] = report
            return subjects.without(text, named, names)

        async def remembered() -> frozenset[str]:
            organization = await self.directory.organization(search.scope.org_id)
            if organization is None:
                return frozenset()
            hashes = hashed(organization)
            return frozenset(hashes[term] for term in await self._index(known).known(search.scope, list(hashes)))

        found = await search.deadline.soon(search.bounds.names_ms).run("names", remembered(), count=len)
        return subjects.without(text, named, found.value or frozenset())

    async def _search(self, reading: Reading, known: MemoryMap | None) -> SearchResult:
        """Searches by vector, words and hypotheses concurrently, in this map or in the store; embedding and vector
        search are one chain.

        A small map is searched by words at once, beside the embedding.
        """
        search = reading.search
        assert reading.embedding is not None
        begun: list[asyncio.Future[Any]] = [reading.embedding]
        try:
            begun.append(words := await self._begun_words(search, known))
            begun.append(hypothetical := self._begun_hypotheses(reading, known))
            embedded = await reading.embedding
            nearest = await self._nearest(search, known, embedded)
            matched = await words
            hypothesised = await hypothetical
        except BaseException:
            for task in begun:
                abandon(task)
            raise
        answers = [*([nearest] if nearest else []), *hypothesised.answers]
        matched = matched.completed(answers) if matched is not None else None
        is_map = known is not None
        tier = "map" if is_map else "postgres" if nearest is not None or matched is not None else "none"
        return SearchResult(embedded, nearest, matched, hypothesised, known, tier)

    async def _nearest(self, search: Search, known: MemoryMap | None, embedded: QueryVector) -> VectorHits | None:
        if embedded.vector is None or "cold" in search.skip or not search.limit:
            return None
        known = self._with_vectors_of(embedded, known)
        asked = self._index(known).nearest(
            search.scope, embedded.vector, search.filters, model=embedded.model, limit=search.limit, now=search.now
        )

        def short(answer: VectorHits) -> bool:
            return answer.short or embedded.incomplete

        deadline = search.deadline.within(search.bounds.vector_ms)
        waits = not self._is_small(known)
        return (await deadline.run("vector", asked, count=_count, short=short, waits=waits)).value

    def _index(self, known: MemoryMap | None) -> MemoryIndex:
        return self.store if known is None else MapIndex(self.maps, known)

    def _is_small(self, known: MemoryMap | None) -> bool:
        """Whether a search there waits for nothing."""
        return known is not None and self.maps.is_small(len(known))

    def _with_vectors_of(self, embedded: QueryVector, known: MemoryMap | None) -> MemoryMap | None:
        """None for a map with vectors of another model of the deployment, which is dropped: the model that serves has
        changed.
        """
        if known is None or known.model == embedded.model or self.previous is None:
            return known
        if embedded.model in {self.model, self.previous.model}:
            self.maps.drop(known.org_id, known.agent_id)
            return None
        return known

    async def _begun_words(self, search: Search, known: MemoryMap | None) -> "asyncio.Future[WordHits | None]":
        kept = self.remembered(search.scope.org_id) if self._is_small(known) else None
        words = self._words(search, self._index(known), kept)
        return asyncio.ensure_future(words) if kept is None else done(await words)

    async def _words(self, search: Search, index: MemoryIndex, kept: Organization | None) -> WordHits | None:
        """Waits for nothing with a `kept` organization and a small map."""
        if "lexical" in search.skip or not search.limit:
            return None

        async def match() -> WordHits:
            organization = kept or await self.directory.organization(search.scope.org_id)
            if organization is None:
                return WordHits()
            wanted = self.wanted(search, organization)
            return await index.matching(
                search.scope,
                wanted,
                search.filters,
                limit=search.lexical_limit,
                now=search.now,
                names_terms=search.names_terms,
            )

        deadline = search.deadline.within(search.bounds.lexical_ms)
        return (await deadline.run("lexical", match(), count=_count, short=_is_short, waits=kept is None)).value

    def _begun_hypotheses(self, reading: Reading, known: MemoryMap | None) -> "asyncio.Future[HypothesisHits]":
        search, asked = reading.search, reading.search.hypotheses
        if self.hypothesiser is None or asked is None or "cold" in search.skip or not search.limit:
            return done(HypothesisHits())
        return asyncio.ensure_future(self._hypothetical(reading, known, self.hypothesiser, asked))

    async def _hypothetical(
        self, reading: Reading, known: MemoryMap | None, hypothesiser: Hypothesiser, asked: Hypotheses
    ) -> HypothesisHits:
        """Searches by hypotheses beside the query's own search; a failure here does not affect that search."""
        search = reading.search
        hypothesiser = await self._serving_hypothesiser(hypothesiser, search)
        origin, vectors = await hypothesiser.vectors(search, asked, reading.afterwards)
        if vectors is None or not len(vectors):
            return HypothesisHits(origin)
        model = hypothesiser.embedder.model
        index = self._index(known if known is not None and known.model == model else None)

        async def search_each() -> Sequence[VectorHits]:
            return await asyncio.gather(
                *(
                    index.nearest(search.scope, vector, search.filters, model=model, limit=asked.each, now=search.now)
                    for vector in vectors
                )
            )

        found = await asked.making.run(
            "hyde", search_each(), count=_union, short=lambda answers: any(map(_is_short, answers))
        )
        return HypothesisHits(origin, model, vectors, found.value or ())

    async def _serving_hypothesiser(self, hypothesiser: Hypothesiser, search: Search) -> Hypothesiser:
        """Embeds by the model that serves."""
        if self.previous is None:
            return hypothesiser
        read = asyncio.ensure_future(self.directory.organization(search.scope.org_id))
        await search.deadline.soon(search.bounds.names_ms).wait(read)
        let_finish(read)
        return replace(hypothesiser, embedder=serving(value_so_far(read), self.embedding, self.previous).embedder)

    async def _as_before(self, reading: Reading, seen: AgentSnapshot, turn: Turn) -> SearchResult:
        """Returns the turn's remembered memories that still exist: no embedding, no search."""
        search, known, key = reading.search, reading.known, reading.search.agent_key
        assert key is not None
        reading.abandon_embedding()
        if known is not None and not _is_as_it_was(known, seen):
            known = None
        at_hand: dict[int, Memory] = {memory.id.int: memory for memory in seen.hot}
        absent = [
            item.memory_id
            for item in turn.found
            if item.memory_id.int not in at_hand and (known is None or known.place(item.memory_id) is None)
        ]

        async def rows() -> Sequence[Evidence]:
            if absent:
                stored = await self.source.rows(*key, absent)
                at_hand.update((memory.id.int, memory) for memory in stored)
            return remembered(turn, known, list(at_hand.values()))

        deadline = search.deadline.within(search.bounds.vector_ms)
        outcome = await deadline.run("vector", rows(), count=len)
        evidence = outcome.value if outcome.value is not None else remembered(turn, known, list(at_hand.values()))
        model = turn.model or self.model
        embedded = NO_VECTOR if turn.vectors is None else QueryVector(turn.vectors[0], model, "turn")
        others = None if turn.vectors is None else turn.vectors[1:]
        hypothesised = HypothesisHits() if others is None or not len(others) else HypothesisHits("turn", model, others)
        return SearchResult(
            embedded,
            hypothesised=hypothesised,
            tier="turn_cache",
            remembered=turn,
            evidence=evidence,
        )


def _count(answer: VectorHits | WordHits) -> int:
    return len(answer.memories)


def _is_short(answer: VectorHits | WordHits) -> bool:
    return answer.short


def _union(answers: Sequence[VectorHits]) -> int:
    """The number of distinct memories that the hypotheses found."""
    return len({identifier for answer in answers for identifier in ids_of(answer.memories)})


def _is_as_it_was(known: MemoryMap, seen: AgentSnapshot) -> bool:
    """Whether no memory was removed or changed since the map was read."""
    return seen.change is not None and by_additions(known.change, seen.change)
