"""Answers of the routes, as frozen values. Fields that this version does not know are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from typing import Any, TypedDict, TypeVar

from remembrancer_client.errors import InvalidAnswer

Result = TypeVar("Result")


class EarlierText(TypedDict):
    """A text that a memory had before; `replaced_at` is in ISO 8601."""

    version: int
    content: str
    summary: str | None
    context: str | None
    replaced_at: str


class Contradicting(TypedDict):
    """A memory that may contradict the one that names it."""

    id: str
    is_newer: bool


MemoryRelation = TypedDict(
    "MemoryRelation", {"relation_id": str, "from": str, "to": str, "type": str, "confidence": float}
)
"""A relation of a memory, as a single read answers it."""


class Provenance(TypedDict, total=False):
    """Where a captured memory is from: the numbers of its turns in the conversation, and what captured it."""

    conversation_id: str
    turns: list[int]
    captured_by: str | dict[str, str]
    observed_at: str
    quote: str
    proposed: dict[str, Any]


class CapturedTurn(TypedDict):
    """A turn that a conversation was given; `status` is `accepted`, or `known` if it has the text already."""

    number: int
    status: str


class ForgottenMemory(TypedDict):
    """A memory that a sentence to forget is about; `restorable_until` is in ISO 8601, of one that was forgotten."""

    id: str
    content: str
    score: float
    sure: bool
    status: str
    restorable_until: str | None


class Fault(TypedDict, total=False):
    """Why one write of a batch failed; `fields` maps each bad field to what is wrong with it."""

    code: str
    message: str
    fields: dict[str, str]


@dataclass(frozen=True)
class Memory:
    """One remembered statement. Lists, searches and single reads fill as many fields as they answer."""

    id: str
    agent_id: str
    content: str
    category: str
    created_at: datetime
    user_id: str | None = None
    session_id: str | None = None
    summary: str | None = None
    context: str | None = None
    source: str = ""
    confidence: float = 0.0
    importance: float = 0.0
    quality: float = 0.0
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    status: str = "active"
    tier: str = ""
    version: int = 0
    embedding_state: str = ""
    client_ref: str | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    pinned: bool = False
    pinned_at: datetime | None = None
    updated_at: datetime | None = None
    pin_proposed: bool = False
    """Whether capture proposes that it be pinned, and nobody has decided."""
    forget_proposed: bool = False
    """Whether its end user wished it forgotten, and nobody has decided."""
    positive_count: int = 0
    negative_count: int = 0
    usage_count: int = 0
    versions: tuple[EarlierText, ...] = ()
    version_chain: tuple[str, ...] = ()
    relations: tuple[MemoryRelation, ...] = ()
    conflicts: tuple[Contradicting, ...] = ()
    """Each memory that may contradict this one."""
    provenance: Provenance | None = None
    """Only of a memory that was captured."""
    score: float | None = None
    """Only in results of searches."""


@dataclass(frozen=True)
class Written:
    """The result of one write: `accepted`, `duplicate` (`id` is the existing memory's) or, in a batch, `error`."""

    status: str
    id: str = ""
    client_ref: str | None = None
    redacted: Mapping[str, int] = field(default_factory=dict)
    error: Fault = field(default_factory=Fault)


@dataclass(frozen=True)
class Conflict:
    """Two memories that may contradict each other; `differs_in` is `value`, `day`, `place`, `negation` or None."""

    conflict_id: str
    newer: Memory
    older: Memory
    differs_in: str | None = None
    confidence: float | None = None
    found_at: datetime | None = None


@dataclass(frozen=True)
class SettledConflict:
    """What became of a conflict: the ids of the memories that stay, and of the one that was superseded, if any."""

    conflict_id: str
    action: str
    kept: tuple[str, ...] = ()
    superseded: str | None = None


@dataclass(frozen=True)
class Captured:
    """A conversation whose turns are stored; memories are made of them within seconds.

    `turns` has `number` and `status` (`accepted`, or `known` where the conversation has the text already) of each
    message of an end user or assistant; `skipped` counts the other messages by reason.
    """

    conversation_id: str
    turns: tuple[CapturedTurn, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """One message of a conversation; `state` is `pending`, `kept` (as the memory `memory_id`) or `dropped`.

    `forget` says what was done about a wish to forget in it: `outcome`, and ids of memories `forgotten` and `proposed`.
    """

    number: int
    role: str
    text: str
    observed_at: datetime
    state: str
    speaker: str | None = None
    reason: str | None = None
    memory_id: str | None = None
    forget: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Conversation:
    """A captured conversation; `pending` counts turns that wait. Lists leave out `turns`."""

    conversation_id: str
    agent_id: str
    session_id: str
    created_at: datetime
    updated_at: datetime
    user_id: str | None = None
    pending: int = 0
    first_words: str | None = None
    """In lists: how the first message of its user begins."""
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Found:
    """The answer to a query: memories in order, best first, and the reasons for the order."""

    memories: tuple[Memory, ...]
    query_intent: str
    computation_tier: str
    ended_by: str = ""
    """Why there are no more memories: `k`, `line` (the others help less) or `exhausted`; empty of an older service."""
    left_out: int = 0
    """How many of the best `k` are left out by the `thoroughness` of the query."""
    confidence_scores: tuple[float, ...] = ()
    explanations: tuple[Mapping[str, Any], ...] = ()
    degraded: tuple[str, ...] = ()
    adjusted: Mapping[str, Any] = field(default_factory=dict)
    routing_info: Mapping[str, Any] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    tiebreak_applied: bool = False
    request_id: str = ""


@dataclass(frozen=True)
class Deleted:
    """A memory that can be restored until `restorable_until`."""

    id: str
    restorable_until: datetime


@dataclass(frozen=True)
class Forgotten:
    """What a sentence to forget was about; `outcome` is `forgotten`, `proposed` (a person decides), or `nothing_found`.

    `memories` are the surest first.
    """

    outcome: str
    dry_run: bool = False
    topics: tuple[str, ...] = ()
    memories: tuple[ForgottenMemory, ...] = ()


@dataclass(frozen=True)
class FeedbackCounts:
    """How often a memory was judged useful, and how often not."""

    id: str
    positive_count: int
    negative_count: int


@dataclass(frozen=True)
class Relation:
    """A typed edge between two memories."""

    relation_id: str
    from_id: str = field(metadata={"name": "from"})
    to_id: str = field(metadata={"name": "to"})
    type: str = ""
    confidence: float = 0.0


@dataclass(frozen=True)
class Directive:
    """The operator's standing instruction for one agent, in one version."""

    agent_id: str
    version: int
    text: str
    injection_mode: str
    active: bool = True
    created_at: datetime | None = None


@dataclass(frozen=True)
class Agent:
    """An agent; `enabled` says whether assembly uses its memories."""

    agent_id: str
    name: str
    created_at: datetime | None = None
    enabled: bool = True
    capture: bool = False
    """Whether the service captures conversations from assembled requests by itself."""
    time_zone: str | None = None
    """Of end users who have set none."""
    placement: str | None = None
    """Where memories stand in prompts, `system` or `turn`; None: where the organization says."""


@dataclass(frozen=True)
class Key:
    """An API key; `api_key` is its text, in the answer that made it and nowhere else."""

    key_id: str
    name: str
    scopes: tuple[str, ...]
    end_users: tuple[str, ...] | None = None
    end_user_required: bool = False
    rate_per_second: float | None = None
    rate_burst: int | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    api_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Erasure:
    """An erasure; its `status` is `accepted`, `running` or `done`."""

    erasure_id: str
    status: str
    kind: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    requested_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True)
class Readiness:
    """Whether the service can serve, and the state of each dependency."""

    ready: bool
    checks: Mapping[str, str]


def parsed(kind: type[Result], data: Any) -> Result:
    """`data` as `kind`; InvalidAnswer when a field is missing or cannot be read."""
    if not isinstance(data, Mapping):
        raise InvalidAnswer(f"Expected an object for {kind.__name__}.")
    values: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]
        name = one.metadata.get("name", one.name)
        if name in data:
            values[one.name] = _converted(str(one.type), data[name], f"{kind.__name__}.{name}")
        elif one.default is MISSING and one.default_factory is MISSING:
            raise InvalidAnswer(f"{kind.__name__} lacks {name}.")
    return kind(**values)


def parsed_all(kind: type[Result], data: Any) -> tuple[Result, ...]:
    """Every item of a list as `kind`. Raises InvalidAnswer."""
    if not isinstance(data, list):
        raise InvalidAnswer(f"Expected a list of {kind.__name__}.")
    return tuple(parsed(kind, one) for one in data)


def _converted(declared: str, value: Any, name: str) -> Any:
    if value is None:
        if declared.endswith("None"):
            return None
        raise InvalidAnswer(f"{name} is null.")
    try:
        if declared.startswith("datetime"):
            return datetime.fromisoformat(value.replace("Z", "+00:00"))
        if declared == "Memory":
            return parsed(Memory, value)
        for kind in _NESTED:
            if declared.startswith(f"tuple[{kind.__name__},"):
                return parsed_all(kind, value)
        if declared.startswith("tuple"):
            return tuple(_checked(list, value))
        expected = _PLAIN.get(declared.partition(" ")[0].partition("[")[0])
        return value if expected is None else _checked(expected, value)
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidAnswer(f"{name} cannot be read.") from error


def _checked(kind: type | tuple[type, ...], value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError
    return value


_NESTED = (Memory, Turn)
_PLAIN: Mapping[str, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "Mapping": dict,
    "Provenance": dict,
    "Fault": dict,
}
