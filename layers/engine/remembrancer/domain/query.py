"""The contract of the memory query: what is asked and what is answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.fields import Fields
from remembrancer.domain.intents import SLA_TARGET_MS, TIERS, Intent
from remembrancer.domain.memory import CATEGORIES, SOURCES
from remembrancer.domain.ranking import DEFAULT_WEIGHTS, Ranked

QUERY_CHARACTERS = 8000


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every result meets; all are part of each search's own condition. Empty means any."""

    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_confidence: float = 0.0
    tiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A validated query; `adjusted` names the numbers that were clamped."""

    query: str
    k: int = 5
    traversal_depth: int = 1
    agent_id: UUID | None = None
    session_id: str | None = None
    filters: Filters = field(default_factory=Filters)
    weights: Mapping[str, float] = field(default_factory=dict)
    computation_tier: str | None = None
    explain: bool = True
    adjusted: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def parse(body: object) -> QueryRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included."""
    fields = Fields(body)
    text = fields.string("query", required=True, longest=1 << 20)
    k = fields.number("k", 5, 1, 50, whole=True, clamp=True)
    depth = fields.number("traversal_depth", 1, 1, 3, whole=True, clamp=True)
    agent_id = fields.uuid("agent_id")
    session_id = fields.string("session_id", longest=256)
    weights = fields.weights("weights", DEFAULT_WEIGHTS)
    tier = fields.choice("computation_tier", TIERS)
    explain = fields.boolean("explain", default=True)
    filters, adjusted = _filters(fields.nested("filters"))
    # The conversation around the query serves hypotheses, which this version does not make; it is read all the same.
    fields.objects("messages", most=2000)
    fields.number("summary_index", 0, 0, 1_000_000, whole=True)
    fields.boolean("hyde", default=False)
    fields.refuse_unknown()
    fields.finish()
    assert text
    return QueryRequest(
        query=text[:QUERY_CHARACTERS],
        k=int(k),
        traversal_depth=int(depth),
        agent_id=agent_id,
        session_id=session_id,
        filters=filters,
        weights=weights,
        computation_tier=tier,
        explain=explain,
        adjusted={**fields.adjusted, **adjusted},
    )


@dataclass(frozen=True, slots=True)
class Found:
    """One result: the ranked memory and the words of the query that it contains."""

    ranked: Ranked
    matched_terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """Ranked memories and a true account of how they were found."""

    request: QueryRequest
    found: Sequence[Found]
    intent: Intent
    tier: str
    elapsed_ms: float
    tiebreak_applied: bool
    routing_info: Mapping[str, Any]
    timings_ms: Mapping[str, float]
    degraded: Sequence[str] = ()
    redacted: int = 0

    def as_json(self) -> dict[str, Any]:
        """The response body, without the request id."""
        body: dict[str, Any] = {
            "memories": [_memory_json(found) for found in self.found],
            "query_intent": self.intent.name,
            "confidence_scores": [round(found.ranked.memory.confidence, 6) for found in self.found],
            "computation_tier": self.tier,
            "sla_target_ms": SLA_TARGET_MS[self.tier],
            "sla_met": self.elapsed_ms <= SLA_TARGET_MS[self.tier],
            "routing_info": {**self.routing_info, "intent_signals": list(self.intent.signals)},
            "timings_ms": {stage: round(duration, 3) for stage, duration in self.timings_ms.items()},
            "tiebreak_applied": self.tiebreak_applied,
            "adjusted": dict(self.request.adjusted),
            "degraded": list(self.degraded),
        }
        if self.request.explain:
            body["explanations"] = [_explanation(found) for found in self.found]
        return body


def _filters(fields: Fields) -> tuple[Filters, Mapping[str, Mapping[str, float]]]:
    tier = fields.strings("tier", most=3, allowed=("hot", "warm", "cold"))
    # Every memory is a statement of its own in this version; there are no summaries to include or leave out.
    fields.boolean("include_summaries", default=True)
    filters = Filters(
        categories=fields.strings("categories", most=16, allowed=CATEGORIES),
        sources=fields.strings("sources", most=16, allowed=SOURCES),
        tags=fields.strings("tags", most=20),
        since=fields.timestamp("since"),
        until=fields.timestamp("until"),
        min_confidence=fields.number("min_confidence", 0.0, 0, 1, clamp=True),
        tiers=tier,
    )
    fields.refuse_unknown()
    return filters, fields.adjusted


def _memory_json(found: Found) -> dict[str, Any]:
    memory = found.ranked.memory
    return {
        "id": str(memory.id),
        "agent_id": str(memory.agent_id),
        "user_id": memory.user_id,
        "session_id": memory.session_id,
        "content": memory.content,
        "summary": memory.summary,
        "category": memory.category,
        "source": memory.source,
        "confidence": round(memory.confidence, 6),
        "importance": round(memory.importance, 6),
        "tags": list(memory.tags),
        "created_at": memory.created_at.isoformat(),
        "expires_at": memory.expires_at.isoformat() if memory.expires_at else None,
        "usage_count": memory.usage_count,
        "supersedes": str(memory.supersedes) if memory.supersedes else None,
        "score": found.ranked.hybrid_score,
    }


def _explanation(found: Found) -> dict[str, Any]:
    return {
        "id": str(found.ranked.memory.id),
        "factors": {name: factor.as_json() for name, factor in found.ranked.factors.items()},
        "hybrid_score": found.ranked.hybrid_score,
        "boosts": [],
        "path": [],
        "final_score": found.ranked.hybrid_score,
        "matched_terms": list(found.matched_terms),
    }
