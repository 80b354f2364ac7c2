"""Who asks, and what belongs to whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain.memory import Change, Directive
from remembrancer.domain.once import Once
from remembrancer.domain.redaction import Redaction
from remembrancer.domain.scope import Principal, RateLimit


class Credentials(Protocol):
    """API keys by the SHA-256 of their text."""

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        """The key's principal; None for an unknown or revoked key. One that has expired may still be found."""
        ...

    async def limit(self, org_id: UUID) -> RateLimit | None:
        """The organization's, of all its credentials together; None leaves the deployment's."""
        ...


class Tokens(Protocol):
    """Tokens of the identity provider."""

    async def verified(self, token: str) -> Mapping[str, Any] | None:
        """The claims of a token that is signed, for us and valid now; None for any other.

        StoreError when the provider's keys are not to be had.
        """
        ...


class RateLimits(Protocol):
    """Buckets of tokens, an organization's and those of its credentials, shared by all instances."""

    async def take(self, org_id: UUID, buckets: Mapping[UUID, RateLimit]) -> float:
        """Takes a token of each bucket, by its owner's id, or of none.

        The seconds until each has one, 0 when they were taken. StoreError.
        """
        ...


@dataclass(frozen=True, slots=True)
class Organization:
    """What retrieval and writes need of an organization; `memory_tokens` None means the deployment's default, 0
    no cap but the window.

    `relation_boosts` replace entries of the query's table of boosts; `redaction` is what its texts are stored without.
    """

    org_id: UUID
    term_key: bytes
    language: str
    memory_tokens: int | None = None
    encrypted: bool = False
    relation_boosts: Mapping[str, Any] = field(default_factory=dict)
    redaction: Redaction = field(default_factory=Redaction)


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent and where it belongs."""

    agent_id: UUID
    project_id: str
    environment: str
    name: str
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DirectiveVersion:
    """One version of an agent's directive."""

    directive: Directive
    active: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AgentState:
    """What caches of an agent are held against; the directive is the active version, `NO_DIRECTIVE` for none."""

    change: Change
    directive: Directive


class AgentStates(Protocol):
    """The state of agents, past every cache."""

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        """None when there is no such agent."""
        ...


class Directory(Protocol):
    """Organizations and agents; both change rarely."""

    async def organization(self, org_id: UUID) -> Organization | None:
        """None when there is no such organization; StoreError too when its data key cannot be had."""
        ...

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        """None when the organization has no such agent."""
        ...


class Agents(Protocol):
    """The agents of one project and environment, for the API."""

    async def create(
        self, principal: Principal, agent_id: UUID, name: str, *, once: Once | None = None
    ) -> Agent | None:
        """None when the name is taken; the one that was created `once` again."""
        ...

    async def list(self, principal: Principal, *, after: str | None = None, limit: int = 100) -> Sequence[Agent]:
        """By name, those behind the name `after`."""
        ...


class Directives(Protocol):
    """The versions of an agent's directive."""

    async def active(self, org_id: UUID, agent_id: UUID) -> Directive | None:
        """None when the agent has none."""
        ...

    async def versions(
        self, org_id: UUID, agent_id: UUID, *, before: int | None, limit: int
    ) -> Sequence[DirectiveVersion]:
        """Newest first, those older than version `before`."""
        ...

    async def put(self, org_id: UUID, agent_id: UUID, text: str, injection_mode: str) -> Directive:
        """Stores the next version and makes it the active one; QuotaExceeded."""
        ...
