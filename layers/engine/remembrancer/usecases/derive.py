"""What is computed once from a memory's text so that no read has to."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain import formatter, lexical
from remembrancer.domain.memory import NewMemory, fingerprint, quality
from remembrancer.domain.tokens import TokenCount
from remembrancer.ports.identity import Organization
from remembrancer.ports.memories import MemoryWrite
from remembrancer.ports.models import TokenCounter
from remembrancer.ports.sealing import Sealer
from remembrancer.ports.search import Stemmer
from remembrancer.usecases.whole_memories import sealed

FAMILIES = ("o200k_base", "cl100k_base")


@dataclass(frozen=True, slots=True)
class Deriver:
    """Index terms, token counts with the wrapper, quality, and the sealed form where there is a data key."""

    counter: TokenCounter
    stemmer: Stemmer
    sealer: Sealer

    async def derive(
        self, organization: Organization, memories: Sequence[NewMemory], ids: Sequence[UUID]
    ) -> list[MemoryWrite]:
        """One write for each memory, under the id at its place."""
        lines = [
            formatter.line(memory.content, memory.created_at, replaces=memory.supersedes is not None)
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
                fingerprint=fingerprint(memory.content, key=organization.term_key),
            )
            for row, (memory_id, memory, entry) in enumerate(zip(ids, memories, indexed, strict=True))
        ]
        return await self.sealed(organization.org_id, writes) if organization.encrypted else writes

    async def sealed(
        self, org_id: UUID, writes: Sequence[MemoryWrite], *, version: int | None = None
    ) -> list[MemoryWrite]:
        """The same under the newest data key that is known here, or under `version`."""
        return await sealed(self.sealer, org_id, writes, version=version)

    def _index(self, organization: Organization, memories: Sequence[NewMemory]) -> list[lexical.IndexedText]:
        return [
            lexical.index(memory.content, memory.context, key=organization.term_key, stem=self.stemmer.stem)
            for memory in memories
        ]
