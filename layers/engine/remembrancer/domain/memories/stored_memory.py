"""A memory with all stored data, beyond what search needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.capture import proposals
from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.memories.memory import Memory, MemoryVersion

MOST_VERSIONS = 50
"""Most earlier texts of a memory in one read."""
MOST_CHAIN = 500
"""Most memories of a supersession chain on either side."""
MOST_RELATIONS = 1000
"""Most relations of a memory shown; one more is read, to detect that there are more."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge from one memory to another."""

    relation_id: UUID
    from_memory_id: UUID
    to_memory_id: UUID
    type: str
    confidence: float


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
    relations: Sequence[Relation] = ()
    sealed_context: bytes | None = None
    redactions: Mapping[str, int] = field(default_factory=dict)
    provenance: Mapping[str, Any] | None = None

    @property
    def is_pin_proposed(self) -> bool:
        """Whether capture proposes that it be pinned, and nobody has decided."""
        return self.memory.pinned_at is None and proposals.is_pin_proposed(self.provenance)

    @property
    def is_forget_proposed(self) -> bool:
        """Whether its end user wished it forgotten, and nobody has decided."""
        return proposals.is_forget_proposed(self.provenance)

    @property
    def is_unreadable(self) -> bool:
        """Whether any of its texts could not be opened."""
        return self.memory.is_unreadable or (self.sealed_context is not None and self.context == UNREADABLE_TEXT)
