"""Computes tokens, words and fingerprints of a memory when it is written, so that reads need not."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from remembrancer.domain.context import formatter
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.memories.memory import NewMemory, day_of, fingerprint, quality
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.errors import StaleDataKey
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.models import TokenCounter
from remembrancer.ports.search import Stemmer
from remembrancer.usecases.memories.sealed_memories import sealed
from remembrancer.usecases.retrieval import terms

FAMILIES = ("o200k_base", "cl100k_base")
# More than one, since another key rotation may happen during a retry.
_ATTEMPTS = 5

Stored = TypeVar("Stored")


@dataclass(frozen=True, slots=True)
class Deriver:
    """Computes index terms, token counts with the wrapper, quality, and the sealed form where there is a data key."""

    counter: TokenCounter
    stemmer: Stemmer
    sealer: Cipher

    async def derive(
        self, organization: Organization, memories: Sequence[NewMemory], ids: Sequence[UUID]
    ) -> list[MemoryWrite]:
        """One MemoryWrite for each memory, with the id at the same index."""
        lines = [
            formatter.dated_line(
                memory.content, memory.created_at, replaces=memory.supersedes is not None, until=memory.ends_at
            )
            for memory in memories
        ]
        counts: list[Sequence[TokenCount]] = [await self.counter.count_many(lines, family) for family in FAMILIES]
        indexed = await asyncio.to_thread(self._index, organization, memories)
        writes = [
            MemoryWrite(
                memory_id=memory_id,
                memory=memory,
                quality=quality(memory),
                indexed=entry,
                tokens={family: counts[column][row].tokens for column, family in enumerate(FAMILIES)},
                fingerprint=fingerprint(memory.content, day_of(memory), key=organization.term_key),
                undated=fingerprint(memory.content, key=organization.term_key),
            )
            for row, (memory_id, memory, entry) in enumerate(zip(ids, memories, indexed, strict=True))
        ]
        return await sealed(self.sealer, organization.org_id, writes) if organization.encrypted else writes

    async def stored(
        self, org_id: UUID, writes: Sequence[MemoryWrite], store: Callable[[Sequence[MemoryWrite]], Awaitable[Stored]]
    ) -> Stored:
        """The result of `store`; retries where the organization has a newer data key than this instance knows."""
        for _ in range(_ATTEMPTS - 1):
            try:
                return await store(writes)
            except StaleDataKey as stale:
                writes = await sealed(self.sealer, org_id, writes, version=stale.version)
        return await store(writes)

    def _index(self, organization: Organization, memories: Sequence[NewMemory]) -> list[bm25.IndexedText]:
        return [terms.indexed(memory.content, memory.context, organization, self.stemmer) for memory in memories]
