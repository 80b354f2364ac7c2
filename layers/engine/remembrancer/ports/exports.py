"""Everything that is remembered, in the order in which it was, to be taken elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.scope import Principal
from remembrancer.ports.memories import StoredMemory


@dataclass(frozen=True, slots=True)
class Export:
    """A page of it, oldest first, with earlier texts and outgoing relations; `agent_id` None is every agent.

    `user_id` means this end user's own memories, not those of nobody; None is all that the principal reads.
    """

    agent_id: UUID | None
    user_id: str | None
    limit: int
    after: tuple[datetime, UUID] | None = None


class Exports(Protocol):
    """Reads for an export."""

    async def page(self, principal: Principal, export: Export) -> Sequence[StoredMemory]:
        """All but deleted ones; `relations` are those that begin at the memory."""
        ...
