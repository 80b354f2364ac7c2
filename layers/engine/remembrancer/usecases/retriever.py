"""Retrieval for assembly: every source at once, each with its own bound, what is late is left."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np

from remembrancer.domain import lexical
from remembrancer.domain.assembly import AssembleRequest, SourceReport
from remembrancer.domain.memory import Directive, Memory, Vector
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Scope
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.embedding import Embedder
from remembrancer.ports.identity import Directives, Directory
from remembrancer.ports.search import Matched, MemorySearch, SearchAnswer, Stemmer
from remembrancer.settings import Bounds
from remembrancer.usecases.bounded import SKIPPED, Outcome, Stopwatch, abandon, bounded

NO_DIRECTIVE = Directive(0, "")
"""Cached for an agent without one, so that the store is not asked each time."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory and what each source knows of it; None where a source did not find it."""

    memory: Memory
    dense: float | None = None
    lexical: float | None = None
    hot: bool = False


@dataclass(frozen=True, slots=True)
class Retrieved:
    """All that arrived in time. `hot_is_cold` asks for a refill, `directive_uncached` for a write-back."""

    directive: Directive | None
    evidence: Sequence[Evidence]
    reports: Mapping[str, SourceReport]
    strategy: str = ""
    hot_is_cold: bool = False
    directive_uncached: bool = False


@dataclass(frozen=True, slots=True)
class Retriever:
    """Reads directive, hot set, vectors and words of one agent."""

    cache: AgentCache
    directives: Directives
    directory: Directory
    embedder: Embedder
    search: MemorySearch
    stemmer: Stemmer
    bounds: Bounds
    cold_rows: int = 50
    hot_rows: int = 20
    minimum_confidence: float = 0.3

    async def retrieve(
        self, request: AssembleRequest, *, until_ms: float, watch: Stopwatch, now: datetime, rows: int
    ) -> Retrieved:
        """At `until_ms` on the watch at the latest; `rows` bounds the candidates of each search."""
        scope = Scope(request.org_id, None, None, request.agent_id, request.user_id)
        filters = Filters(categories=request.options.categories, min_confidence=self.minimum_confidence)
        bound = min(until_ms, self.bounds.retrieval_ms)
        snapshot = asyncio.ensure_future(
            self.cache.read(request.org_id, request.agent_id, request.user_id, self.hot_rows)
        )
        try:
            directive, hot, (embed, cold), words = await asyncio.gather(
                self._directive(request, snapshot, min(bound, self.bounds.directive_ms), watch),
                self._hot(request, snapshot, min(bound, self.bounds.hot_ms), watch),
                self._cold(request, scope, filters, min(bound, self.bounds.cold_ms), watch, now, rows),
                self._lexical(request, scope, filters, min(bound, self.bounds.lexical_ms), watch, now, rows),
            )
        finally:
            if not snapshot.done():
                abandon(snapshot)
        return Retrieved(
            directive=directive.value,
            evidence=merge(hot.value, cold.value, words.value, embed.value, self.embedder.model),
            reports={
                "directive": directive.report,
                "hot": hot.report,
                "embed": embed.report,
                "cold": cold.report,
                "lexical": words.report,
            },
            strategy=cold.value.strategy if cold.value else "",
            hot_is_cold=hot.value is not None and not hot.value.hot,
            directive_uncached=directive.value is not None and not _is_cached(snapshot),
        )

    async def _directive(
        self,
        request: AssembleRequest,
        snapshot: "asyncio.Future[AgentSnapshot]",
        until_ms: float,
        watch: Stopwatch,
    ) -> Outcome[Directive]:
        """From the cache; from the store if it is not there, or not there by half of the bound."""

        async def find() -> Directive:
            await asyncio.wait({snapshot}, timeout=until_ms / 2000)
            if snapshot.done() and not snapshot.cancelled() and not snapshot.exception():
                cached = snapshot.result().directive
                if cached is not None:
                    return cached
            return await self.directives.active(request.org_id, request.agent_id) or NO_DIRECTIVE

        return await bounded(find(), until_ms=until_ms, watch=watch, count=lambda found: int(found.version > 0))

    async def _hot(
        self,
        request: AssembleRequest,
        snapshot: "asyncio.Future[AgentSnapshot]",
        until_ms: float,
        watch: Stopwatch,
    ) -> Outcome[AgentSnapshot]:
        if "hot" in request.options.skip:
            return SKIPPED

        async def read() -> AgentSnapshot:
            return await asyncio.shield(snapshot)

        return await bounded(read(), until_ms=until_ms, watch=watch, count=lambda found: len(found.hot))

    async def _cold(
        self,
        request: AssembleRequest,
        scope: Scope,
        filters: Filters,
        until_ms: float,
        watch: Stopwatch,
        now: datetime,
        rows: int,
    ) -> tuple[Outcome[Vector], Outcome[SearchAnswer]]:
        """Embedding and search as one chain under one bound; waits for no other source."""
        if not request.query:
            return SKIPPED, SKIPPED

        async def embed() -> Vector:
            vectors = await self.embedder.embed([request.query])
            return np.asarray(vectors[0], dtype=np.float32)

        embedded = await bounded(embed(), until_ms=until_ms, watch=watch)
        if embedded.value is None or "cold" in request.options.skip or rows == 0:
            return embedded, SKIPPED
        search = self.search.nearest(scope, embedded.value, filters, model=self.embedder.model, limit=rows, now=now)
        return embedded, await bounded(search, until_ms=until_ms, watch=watch, count=lambda found: len(found.found))

    async def _lexical(
        self,
        request: AssembleRequest,
        scope: Scope,
        filters: Filters,
        until_ms: float,
        watch: Stopwatch,
        now: datetime,
        rows: int,
    ) -> Outcome[Sequence[Matched]]:
        if not request.query or "lexical" in request.options.skip or rows == 0:
            return SKIPPED

        async def match() -> Sequence[Matched]:
            organization = await self.directory.organization(request.org_id)
            if organization is None:
                return []
            terms = lexical.query_terms(request.query, key=organization.term_key, stem=self.stemmer.stem)
            return await self.search.matching(scope, list(terms), filters, limit=rows, now=now)

        return await bounded(match(), until_ms=until_ms, watch=watch, count=len)


def merge(
    hot: AgentSnapshot | None,
    cold: SearchAnswer | None,
    words: Sequence[Matched] | None,
    vector: Vector | None,
    model: str,
) -> list[Evidence]:
    """One entry a memory, the best evidence of each source; dense evidence wherever there is a vector of `model`.

    A stored row is newer than a cached one, so it is the one kept.
    """
    rows: dict[UUID, Memory] = {memory.id: memory for memory in hot.hot} if hot else {}
    hot_ids = set(rows)
    similarity: dict[UUID, float] = {}
    lexical_score: dict[UUID, float] = {}
    for matched in words or ():
        rows[matched.memory.id] = matched.memory
        lexical_score[matched.memory.id] = matched.score
    for similar in cold.found if cold else ():
        rows[similar.memory.id] = similar.memory
        similarity[similar.memory.id] = similar.similarity
    for identifier, memory in rows.items():
        if identifier in similarity or vector is None or memory.vector is None or memory.vector_model != model:
            continue
        similarity[identifier] = min(max(float(memory.vector @ vector), 0.0), 1.0)
    return [
        Evidence(memory, similarity.get(identifier), lexical_score.get(identifier), identifier in hot_ids)
        for identifier, memory in rows.items()
    ]


def _is_cached(snapshot: "asyncio.Future[AgentSnapshot]") -> bool:
    if not snapshot.done() or snapshot.cancelled():
        return False
    error = snapshot.exception()
    if error is not None and not isinstance(error, StoreError):
        raise error
    return error is None and snapshot.result().directive is not None
