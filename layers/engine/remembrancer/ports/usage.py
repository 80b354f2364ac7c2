"""Counts of the memories that were returned, by memory, session and end user, and of a language model's tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.memories.memory import Change, Memory


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """Memories that were returned to a caller at one moment; `query_key` names a query whose answer may be kept,
    `actor` the caller for the audit trail.
    """

    event_id: UUID
    org_id: UUID
    agent_id: UUID | None
    memory_ids: tuple[UUID, ...]
    kind: str
    at: datetime
    session_id: str | None = None
    user_id: str | None = None
    query_key: str | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class AppliedUsage:
    """The events that were new, each once; the memories they used, by agent; and the agents whose memories changed."""

    events: Sequence[UsageEvent] = ()
    used: Mapping[UUID, Sequence[UUID]] = field(default_factory=dict)
    changes: Mapping[UUID, Change] = field(default_factory=dict)


class UsageStore(Protocol):
    """Counts, last access, sessions and profiles of memories, and tokens of the language model that an organization may
    use in a day.
    """

    async def apply(self, org_id: UUID, events: Sequence[UsageEvent]) -> AppliedUsage:
        """Counts each event that was not counted before, in one transaction. What is used becomes hot again."""
        ...

    async def current(
        self, org_id: UUID, agent_id: UUID, memory_ids: Sequence[UUID], now: datetime
    ) -> tuple[Change, Sequence[Memory]]:
        """The live and embedded ones among the memories, as they are now, and the agent's counters as of then."""
        ...

    async def reserve_tokens(self, org_id: UUID, day: date, tokens: int, *, most: int | None) -> bool:
        """Whether the organization has so many tokens of the language model left on that day: then they are taken."""
        ...

    async def charge_tokens(self, org_id: UUID, day: date, *, reserved: int, used: int) -> None:
        """Replaces what was reserved for a call by what it has used."""
        ...
