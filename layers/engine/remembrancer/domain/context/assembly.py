"""Request and answer of context assembly."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from remembrancer.domain.context import chat_messages, follow_ups
from remembrancer.domain.context.budget import Budget
from remembrancer.domain.context.chat_messages import Message
from remembrancer.domain.context.follow_ups import Resolved
from remembrancer.domain.context.placement import PLACEMENTS
from remembrancer.domain.context.prefix import Prefix, Prompt
from remembrancer.domain.context.told import ToldBlock
from remembrancer.domain.identity import agent_reference
from remembrancer.domain.identity.agent_reference import AgentReference
from remembrancer.domain.identity.scope import NOBODY, EndUser
from remembrancer.domain.memories.memory import CATEGORIES
from remembrancer.domain.ranking.assembly_score import DEFAULT_WEIGHTS, Scored
from remembrancer.domain.ranking.helpfulness import LINES, MOST
from remembrancer.domain.requests.field_types import (
    agent,
    boolean,
    choice,
    end_user,
    nested,
    number,
    objects,
    strings,
    text,
    time_zone,
    timestamp,
    uuid,
    weights,
    whole,
)
from remembrancer.domain.requests.fields import OpenFields
from remembrancer.domain.requests.rounding import figure
from remembrancer.domain.retrieval.evidence import Evidence

QUERY_CHARACTERS = 2000
SKIPPABLE = ("hot", "cold", "lexical")
THOROUGHNESS = tuple(LINES)
MOST_MEMORY_TOKENS = 10_000_000
NO_ID = UUID(int=0)
FOR_THE_MODEL = frozenset(
    {
        *("audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs"),
        *("max_completion_tokens", "max_output_tokens", "max_tokens", "modalities", "n"),
        *("parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key", "reasoning", "reasoning_effort"),
        *("response_format", "seed", "service_tier", "stop", "stop_sequences", "store", "stream"),
        *("stream_options", "temperature", "thinking", "tool_choice", "top_k", "top_logprobs", "top_p", "verbosity"),
        "web_search_options",
    }
)
"""Fields of requests to OpenAI's and Anthropic's models that mean nothing to assembly: hosts that pass a request on
send them each time, so they are ignored without a word. Those that may say for whom a request is (`metadata`,
`safety_identifier`) or what the model is told (`system`) are named, since their sender expects an effect.
"""


@dataclass(frozen=True, slots=True)
class AssemblyOptions:
    """Options of one assembly; None means the organization's setting, for `placement` the agent's before it, for `hyde`
    and `silence` the deployment's.
    """

    max_memories: int | None = None
    memory_tokens: int | None = None
    categories: tuple[str, ...] = ()
    relevance_floor: float | None = None
    skip: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    explain: bool = False
    hyde: bool | None = None
    as_of: datetime | None = None
    silence: bool | None = None
    placement: str | None = None
    thoroughness: str = "balanced"
    cache_control: bool = False

    @property
    def most_memories(self) -> int | None:
        """The most to inject; None without a limit."""
        return MOST.get(self.thoroughness) if self.max_memories is None else self.max_memories


@dataclass(frozen=True)
class AssembleRequest:
    """A validated request; `messages` are the client's own objects. Without slots, since it keeps its question.

    With `agent_name`, `agent_id` has no meaning until the name was resolved. `ignored` are the unknown fields, with
    what was probably meant.
    """

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
    agent_name: str | None = None
    time_zone: str | None = None
    ignored: Mapping[str, str] = field(default_factory=dict)

    @property
    def agent(self) -> AgentReference:
        """The agent's id or name from the request."""
        return self.agent_name or self.agent_id

    @property
    def user_id(self) -> str | None:
        """The end user's name from the request."""
        return self.end_user.name

    @property
    def query(self) -> str:
        """What the user said since the last final answer, shortened, with what it chooses; empty without any."""
        return self._resolved.own

    @property
    def referred(self) -> str:
        """What the query refers to of the messages before it; empty where it stands alone."""
        return self._resolved.referred

    @property
    def meaning(self) -> str:
        """The text whose meaning is searched."""
        return follow_ups.meaning(self.query, self.referred)

    @cached_property
    def _resolved(self) -> Resolved:
        return follow_ups.resolved(self.messages, self.question[1])

    @cached_property
    def question(self) -> tuple[int, str]:
        """The position of the turn's last message, and the turn: ten steps of an assembly ask for it."""
        position, text = chat_messages.question_of(self.messages)
        return position, chat_messages.shortened(text, QUERY_CHARACTERS)


OPTIONS = OpenFields(
    max_memories=whole(0, 1000),
    memory_tokens=whole(0, MOST_MEMORY_TOKENS),
    categories=strings(16, allowed=CATEGORIES, least=1),
    relevance_floor=number(0, 1),
    skip=strings(3, allowed=SKIPPABLE),
    weights=weights(DEFAULT_WEIGHTS),
    explain=boolean(default=False),
    hyde=boolean(),
    as_of=timestamp().described(description="What was true at this time; ISO 8601."),
    placement=choice(PLACEMENTS).described(
        description="Where memories stand: with the directive (`system`), or before the message that they were found "
        "for (`turn`). Default: the agent's, else the organization's."
    ),
    cache_control=boolean(default=False).described(
        description="True: the directive ends with a mark of Anthropic's prompt cache, if the client has set none."
    ),
    silence=boolean().described(description="False: memories are injected also where none seems to help."),
    thoroughness=choice(THOROUGHNESS, default="balanced").described(
        description="How likely a memory must help to be injected: `lean` injects fewest."
    ),
)
ASSEMBLE = OpenFields(
    "AssembleRequest",
    "",
    FOR_THE_MODEL,
    # Blank is no wider: it is the credential's organization in any case, as in the protobuf contract.
    org_id=uuid(is_blank_absent=True, aliases=("tenant_id", "tenantId")).described(
        description="That of the credential, if given."
    ),
    agent_id=agent(required=True),
    session_id=text(),
    turn_id=text(),
    user_id=end_user(may_be_all=True),
    model=text(required=True),
    request_id=text(required=True),
    messages=chat_messages.FIELD,
    tools=objects(1000, {"type": "object"}),
    options=nested(OPTIONS),
    time_zone=time_zone().described(description="Of the end user: where `yesterday` in the query begins and ends."),
)


def parse(body: object, *, org_id: UUID = NO_ID) -> AssembleRequest:
    """Raises InvalidRequest naming every bad field; unknown fields are ignored, as in protobuf, and noted.

    `org_id` is the organization of a request that names none.
    """
    given = ASSEMBLE.read(body)
    asked = given.finish()
    end_user, options = EndUser.of(asked.pop("user_id")), AssemblyOptions(**asked.pop("options"))
    named = {"org_id": asked["org_id"] or org_id, **agent_reference.fields_of(asked["agent_id"], absent=NO_ID)}
    return AssembleRequest(**{**asked, **named}, end_user=end_user, options=options, ignored=given.ignored)


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The result of one source: `status` is ok, timeout, error or skipped; `cause` is the class of its error.

    `short` when the source answered, but may have missed results: an index found fewer than exist, or words were too
    common to be read. `origin` of the directive is cache, db, or none where there is none; that of a query's
    history is instance where its ranking data was kept.
    """

    status: str
    started_ms: float = 0.0
    latency_ms: float = 0.0
    count: int = 0
    cause: str = ""
    short: bool = False
    origin: str = ""

    @property
    def reason(self) -> str:
        """Why the source is missing: `timeout`, or `error:` and the class of the error."""
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
        if self.origin:
            report["origin"] = self.origin
        return report


def missing(reports: Mapping[str, SourceReport]) -> list[str]:
    """The missing sources with reasons, as `source_timeout` or `source_error:Cause`; empty when none is missing."""
    return [f"{name}_{report.reason}" for name, report in reports.items() if report.status in {"timeout", "error"}]


@dataclass(slots=True)
class Candidate:
    """A memory that competes for the budget: its score, its tokens, and its disposition.

    `relevance` is absolute: a floor acts on it. The factor of that name in the score is relative to the other
    candidates. `helps` says how much it helps with the turn, compared with the others: the line acts on it.
    `probability` is that of the turn needing it. Both are None where that was not judged.

    Not frozen, as Memory is not: a request makes hundreds.
    """

    scored: Final[Scored]
    evidence: Final[Evidence]
    relevance: Final[float]
    tokens: Final[int]
    disposition: Final[str] = "budget"
    helps: Final[float | None] = None
    probability: Final[float | None] = None

    def as_json(self) -> dict[str, Any]:
        """The candidate as `explain` shows it."""
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
                "relevance": figure(self.relevance),
                "helps": None if self.helps is None else figure(self.helps),
                "probability": None if self.probability is None else figure(self.probability),
            },
            "replaced": memory.supersedes is not None,
            "occurred_from": memory.occurred_from.isoformat() if memory.occurred_from else None,
            "occurred_to": memory.occurred_to.isoformat() if memory.occurred_to else None,
            "conflicts": memory.conflicts,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `explain` adds beside the candidates: weights of the factors, and the time line's bounds and stages.

    Bounds and starts are milliseconds after the request's start; a bound never ends later than retrieval itself.
    """

    weights: Mapping[str, float]
    relevance_floor: float
    bounds_ms: Mapping[str, float]
    started_ms: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """The explanation under its wire names."""
        return {
            "weights": {factor: figure(weight) for factor, weight in self.weights.items()},
            "relevance_floor": figure(self.relevance_floor),
            "bounds_ms": {source: round(bound, 3) for source, bound in self.bounds_ms.items()},
            "started_ms": {stage: round(start, 3) for stage, start in self.started_ms.items()},
        }


@dataclass(frozen=True, slots=True)
class Assembly:
    """The answer: messages ready to send, and a report on how they were made.

    `silent`: memories were found and left out, since nothing stored helps with the turn. `helpfulness` is None where
    this was not decided. `duplicates` counts memories that were left out since a better one says the same.
    `pinned_memory_ids` stand with the directive, in this order, `earlier_memory_ids` before earlier messages.
    `passages` are shown of memories that are not shown whole. `blocks` are those that the session has been told now,
    and those that it forgets. `prompt` is the whole by its hashes, `prefix` what it has in common with the session's
    last one; None without a session, `prefix` also without a last prompt.
    """

    messages: Sequence[Message]
    memory_ids: tuple[UUID, ...] = ()
    pinned_memory_ids: tuple[UUID, ...] = ()
    earlier_memory_ids: frozenset[UUID] = frozenset()
    directive_injected: bool = False
    directive_version: int = 0
    memories_available: int = 0
    total_tokens_injected: int = 0
    was_truncated: bool = False
    duplicates: int = 0
    fallback_reason: str = ""
    tier: str = "none"
    map_behind: int = 0
    sources: Mapping[str, SourceReport] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    deadline_ms: float = 0.0
    budget: Budget | None = None
    packing: str = ""
    unreadable: int = 0
    silent: bool = False
    helpfulness: float | None = None
    candidates: Sequence[Candidate] | None = None
    explanation: Explanation | None = None
    passages: Mapping[UUID, tuple[int, ...]] = field(default_factory=dict)
    blocks: tuple[Sequence[ToldBlock], Sequence[ToldBlock]] = ((), ())
    prompt: Prompt | None = None
    prefix: Prefix | None = None

    def as_json(self) -> dict[str, Any]:
        """The JSON body of the response."""
        return {"messages": list(self.messages), "metadata": self._metadata()}

    @property
    def context_window_used(self) -> int:
        """Whole percent of the model's window used by messages, tools and the injected text."""
        if self.budget is None:
            return 0
        used = self.budget.messages + self.budget.tools + self.total_tokens_injected
        return min(100, round(100 * used / self.budget.window))

    @property
    def deadline_met(self) -> bool:
        """Whether the answer was ready in time; measured, so that an overloaded machine cannot hide a late answer."""
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
            "pinned_memory_ids": [str(identifier) for identifier in self.pinned_memory_ids],
            "earlier_memory_ids": sorted(map(str, self.earlier_memory_ids)),
            "tier": self.tier,
            **({"map_behind": self.map_behind} if self.map_behind else {}),
            "sources": {name: report.as_json() for name, report in self.sources.items()},
            "timings_ms": {stage: round(duration, 3) for stage, duration in self.timings_ms.items()},
            "deadline_ms": round(self.deadline_ms, 3),
            "deadline_met": self.deadline_met,
            "budget": self.budget.as_json() if self.budget else None,
            "packing": self.packing,
            "duplicates": self.duplicates,
            "directive_version": self.directive_version,
            "silent": self.silent,
            "helpfulness": None if self.helpfulness is None else figure(self.helpfulness),
            "prefix": self.prefix.as_json() if self.prefix else None,
        }
        if self.candidates is not None:
            metadata["candidates"] = [candidate.as_json() for candidate in self.candidates]
        if self.explanation is not None:
            metadata["explanation"] = self.explanation.as_json()
        return metadata
