"""Near-duplicates among new memories: near by vector, compared by text, then related, merged or confirmed."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.memories.duplicates import Wording
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.memories import Conflicts, Consolidated
from remembrancer.usecases.encryption.opening import opened


@dataclass(frozen=True, slots=True)
class Consolidator:
    """Compares new memories with those near to them, and assigns their clusters."""

    conflicts: Conflicts
    opener: Cipher

    async def consolidate(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[Consolidated]:
        """As in the Conflicts port. What cannot be opened is no duplicate."""
        near = await self.conflicts.near_duplicates(org_id, memory_ids, model)
        memories = {one.id: one for pair in near for one in (pair.new, pair.other)}
        readable = await opened(self.opener, org_id, list(memories.values()))
        wordings = {one.id: Wording.of(one) for one in readable.memories}
        duplicates = [pair for pair in near if wordings[pair.new.id].repeats(wordings[pair.other.id])]
        paraphrases = [pair for pair in near if wordings[pair.new.id].paraphrases(wordings[pair.other.id])]
        return await self.conflicts.consolidate(org_id, memory_ids, model, duplicates, paraphrases)
