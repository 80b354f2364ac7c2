"""The contract of context assembly: what is asked and what is answered."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.context.budget import Budget
from remembrancer.domain.identity.scope import NOBODY, EndUser
from remembrancer.domain.memories.memory import CATEGORIES
from remembrancer.domain.ranking.assembly_score import DEFAULT_WEIGHTS, Scored
from remembrancer.domain.requests.fields import Fields
from remembrancer.domain.requests.rounding import figure
from remembrancer.domain.retrieval.evidence import Evidence

QUERY_CHARACTERS = 2000
MOST_MESSAGES = 2000
SKIPPABLE = ("hot", "cold", "lexical")
MOST_MEMORY_TOKENS = 10_000_000
SOURCE_NAMES = ("directive", "hot", "embed", "cold", "lexical")

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AssemblyOptions:
    """What the caller may choose for one assembly; None leaves the organization's setting, `hyde` the deployment's."""

    max_memories: int | None = None
    memory_tokens: int | None = None
    categories: tuple[str, ...] = ()
    relevance_floor: float | None = None
    skip: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    explain: bool = False
    hyde: bool | None = None


@dataclass(frozen=True, slots=True)
class AssembleRequest:
    """A validated request; `messages` are the client's own objects."""

    org_id: UUID
    agent_id: UUID
    model: str
    request_id: str
    messages: Sequence[Message]
    tools: Sequence[Any] = ()
    session_id: str | None = None
    turn_id: str | None = None
    end_user: EndUser = NOBODY
    options: AssemblyOptions = field(default_factory=AssemblyOptions)

    @property
    def user_id(self) -> str | None:
        """The end user that it names."""
        return self.end_user.name

    @property
    def query(self) -> str:
        """The last user message with text, cut; empty when there is none."""
        return self.question[1]

    @property
    def question(self) -> tuple[int, str]:
        """The position of the query among the messages, and the query."""
        for position in range(len(self.messages) - 1, -1, -1):
            message = self.messages[position]
            if message.get("role") == "user" and (text := _text(message.get("content")).strip()):
                return position, text[:QUERY_CHARACTERS]
        return -1, ""


def parse(body: object) -> AssembleRequest:
    """Raises InvalidRequest naming every bad field; unknown fields of the request are ignored, as in protobuf."""
    fields = Fields(body)
    org_id = fields.uuid("org_id", "tenant_id", "tenantId", required=True)
    agent_id = fields.uuid("agent_id", required=True)
    session_id = fields.uuid("session_id")
    turn_id = fields.string("turn_id", longest=256)
    user_id = fields.string("user_id", longest=256)
    model = fields.string("model", longest=256, required=True)
    request_id = fields.string("request_id", longest=256, required=True)
    messages = fields.objects("messages", most=MOST_MESSAGES, required=True)
    _check_messages(fields, messages)
    tools = fields.objects("tools", most=1000)
    options = _options(fields.nested("options"))
    fields.finish()
    assert org_id and agent_id and model and request_id
    return AssembleRequest(
        org_id=org_id,
        agent_id=agent_id,
        model=model,
        request_id=request_id,
        messages=messages,
        tools=tools,
        session_id=str(session_id) if session_id else None,
        turn_id=turn_id,
        end_user=EndUser.of(user_id),
        options=options,
    )


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What became of one source: `status` is ok, timeout, error or skipped; `cause` the error's class.

    `short` when the source answered and may have missed something: an index found fewer than there are, words were too
    common to be read.
    """

    status: str
    started_ms: float = 0.0
    latency_ms: float = 0.0
    count: int = 0
    cause: str = ""
    short: bool = False

    @property
    def reason(self) -> str:
        """Why it is missing: `timeout`, or `error:` and the class of the error."""
        return f"error:{self.cause}" if self.status == "error" else self.status

    def as_json(self) -> dict[str, Any]:
        """The report under its wire names, times to the microsecond."""
        report: dict[str, Any] = {
            "status": self.status,
            "started_ms": round(self.started_ms, 3),
            "latency_ms": round(self.latency_ms, 3),
            "count": self.count,
        }
        if self.cause:
            report["cause"] = self.cause
        if self.short:
            report["short_result"] = True
        return report


def missing(reports: Mapping[str, SourceReport]) -> list[str]:
    """What is missing and why, as `source_timeout` or `source_error:Cause`; empty when nothing is."""
    return [f"{name}_{report.reason}" for name, report in reports.items() if report.status in {"timeout", "error"}]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One memory that competes for the budget: what it is worth, what it costs, and what became of it."""

    scored: Scored
    evidence: Evidence
    tokens: int
    disposition: str = "budget"

    def as_json(self) -> dict[str, Any]:
        """The candidate for `explain`."""
        memory, evidence = self.scored.memory, self.evidence
        return {
            "id": str(memory.id),
            "content": memory.content,
            "category": memory.category,
            "created_at": memory.created_at.isoformat(),
            "user_id": memory.user_id,
            "score": figure(self.scored.score),
            "tokens": self.tokens,
            "disposition": self.disposition,
            "factors": {name: figure(value) for name, value in self.scored.factors.items()},
            "evidence": {
                "dense": None if evidence.dense is None else figure(evidence.dense),
                "lexical": None if evidence.lexical is None else figure(evidence.lexical),
                "hot": evidence.hot,
                "subject": figure(evidence.subject),
            },
            "replaced": memory.supersedes is not None,
        }


@dataclass(frozen=True, slots=True)
class Assembly:
    """The answer: messages ready to send, and a true account of how they came about."""

    messages: Sequence[Message]
    memory_ids: tuple[UUID, ...] = ()
    directive_injected: bool = False
    directive_version: int = 0
    memories_available: int = 0
    total_tokens_injected: int = 0
    was_truncated: bool = False
    fallback_reason: str = ""
    tier: str = "none"
    map_behind: int = 0
    sources: Mapping[str, SourceReport] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    deadline_ms: float = 0.0
    budget: Budget | None = None
    packing: str = ""
    redacted: int = 0
    candidates: Sequence[Candidate] | None = None

    def as_json(self) -> dict[str, Any]:
        """The response body."""
        return {"messages": list(self.messages), "metadata": self._metadata()}

    @property
    def context_window_used(self) -> int:
        """Whole percent of the model's window taken by messages, tools and what was injected."""
        if self.budget is None:
            return 0
        used = self.budget.messages + self.budget.tools + self.total_tokens_injected
        return min(100, round(100 * used / self.budget.window))

    @property
    def deadline_met(self) -> bool:
        """Whether the answer was ready in time; a machine too busy to keep the bound must not hide it."""
        return self.timings_ms.get("total", math.inf) <= self.deadline_ms

    def _metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = {
            "directive_injected": self.directive_injected,
            "memories_injected": len(self.memory_ids),
            "memories_available": self.memories_available,
            "total_tokens_injected": self.total_tokens_injected,
            "context_window_used": self.context_window_used,
            "was_truncated": self.was_truncated,
            "fallback_reason": self.fallback_reason,
            "memory_ids": [str(identifier) for identifier in self.memory_ids],
            "tier": self.tier,
            **({"map_behind": self.map_behind} if self.map_behind else {}),
            "sources": {name: report.as_json() for name, report in self.sources.items()},
            "timings_ms": {stage: round(duration, 3) for stage, duration in self.timings_ms.items()},
            "deadline_ms": round(self.deadline_ms, 3),
            "deadline_met": self.deadline_met,
            "budget": self.budget.as_json() if self.budget else None,
            "packing": self.packing,
            "directive_version": self.directive_version,
        }
        if self.candidates is not None:
            metadata["candidates"] = [candidate.as_json() for candidate in self.candidates]
        return metadata


def _options(fields: Fields) -> AssemblyOptions:
    memories = fields.number("max_memories", -1, 0, 1000, whole=True)
    tokens = fields.number("memory_tokens", -1, 0, MOST_MEMORY_TOKENS, whole=True)
    floor = fields.number("relevance_floor", -1, 0, 1)
    return AssemblyOptions(
        max_memories=None if memories < 0 else int(memories),
        memory_tokens=None if tokens < 0 else int(tokens),
        categories=fields.strings("categories", most=16, allowed=CATEGORIES),
        relevance_floor=None if floor < 0 else floor,
        skip=fields.strings("skip", most=3, allowed=SKIPPABLE),
        weights=fields.weights("weights", DEFAULT_WEIGHTS),
        explain=fields.boolean("explain", default=False),
        hyde=None if fields.value("hyde") is None else fields.boolean("hyde", default=False),
    )


def _check_messages(fields: Fields, messages: Sequence[Any]) -> None:
    for index, message in enumerate(messages):
        place = f"messages[{index}]"
        if not isinstance(message, Mapping):
            fields.fail(place, "must be a JSON object")
        elif not isinstance(message.get("role"), str) or not message["role"]:
            fields.fail(f"{place}.role", "must be a non-empty string")
        elif not isinstance(message.get("content"), str | list | None):
            fields.fail(f"{place}.content", "must be a string, null or a list of content parts")


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "\n".join(text for text in texts if isinstance(text, str))
    return ""
