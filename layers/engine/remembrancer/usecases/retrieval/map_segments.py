"""Memory maps on their way between instances: packed, sealed where the organization encrypts, checked on arrival."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import Plain, Sealed
from remembrancer.domain.memory_map import segment
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.segment import Decoded, UnreadableSegment
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.cache import SegmentCache, StoredSegment
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory

MOST_MEMORIES = 2_000
MOST_BYTES = 1_500_000
"""Limits of a map that travels: it is decoded on the event loop, within some two milliseconds. Postgres answers a
request sooner than a larger map is read and decoded.
"""


@dataclass(frozen=True, slots=True)
class MapSegments:
    """Reads and writes the packed maps of a cache; `models` are those whose vectors this deployment can search."""

    cache: SegmentCache
    directory: Directory
    cipher: Cipher
    models: Collection[str]
    new_generation: Callable[[], str]
    most_memories: int = MOST_MEMORIES
    most_bytes: int = MOST_BYTES

    async def read(self, org_id: UUID, agent_id: UUID) -> Decoded | None:
        """The agent's map, None when there is none; raises StoreError.

        One that is damaged, of another agent or model, or not sealed although the organization encrypts, is removed.
        """
        stored = await self.cache.read(org_id, agent_id)
        if stored is None:
            return None
        try:
            return await self._decoded(org_id, agent_id, stored)
        except UnreadableSegment:
            await self.cache.drop(org_id, agent_id, stored.generation)
            return None

    async def share(self, found: MemoryMap, read_at: datetime) -> str | None:
        """Stores the map for other instances, unless it is too large or the cache has one as new; raises StoreError.

        The generation that was stored, for `drop`; None where none was.
        """
        org_id, agent_id = found.org_id, found.agent_id
        if len(found) > self.most_memories:
            return None
        if not await self.cache.wants(org_id, agent_id, found.change, read_at.timestamp()):
            return None
        organization = await self.directory.organization(org_id)
        if organization is None:
            return None
        generation = self.new_generation()
        parts: Sequence[bytes] = await asyncio.to_thread(segment.encode, found, read_at=read_at)
        if sum(map(len, parts)) > self.most_bytes:
            return None
        if organization.encrypted:
            fields = [Plain(agent_id, _field(generation, number), part) for number, part in enumerate(parts)]
            parts = (await self.cipher.seal(org_id, fields)).values
        stored = StoredSegment(generation, found.change, read_at.timestamp(), organization.encrypted, parts)
        return generation if await self.cache.write(org_id, agent_id, stored) else None

    async def drop(self, org_id: UUID, agent_id: UUID, generation: str) -> None:
        """Removes the agent's segment if it is still this one; raises StoreError."""
        await self.cache.drop(org_id, agent_id, generation)

    async def _decoded(self, org_id: UUID, agent_id: UUID, stored: StoredSegment) -> Decoded:
        """Raises UnreadableSegment; StoreUnavailable where there is no key at the moment."""
        organization = await self.directory.organization(org_id)
        if organization is None or organization.encrypted != stored.is_sealed:
            raise UnreadableSegment("not sealed as the organization's texts are")
        parts = await self._opened(org_id, agent_id, stored) if stored.is_sealed else stored.parts
        decoded = segment.decode(parts, org_id=org_id, agent_id=agent_id)
        found = decoded.map
        if found.change != stored.change:
            raise UnreadableSegment("of another state than described")
        if len(found) and found.model not in self.models:
            raise UnreadableSegment("of another model")
        return decoded

    async def _opened(self, org_id: UUID, agent_id: UUID, stored: StoredSegment) -> Sequence[bytes]:
        fields = [Sealed(agent_id, _field(stored.generation, number), part) for number, part in enumerate(stored.parts)]
        answer = await self.cipher.open(org_id, fields)
        opened = [value for value in answer.values if value is not None]
        if len(opened) == len(fields):
            return opened
        if _DAMAGED.isdisjoint(answer.causes):
            raise StoreUnavailable("A memory map cannot be opened now", cause=answer.causes[0])
        raise UnreadableSegment("does not open")


def _field(generation: str, number: int) -> str:
    """What a sealed part is bound to, besides organization and agent: parts cannot be exchanged."""
    return f"map {generation} {number}"


_DAMAGED = {"InvalidTag", "UnknownFormat", "UnknownKeyVersion"}
