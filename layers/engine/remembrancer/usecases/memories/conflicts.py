"""Possible conflicts between memories: found when the second is embedded, listed, and settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories import conflicts
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.memories import (
    ConflictPage,
    Conflicts,
    Flagged,
    FoundConflict,
    NearMemory,
    PossibleConflict,
    Settled,
    Settlement,
)
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from remembrancer.usecases.retrieval.after_response import Afterwards


@dataclass(frozen=True, slots=True)
class ConflictFinder:
    """Compares new memories with the nearest of their owner."""

    search: Conflicts
    opener: Cipher

    async def find(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[Flagged]:
        """Flags the pairs that may contradict each other; memories whose text cannot be opened are not compared."""
        near = await self.search.near(org_id, memory_ids, model)
        if not near:
            return []
        memories = {one.id: one for pair in near for one in (pair.new, pair.other)}
        readable = await opened(self.opener, org_id, list(memories.values()))
        texts = {one.id: one for one in readable.memories if not one.is_unreadable}
        pairs = (_compared(pair, texts) for pair in near if {pair.new.id, pair.other.id} <= texts.keys())
        # Where both are new, each names the other.
        found = {(one.newer.id, one.older.id): one for one in pairs if one is not None}
        return await self.search.flag(org_id, list(found.values())) if found else []


@dataclass(frozen=True, slots=True)
class ConflictSettler:
    """Lists an agent's conflicts and settles them."""

    conflicts: Conflicts
    reader: MemoryReader
    announcer: Announcer

    async def list(
        self, principal: Principal, page: ConflictPage
    ) -> tuple[Sequence[PossibleConflict], Mapping[UUID, StoredMemory]]:
        """The page as in the Conflicts port, with opened texts."""
        found, memories = await self.conflicts.list(principal, page)
        opened_memories = await self.reader.opened(principal.org_id, list(memories.values()))
        return found, {one.memory.id: one for one in opened_memories}

    async def settle(
        self,
        principal: Principal,
        conflict_id: UUID,
        settlement: Settlement,
        afterwards: Afterwards,
        *,
        once: Once | None = None,
    ) -> Settled:
        """Raises NotFound for a conflict that has ended, InvalidRequest for a memory that it is not about."""
        settled = await self.conflicts.settle(principal, conflict_id, settlement, once=once)
        match settled.status:
            case "not_found":
                raise NotFound("There is no such conflict.", code="conflict_not_found")
            case "not_of_it":
                raise _bad_keep("is neither of the two memories")
            case "not_valid_yet":
                raise _bad_keep("is not valid yet")
        if settled.agent_id is not None and settled.change is not None:
            stale = [*settled.kept, *([settled.superseded] if settled.superseded else [])]
            await self.announcer.changed(principal.org_id, settled.agent_id, settled.change, stale, afterwards)
        return settled


def _compared(pair: NearMemory, texts: Mapping[UUID, Memory]) -> FoundConflict | None:
    new, other = texts[pair.new.id], texts[pair.other.id]
    newer, older = (new, other) if (new.created_at, new.id.int) > (other.created_at, other.id.int) else (other, new)
    difference = conflicts.difference(older, newer, similarity=pair.similarity)
    return None if difference is None else FoundConflict(newer, older, difference, pair.similarity)


def _bad_keep(problem: str) -> InvalidRequest:
    return InvalidRequest("The request has invalid fields: keep.", fields={"keep": problem})
