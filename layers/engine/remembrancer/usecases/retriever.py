"""Retrieval for assembly: every source at once, each with its own bound, what is late is left."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain import lexical, subjects
from remembrancer.domain.assembly import AssembleRequest, SourceReport
from remembrancer.domain.lexical import Wanted
from remembrancer.domain.memory import Change, Directive, Memory, Vector
from remembrancer.domain.memory_map import Matching, MemoryMap, Nearest
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Scope
from remembrancer.domain.turn import Turn, turn_key
from remembrancer.errors import StoreError, StoreUnavailable
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.embedding import Embedder
from remembrancer.ports.identity import AgentState, AgentStates, Directives, Directory
from remembrancer.ports.maps import MapSource
from remembrancer.ports.search import LexicalAnswer, MemorySearch, SearchAnswer, Similar, Stemmer
from remembrancer.settings import Bounds
from remembrancer.usecases.bounded import SKIPPED, Outcome, Stopwatch, abandon, bounded, found_by, is_short
from remembrancer.usecases.maps import MapUse, MemoryMaps
from remembrancer.usecases.prefetch import Prefetcher

KNOWN_MS = 5.0
"""How long the names that an agent knows are waited for, before the query is embedded with all of them."""
NO_DIRECTIVE = Directive(0, "")
"""Cached for an agent without one, so that the store is not asked each time."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory and what each source knows of it; None where a source did not find it."""

    memory: Memory
    dense: float | None = None
    lexical: float | None = None
    hot: bool = False
    subject: float = 0.0
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """All that arrived in time. `hot_is_cold` asks for a refill, `directive_uncached` for a write-back.

    `tier` says where the memories came from; `behind` how many of the newest writes a map did not know. `turn` is the
    key under which the turn is remembered, empty when it cannot be; `change` the state that the cache named, or that of
    the store when the cache was `contradicted` by it.
    """

    directive: Directive | None
    evidence: Sequence[Evidence]
    reports: Mapping[str, SourceReport]
    strategy: str = ""
    tier: str = "none"
    behind: int = 0
    hot_is_cold: bool = False
    directive_uncached: bool = False
    turn: str = ""
    remembered: Turn | None = None
    change: Change | None = None
    contradicted: bool = False
    wants_map: bool = False


@dataclass(frozen=True, slots=True)
class _Search:
    """What is asked of the memories."""

    request: AssembleRequest
    scope: Scope
    filters: Filters
    rows: int
    now: datetime
    watch: Stopwatch
    bound: float


@dataclass(frozen=True, slots=True)
class _Searched:
    """What came of it, by whatever way."""

    embedded: Outcome[Vector] = SKIPPED
    cold: Outcome[SearchAnswer] = SKIPPED
    words: Outcome[LexicalAnswer] = SKIPPED
    tier: str = "none"
    strategy: str = ""
    behind: int = 0
    remembered: Turn | None = None
    evidence: Sequence[Evidence] = ()
    found: "_InMap | None" = None


@dataclass(frozen=True, slots=True)
class _InMap:
    """What the searches of a map found."""

    map: MemoryMap
    nearest: Nearest | None
    matching: Matching | None

    def evidence(self, hot: AgentSnapshot | None, user_id: str | None, hot_rows: int) -> list[Evidence]:
        """One entry a memory, as `merge` makes them of rows."""
        found = self.map
        places: dict[int, float | None] = {}
        hot_places = _hot_places(found, hot, user_id, hot_rows) if hot is not None else set()
        for place in hot_places:
            places[place] = None
        subject: dict[int, float] = {}
        if self.matching is not None:
            chosen, scores = self.matching.places, self.matching.scores
            places |= dict(zip(chosen.tolist(), scores.rank[chosen].tolist(), strict=True))
            subject = dict(zip(chosen.tolist(), scores.subject[chosen].tolist(), strict=True))
        for place in self.nearest.places.tolist() if self.nearest is not None else ():
            places.setdefault(place, None)
        similarity = self.nearest.similarity if self.nearest is not None else None
        evidence = []
        for place, score in places.items():
            vector = found.vector(place)
            dense = None if vector is None or similarity is None else float(similarity[place])
            evidence.append(
                Evidence(found.row(place), dense, score, place in hot_places, subject.get(place, 0.0), vector)
            )
        return evidence


@dataclass(frozen=True, slots=True)
class Retriever:
    """Reads directive, hot set, vectors and words of one agent."""

    cache: AgentCache
    directives: Directives
    states: AgentStates
    directory: Directory
    embedder: Embedder
    search: MemorySearch
    stemmer: Stemmer
    source: MapSource
    maps: MemoryMaps
    bounds: Bounds
    cold_rows: int = 50
    hot_rows: int = 20
    minimum_confidence: float = 0.3
    prefetcher: Prefetcher | None = None

    async def retrieve(
        self, request: AssembleRequest, *, until_ms: float, watch: Stopwatch, now: datetime, rows: int
    ) -> Retrieved:
        """At `until_ms` on the watch at the latest; `rows` bounds the candidates of each search."""
        search = _Search(
            request=request,
            scope=Scope(request.org_id, None, None, request.agent_id, request.user_id),
            filters=Filters(categories=request.options.categories, min_confidence=self.minimum_confidence),
            rows=rows,
            now=now,
            watch=watch,
            bound=min(until_ms, self.bounds.retrieval_ms),
        )
        known = self.maps.find(request.org_id, request.agent_id)
        turn = turn_key(request) if rows else ""
        snapshot = asyncio.ensure_future(
            self.cache.read(
                request.org_id,
                request.agent_id,
                request.user_id,
                self.hot_rows,
                known=known.change if known else None,
                turn=turn,
            )
        )
        searching = asyncio.ensure_future(self._search(search, snapshot, known, turn))
        state = asyncio.ensure_future(self._state(search))
        try:
            directive = await self._directive(search, snapshot)
            hot = await self._hot(search, snapshot)
            searched = await searching
            truth = await state
        finally:
            for task in (snapshot, searching, state):
                if not task.done():
                    abandon(task)
        seen = _result(snapshot)
        evidence = self._evidence(search, searched, hot.value, known)
        contradicted = seen is not None and _contradicts(truth, seen)
        if contradicted:
            evidence = await self._still_there(search, evidence)
            directive = await self._newer(search, directive, truth.value)
        change = truth.value.change if contradicted and truth.value else seen.change if seen else None
        return Retrieved(
            directive=directive.value,
            evidence=evidence,
            reports={
                "directive": directive.report,
                "hot": hot.report,
                "embed": searched.embedded.report,
                "cold": searched.cold.report,
                "lexical": searched.words.report,
            },
            strategy=searched.strategy,
            tier=searched.tier,
            behind=searched.behind,
            hot_is_cold=hot.value is not None and not hot.value.hot and not hot.value.hot_ids,
            directive_uncached=directive.value is not None and (seen is None or seen.directive is None),
            turn=turn,
            remembered=searched.remembered,
            change=change,
            contradicted=contradicted,
            wants_map=seen is not None,
        )

    async def _directive(self, search: _Search, snapshot: "asyncio.Future[AgentSnapshot]") -> Outcome[Directive]:
        """From the cache; from the store if it is not there, or not there by half of the bound."""
        request, watch = search.request, search.watch
        until_ms = min(search.bound, self.bounds.directive_ms)
        started = watch.elapsed_ms()
        await asyncio.wait({snapshot}, timeout=max(until_ms - started, 0.0) / 2000)
        seen = _result(snapshot)
        if seen is not None and seen.directive is not None:
            report = SourceReport("ok", started, watch.elapsed_ms() - started, int(seen.directive.version > 0))
            return Outcome(seen.directive, report)

        async def stored() -> Directive:
            return await self.directives.active(request.org_id, request.agent_id) or NO_DIRECTIVE

        return await bounded(stored(), until_ms=until_ms, watch=watch, count=lambda found: int(found.version > 0))

    async def _state(self, search: _Search) -> Outcome[AgentState | None]:
        """The store's own word: what is cached may have missed a removal while the cache could not be told."""
        request = search.request
        until_ms = min(search.bound, self.bounds.hot_ms)
        return await bounded(self.states.state(request.org_id, request.agent_id), until_ms=until_ms, watch=search.watch)

    async def _still_there(self, search: _Search, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
        """As the store has them now; nothing when it does not say in time."""
        request = search.request
        ids = [item.memory.id for item in evidence]
        if not ids:
            return evidence
        reading = self.source.rows(request.org_id, request.agent_id, ids)
        stored = await bounded(reading, until_ms=search.bound, watch=search.watch, count=len)
        rows = {memory.id.int: memory for memory in stored.value or ()}
        return [replace(item, memory=rows[item.memory.id.int]) for item in evidence if item.memory.id.int in rows]

    async def _newer(self, search: _Search, cached: Outcome[Directive], state: AgentState | None) -> Outcome[Directive]:
        if cached.value is None or state is None or cached.value.version >= state.directive:
            return cached

        async def stored() -> Directive:
            request = search.request
            return await self.directives.active(request.org_id, request.agent_id) or NO_DIRECTIVE

        return await bounded(stored(), until_ms=search.bound, watch=search.watch)

    async def _hot(self, search: _Search, snapshot: "asyncio.Future[AgentSnapshot]") -> Outcome[AgentSnapshot]:
        if "hot" in search.request.options.skip:
            return SKIPPED
        return await bounded(
            snapshot,
            until_ms=min(search.bound, self.bounds.hot_ms),
            watch=search.watch,
            count=lambda found: len(found.hot) or min(len(found.hot_ids), self.hot_rows),
        )

    async def _search(
        self,
        search: _Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        known: MemoryMap | None,
        turn: str,
    ) -> _Searched:
        """From the turn cache, from the map, or from the store.

        Waits for the cache only where its answer may save the search, and then not for long.
        """
        if not search.request.query:
            return _Searched()
        if known is None and not turn:
            return await self._in_store(search)
        # A turn that is known needs no embedding; otherwise nothing is to wait for.
        waits = turn and _is_asked_again(search.request)
        embedding = None if waits else asyncio.ensure_future(self._embed(search, known))
        return await self._by_cache(search, snapshot, known, embedding)

    async def _by_cache(
        self,
        search: _Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        known: MemoryMap | None,
        embedding: "asyncio.Future[Outcome[Vector]] | None",
    ) -> _Searched:
        await asyncio.wait({snapshot}, timeout=max(self.bounds.cache_wait_ms - search.watch.elapsed_ms(), 0.0) / 1000)
        seen = _result(snapshot)
        if seen is not None and seen.turn is not None:
            if embedding is not None:
                abandon(embedding)
            return await self._as_before(search, seen, seen.turn, known)
        embedding = embedding or asyncio.ensure_future(self._embed(search, known))
        try:
            use = None
            if seen is not None and known is not None:
                until_ms = min(search.bound, self.bounds.additions_ms)
                use = await self.maps.current(known, seen.change, until_ms=until_ms, watch=search.watch)
            if use is None:
                return await self._in_store(search, embedding)
            return await self._in_map(search, use, embedding)
        except BaseException:
            abandon(embedding)
            raise

    async def _embed(self, search: _Search, known: MemoryMap | None = None) -> Outcome[Vector]:
        async def embed() -> Vector:
            vectors = await self.embedder.embed([await self._what_is_asked(search, known)])
            return _usable(vectors, self.embedder.dimensions)

        until_ms = min(search.bound, self.bounds.cold_ms)
        return await bounded(embed(), until_ms=until_ms, watch=search.watch)

    async def _what_is_asked(self, search: _Search, known: MemoryMap | None) -> str:
        """The query without the names of those whose words are remembered: that they said it is evidence of its own."""
        query = search.request.query
        named = subjects.named(query)
        if not named.certain or not named.names:
            return query

        async def remembered() -> frozenset[str]:
            organization = await self.directory.organization(search.request.org_id)
            if organization is None:
                return frozenset()
            hashes = {lexical.speaker_hash(organization.term_key, name): name for name in named.names}
            asked = list(hashes)
            terms = await self.search.known(search.scope, asked) if known is None else known.known(asked)
            return frozenset(hashes[term] for term in terms)

        until_ms = min(search.watch.elapsed_ms() + KNOWN_MS, search.bound)
        found = await bounded(remembered(), until_ms=until_ms, watch=search.watch)
        return subjects.without(query, named, found.value or frozenset())

    async def _in_store(self, search: _Search, embedding: "asyncio.Future[Outcome[Vector]] | None" = None) -> _Searched:
        """Vectors and words at once; embedding and vector search are one chain under one bound."""

        def nearest(vector: Vector) -> Coroutine[Any, Any, SearchAnswer]:
            return self.search.nearest(
                search.scope, vector, search.filters, model=self.embedder.model, limit=search.rows, now=search.now
            )

        words = asyncio.ensure_future(self._lexical(search))
        try:
            embedded = await (embedding or self._embed(search))
            cold: Outcome[SearchAnswer] = SKIPPED
            if embedded.value is not None and "cold" not in search.request.options.skip and search.rows:
                cold = await self._nearest(search, embedded.value, nearest)
            matched = await words
        except BaseException:
            abandon(words)
            raise
        is_found = cold.report.status == "ok" or matched.report.status == "ok"
        strategy = cold.value.strategy if cold.value else ""
        return _Searched(embedded, cold, matched, tier="postgres" if is_found else "none", strategy=strategy)

    async def _nearest(
        self, search: _Search, own: Vector, nearest: Callable[[Vector], Coroutine[Any, Any, SearchAnswer]]
    ) -> Outcome[SearchAnswer]:
        """With the query's own vector, and beside it with those made after the turn before, which never spoil it."""
        until_ms = min(search.bound, self.bounds.cold_ms)

        async def search_one(vector: Vector) -> Outcome[SearchAnswer]:
            return await bounded(nearest(vector), until_ms=until_ms, watch=search.watch, count=found_by, short=is_short)

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

    async def _prefetched(self, search: _Search) -> Sequence[Vector]:
        if self.prefetcher is None or search.request.session_id is None:
            return ()
        until_ms = min(search.watch.elapsed_ms() + self.bounds.cache_wait_ms, search.bound)
        found = await bounded(self.prefetcher.vectors(search.request), until_ms=until_ms, watch=search.watch)
        return () if found.value is None else list(found.value)

    async def _lexical(self, search: _Search) -> Outcome[LexicalAnswer]:
        if "lexical" in search.request.options.skip or not search.rows:
            return SKIPPED

        async def match() -> LexicalAnswer:
            wanted = await self._wanted(search.request)
            return await self.search.matching(search.scope, wanted, search.filters, limit=search.rows, now=search.now)

        until_ms = min(search.bound, self.bounds.lexical_ms)
        return await bounded(match(), until_ms=until_ms, watch=search.watch, count=found_by, short=is_short)

    async def _wanted(self, request: AssembleRequest) -> Wanted:
        organization = await self.directory.organization(request.org_id)
        if organization is None:
            return Wanted()
        return lexical.wanted(request.query, key=organization.term_key, stem=self.stemmer.stem)

    async def _in_map(self, search: _Search, use: MapUse, embedding: "asyncio.Future[Outcome[Vector]]") -> _Searched:
        """Words while the query is being embedded, then vectors; both search the places that pass the filters."""
        found, skip = use.map, search.request.options.skip
        eligible = found.eligible(search.filters, user_id=search.request.user_id, now=search.now)
        words: Outcome[Matching | None] = SKIPPED
        cold: Outcome[Nearest] = SKIPPED

        async def matching() -> Matching | None:
            wanted = await self._wanted(search.request)
            if not wanted:
                return None
            return await self.maps.run(len(found), lambda: found.matching(wanted, eligible, search.rows))

        async def nearest(vectors: Sequence[Vector]) -> Nearest:
            # Hot memories want their similarity also where the request skips this search.
            limit = 0 if "cold" in skip else search.rows
            return await self.maps.run(
                len(found), lambda: Nearest.joined([found.nearest(vector, eligible, limit) for vector in vectors])
            )

        if "lexical" not in skip and search.rows:
            until_ms = min(search.bound, self.bounds.lexical_ms)
            words = await bounded(
                matching(),
                until_ms=until_ms,
                watch=search.watch,
                count=lambda answer: 0 if answer is None else len(answer.places),
            )
        embedded = await embedding
        if embedded.value is not None and search.rows:
            # Of the turn before, beside the query's own, which they never spoil.
            vectors = () if "cold" in skip else await self._prefetched(search)
            until_ms = min(search.bound, self.bounds.cold_ms)
            cold = await bounded(
                nearest([embedded.value, *vectors]),
                until_ms=until_ms,
                watch=search.watch,
                count=lambda answer: len(answer.places),
            )
        return _Searched(
            embedded,
            SKIPPED if "cold" in skip else Outcome(None, cold.report),
            Outcome(None, words.report),
            tier="map",
            strategy="map",
            behind=use.behind,
            found=_InMap(found, cold.value, words.value),
        )

    async def _as_before(self, search: _Search, seen: AgentSnapshot, turn: Turn, known: MemoryMap | None) -> _Searched:
        """The turn's memories again, those that are still there: no embedding, no search."""
        at_hand: dict[int, Memory] = {memory.id.int: memory for memory in seen.hot}
        vectors = {identifier: memory.vector for identifier, memory in at_hand.items()}
        if known is not None and seen.change is not None and known.change.removals == seen.change.removals:
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
        until_ms = min(search.bound, self.bounds.cold_ms)
        cold = await bounded(rows(), until_ms=until_ms, watch=search.watch, count=found_by, short=is_short)
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
        return _Searched(cold=cold, tier="turn_cache", remembered=turn, evidence=evidence)

    def _evidence(
        self, search: _Search, searched: _Searched, hot: AgentSnapshot | None, known: MemoryMap | None
    ) -> Sequence[Evidence]:
        if searched.remembered is not None:
            return searched.evidence
        if searched.found is not None:
            return searched.found.evidence(hot, search.request.user_id, self.hot_rows)
        if hot is not None and hot.hot_ids and known is not None:
            places = _hot_places(known, hot, search.request.user_id, self.hot_rows)
            hot = replace(hot, hot=[known.memory(place) for place in places])
        return merge(hot, searched.cold.value, searched.words.value, searched.embedded.value, self.embedder.model)


def _is_asked_again(request: AssembleRequest) -> bool:
    """Whether the turn is probably known: it has a name, or the agent has done something since the user spoke."""
    position, _ = request.question
    return bool(request.turn_id) or position < len(request.messages) - 1


def _hot_places(known: MemoryMap, hot: AgentSnapshot, user_id: str | None, limit: int) -> set[int]:
    """Where the map has the best of the hot memories that this end user may see."""
    places: set[int] = set()
    for identifier in hot.hot_ids or [memory.id.int for memory in hot.hot]:
        place = known.places.get(identifier)
        if place is not None and (user_id is None or known.row(place).user_id in {None, user_id}):
            places.add(place)
            if len(places) == limit:
                break
    return places


def merge(
    hot: AgentSnapshot | None,
    cold: SearchAnswer | None,
    words: LexicalAnswer | None,
    vector: Vector | None,
    model: str,
) -> list[Evidence]:
    """One entry a memory, the best evidence of each source; dense evidence wherever there is a vector of `model`.

    A stored row is newer than a cached one, so it is the one kept.
    """
    # By number: a UUID hashes and compares in Python.
    rows: dict[int, Memory] = {memory.id.int: memory for memory in hot.hot} if hot else {}
    hot_ids = set(rows)
    similarity: dict[int, float] = {}
    lexical_score: dict[int, float] = {}
    subject: dict[int, float] = {}
    for matched in words.found if words else ():
        rows[matched.memory.id.int] = matched.memory
        lexical_score[matched.memory.id.int] = matched.score
        subject[matched.memory.id.int] = matched.subject
    for similar in cold.found if cold else ():
        rows[similar.memory.id.int] = similar.memory
        similarity[similar.memory.id.int] = similar.similarity
    for identifier, memory in rows.items():
        if identifier in similarity or vector is None or memory.vector is None or memory.vector_model != model:
            continue
        similarity[identifier] = min(max(float(memory.vector @ vector), 0.0), 1.0)
    return [
        Evidence(
            memory,
            similarity.get(identifier),
            lexical_score.get(identifier),
            identifier in hot_ids,
            subject.get(identifier, 0.0),
            memory.vector,
        )
        for identifier, memory in rows.items()
    ]


def _contradicts(truth: Outcome[AgentState | None], seen: AgentSnapshot) -> bool:
    """Whether the cache missed a removal or a directive, or the agent's end; a store that does not say does not."""
    if truth.report.status != "ok":
        return False
    if truth.value is None:
        return True
    known = seen.change.removals if seen.change else 0
    directive = seen.directive.version if seen.directive else truth.value.directive
    return known < truth.value.change.removals or directive < truth.value.directive


def _usable(vectors: NDArray[np.float32], dimensions: int) -> Vector:
    """The one vector that was asked for; StoreUnavailable for anything that could not be compared with others."""
    if vectors.shape != (1, dimensions) or not 0.9 < float(vectors[0] @ vectors[0]) < 1.1:
        raise StoreUnavailable("the embedder gave no unit vector", cause="InvalidVector")
    return np.asarray(vectors[0], dtype=np.float32)


def _result(snapshot: "asyncio.Future[AgentSnapshot]") -> AgentSnapshot | None:
    """None when it is not there, or failed; a bug flies."""
    if not snapshot.done() or snapshot.cancelled():
        return None
    error = snapshot.exception()
    if error is not None and not isinstance(error, StoreError):
        raise error
    return None if error is not None else snapshot.result()
