"""The memory query: validated and authorised before, then the steps of the specification in their order."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from remembrancer.domain import intents, lexical, ranking
from remembrancer.domain.assembly import SourceReport, missing
from remembrancer.domain.memory import Vector
from remembrancer.domain.query import Filters, Found, QueryAnswer, QueryRequest
from remembrancer.domain.scope import Principal, Scope
from remembrancer.ports.embedding import Embedder
from remembrancer.ports.identity import Directory
from remembrancer.ports.sealing import Opener
from remembrancer.ports.search import Matched, MemorySearch, SearchAnswer, Stemmer
from remembrancer.ports.system import Clock, Queue
from remembrancer.usecases.authorise import require_agent
from remembrancer.usecases.bounded import SKIPPED, Afterwards, Outcome, Stopwatch, bounded
from remembrancer.usecases.retriever import Evidence, merge
from remembrancer.usecases.sealing import opened, redacted

FEWEST_CANDIDATES = 50
CANDIDATES_PER_RESULT = 4
REHEARSAL_MS = 2000.0
COMPOSE_RESERVE_MS = 10.0
"""What ranking and composing are left of the tier's target after the searches."""
OPEN_RESERVE_MS = 5.0
"""What composing is left after the memories' text was opened."""


@dataclass(frozen=True, slots=True)
class _Searched:
    """What the searches found, and the words that each hash stands for."""

    embedded: Outcome[Vector]
    vectors: Outcome[SearchAnswer]
    words: Outcome[Sequence[Matched]]
    names: Mapping[int, str]

    @property
    def reports(self) -> dict[str, SourceReport]:
        """By the name of the source."""
        return {"embed": self.embedded.report, "vector": self.vectors.report, "lexical": self.words.report}


@dataclass(frozen=True, slots=True)
class _Readable:
    """The results with their text, and why some are redacted."""

    ranked: Sequence[ranking.Ranked]
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class QueryMemories:
    """The use case; one instance serves every request of a warm function."""

    directory: Directory
    embedder: Embedder
    search: MemorySearch
    stemmer: Stemmer
    opener: Opener
    usage: Queue
    clock: Clock
    new_id: Callable[[], UUID]

    async def query(
        self, request: QueryRequest, principal: Principal, *, watch: Stopwatch, afterwards: Afterwards
    ) -> QueryAnswer:
        """The answer within the tier's target, or without the sources that would miss it.

        Raises NotFound for an agent that is not the principal's.
        """
        now = self.clock.now()
        intent = intents.classify(request.query)
        tier = request.computation_tier or intents.tier_for(intent, request.query)
        if request.agent_id is not None:
            await require_agent(principal, request.agent_id, self.directory)
        scope = Scope(
            principal.org_id, principal.project_id, principal.environment, request.agent_id, principal.user_id
        )
        filters = replace(request.filters, tiers=_tiers(request.filters, tier))
        limit = max(CANDIDATES_PER_RESULT * request.k, FEWEST_CANDIDATES)
        until_ms = intents.SLA_TARGET_MS[tier] - COMPOSE_RESERVE_MS
        searched = await self._search(request, scope, filters, limit, until_ms, watch, now)
        timings = {"retrieval": watch.elapsed_ms()}
        evidence = [
            item
            for item in merge(
                None, searched.vectors.value, searched.words.value, searched.embedded.value, self.embedder.model
            )
            if item.memory.is_visible(agent_id=request.agent_id, user_id=principal.user_id, now=now)
        ]
        ranked = self._rank(request, evidence, intent, now)
        timings["rank"] = watch.elapsed_ms() - timings["retrieval"]
        open_until_ms = intents.SLA_TARGET_MS[tier] - OPEN_RESERVE_MS
        readable = await self._open(principal.org_id, ranked.ranked, request.k, open_until_ms, watch)
        timings["open"] = watch.elapsed_ms() - timings["retrieval"] - timings["rank"]
        matched = {item.memory.id: item.terms for item in searched.words.value or ()}
        found = [
            Found(item, tuple(searched.names[term] for term in matched.get(item.memory.id, ())))
            for item in readable.ranked
        ]
        self._afterwards(request, principal, found, now, afterwards)
        elapsed = watch.elapsed_ms()
        return QueryAnswer(
            request=request,
            found=found,
            intent=intent,
            tier=tier,
            elapsed_ms=elapsed,
            tiebreak_applied=ranked.tiebreak_applied,
            routing_info=_routing(searched, filters, len(evidence)),
            timings_ms={**timings, "total": elapsed},
            degraded=[*missing(searched.reports), *readable.reasons],
            redacted=sum(item.memory.is_redacted for item in readable.ranked),
        )

    async def warm(self) -> None:
        """Everything that a query runs, once, for an organization that does not exist."""
        nobody = UUID(int=0)
        scope = Scope(nobody, "", "", nobody)
        now = self.clock.now()
        watch = Stopwatch(self.clock)
        await self._search(QueryRequest("rehearsal"), scope, Filters(), 1, REHEARSAL_MS, watch, now)

    async def _search(
        self,
        request: QueryRequest,
        scope: Scope,
        filters: Filters,
        limit: int,
        until_ms: float,
        watch: Stopwatch,
        now: datetime,
    ) -> _Searched:
        """Vectors and words at once; filters are part of both searches."""
        organization = await self.directory.organization(scope.org_id)
        names = (
            lexical.query_terms(request.query, key=organization.term_key, stem=self.stemmer.stem)
            if organization
            else {}
        )

        async def embed() -> Vector:
            return np.asarray((await self.embedder.embed([request.query]))[0], dtype=np.float32)

        async def nearest() -> tuple[Outcome[Vector], Outcome[SearchAnswer]]:
            embedded = await bounded(embed(), until_ms=until_ms, watch=watch)
            if embedded.value is None:
                return embedded, SKIPPED
            search = self.search.nearest(
                scope, embedded.value, filters, model=self.embedder.model, limit=limit, now=now
            )
            return embedded, await bounded(search, until_ms=until_ms, watch=watch, count=lambda found: len(found.found))

        matching = self.search.matching(scope, list(names), filters, limit=limit, now=now)
        (embedded, vectors), words = await asyncio.gather(
            nearest(), bounded(matching, until_ms=until_ms, watch=watch, count=len)
        )
        return _Searched(embedded, vectors, words, names)

    async def _open(
        self, org_id: UUID, ranked: Sequence[ranking.Ranked], most: int, until_ms: float, watch: Stopwatch
    ) -> _Readable:
        """The best `most` with their text; what cannot be opened ranks below everything that can."""
        readable: list[ranking.Ranked] = []
        unreadable: list[ranking.Ranked] = []
        reasons: dict[str, None] = {}
        for start in range(0, len(ranked), most):
            batch = ranked[start : start + most]
            memories = [item.memory for item in batch]
            answer = await bounded(opened(self.opener, org_id, memories), until_ms=until_ms, watch=watch)
            found = answer.value.memories if answer.value else redacted(memories)
            causes = answer.value.causes if answer.value else ()
            reasons |= dict.fromkeys(f"decrypt_error:{cause}" for cause in causes)
            if answer.value is None:
                reasons[f"decrypt_{answer.report.reason}"] = None
            for item, memory in zip(batch, found, strict=True):
                (unreadable if memory.is_redacted else readable).append(replace(item, memory=memory))
            if len(readable) >= most:
                break
        return _Readable([*readable, *unreadable][:most], tuple(reasons))

    def _rank(
        self, request: QueryRequest, evidence: Sequence[Evidence], intent: intents.Intent, now: datetime
    ) -> ranking.Ranking:
        semantic = np.array([item.dense or 0.0 for item in evidence])
        best = max((item.lexical or 0.0 for item in evidence), default=0.0)
        words = np.array([(item.lexical or 0.0) / best if best else 0.0 for item in evidence])
        return ranking.rank(
            [item.memory for item in evidence],
            semantic=semantic,
            lexical=words,
            # Without clusters, a memory's semantic value stands for its cluster's.
            cluster=semantic,
            weights=ranking.weights_of(request.weights),
            half_life_hours=intent.half_life_hours,
            now=now,
        )

    def _afterwards(
        self, request: QueryRequest, principal: Principal, found: Sequence[Found], now: datetime, afterwards: Afterwards
    ) -> None:
        if not found:
            return
        event = {
            "event_id": str(self.new_id()),
            "org_id": str(principal.org_id),
            "agent_id": str(request.agent_id) if request.agent_id else None,
            "memory_ids": [str(item.ranked.memory.id) for item in found],
            "kind": "query",
            "at": now.isoformat(),
            "session_id": request.session_id,
            "user_id": principal.user_id,
        }
        afterwards.add("usage", lambda: self.usage.send([event]))


def _tiers(filters: Filters, tier: str) -> tuple[str, ...]:
    """The memory tiers searched: what the computation tier covers, narrowed by the request's own filter."""
    covered = intents.MEMORY_TIERS[tier]
    if not filters.tiers:
        return covered
    return tuple(name for name in covered if name in filters.tiers) or filters.tiers


def _routing(searched: _Searched, filters: Filters, candidates: int) -> dict[str, Any]:
    return {
        "sources": {name: report.as_json() for name, report in searched.reports.items()},
        "memory_tiers": list(filters.tiers),
        "vector_strategy": searched.vectors.value.strategy if searched.vectors.value else "none",
        "candidates": candidates,
    }
