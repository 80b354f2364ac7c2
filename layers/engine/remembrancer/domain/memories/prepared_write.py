"""A new or changed memory with all data derived from its text, ready to be stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.capture.proposals import ProposedChange
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
    """One memory ready to be stored, with the data derived from its text.

    With `sealed`, that is stored in place of content, summary and context. `undated` is the fingerprint of the text
    without its day: earlier versions stored what happens under it.
    """

    memory_id: UUID
    memory: NewMemory
    quality: float
    indexed: IndexedText
    tokens: Mapping[str, int]
    fingerprint: bytes
    undated: bytes = b""
    sealed: SealedMemory | None = None


@dataclass(frozen=True, slots=True)
class Revision:
    """A changed memory. `seen` is the row it was derived from; when the stored row differs by now, the revision is
    `stale`. `proposed` is carried out with it. `is_kept`: it was proposed to be forgotten, and is not to be. `replaces`
    is a memory of the rules of which it takes the place, unless somebody has changed that one.
    """

    seen: StoredMemory
    write: MemoryWrite
    status: str
    text_changed: bool = False
    proposed: ProposedChange | None = None
    is_kept: bool = False
    replaces: UUID | None = None
