"""Request and answer of the memory query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.identity import agent_reference
from remembrancer.domain.identity.agent_reference import AgentReference
from remembrancer.domain.memories.memory import CATEGORIES, SOURCES
from remembrancer.domain.ranking.helpfulness import QUERY_LINES
from remembrancer.domain.ranking.hybrid_ranking import DEFAULT_WEIGHTS, Ranked, factors_json
from remembrancer.domain.requests.field_types import (
    agent,
    boolean,
    choice,
    end_user,
    entries,
    nested,
    number,
    objects,
    strings,
    text,
    time_zone,
    timestamp,
    weights,
    whole,
)
from remembrancer.domain.requests.fields import Fields, Given
from remembrancer.domain.requests.rounding import figure
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS, TIERS, Intent

QUERY_CHARACTERS = 8000
MOST_MESSAGES = 2000
MEMORY_TIERS = ("hot", "warm", "cold")
ALL = "all"
"""The thoroughness of a query that wants `k` memories, however little they help."""
THOROUGHNESS = (*QUERY_LINES, ALL)
ENDS = ("k", "line", "exhausted")
"""Why an answer has no more memories: it has `k`, the others help less than the line, or there are no others."""


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A validated query; `adjusted` names the numbers that were clamped.

    `traversal_depth` and `hyde` are None when the request leaves them to the tier. `user_id` is `*` when the request
    asks for the memories of all end users, else None: the body cannot name a single end user. With `agent_name`,
    `agent_id` is None until the name was resolved.
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
    agent_name: str | None = None
    as_of: datetime | None = None
    time_zone: str | None = None
    thoroughness: str = "thorough"

    @property
    def line(self) -> float | None:
        """The least helpfulness of a result; None where all are wanted."""
        return QUERY_LINES.get(self.thoroughness)

    @property
    def agent(self) -> AgentReference | None:
        """The agent's id or name from the request."""
        return self.agent_name or self.agent_id


def _check_messages(messages: Sequence[Any], given: Given, name: str) -> None:
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping):
            given.fail(f"{name}[{index}]", "must be a JSON object")


FILTERS = Fields(
    categories=strings(16, allowed=CATEGORIES, least=1),
    sources=strings(16, allowed=SOURCES, least=1),
    tags=strings(20, least=1),
    since=timestamp(),
    until=timestamp(),
    min_confidence=number(0, 1, clamp=True, default=0.0),
    include_summaries=boolean(default=True),
    tier=strings(3, allowed=MEMORY_TIERS, least=1),
    metadata=entries().described(description="Needs `agent_id`."),
)
QUERY = Fields(
    "QueryRequest",
    query=text(1 << 20, required=True).described(maxLength=QUERY_CHARACTERS, description="Longer ones are cut."),
    k=whole(1, 50, clamp=True, default=5),
    thoroughness=choice(THOROUGHNESS, default="thorough").described(
        description="How much a memory must help to be returned; `all`: `k` of them, however little they help."
    ),
    traversal_depth=whole(1, 3, clamp=True),
    agent_id=agent(),
    user_id=end_user(may_be_all=True).described(description="`*` for all, with a key of the scope `all_users`."),
    session_id=text(),
    turn_id=text(),
    filters=nested(FILTERS),
    weights=weights(DEFAULT_WEIGHTS),
    computation_tier=choice(TIERS),
    messages=objects(MOST_MESSAGES, {"type": "object"}, check=_check_messages),
    summary_index=whole(0, MOST_MESSAGES, clamp=True, default=0),
    hyde=boolean(),
    explain=boolean(default=True),
    as_of=timestamp().described(description="What was true at this time; ISO 8601."),
    time_zone=time_zone().described(description="Of the end user: where `yesterday` in the query begins and ends."),
)


def parse(body: object) -> QueryRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included."""
    given = QUERY.read(body)
    if given["filters"]["metadata"] and given["agent_id"] is None:
        given.fail("filters.metadata", "needs agent_id")
    asked = given.finish()
    filters = dict(asked.pop("filters"))
    summaries, tiers = filters.pop("include_summaries"), filters.pop("tier")
    return QueryRequest(
        **{
            **asked,
            **agent_reference.fields_of(asked["agent_id"]),
            "query": asked["query"][:QUERY_CHARACTERS],
            "messages": tuple(asked["messages"]),
        },
        filters=Filters(**filters, tiers=tiers),
        include_summaries=summaries,
        adjusted=given.adjusted,
    )


@dataclass(frozen=True, slots=True)
class Result:
    """One result: the ranked memory, the words of the query that it contains, and the edges that led to it."""

    ranked: Ranked
    matched_terms: tuple[str, ...] = ()
    path: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """Why an answer has no more memories, one of ENDS; and how many of the best `k` are left out since they help less
    than the line. `line` is None where nothing was cut by it, `need` where it was not judged what helps.
    """

    ended_by: str
    left_out: int = 0
    line: float | None = None
    need: float | None = None

    @classmethod
    def of(cls, *, k: int, found: int, helping: int, line: float | None = None, need: float | None = None) -> "Ending":
        """Of so many memories that searches found, of which so many help."""
        ended_by = "k" if helping > k else "line" if helping < found else "exhausted"
        return cls(ended_by, min(k, found) - min(k, helping), line, need)


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """Ranked memories and a report on how they were found; `steps` has the result of each step."""

    request: QueryRequest
    found: Sequence[Result]
    intent: Intent
    tier: str
    elapsed_ms: float
    tiebreak_applied: bool
    ending: Ending
    routing_info: Mapping[str, Any]
    timings_ms: Mapping[str, float]
    degraded: Sequence[str] = ()
    unreadable: int = 0
    steps: Sequence[Mapping[str, Any]] = ()

    @property
    def sla_met(self) -> bool:
        """Whether the answer came within its tier's target."""
        return self.elapsed_ms <= SLA_TARGET_MS[self.tier]

    @property
    def ranked(self) -> Sequence[Ranked]:
        """The ranked memories without terms and paths."""
        return [one.ranked for one in self.found]

    @property
    def short_sources(self) -> Sequence[str]:
        """Sources that answered, but may have missed results."""
        reports = self.routing_info.get("sources", {})
        return [name for name, report in reports.items() if report.get("short_result")]

    def first(self, number: int) -> "QueryAnswer":
        """The same answer with at most this number of results, as if `k` had been that."""
        given = self.request.adjusted.get("k", {}).get("given", self.request.k)
        adjusted = {**self.request.adjusted, "k": {"given": given, "used": number}}
        return replace(
            self,
            found=self.found[:number],
            request=replace(self.request, adjusted=adjusted),
            ending=replace(self.ending, ended_by="k", left_out=0),
        )

    def as_json(self) -> dict[str, Any]:
        """The JSON body of the response, without the request id."""
        body: dict[str, Any] = {
            "memories": [_memory_json(found, summary=self.request.include_summaries) for found in self.found],
            "ended_by": self.ending.ended_by,
            "left_out": self.ending.left_out,
            "query_intent": self.intent.name,
            "confidence_scores": [figure(found.ranked.memory.confidence) for found in self.found],
            "computation_tier": self.tier,
            "sla_target_ms": SLA_TARGET_MS[self.tier],
            "sla_met": self.sla_met,
            "routing_info": {
                **self.routing_info,
                "thoroughness": self.request.thoroughness,
                "line": self.ending.line,
                "helpfulness": None if self.ending.need is None else figure(self.ending.need),
                "intent_signals": list(self.intent.signals),
            },
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
    """The explanation of a memory's rank: every number from raw values to the final score."""
    ranked = found.ranked
    return {
        "id": str(ranked.memory.id),
        "factors": factors_json(ranked.factors),
        "hybrid_score": figure(ranked.hybrid_score),
        "boosts": [_boost_json(term) for term in ranked.boosts.terms],
        "boost_totals": {kind: figure(total) for kind, total in ranked.boosts.totals.items()},
        "path": [_edge_json(edge) for edge in found.path],
        "final_score": figure(ranked.final_score),
        "helps": None if ranked.helps is None else figure(ranked.helps),
        "matched_terms": list(found.matched_terms),
    }


def _boost_json(term: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _figures(value) for name, value in term.items()}


def _figures(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _figures(one) for name, one in value.items()}
    return figure(value) if isinstance(value, float) else value


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
        "occurred_from": memory.occurred_from.isoformat() if memory.occurred_from else None,
        "occurred_to": memory.occurred_to.isoformat() if memory.occurred_to else None,
        "conflicts": memory.conflicts,
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
