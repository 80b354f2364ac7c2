"""Part of step 12: caches the answers to frequently repeated queries, without any text."""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.ranking.hybrid_ranking import Factor, Ranges, Ranked
from remembrancer.domain.ranking.score_boosts import Boosts
from remembrancer.domain.retrieval.freshness import USED, StoreState, decide
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.query import Ending
from remembrancer.ports.cache import QueryCache
from remembrancer.ports.identity import Directory
from remembrancer.ports.search import RecallStore
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.query_embedding import CACHE_MS

POPULAR = 3
"""How often a query has to be asked within ten minutes before its answer is cached."""
SHARE_OF_TIME = 0.25
"""Share of the searches' time that a popular query may spend on its scope's state: a store that is silent must not take
the time in which a map answers.
"""
_SCHEMA = 2
_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class CachedResult:
    """One cached result; `terms` are the hashes of the matched words."""

    ranked: Ranked
    terms: tuple[int, ...]
    path: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A cached answer without the memories' texts, which are read anew for each request."""

    results: Sequence[CachedResult]
    tiebreak_applied: bool
    ranges: Ranges
    ending: Ending


@dataclass(frozen=True, slots=True)
class Popularity:
    """What the cache holds for a query; `state` is the scope's, read only where the answer may be cached.

    `query_key` is None for a query whose answer is never cached, and where the organization was late.
    """

    query_key: str | None = None
    asked: int = 0
    state: int | None = None
    answer: CachedAnswer | None = None


@dataclass(frozen=True, slots=True)
class PopularQueries:
    """Reads and writes cached answers; the scope's state tells whether a cached answer is still valid."""

    directory: Directory
    results: QueryCache
    store: RecallStore
    cache_ms: float = CACHE_MS

    async def find(self, plan: QueryPlan) -> Popularity:
        """Looks the query up, with the cached answer if its scope has not changed and all its memories still exist."""
        if not _may_be_kept(plan):
            return Popularity()
        org_id = plan.scope.org_id
        deadline = plan.search.deadline.soon(self.cache_ms)
        key = self.key(plan, (await deadline.run("organization", self.directory.organization(org_id))).value)
        if key is None:
            return Popularity()
        found = await deadline.run("popular", self.results.find(org_id, key))
        kept, asked = found.value or (None, 0)
        decoded = _decode(kept)
        asking = plan.search.deadline.soon(SHARE_OF_TIME * plan.search.deadline.left_ms)
        if decoded is not None:
            rows = await asking.run("rows", self.store.rows(plan.scope, decoded.ids, now=plan.now))
            memories, state = rows.value or ((), None)
            is_current = decide(decoded.state, stored=StoreState(state)) == USED
            if is_current and (answer := decoded.with_rows(memories, plan)) is not None:
                return Popularity(key, asked, state, answer)
        if asked + 1 < POPULAR:
            return Popularity(key, asked)
        # Read the state before the searches: a write in between then invalidates the answer instead of being missed.
        before = await asking.run("state", self.store.state(plan.scope, now=plan.now))
        return Popularity(key, asked, before.value)

    def key(self, plan: QueryPlan, organization: Organization | None) -> str | None:
        """Under which the query is counted; None without the organization, or where its answer is never cached."""
        if organization is None or not _may_be_kept(plan):
            return None
        return query_key(plan, organization.term_key)

    async def keep(self, plan: QueryPlan, popularity: Popularity, answer: CachedAnswer) -> None:
        """Caches the answer; replaces an older one."""
        assert popularity.query_key is not None
        record = {
            "schema": _SCHEMA,
            "state": popularity.state,
            "tiebreak": answer.tiebreak_applied,
            "ranges": answer.ranges,
            "ending": asdict(answer.ending),
            "results": [_encode(kept) for kept in answer.results],
        }
        await self.results.put(plan.scope.org_id, popularity.query_key, json.dumps(record).encode())


def _may_be_kept(plan: QueryPlan) -> bool:
    return not plan.request.weights and not plan.filters.metadata


def query_key(plan: QueryPlan, term_key: bytes) -> str:
    """A keyed hash of everything that the answer depends on except the memories: principal, scope and query.

    It is keyed since it is stored in Redis and in queue messages, and readers of those must not learn the query.
    """
    request, scope, filters = plan.request, plan.scope, plan.filters
    said = [request.messages[request.summary_index :] if plan.hyde else None]
    parts = [
        scope.org_id, scope.project_id, scope.environment, scope.agent_id, scope.end_user.text, request.session_id,
        request.query, request.k, request.thoroughness, plan.tier, plan.depth, plan.hyde, said,
        filters.categories, filters.sources, filters.tags,
        filters.since, filters.until, filters.min_confidence, filters.tiers, filters.time,
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(parts, default=str).encode()).digest()
    return hmac.digest(term_key, b"popular:" + digest, "sha256").hex()[:32]


@dataclass(frozen=True, slots=True)
class _Decoded:
    record: Mapping[str, Any]
    ids: Sequence[UUID]
    state: int

    def with_rows(self, memories: Sequence[Memory], plan: QueryPlan) -> CachedAnswer | None:
        """The answer with the given rows; None unless every row exists and may be seen."""
        rows = {
            memory.id: memory
            for memory in memories
            if plan.admits(memory)
            and memory.is_visible(agent_id=plan.scope.agent_id, end_user=plan.scope.end_user, now=plan.now)
        }
        if rows.keys() != set(self.ids):
            return None
        try:
            results = [
                _kept(result, rows[identifier])
                for result, identifier in zip(self.record["results"], self.ids, strict=True)
            ]
            ranges = {str(name): (float(low), float(high)) for name, (low, high) in self.record["ranges"].items()}
            return CachedAnswer(results, bool(self.record["tiebreak"]), ranges, Ending(**self.record["ending"]))
        except _DAMAGED:
            return None


def _decode(value: bytes | None) -> _Decoded | None:
    """Decodes a cached answer; undecodable data counts as a miss."""
    if value is None:
        return None
    try:
        record = json.loads(value)
        if record["schema"] != _SCHEMA:
            return None
        return _Decoded(record, [UUID(result["id"]) for result in record["results"]], int(record["state"]))
    except _DAMAGED:
        return None


def _encode(kept: CachedResult) -> dict[str, Any]:
    ranked = kept.ranked
    return {
        "id": str(ranked.memory.id),
        "hybrid": ranked.hybrid_score,
        "helps": ranked.helps,
        "factors": {name: (one.raw, one.normalised, one.weight) for name, one in ranked.factors.items()},
        "terms": kept.terms,
        "boosts": ranked.boosts.terms,
        "totals": ranked.boosts.totals,
        "path": [
            (str(edge.from_id), str(edge.to_id), edge.type, edge.confidence, edge.replaced and str(edge.replaced))
            for edge in kept.path
        ],
    }


def _kept(result: Mapping[str, Any], memory: Memory) -> CachedResult:
    factors = {name: Factor(*figures) for name, figures in result["factors"].items()}
    path = tuple(
        Edge(UUID(from_id), UUID(to_id), kind, confidence, UUID(replaced) if replaced else None)
        for from_id, to_id, kind, confidence, replaced in result["path"]
    )
    boosts = Boosts(result["boosts"], result["totals"])
    ranked = Ranked(memory, result["hybrid"], factors, boosts, result["helps"])
    return CachedResult(ranked, tuple(result["terms"]), path)
