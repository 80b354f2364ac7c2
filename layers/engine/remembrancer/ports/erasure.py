"""Erasing everything of an end user, an agent or an organization."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.requests.idempotency import Once


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and how far the erasure reaches: one project and environment, everywhere when these are None.

    `key_id` is None for the operator.
    """

    org_id: UUID
    project_id: str | None = None
    environment: str | None = None
    key_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to be erased; `subject` is None once it is `done`. `counts` are rows by what they were.

    It reaches as far as who asked for it, see Asking.
    """

    erasure_id: UUID
    org_id: UUID
    kind: str
    subject: str | None
    state: str
    counts: Mapping[str, int]
    requested_at: datetime
    finished_at: datetime | None = None
    project_id: str | None = None
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class ErasedMemories:
    """Memories of one agent that are gone, and the agent's counters after that."""

    agent_id: UUID
    memory_ids: Sequence[UUID]
    change: Change


class Erasures(Protocol):
    """The store's side: bounded steps, each a transaction of its own that can be repeated."""

    async def request(
        self, asking: Asking, erasure_id: UUID, kind: str, subject: str, *, once: Once | None = None
    ) -> Erasure | None:
        """Notes it; one of the same subject and reach that is still running is the one meant, and that of an agent.

        The one that was requested `once` is meant when it is done, too. None when it would reach further than who asks:
        an agent of another place or of none, an organization that has agents or keys in other places; and when there is
        no such organization.
        """
        ...

    async def find(self, principal: Principal, erasure_id: UUID) -> Erasure | None:
        """None when there is none of that id in the principal's place, or it is not about its end user."""
        ...

    async def about(self, org_id: UUID, kind: str, subject: str) -> Sequence[Erasure]:
        """Every one of a subject, in any place and also done, the newest first."""
        ...

    async def running(self, org_id: UUID) -> Sequence[Erasure]:
        """Those not done yet, oldest first."""
        ...

    async def erase_memories(self, erasure: Erasure, limit: int) -> ErasedMemories | None:
        """Up to `limit` memories of one agent; None when there are none left."""
        ...

    async def erase_records(self, erasure: Erasure, limit: int) -> int:
        """Up to `limit` other rows; 0 when there are none left."""
        ...

    async def keys(self, erasure: Erasure) -> Sequence[bytes]:
        """SHA-256 of the API keys that change or go with it."""
        ...

    async def beyond(
        self, erasure: Erasure, agent_ids: Sequence[UUID], memory_ids: Sequence[UUID]
    ) -> tuple[frozenset[UUID], frozenset[UUID]]:
        """Which of the agents are not where the erasure reaches, and which of the memories are still there."""
        ...

    async def finish(self, erasure: Erasure) -> None:
        """What has to go last, and the record without its subject."""
        ...


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that failed for good, held so that nobody else receives it."""

    queue: str
    handle: str
    body: str


class DeadLetters(Protocol):
    """Messages that no worker takes any more; those on their way are not looked for: workers drop what is erased."""

    async def receive(self) -> Sequence[DeadLetter]:
        """Those there are, held for a minute; StoreError."""
        ...

    async def delete(self, letters: Sequence[DeadLetter]) -> None:
        """For good."""
        ...

    async def release(self, letters: Sequence[DeadLetter]) -> None:
        """Back into the queue."""
        ...


class CacheSweep(Protocol):
    """Every copy in the cache."""

    async def sweep(self, org_id: UUID, agent_id: UUID | None, keys: Sequence[bytes], *, text_only: bool) -> None:
        """Drops what is kept of the agent, or of the organization when that is None, and these API keys.

        `text_only` leaves what cannot hold anything of a single end user.
        """
        ...
