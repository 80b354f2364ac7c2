"""Text to vectors, and where they go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memory import Change, Memory


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
class PendingMemory:
    """A memory that waits for its vector; its context is clear, or sealed as its text is."""

    memory: Memory
    project_id: str
    environment: str
    context: str | None = None
    sealed_context: bytes | None = None


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The memories that got their vector, as they are now, not those gone meanwhile; and their agents' counters."""

    memories: Sequence[Memory]
    changes: Mapping[UUID, Change]

    @property
    def memory_ids(self) -> list[UUID]:
        """Of the memories, in their order."""
        return [memory.id for memory in self.memories]


class EmbeddingStore(Protocol):
    """The embedding worker's view of the memories of one organization."""

    async def pending(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[PendingMemory]:
        """Those of the ids that still need a vector of `model`; the others are done, gone or superseded."""
        ...

    async def store(
        self, org_id: UUID, memories: Sequence[PendingMemory], vectors: NDArray[np.float32], model: str
    ) -> StoredVectors:
        """Stores vectors and marks the memories ready."""
        ...

    async def fail(self, org_id: UUID, memory_ids: Sequence[UUID], reason: str) -> None:
        """Marks memories whose embedding was given up."""
        ...

    async def hot_candidates(
        self, org_id: UUID, agent_id: UUID, now: datetime, limit: int
    ) -> tuple[Change, Sequence[Memory]]:
        """The agent's best embedded memories by hot score, to refill a cold hot set, and as of when."""
        ...
