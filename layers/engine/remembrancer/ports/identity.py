"""Credentials and their rates, organizations, agents, directives, and the administration of API keys."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain.identity.agent import Agent, AgentState, DirectiveVersion
from remembrancer.domain.identity.api_key import ApiKey
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.domain.memories.memory import Directive
from remembrancer.domain.requests.idempotency import Once


class Credentials(Protocol):
    """API keys by the SHA-256 of their text."""

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        """The key's principal; None for an unknown or revoked key. One that has expired may still be found."""
        ...

    async def limit(self, org_id: UUID) -> RateLimit | None:
        """The organization's, of all its credentials together; None leaves the deployment's."""
        ...


class ChangedAgents(Protocol):
    """Replaces agents, and what end users have set, in the caches after a change."""

    async def correct(self, agent: Agent, principal: Principal) -> None:
        """The agent is found in them as it is now; other instances follow within seconds. StoreError."""
        ...

    async def correct_time_zone(self, principal: Principal, end_user: str, time_zone: str | None) -> None:
        """The same of an end user's time zone. StoreError."""
        ...


class Tokens(Protocol):
    """Verifies tokens of the identity provider."""

    async def verified(self, token: str) -> Mapping[str, Any] | None:
        """The claims of a token that is signed by the provider, meant for us and valid now; None for any other.

        StoreError when the provider's keys cannot be had.
        """
        ...


class RateLimits(Protocol):
    """Buckets of tokens, an organization's and those of its credentials, shared by all instances."""

    async def take(self, org_id: UUID, buckets: Mapping[UUID, RateLimit]) -> float:
        """Takes a token of each bucket, by its owner's id, or of none.

        The seconds until each has one, 0 when they were taken. StoreError.
        """
        ...


class AgentStates(Protocol):
    """The state of agents in the store, which no cache answers for."""

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

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        """None when the principal's project and environment have none of that name."""
        ...

    async def names_like(self, principal: Principal, name: str) -> Sequence[str]:
        """Names of agents there, up to 100: those that differ in case only, then in the order of names. StoreError."""
        ...

    async def time_zone(self, org_id: UUID, project_id: str, environment: str, end_user: str) -> str | None:
        """The name of the time zone that the end user has set there; None without."""
        ...

    def remembered_id(self, principal: Principal, name: str) -> UUID | None:
        """The agent's id when the name was last looked up here; `agent_named` says whether it still is."""
        ...


class Agents(Protocol):
    """The agents of one project and environment with their directives and end users, for the API: always as they are in
    the store, while the Directory may tell for seconds what was there before.
    """

    async def create(
        self,
        principal: Principal,
        agent_id: UUID,
        name: str,
        *,
        time_zone: str | None = None,
        once: Once | None = None,
    ) -> Agent | None:
        """None when the name is taken; the one that was created `once` again."""
        ...

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        """None when the principal's project and environment have none of that name."""
        ...

    async def switch(
        self,
        principal: Principal,
        agent_id: UUID,
        *,
        enabled: bool | None = None,
        capture: bool | None = None,
        time_zone: str | None = None,
        placement: str | None = None,
    ) -> Agent | None:
        """Switches the agent's memories or the capture of its assembled requests on or off, and sets its time zone and
        placement, each unless it is None; an empty one is removed. None when there is no such agent.
        """
        ...

    async def list(self, principal: Principal, *, after: str | None = None, limit: int = 100) -> Sequence[Agent]:
        """The agents in the order of their names, from the one behind `after` on."""
        ...

    async def end_users(
        self, principal: Principal, agent_id: UUID, *, after: str | None = None, limit: int = 100
    ) -> Sequence[str]:
        """The end users among those of the principal that have a memory, by name, those behind the name `after`."""
        ...

    async def time_zone(self, org_id: UUID, project_id: str, environment: str, end_user: str) -> str | None:
        """What the end user has set there; None without."""
        ...

    async def set_time_zone(self, principal: Principal, end_user: str, time_zone: str | None) -> None:
        """In the principal's project and environment; None removes it."""
        ...

    async def directive(self, org_id: UUID, agent_id: UUID) -> Directive | None:
        """The active version; None when the agent has none."""
        ...

    async def directive_versions(
        self, org_id: UUID, agent_id: UUID, *, before: int | None, limit: int
    ) -> Sequence[DirectiveVersion]:
        """Newest first, those older than version `before`."""
        ...

    async def put_directive(
        self, org_id: UUID, agent_id: UUID, text: str, injection_mode: str, *, actor: str = ""
    ) -> Directive:
        """Stores the next version and makes it the active one; QuotaExceeded."""
        ...


class ApiKeys(Protocol):
    """The keys of one project and environment, the principal's."""

    async def create(
        self, principal: Principal, key_id: UUID, key_sha256: bytes, key: KeyRequest, *, once: Once | None = None
    ) -> ApiKey:
        """Stores the key by the SHA-256 of its text; the one that was created `once` has another id."""
        ...

    async def list(
        self, principal: Principal, *, after: tuple[datetime, UUID] | None = None, limit: int = 100
    ) -> Sequence[ApiKey]:
        """Oldest first, revoked ones too; those behind the (created_at, key_id) of `after`."""
        ...

    async def revoke(self, principal: Principal, key_id: UUID) -> tuple[ApiKey, bytes] | None:
        """The revoked key and its SHA-256; revoking it again changes nothing. None when there is no such key."""
        ...
