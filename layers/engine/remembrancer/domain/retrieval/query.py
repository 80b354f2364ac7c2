"""The contract of the memory query: what is asked and what is answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.scope import EVERY_NAME
from remembrancer.domain.memories.memory import CATEGORIES, SOURCES
from remembrancer.domain.ranking.hybrid_ranking import DEFAULT_WEIGHTS, Ranked
from remembrancer.domain.requests.fields import Fields
from remembrancer.domain.requests.rounding import figure
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS, TIERS, Intent

QUERY_CHARACTERS = 8000
MOST_MESSAGES = 2000


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A validated query; `adjusted` names the numbers that were clamped.

    `traversal_depth` and `hyde` are None when the request leaves them to the tier. `user_id` is `*` where it asks for
    the memories of all end users, else None: a body names no single one.
    """

    query: str
    k: int = 5
    traversal_depth: int | None = None
    agent_id: UUID | None = None
    user_id: str | None = None
    session_id: str | None = None
    turn_id: str | None = None
    filters: Filters = field(default_factory=Filters)
    include_summaries: bool = True
    weights: Mapping[str, float] = field(default_factory=dict)
    computation_tier: str | None = None
    messages: Sequence[Any] = ()
    summary_index: int = 0
    hyde: bool | None = None
    explain: bool = True
    adjusted: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def parse(body: object) -> QueryRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included."""
    fields = Fields(body)
    text = fields.string("query", required=True, longest=1 << 20)
    k = fields.number("k", 5, 1, 50, whole=True, clamp=True)
    depth = fields.number("traversal_depth", 0, 1, 3, whole=True, clamp=True)
    agent_id = fields.uuid("agent_id")
    user_id = fields.choice("user_id", (EVERY_NAME,))
    session_id = fields.string("session_id", longest=256)
    turn_id = fields.string("turn_id", longest=256)
    weights = fields.weights("weights", DEFAULT_WEIGHTS)
    tier = fields.choice("computation_tier", TIERS)
    explain = fields.boolean("explain", default=True)
    nested = fields.nested("filters")
    include_summaries = nested.boolean("include_summaries", default=True)
    filters = _filters(nested)
    messages = _messages(fields)
    summary_index = fields.number("summary_index", 0, 0, MOST_MESSAGES, whole=True, clamp=True)
    hyde = None if fields.value("hyde") is None else fields.boolean("hyde", default=False)
    fields.refuse_unknown()
    fields.finish()
    assert text
    return QueryRequest(
        query=text[:QUERY_CHARACTERS],
        k=int(k),
        traversal_depth=int(depth) or None,
        agent_id=agent_id,
        user_id=user_id,
        session_id=session_id,
        turn_id=turn_id,
        filters=filters,
        include_summaries=include_summaries,
        weights=weights,
        computation_tier=tier,
        messages=messages,
        summary_index=int(summary_index),
        hyde=hyde,
        explain=explain,
        adjusted={**fields.adjusted, **nested.adjusted},
    )


@dataclass(frozen=True, slots=True)
class Result:
    """One result: the ranked memory, the words of the query that it contains, and the edges that led to it."""

    ranked: Ranked
    matched_terms: tuple[str, ...] = ()
    path: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """Ranked memories and a true account of how they were found; `steps` says what each step did."""

    request: QueryRequest
    found: Sequence[Result]
    intent: Intent
    tier: str
    elapsed_ms: float
    tiebreak_applied: bool
    routing_info: Mapping[str, Any]
    timings_ms: Mapping[str, float]
    degraded: Sequence[str] = ()
    redacted: int = 0
    steps: Sequence[Mapping[str, Any]] = ()

    @property
    def sla_met(self) -> bool:
        """Whether it came within its tier's target."""
        return self.elapsed_ms <= SLA_TARGET_MS[self.tier]

    @property
    def short_sources(self) -> Sequence[str]:
        """Those that answered and may have missed something."""
        reports = self.routing_info.get("sources", {})
        return [name for name, report in reports.items() if report.get("short_result")]

    def as_json(self) -> dict[str, Any]:
        """The response body, without the request id."""
        body: dict[str, Any] = {
            "memories": [_memory_json(found, summary=self.request.include_summaries) for found in self.found],
            "query_intent": self.intent.name,
            "confidence_scores": [figure(found.ranked.memory.confidence) for found in self.found],
            "computation_tier": self.tier,
            "sla_target_ms": SLA_TARGET_MS[self.tier],
            "sla_met": self.sla_met,
            "routing_info": {**self.routing_info, "intent_signals": list(self.intent.signals)},
            "timings_ms": {stage: round(duration, 3) for stage, duration in self.timings_ms.items()},
            "tiebreak_applied": self.tiebreak_applied,
            "adjusted": dict(self.request.adjusted),
            "degraded": list(self.degraded),
        }
        if self.request.explain:
            body["explanations"] = [explanation(found) for found in self.found]
            body["steps"] = [dict(step) for step in self.steps]
        return body


def explanation(found: Result) -> dict[str, Any]:
    """Why a memory stands where it does: every number from raw values to the final score."""
    ranked = found.ranked
    return {
        "id": str(ranked.memory.id),
        "factors": {name: factor.as_json() for name, factor in ranked.factors.items()},
        "hybrid_score": figure(ranked.hybrid_score),
        "boosts": [_boost_json(term) for term in ranked.boosts.terms],
        "boost_totals": {kind: figure(total) for kind, total in ranked.boosts.totals.items()},
        "path": [_edge_json(edge) for edge in found.path],
        "final_score": figure(ranked.final_score),
        "matched_terms": list(found.matched_terms),
    }


def _boost_json(term: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _figures(value) for name, value in term.items()}


def _figures(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _figures(one) for name, one in value.items()}
    return figure(value) if isinstance(value, float) else value


def _filters(fields: Fields) -> Filters:
    filters = Filters(
        categories=fields.strings("categories", most=16, allowed=CATEGORIES),
        sources=fields.strings("sources", most=16, allowed=SOURCES),
        tags=fields.strings("tags", most=20),
        since=fields.timestamp("since"),
        until=fields.timestamp("until"),
        min_confidence=fields.number("min_confidence", 0.0, 0, 1, clamp=True),
        tiers=fields.strings("tier", most=3, allowed=("hot", "warm", "cold")),
    )
    fields.refuse_unknown()
    return filters


def _messages(fields: Fields) -> Sequence[Any]:
    messages = fields.objects("messages", most=MOST_MESSAGES)
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping):
            fields.fail(f"messages[{number}]", "must be a JSON object")
    return tuple(messages)


def _memory_json(found: Result, *, summary: bool) -> dict[str, Any]:
    memory = found.ranked.memory
    return {
        "id": str(memory.id),
        "agent_id": str(memory.agent_id),
        "user_id": memory.user_id,
        "session_id": memory.session_id,
        "content": memory.content,
        "summary": memory.summary if summary else None,
        "category": memory.category,
        "source": memory.source,
        "confidence": round(memory.confidence, 6),
        "importance": round(memory.importance, 6),
        "tags": list(memory.tags),
        "created_at": memory.created_at.isoformat(),
        "expires_at": memory.expires_at.isoformat() if memory.expires_at else None,
        "usage_count": memory.usage_count,
        "supersedes": str(memory.supersedes) if memory.supersedes else None,
        "score": figure(found.ranked.final_score),
    }


def _edge_json(edge: Edge) -> dict[str, Any]:
    step: dict[str, Any] = {
        "from": str(edge.from_id),
        "to": str(edge.to_id),
        "type": edge.type,
        "confidence": figure(edge.confidence),
    }
    return {**step, "replaced": str(edge.replaced)} if edge.replaced else step
