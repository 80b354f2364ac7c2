"""What the use cases need of the outside world. Every method raises StoreError when its dependency fails.

Nothing here crosses an organization: each call names one, by itself or in its Scope.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memory import Directive, Memory, NewMemory, Vector
from remembrancer.domain.model_profile import ModelProfile
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Principal, Scope
from remembrancer.domain.tokens import TokenCount


class Clock(Protocol):
    """Time as an argument: `now` is aware UTC, `monotonic` seconds that only grow."""

    def now(self) -> datetime:
        """The moment of the request."""
        ...

    def monotonic(self) -> float:
        """For durations and deadlines."""
        ...


class Credentials(Protocol):
    """API keys by the SHA-256 of their text."""

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        """The key's principal; None for an unknown or revoked key."""
        ...


@dataclass(frozen=True, slots=True)
class Organization:
    """What retrieval and writes need of an organization; `memory_tokens` None means the deployment's default."""

    org_id: UUID
    term_key: bytes
    language: str
    memory_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent and where it belongs."""

    agent_id: UUID
    project_id: str
    environment: str
    name: str
    created_at: datetime | None = None


class Directory(Protocol):
    """Organizations and agents; both change rarely."""

    async def organization(self, org_id: UUID) -> Organization | None:
        """None when there is no such organization."""
        ...

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        """None when the organization has no such agent."""
        ...


class Agents(Protocol):
    """The agents of one project and environment, for the API."""

    async def create(self, principal: Principal, agent_id: UUID, name: str) -> Agent | None:
        """None when the name is taken."""
        ...

    async def list(self, principal: Principal) -> Sequence[Agent]:
        """By name."""
        ...


class Directives(Protocol):
    """The versions of an agent's directive."""

    async def active(self, org_id: UUID, agent_id: UUID) -> Directive | None:
        """None when the agent has none."""
        ...

    async def put(self, org_id: UUID, agent_id: UUID, text: str, injection_mode: str) -> Directive:
        """Stores the next version and makes it the active one."""
        ...


@dataclass(frozen=True, slots=True)
class AgentSnapshot:
    """What the cache knows of an agent, read in one round trip.

    `directive` None means not cached, which is not the same as none; `hot` is best first; `version` counts the writes
    to the agent's memories, None when not cached.
    """

    directive: Directive | None
    version: int | None
    hot: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class HotEntry:
    """A memory and the score that orders it in the hot set."""

    memory: Memory
    score: float


class AgentCache(Protocol):
    """An agent's directive, version counter and hot set; losing it costs time, never data."""

    async def read(self, org_id: UUID, agent_id: UUID, user_id: str | None, limit: int) -> AgentSnapshot:
        """Up to `limit` hot memories of this end user and of nobody; all of the agent's when `user_id` is None."""
        ...

    async def put_directive(self, org_id: UUID, agent_id: UUID, directive: Directive) -> None:
        """Replaces the cached directive, unless a newer version is cached."""
        ...

    async def put_hot(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry]) -> None:
        """Adds or updates entries and trims the set to its capacity."""
        ...

    async def changed(self, org_id: UUID, agent_id: UUID, gone: Sequence[UUID] = ()) -> None:
        """Bumps the version counter and takes `gone` out of the hot set."""
        ...


class Embedder(Protocol):
    """Text to unit vectors."""

    @property
    def model(self) -> str:
        """Stored beside every vector: vectors of different models are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows."""
        ...


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory and its cosine similarity to the query, clamped to [0, 1]."""

    memory: Memory
    similarity: float


@dataclass(frozen=True, slots=True)
class Matched:
    """A memory that contains words of the query; `score` is BM25 over the best the words could reach, in [0, 1]."""

    memory: Memory
    score: float
    terms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Vector search's result, most similar first, and the arm that ran: exact or hnsw."""

    found: Sequence[Similar]
    strategy: str


class MemorySearch(Protocol):
    """Search over the live memories of a scope; every filter is part of the search itself."""

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """The memories nearest to a unit vector of `model`."""
        ...

    async def matching(
        self, scope: Scope, terms: Sequence[int], filters: Filters, *, limit: int, now: datetime
    ) -> Sequence[Matched]:
        """The memories that contain any of the terms, best BM25 first."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryWrite:
    """One memory ready to be stored: what was derived from its text comes with it."""

    memory_id: UUID
    memory: NewMemory
    quality: float
    terms: Sequence[tuple[int, int, int]]
    indexed_words: int
    tokens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WriteResult:
    """`status` is accepted, duplicate (of `memory_id`) or unknown_supersedes; `gone` is the memory it replaced."""

    memory_id: UUID | None
    status: str
    gone: UUID | None = None


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory with everything the API shows of it."""

    memory: Memory
    context: str | None
    metadata: Mapping[str, Any]
    version: int
    embedding_state: str
    embedding_error: str | None
    client_ref: str | None
    valid_from: datetime | None
    superseded_by: UUID | None
    updated_at: datetime
    chain: Sequence[UUID] = ()
    relations: Sequence["Relation"] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge from one memory to another."""

    relation_id: UUID
    from_memory_id: UUID
    to_memory_id: UUID
    type: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of an agent's memories, newest first; `after` is the (created_at, id) of the last one before the page."""

    agent_id: UUID
    user_id: str | None = None
    category: str | None = None
    tag: str | None = None
    since: datetime | None = None
    embedding_state: str | None = None
    limit: int = 50
    after: tuple[datetime, UUID] | None = None


class Memories(Protocol):
    """The memories of a project, as the API writes and reads them."""

    async def write(self, principal: Principal, agent_id: UUID, writes: Sequence[MemoryWrite]) -> Sequence[WriteResult]:
        """One transaction; a result for each write, in order."""
        ...

    async def get(self, principal: Principal, memory_id: UUID) -> StoredMemory | None:
        """With its version chain, oldest first, and its relations in both directions."""
        ...

    async def list(self, principal: Principal, listing: Listing) -> Sequence[StoredMemory]:
        """Without chains and relations."""
        ...

    async def relate(self, principal: Principal, relation: Relation) -> tuple[Relation, bool] | None:
        """The relation and whether it is new; None when an end does not exist for this principal."""
        ...


@dataclass(frozen=True, slots=True)
class PendingMemory:
    """A memory that waits for its vector."""

    memory: Memory
    project_id: str
    environment: str


class EmbeddingStore(Protocol):
    """The embedding worker's view of the memories of one organization."""

    async def pending(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[PendingMemory]:
        """Those of the ids that still need a vector of `model`; the others are done, gone or superseded."""
        ...

    async def store(
        self, org_id: UUID, memories: Sequence[PendingMemory], vectors: NDArray[np.float32], model: str
    ) -> Sequence[UUID]:
        """Stores vectors and marks the memories ready; ids of those that were stored, not of those gone meanwhile."""
        ...

    async def fail(self, org_id: UUID, memory_ids: Sequence[UUID], reason: str) -> None:
        """Marks memories whose embedding was given up."""
        ...

    async def hot_candidates(self, org_id: UUID, agent_id: UUID, now: datetime, limit: int) -> Sequence[Memory]:
        """The agent's best embedded memories by hot score, to refill a cold hot set."""
        ...


class Backlog(Protocol):
    """Memories whose embedding message was lost, over all organizations one after the other."""

    async def organizations(self) -> Sequence[UUID]:
        """Every organization."""
        ...

    async def stale(self, org_id: UUID, older_than: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        """(memory, agent) of those that wait since before `older_than`, and notes that they were queued again."""
        ...


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """Memories that were returned to a caller at one moment."""

    event_id: UUID
    org_id: UUID
    agent_id: UUID | None
    memory_ids: tuple[UUID, ...]
    kind: str
    at: datetime
    session_id: str | None = None
    user_id: str | None = None


class UsageStore(Protocol):
    """Usage counts."""

    async def apply(self, org_id: UUID, events: Sequence[UsageEvent]) -> int:
        """Counts each event that was not counted before, in one transaction; how many were new."""
        ...


class Queue(Protocol):
    """A queue of JSON messages that carry ids, never text."""

    async def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """All of them, or StoreError."""
        ...


class TokenCounter(Protocol):
    """Tokens of texts, off the event loop."""

    async def count_many(self, texts: Sequence[str], family: str) -> Sequence[TokenCount]:
        """One count a text; `exact` says whether it is the tokenizer's own."""
        ...


class Catalogue(Protocol):
    """Windows, limits and tokenizers of models."""

    def lookup(self, model: str) -> ModelProfile:
        """Never fails: an unknown model has a small window and `known` false."""
        ...


class Stemmer(Protocol):
    """Words to stems of one language."""

    def stem(self, words: Sequence[str]) -> list[str]:
        """One stem a word."""
        ...


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether each dependency answers; a failed one names its error's class."""

    checks: Mapping[str, str] = field(default_factory=dict)

    @property
    def ready(self) -> bool:
        """Postgres is needed to be ready; the cache is not."""
        return self.checks.get("postgres") == "ok"


class Probe(Protocol):
    """A dependency that can be asked whether it answers."""

    async def ping(self) -> None:
        """Returns when it answered."""
        ...
