"""A new or changed memory with everything that is derived from its text, ready to be stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.memories.stored_memory import StoredMemory


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
class Revision:
    """A memory as it is to be. `seen` is what it was derived from: when it is not that any more, it is `stale`."""

    seen: StoredMemory
    write: MemoryWrite
    status: str
    text_changed: bool = False
