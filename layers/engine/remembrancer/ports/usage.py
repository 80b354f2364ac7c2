"""What was returned to whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """Memories that were returned to a caller at one moment."""

    event_id: UUID
    org_id: UUID
    agent_id: UUID | None
    memory_ids: tuple[UUID, ...]
    kind: str
    at: datetime
    session_id: str | None = None
    user_id: str | None = None


class UsageStore(Protocol):
    """Usage counts."""

    async def apply(self, org_id: UUID, events: Sequence[UsageEvent]) -> int:
        """Counts each event that was not counted before, in one transaction; how many were new."""
        ...
