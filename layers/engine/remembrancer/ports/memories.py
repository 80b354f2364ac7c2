"""Memories as the API writes and reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain.lexical import IndexedText
from remembrancer.domain.memory import Change, Memory, MemoryVersion, NewMemory
from remembrancer.domain.once import Once
from remembrancer.domain.scope import Principal
from remembrancer.domain.sealing import REDACTED

MOST_VERSIONS = 50
"""Earlier texts of a memory that are read at once."""
MOST_CHAIN = 500
"""Memories of a chain that are read on either side."""
MOST_RELATIONS = 1000
"""Relations of a memory that are shown; one more is read, to know whether there are more."""


@dataclass(frozen=True, slots=True)
class SealedMemory:
    """A memory's text and context under version `key_version` of the organization's data key."""

    text: bytes
    context: bytes | None
    key_version: int


@dataclass(frozen=True, slots=True)
class MemoryWrite:
    """One memory ready to be stored: what was derived from its text comes with it.

    With `sealed` that is stored in place of content, summary and context.
    """

    memory_id: UUID
    memory: NewMemory
    quality: float
    indexed: IndexedText
    tokens: Mapping[str, int]
    fingerprint: bytes
    sealed: SealedMemory | None = None


@dataclass(frozen=True, slots=True)
class WriteResult:
    """`status` is accepted, duplicate (of `memory_id`), or why not: unknown_agent, unknown_supersedes,
    shared_supersedes, quota_exceeded.

    `gone` is the memory that it replaced.
    """

    memory_id: UUID | None
    status: str
    gone: UUID | None = None


@dataclass(frozen=True, slots=True)
class WriteReport:
    """A result at the place of each write, and the changed agents' counters after them."""

    results: Mapping[int, WriteResult]
    changes: Mapping[UUID, Change] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory with everything the API shows of it; `deleted_from` is the status that it had when it was deleted."""

    memory: Memory
    context: str | None
    metadata: Mapping[str, Any]
    version: int
    embedding_state: str
    embedding_error: str | None
    client_ref: str | None
    superseded_by: UUID | None
    updated_at: datetime
    deleted_at: datetime | None = None
    deleted_from: str | None = None
    versions: Sequence[MemoryVersion] = ()
    chain: Sequence[UUID] = ()
    relations: Sequence["Relation"] = ()
    sealed_context: bytes | None = None
    redactions: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_redacted(self) -> bool:
        """Whether any of its text could not be opened."""
        return self.memory.is_redacted or (self.sealed_context is not None and self.context == REDACTED)


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
    """A page of memories, newest first; `after` is the (created_at, id) of the last one before the page.

    `agent_id` None means every agent of the project and environment.
    """

    agent_id: UUID | None = None
    category: str | None = None
    tag: str | None = None
    since: datetime | None = None
    status: str | None = None
    embedding_state: str | None = None
    limit: int = 50
    after: tuple[datetime, UUID] | None = None


class Memories(Protocol):
    """The memories of a project, as the API writes and reads them."""

    async def write(
        self, principal: Principal, writes: Mapping[int, MemoryWrite], *, once: Once | None = None
    ) -> WriteReport:
        """Writes by their places in the request, in one transaction for all agents.

        What was written `once` gives the same results again and changes nothing. StaleDataKey when text is not sealed
        under the organization's newest data key.
        """
        ...

    async def get(
        self, principal: Principal, memory_id: UUID, *, deleted: bool = False, before: int | None = None
    ) -> StoredMemory | None:
        """With its newest earlier texts before version `before`, its chain, oldest first, and its relations.

        Each of these is bounded; deleted memories come only where asked for.
        """
        ...

    async def list(self, principal: Principal, listing: Listing) -> Sequence[StoredMemory]:
        """Without chains and relations."""
        ...


@dataclass(frozen=True, slots=True)
class Related:
    """A relation that was made or undone, or was there before, and the changed agents' counters.

    One that was made `once` is `new` again, and changes nothing.
    """

    relation: Relation
    new: bool
    changes: Mapping[UUID, Change]


class Relations(Protocol):
    """Edges between the memories of a project."""

    async def relate(self, principal: Principal, relation: Relation, *, once: Once | None = None) -> Related | None:
        """Unique by both ends and type: a repeated one gives the first. None when an end is not the principal's.

        Forbidden, as in `unrelate`, when it may not change both ends.
        """
        ...

    async def unrelate(self, principal: Principal, memory_id: UUID, relation_id: UUID) -> Related | None:
        """None when no such relation begins or ends at this memory."""
        ...
